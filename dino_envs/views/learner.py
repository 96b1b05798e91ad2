"""A batch of games as one seat lives them: from its own turn to its own next turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from dino_envs.agents import Agent, make_agent
from dino_envs.agents.table import LEARNER, Table
from dino_envs.engine import RUNNING, TRUNCATED, Game, IllegalActionError, OptionError, kernel
from dino_envs.engine.game import checked_illegal
from dino_envs.engine.seeding import episode_stream, next_episodes
from dino_envs.engine.stream import below, choose_legal, uniform

Arrays = dict[str, npt.NDArray[Any]]

_OF_BATCH = ("streams", "observations", "masks", "returns", "rewards", "log", "steps", "illegal")

KEYWORDS = ("opponent", "seat", "reward", "illegal", "render_mode")
"""What the single-seat views take beside a game's options."""
_MOST_DEALS = 1000
"""So many games in a row that end before the learner's first turn are no accident."""


@kernel
def _draw_seating(draws, chosen, fixed_seat, bounds, seats, opponents, seating):
    """Seats the learner, and at all other seats the opponent drawn by the shares' running sums.

    Where there are no other seats, none is drawn: opponents[i] is -1.
    """
    for i in range(seats.shape[0]):
        if not chosen[i]:
            continue
        stream = draws[i : i + 1]
        seats[i] = below(stream, seating.shape[1]) if fixed_seat < 0 else fixed_seat
        agent = -1
        if seating.shape[1] > 1:
            drawn = uniform(stream) * bounds[-1]
            agent = 0
            while bounds[agent] <= drawn:
                agent += 1
        opponents[i] = agent
        seating[i, :] = agent
        seating[i, seats[i]] = LEARNER


@kernel
def _resample(draws, masks, chosen, actions):
    """Replaces the chosen actions by random legal ones."""
    for i in range(actions.shape[0]):
        if chosen[i]:
            actions[i] = choose_legal(draws[i : i + 1], masks[i])


def chosen_opponents(
    game: Game, opponent: str | Agent | None, options: Mapping[str, Any]
) -> list[str | Agent]:
    """Returns who can sit at the other seats: the opponent, `random` for None, nobody alone.

    Raises:
        OptionError: an opponent is given where there is only one player.
    """
    if game.complete(options, KEYWORDS)["num_players"] > 1:
        return ["random" if opponent is None else opponent]
    if opponent is not None:
        raise OptionError(f"opponent={opponent!r}: {game.id} with one player has no opponent")
    return []


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
    """B games in which the caller plays one seat and an agent plays all the others.

    Game i of a batch is the same as the single game with the same stream of episodes: seat,
    opponent, dice and the opponent's choices are all drawn from there. Neither the number of games
    nor that of threads changes it.

    What is paid before the learner's first turn goes to its first step.

    Args:
        game: the game.
        num_envs: B.
        opponents: the agents, or their specs, that can sit at the other seats; one is drawn for
            every game. In games for one player they are not looked at.
        names: what messages call them (default: their specs, or their classes).
        shares: see below (default: equal).
        seat: the learner's seat, or "random" to draw it for every game.
        reward: `outcome`, `score` or `points`, see `TurnBasedEnv`.
        illegal: what the learner's illegal actions do: `lose` the game, `raise`, or `resample`.
        threads: how many cores may play.
        options: the game's options.

    Attributes:
        seats: int64 [B], where the learner sits.
        opponents: int64 [B], who sits at the other seats, an index of `table.agents`; -1 in games
            for one player.
        episodes: uint64 [B], the streams that games are drawn from; see `engine.seeding`.
        skipped: how many games ended before the learner's first turn, and were dealt anew.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Sequence[Agent | str],
        *,
        names: Sequence[str] | None = None,
        shares: npt.ArrayLike | None = None,
        seat: int | str = "random",
        reward: str = "outcome",
        illegal: str = "lose",
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.game = game
        if game.complete(options)["num_players"] == 1:
            opponents, names, shares = [], None, None
        self.table = Table(
            game,
            num_envs,
            [make_agent(o, game, options) if isinstance(o, str) else o for o in opponents],
            names=names or [o if isinstance(o, str) else type(o).__name__ for o in opponents],
            reward=reward,
            threads=threads,
            **options,
        )
        self.batch = self.table.batch
        self.shares = np.ones(len(opponents)) if shares is None else shares
        self._fixed_seat = self._checked_seat(seat)
        self._illegal = checked_illegal(illegal)
        self._rows = np.arange(num_envs)
        self.seats, self.opponents = np.zeros((2, num_envs), np.int64)
        self.skipped = 0
        self.episodes, self._draws, self._seeds = np.zeros((3, num_envs), np.uint64)

    def _checked_seat(self, seat: int | str) -> int:
        if seat == "random":
            return -1
        if isinstance(seat, int | np.integer) and 0 <= seat < self.batch.num_players:
            return int(seat)
        raise OptionError(f'seat={seat!r}: choose 0 to {self.batch.num_players - 1}, or "random"')

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """Returns a new array float64 [agents]: each opponent's weight in the draw, 0 for never.

        They may be set at any time; games in progress keep their opponent.

        Raises:
            OptionError: what is set is negative, not finite, all 0, or not one weight an agent.
                In games for one player there is nothing to set but an empty array.
        """
        return self._shares.copy()

    @shares.setter
    def shares(self, shares: npt.ArrayLike) -> None:
        weights, count = np.array(shares, np.float64), len(self.table.agents)
        drawable = 0 < weights.sum() < np.inf or self.batch.num_players == 1
        if weights.shape != (count,) or not (weights >= 0).all() or not drawable:
            raise OptionError(
                f"shares={shares!r}: give {count} weights >= 0, one an opponent, not all 0"
            )
        self._shares, self._bounds = weights, np.cumsum(weights)

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Seeds the streams of episodes, one seed a game; None takes the machine's entropy."""
        self.episodes[:] = [episode_stream(seed)[0] for seed in seeds]

    def start(self, where: npt.NDArray[np.bool_] | None = None) -> None:
        """Deals new games (all, or where bool [B]) and plays each to the learner's first turn.

        Raises:
            IllegalActionError, AgentAnswerError: an opponent is at fault.
            NoLegalActionError: the game's rules are at fault.
            OptionError: the learner's seat never gets a turn with these options.
        """
        pending = np.ones(len(self.batch), bool) if where is None else where.copy()
        for _ in range(_MOST_DEALS):
            next_episodes(self.episodes, pending, self._seeds, self.batch.streams, self._draws)
            _draw_seating(
                self._draws,
                pending,
                self._fixed_seat,
                self._bounds,
                self.seats,
                self.opponents,
                self.table.seating,
            )
            self.table.seat()
            self.batch.deal(self._seeds, pending)
            self._play(None)
            pending &= ~self.batch.running
            if not pending.any():
                return
            self.skipped += int(pending.sum())
        game = int(np.flatnonzero(pending)[0])
        raise OptionError(
            f"seat {self.seats[game]} of game {game} had no turn in {_MOST_DEALS} games: with "
            "these options and opponents the game ends before it"
        )

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """Returns a new array [B, F]: what the learner sees at its turn."""
        return self.batch.observations.copy()

    @property
    def masks(self) -> npt.NDArray[np.int8]:
        """Returns a new array [B, A]: what the learner may do, at least one action a game."""
        return self.batch.masks.copy()

    @property
    def won(self) -> npt.NDArray[np.int64]:
        """Returns int64 [B]: 1 where the learner has won, alone or with others.

        In games for one player it is 0: there is nobody to win against.
        """
        returns = self.batch.returns[self._rows, self.seats]
        return np.asarray((returns > 0) & (self.batch.num_players > 1), np.int64)

    def step(self, actions: npt.ArrayLike) -> Transition:
        """Plays the learner's actions [B] and all others' up to its next turn or the end.

        Games that have ended stay so until `start`.

        Raises:
            IllegalActionError: an action is no whole number, out of range, or, with
                `illegal="raise"`, not legal; no game has moved. Or an opponent is at fault.
            AgentAnswerError, NoLegalActionError: see `start`.
        """
        self._play(self._checked(actions))
        batch = self.batch
        rewards = batch.rewards[self._rows, self.seats]
        batch.rewards[:] = 0
        ending = batch.states["ending"]
        done, truncated = ending != RUNNING, ending == TRUNCATED
        terminated = done & ~truncated
        return Transition(rewards, terminated, truncated, batch.look(self.seats, done))

    def _play(self, actions: npt.NDArray[np.int64] | None) -> None:
        """Plays until every game is over or waits for the learner; the opponents play legally."""
        self.table.play(actions)
        offenders = self.batch.illegal - 1
        faults = np.flatnonzero((offenders >= 0) & (offenders != self.seats))
        if len(faults):
            i = int(faults[0])
            raise IllegalActionError(
                f"opponent {self.table.names[self.opponents[i]]!r} played an illegal action in "
                f"game {i}, seat {offenders[i]}: the fault is the agent's"
            )

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
            i = int(np.flatnonzero(outside)[0])
            self._refuse(i, f"action {given[i]} is out of range (0 to {size - 1})")
        chosen = given.astype(np.int64)
        illegal = self.batch.running & (self.batch.masks[self._rows, chosen] == 0)
        if illegal.any() and self._illegal == "raise":
            i = int(np.flatnonzero(illegal)[0])
            name = self.game.view.action_name(int(chosen[i]))
            self._refuse(i, f"action {chosen[i]} ({name}) is illegal")
        if illegal.any() and self._illegal == "resample":
            _resample(self._draws, self.batch.masks, illegal, chosen)
        return chosen

    def _refuse(self, i: int, fault: str) -> NoReturn:
        legal = np.flatnonzero(self.batch.masks[i]).tolist()
        raise IllegalActionError(f"{fault} in game {i}; legal are {legal}, see the action mask")

    def _live(self) -> Arrays:
        """Returns the arrays themselves that the games in progress consist of."""
        return {
            "states": self.batch.states.view(np.uint8),
            "seating": self.table.seating,
            "seats": self.seats,
            "opponents": self.opponents,
            "episodes": self.episodes,
            "draws": self._draws,
            **{name: getattr(self.batch, name) for name in _OF_BATCH},
        }

    def state_arrays(self) -> Arrays:
        """Returns copies of all arrays that the games in progress consist of."""
        return {name: array.copy() for name, array in self._live().items()}

    def load_arrays(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Goes on with the games that `state_arrays` returned, of as many games of one kind.

        The opponents and their shares are the caller's to restore.
        """
        for name, array in self._live().items():
            array[...] = arrays[name]
        self.table.seat()
