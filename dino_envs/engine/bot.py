"""Compiled agents: they see what a seat may see, and play inside the engine's loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.engine.errors import UnknownAgentError
from dino_envs.engine.kernel import kernel
from dino_envs.engine.option import as_text
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
    only: Mapping[str, range | tuple[Any, ...]] = field(default_factory=dict)
    home: tuple[str, str] | None = None
    """The id of the game it belongs to and its name there; set by the game."""

    @property
    def name(self) -> str:
        """Returns what its game calls it, `bot` for one that no game knows."""
        return self.home[1] if self.home else "bot"

    def __deepcopy__(self, memo: dict[int, Any]) -> Bot:
        """Returns the bot itself: it holds nothing that changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the game's id and the name.

        Raises:
            UnknownAgentError: no game knows the bot, so no other process would find it.
        """
        if self.home is None:
            raise UnknownAgentError(
                "a bot that belongs to no game cannot be pickled: make it anew where it is needed"
            )
        return _of_game, self.home

    def check(self, name: str, options: Mapping[str, Any]) -> None:
        """Raises `UnknownAgentError` if the bot was not made for these options."""
        for option, values in self.only.items():
            if options[option] not in values:
                raise UnknownAgentError(
                    f"{name!r} plays with {option}={self.values(option)} alone, "
                    f"not {as_text(options[option])}"
                )

    def values(self, option: str) -> str:
        """Returns the values of an option that the bot was made for, to be read."""
        values = self.only[option]
        if isinstance(values, range):
            return f"{values[0]} to {values[-1]}"
        return " or ".join(map(as_text, values))


@kernel
def _random_act(observation, mask, stream, knowledge):
    return choose_legal(stream, mask)


RANDOM = Bot(_random_act, "plays any legal action, each equally likely", home=("", "random"))


def _of_game(game_id: str, name: str) -> Bot:
    from dino_envs.games import load  # above the engine: needed when a pickle is read alone

    return load(game_id).bots[name] if game_id else RANDOM
