"""Draws random numbers for many games at once, each from its own stream."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.engine import kernel
from dino_envs.engine.stream import uniform

_SMALLEST = 2.0**-54
"""Stands for a drawn 0, whose logarithm is not finite."""


@kernel
def _fill(streams: Any, numbers: Any) -> None:
    """Fills each row of numbers [N, count] with uniform ones in [0, 1) from its stream."""
    for i in range(numbers.shape[0]):
        for j in range(numbers.shape[1]):
            numbers[i, j] = uniform(streams[i : i + 1])


def gumbels(streams: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.float64]:
    """Draws Gumbel noise float64 [N, count] from streams uint64 [N], which move on in place.

    The action with the largest sum of logit and noise is a sample of the softmax.
    """
    numbers = np.empty((len(streams), count), np.float64)
    _fill(streams, numbers)
    return np.asarray(-np.log(-np.log(np.maximum(numbers, _SMALLEST))))
