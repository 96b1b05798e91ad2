"""What an agent is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from dino_envs.engine import Bot, Game
from dino_envs.engine.batch import ask


@runtime_checkable
class Agent(Protocol):
    """Anything that plays. It keeps no memory of a game: all it may use is in the arguments."""

    def act(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        streams: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.int64]:
        """Chooses in N positions, each seen by the seat to move.

        Args:
            observations: [N, F].
            masks: [N, A], not 0 where an action is legal; at least one a row.
            streams: [N], one random stream a game and seat; all randomness is taken from
                there (moving it on in place), so that a game does not depend on its neighbours.

        Returns:
            actions [N].
        """


class BotAgent:
    """A game's compiled bot as an agent; matches between such agents run compiled."""

    def __init__(self, game: Game, bot: Bot) -> None:
        self.game = game
        self.bot = bot

    def act(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        streams: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.int64]:
        """Chooses in N positions; see `Agent.act`."""
        return ask(self.game, self.bot, observations, masks, streams)
