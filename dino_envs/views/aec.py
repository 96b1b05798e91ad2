"""PettingZoo's agent-environment cycle, as a view of one game."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from dino_envs.engine import TRUNCATED, GameOverError, NotResetError
from dino_envs.engine.game import pays_by_score
from dino_envs.engine.seeding import episode_stream, next_episodes
from dino_envs.games import load
from dino_envs.views.canvas import MODES, Canvas
from dino_envs.views.position import Position, action_number

ILLEGAL_REWARD = -1.0
"""What `env()` pays for an illegal action, as PettingZoo's classic games do."""

Observation = dict[str, npt.NDArray[Any]]


def box(low: Any, high: Any, dtype: Any) -> spaces.Box:
    """Returns a space of vectors within low [N] and high [N]."""
    return spaces.Box(np.asarray(low, dtype), np.asarray(high, dtype), dtype=dtype)


class TurnBasedEnv(AECEnv[str, Observation, int]):
    """A game for PettingZoo: agents `player_0`, `player_1`, ... are the seats.

    An observation is `{"observation": float32 [F], "action_mask": int8 [A]}`, new arrays at each
    call, for every agent at any time after `reset`. The mask is all 0 but for the agent to move;
    `infos[agent]["action_mask"]` is the same. When the game ends, it ends for all agents at once;
    each is then stepped once with None, in seat order.

    Args:
        game_id: the game.
        render_mode: `human`, `rgb_array`, `svg`, `ansi` or None.
        reward: `outcome` pays at the end: a sole winner +1, the others share -1, ties share.
            `score` pays each change of the lead over the mean of the others as it happens.
        options: the game's options, `num_players` among them; see the game's page.

    Raises:
        OptionError: an option is unknown or has a value that is not allowed.
    """

    def __init__(
        self,
        game_id: str,
        render_mode: str | None = None,
        reward: str = "outcome",
        **options: Any,
    ) -> None:
        super().__init__()
        game = load(game_id)
        self.metadata = {
            "name": game.full_id,
            "render_modes": list(MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self._by_score = pays_by_score(reward)
        self.position = Position(game, **options)
        self.possible_agents = [f"player_{seat}" for seat in range(self.position.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        layout, actions = game.observation, game.actions.size
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": box(layout.low, layout.high, np.float32),
                    "action_mask": box(np.zeros(actions), np.ones(actions), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        seats = len(self.possible_agents)
        self.state_space = box(np.tile(layout.low, seats), np.tile(layout.high, seats), np.float32)
        self._episodes: npt.NDArray[np.uint64] | None = None
        self._agents: list[str] | None = None
        self.render_mode = render_mode
        self.canvas = Canvas(game, render_mode)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Returns the agent's observation space, the same object at each call."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the agent's action space, the same object at each call."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new game; without a seed, the next one of the present stream of games.

        `options` belong to PettingZoo's signature and mean nothing here: the rules are chosen when
        the environment is made.
        """
        if seed is not None or self._episodes is None:
            self._episodes = episode_stream(seed)
        word, unused = np.zeros(1, np.uint64), np.zeros((1, 0), np.uint64)
        next_episodes(self._episodes, np.ones(1, bool), word, unused, np.zeros(1, np.uint64))
        self.position.deal(word[0])
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._select()
        self.canvas.changed(self.position.state)

    def _select(self) -> None:
        """Points at the agent to move (the first one when the game is over), and tells them."""
        state = self.position.state
        over = self.position.over
        seat = 0 if over else int(state.current_player)
        self.agent_selection = self.agents[seat]
        winners = self.position.returns() > 0 if over else [False] * len(self.agents)
        self.infos = {
            agent: {
                "action_mask": self.position.mask if i == seat else self._no_actions(),
                "score": int(state.score[i]),
                "winner": int(winners[i]),
            }
            for i, agent in enumerate(self.agents)
        }

    def _no_actions(self) -> npt.NDArray[np.int8]:
        return np.zeros(self.position.game.actions.size, np.int8)

    def observe(self, agent: str) -> Observation:
        """Returns what an agent sees, as new arrays; for any agent, before and after the end."""
        self._require_reset()
        seat = self._seats[agent]
        moves = agent == self.agent_selection and not self.terminations.get(agent, True)
        return {
            "observation": self.position.observation(seat),
            "action_mask": self.position.mask if moves else self._no_actions(),
        }

    def state(self) -> npt.NDArray[np.float32]:
        """Returns what all seats see together, float32 [P * F]."""
        self._require_reset()
        seats = range(self.position.num_players)
        return np.concatenate([self.position.observation(seat) for seat in seats])

    def step(self, action: int | None) -> None:
        """Plays the action of `agent_selection`; None once that agent has ended.

        Raises:
            IllegalActionError: not a legal action; the game is as it was.
            GameOverError: all agents are done.
        """
        self._require_reset()
        if not self.agents:
            raise GameOverError("the game is over: call reset() to start the next one")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type]  # PettingZoo means None
            return
        position = self.position
        before = position.state.score.copy() if self._by_score else None
        position.step(action)
        self._cumulative_rewards[agent] = 0.0
        self._pay(before)
        if position.over:
            capped = bool(position.state.ending == TRUNCATED)
            self.terminations = dict.fromkeys(self.agents, not capped)
            self.truncations = dict.fromkeys(self.agents, capped)
        self._select()
        self.canvas.changed(self.position.state)

    def _pay(self, before: npt.NDArray[np.int32] | None) -> None:
        """Sets what the step has paid to each agent, and adds it up."""
        position = self.position
        if before is not None:
            gained = (position.state.score - before)[: position.num_players]
            paid = gained - (gained.sum() - gained) / (position.num_players - 1)
        elif position.over:
            paid = position.returns()
        else:
            self._clear_rewards()
            return
        self.rewards = {agent: float(paid[self._seats[agent]]) for agent in self.agents}
        self._accumulate_rewards()

    def _require_reset(self) -> None:
        if self._episodes is None:
            raise NotResetError("call reset() before using the environment")

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
        if self._episodes is None or not self.position.over:
            return {}
        return dict(zip(self.possible_agents, map(float, self.position.returns()), strict=True))

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
        self.agents = self.possible_agents[:]
        ending = self.position.over
        capped = ending and bool(self.position.state.ending == TRUNCATED)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, ending and not capped)
        self.truncations = dict.fromkeys(self.agents, capped)
        self._skip_agent_selection = None
        self._select()


class _IllegalLoses(wrappers.TerminateIllegalWrapper[str, Observation, int]):
    """Ends the game for an illegal action; refuses what is no action at all by name."""

    def __init__(self, env: TurnBasedEnv) -> None:
        super().__init__(env, illegal_reward=ILLEGAL_REWARD)

    def step(self, action: Any) -> None:
        """Plays the action, or ends the game with -1 for the agent if it is illegal."""
        agent = self.agent_selection
        if not (self.terminations[agent] or self.truncations[agent]):
            action = action_number(action, self.env.unwrapped.position.game)
        super().step(action)

    def from_state_bytes(self, data: bytes) -> None:
        """Goes to a position, and forgets what was seen before it."""
        self.env.unwrapped.from_state_bytes(data)
        self._terminated, self._prev_obs, self._prev_info = False, None, None


class _Ordered(wrappers.OrderEnforcingWrapper[str, Observation, int]):
    """Refuses what comes before `reset`; copies itself whole."""

    def clone(self) -> Self:
        """Returns a copy, wrappers included, that plays on by itself."""
        return copy.deepcopy(self)

    def from_state_bytes(self, data: bytes) -> None:
        """Goes to a position that `state_bytes` gave; see `TurnBasedEnv.from_state_bytes`."""
        self.env.from_state_bytes(data)
        self._has_reset = self._has_updated = True

    def _repr_svg_(self) -> str | None:
        return self.unwrapped._repr_svg_()


def wrapped(env: TurnBasedEnv) -> AECEnv[str, Observation, int]:
    """Wraps a raw environment as PettingZoo's classic games are: illegal actions lose."""
    return _Ordered(_IllegalLoses(env))
