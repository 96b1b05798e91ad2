"""Writes a benchmark as a table people read and as JSON, with the conditions it held in."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dino_envs.evaluation import Result
from dino_envs.evaluation.report import versions

RESULTS = Path(__file__).resolve().parent / "results"


def conditions() -> dict[str, Any]:
    """Returns what a figure depends on: machine, versions, commit, date."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {_processor()}",
        "load_before": round(os.getloadavg()[0], 2),
        "versions": versions(),
    }


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    if path.exists():
        for line in path.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()


def row_of(result: Result) -> dict[str, Any]:
    """Returns what the table says of a result."""
    together = result.win_rate is not None
    return {
        "players": result.num_players,
        "against": result.opponent,
        "score": f"{result.score:.4f}",
        "95% interval": f"{result.ci95[0]:.4f} to {result.ci95[1]:.4f}",
        "points": f"{result.points:.2f}",
        "against's points": f"{result.opponent_points:.2f}",
        "wins": f"{result.win_rate:.4f}" if together else "",
        "against's wins": f"{result.opponent_win_rate:.4f}" if together else "",
        "games": result.games,
        "illegal moves": result.illegal_moves,
    }


def kept(
    name: str, without: Callable[[dict[str, Any]], bool], folder: Path = RESULTS
) -> list[dict[str, Any]]:
    """Returns the rows of results/NAME.json but for those that are measured anew."""
    path = folder / f"{name}.json"
    rows = json.loads(path.read_text())["rows"] if path.exists() else []
    return [row for row in rows if not without(row)]


def write(
    name: str,
    title: str,
    where: dict[str, Any],
    rows: list[dict[str, Any]],
    folder: Path = RESULTS,
) -> None:
    """Writes results/NAME.json and results/NAME.md, and prints the table.

    Args:
        name: the file's name without its ending.
        title: what was measured.
        where: the `conditions()`, taken before measuring; of rows that were kept from before,
            the file's history tells theirs.
        rows: dictionaries; columns are those of the last one.
        folder: where results lie.
    """
    rows = [{column: row.get(column, "") for column in rows[-1]} for row in rows]
    folder.mkdir(parents=True, exist_ok=True)
    data = {"title": title, **where, "rows": rows}
    (folder / f"{name}.json").write_text(json.dumps(data, indent=2) + "\n")
    used = ", ".join(f"{key} {value}" for key, value in where["versions"].items())
    lines = [
        f"# {title}",
        "",
        f"{where['date']}, commit {where['commit']}; {where['machine']}; "
        f"load before the run {where['load_before']}; {used}.",
        "",
        "| " + " | ".join(rows[0]) + " |",
        "|" + "---|" * len(rows[0]),
        *("| " + " | ".join(map(str, row.values())) + " |" for row in rows),
        "",
    ]
    (folder / f"{name}.md").write_text("\n".join(lines))
    print("\n".join(lines))
