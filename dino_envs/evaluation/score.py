"""Scores an agent against opponents, the same number of times from every seat.

Each seed is played P times, with the agent in every seat once and the opponent in all others: who
sits where is worth several points in a hundred. The chance of a game belongs to its seats, so for
two players score(A, B) + score(B, A) = 1 exactly.

With two players a game is won, drawn or lost by the returns. With more, the agent is compared with
each opponent at the table by final points, P - 1 comparisons a game, since "did not win" says
little of one among many; who ended the game by an illegal action loses every comparison.

Where one player plays alone, or all play together, agent and opponent play each seed without each
other, at all seats, and whose return is higher has won: one comparison a seed, so again
score(A, B) + score(B, A) = 1 exactly. Alone the return is the final score, together +1 for a game
won and -1 for one lost; then the result gives both win rates, the shares of games with a positive
return, as well. A game lost by an illegal action is below any return.

What a seed gives is one sample of the 95% interval, see `interval.paired`. Where fewer than half of
the games are distinct (two players without chance in a game without chance repeat one game) it is
Wilson's interval of as many games as are distinct.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.agents import Agent, BotAgent, SearchAgent, agent_names, make_agent
from dino_envs.engine import DinoEnvsWarning, Game, UnknownAgentError
from dino_envs.evaluation.interval import Interval, paired, wilson
from dino_envs.evaluation.match import Games, Progress, game_seeds, play_games

_AGENT, _OPPONENT = 0, 1

_QUANTILES = (0.05, 0.5, 0.95)


class RepeatedGamesWarning(DinoEnvsWarning):
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
    """What one agent reached against one opponent (at every other seat, if there are more).

    Where all play together, agent and opponent sit at all seats, each in games of its own.
    """

    agent: str
    opponent: str
    num_players: int
    seed: int
    games: int
    """N, a multiple of the number of players; alone or together, N games each."""
    score: float
    """(W + D/2) / (W + D + L)."""
    ci95: Interval
    by_seat: tuple[SeatRecord, ...]
    """One for each seat; where all play together, one for all of them, which says seat 0."""
    distinct_games: int
    illegal_moves: int
    """Games that the agent lost by an illegal action."""
    opponent_illegal_moves: int
    points: float
    """The agent's final points, mean of all games."""
    points_sd: float
    """Their standard deviation."""
    points_quantiles: tuple[float, float, float]
    """The points that 5 %, 50 % and 95 % of the games did not exceed."""
    opponent_points: float
    length: float
    """Actions a game, mean of all games."""
    win_rate: float | None = None
    """Where all play together, the share of the agent's games with a positive return, else None."""
    win_rate_ci95: Interval | None = None
    opponent_win_rate: float | None = None
    opponent_win_rate_ci95: Interval | None = None
    log: str = ""
    """A hash of the actions of all games."""
    seed_scores: npt.NDArray[np.float64] = field(
        default_factory=lambda: np.zeros(0), compare=False, repr=False
    )
    """float64 [S]: the score in the games of each seed."""

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
        games: how many; rounded up to a multiple of P. Alone or together, each of the two plays
            so many.
        seed: fixes all chance.
        options: the game's options, `num_players` among them.
        threads: how many play compiled bots; None is all usable cores.
        names: what the result calls the two; None is their specs.
        progress: is told of finished games (alone or together, of those of both).

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
    apart = plays_apart(game, full)
    lineup = seatings(full["num_players"], apart)
    each = game_seeds(seed, -(-games // (1 if apart else full["num_players"])))
    seeds, lineups = np.repeat(each, len(lineup)), np.tile(lineup, (len(each), 1))
    played = play_games(game, pair, lineups, seeds, full, threads=threads, progress=progress)
    result = _result(called, seed, played, apart)
    if game.is_cooperative(full):
        result = _with_win_rates(result, played)
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


def plays_apart(game: Game, options: Mapping[str, Any]) -> bool:
    """Returns whether agent and opponent never meet: where one plays alone, or all together."""
    return game.complete(options)["num_players"] == 1 or game.is_cooperative(options)


def name_of(game: Game, agent: Agent | str) -> str:
    """Returns the spec of an agent where it is known, else the name of its class."""
    if isinstance(agent, str):
        return agent
    if isinstance(agent, BotAgent):
        return agent.bot.name
    return type(agent).__name__


def _seated(game: Game, who: Agent | str, options: Mapping[str, Any]) -> Agent:
    agent = make_agent(who, game, options) if isinstance(who, str) else who
    if isinstance(agent, BotAgent | SearchAgent):
        agent.bot.check(agent.bot.name, options)
    return agent


def seatings(seats: int, apart: bool) -> npt.NDArray[np.int8]:
    """Returns int8 [games a seed, P]: who sits where in the games of a seed, 0 is the agent."""
    if apart:
        return np.repeat(np.array([[_AGENT], [_OPPONENT]], np.int8), seats, axis=1)
    return np.where(np.eye(seats, dtype=bool), _AGENT, _OPPONENT).astype(np.int8)


def _result(names: tuple[str, str], seed: int, played: Games, apart: bool) -> Result:
    lineup, worth = played.lineup, _worth(played, apart)
    mine, faults = lineup == _AGENT, np.isneginf(worth)
    points = played.points[mine]
    # A row is what is compared: a game, or the two games of a seed.
    seats = rows = lineup.shape[1]
    if apart:
        rows, lineup, worth = 1, lineup[:, 0].reshape(-1, 2), worth.min(axis=1).reshape(-1, 2)
    games, others = len(lineup), lineup.shape[1] - 1
    won, drawn = _compared(lineup, worth)
    half_points = 2 * won + drawn
    score = float(half_points.sum() / (2 * games * others))
    means = half_points.reshape(-1, rows).mean(axis=1) / (2 * others)
    low, median, high = np.quantile(points, _QUANTILES, method="inverted_cdf").tolist()
    result = Result(
        agent=names[0],
        opponent=names[1],
        num_players=seats,
        seed=seed,
        games=games,
        score=score,
        ci95=paired(means, games),
        by_seat=_by_seat(won, drawn, (lineup == _AGENT).argmax(axis=1), rows, others),
        distinct_games=played.distinct_groups(len(played) // games),
        illegal_moves=int(faults[mine].sum()),
        opponent_illegal_moves=int(faults[~mine].sum()),
        points=float(points.mean()),
        points_sd=float(points.std()),
        points_quantiles=(low, median, high),
        opponent_points=float(played.points[~mine].mean()),
        length=float(played.steps.mean()),
        log=hashlib.sha256(played.log.tobytes()).hexdigest()[:16],
        seed_scores=means,
    )
    if result.repetitive:
        return replace(result, ci95=wilson(score, result.distinct_games))
    return result


def _with_win_rates(result: Result, played: Games) -> Result:
    """Adds the shares of games won; those of a side have different seeds, so are independent."""
    won = played.returns[:, 0] > 0
    own, other = (float(won[played.lineup[:, 0] == side].mean()) for side in (_AGENT, _OPPONENT))
    samples = result.distinct_games if result.repetitive else result.games
    return replace(
        result,
        win_rate=own,
        win_rate_ci95=wilson(own, samples),
        opponent_win_rate=other,
        opponent_win_rate_ci95=wilson(other, samples),
    )


def _by_seat(
    won: npt.NDArray[np.int64],
    drawn: npt.NDArray[np.int64],
    own: npt.NDArray[np.int64],
    seats: int,
    others: int,
) -> tuple[SeatRecord, ...]:
    records = []
    for seat in range(seats):
        there = own == seat
        wins, draws = int(won[there].sum()), int(drawn[there].sum())
        losses = int(there.sum()) * others - wins - draws
        records.append(SeatRecord(seat, wins, draws, losses))
    return tuple(records)


def _worth(played: Games, apart: bool) -> npt.NDArray[np.float64]:
    """Returns float64 [N, P], what is compared: the higher the better, -inf for an illegal action.

    Every game has one offender at most.
    """
    by_points = played.lineup.shape[1] > 2 and not apart
    worth = (played.points if by_points else played.returns).astype(np.float64)
    fault = np.flatnonzero(played.illegal)
    worth[fault, played.illegal[fault] - 1] = -np.inf
    return worth


def _compared(
    lineup: npt.NDArray[np.int8], worth: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Counts the comparisons that the agent won and drew in each of N rows; int64 [N]."""
    mine = lineup == _AGENT
    own, others = worth[mine][:, None], np.where(mine, np.inf, worth)
    return np.sum(own > others, axis=1), np.sum(own == others, axis=1)
