"""The rules in lock-step with an independent slow reference, written from the rulebook alone."""

import random
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.games.trex_holiday import GAME
from dino_envs.games.trex_holiday.layout import (
    AWAITING,
    CARP_EQUAL,
    CROSSED,
    GREY_KINDS,
    HIDE,
    PHASES,
)
from dino_envs.games.trex_holiday.marks import is_crossed_off
from dino_envs.games.trex_holiday.points import room_points
from dino_envs.games.trex_holiday.sheet import (
    BENEATH,
    FACES,
    FIRST_PLACE,
    FIRST_ROW,
    FIRST_SET,
    MAX_AREA,
    MAX_AREAS,
    MAX_STREAMER,
    ROOMS,
    SHEET,
    STREAMER,
)


def random_sheet(rng: random.Random) -> dict[str, Any]:
    """Declares a sheet; every number is left out of some room, so that all can change."""
    areas = [
        {
            "size": rng.randint(1, MAX_AREA),
            "plus": rng.choice((0, 0, 2, 5)),
            "times": rng.randint(1, 3),
        }
        for _ in range(rng.randint(1, MAX_AREAS))
    ]
    streamer = [rng.choice(BENEATH) for _ in range(rng.randint(1, MAX_STREAMER))]
    return {"areas": areas, "streamer": streamer, "grey": SHEET["grey"]}


def spaces(numbers: Any, group: int, *, ordered: bool) -> list[tuple[int, bool]]:
    """Tells the numbers of an area, each with whether it is shaded."""
    first = FIRST_PLACE[group]
    last = FIRST_PLACE[group + 1] if group < STREAMER else len(numbers)
    found = [(abs(int(n)), bool(n < 0)) for n in numbers[first:last] if n != 0]
    return found if ordered else sorted(found)


def facts(state: Any) -> dict[str, object]:
    """Tells a state in the reference's words."""
    told: dict[str, object] = {
        "phase": PHASES[state.phase],
        "current_player": int(state.current_player),
        "roller": int(state.roller),
        "rounds": int(state.rounds),
        "dice": state.dice.tolist(),
        "trex": int(state.trex) or None,
        "end_triggered": bool(state.ends),
        "terminated": state.ending == TERMINATED,
        "truncated": state.ending == TRUNCATED,
    }
    for seat in range(int(state.num_players)):
        numbers = state.numbers[seat]
        boxes = {0: None, AWAITING: None, CROSSED: "crossed"}
        told[f"sheet {seat}"] = {
            "areas": [spaces(numbers, area, ordered=False) for area in range(FIRST_ROW)],
            "cars": [spaces(numbers, row, ordered=True) for row in range(FIRST_ROW, FIRST_SET)],
            "cans": [spaces(numbers, cans, ordered=False) for cans in range(FIRST_SET, STREAMER)],
            "streamer": spaces(numbers, STREAMER, ordered=True),
            "boxes": [boxes.get(int(box), int(box)) for box in state.boxes[seat]],
            "crossed": [
                bool(is_crossed_off(state, seat, row)) for row in range(FIRST_ROW, FIRST_SET)
            ],
            "grey": [
                [n for n in range(1, FACES + 1) if int(state.rooms[seat, room]) >> n & 1]
                for room in range(len(ROOMS))
            ],
            "points": list(room_points(state, seat)),
        }
    return told


def facts_of(slow: Any) -> dict[str, object]:
    """Tells the reference's state in the same words."""
    told: dict[str, object] = {
        "phase": slow.phase,
        "current_player": slow.current_player,
        "roller": slow.roller,
        "rounds": slow.rounds,
        "dice": list(slow.dice),
        "trex": slow.trex,
        "end_triggered": slow.end_triggered,
        "terminated": slow.terminated,
        "truncated": slow.truncated,
    }
    for seat in range(slow.num_players):
        sheet = slow.sheets[seat]
        areas = [sorted(area) for area in sheet.areas]
        told[f"sheet {seat}"] = {
            "areas": areas + [[]] * (FIRST_ROW - len(areas)),
            "cars": sheet.cars,
            "cans": [sorted(cans) for cans in sheet.cans],
            "streamer": sheet.streamer,
            "boxes": sheet.boxes + [None] * (MAX_STREAMER - len(sheet.boxes)),
            "crossed": sheet.crossed,
            "grey": [slow.grey[seat][room] for room in ROOMS],
            "points": list(sheet.scores_by_room().values()),
        }
    return told


def play_both(
    reference: ModuleType, draw: Callable[[int], int], seed: int, rng: random.Random
) -> Counter[str]:
    """Plays one random game on both; returns how often each kind of action was played."""
    players, equal = rng.choice((1, 2, 2, 3, 8)), rng.choice(CARP_EQUAL)
    sheet = SHEET if rng.random() < 0.5 else random_sheet(rng)
    grey, rounds = rng.choice(GREY_KINDS), rng.choice((4, 60, 60))
    declines = rng.choice((0.0, 0.3))
    where = f"seed {seed}, {players} players, {grey}, {equal}, {rounds} rounds, {sheet}"
    state = GAME.new_states(
        1, num_players=players, sheet=sheet, grey=grey, carp_equal=equal, max_rounds=rounds
    )[0]
    GAME.kernels.reset(state, np.uint64(seed))
    slow = reference.Reference(players, draw, sheet, grey, equal == "allowed", rounds)
    mask = np.zeros(GAME.actions.size, np.int8)
    played: Counter[str] = Counter()
    while state.ending == RUNNING:
        assert facts(state) == facts_of(slow), where
        mask[:] = 0
        count = GAME.kernels.legal_actions(state, mask)
        legal = {GAME.view.action_name(action) for action in np.flatnonzero(mask)}
        assert legal == slow.legal_actions(), where
        assert count == len(legal), where
        if state.phase == HIDE:
            scores = [slow.score(seat) for seat in range(players)]
            assert state.score[:players].tolist() == scores, where
        names = sorted(legal - {"decline"}) if rng.random() >= declines else sorted(legal)
        name = rng.choice(names)
        GAME.kernels.step(state, GAME.view.action_number(name))
        slow.step(name)
        played[name.partition(" ")[0]] += 1
        played[name.rpartition(" ")[0].rstrip("123456789_ ")] += 1
    returns = np.zeros(players, np.float32)
    GAME.kernels.outcome(state, returns)
    expected = slow.returns() if players > 1 else [slow.score(0)]  # alone one plays for the score
    assert returns.tolist() == np.array(expected, np.float32).tolist(), where
    played["truncated" if slow.truncated else "terminated"] += 1
    played[f"{players} players, {grey}"] += 1
    return played


def play_many(reference: ModuleType, chance: Any, first_seed: int, games: int) -> Counter[str]:
    """Plays games on both; returns how often each kind of action and each ending was seen."""
    played: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + games):
        played += play_both(reference, chance(seed), seed, random.Random(-seed))
    return played


def test_random_games_agree_with_the_reference(reference, chance):
    played = play_many(reference, chance, 0, 150)
    for what in ("hide", "fill", "shade", "decline", "terminated", "truncated"):
        assert played[what] >= 5, f"{what} came up too seldom to mean anything"


@pytest.mark.slow
def test_many_more_random_games_agree_with_the_reference(reference, chance):
    played = play_many(reference, chance, 10**6, 5_000)
    for players in (1, 2, 3, 8):
        for grey in GREY_KINDS:
            assert played[f"{players} players, {grey}"] > 50
