"""Positions of Dino Days, written down and read back in a few words.

Dinosaurs are `giga front rear tyra spin dilo tric pter steg bary micr` (front and rear are the
diplodocus), the other cards go by their whole names. A board is its seven days from Monday on, `.`
for an empty one and `dilo:micr` for a stack from the bottom to the top: `bary . dilo:micr . . . .`.
Hands and discards are in the order of the kinds, a pile is written from the top.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.games.dino_days import GAME
from dino_envs.games.dino_days.cards import GIGANOTOSAURUS, KINDS, POINTS
from dino_envs.games.dino_days.layout import NO_KIND, PHASES
from tests.games.drawn import Drawn

SHORT = [
    "giga", "front", "rear", "tyra", "spin", "dilo", "tric", "pter", "steg", "bary", "micr",
    "scientist", "nest", "volcano", "skeleton", "eggs", "meteor",
]  # fmt: skip


def kinds(text: str) -> list[int]:
    return [SHORT.index(word) for word in text.split()]


def names(counts: Any) -> str:
    return " ".join(SHORT[kind] for kind, count in enumerate(counts.tolist()) for _ in range(count))


class Table(Drawn):
    """A position, and what players do in it."""

    game = GAME

    def __init__(
        self,
        *,
        players: int = 0,
        hands: Sequence[str] = (),
        boards: Sequence[str] = (),
        pile: str = "bary bary bary bary bary",
        discards: str = "",
        known: Sequence[str] = (),
        mover: int = 0,
        turns: int = 10,
        seed: int = 0,
        **options: Any,
    ) -> None:
        """Lays out the cards. Without `known`, all know of the giganotosaurs in the hands."""
        players = players or max(2, len(hands), len(boards))
        self._states = GAME.new_states(1, num_players=players, **options)
        state = self.state
        state.stream[0] = seed
        state.current_player = state.active = mover
        state.turns, state.playing = turns, NO_KIND
        for seat, hand in enumerate(hands):
            np.add.at(state.hands[seat], kinds(hand), 1)
        for seat, board in enumerate(boards):
            self._lay_out(seat, board)
        self.stack_pile(pile)
        np.add.at(state.discards, kinds(discards), 1)
        state.known[:, GIGANOTOSAURUS] = state.hands[:, GIGANOTOSAURUS]
        for seat, cards in enumerate(known):
            state.known[seat] = 0
            np.add.at(state.known[seat], kinds(cards), 1)
        state.hand_size[:] = state.hands.sum(axis=1)

    def _lay_out(self, seat: int, board: str) -> None:
        days = board.split()
        assert len(days) == 7, board
        for day, text in enumerate(days):
            stack = [] if text == "." else kinds(text.replace(":", " "))
            self.state.boards[seat, day, : len(stack)] = stack
            self.state.height[seat, day] = len(stack)
            self.state.score[seat] += POINTS[stack[-1]] if stack else 0

    def stack_pile(self, cards: str) -> "Table":
        """Makes these cards the pile, the first on top."""
        state, order = self.state, kinds(cards)[::-1]
        state.pile[:] = 0
        state.pile[: len(order)] = order
        state.pile_size = len(order)
        in_pile = np.bincount(np.array(order, int), minlength=len(KINDS))
        state.hidden[:] = state.hands.sum(axis=0) + state.drawn + in_pile
        return self

    @property
    def players(self) -> int:
        return int(self.state.num_players)

    @property
    def boards(self) -> list[str]:
        state = self.state
        weeks = []
        for seat in range(self.players):
            stacks = [state.boards[seat, day, : state.height[seat, day]] for day in range(7)]
            weeks.append(" ".join(":".join(SHORT[k] for k in stack) or "." for stack in stacks))
        return weeks

    @property
    def hands(self) -> list[str]:
        return [names(self.state.hands[seat]) for seat in range(self.players)]

    @property
    def known(self) -> list[str]:
        return [names(self.state.known[seat]) for seat in range(self.players)]

    @property
    def discards(self) -> str:
        return names(self.state.discards)

    @property
    def drawn(self) -> str:
        return names(self.state.drawn)

    @property
    def pile(self) -> str:
        return " ".join(SHORT[kind] for kind in self.state.pile[: self.state.pile_size][::-1])

    @property
    def scores(self) -> list[int]:
        return self.state.score[: self.players].tolist()

    @property
    def mover(self) -> int:
        return int(self.state.current_player)

    @property
    def active(self) -> int:
        """Returns whose turn it is."""
        return int(self.state.active)

    @property
    def phase(self) -> str:
        return PHASES[self.state.phase]

    @property
    def turns(self) -> int:
        return int(self.state.turns)

    @property
    def ending(self) -> str:
        return {RUNNING: "running", TERMINATED: "over", TRUNCATED: "cut"}[int(self.state.ending)]

    @property
    def returns(self) -> list[float]:
        assert self.state.ending != RUNNING
        returns = np.zeros(self.players, np.float32)
        GAME.kernels.outcome(self.state, returns)
        return [round(value, 6) for value in returns.tolist()]

    @property
    def legal(self) -> list[str]:
        mask = np.zeros(GAME.actions.size, np.int8)
        count = GAME.kernels.legal_actions(self.state, mask)
        assert count == mask.sum()
        return [GAME.view.action_name(action) for action in np.flatnonzero(mask)]

    def ways(self, card: str) -> list[str]:
        """Returns the legal actions with a card, without its name: `["own mon", "1 tue"]`."""
        return [name[len(card) + 1 :] for name in self.legal if name.split()[0] == card]

    def play(self, *actions: str) -> "Table":
        for name in actions:
            assert name in self.legal, f"{name!r} is not among {self.legal}"
            GAME.kernels.step(self.state, GAME.view.action_number(name))
        return self

    def cards(self) -> dict[str, int]:
        """Counts all cards by kind, wherever they are."""
        state = self.state
        places = [*self.hands, *self.boards, self.discards, self.drawn, self.pile]
        words = " ".join(places).replace(":", " ").split()
        on_table = [] if state.playing == NO_KIND else [SHORT[state.playing]]
        count = Counter(words + on_table)
        return {kind: count[short] for kind, short in zip(KINDS, SHORT, strict=True)}


@pytest.fixture(scope="session")
def position() -> Callable[..., Table]:
    """Returns position(hands=[...], boards=[...], ...), which lays out a `Table`."""
    return Table


@pytest.fixture(scope="session")
def deal() -> Callable[..., Table]:
    """Returns deal(seed, **options), which deals a new game."""
    return Table.dealt
