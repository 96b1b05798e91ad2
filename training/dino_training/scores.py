"""Scores the policy on the ladder while it learns, and keeps the results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, FiniteFloat, NonNegativeInt, ValidationError

from dino_envs.agents import Agent, make_agent
from dino_envs.engine import DinoEnvsError, Game
from dino_envs.evaluation import Result, baselines, evaluate
from dino_envs.evaluation.report import as_json
from dino_training import disk
from dino_training.checkpoint import CheckpointError
from dino_training.config import Config, ConfigError
from dino_training.policy import Net, NetAgent


class SeatTally(BaseModel):
    """What the policy reached from one seat."""

    seat: int
    wins: int
    draws: int
    losses: int


class Rung(BaseModel):
    """What the policy reached against one opponent."""

    against: str
    games: int
    score: FiniteFloat
    ci95: tuple[FiniteFloat, FiniteFloat]
    by_seat: list[SeatTally]
    illegal_moves: int
    points: FiniteFloat
    opponent_points: FiniteFloat


class Evaluation(BaseModel):
    """An evaluation as it is kept: the policy after so many steps on the ladder."""

    steps: NonNegativeInt
    seconds: FiniteFloat
    mean_score: FiniteFloat
    seed: int
    results: list[Rung] = Field(min_length=1)


FILE = "evaluations.jsonl"
"""In a run's folder: a line of JSON for each evaluation, with the steps until then."""


def opponents(game: Game, config: Config) -> list[str]:
    """Returns the specs of the agents to be scored against, each once, the weakest first."""
    chosen = config.evaluation.against
    return baselines(game, config.options) if chosen is None else list(dict.fromkeys(chosen))


def ladder(game: Game, config: Config) -> dict[str, Agent]:
    """Returns the agents to be scored against by their specs, the weakest first.

    Raises:
        ConfigError: one of them cannot be made.
    """
    made = {}
    for spec in opponents(game, config):
        try:
            made[spec] = make_agent(spec, game, config.options)
        except DinoEnvsError as error:
            raise ConfigError(f"config: evaluation.against: {error}") from error
    return made


def score(
    game: Game,
    config: Config,
    net: Net,
    games: int,
    against: Mapping[str, Agent],
    name: str = "policy",
) -> list[Result]:
    """Plays seat-balanced games against each opponent, as the config says the policy plays."""
    agent = NetAgent(net, sample=config.evaluation.sample)
    return [
        evaluate(
            game,
            agent,
            other,
            games=games,
            seed=config.evaluation.seed,
            options=config.options,
            threads=config.threads or None,
            names=(name, opponent),
        )
        for opponent, other in against.items()
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


def keep(run: Path, line: dict[str, Any]) -> None:
    """Writes an evaluation after those of a run, in place of one after as many steps.

    Raises:
        CheckpointError: the file cannot be read or written; nothing has changed.
    """
    _write(run, {**_lines(run), line["steps"]: json.dumps(line).encode()})


def read(run: Path) -> tuple[list[Evaluation], int]:
    """Returns the evaluations of a run, and how many lines of its file cannot be read.

    Of several after as many steps, which were written once, the last one counts.

    Raises:
        CheckpointError: the file is there, but cannot be read.
    """
    path = run / FILE
    try:
        lines = path.read_bytes().splitlines() if path.exists() else []
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CheckpointError(f"cannot read {path}: {reason}") from error
    found: dict[int, Evaluation] = {}
    damaged = 0
    for line in lines:
        try:
            evaluation = Evaluation.model_validate_json(line)
        except ValidationError:  # cut short by a crash, or no text at all
            damaged += 1
        else:
            found[evaluation.steps] = evaluation
    return list(found.values()), damaged


def forget_after(run: Path, steps: int) -> None:
    """Drops the evaluations after so many steps: they belong to work that was lost.

    Raises:
        CheckpointError: the file cannot be read or written.
    """
    if (run / FILE).exists():
        _write(run, {at: line for at, line in _lines(run).items() if at <= steps})


def _lines(run: Path) -> dict[int, bytes]:
    """Returns the lines that can be read by their steps, of several of equal steps the last."""
    path = run / FILE
    try:
        lines = path.read_bytes().splitlines() if path.exists() else []
    except OSError as error:
        raise disk.cannot_save(run, path, error) from error
    return {steps: line for line in lines if (steps := _steps(line)) is not None}


def _steps(line: bytes) -> int | None:
    try:
        steps = json.loads(line)["steps"]
    except (ValueError, KeyError, TypeError):  # cut short by a crash, or no text at all
        return None
    return steps if isinstance(steps, int) else None


def _write(run: Path, lines: Mapping[int, bytes]) -> None:
    path = run / FILE
    try:
        disk.replace(path, b"".join(line + b"\n" for line in lines.values()))
    except OSError as error:
        raise disk.cannot_save(run, path, error) from error
