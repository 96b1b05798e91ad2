"""Seats agents at a batch of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.agents.agent import Agent, BotAgent
from dino_envs.engine import EXTERNAL, Batch, Game

LEARNER = -1
"""In `seating`: the caller decides for this seat."""


class Table:
    """A batch of games with an agent, or the caller, at every seat.

    Compiled bots move inside the engine's loop; every other agent is asked once for all positions
    in which it is to move. How an agent is asked changes nothing in the games.

    Attributes:
        batch: the games.
        agents: who can be seated. An entry may be replaced by another agent of its kind.
        seating: int8 [B, P], an index of `agents`, or LEARNER.
    """

    def __init__(
        self,
        game: Game,
        batch: int,
        agents: Sequence[Agent],
        *,
        by_score: bool = False,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.agents = list(agents)
        bots = [agent for agent in agents if isinstance(agent, BotAgent)]
        self.batch = Batch(
            game,
            batch,
            bots=[agent.bot for agent in bots],
            by_score=by_score,
            threads=threads,
            **options,
        )
        # The last entry is looked up for LEARNER, which is -1.
        self._bot_numbers = np.array(
            [bots.index(a) if isinstance(a, BotAgent) else EXTERNAL for a in agents] + [EXTERNAL],
            np.int8,
        )
        self.seating = np.full(self.batch.players.shape, LEARNER, np.int8)
        self._asked = [i for i, a in enumerate(agents) if not isinstance(a, BotAgent)]

    def seat(self) -> None:
        """Takes over what was written into `seating`."""
        self.batch.players[:] = self._bot_numbers[self.seating]

    def play(self, actions: npt.NDArray[np.int64] | None = None) -> None:
        """Plays every game until it is over or the learner is to move.

        `actions` int64 [B] are the learner's, -1 where none is given.
        """
        self.batch.play(actions)
        while self._asked:
            answers = self._ask()
            if answers is None:
                return
            self.batch.play(answers)

    def _ask(self) -> npt.NDArray[np.int64] | None:
        """Returns int64 [B] what the agents outside the engine's loop play, None if none moves."""
        batch = self.batch
        rows = np.arange(len(batch))
        movers = batch.movers
        who = np.where(batch.running, self.seating[rows, movers], LEARNER)
        answers = np.full(len(batch), -1, np.int64)
        asked = False
        for index in self._asked:
            games = np.flatnonzero(who == index)
            if len(games) == 0:
                continue
            asked = True
            streams = batch.streams[games, movers[games]]
            answers[games] = self.agents[index].act(
                batch.observations[games], batch.masks[games], streams
            )
            batch.streams[games, movers[games]] = streams
        return answers if asked else None
