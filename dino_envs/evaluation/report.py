"""Reports results: a table for people, JSON for programs."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from dino_envs.engine import Game
from dino_envs.evaluation.score import Result, SeatRecord

_REQUIRED = ("dino-envs", "numpy", "numba", "gymnasium", "pettingzoo")
_OPTIONAL = ("torch", "stable-baselines3", "sb3-contrib")


def versions() -> dict[str, str]:
    """Returns the versions of Python and of the packages that results depend on."""
    found = {"python": platform.python_version()}
    for package in (*_REQUIRED, *_OPTIONAL):
        try:
            found[package.replace("-", "_")] = version(package)
        except PackageNotFoundError:
            continue
    return found


def as_json(
    game: Game, results: Sequence[Result], options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Returns one agent's results (at least one, all of one seed) as plain values for JSON."""
    return {
        "game": game.id,
        "version": game.version,
        "agent": results[0].agent,
        "seed": results[0].seed,
        "num_players": results[0].num_players,
        "options": game.complete({**(options or {}), "num_players": results[0].num_players}),
        "results": [_result(result) for result in results],
        "versions": versions(),
    }


def _result(result: Result) -> dict[str, Any]:
    return {
        "against": result.opponent,
        "games": result.games,
        "score": result.score,
        "ci95": list(result.ci95),
        "by_seat": [vars(record) for record in result.by_seat],
        "distinct_games": result.distinct_games,
        "illegal_moves": result.illegal_moves,
        "opponent_illegal_moves": result.opponent_illegal_moves,
        "points": result.points,
        "points_sd": result.points_sd,
        "points_quantiles": dict(zip(("5%", "50%", "95%"), result.points_quantiles, strict=True)),
        "opponent_points": result.opponent_points,
        "length": result.length,
    }


def dumps(report: Mapping[str, Any]) -> str:
    """Returns a report as the text of a JSON file."""
    return json.dumps(report, indent=2) + "\n"


def write_json(path: Path, report: Mapping[str, Any]) -> None:
    """Writes a report to a file, as a whole or not at all; raises `OSError` if it cannot."""
    target = path.resolve()  # a link stays a link
    if target.exists() and not target.is_file():  # a device or pipe is written to, not replaced
        target.write_text(dumps(report), encoding="utf-8")
        return
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with open(part, "w", encoding="utf-8") as file:
            file.write(dumps(report))
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def table(game: Game, results: Sequence[Result]) -> Table:
    """Returns one agent's results (at least one, all of one number of players) as a table."""
    seats = results[0].num_players
    told = f"{seats} players" + (", against each opponent at the table" if seats > 2 else "")
    grid = Table(
        title=f"{escape(results[0].agent)} in {game.title}, {'one player' if seats == 1 else told}",
        title_justify="left",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
    )
    grid.add_column("opponent", overflow="fold")
    headings, cells = (_ALONE, _alone) if seats == 1 else (_TOGETHER, _together)
    for heading in (*headings, "games", "illegal\nmoves"):
        grid.add_column(heading, justify="right", no_wrap=True)
    for result in results:
        grid.add_row(
            escape(result.opponent),
            *cells(result),
            f"{result.games:,}",
            str(result.illegal_moves),
        )
    grid.caption = "\n".join(escape(remark) for result in results for remark in _remarks(result))
    return grid


_TOGETHER = ("W/D/L\nby seat", "score", "95% interval")


def _together(result: Result) -> tuple[str, ...]:
    low, high = result.ci95
    tallies = "\n".join(map(_tally, result.by_seat))
    return tallies, f"{result.score:.4f}", f"{low:.4f}-{high:.4f}"


_ALONE = ("points, sd\n5/50/95%", "opponent's\npoints", "score\n95% interval")


def _alone(result: Result) -> tuple[str, ...]:
    low, high = result.ci95
    spread = "/".join(f"{points:g}" for points in result.points_quantiles)
    return (
        f"{result.points:.2f}, {result.points_sd:.2f}\n{spread}",
        f"{result.opponent_points:.2f}",
        f"{result.score:.4f}\n{low:.4f}-{high:.4f}",
    )


def _tally(record: SeatRecord) -> str:
    return f"{record.seat}: {record.wins}/{record.draws}/{record.losses}"


def _remarks(result: Result) -> Iterator[str]:
    if result.repetitive:
        yield f"against {result.opponent} only {result.distinct_games:,} games are distinct"
    if result.opponent_illegal_moves:
        yield f"{result.opponent} lost {result.opponent_illegal_moves:,} games by illegal moves"
