"""What a seat cannot know in On a Scale of One to T-Rex, drawn anew."""

from __future__ import annotations

import math

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import RUNNING
from dino_envs.engine.stream import below, uniform
from dino_envs.games.scale_of_trex.deck import (
    CHANGE,
    COLOURS,
    HIGHEST_SIGNAL,
    LEVELS,
    NOISE,
    NOISE_TO_SIGNAL,
    NUMBER_KINDS,
    SIGMA,
    SIGNAL,
)
from dino_envs.games.scale_of_trex.layout import N_ACTIONS, OPEN
from dino_envs.games.scale_of_trex.rules import is_legal, value_of

_BLUR = 0.05
"""Variance added to what was seen, in square levels; see `guess`."""
_UNLIKELY = 1e-6
"""The least odds of anything that is possible: who acts need not act as the card says."""
CHANGE_SPREAD = math.sqrt(2.0 - CHANGE * CHANGE)
"""The standard deviation of such a difference, in sigmas."""
FARTHEST = LEVELS * SIGNAL
"""No signal is farther from its card's value."""
_HUNDREDTHS = SIGMA * SIGMA


@kernel
def redeal(state, seat, seed):
    """Draws anew the others' cards and ideas of the scale, the pile, and how the seat itself looks.

    Cards and biases are as likely as what the seat has seen makes them, if the others perform what
    their cards say; how restless the seat looks is drawn as if it had kept to its levels. Acts that
    others have committed in this tick are replaced by any legal ones.
    """
    state.stream[0] = seed
    shows = state.cards == OPEN
    if not shows:
        gather(state, seat)
    imagined = 1 << int(seat)
    for waiting in range(state.num_players - 1, 0, -1):
        other = next_to_imagine(state, imagined, waiting)
        imagined |= 1 << other
        imagine(state, other, shows)
    if not shows:
        deal_rest(state, seat)
    forget_own_looks(state, seat)
    if state.ending == RUNNING:
        commit_anew(state, seat)


@kernel
def next_to_imagine(state, imagined, waiting):
    """Draws one of the waiting seats: in a fixed order, of two alike one always had the card."""
    left, other = below(state.stream, waiting), 0
    while left > 0 or imagined >> other & 1 == 1:
        left -= 1 - (imagined >> other & 1)
        other += 1
    return other


@kernel
def gather(state, seat):
    """Puts all cards that the seat cannot place into the pile."""
    for other in range(state.num_players):
        if other == seat:
            continue
        if 0 <= state.hand[other] < NUMBER_KINDS:
            state.pile[state.hand[other]] += 1
        for kind in range(NUMBER_KINDS):
            state.pile[kind] += state.skipped[other, kind]


@kernel
def imagine(state, other, shows):
    """Draws a player's bias, with the card it performs unless that lies open."""
    widest, total = int(state.bias_range), 0.0
    for bias in range(-widest, widest + 1):
        for value in range(1, LEVELS + 1):
            total += joint_odds(state, other, bias, value, shows)
    left, bias, value = uniform(state.stream) * total, -widest, 1
    odds = joint_odds(state, other, bias, value, shows)
    while left >= odds and (bias < widest or value < LEVELS):
        left -= odds
        bias, value = (bias, value + 1) if value < LEVELS else (bias + 1, 1)
        odds = joint_odds(state, other, bias, value, shows)
    state.bias[other] = bias
    state.drift[other] = 0
    if state.level[other] > 0:
        state.level[other] = value
        state.levels[other] = value * state.signals[other]
        if not shows:
            state.hand[other] = int(state.hand[other]) // LEVELS * LEVELS + value - 1
            state.pile[state.hand[other]] -= 1


@kernel
def joint_odds(state, other, bias, value, shows):
    """Returns how likely a bias is together with a value of the card performed, if there is one."""
    learnt = bias_odds(state, other, bias)
    if state.level[other] == 0:
        return learnt
    kind = int(state.hand[other])
    if shows:
        cards = int(value == value_of(state, other))
    else:
        cards = int(state.pile[kind // LEVELS * LEVELS + value - 1])
    return learnt * looks_odds(state, other, bias, value) * cards


@kernel
def bias_odds(state, other, bias):
    """Returns how likely a bias is, by the cards that were revealed."""
    signals = int(state.calibrated[other])
    if signals == 0:
        return 1.0
    off = state.calibration[other] / (SIGNAL * signals) - bias
    return likelihood(off, int(state.calibration_variance[other]), signals)


@kernel
def looks_odds(state, other, bias, value):
    """Returns how likely a value is, by how the present card looked."""
    signals = int(state.signals[other])
    shown = min(max(value + bias, 0), HIGHEST_SIGNAL // SIGNAL)
    off = state.total[other] / (SIGNAL * signals) - shown
    return likelihood(off, int(state.variance[other]), signals)


@kernel
def likelihood(off, variance, signals):
    """Returns how likely a mean of signals is so far off, from the sum of their variances."""
    spread = variance / (_HUNDREDTHS * signals * signals) + _BLUR
    return math.exp(-off * off / (2.0 * spread)) + _UNLIKELY


@kernel
def deal_rest(state, seat):
    """Draws the skipped cards, whose colours are known, then those that nobody has seen yet."""
    for other in range(state.num_players):
        if other == seat:
            continue
        for colour in range(len(COLOURS)):
            cards = 0
            for kind in range(colour * LEVELS, (colour + 1) * LEVELS):
                cards += int(state.skipped[other, kind])
                state.skipped[other, kind] = 0
            for _ in range(cards):
                drawn = take_of(state, colour * LEVELS, (colour + 1) * LEVELS)
                state.skipped[other, drawn] += 1
    for other in range(state.num_players):
        unseen = 0 <= state.hand[other] < NUMBER_KINDS and state.level[other] == 0
        if other != seat and unseen:
            state.hand[other] = take_of(state, 0, NUMBER_KINDS)


@kernel
def take_of(state, first, stop):
    """Draws a card of the kinds first..stop-1 from the pile, and returns its kind."""
    cards = 0
    for kind in range(first, stop):
        cards += int(state.pile[kind])
    left, kind = below(state.stream, cards), first
    while left >= state.pile[kind]:
        left -= int(state.pile[kind])
        kind += 1
    state.pile[kind] -= 1
    return kind


@kernel
def forget_own_looks(state, seat):
    """Draws the seat's own bias and signals anew: it knows what it performed, not how it looked."""
    bias = below(state.stream, 2 * state.bias_range + 1) - int(state.bias_range)
    state.bias[seat] = bias
    signals = int(state.signals[seat])
    if signals > 0:
        draw_signals(state, seat, bias, signals)
    signals = int(state.calibrated[seat])
    if signals > 0:
        off = SIGNAL * (int(state.drift[seat]) + bias * signals)
        off += noise(state, math.sqrt(state.calibration_variance[seat]))
        state.calibration[seat] = within(off, -FARTHEST * signals, FARTHEST * signals)
    changes = int(state.changes[seat])
    if changes > 0:
        sigma = state.unrest_sigma[seat] / changes
        unrest = round(CHANGE * sigma * changes * SIGNAL / SIGMA)
        unrest += noise(state, CHANGE_SPREAD * sigma * math.sqrt(changes))
        state.unrest[seat] = within(unrest, 0, HIGHEST_SIGNAL * changes)


@kernel
def draw_signals(state, seat, bias, signals):
    """Draws the signals of the seat's present card, as noisy as they were on average."""
    sigma = math.sqrt(state.variance[seat] / signals)
    level = int(state.level[seat])
    before = SIGNAL * (int(state.levels[seat]) - level) // max(signals - 1, 1)
    state.total[seat] = 0
    for i in range(signals):
        acted = before if i < signals - 1 else SIGNAL * level
        signal = within(acted + SIGNAL * bias + noise(state, sigma), 0, HIGHEST_SIGNAL)
        state.total[seat] += signal
        state.signal[seat] = signal


@kernel
def within(number, low, high):
    """Returns the number, or the bound that it passes."""
    return min(max(number, low), high)


@kernel
def noise(state, sigma):
    """Draws normal noise of so many tenths of a level, in hundredths."""
    return round(sigma * NOISE[below(state.stream, len(NOISE))] / NOISE_TO_SIGNAL)


@kernel
def commit_anew(state, seat):
    """Replaces what others have committed in this tick by random legal acts."""
    for other in range(state.current_player):
        if other == seat:
            continue
        legal = 0
        for action in range(N_ACTIONS):
            legal += int(is_legal(state, other, action))
        left, action = below(state.stream, legal), 0
        while left > 0 or not is_legal(state, other, action):
            left -= int(is_legal(state, other, action))
            action += 1
        state.acts[other] = action
