"""Seats agents at a batch of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.agents.agent import Actor, Agent, BotAgent, choose
from dino_envs.agents.searching import SearchAgent
from dino_envs.engine import (
    EXTERNAL,
    Batch,
    DinoEnvsError,
    Game,
    NoLegalActionError,
    UnknownAgentError,
    kernel,
)
from dino_envs.engine.loops import MAX_BOTS

LEARNER = -1
"""In `seating`: the caller decides for this seat."""

_ILLEGAL = -2
"""Stands for all negative answers, since a batch reads -1 as no answer and would wait for ever."""


class AgentAnswerError(DinoEnvsError, ValueError):
    """An agent's answer is not one action number for each position."""


@kernel
def _first_stuck(masks: Any) -> Any:
    """Returns the first game whose mask, of int8 [B, A], allows nothing; -1 if there is none."""
    for i in range(masks.shape[0]):
        stuck = True
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                stuck = False
                break
        if stuck:
            return i
    return -1


class Table:
    """A batch of games with an agent, or the caller, at every seat.

    Compiled bots move inside the engine's loop, as many as it holds; every other agent is asked
    once for all positions in which it is to move. How an agent is asked changes nothing in the
    games. An agent's illegal action ends its game, see `Batch.illegal`.

    Attributes:
        batch: the games.
        agents: who can be seated. An entry may be replaced by another agent of its kind.
        names: what messages call them.
        seating: int8 [B, P], an index of `agents`, or LEARNER.
    """

    def __init__(
        self,
        game: Game,
        batch: int,
        agents: Sequence[Agent],
        *,
        names: Sequence[str] | None = None,
        reward: str = "outcome",
        threads: int = 1,
        **options: Any,
    ) -> None:
        for agent in agents:
            if not isinstance(agent, Agent):
                raise UnknownAgentError(
                    f"{agent!r} is no agent: give a spec, or an object with a method act or search"
                )
            if isinstance(agent, BotAgent | SearchAgent) and agent.game.full_id != game.full_id:
                raise UnknownAgentError(f"{agent!r} is asked to play {game.full_id}")
        self.agents = list(agents)
        self.names = list(names or [type(agent).__name__ for agent in agents])
        bots = [agent for agent in agents if isinstance(agent, BotAgent)][:MAX_BOTS]
        self.batch = Batch(
            game,
            batch,
            bots=[agent.bot for agent in bots],
            reward=reward,
            threads=threads,
            **options,
        )
        numbered = {id(bot): number for number, bot in enumerate(bots)}
        numbers = [numbered.get(id(agent), EXTERNAL) for agent in agents]
        # The last entry is looked up for LEARNER, which is -1.
        self._bot_numbers = np.array([*numbers, EXTERNAL], np.int8)
        self._asked = [i for i, number in enumerate(numbers) if number == EXTERNAL]
        self.seating = np.full(self.batch.players.shape, LEARNER, np.int8)

    def seat(self) -> None:
        """Takes over what was written into `seating`."""
        self.batch.players[:] = self._bot_numbers[self.seating]

    def play(self, actions: npt.NDArray[np.int64] | None = None) -> None:
        """Plays every game until it is over or the learner is to move.

        `actions` int64 [B] are the learner's, -1 where none is given.

        Raises:
            AgentAnswerError: an agent's answer is not one whole number for each position.
            NoLegalActionError: the rules left a seat without an action.
        """
        self._play(actions)
        while (answers := self._ask()) is not None:
            self._play(answers)

    def _play(self, actions: npt.NDArray[np.int64] | None) -> None:
        """Plays until every game is over or waits, for somebody who has something to play."""
        batch = self.batch
        batch.play(actions)
        stuck = _first_stuck(batch.masks)
        if stuck >= 0:
            raise NoLegalActionError(
                f"{batch.game.full_id} gives seat {batch.movers[stuck]} of game {stuck} no legal "
                "action: please report this fault in the game's rules"
            )

    def _ask(self) -> npt.NDArray[np.int64] | None:
        """Returns int64 [B] what the agents outside the engine's loop play, None if none moves."""
        if not self._asked:
            return None
        batch = self.batch
        rows = np.arange(len(batch))
        who = np.where(batch.running, self.seating[rows, batch.movers], LEARNER)
        answers = np.full(len(batch), -1, np.int64)
        asked = False
        for index in self._asked:
            games = np.flatnonzero(who == index)
            if len(games):
                asked = True
                answers[games] = self._answers(index, games)
        return answers if asked else None

    def _answers(self, index: int, games: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
        """Returns int64 [N] what an agent plays in N games; legal or not, but never -1."""
        agent, batch, movers = self.agents[index], self.batch, self.batch.movers[games]
        streams = batch.streams[games, movers]
        seen, masks = batch.observations[games], batch.masks[games]
        states = batch.states[games]
        actions = np.asarray(choose(agent, batch.game, states, seen, masks, streams))
        if actions.shape != games.shape or actions.dtype.kind not in "iu":
            method = "act" if isinstance(agent, Actor) else "search"
            raise AgentAnswerError(
                f"agent {self.names[index]!r} is at fault: {type(agent).__name__}.{method} must "
                f"return {len(games)} whole numbers, one a position, not {actions.dtype} "
                f"{list(actions.shape)}"
            )
        batch.streams[games, movers] = streams
        whole = actions.astype(np.int64)
        return np.where(whole < 0, _ILLEGAL, whole)
