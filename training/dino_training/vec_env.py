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

from dino_envs.agents.table import LEARNER, Table
from dino_envs.engine import TRUNCATED, Game, IllegalActionError, NoLegalActionError
from dino_envs.engine.seeding import episode_stream, next_episodes
from dino_training.league import SNAPSHOT, League
from dino_training.noise import uniforms
from dino_training.policy import Net

Arrays = dict[str, npt.NDArray[Any]]

_OF_BATCH = ("streams", "observations", "masks", "returns", "rewards", "log", "steps", "illegal")
_OF_GAMES = ("episodes", "dealt", "seats", "opponents", "totals", "lengths")


class SelfPlayVecEnv(VecEnv):
    """B games in one process; a step goes from the learner's own turn to its own next turn.

    The other seats are played by the game's opponent from the league: compiled bots inside the
    batch, networks with one forward pass for all games that wait for them. What is paid between
    two own turns is summed; what is paid before the first own turn goes to the first step.
    A finished game is replaced at once: `infos[i]["terminal_observation"]` is the learner's view
    of the final position, the returned observation and mask are the next game's.

    The result is paid at the cap on a game's length too; Stable-Baselines3, told of a truncation,
    adds the value of the final position to it.

    Game i is drawn from a stream of its own, whatever the number of games. The learner's seat
    moves on by one from game to game.

    Attributes:
        seats: int64 [B], the learner's seat.
        opponents: int64 [B], who plays the other seats, an index of the league's agents.
        finished: how many games have ended.
        unplayed: how many games ended before the learner's first turn; they make no step.
        paid: by opponent, how many games have ended and the sum of the learner's returns there.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        league: League,
        *,
        reward: str = "outcome",
        seed: int | None = None,
        threads: int = 1,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        by_score, chosen = reward == "score", dict(options or {})
        self.game, self.league = game, league
        self.table = Table(
            game, num_envs, league.agents, by_score=by_score, threads=threads, **chosen
        )
        self.batch = self.table.batch
        self.render_mode: str | None = None
        self._rows = np.arange(num_envs)
        self._actions = np.zeros(num_envs, np.int64)
        self.dealt, self.seats, self.opponents, self.lengths = np.zeros((4, num_envs), np.int64)
        self.totals = np.zeros(num_envs, np.float64)
        self.finished, self.unplayed = 0, 0
        self.paid = dict.fromkeys([*league.names, SNAPSHOT], (0, 0.0))
        self._since = time.time()
        layout = game.observation
        view = spaces.Box(layout.low, layout.high, dtype=np.float32)
        super().__init__(num_envs, view, spaces.Discrete(game.actions.size))
        self.seed(seed)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Starts all streams of games anew from one seed; the next `reset` deals from them."""
        unused = np.zeros(1, np.uint64)
        words = np.zeros((1, self.num_envs), np.uint64)
        next_episodes(episode_stream(seed), np.ones(1, np.bool_), unused, words, unused)
        self.episodes = words[0]
        self.dealt[:] = 0
        return [seed] * self.num_envs

    def add_snapshot(self, net: Net) -> None:
        """Adds a network to the pool of snapshots to play against."""
        place = self.league.add(net)
        self.table.agents[place] = self.league.agents[place]

    def reset(self) -> npt.NDArray[np.float32]:
        """Deals every game anew and returns the observations float32 [B, F]."""
        self._begin(np.ones(self.num_envs, np.bool_))
        return self.batch.observations.copy()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns a new array bool [B, A]: what is legal in the latest observations."""
        return self.batch.masks.astype(np.bool_)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Takes the learner's actions, whole numbers [B].

        Raises:
            IllegalActionError: an action is not legal; nothing has changed.
        """
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise IllegalActionError(
                f"give {self.num_envs} whole numbers, one an env, "
                f"not {given.dtype} {list(given.shape)}"
            )
        inside = (given >= 0) & (given < self.game.actions.size)
        legal = self.batch.masks[self._rows, np.where(inside, given, 0)] != 0
        if not (inside & legal).all():
            env = int(np.flatnonzero(~(inside & legal))[0])
            raise IllegalActionError(
                f"action {given[env]} is illegal in env {env}; "
                f"legal are {np.flatnonzero(self.batch.masks[env]).tolist()}, see action_masks()"
            )
        self._actions[:] = given

    def step_wait(self) -> VecEnvStepReturn:
        """Plays on to the learner's next turn in every game; see the class."""
        self._advance(self._actions)
        rewards = self.batch.rewards[self._rows, self.seats]
        self.batch.rewards[:] = 0.0
        self.totals += rewards
        self.lengths += 1
        over = ~self.batch.running
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over.any():
            self._report(over, infos)
            self._begin(over)
        self._check_masks()
        return self.batch.observations.copy(), rewards, over, infos

    def _report(self, over: npt.NDArray[np.bool_], infos: list[dict[str, Any]]) -> None:
        """Writes the infos of the games that are over."""
        last = self.batch.look(self.seats, over)
        cut = self.batch.states["ending"] == TRUNCATED
        elapsed = round(time.time() - self._since, 6)
        for i in np.flatnonzero(over).tolist():
            opponent, total = self.league.name(int(self.opponents[i])), float(self.totals[i])
            games, paid = self.paid[opponent]
            self.paid[opponent] = (games + 1, paid + total)
            self.finished += 1
            infos[i] = {
                "terminal_observation": last[i].copy(),
                "TimeLimit.truncated": bool(cut[i]),
                "episode": {"r": total, "l": int(self.lengths[i]), "t": elapsed},
                "seat": int(self.seats[i]),
                "opponent": opponent,
            }

    def _begin(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Deals the chosen games and plays them on to the learner's first turn."""
        self.totals[chosen], self.lengths[chosen] = 0.0, 0
        seeds, draws = np.zeros((2, self.num_envs), np.uint64)
        while chosen.any():
            next_episodes(self.episodes, chosen, seeds, self.batch.streams, draws)
            self.seats[chosen] = (self._rows + self.dealt)[chosen] % self.batch.num_players
            self.dealt[chosen] += 1
            self.opponents[chosen] = self.league.draw(uniforms(draws[chosen], 2))
            self._seat()
            self.batch.deal(seeds, chosen)
            self._advance(None)
            chosen = ~self.batch.running
            self.unplayed += int(chosen.sum())

    def _seat(self) -> None:
        self.table.seating[:] = self.opponents[:, None]
        self.table.seating[self._rows, self.seats] = LEARNER
        self.table.seat()

    def _advance(self, actions: npt.NDArray[np.int64] | None) -> None:
        """Plays until every game is over or waits for its learner."""
        self.table.play(actions)
        offended = np.flatnonzero(self.batch.illegal)
        if len(offended):
            env = int(offended[0])
            raise IllegalActionError(
                f"{self.league.name(int(self.opponents[env]))!r} played an illegal action in "
                f"env {env}, seat {self.batch.illegal[env] - 1}"
            )

    def _check_masks(self) -> None:
        """Raises `NoLegalActionError` if a learner has nothing to play."""
        stuck = np.flatnonzero(~self.batch.masks.any(axis=1))
        if len(stuck):
            raise NoLegalActionError(
                f"{self.game.full_id} left seat {self.seats[stuck[0]]} in env {stuck[0]} without "
                "a legal action: a fault in the game's rules"
            )

    def state_arrays(self) -> Arrays:
        """Returns copies of all arrays that the games in progress consist of."""
        own = {name: getattr(self, name).copy() for name in _OF_GAMES}
        batch = {f"batch.{name}": getattr(self.batch, name).copy() for name in _OF_BATCH}
        return {**own, **batch, "states": np.frombuffer(self.batch.states.tobytes(), np.uint8)}

    def load_arrays(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Goes on with the games that `state_arrays` returned."""
        for name in _OF_GAMES:
            getattr(self, name)[...] = arrays[name]
        for name in _OF_BATCH:
            getattr(self.batch, name)[...] = arrays[f"batch.{name}"]
        self.batch.states.view(np.uint8).reshape(-1)[:] = arrays["states"]
        self._seat()

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
