"""What a scripted player makes of how another one looks."""

from __future__ import annotations

import math

from dino_envs.engine.kernel import kernel
from dino_envs.games.scale_of_trex.deck import COLOURS, HIGHEST_SIGNAL, LEVELS, SIGNAL

TOP = HIGHEST_SIGNAL / SIGNAL
"""The highest signal, in levels."""
_BLUR = 0.05
"""Variance added to what is seen, in square levels: nobody is as exact as the model."""

_RESTLESS = 0.35
"""Changes beyond noise, in levels, from which on nobody is taken at their level."""
_SEEN_TO_CHANGE = 0.25
"""The share of 20 changes that have to be seen before anybody is."""


@kernel
def own_value(observation):
    """Returns the value of the own card, 0 for none."""
    for level in range(LEVELS):
        if observation.value[level] == 1.0:
            return level + 1
    return 0


@kernel
def looks(observation, row):
    """Returns the level at which another player seems to act, taken as it looks."""
    return observation.average[row] * TOP


@kernel
def acts(observation, row):
    """Returns whether another player's present card has been seen."""
    return observation.signals[row] > 0.0


@kernel
def steady(observation, row):
    """Returns whether another player has been seen to keep to one level, but for noise."""
    return observation.changes[row] > _SEEN_TO_CHANGE and observation.unrest[row] < _RESTLESS


@kernel
def colour_of(observation, row):
    """Returns the colour of another player's action."""
    colour = 0
    while colour < len(COLOURS) - 1 and observation.performs[row, colour] == 0.0:
        colour += 1
    return colour


@kernel
def bias_odds(observation, row, bias):
    """Returns how likely a bias is, by what the player's revealed cards have taught."""
    if observation.calibrated[row] == 0.0:
        return 1.0
    off = observation.calibration[row] - bias
    variance = observation.calibration_error[row] ** 2 + _BLUR
    return math.exp(-off * off / (2.0 * variance))


@kernel
def chances(observation, row, own):
    """Returns how likely another player's card matches a value exactly, and nearly.

    By Bayes' rule: values as frequent as unseen cards of the colour performed, every bias equally
    likely before anything was revealed, and every value performed at its level.
    """
    colour = colour_of(observation, row)
    exact, near, total = 0.0, 0.0, 1e-9
    for value in range(1, LEVELS + 1):
        odds = value_odds(observation, row, value) * observation.unseen[colour, value - 1]
        total += odds
        if value == own:
            exact += odds
        elif abs(value - own) == 1:
            near += odds
    return exact / total, near / total


@kernel
def value_odds(observation, row, value):
    """Returns how likely a card of this value looks as another player's does."""
    mean, variance = looks(observation, row), observation.error[row] ** 2 + _BLUR
    widest, odds = int(observation.bias_range[0]), 0.0
    for bias in range(-widest, widest + 1):
        off = mean - min(max(value + bias, 0.0), TOP)
        odds += bias_odds(observation, row, bias) * math.exp(-off * off / (2.0 * variance))
    return odds
