"""A batch of games as one seat lives them: from its own turn to its own next turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.agents import Agent
from dino_envs.agents.table import LEARNER, Table
from dino_envs.engine import (
    TERMINATED,
    TRUNCATED,
    Game,
    IllegalActionError,
    NoLegalActionError,
    OptionError,
    kernel,
)
from dino_envs.engine.game import checked_illegal, pays_by_score
from dino_envs.engine.seeding import episode_stream, next_episodes
from dino_envs.engine.stream import below, choose_legal, uniform


@kernel
def _draw_seating(draws, chosen, fixed_seat, shares, learners, seating):
    """Seats the learner and, by cumulative shares float64 [agents], the others."""
    for i in range(learners.shape[0]):
        if not chosen[i]:
            continue
        stream = draws[i : i + 1]
        players = seating.shape[1]
        learners[i] = below(stream, players) if fixed_seat < 0 else fixed_seat
        for seat in range(players):
            if seat == learners[i]:
                seating[i, seat] = LEARNER
                continue
            drawn = uniform(stream) * shares[-1]
            agent = 0
            while shares[agent] <= drawn:
                agent += 1
            seating[i, seat] = agent


@kernel
def _resample(draws, masks, chosen, actions):
    """Replaces the chosen actions by random legal ones."""
    for i in range(actions.shape[0]):
        if chosen[i]:
            actions[i] = choose_legal(draws[i : i + 1], masks[i])


@dataclass(frozen=True)
class Transition:
    """What the learner gets for its actions, in B games. All arrays are new."""

    rewards: npt.NDArray[np.float32]
    """[B], all that was paid from the action to the learner's next turn."""
    terminated: npt.NDArray[np.bool_]
    """[B], the rules ended the game."""
    truncated: npt.NDArray[np.bool_]
    """[B], the documented cap ended the game."""
    final_observations: npt.NDArray[np.float32]
    """[B, F], the learner's view of the position that ended the game; 0 elsewhere."""

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Returns bool [B]: which games ended."""
        return self.terminated | self.truncated


class LearnerGames:
    """B games in which the caller plays one seat and agents play the others.

    Game i of a batch is the same as the single game with the same seed: seats, opponents, dice and
    the opponents' choices are all drawn from its own stream.

    Args:
        game: the game.
        num_envs: B.
        opponents: the agents that can sit at the other seats.
        shares: how often each of them is drawn, a weight >= 0 for each agent (default: equally).
        seat: the learner's seat, or "random" to draw it for every game.
        reward: `outcome` or `score`, see `TurnBasedEnv`.
        illegal: what illegal actions do: `lose` the game, `raise`, or `resample`.
        threads: how many cores may play.
        options: the game's options.

    Attributes:
        seats: int64 [B], where the learner sits.
        shares: float64 [agents], may be changed between games.
        skipped: how many games ended before the learner's first turn, and were dealt anew.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Sequence[Agent],
        *,
        shares: Sequence[float] | None = None,
        seat: int | str = "random",
        reward: str = "outcome",
        illegal: str = "lose",
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.game = game
        self.table = Table(
            game, num_envs, opponents, by_score=pays_by_score(reward), threads=threads, **options
        )
        self.batch = self.table.batch
        self.shares = np.array([1.0] * len(opponents) if shares is None else shares, np.float64)
        self._fixed_seat = self._checked_seat(seat)
        self._illegal = checked_illegal(illegal)
        self._rows = np.arange(num_envs)
        self.seats = np.zeros(num_envs, np.int64)
        self.skipped = 0
        self._episodes = np.zeros(num_envs, np.uint64)
        self._draws = np.zeros(num_envs, np.uint64)
        self._seeds = np.zeros(num_envs, np.uint64)

    def _checked_seat(self, seat: int | str) -> int:
        if seat == "random":
            return -1
        if isinstance(seat, int | np.integer) and 0 <= seat < self.batch.num_players:
            return int(seat)
        raise OptionError(f'seat={seat!r}: choose 0 to {self.batch.num_players - 1}, or "random"')

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Seeds the streams of episodes, one seed a game; None takes the machine's entropy."""
        self._episodes[:] = [episode_stream(seed)[0] for seed in seeds]

    def start(self, where: npt.NDArray[np.bool_] | None = None) -> None:
        """Deals new games (all, or where bool [B]) and plays each to the learner's first turn."""
        pending = np.ones(len(self.batch), bool) if where is None else where.copy()
        shares = np.cumsum(self.shares)
        while pending.any():
            next_episodes(self._episodes, pending, self._seeds, self.batch.streams, self._draws)
            _draw_seating(
                self._draws, pending, self._fixed_seat, shares, self.seats, self.table.seating
            )
            self.table.seat()
            self.batch.deal(self._seeds, pending)
            self.table.play()
            pending &= ~self.batch.running
            self.skipped += int(pending.sum())

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """Returns a new array [B, F]: what the learner sees at its turn."""
        return self.batch.observations.copy()

    @property
    def masks(self) -> npt.NDArray[np.int8]:
        """Returns a new array [B, A]: what the learner may do.

        Raises:
            NoLegalActionError: a seat to move has no legal action; the game's rules are at fault.
        """
        masks = self.batch.masks.copy()
        stuck = np.flatnonzero(self.batch.running & ~masks.any(axis=1))
        if len(stuck):
            raise NoLegalActionError(
                f"{self.game.full_id} gives seat {self.batch.movers[stuck[0]]} of game {stuck[0]} "
                "no legal action: please report this fault in the game's rules"
            )
        return masks

    def step(self, actions: npt.ArrayLike) -> Transition:
        """Plays the learner's actions [B] and all others' up to its next turn or the end.

        Games that have ended stay so until `start`.

        Raises:
            IllegalActionError: an action is no whole number, out of range, or, with
                `illegal="raise"`, not legal; no game has moved.
        """
        chosen = self._checked(actions)
        self.table.play(chosen)
        batch = self.batch
        rewards = batch.rewards[self._rows, self.seats]
        batch.rewards[:] = 0
        ending = batch.states["ending"]
        terminated, truncated = ending == TERMINATED, ending == TRUNCATED
        done = terminated | truncated
        return Transition(rewards, terminated, truncated, batch.look(self.seats, done))

    def _checked(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        given = np.asarray(actions)
        size = self.game.actions.size
        if given.dtype.kind not in "iu" or given.shape != (len(self.batch),):
            raise IllegalActionError(
                f"give {len(self.batch)} whole numbers, one action a game, not "
                f"{given.dtype} {list(given.shape)}"
            )
        outside = (given < 0) | (given >= size)
        if outside.any():
            raise IllegalActionError(
                f"action {given[outside][0]} is out of range: {self.game.title} has the actions "
                f"0 to {size - 1}"
            )
        chosen = given.astype(np.int64)
        illegal = self.batch.running & (self.batch.masks[self._rows, chosen] == 0)
        if illegal.any() and self._illegal == "raise":
            where = int(np.flatnonzero(illegal)[0])
            name = self.game.view.action_name(int(chosen[where]))
            raise IllegalActionError(
                f"action {chosen[where]} ({name}) of game {where} is not legal now: choose one "
                "where the action mask is 1"
            )
        if illegal.any() and self._illegal == "resample":
            _resample(self._draws, self.batch.masks, illegal, chosen)
        return chosen
