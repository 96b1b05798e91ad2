"""PettingZoo's agent-environment cycle, as a view of one game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

from dino_envs.engine import GameOverError
from dino_envs.games import load
from dino_envs.views.position import action_number
from dino_envs.views.seated import Observation, Seated


class TurnBasedEnv(Seated, AECEnv[str, Observation, int]):
    """A game for PettingZoo: agents `player_0`, `player_1`, ... are the seats.

    An observation is `{"observation": float32 [F], "action_mask": int8 [A]}`, new arrays at each
    call, for every agent at any time after `reset`. The mask is all 0 but for the agent to move;
    `infos[agent]` holds the same mask and nothing else (TorchRL cannot take more). When the game
    ends, it ends for all agents at once; each is then stepped once with None, in seat order.

    Args:
        game_id: the game.
        render_mode: `human`, `rgb_array`, `svg`, `ansi` or None.
        reward: `outcome` pays at the end: a sole winner +1, the others share -1, ties share; who
            plays together gets +1 or -1 each, who plays alone the final score. `score` pays each
            change of the lead over the mean of the others as it happens, `points` each change of
            the own score; alone or together they are one.
        illegal: what an illegal action does: `lose` ends the game with -1 for the agent and 0 for
            the others, as PettingZoo's classic games do (-1 for all who play together); `raise`
            changes nothing; `resample` plays a random legal action instead. What is no action at
            all is always refused.
        options: the game's options, `num_players` among them; see the game's page.

    Raises:
        OptionError: an option is unknown or has a value that is not allowed.
    """

    def __init__(
        self,
        game_id: str,
        render_mode: str | None = None,
        reward: str = "outcome",
        illegal: str = "lose",
        **options: Any,
    ) -> None:
        super().__init__(load(game_id), render_mode, reward, illegal, **options)
        self._no_actions = np.zeros(self.position.game.actions.size, np.int8)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new game; without a seed, the next one of the present stream of games.

        `options` belong to PettingZoo's signature and mean nothing here: the rules are chosen when
        the environment is made.
        """
        self._deal(seed)

    def _open_books(self) -> None:
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        """Points at the agent to move (the first one when the game is over), and tells them."""
        position = self.position
        over, capped = position.over, position.capped
        seat = 0 if over else position.mover
        self.agent_selection = self.agents[seat]
        if over:
            self.terminations = dict.fromkeys(self.agents, not capped)
            self.truncations = dict.fromkeys(self.agents, capped)
        self.infos = {agent: {"action_mask": self._no_actions.copy()} for agent in self.agents}
        self.infos[self.agent_selection]["action_mask"] = position.mask

    def _mask(self, seat: int) -> npt.NDArray[np.int8]:
        moves = seat == self.position.mover
        return self.position.mask if moves else self._no_actions.copy()

    def step(self, action: int | None) -> None:
        """Plays the action of `agent_selection`; None once that agent has ended.

        Raises:
            IllegalActionError: it is no action (None, a float, out of range), or not legal and
                `illegal="raise"`; the game is as it was.
            GameOverError: all agents are done.
        """
        self._require_reset()
        if not self.agents:
            raise GameOverError("the game is over: call reset() to start the next one")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        paid = self._play(action_number(action, self.position.game))
        self._cumulative_rewards[agent] = 0.0
        if paid is None:
            self.rewards = dict.fromkeys(self.agents, 0.0)
        else:
            self.rewards = dict(zip(self.agents, paid, strict=True))
            self._accumulate_rewards()
        self._select()
        self.canvas.changed(self.position.state)
