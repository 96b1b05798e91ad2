"""What can be computed where a game is solved: an agent's score against perfect play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int8]], npt.NDArray[np.float64]]
"""Returns the chance of each action, float64 [N, A], in N positions: [N, F] and masks [N, A]."""


@dataclass(frozen=True)
class ExactScore:
    """What an agent scores against perfect play, computed over all chance; draws count half."""

    by_seat: tuple[float, ...]
    """Its score from each seat."""
    perfect: tuple[float, ...]
    """What perfect play scores from each seat against itself."""
    uncertainty: float
    """The true loss lies between `loss` and `loss` + this: unlikely positions are left out."""
    positions: int
    """How many decisions the agent was asked for."""

    @property
    def score(self) -> float:
        """Returns the mean over the seats."""
        return sum(self.by_seat) / len(self.by_seat)

    @property
    def loss(self) -> float:
        """Returns how much perfect play would score more, the mean over the seats."""
        return sum(self.perfect) / len(self.perfect) - self.score


@dataclass(frozen=True)
class Exact:
    """How a game computes an agent's score against perfect play."""

    against: str
    """The bot that plays perfectly."""
    compute: Callable[[Policy, Mapping[str, Any], float, Callable[[int], None]], ExactScore]
    """compute(policy, options, tolerance, progress): `uncertainty` is to be `tolerance` or less;
    `progress` is told how many more positions are done."""
    only: Mapping[str, range | tuple[Any, ...]] = field(default_factory=dict)
    """The values of options (`num_players` among them) for which it is solved."""

    def covers(self, options: Mapping[str, Any]) -> bool:
        """Returns whether the game is solved for these options, of which none is missing."""
        return all(options[name] in values for name, values in self.only.items())
