"""The rules in lock-step with an independent slow reference, written from the rulebook alone.

The reference rolls with its own telling of the random stream (SplitMix64, and Lemire's bounded
integers, see `dino_envs/engine/stream.py`), so both games see the same dice.
"""

import importlib.util
import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.games.dino_dice import GAME

MASK_64 = 2**64 - 1


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    path = Path(__file__).with_name("reference.py")
    spec = importlib.util.spec_from_file_location("dino_dice_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def dice(seed: int) -> Callable[[int], int]:
    """Returns draw(n), a uniform int in 0..n-1 from the stream with that seed."""
    word = seed

    def draw(n: int) -> int:
        nonlocal word
        while True:
            word = (word + 0x9E3779B97F4A7C15) & MASK_64
            mixed = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK_64
            mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB & MASK_64
            mixed ^= mixed >> 31
            product = (mixed >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32

    return draw


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
    reference: ModuleType, seed: int, num_players: int, target: int, max_turns: int, tie: str
) -> str:
    """Plays one random game on both and returns how it ended."""
    options = {"num_players": num_players, "target": target, "max_turns": max_turns, "tie": tie}
    where = f"seed {seed}, {options}"
    states = GAME.new_states(1, **options)
    state, rules = states[0], GAME.kernels
    rules.reset(state, np.uint64(seed))
    slow = reference.Reference(draw=dice(seed), **options)
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


def play_many(reference: ModuleType, first_seed: int, games: int) -> set[str]:
    endings = set()
    for seed in range(first_seed, first_seed + games):
        rng = random.Random(-seed)
        endings.add(
            play_both(
                reference,
                seed,
                num_players=rng.choice((2, 2, 3, 5, 8)),
                target=rng.choice((1, 10, 20, 40, 40, 70, 150)),
                max_turns=rng.choice((1, 5, 12, 200, 200, 200)),
                tie=rng.choice(("shared", "turn")),
            )
        )
    return endings


def test_thousands_of_random_games_agree_with_the_reference(reference):
    endings = play_many(reference, 0, 5000)
    stages = {"truncated", "extra turns", "tie-break turns"}
    assert endings == stages | {f"{stage}, tied" for stage in stages}, "every ending was played"


@pytest.mark.slow
def test_many_more_random_games_agree_with_the_reference(reference):
    assert "extra turns" in play_many(reference, 10**6, 40_000)


def test_every_single_first_roll_agrees_with_the_reference(reference):
    for seed in range(4000):
        states = GAME.new_states(1)
        GAME.kernels.reset(states[0], np.uint64(seed * 0x2545F4914F6CDD1D & MASK_64))
        slow = reference.Reference(2, dice(seed * 0x2545F4914F6CDD1D & MASK_64))
        assert facts(states[0]) == slow.facts()
