"""What a seat sees of Dino Dice, read back into the position by a decoder that only tests have."""

from typing import Any

import numpy as np
import pytest

from dino_envs.engine import RUNNING
from dino_envs.games.dino_dice import GAME
from dino_envs.games.dino_dice.observation import CLOSE_POINTS, GAME_POINTS, TURN_POINTS
from dino_envs.games.dino_dice.rules import turn_points

VARIANTS = [
    {"num_players": 2},
    {"num_players": 3, "target": 40, "tie": "turn"},
    {"num_players": 5, "target": 1000, "max_turns": 30},
    {"num_players": 8, "target": 25},
]


def observe(state: Any, seat: int) -> np.ndarray[Any, Any]:
    record = np.zeros(1, GAME.observation.dtype)
    GAME.kernels.observe(state, seat, record[0])
    return record.view(np.float32)


def one_hot(values: np.ndarray[Any, Any]) -> int | None:
    """Returns which value is 1; None where all are 0."""
    where = np.flatnonzero(values)
    assert values[where].tolist() in ([], [1.0])
    return int(where[0]) if where.size else None


def whole(value: float) -> int:
    assert abs(value - round(value)) < 1e-3
    return round(value)


def decode(vector: np.ndarray[Any, Any], seat: int, max_turns: int) -> dict[str, Any]:
    """Rebuilds all that the observation tells of the position, in the seats' own numbers."""
    seen = GAME.observation.decode(vector)
    lying = [one_hot(die) for die in seen["dice"]]
    rolls_left, to_eat = one_hot(seen["rolls_left"]), one_hot(seen["to_eat"])
    others = int(seen["seated"].sum())
    assert seen["seated"].tolist() == [1.0] * others + [0.0] * (7 - others)
    assert (seen["others"][others:] == 0).all()
    assert (seen["others_last_turn"][others:] == 0).all()
    players = others + 1
    scores, last_turns = {}, set()
    scores[seat] = whole(GAME_POINTS * seen["score"][0])
    if seen["own_last_turn"][0]:
        last_turns.add(seat)
    for i in range(others):
        other = (seat + 1 + i) % players
        scores[other] = whole(GAME_POINTS * seen["others"][i])
        if seen["others_last_turn"][i]:
            last_turns.add(other)
    return {
        "num_players": players,
        "dice": [die + 1 for die in lying if die is not None and die < 6],
        "eaten": lying.count(6),
        "herds": [int(sum(row)) for row in seen["herds"]],
        "rolls_left": rolls_left,
        "to_eat": 0 if to_eat is None else to_eat + 1,
        "five_rexes": bool(seen["five_rexes"][0]),
        "stop_points": whole(TURN_POINTS * seen["stop_points"][0]),
        "target": whole(GAME_POINTS * seen["target"][0]),
        "needed": whole(GAME_POINTS * seen["needed"][0]),
        "close_needed": whole(CLOSE_POINTS * seen["close_needed"][0]),
        "needed_ramp": up_the_ramp(seen["needed_ramp"], -25, 5),
        "reaches_target": bool(seen["reaches_target"][0]),
        "lead": whole(GAME_POINTS * seen["lead"][0]),
        "close_lead": whole(CLOSE_POINTS * seen["close_lead"][0]),
        "lead_ramp": up_the_ramp(seen["lead_ramp"], -60, 10),
        "other_ramp": up_the_ramp(seen["other_ramp"], 0, 10),
        "standing": ("behind", "level", "ahead")[one_hot(seen["standing"])],
        "scores": [scores[i] for i in range(players)],
        "in_last_turns": bool(seen["last_turns"][0]),
        "last_turns": last_turns,
        "turns": max_turns - whole(max_turns * seen["turns_left"][0]),
    }


def up_the_ramp(steps: np.ndarray, start: int, width: int) -> int:
    """Returns the points, within its range, that a ramp tells: no step begins before the last."""
    part = (steps > 0) & (steps < 1)
    assert part.sum() <= 1
    assert (np.diff(steps) <= 0).all()
    return start + whole(width * steps.sum(dtype=np.float64))


def told(state: Any, seat: int) -> dict[str, Any]:
    """Returns the same facts from the state."""
    players, in_play = int(state.num_players), int(state.in_play)
    scores = state.score[:players].tolist()
    dice = state.dice[:in_play].tolist()
    best_other = max(score for other, score in enumerate(scores) if other != seat)
    stopped = scores[seat] + (int(turn_points(state)) if seat == state.current_player else 0)
    needed, lead = int(state.target) - stopped, stopped - best_other
    return {
        "num_players": players,
        "dice": dice,
        "eaten": 5 - in_play,
        "herds": [dice.count(face) for face in range(1, 7)],
        "rolls_left": int(state.rolls_left),
        "to_eat": int(state.to_eat),
        "five_rexes": bool(state.five_rexes),
        "stop_points": int(turn_points(state)),
        "target": int(state.target),
        "needed": needed,
        "close_needed": min(max(needed, -20), 20),
        "needed_ramp": min(max(needed, -25), 75),
        "reaches_target": stopped >= state.target,
        "lead": lead,
        "close_lead": min(max(lead, -20), 20),
        "lead_ramp": min(max(lead, -60), 60),
        "other_ramp": min(max(int(state.target) - best_other, 0), 80),
        "standing": "ahead" if lead > 0 else "level" if lead == 0 else "behind",
        "scores": scores,
        "in_last_turns": bool(state.last_turns),
        "last_turns": {other for other in range(players) if state.last_turns >> other & 1},
        "turns": int(state.turns),
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_seat_sees_the_position_at_every_decision(random_walk, variant):
    for seed in range(6):
        for position in random_walk(GAME, seed, **variant):
            state = position.state
            if state.ending != RUNNING:
                continue
            for seat in range(state.num_players):
                seen = decode(observe(state, seat), seat, int(state.max_turns))
                assert seen == told(state, seat)


def test_five_rexes_are_seen():
    states = GAME.new_states(1)
    state = states[0]
    state.dice[:], state.in_play, state.five_rexes = 3, 5, 1
    assert decode(observe(state, 0), 0, 200)["five_rexes"]
    assert decode(observe(state, 0), 0, 200)["stop_points"] == 75
    state.five_rexes = 0
    assert decode(observe(state, 0), 0, 200)["stop_points"] == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_position_looks_the_same_whatever_the_seats_are_numbered(random_walk, variant):
    players = variant["num_players"]
    for position in random_walk(GAME, 3, **variant):
        turned = np.array([position.state]).view(GAME.state)
        state = turned[0]
        state.score[:players] = np.roll(position.state.score[:players], 1)
        state.current_player = (position.state.current_player + 1) % players
        bits = int(position.state.last_turns) << 1
        state.last_turns = bits % 2**players | bits >> players
        for seat in range(players):
            there = observe(state, (seat + 1) % players)
            assert (observe(position.state, seat) == there).all()


def test_herds_are_counted_like_a_thermometer():
    states = GAME.new_states(1)
    states[0].dice[:], states[0].in_play = [2, 2, 2, 5, 6], 4
    herds = GAME.observation.decode(observe(states[0], 0))["herds"]
    assert herds[1].tolist() == [1, 1, 1, 0, 0]
    assert herds[4].tolist() == [1, 0, 0, 0, 0]
    assert herds[[0, 2, 3, 5]].sum() == 0, "the eaten six is in no herd"
