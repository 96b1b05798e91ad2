"""Intervals for scores between 0 and 1."""

from __future__ import annotations

from math import sqrt

import numpy as np
import numpy.typing as npt
from scipy import stats

FEW = 10
"""Below this many samples an estimated spread says little."""

Interval = tuple[float, float]


def wilson(score: float, samples: int, confidence: float = 0.95) -> Interval:
    """Returns the score interval of a share that was found in so many independent samples.

    It keeps a width where every sample gave the same, and stays within [0, 1]. A draw counts as
    half a win, which spreads less than wins and losses do, so the interval errs on the wide side.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
    """
    z = float(stats.norm.ppf(0.5 + confidence / 2))
    weight = z * z / samples
    centre = (score + weight / 2) / (1 + weight)
    reach = z / (1 + weight) * sqrt(score * (1 - score) / samples + weight / (4 * samples))
    low = 0.0 if score == 0.0 else max(0.0, centre - reach)
    return low, 1.0 if score == 1.0 else min(1.0, centre + reach)


def student(means: npt.NDArray[np.float64], confidence: float = 0.95) -> Interval:
    """Returns Student's t interval of the mean of independent samples, cut off at 0 and 1.

    Source: Student, "The probable error of a mean", 1908.
    """
    centre = float(means.mean())
    quantile = float(stats.t.ppf(0.5 + confidence / 2, len(means) - 1))
    reach = quantile * float(means.std(ddof=1)) / sqrt(len(means))
    return max(0.0, centre - reach), min(1.0, centre + reach)


def paired(means: npt.NDArray[np.float64], games: int, confidence: float = 0.95) -> Interval:
    """Returns the interval of a score whose games come in groups that share a seed.

    The games of one seed share their chance, so they are no independent samples; their mean is
    one (float64 [S], one a seed), and the spread between seeds holds whatever the games of a seed
    do to each other. Where fewer than `FEW` seeds were played, or all their means are equal, that
    spread is no estimate: then it is Wilson's interval of the `games`, as if independent.
    """
    if len(means) < FEW or np.ptp(means) == 0.0:
        return wilson(float(means.mean()), games, confidence)
    return student(means, confidence)
