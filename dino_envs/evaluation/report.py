"""Reports results: a table for people, JSON for programs."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    told = {
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
    if result.win_rate_ci95 is not None and result.opponent_win_rate_ci95 is not None:
        told["win_rate"] = result.win_rate
        told["win_rate_ci95"] = list(result.win_rate_ci95)
        told["opponent_win_rate"] = result.opponent_win_rate
        told["opponent_win_rate_ci95"] = list(result.opponent_win_rate_ci95)
    return told


def dumps(report: Mapping[str, Any]) -> str:
    """Returns a report as the text of a JSON file."""
    return json.dumps(report, indent=2) + "\n"


def write_json(path: Path, report: Mapping[str, Any]) -> None:
    """Writes a report to a file, as a whole or not at all; raises `OSError` if it cannot."""
    write_text(path, dumps(report))


def write_text(path: Path, text: str) -> None:
    """Writes a text to a file, as a whole or not at all; raises `OSError` if it cannot."""
    target = path.resolve()  # a link stays a link
    if target.exists() and not target.is_file():  # a device or pipe is written to, not replaced
        target.write_text(text, encoding="utf-8")
        return
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with open(part, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def table(game: Game, results: Sequence[Result]) -> Table:
    """Returns one agent's results (at least one, all of one number of players) as a table."""
    told, headings, cells = _kind(results[0])
    grid = Table(
        title=f"{escape(results[0].agent)} in {game.title}, {told}",
        title_justify="left",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
    )
    grid.add_column("opponent", overflow="fold")
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


def _kind(result: Result) -> tuple[str, tuple[str, ...], Callable[[Result], tuple[str, ...]]]:
    """Returns what is told of the players, the headings that follow from it, and their cells."""
    seats = result.num_players
    if seats == 1:
        return "one player", _ALONE, _alone
    if result.win_rate is not None:
        return f"{seats} players together", _TOGETHER, _together
    told = f"{seats} players" + (", against each opponent at the table" if seats > 2 else "")
    return told, _AGAINST, _against


_AGAINST = ("W/D/L\nby seat", "score", "95% interval")


def _against(result: Result) -> tuple[str, ...]:
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


_TOGETHER = ("wins\n95% interval", "opponent's wins\n95% interval", "score\n95% interval")


def _together(result: Result) -> tuple[str, ...]:
    shares = (
        (result.win_rate, result.win_rate_ci95),
        (result.opponent_win_rate, result.opponent_win_rate_ci95),
        (result.score, result.ci95),
    )
    return tuple(
        f"{share:.4f}\n{interval[0]:.4f}-{interval[1]:.4f}"
        for share, interval in shares
        if interval is not None
    )


def _tally(record: SeatRecord) -> str:
    return f"{record.seat}: {record.wins}/{record.draws}/{record.losses}"


def _remarks(result: Result) -> Iterator[str]:
    if result.repetitive:
        yield f"against {result.opponent} only {result.distinct_games:,} games are distinct"
    if result.opponent_illegal_moves:
        yield f"{result.opponent} lost {result.opponent_illegal_moves:,} games by illegal moves"
