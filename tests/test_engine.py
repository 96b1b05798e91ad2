"""The engine: its random stream, layouts, batches, options, and what it keeps on disk.

Run as a program this file prints a fingerprint of the stream and of random play of every game; the
tests compare it between compiled and plain Python.
"""

import copy
import hashlib
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import dino_envs
from dino_envs.engine import (
    EXTERNAL,
    FORFEITED,
    RANDOM,
    RUNNING,
    ActionTable,
    Batch,
    Bot,
    Counts,
    Field,
    Game,
    ObservationLayout,
    Option,
    OptionError,
    UnknownAgentError,
    ask,
    state_dtype,
    stream,
)
from dino_envs.engine.loops import MAX_BOTS
from dino_envs.engine.reward import REWARDS
from dino_envs.engine.seeding import episode_stream
from dino_envs.games import games, load

PACKAGE = Path(dino_envs.__file__).parent
MASK_64 = 2**64 - 1
ALWAYS_THE_SAME = 1e-4
"""Chance below which a test of fixed draws calls them uneven."""


# A second telling of the stream, in plain Python ints.


class PlainStream:
    """SplitMix64 and what is drawn from it."""

    def __init__(self, seed: int) -> None:
        self.word = seed

    @staticmethod
    def mix(word: int) -> int:
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK_64
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MASK_64
        return word ^ (word >> 31)

    def next_word(self) -> int:
        self.word = (self.word + 0x9E3779B97F4A7C15) & MASK_64
        return self.mix(self.word)

    def below(self, n: int) -> int:
        while True:
            product = (self.next_word() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32


def a_stream(seed: int) -> np.ndarray[Any, Any]:
    return np.array([seed], np.uint64)


def test_next_word_gives_the_published_splitmix64_values():
    words = a_stream(1234567)
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [int(stream.next_word(words)) for _ in published] == published
    assert int(stream.next_word(a_stream(0))) == 0xE220A8397B1DCDAF


@pytest.mark.parametrize("seed", [0, 1, 2**63, MASK_64])
def test_the_stream_is_the_same_in_plain_ints(seed):
    words, plain = a_stream(seed), PlainStream(seed)
    for n in [1, 2, 6, 37, 3 * 2**30, 2**32 - 1] * 50:
        assert int(stream.below(words, n)) == plain.below(n)
        assert int(words[0]) == plain.word
    expected = (plain.next_word() >> 11) / 2**53
    assert stream.uniform(words) == expected


@pytest.mark.parametrize("n", [2, 3, 6, 7, 37])
def test_below_is_even(n):
    words = a_stream(n)
    drawn = [int(stream.below(words, n)) for _ in range(2000 * n)]
    assert set(drawn) == set(range(n))
    assert chisquare(np.bincount(drawn)).pvalue > ALWAYS_THE_SAME


def test_below_draws_again_where_some_values_would_be_favoured():
    # Cut to 3 * 2**30 without drawing again, multiples of three come twice as often as others.
    words = a_stream(5)
    drawn = [int(stream.below(words, 3 * 2**30)) % 3 for _ in range(20_000)]
    assert chisquare(np.bincount(drawn)).pvalue > ALWAYS_THE_SAME


def test_uniform_is_even_and_below_one():
    words = a_stream(6)
    drawn = np.array([stream.uniform(words) for _ in range(20_000)])
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    assert chisquare(np.histogram(drawn, 20, (0, 1))[0]).pvalue > ALWAYS_THE_SAME


def test_shuffle_brings_every_order_equally_often():
    words = a_stream(7)
    orders = dict.fromkeys(permutations(range(4)), 0)
    for _ in range(500 * len(orders)):
        items = np.array([0, 1, 2, 3, 99], np.int8)
        stream.shuffle(words, items, 4)
        assert items[4] == 99
        orders[tuple(items[:4].tolist())] += 1
    assert chisquare(list(orders.values())).pvalue > ALWAYS_THE_SAME


def test_shuffle_is_fisher_and_yates_from_the_end():
    items, plain, expected = np.arange(20, dtype=np.int8), PlainStream(8), list(range(20))
    stream.shuffle(a_stream(8), items, 20)
    for last in range(19, 0, -1):
        other = plain.below(last + 1)
        expected[last], expected[other] = expected[other], expected[last]
    assert items.tolist() == expected


def test_choose_legal_is_even_over_the_legal_actions():
    words, mask = a_stream(9), np.array([0, 1, 0, 1, 1, 0], np.int8)
    drawn = np.bincount([stream.choose_legal(words, mask) for _ in range(6000)], minlength=6)
    assert (drawn[mask == 0] == 0).all()
    assert chisquare(drawn[mask == 1]).pvalue > ALWAYS_THE_SAME
    assert stream.choose_legal(words, np.zeros(6, np.int8)) == -1


def test_forks_of_a_seed_are_all_different_and_the_same_in_plain_ints():
    seeds = [np.uint64(seed) for seed in (0, 1, 2, MASK_64)]
    forks = [int(stream.fork(seed, index)) for seed in seeds for index in range(1000)]
    assert len(set(forks)) == len(forks)
    mix, gamma, salt = PlainStream.mix, 0x9E3779B97F4A7C15, 0x94D049BB133111EB
    for position, found in enumerate(forks[:2000]):
        seed, index = divmod(position, 1000)
        inner = mix((int(seeds[seed]) + gamma) & MASK_64)
        assert found == mix(inner ^ mix((index * gamma + salt) & MASK_64))


def test_an_episode_stream_follows_its_seed_alone():
    assert episode_stream(0) == episode_stream(0)
    assert episode_stream(0) != episode_stream(1)
    assert episode_stream(None) != episode_stream(None)


# Layouts.


def test_an_action_table_numbers_its_blocks_in_order():
    table = ActionTable(stop=1, reroll=31, eat=5)
    assert table.size == 37
    assert [table.start(block) for block in ("stop", "reroll", "eat")] == [0, 1, 32]
    located = [table.locate(action) for action in range(37)]
    assert located[0] == ("stop", 0)
    assert located[1:32] == [("reroll", i) for i in range(31)]
    assert located[32:] == [("eat", i) for i in range(5)]
    for outside in (-1, 37):
        with pytest.raises(IndexError, match="37 actions"):
            table.locate(outside)


def test_an_observation_is_its_fields_in_a_row():
    layout = ObservationLayout(
        Field("board", (2, 3), 0, 1, "a board"), Field("lead", (1,), -4, 4, "a lead")
    )
    assert layout.size == 7
    assert layout.low.tolist() == [0.0] * 6 + [-4.0]
    assert layout.high.tolist() == [1.0] * 6 + [4.0]
    records = np.zeros(2, layout.dtype)
    records["board"][1] = [[1, 2, 3], [4, 5, 6]]
    records["lead"][1] = 7
    vectors = records.view(np.float32).reshape(2, 7)
    assert vectors[1].tolist() == [1, 2, 3, 4, 5, 6, 7]
    decoded = layout.decode(vectors)
    assert decoded["board"].shape == (2, 2, 3)
    assert decoded["lead"].shape == (2, 1)
    assert (decoded["board"] == records["board"]).all()
    assert (layout.decode(vectors[1])["lead"] == [7]).all()


def test_a_state_has_the_fields_of_every_game_and_no_hole_between_them():
    dtype = state_dtype(3, [("herd", np.int8, (4,)), ("seen", np.int64), ("turns", np.int16)])
    shared = {"stream", "score", "num_players", "current_player", "ending"}
    assert shared | {"herd", "seen", "turns"} <= set(dtype.names)
    assert dtype["score"].shape == (3,)
    assert dtype["stream"].base == np.uint64
    assert dtype["herd"].shape == (4,)
    assert dtype.isalignedstruct
    assert sum(dtype[name].itemsize for name in dtype.names) == dtype.itemsize
    assert isinstance(np.zeros(1, dtype)[0], np.record)


# Batches.


def bot_batch(game: Game, games_: int, first_seed: int, threads: int = 1, **options: Any) -> Batch:
    """Returns dealt games in which all seats play at random."""
    batch = Batch(game, games_, bots=[RANDOM], threads=threads, **options)
    batch.players[:] = 0
    seeds = np.arange(first_seed, first_seed + games_, dtype=np.uint64)
    for seat in range(batch.num_players):
        batch.streams[:, seat] = seeds + np.uint64(1000 * (seat + 1))
    batch.deal(seeds)
    return batch


def contents(batch: Batch, game: int | slice = slice(None)) -> list[bytes]:
    """Returns the bytes of all that a batch holds, of one game or all."""
    arrays = (
        batch.states, batch.observations, batch.masks, batch.log, batch.steps,
        batch.returns, batch.rewards, batch.streams, batch.illegal,
    )  # fmt: skip
    return [np.ascontiguousarray(array[game]).tobytes() for array in arrays]


@pytest.mark.parametrize("reward", REWARDS)
def test_a_batch_plays_as_single_games_do(game, reward):
    together = bot_batch(game, 64, 0, reward=reward)
    together.play()
    for i in range(64):
        alone = bot_batch(game, 1, i, reward=reward)
        alone.play()
        assert contents(alone, 0) == contents(together, i)


def test_a_batch_plays_the_same_on_any_number_of_threads(game):
    one, two, five = (bot_batch(game, 330, 7, threads) for threads in (1, 2, 5))
    for batch in (one, two, five):
        batch.play()
    assert contents(one) == contents(two)
    assert contents(one) == contents(five)


def played_by_hand(game: Game, games_: int, threads: int) -> Batch:
    """Returns finished games whose seat 0 was played from outside, one sub-step after another."""
    batch = bot_batch(game, games_, 3, threads)
    batch.players[:, 0] = EXTERNAL
    rng = np.random.default_rng(0)
    batch.play()
    while batch.running.any():
        chances = rng.random((games_, game.actions.size)) * batch.masks
        batch.play(np.where(batch.running, chances.argmax(1), -1))
    return batch


def test_outside_seats_play_the_same_on_any_number_of_threads(game):
    assert contents(played_by_hand(game, 130, 1)) == contents(played_by_hand(game, 130, 2))


def test_bots_alone_play_to_the_end_in_one_call(game):
    batch = bot_batch(game, 64, 11)
    assert batch.running.all()
    batch.play()
    assert not batch.running.any()
    assert (batch.steps > 0).all()
    assert (batch.illegal == 0).all()
    finished = contents(batch)
    batch.play()
    assert contents(batch) == finished


def test_a_game_waits_for_its_outside_seat_and_shows_what_that_seat_sees(game):
    batch = bot_batch(game, 64, 12)
    last = batch.num_players - 1
    batch.players[:, last] = EXTERNAL
    batch.play()
    waiting = batch.running
    assert waiting.any()
    assert (batch.movers[waiting] == last).all()
    assert (batch.masks[waiting].sum(1) >= 1).all()
    seen = batch.look(np.full(64, last))
    assert (batch.observations[waiting] == seen[waiting]).all()
    before = contents(batch)
    batch.play()
    batch.play(np.full(64, -1))
    assert contents(batch) == before


def test_the_log_is_a_hash_of_the_actions(game):
    batch = Batch(game, 2)
    batch.deal(np.array([4, 4], np.uint64))
    batch.play()
    first = batch.masks.argmax(1)
    last = game.actions.size - 1 - batch.masks[:, ::-1].argmax(1)
    batch.play(np.array([first[0], last[1]]))
    assert first[0] != last[1]
    assert batch.log[0] != batch.log[1]
    assert batch.log[0] == np.uint64(stream.mix(np.uint64(int(first[0]) + 1)))
    assert batch.steps.tolist() == [1, 1]


def test_dealing_some_games_leaves_the_others_alone(game):
    batch, fresh = bot_batch(game, 8, 13), bot_batch(game, 8, 13)
    batch.play()
    where = np.arange(8) % 2 == 0
    kept = [contents(batch, i) for i in range(8)]
    batch.deal(np.arange(13, 21, dtype=np.uint64), where)
    for i in range(8):
        if where[i]:
            assert batch.states[i].tobytes() == fresh.states[i].tobytes()
            assert batch.steps[i] == 0
            assert batch.log[i] == 0
            assert (batch.rewards[i] == 0).all()
            assert (batch.returns[i] == 0).all()
        else:
            assert contents(batch, i) == kept[i]


@pytest.mark.parametrize("most", [False, True])
@pytest.mark.parametrize("wrong", ["masked", "too high", "negative"])
def test_an_illegal_action_forfeits_that_game_alone(game, wrong, most):
    players = game.max_players if most else game.min_players
    batch = Batch(game, 3, num_players=players)
    batch.deal(np.arange(3, dtype=np.uint64))
    batch.play()
    if wrong == "masked":
        assert not batch.masks[1].all(), "the opening of this game forbids something"
    bad = {"masked": int(batch.masks[1].argmin()), "too high": game.actions.size, "negative": -2}
    actions = batch.masks.argmax(1)
    actions[1] = bad[wrong]
    before, offender = batch.states[1].copy(), int(batch.movers[1])
    batch.play(actions)
    assert batch.illegal.tolist() == [0, 1 + offender, 0]
    assert batch.states[1].ending == FORFEITED
    assert batch.states[[0, 2]]["ending"].tolist() == [RUNNING, RUNNING]
    before.ending = FORFEITED
    assert batch.states[1].tobytes() == before.tobytes(), "nothing else may change"
    paid = np.full(players, 1 / max(players - 1, 1), np.float32)
    paid[offender] = -1
    assert batch.returns[1].tolist() == paid.tolist()
    assert batch.rewards[1].tolist() == paid.tolist()
    assert batch.returns[[0, 2]].tolist() == np.zeros((2, players)).tolist()


def test_an_action_is_judged_by_the_position_dealt_last(game):
    cases = []
    for seed in range(1, 60):
        fresh = np.zeros(game.actions.size, np.int8)
        batch = Batch(game, 1)
        batch.deal(np.array([0], np.uint64))
        batch.play()
        batch.deal(np.array([seed], np.uint64))
        game.kernels.legal_actions(batch.states[0], fresh)
        cases += [(int(bad), seed, batch) for bad in np.flatnonzero(batch.masks[0] > fresh)]
    assert cases, "openings of this game differ in what is legal"
    action, _, batch = min(cases, key=lambda case: case[:2])
    batch.play(np.array([action]))
    assert batch.illegal[0] != 0


def test_rewards_by_outcome_are_the_returns_paid_at_the_end(game):
    batch = Batch(game, 40)
    batch.deal(np.arange(40, dtype=np.uint64))
    rng = np.random.default_rng(1)
    batch.play()
    while batch.running.any():
        assert (batch.rewards[batch.running] == 0).all()
        chances = rng.random(batch.masks.shape) * batch.masks
        batch.play(np.where(batch.running, chances.argmax(1), -1))
    assert (batch.rewards == batch.returns).all()
    assert np.abs(batch.returns).max() <= 1


@pytest.mark.parametrize("most", [False, True])
def test_rewards_by_points_add_up_to_the_score(game, most):
    players = game.max_players if most else game.min_players
    batch = Batch(game, 40, reward="points", num_players=players)
    batch.deal(np.arange(40, dtype=np.uint64))
    start = batch.states["score"][:, :players].copy()
    rng = np.random.default_rng(2)
    batch.play()
    while batch.running.any():
        chances = rng.random(batch.masks.shape) * batch.masks
        batch.play(np.where(batch.running, chances.argmax(1), -1))
        assert (batch.rewards == batch.states["score"][:, :players] - start).all()


def test_there_are_no_other_rewards(game):
    with pytest.raises(OptionError, match="choose one of outcome, score, points"):
        Batch(game, 1, reward="wins")


@pytest.mark.parametrize("most", [False, True])
def test_rewards_by_score_add_up_to_the_lead_and_to_zero(game, most):
    players = game.max_players if most else game.min_players
    batch = Batch(game, 40, reward="score", num_players=players)
    batch.deal(np.arange(40, dtype=np.uint64))
    start = batch.states["score"][:, :players].copy()
    rng = np.random.default_rng(2)
    batch.play()
    while batch.running.any():
        chances = rng.random(batch.masks.shape) * batch.masks
        batch.play(np.where(batch.running, chances.argmax(1), -1))
        gained = (batch.states["score"][:, :players] - start).astype(float)
        if players == 1:
            np.testing.assert_array_equal(batch.rewards, gained)
            continue
        np.testing.assert_allclose(batch.rewards.sum(1), 0, atol=1e-3)
        others = (gained.sum(1, keepdims=True) - gained) / (players - 1)
        np.testing.assert_allclose(batch.rewards, gained - others, atol=1e-3)
    assert (batch.rewards != 0).any()
    for i in range(40):
        returns = np.zeros(players, np.float32)
        game.kernels.outcome(batch.states[i], returns)
        assert batch.returns[i].tolist() == returns.tolist()


def test_ask_is_what_the_bot_plays_inside_the_loop(game):
    batch = Batch(game, 50)
    batch.deal(np.arange(50, dtype=np.uint64))
    batch.play()
    ours = np.arange(50, dtype=np.uint64)
    theirs = ours.copy()
    actions = ask(game, RANDOM, batch.observations, batch.masks, ours)
    assert (batch.masks[np.arange(50), actions] == 1).all()
    expected = [int(stream.choose_legal(theirs[i : i + 1], batch.masks[i])) for i in range(50)]
    assert actions.tolist() == expected
    assert (ours == theirs).all()


def test_ask_takes_every_number_but_0_for_legal(game):
    batch = Batch(game, 50)
    batch.deal(np.arange(50, dtype=np.uint64))
    batch.play()
    for bot in (RANDOM, *game.bots.values()):
        answers = [
            ask(game, bot, batch.observations, batch.masks * legal, np.arange(50, dtype=np.uint64))
            for legal in (np.int8(1), np.int8(127), np.int8(-1))
        ]
        assert answers[0].tolist() == answers[1].tolist() == answers[2].tolist()


def test_a_batch_holds_a_few_bots_and_refuses_more(game):
    assert len(Batch(game, 1, bots=[RANDOM] * MAX_BOTS)) == 1
    with pytest.raises(ValueError, match=f"at most {MAX_BOTS} different bots"):
        Batch(game, 1, bots=[RANDOM] * (MAX_BOTS + 1))


# Options.


def test_players_outside_the_range_or_not_whole_are_refused(game):
    for value in (game.min_players - 1, game.max_players + 1, 2.5, "2", True, [2]):
        with pytest.raises(OptionError, match="num_players"):
            Batch(game, 1, num_players=value)
    for value in range(game.min_players, game.max_players + 1):
        assert Batch(game, 1, num_players=value).num_players == value


def test_an_unknown_option_is_refused_with_the_nearest_name(game):
    with pytest.raises(OptionError, match=r"argument 'num_player'; did you mean 'num_players'"):
        Batch(game, 1, num_player=2)
    with pytest.raises(OptionError, match="it has num_players"):
        Batch(game, 1, zzz=2)


def test_options_are_written_into_the_state_and_checked(game):
    alone = replace(game, check=None)
    defaults = game.new_states(3)
    assert len(defaults) == 3
    assert (defaults["num_players"] == game.default_players).all()
    for name, option in game.options.items():
        assert (defaults[name] == option.encode(name, option.default)).all()
        bad = ["no such value", -1, 0.5, True]
        if isinstance(option, Option) and not option.choices:
            bad = [option.low - 1, option.high + 1, "1", True]
        for value in option.extremes:
            state = alone.new_states(1, **{name: value})[0]
            assert np.array_equal(state[name], option.encode(name, value))
        for value in [option.default, *option.extremes]:
            assert option.complete(name, value) == value
            assert option.complete(name, option.parse(option.text(value))) == value
            assert json.loads(json.dumps(value)) == value
        for value in bad:
            with pytest.raises(OptionError, match=name):
                game.new_states(1, **{name: value})


DECK = Counts({"meteor": 4, "scientist": 1, "fossil": 0}, "cards of each kind", high=9)


def test_counts_are_completed_in_order_and_never_shared() -> None:
    given = {"fossil": np.int8(2), "meteor": 0}
    whole = DECK.complete("deck", given)
    assert list(whole.items()) == [("meteor", 0), ("scientist", 1), ("fossil", 2)]
    assert json.loads(json.dumps(whole)) == whole
    assert DECK.encode("deck", given).tolist() == [0, 1, 2]
    for theirs in (whole, DECK.default, DECK.complete("deck", {})):
        theirs["meteor"] = 9
    assert DECK.default == {"meteor": 4, "scientist": 1, "fossil": 0}
    assert copy.deepcopy(DECK).default == pickle.loads(pickle.dumps(DECK)).default == DECK.default


def test_counts_are_read_and_written_as_text() -> None:
    assert DECK.parse("meteor:2, fossil:0") == {"meteor": 2, "fossil": 0}
    assert DECK.complete("deck", "meteor:2") == DECK.complete("deck", {"meteor": 2})
    assert DECK.text(DECK.default) == "meteor:4,scientist:1,fossil:0"
    assert DECK.values == "0 to 9 of each"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"meteors": 1}, "deck has no 'meteors'; did you mean 'meteor'?"),
        ({1: 1}, "deck has no 1; it has meteor, scientist, fossil"),
        ({"fossil": 10}, "deck: fossil=10: give a whole number, 0 to 9"),
        ({"fossil": True}, "deck: fossil=True: give a whole number, 0 to 9"),
        ("fossil:-1", "deck: fossil=-1: give a whole number, 0 to 9"),
        ("fossil:", "deck: fossil='': give a whole number, 0 to 9"),
        ("fossil:1,fossil:1", "deck='fossil:1,fossil:1': give counts by name, each once: "),
        ([4, 1, 0], "{'meteor': 4, 'scientist': 1}, or as text deck=meteor:4,scientist:1"),
    ],
)
def test_wrong_counts_are_refused_with_what_to_do(value: Any, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        DECK.complete("deck", value)


def enough_cards(options: Mapping[str, Any]) -> None:
    if sum(options["deck"].values()) < options["num_players"]:
        raise OptionError("deck: give a card for each of num_players, or more")


@pytest.mark.parametrize(
    "value", [{"meteor": 10**5000}, {"meteor": "9" * 5000}, {"x" * 5000: 1}, "meteor:1," * 5000]
)
def test_messages_repeat_no_more_than_the_beginning_of_a_value(value):
    with pytest.raises(OptionError) as refused:
        DECK.complete("deck", value)
    assert len(str(refused.value)) < 300


def test_options_of_a_game_are_checked_together() -> None:
    state = state_dtype(8, [("deck", np.int8, (3,))])
    game = replace(load("dino_dice"), options={"deck": DECK}, state=state, check=enough_cards)
    states = game.new_states(2, deck={"scientist": 3}, num_players=5)
    assert states["deck"].tolist() == [[4, 3, 0]] * 2
    assert game.complete({}) == {"num_players": 2, "deck": DECK.default}
    with pytest.raises(OptionError, match="a card for each of num_players"):
        game.new_states(1, deck={"scientist": 0}, num_players=5)
    with pytest.raises(OptionError, match="meteor=99"):
        game.complete({"deck": {"meteor": 99}})
    only = Bot(None, "plays one deck", only={"deck": ({"meteor": 4, "scientist": 1, "fossil": 0},)})
    only.check("solver", game.complete({"deck": "meteor:4"}))
    with pytest.raises(UnknownAgentError, match=r"not meteor:2,scientist:1,fossil:0$"):
        only.check("solver", game.complete({"deck": {"meteor": 2}}))


# The same without the compiler.


def stream_fingerprint() -> str:
    digest = hashlib.sha256()
    words, items = a_stream(0), np.arange(30, dtype=np.int8)
    for n in range(1, 300):
        digest.update(int(stream.below(words, n * n)).to_bytes(8, "big"))
        digest.update(float(stream.uniform(words)).hex().encode())
        digest.update(int(stream.fork(words[0], n)).to_bytes(8, "big"))
    stream.shuffle(words, items, 30)
    digest.update(items.tobytes() + words.tobytes())
    return digest.hexdigest()


def fingerprint(game: Game) -> str:
    """Returns a hash of random games of a kind, by every player count, bots, looks and forfeits."""
    digest = hashlib.sha256()
    scripted = [bot for bot in game.bots.values() if not bot.only][:1]
    for players in sorted({game.min_players, game.default_players, game.max_players}):
        batch = Batch(game, 4, bots=[RANDOM, *scripted], reward="score", num_players=players)
        batch.players[:] = np.arange(players) % (1 + len(scripted))
        batch.players[0] = EXTERNAL
        batch.streams[:] = np.arange(4 * players).reshape(4, players)
        batch.deal(np.arange(4, dtype=np.uint64))
        batch.play()
        for part in contents(batch):
            digest.update(part)
        digest.update(batch.look(np.full(4, players - 1)).tobytes())
        game.kernels.redeal(batch.states[0], players - 1, np.uint64(99))
        batch.play(np.full(4, game.actions.size))
        for part in contents(batch):
            digest.update(part)
    return digest.hexdigest()


def fingerprints() -> str:
    return "\n".join([stream_fingerprint(), *(fingerprint(load(name)) for name in games())])


def python(*arguments: str, package: Path = PACKAGE, **environment: str) -> Any:
    """Runs a fresh interpreter, warnings as errors, on the package in that folder."""
    return subprocess.run(
        [sys.executable, "-P", "-W", "error", *arguments],
        env={**os.environ, "PYTHONPATH": str(package.parent), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_plain_python_gives_the_same_bytes():
    done = python(__file__, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == fingerprints()


# What is kept on disk.

WHERE = """
import sys
from pathlib import Path
import dino_envs
from dino_envs.engine.disk import cache_folder
root = Path(dino_envs.__file__).parent
assert root == Path(sys.argv[1]), root
for place in sys.argv[2:]:
    print(cache_folder(root / place))
"""


@pytest.fixture
def copied_package(tmp_path: Path) -> Path:
    """Returns a copy of the package whose sources may be changed."""
    target = tmp_path / "copy" / PACKAGE.name
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def cache_folders(package: Path) -> list[str]:
    places = ["engine", *(f"games/{name}" for name in games())]
    done = python("-c", WHERE, str(package), *places, package=package)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def append_line(path: Path) -> None:
    path.write_text(path.read_text() + "\n# a change\n")


def test_the_cache_folder_changes_with_the_sources_it_came_from(copied_package):
    first = cache_folders(copied_package)
    assert len(set(first)) == 1 + len(games())
    assert cache_folders(copied_package) == first, "unchanged sources keep their folder"

    append_line(copied_package / "games" / games()[0] / "observation.py")
    second = cache_folders(copied_package)
    changed = [old != new for old, new in zip(first, second, strict=True)]
    assert changed == [False, True] + [False] * (len(games()) - 1)

    append_line(copied_package / "engine" / "stream.py")
    third = cache_folders(copied_package)
    assert all(old != new for old, new in zip(second, third, strict=True))


SMALL = """
import numpy as np
from dino_envs.engine import stream
print(int(stream.next_word(np.array([1234567], np.uint64))))
"""


@pytest.mark.parametrize("obstacle", ["no folder", "read-only"])
def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, obstacle):
    place = tmp_path / "place"
    if obstacle == "no folder":
        place.write_text("a file where the folder should be")
    else:
        place.mkdir(mode=0o500)
        if os.access(place, os.W_OK):
            pytest.skip("this user may write everywhere")
    done = python("-c", SMALL, NUMBA_CACHE_DIR=str(place / "cache"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "6457827717110365317"


PLAY = """
import sys
import numpy as np
from dino_envs.engine import Batch, RANDOM
from dino_envs.games import load
batch = Batch(load(sys.argv[1]), 50, bots=[RANDOM])
batch.players[:] = 0
batch.deal(np.arange(50, dtype=np.uint64))
batch.play()
print(batch.log.sum(), batch.states["score"].sum())
"""


@pytest.mark.slow
def test_a_first_compile_says_so_and_a_second_process_is_silent(game, tmp_path):
    first = python("-c", PLAY, game.id, NUMBA_CACHE_DIR=str(tmp_path))
    assert first.returncode == 0, first.stderr
    assert f"compiling {game.id}, first run only" in first.stderr
    second = python("-c", PLAY, game.id, NUMBA_CACHE_DIR=str(tmp_path))
    assert second.returncode == 0, second.stderr
    assert second.stderr == ""
    assert second.stdout == first.stdout


@pytest.mark.slow
def test_a_changed_kernel_is_never_played_from_a_stale_cache(game, copied_package, tmp_path):
    def play() -> str:
        cache = str(tmp_path / "cache")
        done = python("-c", PLAY, game.id, package=copied_package, NUMBA_CACHE_DIR=cache)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    before = play()
    source = copied_package / "engine" / "stream.py"
    changed = source.read_text().replace("0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17")
    assert changed != source.read_text()
    source.write_text(changed)
    after = play()
    assert after != before
    source.write_text(changed.replace("0x9E3779B97F4A7C17", "0x9E3779B97F4A7C15"))
    assert play() == before


if __name__ == "__main__":
    print(fingerprints())
