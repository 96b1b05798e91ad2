"""A re-deal of T-Rex's Holiday draws anew what a seat cannot know, and nothing else."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import factorial
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats

from dino_envs.engine import EXTERNAL, RUNNING, Batch
from dino_envs.engine.stream import choose_legal
from dino_envs.games.trex_holiday import GAME
from dino_envs.games.trex_holiday.layout import TARGET_NAMES
from dino_envs.games.trex_holiday.sheet import (
    FIRST_PLACE,
    FIRST_ROW,
    FIRST_SET,
    MAX_STREAMER,
    STREAMER,
)

BISCUITS = {"areas": [{"size": 2}] * 4, "streamer": ["biscuit", "box"] * (MAX_STREAMER // 2)}
VARIANTS = [
    {"num_players": 2},
    {"num_players": 3, "grey": "personal"},
    {"num_players": 8},
    {"num_players": 3, "sheet": BISCUITS, "carp_equal": "allowed"},
    {"num_players": 2, "sheet": {"areas": [{"size": 1}], "streamer": ["box"]}, "grey": "shared"},
]
PUBLIC = ("num_players", "score", "current_player", "ending", "max_rounds", "rounds", "sheet",
          "grey", "carp_equal", "roller", "done", "exposed", "rooms")  # fmt: skip
"""What a re-deal never changes in a state."""


def observe(state: Any, seat: int) -> bytes:
    record = np.zeros(1, GAME.observation.dtype)
    GAME.kernels.observe(state, seat, record[0])
    return record.tobytes()


class Decision(NamedTuple):
    """A position, and how the phase began."""

    table: Any
    start: Any


def decisions(position: Any, seed: int, every: int, **options: Any) -> Iterator[Decision]:
    """Yields decisions of one random game: one of `every`, more biscuits, and the end."""
    table = position.of(GAME.new_states(1, **options)[0])
    GAME.kernels.reset(table.state, np.uint64(seed))
    rng = np.random.default_rng(seed)
    start, begun = table.copy(), None
    while table.ending == "running":
        phase = (table.rounds, table.phase == "hide", table.exposed)
        if phase != begun:
            start, begun = table.copy(), phase
        biscuit = table.phase == "biscuit" and rng.integers(1 + every // 4) == 0
        if biscuit or rng.integers(every) == 0:
            yield Decision(table.copy(), start)
        table.play(str(rng.choice(table.legal)))
    yield Decision(table, start)


def undone(state: Any, seat: int) -> tuple[list[int], list[int]]:
    """Returns numbers and boxes without what the seat has written in this phase."""
    numbers, boxes = state.numbers[seat].tolist(), state.boxes[seat].tolist()
    for writing in reversed([int(w) for w in state.writings[seat] if w != 0]):
        place = abs(writing) - 1
        numbers[place] = 0 if writing > 0 else -numbers[place]
        if writing > 0 and place >= FIRST_PLACE[STREAMER]:
            boxes[place - FIRST_PLACE[STREAMER]] = 0
    return numbers, boxes


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_seat_sees_the_same_and_public_facts_stay(position, variant):
    phases = Counter()
    for seed in range(4):
        for table, _ in decisions(position, seed, variant["num_players"], **variant):
            phases[table.phase] += 1
            for seat in range(table.players):
                other = table.redeal(seat, 1000 + seed)
                assert observe(other.state, seat) == observe(table.state, seat)
                for name in PUBLIC:
                    assert np.array_equal(table.state[name], other.state[name]), name
                assert other.sheet(seat) == table.sheet(seat)
                for someone in range(table.players):
                    assert undone(other.state, someone) == undone(table.state, someone)
                if seat == table.mover and table.ending == "running":
                    assert other.legal == table.legal
                    assert other.phase == table.phase
                if seat == table.roller or table.exposed:
                    assert other.dice == table.dice
                    assert other.state.trex == table.state.trex
    assert set(phases) == {"hide", "fill", "trex", "biscuit"}


def writes(table: Any, seat: int) -> list[str]:
    """Names what a seat has done in this phase, without declined biscuits."""
    names = []
    for writing in (int(w) for w in table.state.writings[seat] if w != 0):
        place = abs(writing) - 1
        group = int(np.flatnonzero(place >= FIRST_PLACE)[-1])
        number, i = abs(int(table.state.numbers[seat, place])), place - int(FIRST_PLACE[group])
        if writing > 0:
            cans = FIRST_SET <= group < STREAMER
            target = "cans" if cans else "streamer" if group == STREAMER else TARGET_NAMES[group]
            names.append(f"fill {number} {target}")
        elif group == STREAMER:
            names.append(f"shade streamer {i + 1}")
        elif group >= FIRST_SET:
            names.append(f"shade cans_{group - FIRST_SET + 1} {number}")
        elif group >= FIRST_ROW:
            names.append(f"shade {TARGET_NAMES[group]} {i + 1}")
        else:
            names.append(f"shade {TARGET_NAMES[group]} {number}")
    return names


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_redealt_position_could_have_come_about(position, variant):
    """What the others have written instead is played by the rules and leads to the same state.

    Only the order of equal numbers in an area may differ: nobody can tell.
    """
    replayed, few = 0, 2 * variant["num_players"]
    for seed in range(4):
        for table, start in decisions(position, 50 + seed, few, **variant):
            if table.ending != "running" or table.phase == "hide":
                continue
            for seat in {table.mover, table.roller, seed % table.players}:
                other, again = table.redeal(seat, seed), start.copy()
                for name in ("dice", "trex"):
                    again.state[name] = other.state[name]
                revealed = Counter(other.dice.split()) - Counter([str(int(other.state.trex))])
                if not table.exposed:
                    again.state.left[:] = sorted(int(die) for die in revealed.elements())
                for place in range(table.players):
                    writer = (table.roller + place) % table.players
                    for name in writes(other, writer):
                        if again.phase == "biscuit" and not name.startswith("shade"):
                            again.play("decline")
                        again.play(name)
                        replayed += 1
                    waits = writer == other.mover and other.phase == "biscuit"
                    if again.phase == "biscuit" and not waits:
                        again.play("decline")
                    if writer == other.mover:
                        break
                again.state.stream[:] = other.state.stream
                assert facts(again) == facts(other)
    assert replayed > 100


def facts(table: Any) -> dict[str, Any]:
    """Tells a state by its fields, the numbers of areas and cans sorted."""
    told = {name: table.state[name].tolist() for name in GAME.state.names}
    for name in ("numbers", "writings"):
        del told[name]
    told["sheets"] = [
        {
            name: words if name.startswith(("cars", "streamer")) else sorted(words.split())
            for name, words in table.sheet(seat).items()
        }
        for seat in range(table.players)
    ]
    return told


# What the pages show.


def test_texts_show_a_seat_nothing_hidden(position):
    """Neither to a seat nor to those who see only what all players see."""
    text = GAME.view.text
    for number, variant in enumerate(VARIANTS):
        for table, _ in decisions(position, number, 10 * variant["num_players"], **variant):
            for seat in range(table.players):
                other = table.redeal(seat, 77)
                assert text(other.state, seat) == text(table.state, seat)
                assert text(other.state, None) == text(table.state, None)


def test_pictures_show_a_seat_nothing_hidden(position):
    svg, met = GAME.view.svg, Counter()
    for number, variant in enumerate(VARIANTS):
        for table, _ in decisions(position, number, 25, **variant):
            met[table.phase, table.ending] += 1
            if met[table.phase, table.ending] > 2:
                continue
            for seat in {table.mover, (table.mover + 1) % table.players}:
                other = table.redeal(seat, 77)
                assert svg(other.state, seat) == svg(table.state, seat)
            assert svg(other.state, None) == svg(table.state, None)
    assert len(met) > 4


# What is hidden is drawn.


def check_frequencies(seen: Counter[Any], weights: dict[Any, int]) -> None:
    """Compares counts with what is expected of these weights by a chi-square test."""
    assert set(seen) <= set(weights), "something came about that may not"
    total = sum(seen.values())
    expected = [total * weight / sum(weights.values()) for weight in weights.values()]
    assert min(expected) >= 5
    assert stats.chisquare([seen[key] for key in weights], expected).pvalue > 0.001


@pytest.mark.parametrize("seat", [0, 2])
def test_the_t_rex_die_is_any_for_who_has_not_seen_it(position, seat):
    table = position(players=3, phase="hide", dice="2 2 5", roller=1).play("hide 2")
    seen, others = Counter(), set()
    for seed in range(1200):
        other = table.redeal(seat, seed)
        seen[int(other.state.trex)] += 1
        assert Counter(other.dice.split()) - Counter("25") == Counter([str(other.state.trex)])
        others.add(other.dice)
    check_frequencies(seen, dict.fromkeys(range(1, 7), 1))
    assert "2 2 5" in others


def test_the_roller_keeps_the_t_rex_die(position):
    table = position(players=3, phase="hide", dice="2 2 5", roller=1).play("hide 2")
    assert {table.redeal(1, seed).dice for seed in range(50)} == {"2 2 5"}
    table.play("fill 5 cans", "fill 2 cans", "fill 2 area_1", "fill 5 area_1")
    assert {int(table.redeal(1, seed).state.trex) for seed in range(50)} == {2}
    assert {int(table.redeal(0, seed).state.trex) for seed in range(50)} == set(range(1, 7))


def test_a_revealed_t_rex_die_stays(position):
    table = position(players=3, phase="trex", trex=4)
    for seat in range(3):
        assert {table.redeal(seat, seed).dice for seed in range(20)} == {"1 1 4"}


def test_nobody_but_the_roller_has_seen_the_three_dice(position):
    table = position(players=3, phase="hide", dice="1 3 3", roller=1)
    assert {table.redeal(1, seed).dice for seed in range(50)} == {"1 3 3"}
    weights = {}
    for dice in combinations_with_replacement(range(1, 7), 3):
        ways = factorial(3)
        for count in Counter(dice).values():
            ways //= factorial(count)
        weights[" ".join(map(str, dice))] = ways
    for seat in (0, 2):
        seen = Counter(table.redeal(seat, seed).dice for seed in range(2400))
        check_frequencies(seen, weights)


def test_what_the_others_have_written_differs(position):
    table = position(players=4, dice="2 5", trex=6, roller=1)
    table.play("fill 5 area_1", "fill 2 area_1", "fill 2 cars_1", "fill 5 cars_1", "fill 2 cans")
    assert table.mover == 3
    sheets = {seat: Counter() for seat in range(4)}
    for seed in range(300):
        other = table.redeal(2, seed)
        for seat in range(4):
            sheets[seat][tuple(other.sheet(seat).values())] += 1
        assert (other.phase, other.mover) == ("fill", 3)
        assert other.state.left.tolist() == [2, 5], "who has not finished begins again"
    assert len(sheets[0]) == 1, "it has not had its turn"
    assert len(sheets[2]) == 1, "the own sheet"
    assert len(sheets[3]) == 1
    assert len(sheets[1]) > 50
    assert max(sheets[1].values()) < 30
    own = Counter(tuple(table.redeal(3, seed).sheet(3).values()) for seed in range(20))
    assert list(own) == [tuple(table.sheet(3).values())], "half-way through the own dice"


def test_biscuits_of_the_others_are_drawn_as_well(position):
    table = position(streamer="6:1", area_1="3 4", dice="1 2", trex=3)
    table.play("fill 2 streamer", "shade area_1 4", "fill 1 cans")
    seen = {(t["area_1"], t["streamer"]) for t in (table.redeal(1, s) for s in range(400))}
    assert ("3 4", "6:1 . . . . .") in seen
    assert ("3 (4)", "6:1 2 . . . .") in seen, "what came about"
    assert ("3 4", "6:1 2 . . . .") in seen, "a declined biscuit"
    assert ("3 4", "6:1 (1) . . . .") in seen
    assert all(("(" not in "".join(pair)) or pair[1] != "6:1 . . . . ." for pair in seen)


def test_whether_another_is_stuck_is_hidden_until_the_reveal(position):
    """It depends on what it has written: one of its two numbers closes the last row."""
    table = position(players=3, full=True, cars_1="3", dice="2 4", trex=5)
    table.play("fill 2 cars_1")
    assert (table.mover, bool(table.state.ends)) == (1, True)
    assert {int(table.redeal(1, seed).state.ends) for seed in range(30)} == {0, 1}
    assert {int(table.redeal(0, seed).state.ends) for seed in range(30)} == {1}
    table.play("fill 2 area_1", "fill 4 area_1", "fill 2 area_1", "fill 4 area_1")
    assert table.exposed
    for seat in range(3):
        assert {int(table.redeal(seat, seed).state.ends) for seed in range(10)} == {1}


def test_the_seed_decides_and_the_future_is_drawn_too(position):
    table = position(players=3, dice="2 5", trex=6).play("fill 5 area_1")
    for seat in range(3):
        one, same, other = (table.redeal(seat, seed) for seed in (5, 5, 6))
        assert one.state.tobytes() == same.state.tobytes()
        assert one.state.stream[0] != other.state.stream[0]
        assert one.state.stream[0] != table.state.stream[0]


# A game goes on from a re-dealt state.


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_can_be_played_on(position, random_walk, variant):
    for seed in range(2):
        for number, (table, _) in enumerate(decisions(position, seed, 20, **variant)):
            seat = number % table.players
            other, steps = table.redeal(seat, seed), 0
            before = [undone(table.state, someone)[0] for someone in range(table.players)]
            for played in random_walk(GAME, seed, state=other._states):
                assert played.legal == played.mask.sum()
                steps += 1
            assert played.state.ending != RUNNING
            assert steps > 1 or table.ending != "running"
            for someone in range(table.players):
                after = np.abs(played.state.numbers[someone])
                kept = np.abs(before[someone])
                assert (after[kept > 0] == kept[kept > 0]).all(), "what was public stays written"


# The points do not tell what is hidden.


@pytest.mark.parametrize("players", [2, 3, 8])
def test_rewards_by_score_are_paid_only_when_a_phase_ends(players):
    batch = Batch(GAME, 12, reward="score", num_players=players)
    batch.players[:] = EXTERNAL
    batch.deal(np.arange(12, dtype=np.uint64))
    draws, paid = np.array([7], np.uint64), 0
    batch.play()
    while batch.running.any():
        running = batch.running.copy()
        before = [(int(s.rounds), int(s.exposed)) for s in batch.states]
        scores = batch.states["score"].copy()
        actions = [int(choose_legal(draws, mask)) for mask in batch.masks]
        batch.rewards[:] = 0
        batch.play(np.where(running, actions, -1))
        for i, state in enumerate(batch.states):
            if running[i] and (int(state.rounds), int(state.exposed)) == before[i]:
                assert (batch.rewards[i] == 0).all()
                assert (state.score == scores[i]).all()
            paid += int((batch.rewards[i] != 0).any())
    assert paid > 50
