"""Gymnasium: one seat of a game, the others played by agents."""

from __future__ import annotations

from operator import index
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from dino_envs.agents import Agent
from dino_envs.engine import GameOverError, NotResetError, OptionError
from dino_envs.games import load
from dino_envs.views.canvas import METADATA, Canvas
from dino_envs.views.learner import LearnerGames, chosen_opponents
from dino_envs.views.position import action_number
from dino_envs.views.seated import box

Info = dict[str, Any]


class SingleSeatEnv(gymnasium.Env[npt.NDArray[np.float32], np.int64]):
    """One seat of a game: a step is the learner's action and all others' up to its next turn.

    Observations are float32 [F]; the legal actions are `action_masks()` (bool [A], what
    sb3-contrib asks for) and `info["action_mask"]` (int8 [A], what Gymnasium's `sample` takes).
    Rewards paid in between are summed, and each game has exactly one terminal step, also when an
    opponent ends it.

    Args:
        game_id: the game (set by the registered ids).
        opponent: an agent's spec (`random`, `greedy`, ...), or an agent; None is `random`, and the
            only choice in games for one player.
        seat: the learner's seat, or "random" to draw it for every game.
        reward: `outcome`, `score` or `points`, see `dino_envs.views.aec.TurnBasedEnv`.
        illegal: what an illegal action does: `lose` the game, `raise`, or `resample`, which plays
            a random legal one instead.
        render_mode: `human`, `rgb_array`, `svg`, `ansi` or None.
        options: the game's options, `num_players` among them.
    """

    metadata = METADATA

    def __init__(
        self,
        game_id: str,
        opponent: str | Agent | None = None,
        seat: int | str = "random",
        reward: str = "outcome",
        illegal: str = "lose",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        game = load(game_id)
        opponents = chosen_opponents(game, opponent, options)
        self.games = LearnerGames(
            game, 1, opponents, seat=seat, reward=reward, illegal=illegal, **options
        )
        self.observation_space: gymnasium.Space[Any] = box(
            game.observation.low, game.observation.high, np.float32
        )
        self.action_space = gymnasium.spaces.Discrete(game.actions.size)
        self.render_mode = render_mode
        self.canvas = Canvas(game, render_mode)
        self._seeded = False
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], Info]:
        """Starts a new game and returns the learner's first view of it, float32 [F]."""
        if options:
            raise OptionError(
                f"reset takes no options ({', '.join(options)}): give them to gymnasium.make"
            )
        super().reset(seed=None if seed is None else index(seed))
        if seed is not None or not self._seeded:
            self.games.seed([seed])
            self._seeded = True
        self.games.start()
        self._over = False
        self._changed()
        return self.games.observations[0], self._info()

    def step(self, action: Any) -> tuple[npt.NDArray[np.float32], float, bool, bool, Info]:
        """Plays the learner's action, and the others' up to its next turn or the end.

        Raises:
            IllegalActionError: the action is none (a float, None, out of range), or not legal and
                `illegal="raise"`; the game is as it was. Or the opponent's was not legal.
            GameOverError: the game has ended.
        """
        if not self._seeded:
            raise NotResetError("call reset() before using the environment")
        number = action_number(action, self.games.game)
        if self._over:
            raise GameOverError("the game is over: call reset() to start the next one")
        moved = self.games.step(np.array([number]))
        self._over = bool(moved.done[0])
        self._changed()
        seen = moved.final_observations[0] if self._over else self.games.observations[0]
        ended = bool(moved.terminated[0]), bool(moved.truncated[0])
        return seen, float(moved.rewards[0]), *ended, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns the legal actions, a new array bool [A]; all False when the game is over."""
        return self._mask().astype(bool)

    def _mask(self) -> npt.NDArray[np.int8]:
        if self._over:
            return np.zeros(self.games.game.actions.size, np.int8)
        return np.asarray(self.games.masks[0])

    def _info(self) -> Info:
        batch = self.games.batch
        seat = int(self.games.seats[0])
        return {
            "action_mask": self._mask(),
            "seat": np.int64(seat),
            "score": np.int64(batch.states["score"][0, seat]),
            "won": self.games.won[0],
        }

    def _changed(self) -> None:
        self.canvas.changed(self.games.batch.states[0], int(self.games.seats[0]))

    def render(self) -> Any:
        """Returns the position as the render mode says: an array uint8 [H, W, 3], SVG or text."""
        if not self._seeded:
            raise NotResetError("call reset() before using the environment")
        return self.canvas.render(self.games.batch.states[0], int(self.games.seats[0]))

    def _repr_svg_(self) -> str | None:
        """Returns the picture for Jupyter."""
        if not self._seeded:
            return None
        return self.canvas.svg(self.games.batch.states[0], int(self.games.seats[0]))

    def close(self) -> None:
        """Closes the window, if there is one."""
        self.canvas.close()
