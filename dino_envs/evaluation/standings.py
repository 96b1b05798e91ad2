"""Reports a tournament: tables for people, JSON and CSV for programs, pictures."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from dino_envs.engine import Game
from dino_envs.evaluation import plots
from dino_envs.evaluation.ratings import PRIOR
from dino_envs.evaluation.report import versions, write_json, write_text
from dino_envs.evaluation.tournament import Pair, Tournament, how_compared

FILES = ("tournament.json", "ratings.csv", "payoff.csv", "payoff.png", "ratings.png")
_DIGITS = 2
"""Decimals of a rating that are told."""


def as_json(
    game: Game, played: Tournament, options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Returns a tournament as plain values for JSON."""
    full = game.complete({**(options or {}), "num_players": played.num_players})
    payoff = played.payoff().tolist()
    return {
        "game": game.id,
        "version": game.version,
        "agents": list(played.agents),
        "seed": played.seed,
        "num_players": played.num_players,
        "options": full,
        "compared": how_compared(game, full),
        "scale": f"Bradley-Terry on Elo's scale: {played.ratings.anchor} has 0, 400 points are "
        f"odds of 10 to 1; each pair was given {PRIOR:g} wins each; bootstrap over seeds",
        "ratings": [
            {
                "agent": each.agent,
                "rating": _rounded(each.rating),
                "ci95": [_rounded(bound) for bound in each.ci95],
            }
            for each in played.ratings.ranked()
        ],
        "payoff": [[None if math.isnan(score) else score for score in row] for row in payoff],
        "pairs": [_pair(pair) for pair in played.pairs],
        "versions": versions(),
    }


def _rounded(rating: float) -> float:
    return round(rating, _DIGITS) + 0.0  # no -0.0


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "agent": pair.first,
        "against": pair.second,
        "games": pair.games,
        "score": pair.score,
        "ci95": list(pair.ci95),
        "wins": pair.wins,
        "draws": pair.draws,
        "losses": pair.losses,
        "distinct_games": pair.distinct_games,
        "illegal_moves": pair.illegal_moves[0],
        "opponent_illegal_moves": pair.illegal_moves[1],
        "points": pair.points[0],
        "opponent_points": pair.points[1],
        "logs": list(pair.logs),
    }


def ratings_csv(played: Tournament) -> str:
    """Returns the ratings as CSV, the strongest first."""
    means = dict(zip(played.agents, played.mean_scores().tolist(), strict=True))
    rows = [
        (each.agent, *map(_rounded, (each.rating, *each.ci95)), f"{means[each.agent]:.6f}")
        for each in played.ratings.ranked()
    ]
    return _csv(("agent", "rating", "low", "high", "mean_score"), rows)


def payoff_csv(played: Tournament) -> str:
    """Returns every agent's score against every other as CSV, a row for each."""
    rows = []
    for pair in played.pairs:
        low, high = pair.ci95
        ahead = (pair.score, low, high)
        behind = (1.0 - pair.score, 1.0 - high, 1.0 - low)
        tally = (pair.wins, pair.draws, pair.losses)
        rows.append((pair.first, pair.second, *_decimals(ahead), *tally, pair.games))
        rows.append((pair.second, pair.first, *_decimals(behind), *tally[::-1], pair.games))
    order = {agent: i for i, agent in enumerate(played.agents)}
    rows.sort(key=lambda row: (order[str(row[0])], order[str(row[1])]))
    told = ("agent", "against", "score", "low", "high", "wins", "draws", "losses", "games")
    return _csv(told, rows)


def _decimals(values: Iterable[float]) -> list[str]:
    return [f"{value:.6f}" for value in values]


def _csv(headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return page.getvalue()


def write(
    folder: Path, game: Game, played: Tournament, options: Mapping[str, Any] | None = None
) -> None:
    """Writes the `FILES` of a tournament into a folder that is there.

    Raises:
        OSError: one cannot be written.
        ModuleNotFoundError: matplotlib is not installed.
    """
    write_json(folder / "tournament.json", as_json(game, played, options))
    write_text(folder / "ratings.csv", ratings_csv(played))
    write_text(folder / "payoff.csv", payoff_csv(played))
    (folder / "payoff.png").write_bytes(plots.png(plots.heat_map(game.title, played)))
    (folder / "ratings.png").write_bytes(plots.png(plots.rating_plot(game.title, played)))


def payoff_table(game: Game, played: Tournament, options: Mapping[str, Any]) -> Table:
    """Returns the score of every agent against every other, with its interval, as a table."""
    grid = _table(f"{game.title}: the score of the row against the column, 95% interval")
    grid.add_column("", overflow="fold")
    for number in range(len(played.agents)):
        grid.add_column(str(number + 1), justify="right", no_wrap=True)
    scores, bounds = played.payoff(), played.intervals()
    for i, agent in enumerate(played.agents):
        cells = [
            "" if i == j else f"{scores[i, j]:.4f}\n{bounds[i, j, 0]:.3f}-{bounds[i, j, 1]:.3f}"
            for j in range(len(played.agents))
        ]
        grid.add_row(escape(f"{i + 1} {agent}"), *cells)
    remarks = [how_compared(game, options)]
    for pair in played.pairs:
        if pair.samples < pair.games:
            told = f"only {pair.distinct_games:,} of {pair.games:,} games are distinct"
            remarks.append(f"{pair.first} against {pair.second}: {told}")
        for who, illegal in zip((pair.first, pair.second), pair.illegal_moves, strict=True):
            if illegal:
                remarks.append(f"{who} lost {illegal:,} games by illegal moves")
    grid.caption = "\n".join(map(escape, remarks))
    return grid


def ratings_table(played: Tournament) -> Table:
    """Returns the ratings as a table, the strongest first."""
    games = played.pairs[0].games
    title = f"Ratings: {played.ratings.anchor} has 0, 400 are odds of 10 to 1"
    grid = _table(f"{title}; {games:,} games a pair")
    grid.add_column("agent", overflow="fold")
    for heading in ("rating", "95% interval", "mean score"):
        grid.add_column(heading, justify="right", no_wrap=True)
    means = dict(zip(played.agents, played.mean_scores().tolist(), strict=True))
    for each in played.ratings.ranked():
        low, high = each.ci95
        cells = (f"{each.rating + 0.0:.0f}", f"{low:.0f} to {high:.0f}", f"{means[each.agent]:.4f}")
        grid.add_row(escape(each.agent), *cells)
    return grid


def _table(title: str) -> Table:
    return Table(
        title=escape(title),
        title_justify="left",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
    )
