"""What one seat sees in On a Scale of One to T-Rex: its own card, and how the others look."""

from __future__ import annotations

import math

import numpy as np

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import Field, ObservationLayout
from dino_envs.games.scale_of_trex.cards import count
from dino_envs.games.scale_of_trex.deck import (
    ANY_SWAP,
    CHANGE,
    COLOURS,
    HIGHEST_SIGNAL,
    KINDS,
    LEVELS,
    NO_CARD,
    NUMBER_KINDS,
    SIGMA,
    SIGNAL,
)
from dino_envs.games.scale_of_trex.layout import (
    CALLS,
    MATCH,
    MAX_PLAYERS,
    NO_CALL,
    NOBODY,
    OPEN,
)
from dino_envs.games.scale_of_trex.rules import places_to, seat_after, value_of

_OTHERS = MAX_PLAYERS - 1
MOST_SIGNALS = 20
"""The unit of how long a card has been watched."""
MOST_REVEALED = 100
"""The unit of how many signals the calibration rests on."""
WIDEST_GAP = 4
"""The gap between two values, in levels, from which on it is not told apart."""
_GAPS = 2 * WIDEST_GAP + 1
_TOKENS = 40.0

_OF_SIGNAL = np.float32(1 / HIGHEST_SIGNAL)
_OF_TOKENS = np.float32(1 / _TOKENS)

OBSERVATION = ObservationLayout(
    Field("value", (LEVELS,), 0, 1, "the own card's value, one-hot; 0 while a swap is held"),
    Field("colour", (len(COLOURS),), 0, 1, f"its colour, one-hot: {', '.join(COLOURS)}"),
    Field("swaps", (1,), 0, 1, "a swap of any colour is held, and has to be played"),
    Field("level", (LEVELS,), 0, 1, "the level performed, one-hot; 0 for none yet"),
    Field("watched", (1,), 0, 1, "ticks in which the present card was performed / 20, at most 1"),
    Field("offer", (_OTHERS,), 0, 1, "to whom the own card is offered, one-hot", first_seat=1),
    Field("call", (len(CALLS),), 0, 1, f"the own call, one-hot: {', '.join(CALLS)}"),
    Field("their_call", (len(CALLS),), 0, 1, "the other one's, in the game of two"),
    Field("together", (1,), 0, 1, "the game of two, who win or lose together"),
    Field("bias_range", (1,), 0, 3, "how far, in levels, anybody's idea of the scale may be off"),
    Field("ticks_left", (1,), 0, 1, "share of the ticks left before the cap"),
    Field("good_pile", (1,), 0, 1, "good tokens in the middle / 40"),
    Field("bad_pile", (1,), 0, 1, "bad tokens in the middle / 40"),
    Field("sigma", (len(COLOURS),), 0, 5, "how unclear each action in play looks, in levels"),
    Field(
        "unseen",
        (len(COLOURS), LEVELS),
        0,
        1,
        "number cards that may be in others' hands or in the pile: share of the copies",
    ),
    Field("draw_pile", (1,), 0, 1, "cards of the draw pile, share of the deck"),
    Field("good", (MAX_PLAYERS,), 0, 1, "good tokens taken / 40", first_seat=0),
    Field("bad", (MAX_PLAYERS,), 0, 1, "bad tokens taken / 40", first_seat=0),
    Field("lead", (1,), -2, 2, "own points less the best other's / 40; 0 in the game of two"),
    Field("seated", (_OTHERS,), 0, 1, "which others play", first_seat=1),
    Field(
        "performs", (_OTHERS, len(COLOURS)), 0, 1, "their action's colour, one-hot", first_seat=1
    ),
    Field("swapping", (_OTHERS,), 0, 1, "they hold a swap of any colour", first_seat=1),
    Field("signal", (_OTHERS,), 0, 1, "how they looked last, in levels / 11", first_seat=1),
    Field("average", (_OTHERS,), 0, 1, "how the present card looked on average / 11", first_seat=1),
    Field("signals", (_OTHERS,), 0, 1, "over how many ticks / 20, at most 1", first_seat=1),
    Field("error", (_OTHERS,), 0, 5, "the standard error of that average, in levels", first_seat=1),
    Field(
        "unrest",
        (_OTHERS,),
        -6,
        11,
        "how much more they changed from tick to tick than noise explains, in levels, on average "
        "of the whole game",
        first_seat=1,
    ),
    Field("changes", (_OTHERS,), 0, 1, "over how many changes / 20, at most 1", first_seat=1),
    Field(
        "calibration",
        (_OTHERS,),
        -10,
        11,
        "how much higher than its value a card of theirs looked, in levels, on average over the "
        "signals of all cards revealed so far",
        first_seat=1,
    ),
    Field("calibrated", (_OTHERS,), 0, 1, "over how many signals / 100, at most 1", first_seat=1),
    Field(
        "calibration_error",
        (_OTHERS,),
        0,
        5,
        "the standard error of that, in levels",
        first_seat=1,
    ),
    Field(
        "gap",
        (_OTHERS, _GAPS),
        0,
        1,
        "average - calibration - own value, within -4 and 4: the two nearest whole numbers share 1",
        first_seat=1,
    ),
    Field(
        "around",
        (_OTHERS, _GAPS),
        0,
        1,
        "`unseen` of the colour that they perform, from 4 below the own value to 4 above it",
        first_seat=1,
    ),
    Field(
        "offers",
        (_OTHERS, MAX_PLAYERS),
        0,
        1,
        "to whom they offer their card, one-hot by places from this seat; 0 is this one",
        first_seat=1,
    ),
    Field("card", (_OTHERS, LEVELS), 0, 1, "their card's value if cards are open", first_seat=1),
)


@kernel
def observe(state, seat, observation):
    """Writes the view from `seat`; others in seat order from here."""
    observe_own(state, seat, observation)
    observe_table(state, seat, observation)
    observe_unseen(state, seat, observation)
    observe_tokens(state, seat, observation)
    for place in range(1, state.num_players):
        other = seat_after(state, seat, place)
        observe_other(state, seat, other, place - 1, observation)
        if state.level[other] > 0:
            observe_signals(state, seat, other, place - 1, observation)


@kernel
def observe_own(state, seat, observation):
    """Writes the own card and what the seat does with it."""
    kind = int(state.hand[seat])
    if kind == ANY_SWAP:
        observation.swaps[0] = 1.0
    elif kind != NO_CARD:
        observation.value[kind % LEVELS] = 1.0
        observation.colour[kind // LEVELS] = 1.0
    if state.level[seat] > 0:
        observation.level[state.level[seat] - 1] = 1.0
    observation.watched[0] = min(state.signals[seat] / MOST_SIGNALS, 1.0)
    place = places_to(state, seat, int(state.offer[seat]))
    if place > 0:
        observation.offer[place - 1] = 1.0
    if state.call[seat] != NO_CALL:
        observation.call[state.call[seat] - MATCH] = 1.0


@kernel
def observe_table(state, seat, observation):
    """Writes what lies in the middle."""
    if state.cooperative != 0:
        observation.together[0] = 1.0
        call = int(state.call[seat_after(state, seat, 1)])
        if call != NO_CALL:
            observation.their_call[call - MATCH] = 1.0
    observation.bias_range[0] = state.bias_range
    observation.ticks_left[0] = (state.max_ticks - state.tick) / state.max_ticks
    observation.good_pile[0] = state.good_pile * _OF_TOKENS
    observation.bad_pile[0] = state.bad_pile * _OF_TOKENS
    for colour in range(len(COLOURS)):
        observation.sigma[colour] = state.sigma[colour, state.in_play[colour]] / SIGMA
    deck = NUMBER_KINDS * int(state.copies) + int(state.any_swaps)
    deck += len(COLOURS) * int(state.swap_cards)
    observation.draw_pile[0] = count(state.pile, KINDS) / deck


@kernel
def observe_unseen(state, seat, observation):
    """Writes which number cards the seat has not seen since the pile was last shuffled."""
    copies = int(state.copies)
    share = np.float32(1 / copies)
    own = int(state.hand[seat])
    for kind in range(NUMBER_KINDS):
        seen = int(state.discards[kind]) + int(state.skipped[seat, kind]) + int(kind == own)
        observation.unseen[kind // LEVELS, kind % LEVELS] = (copies - seen) * share


@kernel
def observe_tokens(state, seat, observation):
    """Writes everybody's tokens."""
    best = -1000
    for place in range(state.num_players):
        other = seat_after(state, seat, place)
        observation.good[place] = state.good[other] * _OF_TOKENS
        observation.bad[place] = state.bad[other] * _OF_TOKENS
        if place > 0:
            best = max(best, int(state.score[other]))
    observation.lead[0] = (state.score[seat] - best) * _OF_TOKENS


@kernel
def observe_other(state, seat, other, row, observation):
    """Writes what another seat performs and offers, and what its revealed cards have taught."""
    observation.seated[row] = 1.0
    kind = int(state.hand[other])
    if kind == ANY_SWAP:
        observation.swapping[row] = 1.0
    elif state.level[other] > 0:
        observation.performs[row, kind // LEVELS] = 1.0
    if state.cards == OPEN and 0 <= kind < NUMBER_KINDS:
        observation.card[row, kind % LEVELS] = 1.0
    if state.offer[other] != NOBODY:
        observation.offers[row, places_to(state, seat, int(state.offer[other]))] = 1.0
    changes = int(state.changes[other])
    if changes > 0:
        expected = CHANGE * state.unrest_sigma[other] / SIGMA
        observation.unrest[row] = (state.unrest[other] / SIGNAL - expected) / changes
        observation.changes[row] = min(changes / MOST_SIGNALS, 1.0)
    signals = int(state.calibrated[other])
    if signals > 0:
        observation.calibrated[row] = min(signals / MOST_REVEALED, 1.0)
        observation.calibration[row] = state.calibration[other] / (SIGNAL * signals)
        observation.calibration_error[row] = error(state.calibration_variance[other], signals)


@kernel
def observe_signals(state, seat, other, row, observation):
    """Writes how another seat's present card looks."""
    signals = int(state.signals[other])
    mean = state.total[other] / (SIGNAL * signals)
    observation.signal[row] = state.signal[other] * _OF_SIGNAL
    observation.average[row] = mean * SIGNAL * _OF_SIGNAL
    observation.signals[row] = min(signals / MOST_SIGNALS, 1.0)
    observation.error[row] = error(state.variance[other], signals)
    if not 0 <= state.hand[seat] < NUMBER_KINDS:
        return
    colour = int(state.hand[other]) // LEVELS
    for value in nearby(value_of(state, seat)):
        place = value - value_of(state, seat) + WIDEST_GAP
        observation.around[row, place] = observation.unseen[colour, value - 1]
    gap = mean - observation.calibration[row] - value_of(state, seat) + WIDEST_GAP
    gap = min(max(gap, 0.0), 2.0 * WIDEST_GAP)
    lower = min(int(gap), 2 * WIDEST_GAP - 1)
    observation.gap[row, lower] = lower + 1 - gap
    observation.gap[row, lower + 1] = gap - lower


@kernel
def nearby(value):
    """Returns the values that are at most WIDEST_GAP from one."""
    return range(max(value - WIDEST_GAP, 1), min(value + WIDEST_GAP, LEVELS) + 1)


@kernel
def error(variance, signals):
    """Returns the standard error of a mean in levels, from the sum of variances."""
    return math.sqrt(variance) / (SIGMA * signals)
