"""Scores the policy on the ladder while it learns, and keeps the results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dino_envs.engine import Game
from dino_envs.evaluation import Result, baselines, evaluate
from dino_envs.evaluation.report import as_json
from dino_training.checkpoint import CheckpointError
from dino_training.config import Config
from dino_training.policy import Net, NetAgent

FILE = "evaluations.jsonl"
"""In a run's folder: a line of JSON for each evaluation, with the steps until then."""


def opponents(game: Game, config: Config) -> list[str]:
    """Returns the specs of the agents to be scored against, the weakest first."""
    chosen = config.evaluation.against
    return baselines(game, config.options) if chosen is None else chosen


def score(game: Game, config: Config, net: Net, games: int, name: str = "policy") -> list[Result]:
    """Plays seat-balanced games, the policy taking its best actions, against each opponent."""
    agent = NetAgent(net)
    return [
        evaluate(
            game,
            agent,
            opponent,
            games=games,
            seed=config.evaluation.seed,
            options=config.options,
            threads=config.threads or None,
            names=(name, opponent),
        )
        for opponent in opponents(game, config)
    ]


def mean(results: Sequence[Result]) -> float:
    """Returns the mean score, by which the best checkpoint is chosen."""
    return sum(result.score for result in results) / len(results)


def record(
    game: Game, config: Config, results: Sequence[Result], steps: int, seconds: float
) -> dict[str, Any]:
    """Returns an evaluation as plain values for JSON."""
    report = as_json(game, results, config.options)
    return {"steps": steps, "seconds": round(seconds, 1), "mean_score": mean(results), **report}


def append(run: Path, line: dict[str, Any]) -> None:
    """Appends an evaluation to those of a run.

    Raises:
        CheckpointError: it cannot be written.
    """
    try:
        with open(run / FILE, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
    except OSError as error:
        raise CheckpointError(
            f"cannot write {run / FILE}: {error.strerror}. The checkpoints are untouched; make "
            f"room, then go on with --resume {run}"
        ) from error


def forget_after(run: Path, steps: int) -> None:
    """Drops the evaluations after so many steps: they belong to work that was lost."""
    path = run / FILE
    if not path.exists():
        return
    kept = []
    for line in path.read_text("utf-8").splitlines(keepends=True):
        try:
            known = json.loads(line)["steps"] <= steps
        except (ValueError, KeyError, TypeError):  # cut short by a crash
            known = False
        if known:
            kept.append(line)
    part = path.with_suffix(".part")
    part.write_text("".join(kept), "utf-8")
    part.replace(path)
