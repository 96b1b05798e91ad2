"""The cards of On a Scale of One to T-Rex, and how readable an acting is."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

COLOURS = ("orange", "blue", "yellow")
""""The different symbols on the corners of the cards are there to help our friends who are color
blind": here they have names. Orange is the rulebook's, the others a review's."""
LEVELS = 10
""""The value on your Number Card is between 1 and 10"."""
NUMBER_KINDS = len(COLOURS) * LEVELS
"""Kinds of number cards: colour x 10 + value - 1."""
ANY_SWAP = NUMBER_KINDS + len(COLOURS)
"""The kind of a "Swap Any Color"; those of one colour come before it."""
KINDS = ANY_SWAP + 1
NO_CARD = -1

MAX_COPIES = 4
MAX_SWAPS = 10
MAX_ACTION_CARDS = 20
MAX_BIAS = 3
MAX_SIGMA = 50

SIGNAL = 100
"""Signals are told in hundredths of a level: whole numbers are the same on every machine."""
HIGHEST_SIGNAL = 11 * SIGNAL
SIGMA = 10
"""Sigmas are told in tenths of a level."""

_QUANTILES = 4096
_NOISE_UNIT = 1000


def _noise() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Returns the standard normal distribution's quantiles in thousandths [4096]."""
    normal = NormalDist()
    shares = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    return np.array([round(_NOISE_UNIT * normal.inv_cdf(float(share))) for share in shares])


NOISE = _noise()
NOISE_TO_SIGNAL = _NOISE_UNIT * SIGMA // SIGNAL
"""Sigma x noise, in tenths x thousandths, makes so many of a signal's hundredths."""
CHANGE = 2.0 / math.sqrt(math.pi)
"""How much two signals of the same level differ on average, in sigmas."""

EXACT_TOKENS, NEAR_TOKENS, PENALTY = 2, 1, 1
""""Reward: 2 Good Tokens each", "1 Good Token each"; "Penalty: 1 Bad Token each"."""
TOGETHER = 2
"""So many players play the cooperative variant."""
TOGETHER_TOKENS = 15
"""Tokens that two players have to move."""
