"""Rates agents by their scores against each other: Bradley and Terry's model, on Elo's scale.

Each agent has a strength s, and A scores 1 / (1 + 10^((s_B - s_A) / 400)) against B: 400 points
are a score of 10 to 1, 100 points one of 0.64. The strengths are those that make the scores most
likely; a draw counts as half a win for each. To what a pair has played half a win for each of the
two is added, so that a perfect score gives a finite rating, which says how strong an agent is at
least: it stands at the upper end of its interval. `random` has 0, or without it the agent
named first: only differences mean anything, and only among those who played.

The intervals are a bootstrap over seeds: the pairs have played the same seeds, so a seed is drawn
for all of them together. Where all seeds of a pair gave the same, or few were played, that tells
nothing of the spread: such a pair's score is drawn from the Beta distribution of its games (with
Jeffreys' half a win each) instead.

Sources: Bradley and Terry, "Rank analysis of incomplete block designs", 1952; Efron, "Bootstrap
methods", 1979; Elo, "The rating of chessplayers", 1978.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.evaluation.interval import FEW, Interval

ELO = 400.0 / np.log(10.0)
"""Elo points of one unit of the natural logarithm of the odds."""
ANCHOR = "random"
PRIOR = 0.5
"""Wins of each of a pair that are added to what they have played."""
RESAMPLES = 1000

_TOGETHER = 100
_LONGEST_STEP = 1.0
_CLOSE = 1e-10
_STEPS = 200

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Scores:
    """What the first of a pair reached against the second."""

    score: float
    games: int
    by_seed: Array
    """float64 [S]: the score in the games of each seed."""


@dataclass(frozen=True)
class Rating:
    """The strength of an agent on Elo's scale, with its 95% interval."""

    agent: str
    rating: float
    ci95: Interval


@dataclass(frozen=True)
class Ratings:
    """The ratings of all agents, in their order."""

    anchor: str
    """Who has 0."""
    of: tuple[Rating, ...]

    def ranked(self) -> list[Rating]:
        """Returns the ratings, the strongest first."""
        return sorted(self.of, key=lambda rating: -rating.rating)


def rate(
    agents: Sequence[str],
    scores: Mapping[tuple[str, str], Scores],
    *,
    anchor: str | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Ratings:
    """Rates agents by the scores of those pairs that have played.

    Args:
        agents: their names.
        scores: by the names of a pair; every agent must be linked to every other by pairs.
        anchor: who has 0; None is `random`, or without it the first.
        seed: fixes the bootstrap.
        resamples: how often it draws the seeds anew.
    """
    chosen = anchor or (ANCHOR if ANCHOR in agents else agents[0])
    number = {agent: i for i, agent in enumerate(agents)}
    places = np.array([[number[first], number[second]] for first, second in scores])
    games = np.array([each.games for each in scores.values()], np.float64)
    found = np.array([[each.score for each in scores.values()]])
    drawn = _drawn(list(scores.values()), resamples, np.random.default_rng(seed))
    fitted = strengths(places, found, games, len(agents))[0]
    spread = strengths(places, drawn, games, len(agents))
    zero = number[chosen]
    elo = ELO * (fitted - fitted[zero])
    low, high = np.quantile(ELO * (spread - spread[:, [zero]]), (0.025, 0.975), axis=0)
    return Ratings(
        chosen,
        tuple(
            Rating(agent, float(elo[i]), (float(min(low[i], elo[i])), float(max(high[i], elo[i]))))
            for agent, i in number.items()
        ),
    )


def strengths(places: npt.NDArray[Any], scores: Array, games: Array, agents: int) -> Array:
    """Returns the most likely strengths, float64 [R, K], natural logarithms of odds, mean 0.

    Newton's method on the likelihood, which is concave; a step is cut to a length of 1.

    Args:
        places: int [M, 2], the agents of each pair that has played.
        scores: [R, M], of the first of each pair, in R tables of results.
        games: [M], how many they played.
        agents: K.
    """
    total = games + 2 * PRIOR
    won = scores * games + PRIOR
    first, second = places[:, 0], places[:, 1]
    differences = np.zeros((len(places), agents))
    differences[np.arange(len(places)), first] = 1.0
    differences[np.arange(len(places)), second] = -1.0
    found = np.zeros((len(scores), agents))
    for _ in range(_STEPS):
        expected = 1.0 / (1.0 + np.exp(found[:, second] - found[:, first]))
        slope = (won - total * expected) @ differences
        weight = total * expected * (1.0 - expected)
        curvature = np.einsum("rm,mi,mj->rij", weight, differences, differences)
        curvature += 1.0 / agents  # pins the mean, which is free, and changes nothing else
        step = np.linalg.solve(curvature, slope[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        found += step * np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _CLOSE))
        if longest.max() < _CLOSE:
            break
    return np.asarray(found - found.mean(axis=1, keepdims=True))


def _drawn(scores: Sequence[Scores], resamples: int, rng: np.random.Generator) -> Array:
    """Returns scores [R, M] of pairs in which the seeds are drawn anew, with replacement."""
    seeds = min(len(each.by_seed) for each in scores)
    drawn = np.zeros((resamples, len(scores)))
    by_seed = np.column_stack([each.by_seed[:seeds] for each in scores])
    for start in range(0, resamples, _TOGETHER):
        count = min(_TOGETHER, resamples - start)
        times = rng.multinomial(seeds, np.full(seeds, 1.0 / seeds), size=count)
        drawn[start : start + count] = times @ by_seed / seeds
    for i, each in enumerate(scores):
        alike = seeds < FEW or np.ptp(each.by_seed) == 0.0
        if alike or each.games < len(each.by_seed) / 2:
            won = each.score * each.games
            drawn[:, i] = rng.beta(won + 0.5, each.games - won + 0.5, size=resamples)
    return drawn
