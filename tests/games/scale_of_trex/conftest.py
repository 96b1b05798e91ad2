"""Positions of On a Scale of One to T-Rex, written down and read back in a few words.

Number cards are `orange 6`, `blue 10`, `yellow 1`; swap cards `swap blue` and `swap any`; `-` is no
card. Several are parted by commas, equal ones written once: `blue 4 x 20, swap any`. Without other
words everybody has performed the level of its card for one tick, nobody is biased, and the draw
pile is what is left of the deck.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.games.scale_of_trex import GAME
from tests.games.drawn import Drawn

COLOURS = ["orange", "blue", "yellow"]
CARDS = [
    *(f"{colour} {value}" for colour in COLOURS for value in range(1, 11)),
    *(f"swap {colour}" for colour in COLOURS),
    "swap any",
]
SWAPS = CARDS[30:]
CALLS = ["-", "match", "no_match"]


def counts(text: str) -> np.ndarray[Any, Any]:
    """Returns how many cards of each kind a text names, int [34]."""
    number = np.zeros(len(CARDS), int)
    for words in filter(None, text.split(", ")):
        card, _, times = words.partition(" x ")
        number[CARDS.index(card)] += int(times or 1)
    return number


def names(number: Any) -> str:
    """Returns the text of so many cards of each kind."""
    return ", ".join(
        CARDS[kind] + (f" x {count}" if count > 1 else "")
        for kind, count in enumerate(number.tolist())
        if count
    )


def value(card: str) -> int:
    """Returns the value of a number card, 0 for any other."""
    return 0 if card in SWAPS or card == "-" else int(card.split()[1])


class Table(Drawn):
    """A position, and what players do in it."""

    game = GAME

    def __init__(
        self,
        hands: str,
        *,
        levels: Sequence[int] | None = None,
        ticks: int = 1,
        offers: Mapping[int, int] | None = None,
        calls: Sequence[str] = (),
        pile: str | None = None,
        discards: str = "",
        skipped: Mapping[int, str] | None = None,
        good_pile: int | None = None,
        bad_pile: int | None = None,
        tokens: Sequence[tuple[int, int]] = (),
        bias: Sequence[int] = (),
        sigma: Sequence[int] = (10, 10, 10),
        tick: int = 10,
        seed: int = 0,
        **options: Any,
    ) -> None:
        """Lays out cards and tokens.

        `hands` are the seats' cards; `levels` 0 is a card that was just drawn; `ticks` is for how
        long the others have been performed. `offers` maps seats to seats, `tokens` are each seat's
        good and bad ones, `sigma` belongs to the three actions in play, in tenths.
        """
        cards = hands.split(", ")
        self._states = GAME.new_states(1, num_players=len(cards), **options)
        state = self.state
        GAME.kernels.reset(state, np.uint64(seed))
        deck = counts(self.pile) + sum(counts(card) for card in self.hands)
        state.tick = tick
        state.bias[:] = 0
        state.bias[: len(bias)] = bias
        for colour in range(len(COLOURS)):
            state.sigma[colour, state.in_play[colour]] = sigma[colour]
        for seat, card in enumerate(cards):
            state.hand[seat] = CARDS.index(card)
            self._perform(seat, value(card) if levels is None else levels[seat], ticks)
            state.call[seat] = CALLS.index(calls[seat]) if calls else 0
        for seat, other in (offers or {}).items():
            state.offer[seat] = other
        for seat, (good, bad) in enumerate(tokens):
            state.good[seat], state.bad[seat], state.score[seat] = good, bad, good - bad
        state.good_pile = state.good_pile if good_pile is None else good_pile
        state.bad_pile = state.bad_pile if bad_pile is None else bad_pile
        state.discards[:] = counts(discards)
        for seat, text in (skipped or {}).items():
            state.skipped[seat] = counts(text)[:30]
        rest = deck - counts(", ".join([*cards, discards, *(skipped or {}).values()]))
        state.pile[:] = rest if pile is None else counts(pile)
        assert pile is not None or (rest >= 0).all(), "there are not so many cards; name the pile"

    def _perform(self, seat: int, level: int, ticks: int) -> None:
        """Has a seat perform at a level for so many ticks; every one looks like its bias."""
        if level == 0:
            return
        state = self.state
        signal = min(max(100 * (level + int(state.bias[seat])), 0), 1100)
        state.level[seat], state.signal[seat], state.signals[seat] = level, signal, ticks
        state.total[seat], state.levels[seat] = ticks * signal, ticks * level
        state.variance[seat] = ticks * self.sigma_of(seat) ** 2
        state.changes[seat] = ticks - 1
        state.unrest_sigma[seat] = (ticks - 1) * self.sigma_of(seat)

    @property
    def players(self) -> int:
        return int(self.state.num_players)

    @property
    def mover(self) -> int:
        return int(self.state.current_player)

    @property
    def hands(self) -> list[str]:
        held = self.state.hand[: self.players].tolist()
        return ["-" if kind < 0 else CARDS[kind] for kind in held]

    @property
    def levels(self) -> list[int]:
        return self._of_all("level")

    @property
    def offers(self) -> dict[int, int]:
        """Returns who offers its card to whom."""
        return {seat: to for seat, to in enumerate(self._of_all("offer")) if to >= 0}

    @property
    def calls(self) -> list[str]:
        return [CALLS[call] for call in self._of_all("call")]

    @property
    def partners(self) -> list[int]:
        """Returns with whom each seat has revealed its card in the last tick; -1: with nobody."""
        return self._of_all("partner")

    @property
    def revealed(self) -> list[str]:
        return ["-" if kind < 0 else CARDS[kind] for kind in self._of_all("revealed")]

    @property
    def pile(self) -> str:
        return names(self.state.pile)

    @property
    def discards(self) -> str:
        return names(self.state.discards)

    def skipped(self, seat: int) -> str:
        return names(self.state.skipped[seat])

    @property
    def cards(self) -> str:
        """Returns all cards, wherever they are."""
        state = self.state
        total = counts(", ".join(card for card in self.hands if card != "-"))
        total += state.pile.astype(int) + state.discards
        total[:30] += state.skipped.astype(int).sum(axis=0)
        return names(total)

    def action_pile(self, colour: str) -> list[int]:
        """Returns the numbers of the action cards that have not been turned up in this round."""
        pile = int(self.state.pile_of_actions[COLOURS.index(colour)])
        return [card for card in range(20) if pile >> card & 1]

    @property
    def in_play(self) -> dict[str, int]:
        """Returns the numbers of the three action cards in play."""
        return dict(zip(COLOURS, self.state.in_play.tolist(), strict=True))

    @property
    def sigma(self) -> dict[str, int]:
        """Returns how unclear the three actions in play look, in tenths of a level."""
        state = self.state
        return {c: int(state.sigma[i, state.in_play[i]]) for i, c in enumerate(COLOURS)}

    def sigma_of(self, seat: int) -> int:
        return self.sigma[self.hands[seat].split()[0]]

    @property
    def piles(self) -> tuple[int, int]:
        """Returns the good and the bad tokens in the middle."""
        return int(self.state.good_pile), int(self.state.bad_pile)

    @property
    def tokens(self) -> list[tuple[int, int]]:
        """Returns each seat's good and bad tokens."""
        return list(zip(self._of_all("good"), self._of_all("bad"), strict=True))

    @property
    def scores(self) -> list[int]:
        return self._of_all("score")

    def statistics(self, seat: int) -> dict[str, int]:
        """Returns what the signals of the seat's present card add up to."""
        fields = ("signal", "total", "signals", "variance", "levels")
        return {name: int(self.state[name][seat]) for name in fields}

    def learnt(self, seat: int) -> dict[str, int]:
        """Returns what the seat's revealed cards have taught."""
        fields = ("calibration", "calibrated", "calibration_variance", "drift")
        return {name: int(self.state[name][seat]) for name in fields}

    def _of_all(self, field: str) -> list[int]:
        return list(self.state[field][: self.players].tolist())

    @property
    def ticks(self) -> int:
        return int(self.state.tick)

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
    def mask(self) -> np.ndarray[Any, Any]:
        mask = np.zeros(GAME.actions.size, np.int8)
        count = GAME.kernels.legal_actions(self.state, mask)
        assert count == mask.sum()
        return mask

    @property
    def legal(self) -> list[str]:
        return [GAME.view.action_name(int(action)) for action in np.flatnonzero(self.mask)]

    def legal_of(self, seat: int) -> list[str]:
        """Returns what a seat may commit, whoever is to move."""
        table = self.copy()
        table.state.current_player = seat
        return table.legal

    def observe(self, seat: int) -> np.ndarray[Any, Any]:
        """Returns what a seat sees, float32 [F]."""
        record = np.zeros(1, GAME.observation.dtype)
        GAME.kernels.observe(self.state, seat, record[0])
        return record.view(np.float32)

    def see(self, seat: int) -> dict[str, Any]:
        """Returns what a seat sees, by field."""
        return GAME.observation.decode(self.observe(seat))

    def play(self, *actions: str) -> "Table":
        for name in actions:
            assert self.state.ending == RUNNING, f"the game is over, {name!r} comes too late"
            assert name in self.legal, f"{name!r} is not among {self.legal}"
            GAME.kernels.step(self.state, GAME.view.action_number(name))
        return self

    def tick(self, *acts: str) -> "Table":
        """Plays a tick: the acts of the first seats, `""` and all others go on performing."""
        assert self.mover == 0, "a tick begins with seat 0"
        given = [*acts, *[""] * (self.players - len(acts))]
        return self.play(*(act or self.go_on(seat) for seat, act in enumerate(given)))

    def go_on(self, seat: int) -> str:
        """Returns the act of who does nothing new."""
        level = self.levels[seat] or value(self.hands[seat])
        return f"perform {level}" if level else "swap orange"


@pytest.fixture(scope="session")
def position() -> Callable[..., Table]:
    """Returns position("orange 6, blue 6, yellow 1", ...), which lays out a `Table`."""
    return Table


@pytest.fixture(scope="session")
def deal() -> Callable[..., Table]:
    """Returns deal(seed, **options), which deals a new game."""
    return Table.dealt


@pytest.fixture(scope="session")
def lively_walk(deal: Callable[..., Table]) -> Callable[..., Iterator[tuple[Table, str]]]:
    """Returns lively_walk(seed, **options), which plays one random game in which much happens.

    Many acts go on performing; offers are often answered and calls often repeated. It yields the
    one live table with the act that will be played next, "" at the end.
    """

    def answer(table: Table, seat: int, choice: list[str], rng: Any) -> str:
        to_me = [other for other, to in table.offers.items() if to == seat]
        wanted = [f"offer +{(other - seat) % table.players}" for other in to_me]
        wanted += [f"call {table.calls[1 - seat]}"] if table.players == 2 else []
        wanted = [name for name in wanted if name in choice]
        if wanted and rng.random() < 0.5:
            return str(rng.choice(wanted))
        going_on = table.go_on(seat)
        return going_on if going_on in choice and rng.random() < 0.4 else str(rng.choice(choice))

    def walk(seed: int, **options: Any) -> Iterator[tuple[Table, str]]:
        table, rng = deal(seed, **options), np.random.default_rng(seed)
        while table.ending == "running":
            act = answer(table, table.mover, table.legal, rng)
            yield table, act
            GAME.kernels.step(table.state, GAME.view.action_number(act))
        yield table, ""

    return walk
