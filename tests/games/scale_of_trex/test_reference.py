"""The rules in lock-step with an independent slow reference, written from the rulebook alone."""

import random
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.games.scale_of_trex import GAME
from dino_envs.games.scale_of_trex.layout import CALLS, MATCH, NO_CALL, NOBODY

STATISTICS = (
    "level", "bias", "signal", "total", "signals", "variance", "levels", "unrest", "unrest_sigma",
    "changes", "calibration", "calibrated", "calibration_variance", "drift", "good", "bad", "score",
)  # fmt: skip


def bits(number: int) -> list[int]:
    """Tells the members of a bit set."""
    return [bit for bit in range(32) if number >> bit & 1]


def facts(state: Any) -> dict[str, object]:
    """Tells a state in the reference's words."""
    in_play = state.in_play.tolist()
    told: dict[str, object] = {
        "current_player": int(state.current_player),
        "tick": int(state.tick),
        "good_pile": int(state.good_pile),
        "bad_pile": int(state.bad_pile),
        "terminated": state.ending == TERMINATED,
        "truncated": state.ending == TRUNCATED,
        "lost": bool(state.lost),
        "draw_pile": state.pile.tolist(),
        "discards": state.discards.tolist(),
        "actions": in_play,
        "sigmas": [int(state.sigma[colour, card]) for colour, card in enumerate(in_play)],
        "known_sigmas": [
            {card: int(state.sigma[colour, card]) for card in bits(int(turned_up))}
            for colour, turned_up in enumerate(state.turned_up)
        ],
        "action_piles": [bits(int(pile)) for pile in state.pile_of_actions],
    }
    for seat in range(int(state.num_players)):
        call, offer, kind = (int(state[name][seat]) for name in ("call", "offer", "hand"))
        told[f"seat {seat}"] = {
            **{name: int(state[name][seat]) for name in STATISTICS},
            "kind": None if kind < 0 else kind,
            "offer": None if offer == NOBODY else offer,
            "call": None if call == NO_CALL else CALLS[call - MATCH],
            "skipped": {k: int(n) for k, n in enumerate(state.skipped[seat]) if n},
        }
    return told


def some_act(rng: random.Random, legal: list[str], seat: int, slow: Any) -> str:
    """Chooses an act, often one that meets another's offer or call, so that cards are revealed."""
    answers = []
    players = len(slow.seats)
    if players == 2 and rng.random() < 0.9 and not any(each.must_swap for each in slow.seats):
        near = abs(slow.seats[0].value() - slow.seats[1].value()) <= 1
        answers.append("call match" if near else "call no_match")  # or the two would never win
    for places in range(1, players):
        other = slow.seats[(seat + places) % players]
        if other.offer == seat:
            answers.append(f"offer +{places}")
        if other.call is not None:
            answers.append(f"call {other.call}")
    found = sorted({*answers} & {*legal})
    if found and rng.random() < 0.6:
        return rng.choice(found)
    kinds = sorted({name.split()[0] for name in legal})
    kind = rng.choice(kinds)
    return rng.choice([name for name in legal if name.startswith(kind)])


def random_options(rng: random.Random) -> dict[str, Any]:
    """Draws options, half of the time the usual ones."""
    options: dict[str, Any] = {"num_players": rng.choice((2, 3, 4, 8))}
    if rng.random() < 0.5:
        return options
    low, high = sorted(rng.choices(range(51), k=2))
    return options | {
        "copies": rng.randint(1, 4),
        "swap_cards": rng.randint(0, 10),
        "any_swaps": rng.randint(0, 10),
        "action_cards": rng.choice((1, 2, 5, 20)),
        "bias_range": rng.randint(0, 3),
        "sigma_low": rng.choice((0, low)),
        "sigma_high": high,
        "cards": rng.choice(("hidden", "open")),
        "max_ticks": rng.choice((1, 20, 300)),
    }


def play_both(
    reference: ModuleType, draw: Callable[[int], int], seed: int, rng: random.Random
) -> Counter[str]:
    """Plays one random game on both; returns how often each kind of act was played."""
    options = random_options(rng)
    where = f"seed {seed}, {options}"
    state = GAME.new_states(1, **options)[0]
    GAME.kernels.reset(state, np.uint64(seed))
    slow = reference.Game(draw, **options)
    mask = np.zeros(GAME.actions.size, np.int8)
    played: Counter[str] = Counter()
    while state.ending == RUNNING:
        assert facts(state) == slow.facts(), where
        mask[:] = 0
        count = GAME.kernels.legal_actions(state, mask)
        legal = [GAME.view.action_name(action) for action in np.flatnonzero(mask)]
        assert sorted(legal) == sorted(slow.legal()), where
        assert count == len(legal), where
        name = some_act(rng, legal, int(state.current_player), slow)
        GAME.kernels.step(state, GAME.view.action_number(name))
        slow.play(name)
        played[name.split()[0]] += 1
    assert slow.over, where
    assert facts(state) == slow.facts(), where
    returns = np.zeros(options["num_players"], np.float32)
    GAME.kernels.outcome(state, returns)
    assert returns.tolist() == np.array(slow.outcome(), np.float32).tolist(), where
    played["truncated" if slow.truncated else "terminated"] += 1
    played["won together"] += int(slow.outcome() == [1.0, 1.0])
    played[f"{options['num_players']} players"] += 1
    return played


def play_many(reference: ModuleType, chance: Any, first_seed: int, games: int) -> Counter[str]:
    """Plays games on both; returns how often each kind of act and each ending was seen."""
    played: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + games):
        played += play_both(reference, chance(seed), seed, random.Random(-seed))
    return played


def test_random_games_agree_with_the_reference(reference, chance):
    played = play_many(reference, chance, 0, 120)
    for what in ("perform", "offer", "withdraw", "skip", "swap", "call", "terminated", "truncated"):
        assert played[what] >= 5, f"{what} came up too seldom to mean anything"


@pytest.mark.slow
def test_many_more_random_games_agree_with_the_reference(reference, chance):
    played = play_many(reference, chance, 10**6, 3_000)
    assert played["won together"] > 0
    for players in (2, 3, 4, 8):
        assert played[f"{players} players"] > 500
