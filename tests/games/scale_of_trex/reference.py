"""Plays On a Scale of One to T-Rex slowly and plainly, written from the rulebook only.

It is for lock-step tests. Quotes in double quotation marks are the rulebook's (scale_of_trex.txt);
"C5" and the like name the rulings (scale_of_trex.md). Noisy signals stand for the acting and ticks
for the time: in a tick every seat commits one act, and nothing takes effect until the last seat has
committed (C1). Sigmas are in tenths of a level, signals in hundredths.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

Draw = Callable[[int], int]

COLOURS = ["orange", "blue", "yellow"]
VALUES = range(1, 11)  # "between 1 and 10 and indicates the level"
LEVELS = range(1, 11)
KINDS = 34
CALLS = ["match", "no_match"]

# A discrete normal distribution: thousandths of a sigma, all equally likely.
NOISES = 4096
NOISE = [round(1000 * NormalDist().inv_cdf((i + 0.5) / NOISES)) for i in range(NOISES)]
LOWEST_SIGNAL, HIGHEST_SIGNAL = 0, 1100

TOGETHER_TOKENS = 15  # those of the cooperative game for two


# What lies on the table.


@dataclass(frozen=True)
class Card:
    """Is a number card, or without a value a swap card, and then without a colour "Any Color"."""

    colour: int | None
    value: int | None

    @property
    def kind(self) -> int:
        """Numbers the kinds: 30 number cards, the swap cards of three colours, the any-colour."""
        if self.colour is None:
            return 33
        if self.value is None:
            return 30 + self.colour
        return 10 * self.colour + self.value - 1


ANY_SWAP = Card(None, None)


def by_kind(cards: list[Card]) -> list[Card]:
    """Lays cards in ascending order of their kinds, in which they are drawn at random."""
    return sorted(cards, key=lambda card: card.kind)


def count_kinds(cards: list[Card]) -> list[int]:
    """Counts the cards of each kind."""
    counts = Counter(card.kind for card in cards)
    return [counts[kind] for kind in range(KINDS)]


@dataclass
class ActionPile:
    """Holds "the Action Cards (square cards)" of one colour, the one in play as well."""

    size: int
    lowest_sigma: int
    highest_sigma: int
    face_down: list[int] = field(default_factory=list)
    in_play: int | None = None
    sigmas: dict[int, int] = field(default_factory=dict)  # of the cards ever turned up

    def turn_up(self, draw: Draw) -> None:
        """Puts "a new Action Card of the same color face up into the Play Area".

        Its predecessor is discarded first, and an empty pile is made again of all discards (C10):
        so the predecessor may come up again.
        """
        if not self.face_down:
            self.face_down = list(range(self.size))
        number = self.face_down.pop(draw(len(self.face_down)))
        if number not in self.sigmas:
            self.sigmas[number] = self.lowest_sigma + draw(
                self.highest_sigma - self.lowest_sigma + 1
            )
        self.in_play = number

    @property
    def sigma(self) -> int:
        """Tells how readable the card in play is."""
        assert self.in_play is not None
        return self.sigmas[self.in_play]


# What belongs to a seat.


@dataclass
class Show:
    """Holds what the others have seen of a seat with its present card."""

    signal: int = 0  # the last one
    total: int = 0
    signals: int = 0
    variance: int = 0
    levels: int = 0

    def add(self, signal: int, sigma: int, level: int) -> None:
        """Adds one tick's signal."""
        self.signal = signal
        self.total += signal
        self.signals += 1
        self.variance += sigma * sigma
        self.levels += level


@dataclass
class Calibration:
    """Holds what reveals have told of a seat's idea of the scale."""

    error: int = 0
    signals: int = 0
    variance: int = 0
    drift: int = 0

    def learn(self, show: Show, value: int) -> None:
        """Compares a finished show with the value that is now public (C7)."""
        self.error += show.total - 100 * value * show.signals
        self.signals += show.signals
        self.variance += show.variance
        self.drift += show.levels - value * show.signals


@dataclass
class Unrest:
    """Holds how much a seat's signals have changed from tick to tick, over the whole game."""

    total: int = 0
    sigma: int = 0
    changes: int = 0

    def add(self, before: int, now: int, sigma: int) -> None:
        """Adds the change between two signals that belong to the same card."""
        self.total += abs(now - before)
        self.sigma += sigma
        self.changes += 1


@dataclass
class Seat:
    """Holds one player."""

    bias: int
    card: Card | None = None
    level: int = 0  # 0: not yet performed with this card
    offer: int | None = None  # the seat "their Number Card" is presented to, "FACE DOWN"
    call: str | None = None  # two players only
    show: Show = field(default_factory=Show)
    calibration: Calibration = field(default_factory=Calibration)
    unrest: Unrest = field(default_factory=Unrest)
    good: int = 0
    bad: int = 0
    skipped: list[Card] = field(default_factory=list)

    @property
    def score(self) -> int:
        """Gives "the points in your Personal Score Pile", possibly negative (C19)."""
        return self.good - self.bad

    @property
    def must_swap(self) -> bool:
        """Tells whether it holds a "Swap Any Color", announced but not yet used."""
        return self.card == ANY_SWAP

    def value(self) -> int:
        """Gives the value of its number card."""
        assert self.card is not None
        assert self.card.value is not None
        return self.card.value

    def put_away(self) -> Card:
        """Gives its card up, and with it all that depends on it (C2)."""
        card = self.card
        assert card is not None
        self.card = None
        self.level = 0
        self.offer = None
        self.call = None
        self.show = Show()
        return card


# The options.


@dataclass(frozen=True)
class Options:
    """Holds the options; raises ValueError for those that are out of range."""

    num_players: int = 4
    copies: int = 2
    swap_cards: int = 5
    any_swaps: int = 4
    action_cards: int = 20
    bias_range: int = 2
    sigma_low: int = 5
    sigma_high: int = 20
    max_ticks: int = 300
    cards: str = "hidden"  # who sees the number cards: nothing to the rules

    def __post_init__(self) -> None:
        """Checks them."""
        ranges = {
            "num_players": (2, 8),
            "copies": (1, 4),
            "swap_cards": (0, 10),
            "any_swaps": (0, 10),
            "action_cards": (1, 20),
            "bias_range": (0, 3),
            "sigma_low": (0, 50),
            "sigma_high": (self.sigma_low, 50),
            "max_ticks": (1, 10_000),
        }
        for name, (low, high) in ranges.items():
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} must be {low} to {high}, not {getattr(self, name)}")
        if self.cards not in ("hidden", "open"):
            raise ValueError(f"cards must be 'hidden' or 'open', not {self.cards!r}")


def make_deck(options: Options) -> list[Card]:
    """Makes the "Draw Pile": "Mixed in with the Number Cards are Swap Cards"."""
    deck = []
    for colour in range(len(COLOURS)):
        for value in VALUES:
            deck += [Card(colour, value)] * options.copies
        deck += [Card(colour, None)] * options.swap_cards
    return by_kind(deck + [ANY_SWAP] * options.any_swaps)


class Game:
    """Holds one game."""

    def __init__(self, draw: Draw, **options: Any) -> None:
        """Sets up.

        `draw(n)` gives a uniform int in 0..n-1 and is the only chance. Raises ValueError for
        options out of range.
        """
        self.options = Options(**options)
        self.draw = draw
        players = self.options.num_players
        # The token chart; there are no bad tokens in the game for two (C13).
        self.good_pile = TOGETHER_TOKENS if players == 2 else 4 * (players + 1)
        self.bad_pile = 0 if players == 2 else 2 * (players + 1)
        self.tick = 0
        self.current_player = 0
        self.terminated = False
        self.truncated = False
        self.lost = False
        self.acts: list[str] = []  # what the seats have committed in this tick
        self.discards: list[Card] = []  # face up
        self.pile = make_deck(self.options)
        self.seats = [self.new_seat() for _ in range(players)]
        self.actions = [self.new_actions() for _ in COLOURS]
        for seat in self.seats:
            self.deal(seat)

    def new_seat(self) -> Seat:
        """Seats a player: "How you interpret this is entirely up to you" is the bias."""
        bias_range = self.options.bias_range
        return Seat(self.draw(2 * bias_range + 1) - bias_range)

    def new_actions(self) -> ActionPile:
        """Turns over "the top card from each Action Card pile"."""
        options = self.options
        actions = ActionPile(options.action_cards, options.sigma_low, options.sigma_high)
        actions.turn_up(self.draw)
        return actions

    def deal(self, seat: Seat) -> None:
        """Deals the first card.

        "If you were dealt a Swap Card as your first card, shuffle it into the deck and draw
        again": so it is one of the number cards, which lie first in the pile.
        """
        numbers = [card for card in self.pile if card.value is not None]
        seat.card = self.pile.pop(self.draw(len(numbers)))

    # What may be done.

    @property
    def over(self) -> bool:
        """Tells whether the game has ended."""
        return self.terminated or self.truncated

    @property
    def together(self) -> bool:
        """Tells whether two play the cooperative game."""
        return self.options.num_players == 2

    def legal(self) -> list[str]:
        """Lists what the current player may do; nothing once the game is over.

        With a new card the first act must be a performance. An offer may be made to anybody, also
        to one who cannot answer it yet; skipping is allowed "as often as you'd like", but not to
        two players.
        """
        if self.over:
            return []
        seat = self.seats[self.current_player]
        if seat.must_swap:
            return [f"swap {colour}" for colour in COLOURS]
        names = [f"perform {level}" for level in LEVELS]
        if seat.level == 0:
            return names
        if seat.offer is not None or seat.call is not None:
            names.append("withdraw")
        if self.together:
            return names + [f"call {call}" for call in CALLS if call != seat.call]
        for places in range(1, self.options.num_players):
            if self.seat_further(self.current_player, places) != seat.offer:
                names.append(f"offer +{places}")
        return [*names, "skip"]

    def seat_further(self, number: int, places: int) -> int:
        """Goes round the table."""
        return (number + places) % self.options.num_players

    def play(self, name: str) -> None:
        """Commits the current player's act. Raises ValueError if it is not legal."""
        if name not in self.legal():
            raise ValueError(f"{name!r} is not legal")
        self.acts.append(name)
        self.current_player = self.seat_further(self.current_player, 1)
        if len(self.acts) == self.options.num_players:
            self.end_tick()
            self.acts = []

    # The end of a tick.

    def end_tick(self) -> None:
        """Lets everything happen that was committed."""
        self.take_effect()
        self.give_signals()
        self.reveal_pairs()
        if not self.terminated:
            self.skip_cards()
            self.use_any_swaps()
            for seat in self.seats:
                self.draw_card(seat)
        self.tick += 1
        if self.tick >= self.options.max_ticks and not self.terminated:
            self.truncated = True

    def take_effect(self) -> None:
        """Lets the acts take effect that need no card to move."""
        for number in range(len(self.seats)):
            seat = self.seats[number]
            verb, _, what = self.acts[number].partition(" ")
            if verb == "perform":
                seat.level = int(what)
            elif verb == "offer":
                seat.offer = self.seat_further(number, int(what))
            elif verb == "call":
                seat.call = what
            elif verb == "withdraw":
                seat.offer = None
                seat.call = None

    def give_signals(self) -> None:
        """Shows everybody's level to the others, blurred.

        "The Action Card that matches your color is the action you must perform": after a swap the
        new one (C16).
        """
        for seat in self.seats:
            if seat.level == 0:
                continue
            assert seat.card is not None
            assert seat.card.colour is not None
            sigma = self.actions[seat.card.colour].sigma
            blur = (sigma * NOISE[self.draw(NOISES)] + 50) // 100
            signal = 100 * (seat.level + seat.bias) + blur
            signal = max(LOWEST_SIGNAL, min(HIGHEST_SIGNAL, signal))
            if seat.show.signals > 0:
                seat.unrest.add(seat.show.signal, signal, sigma)
            seat.show.add(signal, sigma, seat.level)

    # Matching cards.

    def reveal_pairs(self) -> None:
        """Reveals pairs until the game ends; later ones are void then (C12).

        "When both cards have been presented, turn them over simultaneously" (C3). "Matches can
        only be attempted between two players."
        """
        for number in range(len(self.seats)):
            for other in range(number + 1, len(self.seats)):
                if not self.terminated and self.agree(number, other):
                    self.reveal(self.seats[number], self.seats[other])

    def agree(self, number: int, other: int) -> bool:
        """Tells whether two seats present their cards to each other.

        A card that is skipped in this tick is not there to be turned over. Two players agree on
        a call: "MATCH" or "NO MATCH" (C15).
        """
        one, two = self.seats[number], self.seats[other]
        if self.together:
            return one.call is not None and one.call == two.call
        if "skip" in (self.acts[number], self.acts[other]):
            return False
        return one.offer == other and two.offer == number

    def reveal(self, one: Seat, two: Seat) -> None:
        """Turns over the cards of two seats.

        "In all cases, players discard their Number Cards into the Box Top in the middle of the
        table and take the Reward or Penalty": also if that ends the game.
        """
        difference = abs(one.value() - two.value())  # "Only the card value matters"; no wrap (C5)
        if self.together:
            assert one.call is not None
            self.judge_call(one.call, difference)
        else:
            self.pay(one, two, difference)
        for seat in (one, two):
            seat.calibration.learn(seat.show, seat.value())
            self.discards.append(seat.put_away())

    def pay(self, one: Seat, two: Seat, difference: int) -> None:
        """Pays both: "2 Good Tokens each", "1 Good Token each" or "1 Bad Token each" (C4).

        "The game is over when either pile of Tokens (Good or Bad) in the middle of the table runs
        out. If the final match that depleted the pile requires extra Good or Bad Tokens to
        complete, take these Tokens from the box."
        """
        good = {0: 2, 1: 1}.get(difference, 0)
        bad = 0 if good else 1
        for seat in (one, two):
            seat.good += good
            seat.bad += bad
            self.good_pile = max(0, self.good_pile - good)
            self.bad_pile = max(0, self.bad_pile - bad)
        if self.good_pile == 0 or self.bad_pile == 0:
            self.terminated = True

    def judge_call(self, call: str, difference: int) -> None:
        """Moves tokens for the right call of two players; a wrong one loses the game at once.

        The variant (rulings 3.1): exact 2 tokens, near 1, a right NO MATCH 1, and they win when
        all 15 are moved; with 1 left an exact match moves 1 (C14).
        """
        is_match = difference <= 1
        if is_match != (call == "match"):
            self.lost = True
            self.terminated = True
            return
        moved = min(self.good_pile, 2 if difference == 0 else 1)
        self.good_pile -= moved
        for seat in self.seats:  # the tokens belong to both
            seat.good += moved
        if self.good_pile == 0:
            self.terminated = True

    # Cards that come and go.

    def skip_cards(self) -> None:
        """Lets seats "discard your Number Card into the Box Top", face down (C11)."""
        for number in range(len(self.seats)):
            if self.acts[number] == "skip":
                seat = self.seats[number]
                seat.skipped.append(seat.put_away())

    def use_any_swaps(self) -> None:
        """Swaps for those who "can pick any of the three Action Cards"."""
        for number in range(len(self.seats)):
            verb, _, colour = self.acts[number].partition(" ")
            if verb == "swap":
                self.discards.append(self.seats[number].put_away())
                self.actions[COLOURS.index(colour)].turn_up(self.draw)

    def draw_card(self, seat: Seat) -> None:
        """Draws a card if the seat has none.

        A swap card is used at once: "Discard your Swap Card, draw a new Number Card, and continue
        playing", perhaps several times (C8); one for any colour waits for its drawer's choice.
        """
        while seat.card is None:
            if not self.pile:
                self.reshuffle()
            card = self.pile.pop(self.draw(len(self.pile)))
            if card.value is None and card.colour is not None:
                self.discards.append(card)
                self.actions[card.colour].turn_up(self.draw)
            else:
                seat.card = card

    def reshuffle(self) -> None:
        """Makes a new draw pile: "pause play, then reshuffle and continue playing" (C10)."""
        cards = self.discards
        self.discards = []
        for seat in self.seats:
            cards = cards + seat.skipped
            seat.skipped = []
        self.pile = by_kind(cards)

    # The end.

    def outcome(self) -> list[float]:
        """Shares +1 among the winners and -1 among the losers; all tied is 0 each (C18).

        "The player with the most points wins!" Two players win or lose together; out of time is
        lost (C15). Raises RuntimeError before the end.
        """
        if not self.over:
            raise RuntimeError("the outcome exists once the game is over")
        if self.together:
            won = self.terminated and not self.lost
            return [1.0, 1.0] if won else [-1.0, -1.0]
        best = max(seat.score for seat in self.seats)
        winners = [seat.score == best for seat in self.seats]
        wins = winners.count(True)
        losses = winners.count(False)
        if losses == 0:
            return [0.0 for _ in winners]
        return [1.0 / wins if wins_it else -1.0 / losses for wins_it in winners]

    # What there is to compare.

    def facts(self) -> dict[str, object]:
        """Tells everything but the acts committed in the running tick."""
        told: dict[str, object] = {
            "current_player": self.current_player,
            "tick": self.tick,
            "good_pile": self.good_pile,
            "bad_pile": self.bad_pile,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "lost": self.lost,
            "draw_pile": count_kinds(self.pile),
            "discards": count_kinds(self.discards),
            "actions": [actions.in_play for actions in self.actions],
            "sigmas": [actions.sigma for actions in self.actions],
            "known_sigmas": [dict(actions.sigmas) for actions in self.actions],
            "action_piles": [sorted(actions.face_down) for actions in self.actions],
        }
        for number in range(len(self.seats)):
            told[f"seat {number}"] = self.seat_facts(self.seats[number])
        return told

    def seat_facts(self, seat: Seat) -> dict[str, object]:
        """Tells everything about one seat."""
        return {
            "kind": None if seat.card is None else seat.card.kind,
            "level": seat.level,
            "offer": seat.offer,
            "call": seat.call,
            "bias": seat.bias,
            "signal": seat.show.signal,
            "total": seat.show.total,
            "signals": seat.show.signals,
            "variance": seat.show.variance,
            "levels": seat.show.levels,
            "unrest": seat.unrest.total,
            "unrest_sigma": seat.unrest.sigma,
            "changes": seat.unrest.changes,
            "calibration": seat.calibration.error,
            "calibrated": seat.calibration.signals,
            "calibration_variance": seat.calibration.variance,
            "drift": seat.calibration.drift,
            "good": seat.good,
            "bad": seat.bad,
            "score": seat.score,
            "skipped": dict(Counter(card.kind for card in seat.skipped)),
        }
