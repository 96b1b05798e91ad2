"""Collects what a report tells of a run: what was kept, and how the policy plays."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from dino_envs.agents import make_agent
from dino_envs.engine import ExactScore, Game
from dino_envs.evaluation import RepeatedGamesWarning, Result, baselines, evaluate
from dino_envs.evaluation.behaviour import Behaviour, watch_games
from dino_envs.evaluation.exact import exact_score, is_exact
from dino_envs.games import load
from dino_training import checkpoint, scores
from dino_training.checkpoint import Checkpoint
from dino_training.config import Config
from dino_training.run_league import Member, members
from dino_training.scores import Evaluation
from dino_training.train import resumed_config

POLICY = "policy"


@dataclass(frozen=True)
class Standing:
    """A checkpoint, and its own evaluation where it has one."""

    name: str
    steps: int
    evaluation: Evaluation | None


@dataclass(frozen=True)
class Run:
    """What a run has kept."""

    folder: Path
    game: Game
    config: Config
    checkpoint: Checkpoint
    """The one that is told of."""
    standings: tuple[Standing, ...]
    """It, and the best one if that is another."""
    evaluations: tuple[Evaluation, ...]
    damaged_lines: int

    @property
    def options(self) -> dict[str, Any]:
        """Returns all options of the game, as the policy is evaluated."""
        return self.game.complete(self.config.options)


@dataclass(frozen=True)
class Observed:
    """A run, and how its policy plays against the strongest scripted bot and its own past."""

    run: Run
    opponent: str
    result: Result
    behaviours: tuple[Behaviour, ...]
    """Of the policy, then of the opponent."""
    exact: ExactScore | None
    perfect: str
    """The bot that plays perfectly, where `exact` is known."""
    sampled: Result | None
    """The same score as `exact`, sampled."""
    league: tuple[Member, ...]
    """The checkpoint's pool of snapshots, and the policy against each; nobody for one player."""


def load_run(path: Path) -> Run:
    """Returns what a run has kept.

    Args:
        path: its folder (then its latest checkpoint is told of), or one of its checkpoints.

    Raises:
        CheckpointError: there is no run, or it is damaged.
        UnknownGameError: its game is not installed.
    """
    folder = checkpoint.run_of(checkpoint.find(path))
    found = checkpoint.load(path)
    game = load(found.description["game"])
    found = checkpoint.load(path, game)
    found.check_resumable()  # all that a run keeps, its config and time among them
    evaluations, damaged = scores.read(folder)
    return Run(
        folder=folder,
        game=game,
        config=resumed_config(game, path),
        checkpoint=found,
        standings=_standings(found, folder, game),
        evaluations=tuple(sorted(evaluations, key=lambda each: each.steps)),
        damaged_lines=damaged,
    )


def _standings(told: Checkpoint, folder: Path, game: Game) -> tuple[Standing, ...]:
    found = [told]
    if (folder / "best").is_file():
        best = checkpoint.load(folder / "best", game)
        if best.folder.name != told.folder.name:
            found.append(best)
    return tuple(_standing(each) for each in found)


def _standing(found: Checkpoint) -> Standing:
    kept = found.description.get("evaluation")
    evaluation = None
    if kept:
        try:
            evaluation = Evaluation.model_validate(kept)
        except ValidationError as error:
            told = "its evaluation cannot be read"
            raise checkpoint.damaged(found.folder, told) from error
    return Standing(found.folder.name, found.description["steps"], evaluation)


def observe(run: Run, games: int, seed: int, exact: bool, console: Console) -> Observed:
    """Plays the policy against the strongest bot and its own past, and computes what can be.

    Args:
        run: whose checkpoint plays.
        games: how many games are watched, and how many played against each snapshot.
        seed: fixes their chance.
        exact: whether the exact score is computed where the game is solved.
        console: shows what goes on.

    Raises:
        CheckpointError: the weights, the snapshots or what is known of them are damaged.
    """
    game, options = run.game, run.options
    agent = run.checkpoint.player()
    opponent = baselines(game, options)[-1]
    rivals = {POLICY: agent, opponent: make_agent(opponent, game, options)}
    with _doing(console) as doing, warnings.catch_warnings():
        warnings.simplefilter("ignore", RepeatedGamesWarning)  # the page says it
        doing(f"playing {games:,} games against {opponent}")
        behaviours = watch_games(game, rivals, games=games, seed=seed, options=options)
        arguments: dict[str, Any] = {"games": games, "seed": seed, "options": options}
        result = evaluate(game, agent, opponent, names=(POLICY, opponent), **arguments)
        found, sampled, perfect = None, None, ""
        if exact and game.exact is not None and is_exact(game, options):
            perfect, done = game.exact.against, 0

            def tell(positions: int) -> None:
                nonlocal done
                done += positions
                doing(f"computing the exact loss against {perfect}: {done:,} positions")

            found = exact_score(game, agent, options=options, progress=tell)
            names = (POLICY, perfect)
            sampled = result
            if perfect != opponent:
                sampled = evaluate(game, agent, perfect, names=names, **arguments)
        league = members(game, run.checkpoint, run.config, games, seed, doing)
    return Observed(run, opponent, result, tuple(behaviours), found, perfect, sampled, league)


@contextmanager
def _doing(console: Console) -> Iterator[Callable[[str], None]]:
    """Shows what goes on, and for how long, where there is a terminal."""
    columns = (TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("")
        yield lambda what: progress.update(task, description=what)
