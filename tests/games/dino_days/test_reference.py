"""The rules in lock-step with an independent slow reference, written from the rulebook alone."""

import random
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.games.dino_days import GAME
from dino_envs.games.dino_days.cards import DAYS, DECK, KINDS
from dino_envs.games.dino_days.layout import NO_KIND

DECKS: dict[str, dict[str, int]] = {
    "default": {},
    "few cards": dict.fromkeys(DECK, 1) | {"giganotosaurus": 2},
    "swaps and microraptors": {"microraptor": 12, "nest": 4, "volcano": 4, "skeleton": 4, "eggs": 4}
    | dict.fromkeys(("stegosaurus", "pteranodon", "triceratops", "diplodocus_front"), 1),
    "scientists": {kind: 0 for kind in DECK if kind != "giganotosaurus"}
    | {"scientist": 12, "meteor": 2, "triceratops": 2, "spinosaurus": 2},
    "hardly any": {kind: 0 for kind in DECK if kind != "giganotosaurus"}
    | {"scientist": 2, "triceratops": 3, "baryonyx": 1, "diplodocus_rear": 4},
}


def shuffler(draw: Callable[[int], int]) -> Callable[[list[str]], list[str]]:
    """Returns shuffle(cards), which exchanges each card, from the last on, with one before it."""

    def shuffle(cards: list[str]) -> list[str]:
        shuffled = list(cards)
        for last in range(len(shuffled) - 1, 0, -1):
            other = draw(last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return shuffled

    return shuffle


def cards(counts: Any) -> list[str]:
    """Names the cards of counts by kind, sorted by kind."""
    return [kind for kind, count in zip(KINDS, counts.tolist(), strict=True) for _ in range(count)]


def facts(state: Any) -> dict[str, object]:
    """Tells a state in the reference's words."""
    players = range(int(state.num_players))
    return {
        "current_player": int(state.current_player),
        "active": int(state.active),
        "hands": [cards(state.hands[seat]) for seat in players],
        "hand sizes": state.hand_size[: len(players)].tolist(),
        "boards": [
            [[KINDS[k] for k in state.boards[seat, d, : state.height[seat, d]]] for d in range(7)]
            for seat in players
        ],
        "pile": [KINDS[kind] for kind in state.pile[: state.pile_size]],
        "discards": cards(state.discards),
        "playing": None if state.playing == NO_KIND else KINDS[state.playing],
        "drawn": cards(state.drawn),
        "scores": state.score[: len(players)].tolist(),
        "turns": int(state.turns),
        "terminated": state.ending == TERMINATED,
        "truncated": state.ending == TRUNCATED,
    }


def facts_of(slow: Any) -> dict[str, object]:
    """Tells the reference's state in the same words."""

    def ordered(hand: list[str]) -> list[str]:
        return sorted(hand, key=KINDS.index)

    return {
        "current_player": slow.current_player,
        "active": slow.active,
        "hands": [ordered(hand) for hand in slow.hands],
        "hand sizes": [len(hand) for hand in slow.hands],
        "boards": [[board[day] for day in DAYS] for board in slow.boards],
        "pile": slow.deck,
        "discards": ordered(slow.discards),
        "playing": slow.playing,
        "drawn": ordered(slow.drawn),
        "scores": slow.scores,
        "turns": slow.turns,
        "terminated": slow.terminated,
        "truncated": slow.truncated,
    }


def play_both(
    reference: ModuleType, draw: Callable[[int], int], seed: int, rng: random.Random
) -> Counter[str]:
    """Plays one random game on both; returns how often each kind of action was played."""
    players, deck = rng.choice((2, 2, 3, 4)), rng.choice(list(DECKS))
    max_turns = rng.choice((3, 40, 100))
    draws = rng.choice((0.1, 0.3, 0.6, 0.9))
    where = f"seed {seed}, {players} players, {deck}, {max_turns} turns"
    state = GAME.new_states(1, num_players=players, deck=DECKS[deck], max_turns=max_turns)[0]
    GAME.kernels.reset(state, np.uint64(seed))
    slow = reference.Reference(players, shuffler(draw), DECK | DECKS[deck], max_turns)
    mask = np.zeros(GAME.actions.size, np.int8)
    played: Counter[str] = Counter()
    while state.ending == RUNNING:
        assert facts(state) == facts_of(slow), where
        mask[:] = 0
        count = GAME.kernels.legal_actions(state, mask)
        legal = {GAME.view.action_name(action) for action in np.flatnonzero(mask)}
        assert legal == slow.legal_actions(), where
        assert count == len(legal), where
        blocks = sorted({name.partition(" ")[0] for name in legal} - {"draw"})
        block = "draw" if "draw" in legal and rng.random() < draws else rng.choice(blocks or [""])
        name = rng.choice(sorted(n for n in legal if n.partition(" ")[0] == block) or ["draw"])
        GAME.kernels.step(state, GAME.view.action_number(name))
        slow.step(name)
        played[name.partition(" ")[0]] += 1
    assert facts(state) == facts_of(slow), where
    returns = np.zeros(players, np.float32)
    GAME.kernels.outcome(state, returns)
    assert returns.tolist() == np.array(slow.returns(), np.float32).tolist(), where
    played["truncated" if slow.truncated else "terminated"] += 1
    played[f"{players} players"] += 1
    return played


def play_many(reference: ModuleType, chance: Any, first_seed: int, games: int) -> Counter[str]:
    """Plays games on both; returns how often each kind of action and each ending was seen."""
    played: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + games):
        played += play_both(reference, chance(seed), seed, random.Random(-seed))
    return played


def test_random_games_agree_with_the_reference(reference, chance):
    played = play_many(reference, chance, 0, 250)
    endings = ("terminated", "truncated", "2 players", "3 players", "4 players")
    for what in (*GAME.actions.blocks, *endings):
        assert played[what] >= 5, f"{what} came up too seldom to mean anything"


@pytest.mark.slow
def test_many_more_random_games_agree_with_the_reference(reference, chance):
    assert play_many(reference, chance, 10**6, 6_000)["pass"] > 100
