"""PettingZoo's parallel environment, as a view of one game whose seats act at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from pettingzoo import ParallelEnv

from dino_envs.engine import DinoEnvsError, GameOverError, IllegalActionError, OptionError
from dino_envs.games import load
from dino_envs.views.position import action_number, illegal_action
from dino_envs.views.seated import Observation, Seated

Info = dict[str, npt.NDArray[np.int8]]


class SimultaneousEnv(Seated, ParallelEnv[str, Observation, int]):
    """A game for PettingZoo in which a step is a round: one action of every agent, all blind.

    It is the game of `dino_envs.views.aec.TurnBasedEnv`, of the same seed, actions and arguments,
    with the same bytes after every round; a step pays what the actions of its round pay there.
    Observations are those at the start of the round, and every live agent's mask says what it may
    do; `infos[agent]` holds the same mask. When the game ends, it ends for all agents at once.

    `env.observe(agent)` tells what an agent sees at any time, `env.outcome()` the returns.

    Raises:
        OptionError: an option is unknown or has a value that is not allowed, or the game is played
            in turns.
    """

    def __init__(
        self,
        game_id: str,
        render_mode: str | None = None,
        reward: str = "outcome",
        illegal: str = "lose",
        **options: Any,
    ) -> None:
        game = load(game_id)
        if not game.simultaneous:
            raise OptionError(f"{game_id} is played in turns: it has no parallel environment")
        super().__init__(game, render_mode, reward, illegal, **options)
        self.metadata["is_parallelizable"] = True
        self._masks = np.zeros((len(self.possible_agents), game.actions.size), np.int8)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Starts a new game; without a seed, the next one of the present stream of games.

        `options` belong to PettingZoo's signature and mean nothing here.
        """
        self._deal(seed)
        return self._seen()

    def _open_books(self) -> None:
        self._masks = self.position.masks()
        if self.position.over:
            self.agents = []

    def _mask(self, seat: int) -> npt.NDArray[np.int8]:
        return np.array(self._masks[seat])

    def _seen(self) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Returns what the agents see, and their infos."""
        observations = {agent: self.observe(agent) for agent in self.agents}
        infos = {agent: {"action_mask": self._mask(self._seats[agent])} for agent in self.agents}
        return observations, infos

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, Info],
    ]:
        """Plays a round, one action for each agent.

        Where actions are illegal and lose the game, the first of them in seat order has lost it.

        Raises:
            IllegalActionError: an agent has no action, there is no such agent, or an action is
                none (None, a float, out of range), or not legal and `illegal="raise"`; the game is
                as it was.
            GameOverError: all agents are done.
        """
        self._require_reset()
        if not self.agents:
            raise GameOverError("the game is over: call reset() to start the next one")
        position, agents = self.position, self.agents
        rewards = [0.0] * position.num_players
        for action in self._checked(actions):
            paid = self._play(action)
            if paid is not None:
                rewards = [before + now for before, now in zip(rewards, paid, strict=True)]
            if position.over:
                break
        self._masks = position.masks()
        over, capped = position.over, position.capped
        observations, infos = self._seen()
        if over:
            self.agents = []
        self.canvas.changed(position.state)
        return (
            observations,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, over and not capped),
            dict.fromkeys(agents, capped),
            infos,
        )

    def _checked(self, actions: Mapping[str, int]) -> list[int]:
        """Returns the actions in seat order, if they can be played as `illegal` says."""
        if not isinstance(actions, Mapping):
            raise IllegalActionError(
                f"give a mapping of agents to actions, not {type(actions).__name__}"
            )
        for agent in actions:
            if agent not in self._seats:
                raise IllegalActionError(
                    f"there is no agent {agent!r}: give an action for each of "
                    f"{', '.join(self.agents)}"
                )
        numbers = []
        for agent, seat in self._seats.items():
            if agent not in actions:
                raise IllegalActionError(f"{agent} has no action: each agent acts in every round")
            try:
                number = action_number(actions[agent], self.position.game)
                if self._illegal == "raise" and not self._masks[seat, number]:
                    raise illegal_action(number, self.position.game)
            except IllegalActionError as error:
                raise IllegalActionError(f"{agent}: {error}") from None
            numbers.append(number)
        return numbers

    def from_state_bytes(self, data: bytes) -> None:
        """Goes to a position that `state_bytes` gave; nothing is paid, all agents are live there.

        Raises:
            DinoEnvsError: the bytes are not a state of this game and player count, or of a round
                that some agents have already acted in.
        """
        if self._episodes is None:
            self._deal(None)
        before = self.position.to_bytes()
        self.position.from_bytes(data)
        if self.position.mover != 0 and not self.position.over:
            mover = self.possible_agents[self.position.mover]
            self.position.from_bytes(before)
            raise DinoEnvsError(
                f"in this position it is the turn of {mover}: a parallel environment can only go "
                "to the start of a round"
            )
        super().from_state_bytes(data)
