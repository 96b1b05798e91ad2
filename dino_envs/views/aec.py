"""PettingZoo's agent-environment cycle, as a view of one game."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from dino_envs.engine import GameOverError, NotResetError
from dino_envs.engine.game import checked_illegal
from dino_envs.engine.reward import OUTCOME, SCORE, reward_mode
from dino_envs.engine.seeding import episode_stream, next_episodes
from dino_envs.engine.stream import choose_legal
from dino_envs.games import load
from dino_envs.views.canvas import METADATA, Canvas
from dino_envs.views.position import Position, action_number

ILLEGAL_REWARD = -1.0
"""What an illegal action pays that loses the game, as in PettingZoo's classic games."""

_NOT_RESET = "call reset() before using the environment"

Observation = dict[str, npt.NDArray[Any]]


def box(low: Any, high: Any, dtype: Any) -> spaces.Box:
    """Returns a space of vectors within low [N] and high [N]."""
    return spaces.Box(np.asarray(low, dtype), np.asarray(high, dtype), dtype=dtype)


class TurnBasedEnv(AECEnv[str, Observation, int]):
    """A game for PettingZoo: agents `player_0`, `player_1`, ... are the seats.

    An observation is `{"observation": float32 [F], "action_mask": int8 [A]}`, new arrays at each
    call, for every agent at any time after `reset`. The mask is all 0 but for the agent to move;
    `infos[agent]` holds the same mask and nothing else (TorchRL cannot take more). When the game
    ends, it ends for all agents at once; each is then stepped once with None, in seat order.

    Args:
        game_id: the game.
        render_mode: `human`, `rgb_array`, `svg`, `ansi` or None.
        reward: `outcome` pays at the end: a sole winner +1, the others share -1, ties share; who
            plays alone gets the final score. `score` pays each change of the lead over the mean of
            the others as it happens, `points` each change of the own score; alone they are one.
        illegal: what an illegal action does: `lose` ends the game with -1 for the agent and 0 for
            the others, as PettingZoo's classic games do; `raise` changes nothing; `resample` plays
            a random legal action instead. What is no action at all is always refused.
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
        super().__init__()
        game = load(game_id)
        self.metadata = {**METADATA, "name": game.full_id, "is_parallelizable": False}
        self._reward = reward_mode(reward)
        self._illegal = checked_illegal(illegal)
        self.position = Position(game, **options)
        self.possible_agents = [f"player_{seat}" for seat in range(self.position.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        layout, actions = game.observation, game.actions.size
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": box(layout.low, layout.high, np.float32),
                    "action_mask": box(np.zeros(actions), np.ones(actions), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        seats = len(self.possible_agents)
        self.state_space = box(np.tile(layout.low, seats), np.tile(layout.high, seats), np.float32)
        self._no_actions = np.zeros(actions, np.int8)
        self._episodes: npt.NDArray[np.uint64] | None = None
        self._draws = np.zeros(1, np.uint64)
        self.render_mode = render_mode
        self.canvas = Canvas(game, render_mode)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Returns the agent's observation space, the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the agent's action space, the same object at each call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new game; without a seed, the next one of the present stream of games.

        `options` belong to PettingZoo's signature and mean nothing here: the rules are chosen when
        the environment is made.
        """
        if seed is not None or self._episodes is None:
            self._episodes = episode_stream(seed)
        word, no_streams = np.zeros(1, np.uint64), np.zeros((1, 0), np.uint64)
        next_episodes(self._episodes, np.ones(1, bool), word, no_streams, self._draws)
        self.position.deal(word[0])
        self._take_seats()
        self.canvas.changed(self.position.state)

    def _take_seats(self) -> None:
        """Sets PettingZoo's books to the position, nothing paid yet."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._outcome: dict[str, float] = {}
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

    def observe(self, agent: str) -> Observation:
        """Returns what an agent sees, as new arrays; for any agent, before and after the end."""
        if self._episodes is None:
            raise NotResetError(_NOT_RESET)
        position = self.position
        seat = self._seats[agent]
        moves = seat == position.mover
        return {
            "observation": position.observation(seat),
            "action_mask": position.mask if moves else self._no_actions.copy(),
        }

    def state(self) -> npt.NDArray[np.float32]:
        """Returns what all seats see together, float32 [P * F]."""
        self._require_reset()
        seats = range(self.position.num_players)
        return np.concatenate([self.position.observation(seat) for seat in seats])

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
        position = self.position
        number = action_number(action, position.game)
        self._cumulative_rewards[agent], kept = 0.0, self._cumulative_rewards[agent]
        if position.is_legal(number):
            self._play(number)
        elif self._illegal == "lose":
            EnvLogger.warn_on_illegal_move()
            position.forfeit()
            self._pay([ILLEGAL_REWARD if a == agent else 0.0 for a in self.agents])
        elif self._illegal == "resample":
            self._play(int(choose_legal(self._draws, position.mask)))
        else:
            self._cumulative_rewards[agent] = kept
            position.check(number)  # raises
        self._select()
        self.canvas.changed(position.state)

    def _play(self, action: int) -> None:
        """Plays a legal action and pays for it."""
        position = self.position
        before = position.score.copy() if self._reward != OUTCOME else None
        position.step(action)
        if before is not None:
            paid = (position.score - before).astype(np.float64)
            if self._reward == SCORE and position.num_players > 1:
                paid -= (paid.sum() - paid) / (position.num_players - 1)
            self._pay(paid.tolist())
        elif position.over:
            self._pay(position.returns().tolist())
        else:
            self.rewards = dict.fromkeys(self.agents, 0.0)
        if position.over:
            self._outcome = dict(zip(self.agents, position.returns().tolist(), strict=True))

    def _pay(self, paid: list[float]) -> None:
        """Sets what the step has paid to each agent [P], and adds it up."""
        self.rewards = dict(zip(self.agents, paid, strict=True))
        if self.position.over and not self._outcome:
            self._outcome = dict(self.rewards)
        self._accumulate_rewards()

    def _require_reset(self) -> None:
        if self._episodes is None:
            raise NotResetError(_NOT_RESET)

    def render(self) -> Any:
        """Returns the position as the render mode says: an array uint8 [H, W, 3], SVG or text."""
        self._require_reset()
        return self.canvas.render(self.position.state)

    def _repr_svg_(self) -> str | None:
        """Returns the picture for Jupyter."""
        return None if self._episodes is None else self.canvas.svg(self.position.state)

    def close(self) -> None:
        """Closes the window, if there is one."""
        self.canvas.close()

    def outcome(self) -> dict[str, float]:
        """Returns each agent's return of a finished game (empty while it runs)."""
        return dict(self._outcome) if self._episodes is not None else {}

    def clone(self) -> Self:
        """Returns a copy that plays on by itself, with the same chance to come."""
        return copy.deepcopy(self)

    def state_bytes(self) -> bytes:
        """Returns the whole game in bytes, hidden parts and chance included."""
        self._require_reset()
        return self.position.to_bytes()

    def from_state_bytes(self, data: bytes) -> None:
        """Goes to a position that `state_bytes` gave; nothing is paid, all agents are live there.

        Raises:
            DinoEnvsError: the bytes are not a state of this game and player count.
        """
        if self._episodes is None:
            self.reset()
        self.position.from_bytes(data)
        self._take_seats()
        self.canvas.changed(self.position.state)
