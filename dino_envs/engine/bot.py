"""Compiled agents: they see what a seat may see, and play inside the engine's loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.engine.errors import UnknownAgentError
from dino_envs.engine.kernel import kernel
from dino_envs.engine.stream import choose_legal


@dataclass(frozen=True, eq=False)
class Bot:
    """A compiled agent: `act(observation, mask, stream, knowledge)` returns a legal action.

    The observation is a record of the game's observation dtype, the mask int8 [A], the stream
    uint64 [1]; `knowledge()` makes the read-only table uint8 [N] it plays from (loaded when the
    bot is first used), empty for a bot that needs none. `only` holds the values of options
    (`num_players` among them) that the bot was made for; it refuses to play others.
    """

    act: Any
    doc: str
    knowledge: Callable[[], npt.NDArray[np.uint8]] = lambda: np.zeros(0, np.uint8)
    only: Mapping[str, range | tuple[int | str, ...]] = field(default_factory=dict)

    def check(self, name: str, options: Mapping[str, Any]) -> None:
        """Raises `UnknownAgentError` if the bot was not made for these options."""
        for option, values in self.only.items():
            if options[option] not in values:
                raise UnknownAgentError(
                    f"{name!r} plays with {option}={self.values(option)} alone, "
                    f"not {options[option]!r}"
                )

    def values(self, option: str) -> str:
        """Returns the values of an option that the bot was made for, to be read."""
        values = self.only[option]
        if isinstance(values, range):
            return f"{values[0]} to {values[-1]}"
        return " or ".join(map(str, values))


@kernel
def _random_act(observation, mask, stream, knowledge):
    return choose_legal(stream, mask)


RANDOM = Bot(_random_act, "plays any legal action, each equally likely")
