"""What PettingZoo's two kinds of environments share: one game, with an agent at every seat."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo.utils.env_logger import EnvLogger

from dino_envs.engine import Game, NotResetError
from dino_envs.engine.game import checked_illegal
from dino_envs.engine.reward import OUTCOME, SCORE, reward_mode
from dino_envs.engine.seeding import episode_stream, next_episodes
from dino_envs.engine.stream import choose_legal
from dino_envs.views.canvas import METADATA, Canvas
from dino_envs.views.position import Position

Observation = dict[str, npt.NDArray[Any]]


def box(low: Any, high: Any, dtype: Any) -> spaces.Box:
    """Returns a space of vectors within low [N] and high [N]."""
    return spaces.Box(np.asarray(low, dtype), np.asarray(high, dtype), dtype=dtype)


class Seated(ABC):
    """A game whose seats are the agents `player_0`, `player_1`, ...

    It plays single actions and says what they paid; PettingZoo's books are the subclass's.

    Args:
        game: the game.
        render_mode, reward, illegal, options: see `dino_envs.views.aec.TurnBasedEnv`.
    """

    def __init__(
        self, game: Game, render_mode: str | None, reward: str, illegal: str, **options: Any
    ) -> None:
        super().__init__()
        self.metadata = {**METADATA, "name": game.full_id, "is_parallelizable": False}
        self._reward = reward_mode(reward)
        self._illegal = checked_illegal(illegal)
        self.position = Position(game, **options)
        self.possible_agents = [f"player_{seat}" for seat in range(self.position.num_players)]
        self.agents: list[str] = []
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
        self._returns: list[float] = []
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

    def _deal(self, seed: int | None) -> None:
        """Starts a new game; without a seed, the next one of the present stream of games."""
        if seed is not None or self._episodes is None:
            self._episodes = episode_stream(seed)
        word, no_streams = np.zeros(1, np.uint64), np.zeros((1, 0), np.uint64)
        next_episodes(self._episodes, np.ones(1, bool), word, no_streams, self._draws)
        self.position.deal(word[0])
        self._take_seats()

    def _take_seats(self) -> None:
        """Sets PettingZoo's books to the position, nothing paid yet."""
        position = self.position
        self.agents = self.possible_agents[:]
        self._returns = position.returns().tolist() if position.over else []
        self._open_books()
        self.canvas.changed(self.position.state)

    @abstractmethod
    def _open_books(self) -> None:
        """Sets what the kind of environment tells of the position."""

    @abstractmethod
    def _mask(self, seat: int) -> npt.NDArray[np.int8]:
        """Returns a new mask [A]: what a seat may do now."""

    def observe(self, agent: str) -> Observation:
        """Returns what an agent sees, as new arrays; for any agent, before and after the end."""
        self._require_reset()
        seat = self._seats[agent]
        return {"observation": self.position.observation(seat), "action_mask": self._mask(seat)}

    def state(self) -> npt.NDArray[np.float32]:
        """Returns what all seats see together, float32 [P * F]."""
        self._require_reset()
        seats = range(self.position.num_players)
        return np.concatenate([self.position.observation(seat) for seat in seats])

    def _play(self, action: int) -> list[float] | None:
        """Plays an action of the seat to move, or does what `illegal` says of it.

        Returns:
            What it has paid to each seat [P]; None where it has paid nothing.

        Raises:
            IllegalActionError: it is not legal and `illegal="raise"`; the game is as it was.
        """
        position = self.position
        if not position.is_legal(action):
            if self._illegal == "lose":
                return self._forfeit()
            if self._illegal == "raise":
                position.check(action)  # raises
            action = int(choose_legal(self._draws, position.mask))
        before = position.score.copy() if self._reward != OUTCOME else None
        position.step(action)
        if position.over:
            self._returns = position.returns().tolist()
        if before is None:
            return self._returns or None
        paid = (position.score - before).astype(np.float64)
        if self._reward == SCORE and position.num_players > 1 and not position.cooperative:
            paid -= (paid.sum() - paid) / (position.num_players - 1)
        return list(paid.tolist())

    def _forfeit(self) -> list[float]:
        EnvLogger.warn_on_illegal_move()
        self.position.forfeit()
        self._returns = self.position.returns().tolist()
        return self._returns

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
        return dict(zip(self.possible_agents, self._returns, strict=False))

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
            self._deal(None)
        self.position.from_bytes(data)
        self._take_seats()
