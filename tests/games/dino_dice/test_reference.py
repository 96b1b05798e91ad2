"""The rules in lock-step with an independent slow reference, written from the rulebook alone."""

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.games.dino_dice import GAME


def facts(state: Any) -> dict[str, object]:
    """Tells a state in the reference's words."""
    players, in_play = int(state.num_players), int(state.in_play)
    lying = state.dice.tolist()
    last_turns = int(state.last_turns)
    return {
        "current_player": int(state.current_player),
        "phase": "eat" if state.to_eat > 0 else "choose",
        "dice": lying[:in_play],
        "eaten": lying[in_play:],
        "rolls_left": int(state.rolls_left),
        "to_eat": int(state.to_eat),
        "five_rexes": bool(state.five_rexes),
        "scores": state.score[:players].tolist(),
        "turns": int(state.turns),
        "last_turns": [seat for seat in range(players) if last_turns >> seat & 1],
        "terminated": state.ending == TERMINATED,
        "truncated": state.ending == TRUNCATED,
    }


AT_THE_END = ("scores", "turns", "terminated", "truncated")


def play_both(
    reference: ModuleType,
    draw: Callable[[int], int],
    seed: int,
    num_players: int,
    target: int,
    max_turns: int,
    tie: str,
) -> str:
    """Plays one random game on both and returns how it ended."""
    options = {"num_players": num_players, "target": target, "max_turns": max_turns, "tie": tie}
    where = f"seed {seed}, {options}"
    states = GAME.new_states(1, **options)
    state, rules = states[0], GAME.kernels
    rules.reset(state, np.uint64(seed))
    slow = reference.Reference(draw=draw, **options)
    rng = random.Random(seed)
    stops = rng.choice((0.0, 0.3, 0.6))
    mask = np.zeros(GAME.actions.size, np.int8)
    while state.ending == RUNNING:
        assert facts(state) == slow.facts(), where
        mask[:] = 0
        rules.legal_actions(state, mask)
        legal = np.flatnonzero(mask).tolist()
        assert set(legal) == slow.legal_actions(), where
        action = 0 if mask[0] and rng.random() < stops else rng.choice(legal)
        rules.step(state, action)
        slow.step(action)
    ours, theirs = facts(state), slow.facts()
    assert {key: ours[key] for key in AT_THE_END} == {key: theirs[key] for key in AT_THE_END}, where
    returns = np.zeros(num_players, np.float32)
    rules.outcome(state, returns)
    assert returns.tolist() == np.array(slow.returns(), np.float32).tolist(), where
    tied = sorted(slow.scores)[-1] == sorted(slow.scores)[-2]
    return ("truncated" if slow.truncated else slow.final_stage) + (", tied" if tied else "")


def play_many(reference: ModuleType, chance: Any, first_seed: int, games: int) -> set[str]:
    endings = set()
    for seed in range(first_seed, first_seed + games):
        rng = random.Random(-seed)
        endings.add(
            play_both(
                reference,
                chance(seed),
                seed,
                num_players=rng.choice((2, 2, 3, 5, 8)),
                target=rng.choice((1, 10, 20, 40, 40, 70, 150)),
                max_turns=rng.choice((1, 5, 12, 200, 200, 200)),
                tie=rng.choice(("shared", "turn")),
            )
        )
    return endings


def test_thousands_of_random_games_agree_with_the_reference(reference, chance):
    endings = play_many(reference, chance, 0, 5000)
    stages = {"truncated", "extra turns", "tie-break turns"}
    assert endings == stages | {f"{stage}, tied" for stage in stages}, "every ending was played"


@pytest.mark.slow
def test_many_more_random_games_agree_with_the_reference(reference, chance):
    assert "extra turns" in play_many(reference, chance, 10**6, 40_000)


def test_every_single_first_roll_agrees_with_the_reference(reference, chance):
    for seed in range(4000):
        states, word = GAME.new_states(1), seed * 0x2545F4914F6CDD1D % 2**64
        GAME.kernels.reset(states[0], np.uint64(word))
        slow = reference.Reference(2, chance(word))
        assert facts(states[0]) == slow.facts()
