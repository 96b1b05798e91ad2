"""What a seat sees of On a Scale of One to T-Rex, and the words for it, for text and picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dino_envs.engine.layout import FORFEITED, RUNNING, TRUNCATED
from dino_envs.games.scale_of_trex.deck import (
    ANY_SWAP,
    CHANGE,
    COLOURS,
    EXACT_TOKENS,
    KINDS,
    LEVELS,
    MAX_ACTION_CARDS,
    NEAR_TOKENS,
    NO_CARD,
    NUMBER_KINDS,
    PENALTY,
    SIGMA,
    SIGNAL,
)
from dino_envs.games.scale_of_trex.layout import MATCH, NO_CALL, NOBODY, OPEN
from dino_envs.games.scale_of_trex.rules import good_tokens
from dino_envs.games.standing import counted

ACTION_NAMES = (
    (
        *("Be a T-Rex", "Hatch from an egg", "Chase your own tail", "Roar at a cloud"),
        *("Be a jealous volcano", "Sneeze like a mammoth", "Guard an invisible nest"),
        *("Wake up hungry", "Be a squeaky door", "Stampede on the spot", "Flap like a pterosaur"),
        *("Swallow a bee", "Haunt a haystack", "Howl at a lamp", "Be a kettle on the boil"),
        *("Growl at your shoes", "Be a startled ostrich", "Slither under a fence"),
        *("Ride a tiny pony", "Dig up a fossil"),
    ),
    (
        *("Flex your muscles", "Moonwalk through mud", "Box with a mosquito", "Row a leaking boat"),
        *("Lift a feather", "Juggle hot potatoes", "Climb an icy ladder", "Tiptoe past a lion"),
        *("Hula without a hoop", "Limbo under a cobweb", "Wrestle a duvet", "Skate on butter"),
        *("March in a tiny parade", "Pull a stubborn donkey", "Surf a sofa"),
        *("Fence with a noodle", "Dance with a broom", "Balance a tower of hats"),
        *("Swim through jelly", "Catch a slippery fish"),
    ),
    (
        *("Draw a circle in the air", "Butter a giant toast", "Knit a scarf for a snake"),
        *("Conduct an orchestra", "Bow to a cabbage", "Fold a wet map", "Comb a cactus"),
        *("Weep over an onion", "Laugh at a bad joke", "Stir a bottomless soup"),
        *("Wave off a ship", "Polish a dragon", "Applaud a sunset", "Read a spooky menu"),
        *("Pop invisible bubbles", "Tune a rubber violin", "Sniff a suspicious cheese"),
        *("Knock on a marshmallow", "Brush a crocodile", "Sign for a parcel of frogs"),
    ),
)
"""What stands on the action cards: the first of each colour are the rulebook's, the others ours."""

assert [len(names) for names in ACTION_NAMES] == [MAX_ACTION_CARDS] * len(COLOURS)

CALLS_IN_WORDS = ("", "a match", "no match")
_CLEAR, _FAIR = 9, 14
"""Up to which sigmas an acting is clear or fair, else it is murky."""


@dataclass(frozen=True)
class Looks:
    """How a player's acting with the present card looked to others, in levels."""

    last: float
    mean: float
    error: float
    """The standard error of the mean."""


@dataclass(frozen=True)
class Average:
    """An average in levels, and over how many signals or changes it goes."""

    amount: float
    count: int

    @property
    def signed(self) -> str:
        """Returns the amount with its sign: `+0.4`."""
        return f"{round(self.amount, 1) + 0.0:+.1f}"


@dataclass(frozen=True)
class Acting:
    """What a seat sees of a player; None for what it does not see, or what is not there."""

    player: int
    colour: int | None
    """The colour of the card, which who performs shows to all."""
    value: int | None
    level: int | None
    """The level performed, which nobody else is told; 0 before the first."""
    ticks: int
    """For how many ticks the present card has been performed."""
    swaps: bool
    """Whether it holds a swap of any colour."""
    has_card: bool
    looks: Looks | None
    off: Average | None
    """How much higher than its value a card looked, on average of those revealed."""
    unrest: Average | None
    """How much more it changed from tick to tick than noise explains."""
    offers_to: int | None
    calls: str
    """`a match` or `no match`, in the game of two."""


# --- What is seen ------------------------------------------------------------------------------


def acting(state: Any, player: int, seat: int | None) -> Acting:
    """Returns what a seat sees of a player: all but itself see how it looks."""
    kind, level = int(state.hand[player]), int(state.level[player])
    open_card = player == seat or state.cards == OPEN
    number = 0 <= kind < NUMBER_KINDS
    others = player != seat
    offer = int(state.offer[player])
    return Acting(
        player=player,
        colour=kind // LEVELS if number and (open_card or level > 0) else None,
        value=kind % LEVELS + 1 if number and open_card else None,
        level=None if others else level,
        ticks=int(state.signals[player]),
        swaps=kind == ANY_SWAP,
        has_card=kind != NO_CARD,
        looks=_looks(state, player) if others and state.signals[player] else None,
        off=_off(state, player) if others and state.calibrated[player] else None,
        unrest=_unrest(state, player) if others and state.changes[player] else None,
        offers_to=None if offer == NOBODY else offer,
        calls=CALLS_IN_WORDS[state.call[player]],
    )


def _looks(state: Any, player: int) -> Looks:
    signals = int(state.signals[player])
    error = math.sqrt(int(state.variance[player])) / (SIGMA * signals)
    mean = int(state.total[player]) / (SIGNAL * signals)
    return Looks(int(state.signal[player]) / SIGNAL, mean, error)


def _off(state: Any, player: int) -> Average:
    signals = int(state.calibrated[player])
    return Average(int(state.calibration[player]) / (SIGNAL * signals), signals)


def _unrest(state: Any, player: int) -> Average:
    changes = int(state.changes[player])
    expected = CHANGE * int(state.unrest_sigma[player]) / SIGMA
    return Average((int(state.unrest[player]) / SIGNAL - expected) / changes, changes)


def everybody(state: Any, seat: int | None) -> list[Acting]:
    """Returns what a seat sees of all players."""
    return [acting(state, player, seat) for player in range(int(state.num_players))]


def seen_discards(state: Any, seat: int | None) -> list[int]:
    """Returns of which number cards a seat knows that they lie on the discards [30]."""
    counts = [int(count) for count in state.discards[:NUMBER_KINDS]]
    own = [0] * NUMBER_KINDS if seat is None else state.skipped[seat]
    return [count + int(skipped) for count, skipped in zip(counts, own, strict=True)]


def face_down(state: Any, seat: int | None) -> list[int]:
    """Returns how many cards of each colour have been skipped that a seat does not know [3]."""
    by_colour = state.skipped.reshape(-1, len(COLOURS), LEVELS).sum(axis=2)
    unknown = [heap for player, heap in enumerate(by_colour) if player != seat]
    return [int(count) for count in sum(unknown)]


def discarded(state: Any) -> int:
    """Returns how many cards lie on the discards."""
    return int(state.discards.sum()) + int(state.skipped.sum())


def swaps_discarded(state: Any) -> int:
    """Returns how many of them are swap cards."""
    return int(state.discards[NUMBER_KINDS:].sum())


def pile_size(state: Any) -> int:
    """Returns how many cards can be drawn before the discards are shuffled."""
    return int(state.pile[:KINDS].sum())


# --- What the last tick revealed ---------------------------------------------------------------


@dataclass(frozen=True)
class Reveal:
    """Two players who have turned over their cards, and what came of it."""

    players: tuple[int, int]
    kinds: tuple[int, int]
    good: int
    """How many good tokens such a match is worth, 0 for no match."""

    @property
    def match(self) -> str:
        """Returns how far apart the two are."""
        return {EXACT_TOKENS: "exact match", NEAR_TOKENS: "near match"}.get(self.good, "no match")


def reveals(state: Any) -> list[Reveal]:
    """Returns which cards were turned over in the last tick."""
    found = []
    for player in range(int(state.num_players)):
        other = int(state.partner[player])
        if other > player:
            kinds = (int(state.revealed[player]), int(state.revealed[other]))
            good = int(good_tokens(kinds[0] % LEVELS - kinds[1] % LEVELS))
            found.append(Reveal((player, other), kinds, good))
    return found


def consequence(state: Any, reveal: Reveal) -> str:
    """Returns what a reveal has brought: `+2 each`, or whether the call of two was right."""
    if state.cooperative == 0:
        return f"+{reveal.good} each" if reveal.good else f"-{PENALTY} each"
    called = CALLS_IN_WORDS[MATCH if (reveal.good > 0) != bool(state.lost) else MATCH + 1]
    return f"but called {called}" if state.lost else "called right"


# --- Words -------------------------------------------------------------------------------------


def action_card(state: Any, colour: int) -> str:
    """Returns what stands on the action card in play of a colour."""
    return ACTION_NAMES[colour][state.in_play[colour]]


def sigma_of(state: Any, colour: int) -> float:
    """Returns how much the acting in play of a colour varies, in levels."""
    return int(state.sigma[colour, state.in_play[colour]]) / SIGMA


def readable(sigma: float) -> str:
    """Returns how well an acting can be read."""
    tenths = round(sigma * SIGMA)
    return "clear" if tenths <= _CLEAR else "fair" if tenths <= _FAIR else "murky"


def card_name(kind: int) -> str:
    """Returns `blue 7`."""
    return f"{COLOURS[kind // LEVELS]} {kind % LEVELS + 1}"


def won_together(state: Any) -> bool:
    """Returns whether two players have moved all tokens."""
    return bool(state.cooperative and not state.lost and state.good_pile == 0)


def situation(state: Any) -> str:
    """Returns what is to be decided, or how the game ended."""
    ticks = counted(int(state.tick), "tick")
    if state.ending == RUNNING:
        return f"tick {state.tick + 1} of at most {state.max_ticks}: {_decision(state)}"
    if state.ending == TRUNCATED:
        return f"the game was cut after {ticks}"
    over = f"the game is over after {ticks}"
    if state.ending == FORFEITED:
        return over
    if state.cooperative:
        return f"{over}: {'the call was wrong' if state.lost else 'all tokens are moved'}"
    gone = [word for word, pile in _piles(state) if pile == 0]
    return f"{over}: no {' and no '.join(gone)} tokens are left"


def _piles(state: Any) -> list[tuple[str, int]]:
    return [("good", int(state.good_pile)), ("bad", int(state.bad_pile))]


def _decision(state: Any) -> str:
    """Returns what the player to move may do; all see what kind of a card it has."""
    mover = int(state.current_player)
    if state.hand[mover] == ANY_SWAP:
        return "swap an action card"
    if state.level[mover] == 0:
        return "perform the new card"
    if state.cooperative:
        called = state.call[mover] != NO_CALL
        return "perform, or change the call" if called else "perform, or call"
    return "perform, offer or skip"
