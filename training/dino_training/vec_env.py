"""Stable-Baselines3's view of a batch of games: one learner's seat in each of them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from dino_envs.engine import Game
from dino_envs.engine.seeding import branched_episodes
from dino_envs.views.learner import Arrays, LearnerGames, Transition
from dino_training.league import UNKNOWN, League
from dino_training.policy import Net

_TOTALS = ("totals", "lengths")


class SelfPlayVecEnv(VecEnv):
    """`LearnerGames` against a league, for Stable-Baselines3.

    The learner's seat and its opponent are drawn for every game. A finished game is replaced at
    once: `infos[i]["terminal_observation"]` is the learner's view of the final position, the
    returned observation and mask are the next game's.

    A game that ends at its documented cap says so in `infos[i]["capped"]`, and never in
    `"TimeLimit.truncated"`: the engine has paid the outcome there, and Stable-Baselines3, told of
    a truncation, would add the value of the final position, the same outcome a second time.

    The rewards of a step are divided by `reward_scale`; all that is told of returns is not.

    An illegal action of the learner is an error, or, with an `illegal_penalty`, costs so much of
    the divided reward while a random legal one is played in its place: ending the game there would
    show a beginner little but first moves. Returns that are told are without the penalty.

    Attributes:
        games: the games.
        finished: how many games have ended.
        illegal: how many illegal actions were chosen.
        paid: by opponent, how many games have ended and the sum of the learner's returns there.
        totals: float64 [B], what each game has paid the learner so far.
        lengths: int64 [B], the steps it has made there.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        league: League,
        *,
        reward: str = "outcome",
        reward_scale: float = 1.0,
        illegal_penalty: float | None = None,
        seed: int | None = None,
        threads: int = 1,
        options: Mapping[str, Any] | None = None,
        variants: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.league = league
        self._reward_scale = np.float32(reward_scale)
        self._penalty = illegal_penalty
        self.games = LearnerGames(
            game,
            num_envs,
            league.agents,
            names=[league.name(i) for i in range(len(league.agents))],
            reward=reward,
            illegal="raise" if illegal_penalty is None else "resample",
            threads=threads,
            **(options or {}),
        )
        if variants:
            self.games.batch.vary(variants)
        self.render_mode: str | None = None
        self._actions: npt.NDArray[Any] = np.zeros(num_envs, np.int64)
        self.totals, self.lengths = np.zeros(num_envs, np.float64), np.zeros(num_envs, np.int64)
        self.finished = self.illegal = 0
        self.paid = dict.fromkeys(league.kinds, (0, 0.0))
        self._since = time.time()
        layout = game.observation
        view = spaces.Box(layout.low, layout.high, dtype=np.float32)
        super().__init__(num_envs, view, spaces.Discrete(game.actions.size))
        self.seed(seed)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Starts all streams of games anew from one seed; the next `reset` deals from them."""
        self.games.episodes[:] = branched_episodes(seed, self.num_envs)
        return [seed] * self.num_envs

    def add_snapshot(self, net: Net, steps: int = UNKNOWN) -> None:
        """Adds a network, taken after so many steps, to the snapshots to play against.

        In games for one player, who has no opponents, it does nothing.
        """
        if self.league.alone:
            return
        for place in self.league.add(net, steps):
            self.games.table.agents[place] = self.league.agents[place]
        self.reweigh()

    def reweigh(self) -> None:
        """Has the opponents of new games drawn by what the league's records say now.

        Called between updates alone: a run that goes on from a checkpoint, which is written there,
        draws as one that was not interrupted.

        Raises:
            LeagueError: snapshots are to be played and there is none yet.
        """
        self.games.shares = self.league.weights()

    def reset(self) -> npt.NDArray[np.float32]:
        """Deals every game anew and returns the observations float32 [B, F].

        Raises:
            LeagueError: see `reweigh`.
        """
        self.reweigh()
        self.games.start()
        self.totals[:], self.lengths[:] = 0.0, 0
        return self.observations

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """Returns a new array [B, F]: what the learner sees at its turn."""
        return self.games.observations

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns a new array bool [B, A]: what is legal in the latest observations."""
        return self.games.batch.masks.astype(np.bool_)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Takes the learner's actions, whole numbers [B], for `step_wait`."""
        self._actions = np.array(actions)

    def step_wait(self) -> VecEnvStepReturn:
        """Plays on to the learner's next turn in every game; errors as of `LearnerGames.step`."""
        masks = self.games.masks
        moved = self.games.step(self._actions)
        rewards = moved.rewards / self._reward_scale
        if self._penalty is not None:
            illegal = masks[np.arange(self.num_envs), self._actions] == 0
            rewards[illegal] -= self._penalty
            self.illegal += int(illegal.sum())
        done = moved.done
        self.totals += moved.rewards
        self.lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if done.any():
            self._report(moved, infos)
            self.games.start(done)
            self.totals[done], self.lengths[done] = 0.0, 0
        return self.observations, rewards, done, infos

    def _report(self, moved: Transition, infos: list[dict[str, Any]]) -> None:
        """Writes the infos of the games that are over."""
        elapsed = round(time.time() - self._since, 6)
        for i in np.flatnonzero(moved.done).tolist():
            seat, number = int(self.games.seats[i]), int(self.games.opponents[i])
            self.league.ended(number, float(self.games.batch.returns[i, seat]))
            opponent, total = self.league.name(number), float(self.totals[i])
            games, paid = self.paid[opponent]
            self.paid[opponent] = (games + 1, paid + total)
            self.finished += 1
            infos[i] = {
                "terminal_observation": moved.final_observations[i].copy(),
                "TimeLimit.truncated": False,
                "capped": bool(moved.truncated[i]),
                "episode": {"r": total, "l": int(self.lengths[i]), "t": elapsed},
                "seat": seat,
                "opponent": opponent,
            }

    def state_arrays(self) -> Arrays:
        """Returns copies of all arrays of the games in progress, and of the league's records."""
        return {
            **self.games.state_arrays(),
            **{name: array.copy() for name, array in self._live().items()},
        }

    def load_arrays(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Goes on with what `state_arrays` returned; the league has the same snapshots.

        Raises:
            LeagueError: see `reweigh`.
        """
        for name, array in self._live().items():
            array[...] = arrays[name]
        self.reweigh()
        self.games.load_arrays(arrays)

    def _live(self) -> Arrays:
        """Returns the arrays themselves that are kept besides those of the games."""
        totals = {name: getattr(self, name) for name in _TOTALS}
        return {**totals, **self.league.records.arrays()}

    def close(self) -> None:
        """Frees nothing: the games are arrays."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Returns the attribute once for each of the games."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Sets the attribute, which all games share."""
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> list[Any]:
        """Returns row i of what the method returns for all games, for each of the games."""
        rows = getattr(self, method_name)(*args, **kwargs)
        return [rows[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: VecEnvIndices = None) -> list[bool]:
        """Returns False for each of the games."""
        return [False] * len(list(self._get_indices(indices)))
