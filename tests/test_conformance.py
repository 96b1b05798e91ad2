"""What every game owes the engine, whichever game it is: the contract of `dino_envs.engine.Rules`.

Each test runs over every game found, with its fewest, usual and most players.
"""

import contextlib
import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dino_envs.engine import (
    RUNNING,
    TERMINATED,
    TRUNCATED,
    Counts,
    Game,
    Option,
    OptionError,
)
from dino_envs.games import games, load

GAMES_EACH = 8
FAR_TOO_LONG = 20_000
"""Decisions that no random game with the default options needs."""


def player_counts(game: Game) -> list[int]:
    return sorted({game.min_players, game.default_players, game.max_players})


@pytest.fixture(
    scope="session",
    params=[(name, players) for name in games() for players in player_counts(load(name))],
    ids=lambda param: f"{param[0]}-{param[1]}",
)
def table(request: pytest.FixtureRequest) -> tuple[Game, int]:
    """Returns every game with its fewest, usual and most players."""
    name, players = request.param
    return load(name), players


def observe(game: Game, state: Any, seat: int) -> np.ndarray[Any, Any]:
    """Returns what a seat sees, float32 [F]."""
    record = np.zeros(1, game.observation.dtype)
    game.kernels.observe(state, seat, record[0])
    return record.view(np.float32)


def copy_by_bytes(game: Game, state: Any) -> np.ndarray[Any, Any]:
    """Returns a state [1] made from nothing but the bytes of another."""
    return np.frombuffer(bytearray(state.tobytes()), game.state)


# The declaration.


def test_a_game_is_named_after_its_folder_and_describes_itself(game):
    assert game.id in games()
    assert load(game.id) is game
    assert game.full_id == f"{game.id}_v{game.version}"
    assert game.version >= 0
    assert game.title
    assert game.summary
    assert 1 <= game.min_players <= game.default_players <= game.max_players
    assert all(max(2, game.min_players) <= n <= game.max_players for n in game.cooperative)


def test_a_state_is_plain_bytes_with_the_shared_fields_and_every_option(game):
    assert not game.state.hasobject
    assert game.state.isalignedstruct
    shared = {"stream", "score", "num_players", "current_player", "ending", "cooperative"}
    assert shared <= set(game.state.names)
    fields = [game.state[name] for name in game.state.names]
    assert sum(field.itemsize for field in fields) == game.state.itemsize, "no bytes between fields"
    assert game.state["score"].shape == (game.max_players,)
    assert set(game.options) <= set(game.state.names)
    for name, option in game.options.items():
        assert option.doc
        assert option.values
        for value in [option.default, *option.extremes]:
            held, states = option.encode(name, value), np.zeros(1, game.state)
            states[name] = held
            assert np.array_equal(states[name][0], held), f"{name} is too narrow"


def test_a_state_is_small(game):
    assert game.state.itemsize <= 2048, "a batch of 10,000 games should stay within 20 MB"


def test_observation_fields_are_described_and_bounded(game):
    names = [field.name for field in game.observation.fields]
    assert len(set(names)) == len(names)
    assert game.observation.size * 4 == game.observation.dtype.itemsize
    for field in game.observation.fields:
        assert field.doc
        assert field.low < field.high
        assert field.name.isidentifier()


def test_every_bot_is_described_and_named_after_its_idea(game):
    assert game.bots, "a game has scripted baselines"
    assert "random" not in game.bots, "random is added to every game"
    for name, bot in game.bots.items():
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
        assert bot.doc


def test_action_names_are_different_and_lead_back_to_their_actions(game):
    names = [game.view.action_name(action) for action in range(game.actions.size)]
    assert all(names)
    assert len(set(names)) == len(names)
    assert [game.view.action_number(name) for name in names] == list(range(len(names)))


# Random play.


def test_a_running_game_has_legal_actions_and_says_how_many(table, random_walk):
    game, players = table
    for seed in range(GAMES_EACH):
        for state, mask, legal, _ in random_walk(game, seed, num_players=players):
            assert mask.dtype == np.int8
            if state.ending == RUNNING:
                assert set(mask.tolist()) <= {0, 1}
                assert legal == mask.sum() >= 1
                assert 0 <= state.current_player < players


def varied_options(game, rng):
    """Returns random options that go together: few cards of some kinds, many of others."""
    while True:
        options = {}
        for name, option in game.options.items():
            options[name] = option.default
            if isinstance(option, Counts):
                factors = rng.choice((0, 0, 1, 1, 4), len(option.default))
                counts = zip(option.default.items(), factors.tolist(), strict=True)
                options[name] = {key: count * factor for (key, count), factor in counts}
            elif not isinstance(option, Option) and rng.random() < 0.5:
                options[name] = option.extremes[rng.integers(len(option.extremes))]
        with contextlib.suppress(OptionError):
            return game.complete(options)


def test_actions_come_up_in_random_games(game, random_walk):
    rng, seen = np.random.default_rng(0), np.zeros(game.actions.size, bool)
    for seed, players in itertools.product(range(60), player_counts(game)):
        options = varied_options(game, rng) if seed % 2 else {}
        with contextlib.suppress(OptionError):
            for position in random_walk(game, seed, **{**options, "num_players": players}):
                seen |= position.mask == 1
        if seen.all():
            break
    assert seen.mean() > 0.95, "actions that hardly ever come up waste the learner's outputs"
    for block, size in game.actions.blocks.items():
        first = game.actions.start(block)
        assert seen[first : first + size].any(), f"no random game offers any {block!r}"


def test_looking_changes_nothing(table, random_walk):
    game, players = table
    for seed in range(GAMES_EACH):
        for state, mask, legal, _ in random_walk(game, seed, num_players=players):
            before = state.tobytes()
            first = [observe(game, state, seat) for seat in range(players)]
            again = [observe(game, state, seat) for seat in range(players)]
            assert np.array_equal(first, again)
            if state.ending == RUNNING:
                repeated = np.zeros_like(mask)
                assert game.kernels.legal_actions(state, repeated) == legal
                assert (repeated == mask).all()
            else:
                game.kernels.outcome(state, np.zeros(players, np.float32))
            assert state.tobytes() == before


def test_every_seat_sees_finite_numbers_within_the_declared_bounds_at_any_time(table, random_walk):
    game, players = table
    low, high = game.observation.low, game.observation.high
    seen_low, seen_high = high.copy(), low.copy()
    for seed in range(GAMES_EACH):
        for position in random_walk(game, seed, num_players=players):
            for seat in range(players):
                seen = observe(game, position.state, seat)
                assert np.isfinite(seen).all()
                seen_low, seen_high = np.minimum(seen_low, seen), np.maximum(seen_high, seen)
    outside = np.flatnonzero((seen_low < low) | (seen_high > high))
    fields = np.repeat([f.name for f in game.observation.fields],
                       [f.size for f in game.observation.fields])  # fmt: skip
    assert outside.size == 0, f"out of bounds: {sorted(set(fields[outside]))}"


def goes_together(game: Game, options: dict[str, Any]) -> bool:
    try:
        game.complete(options)
    except OptionError:
        return False
    return True


def test_play_never_changes_the_options(table, random_walk):
    game, players = table
    names = ["num_players", "cooperative", *game.options]
    choices = [
        {name: value}
        for name, option in game.options.items()
        for value in option.extremes
        if goes_together(game, {"num_players": players, name: value})
    ]
    for options in [{}, *choices]:
        kept = game.new_states(1, num_players=players, **options)[names][0]
        for position in random_walk(game, 5, num_players=players, **options):
            assert position.state[names] == kept


def test_every_game_ends_and_its_returns_are_fair(table, random_walk):
    game, players = table
    for seed in range(GAMES_EACH):
        walk = random_walk(game, seed, num_players=players)
        *_, last = itertools.islice(walk, FAR_TOO_LONG)
        assert last.state.ending in (TERMINATED, TRUNCATED), "the game does not end"
        returns = np.zeros(players, np.float32)
        game.kernels.outcome(last.state, returns)
        assert np.isfinite(returns).all()
        if players == 1:
            assert returns[0] == last.state.score[0], "who plays alone plays for the score"
            continue
        assert np.abs(returns).max() <= 1
        if players in game.cooperative:
            assert set(returns.tolist()) in ({1.0}, {-1.0}), "all win or lose as one"
        else:
            assert abs(float(returns.sum())) < 1e-5, "what one wins the others lose"


def test_the_cap_cuts_a_game_and_still_scores_it(table, random_walk):
    game, players = table
    caps = [name for name in game.options if name.startswith("max_")]
    assert len(caps) == 1, "every game has one documented cap, an option named max_..."
    shortest = game.options[caps[0]].low
    endings = []
    for seed in range(GAMES_EACH):
        cut = list(random_walk(game, seed, num_players=players, **{caps[0]: shortest}))
        whole = list(random_walk(game, seed, num_players=players))
        assert len(cut) <= len(whole)
        endings.append(int(cut[-1].state.ending))
        returns = np.zeros(players, np.float32)
        game.kernels.outcome(cut[-1].state, returns)
        assert np.isfinite(returns).all()
    assert TRUNCATED in endings, "the cap truncates, it does not terminate"


def test_a_copy_of_the_bytes_is_a_copy_of_the_game(table, random_walk):
    game, players = table
    for seed in range(3):
        states = [p.state.copy() for p in random_walk(game, seed, num_players=players)]
        halfway = states[len(states) // 2]
        copies = [copy_by_bytes(game, halfway) for _ in range(2)]
        futures = [
            [(p.state.tobytes(), p.action) for p in random_walk(game, 77, state=copy)]
            for copy in copies
        ]
        assert futures[0] == futures[1]
        assert len(futures[0]) > 1
        assert halfway.tobytes() == futures[0][0][0], "the original did not move"


def test_the_seed_decides_the_game(table, random_walk):
    game, players = table

    def start(seed: int) -> bytes:
        state = game.new_states(1, num_players=players)
        game.kernels.reset(state[0], np.uint64(seed))
        return state.tobytes()

    seeds = [0, 1, 2, 2**32, 2**64 - 1]
    assert len({start(seed) for seed in seeds}) == len(seeds)
    assert [start(seed) for seed in seeds] == [start(seed) for seed in seeds]


# What a seat cannot know.


def test_a_redeal_shows_the_seat_nothing_new(table, random_walk):
    game, players = table
    for seed in range(4):
        for position in random_walk(game, seed, num_players=players):
            if position.state.ending != RUNNING:
                continue
            for seat in range(players):
                copy = copy_by_bytes(game, position.state)
                game.kernels.redeal(copy[0], seat, np.uint64(1000 + seed))
                assert copy[0].ending == RUNNING
                assert copy[0].current_player == position.state.current_player
                assert (observe(game, copy[0], seat) == observe(game, position.state, seat)).all()
                if seat == position.state.current_player:
                    mask = np.zeros_like(position.mask)
                    game.kernels.legal_actions(copy[0], mask)
                    assert (mask == position.mask).all()


def told_of_actions(
    game: Game, states: list[Any], seat: int, looker: int | None
) -> Iterator[tuple[bytes, bytes, str]]:
    """Yields what the seat sees after each legal action, the state without stream, and the text.

    Where all act at once an action is not seen before the round is over, but who acts knows it.
    """
    for state in states:
        mask = np.zeros(game.actions.size, np.int8)
        game.kernels.legal_actions(state[0], mask)
        for action in np.flatnonzero(mask).tolist():
            after = copy_by_bytes(game, state)
            game.kernels.step(after[0], action)
            told = game.view.action_text(state[0], action, looker)
            knows = game.simultaneous and looker == state[0].current_player
            own = str(action).encode() if knows else b""
            yield observe(game, after[0], seat).tobytes() + own, without_stream(after), told


def without_stream(state: np.ndarray[Any, Any]) -> bytes:
    copy = state.copy()
    copy["stream"] = 0
    return copy.tobytes()


def test_what_is_told_of_an_action_is_no_more_than_what_is_seen_after_it(table, random_walk):
    """Positions that look the same to a seat afterwards have been told in the same words.

    Unless the game has no secrets: a redeal changes nothing but the stream.
    """
    game, players = table
    secrets, compared, faults = False, 0, []
    for position in itertools.islice(random_walk(game, players, num_players=players), 0, None, 2):
        if position.state.ending != RUNNING:
            continue
        for seat in {int(position.state.current_player), players - 1}:
            states = [copy_by_bytes(game, position.state) for _ in range(3)]
            for seed, state in enumerate(states[1:]):
                game.kernels.redeal(state[0], seat, np.uint64(seed))
            secrets |= len({without_stream(state) for state in states}) > 1
            for looker in (seat, None):
                texts = defaultdict(lambda: defaultdict(set))
                for seen, after, told in told_of_actions(game, states, seat, looker):
                    assert told
                    texts[seen][after].add(told)
                compared += sum(len(same) - 1 for same in texts.values())
                faults += [
                    same for same in texts.values() if len({*map(frozenset, same.values())}) > 1
                ]
    assert not secrets or (compared and not faults), faults[:1]


def test_a_redeal_draws_another_future(table, random_walk):
    game, players = table
    walk = random_walk(game, 0, num_players=players)
    position = next(itertools.islice(walk, 2, None))
    seat = int(position.state.current_player)

    def future(seed: int | None) -> list[bytes]:
        copy = copy_by_bytes(game, position.state)
        if seed is not None:
            game.kernels.redeal(copy[0], seat, np.uint64(seed))
        return [observe(game, p.state, seat).tobytes() for p in random_walk(game, 9, state=copy)]

    known = future(None)
    redealt = [future(seed) for seed in range(10)]
    assert all(other != known for other in redealt), "search would know the real future"
    assert len({tuple(other) for other in redealt}) == 10
    assert future(3) == redealt[3], "the seed decides the redeal"
