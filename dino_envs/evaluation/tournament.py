"""Plays all pairs of agents, every pair on the same seeds and equally often from every seat.

The score of a pair is that of `evaluate`. With two players, alone or together it adds to 1 with
that of the other way round, so a pair is played once. With more, one among P - 1 of the other kind
is another match than the other way round: both are played, half of the games each, and the score
is the mean of the first's score and of what the second's leaves. So score(A, B) + score(B, A) = 1
exactly, always.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.agents import Agent
from dino_envs.engine import Game
from dino_envs.evaluation.interval import Interval, paired, wilson
from dino_envs.evaluation.match import Progress
from dino_envs.evaluation.ratings import Ratings, Scores, rate
from dino_envs.evaluation.score import RepeatedGamesWarning, Result, evaluate, plays_apart


@dataclass(frozen=True)
class Pair:
    """What two agents reached against each other, as seen by the first."""

    first: str
    second: str
    games: int
    score: float
    """(W + D/2) / (W + D + L) of the first; more than two players: see the module."""
    ci95: Interval
    wins: int
    draws: int
    losses: int
    distinct_games: int
    illegal_moves: tuple[int, int]
    """Games that the first and the second lost by an illegal action."""
    points: tuple[float, float]
    """Their final points, mean of all games."""
    logs: tuple[str, ...]
    """A hash of the actions of all games, for each way round that was played."""
    seed_scores: npt.NDArray[np.float64]
    """float64 [S]: the score in the games of each seed."""

    @property
    def samples(self) -> int:
        """Returns how many games count: where few are distinct, those alone."""
        few = self.distinct_games < self.games / 2
        return self.distinct_games if few else self.games


@dataclass(frozen=True)
class Tournament:
    """What every agent reached against every other."""

    agents: tuple[str, ...]
    num_players: int
    seed: int
    pairs: tuple[Pair, ...]
    """In the order of the agents: (0, 1), (0, 2), ... (1, 2), ..."""
    ratings: Ratings

    def payoff(self) -> npt.NDArray[np.float64]:
        """Returns float64 [K, K], the score of the row against the column; NaN on the diagonal."""
        scores = np.full((len(self.agents), len(self.agents)), math.nan)
        for (i, j), pair in zip(self._places(), self.pairs, strict=True):
            scores[i, j], scores[j, i] = pair.score, 1.0 - pair.score
        return scores

    def intervals(self) -> npt.NDArray[np.float64]:
        """Returns float64 [K, K, 2], the 95% interval of each score; NaN on the diagonal."""
        bounds = np.full((len(self.agents), len(self.agents), 2), math.nan)
        for (i, j), pair in zip(self._places(), self.pairs, strict=True):
            low, high = pair.ci95
            bounds[i, j], bounds[j, i] = (low, high), (1.0 - high, 1.0 - low)
        return bounds

    def mean_scores(self) -> npt.NDArray[np.float64]:
        """Returns float64 [K], the mean of an agent's scores against the others."""
        return np.asarray(np.nanmean(self.payoff(), axis=1))

    def _places(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.agents)), 2))


def play_tournament(
    game: Game,
    agents: Mapping[str, Agent],
    *,
    games: int = 1000,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Plays all pairs; the same seeds and versions give the same games on any number of threads.

    Args:
        game: what is played.
        agents: who play, by name; at least two.
        games: of each pair; rounded up so that all sit everywhere equally often.
        seed: fixes all chance, the same for every pair.
        options: the game's options, `num_players` among them.
        threads: how many play compiled bots; None is all usable cores.
        progress: is told of finished games; in all there are `games_to_play`.

    Raises:
        ValueError: there are less than two agents, or `games` is not positive.
        UnknownAgentError: a bot was not made for the options.
    """
    if len(agents) < 2:
        raise ValueError("a tournament needs at least two agents")
    full = game.complete(options or {})
    both = _both_ways(game, full)

    def play(agent: str, opponent: str) -> Pair:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RepeatedGamesWarning)  # `Pair.samples` counts them
            result = evaluate(
                game,
                agents[agent],
                agents[opponent],
                games=-(-games // 2) if both else games,
                seed=seed,
                options=full,
                threads=threads,
                names=(agent, opponent),
                progress=progress,
            )
        return _pair(result)

    pairs = [
        _joined(play(first, second), play(second, first)) if both else play(first, second)
        for first, second in combinations(agents, 2)
    ]
    ratings = rate(tuple(agents), {(p.first, p.second): _scores(p) for p in pairs}, seed=seed)
    return Tournament(tuple(agents), full["num_players"], seed, tuple(pairs), ratings)


def games_to_play(game: Game, options: Mapping[str, Any], agents: int, games: int) -> int:
    """Returns how many games `play_tournament` tells to `progress` in all."""
    full = game.complete(options)
    seats = 1 if plays_apart(game, full) else full["num_players"]
    ways = 2 if _both_ways(game, full) else 1
    each = -(-games // ways)
    rounded = -(-each // seats) * seats
    return math.comb(agents, 2) * ways * rounded * (2 if plays_apart(game, full) else 1)


def how_compared(game: Game, options: Mapping[str, Any]) -> str:
    """Returns a sentence on what a score compares, for who reads the numbers."""
    full = game.complete(options)
    seats = full["num_players"]
    if seats == 1:
        return "One player alone: both play every seed, and who has more points wins."
    if game.is_cooperative(full):
        return "All play together: both play every seed at all seats, and the higher return wins."
    if seats > 2:
        return (
            f"{seats} players: one agent sits among {seats - 1} of the other, half of the games "
            "each way, and is compared with each of them by final points."
        )
    return "Two players: every seed is played from both seats."


def _both_ways(game: Game, options: Mapping[str, Any]) -> bool:
    return options["num_players"] > 2 and not plays_apart(game, options)


def _pair(result: Result) -> Pair:
    """Returns a pair that has played one way round."""
    wins, draws, losses = (
        sum(getattr(record, name) for record in result.by_seat) for name in _TALLY
    )
    return Pair(
        first=result.agent,
        second=result.opponent,
        games=result.games,
        score=result.score,
        ci95=result.ci95,
        wins=wins,
        draws=draws,
        losses=losses,
        distinct_games=result.distinct_games,
        illegal_moves=(result.illegal_moves, result.opponent_illegal_moves),
        points=(result.points, result.opponent_points),
        logs=(result.log,),
        seed_scores=result.seed_scores,
    )


_TALLY = ("wins", "draws", "losses")


def _joined(there: Pair, back: Pair) -> Pair:
    """Returns a pair that has played both ways round, equally often."""
    score = (there.score + (1.0 - back.score)) / 2
    means = (there.seed_scores + (1.0 - back.seed_scores)) / 2
    games, distinct = there.games + back.games, there.distinct_games + back.distinct_games
    few = distinct < games / 2
    return Pair(
        first=there.first,
        second=there.second,
        games=games,
        score=score,
        ci95=wilson(score, distinct) if few else paired(means, games),
        wins=there.wins + back.losses,
        draws=there.draws + back.draws,
        losses=there.losses + back.wins,
        distinct_games=distinct,
        illegal_moves=(
            there.illegal_moves[0] + back.illegal_moves[1],
            there.illegal_moves[1] + back.illegal_moves[0],
        ),
        points=(
            (there.points[0] + back.points[1]) / 2,
            (there.points[1] + back.points[0]) / 2,
        ),
        logs=(*there.logs, *back.logs),
        seed_scores=means,
    )


def _scores(pair: Pair) -> Scores:
    return Scores(pair.score, pair.samples, pair.seed_scores)
