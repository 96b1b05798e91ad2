"""Scores an agent against opponents, the same number of times from every seat.

Each seed is played P times, with the agent in every seat once and the opponent in all others: who
sits where is worth several points in a hundred. The chance of a game belongs to its seats, so for
two players score(A, B) + score(B, A) = 1 exactly.

With two players a game is won, drawn or lost by the returns. With more, the agent is compared with
each opponent at the table by final points, P - 1 comparisons a game, since "did not win" says
little of one among many; who ended the game by an illegal action loses every comparison.

The games of one seed are one sample of the 95% interval, see `interval.paired`. Where fewer than
half of the games are distinct (two players without chance in a game without chance repeat one game)
it is Wilson's interval of as many games as are distinct.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.agents import Agent, BotAgent, agent_names, make_agent
from dino_envs.engine import Game, UnknownAgentError
from dino_envs.evaluation.interval import paired, wilson
from dino_envs.evaluation.match import Games, Progress, game_seeds, play_games

_AGENT, _OPPONENT = 0, 1


class RepeatedGamesWarning(UserWarning):
    """Most games of an evaluation were the same: they say less than their number promises."""


@dataclass(frozen=True)
class SeatRecord:
    """What an agent reached from one seat."""

    seat: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Result:
    """What one agent reached against one opponent (at every other seat, if there are more)."""

    agent: str
    opponent: str
    num_players: int
    seed: int
    games: int
    """N, a multiple of the number of players."""
    score: float
    """(W + D/2) / (W + D + L)."""
    ci95: tuple[float, float]
    by_seat: tuple[SeatRecord, ...]
    distinct_games: int
    illegal_moves: int
    """Games that the agent lost by an illegal action."""
    opponent_illegal_moves: int
    points: float
    """The agent's final points, mean of all games."""
    opponent_points: float
    length: float
    """Actions a game, mean of all games."""

    @property
    def repetitive(self) -> bool:
        """Returns whether fewer than half of the games differ from each other."""
        return self.distinct_games < self.games / 2


def evaluate(
    game: Game,
    agent: Agent | str,
    opponent: Agent | str,
    *,
    games: int = 1000,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    names: tuple[str, str] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Scores an agent against an opponent, as the module says.

    Args:
        game: what is played.
        agent: who is scored, or its spec.
        opponent: against whom, or its spec.
        games: how many; rounded up to a multiple of P.
        seed: fixes all chance.
        options: the game's options, `num_players` among them.
        threads: how many play compiled bots; None is all usable cores.
        names: what the result calls the two; None is their specs.
        progress: is told of finished games.

    Raises:
        UnknownAgentError: a spec names nobody, or a bot that was not made for the options.
        OptionError: an option is unknown or out of range.
        ValueError: `games` is not positive.
    """
    if games < 1:
        raise ValueError(f"games={games}: play at least one")
    full = game.complete(options or {})
    pair = [_seated(game, who, full) for who in (agent, opponent)]
    called = names or (name_of(game, agent), name_of(game, opponent))
    seats = full["num_players"]
    seeds = np.repeat(game_seeds(seed, -(-games // seats)), seats)
    lineup = np.full((len(seeds), seats), _OPPONENT, np.int8)
    own = np.arange(len(seeds)) % seats
    lineup[np.arange(len(seeds)), own] = _AGENT
    played = play_games(game, pair, lineup, seeds, full, threads=threads, progress=progress)
    result = _result(called, seed, played, own)
    if result.repetitive:
        warnings.warn(
            f"only {result.distinct_games} of {result.games} games are distinct; "
            "the interval counts those alone",
            RepeatedGamesWarning,
            stacklevel=2,
        )
    return result


def ladder(
    game: Game,
    agent: Agent | str,
    *,
    games: int = 1000,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    name: str | None = None,
    progress: Progress | None = None,
) -> list[Result]:
    """Scores an agent against each scripted baseline of a game, the weakest first.

    The arguments are those of `evaluate`; `name` is what the results call the agent.
    """
    called = name or name_of(game, agent)
    ready = make_agent(agent, game, options) if isinstance(agent, str) else agent
    return [
        evaluate(
            game,
            ready,
            rung,
            games=games,
            seed=seed,
            options=options,
            threads=threads,
            names=(called, rung),
            progress=progress,
        )
        for rung in baselines(game, options)
    ]


def baselines(game: Game, options: Mapping[str, Any] | None = None) -> list[str]:
    """Returns the scripted agents that play these options, from the weakest to the strongest."""
    full = game.complete(options or {})
    names = []
    for name in agent_names(game):
        try:
            make_agent(name, game, full)
        except UnknownAgentError:  # made for other options
            continue
        names.append(name)
    return names


def name_of(game: Game, agent: Agent | str) -> str:
    """Returns the spec of an agent where it is known, else the name of its class."""
    if isinstance(agent, str):
        return agent
    if isinstance(agent, BotAgent):
        return agent.bot.name
    return type(agent).__name__


def _seated(game: Game, who: Agent | str, options: Mapping[str, Any]) -> Agent:
    agent = make_agent(who, game, options) if isinstance(who, str) else who
    if isinstance(agent, BotAgent):
        agent.bot.check(name_of(game, agent), options)
    return agent


def _result(names: tuple[str, str], seed: int, played: Games, own: npt.NDArray[np.int64]) -> Result:
    games, seats = played.lineup.shape
    won, drawn = _compared(played, own)
    half_points = 2 * won + drawn
    score = float(half_points.sum() / (2 * games * (seats - 1)))
    means = half_points.reshape(-1, seats).mean(axis=1) / (2 * (seats - 1))
    faults = int(np.sum(played.illegal == own + 1))
    mine = played.lineup == _AGENT
    result = Result(
        agent=names[0],
        opponent=names[1],
        num_players=seats,
        seed=seed,
        games=games,
        score=score,
        ci95=paired(means, games),
        by_seat=_by_seat(won, drawn, own, seats),
        distinct_games=played.distinct,
        illegal_moves=faults,
        opponent_illegal_moves=int(np.sum(played.illegal > 0)) - faults,
        points=float(played.points[mine].mean()),
        opponent_points=float(played.points[~mine].mean()),
        length=float(played.steps.mean()),
    )
    if result.repetitive:
        return replace(result, ci95=wilson(score, played.distinct))
    return result


def _by_seat(
    won: npt.NDArray[np.int64],
    drawn: npt.NDArray[np.int64],
    own: npt.NDArray[np.int64],
    seats: int,
) -> tuple[SeatRecord, ...]:
    records = []
    for seat in range(seats):
        there = own == seat
        wins, draws = int(won[there].sum()), int(drawn[there].sum())
        losses = int(there.sum()) * (seats - 1) - wins - draws
        records.append(SeatRecord(seat, wins, draws, losses))
    return tuple(records)


def _compared(
    played: Games, own: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Counts the comparisons that the agent in seat own[i] of game i won and drew; int64 [N]."""
    rows = np.arange(len(own))
    seats = played.lineup.shape[1]
    worth = played.returns.astype(np.float64) if seats == 2 else played.points.astype(np.float64)
    fault = np.flatnonzero(played.illegal)
    worth[fault, played.illegal[fault] - 1] = -np.inf
    lead = worth[rows, own][:, None] - np.where(played.lineup == _AGENT, np.inf, worth)
    return np.sum(lead > 0, axis=1), np.sum(lead == 0, axis=1)
