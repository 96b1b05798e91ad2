"""What an agent is."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from dino_envs.agents.searching import forgotten
from dino_envs.engine import Bot, Game
from dino_envs.engine.batch import ask


@runtime_checkable
class Actor(Protocol):
    """Plays by what its seat sees. It keeps no memory of a game: all it may use are arguments."""

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


@runtime_checkable
class Searcher(Protocol):
    """Plays by looking ahead in positions as they may be for all that its seat knows."""

    def search(
        self, states: npt.NDArray[Any], streams: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """Chooses in N positions, for the seat to move in each.

        Args:
            states: [N], copies in which all that the seat cannot know, the chance to come too, was
                dealt anew by the game's `redeal`; so nothing hidden is in them.
            streams: [N], as for `Actor.act`.

        Returns:
            actions [N].
        """


Agent: TypeAlias = Actor | Searcher
"""Anything that plays."""


def choose(
    agent: Agent,
    game: Game,
    states: npt.NDArray[Any],
    observations: npt.NDArray[np.float32],
    masks: npt.NDArray[np.int8],
    streams: npt.NDArray[np.uint64],
) -> Any:
    """Returns what an agent answers in N positions, unchecked; see `Actor` and `Searcher`.

    `states` [N] are the true ones: a searcher gets others, and an actor none.
    """
    if isinstance(agent, Actor):
        return agent.act(observations, masks, streams)
    return agent.search(forgotten(game, states, streams), streams)


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
        """Chooses in N positions; see `Actor.act`."""
        return ask(self.game, self.bot, observations, masks, streams)
