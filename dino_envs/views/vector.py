"""Gymnasium: many games at once, each as one seat lives it."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from dino_envs.agents import Agent
from dino_envs.engine import NotResetError, OptionError
from dino_envs.games import load
from dino_envs.views.canvas import METADATA, Canvas
from dino_envs.views.learner import LearnerGames, chosen_opponents
from dino_envs.views.seated import box

Floats = npt.NDArray[np.float32]


class BatchedVectorEnv(VectorEnv[Floats, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """B games in one compiled batch; sub-environment i plays as a single one with its seed does.

    Games that end are dealt anew in the same step (`AutoresetMode.SAME_STEP`): the returned
    observation is the new game's, `info["final_obs"]` holds the old one's last. The legal actions
    are `info["action_mask"]` (int8 [B, A]) and `action_masks()` (bool [B, A]).

    Args:
        game_id: the game (set by the registered ids).
        num_envs: B.
        opponent, seat, reward, illegal, render_mode, options: as for `SingleSeatEnv`.
        threads: how many cores may play; the games do not depend on it.
    """

    autoreset_mode = AutoresetMode.SAME_STEP
    metadata = METADATA | {"autoreset_mode": autoreset_mode}

    def __init__(
        self,
        game_id: str,
        num_envs: int = 1,
        opponent: str | Agent | None = None,
        seat: int | str = "random",
        reward: str = "outcome",
        illegal: str = "lose",
        render_mode: str | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        game = load(game_id)
        self.games = LearnerGames(
            game,
            num_envs,
            chosen_opponents(game, opponent, options),
            seat=seat,
            reward=reward,
            illegal=illegal,
            threads=threads,
            **options,
        )
        self.num_envs = num_envs
        self.single_observation_space = box(game.observation.low, game.observation.high, np.float32)
        self.single_action_space = gymnasium.spaces.Discrete(game.actions.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode = render_mode
        self.canvas = Canvas(game, render_mode)
        self._seeded = False

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Floats, dict[str, Any]]:
        """Starts new games and returns the first views, float32 [B, F].

        `seed` s seeds sub-environment i with s + i; a list seeds each by itself.
        """
        if options:
            raise OptionError(
                f"reset takes no options ({', '.join(options)}): give them to gymnasium.make_vec"
            )
        if seed is not None or not self._seeded:
            self.games.seed(self._seeds(seed))
            self._seeded = True
        self.games.start()
        return self.games.observations, self._info()

    def _seeds(self, seed: int | list[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            return [int(seed) + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise OptionError(f"give one seed, or {self.num_envs}, not {len(seed)}")
        return list(seed)

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Floats, Floats, npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Plays one action a game, int64 [B]; returns views [B, F], rewards [B], ends [B], info.

        Raises:
            IllegalActionError: see `LearnerGames.step`; no game has moved, unless it was an
                opponent's.
        """
        if not self._seeded:
            raise NotResetError("call reset() before using the environment")
        moved = self.games.step(actions)
        final: dict[str, Any] = {}
        if moved.done.any():
            batch, seats = self.games.batch, self.games.seats
            rows = np.arange(self.num_envs)
            final = {
                "final_obs": moved.final_observations,
                "_final_obs": moved.done.copy(),
                "final_info": {
                    "score": batch.states["score"][rows, seats],
                    "won": self.games.won,
                    "seat": seats.copy(),
                },
                "_final_info": moved.done.copy(),
            }
            self.games.start(moved.done)
        return (
            self.games.observations,
            moved.rewards,
            moved.terminated,
            moved.truncated,
            {**self._info(), **final},
        )

    def render(self) -> tuple[Any, ...] | None:
        """Returns each game's position as the render mode says; a window shows the first one."""
        if not self._seeded:
            raise NotResetError("call reset() before using the environment")
        games = zip(self.games.batch.states, self.games.seats.tolist(), strict=True)
        if self.render_mode in (None, "human"):
            self.canvas.render(*next(games))
            return None
        return tuple(self.canvas.render(state, seat) for state, seat in games)

    def close_extras(self, **kwargs: Any) -> None:
        """Closes the window, if there is one."""
        self.canvas.close()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns the legal actions of each present position, a new array bool [B, A]."""
        return self.games.masks.astype(bool)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.games.masks, "seat": self.games.seats.copy()}
