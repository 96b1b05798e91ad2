"""Trains a policy: the loop, its checkpoints and evaluations."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from dino_envs.engine import DinoEnvsError, Game
from dino_envs.evaluation import Result
from dino_envs.games import load
from dino_training import checkpoint, disk, scores
from dino_training.checkpoint import Checkpoint, CheckpointError
from dino_training.config import Config, ConfigError
from dino_training.learner import Learner
from dino_training.progress import TrainingProgress

_MAY_CHANGE = {"total_steps", "threads", "ppo", "evaluation", "saving"}
"""What of a config may differ when a run is resumed."""


class RunExistsError(DinoEnvsError, FileExistsError):
    """The folder for a new run holds one already."""


class Run:
    """One run: a learner, and its folder of checkpoints, logs and evaluations."""

    def __init__(self, game: Game, config: Config, folder: Path, console: Console) -> None:
        self.game, self.config, self.folder, self.console = game, config, folder, console
        self.learner = Learner(game, config)
        self.best: dict[str, Any] = {}
        self.latest: dict[str, Any] = {}
        self.seconds = 0.0
        self._since = time.monotonic()
        self._saved_at = self._since
        self._seen, self._saved = 0, -1

    def resume(self, found: Checkpoint) -> None:
        """Goes on from a checkpoint of the run."""
        told = found.description
        _check_config(Config.model_validate(told["config"]), self.config)
        self.learner.restore(found)
        self.seconds, self.best, self.latest = told["seconds"], told["best"], told["evaluation"]
        self._seen = self._saved = self.learner.steps
        scores.forget_after(self.folder, self._seen)
        if self.best:
            disk.point(self.folder, "best", self.best["checkpoint"])
        self.console.print(
            f"resuming {self.folder} from {found.folder.name}: {self.learner.steps:,} of "
            f"{self.config.total_steps:,} steps, {_clock(self.seconds)} of training",
            highlight=False,
        )

    def learn(self) -> None:
        """Trains to the end of the run, then scores and saves the final policy."""
        model, total = self.learner.model, self.config.total_steps
        model.set_logger(configure(str(self.folder / "tensorboard"), ["tensorboard"]))
        with TrainingProgress(self.console, total, self.learner.steps) as progress:
            self.progress = progress
            if self.learner.steps < total:
                started = self.learner.steps > 0
                model.learn(
                    total - self.learner.steps,
                    callback=_BetweenUpdates(self),
                    reset_num_timesteps=not started,
                )
            self.results = self.evaluate(self.config.evaluation.final_games)
            if self._saved != self.learner.steps:
                self.save()

    def between_updates(self) -> None:
        """Does what is due before the next games are played."""
        steps, config = self.learner.steps, self.config
        if steps == self._seen:
            return
        if self._due(config.opponents.snapshot_every):
            self.learner.env.add_snapshot(self.learner.net())
        evaluating = self._due(config.evaluation.every)
        saving = time.monotonic() - self._saved_at >= config.saving.every_seconds
        saving |= self._due(config.saving.every_steps)
        self._seen = steps
        if evaluating:
            self.evaluate(config.evaluation.games)
        if evaluating or saving:
            self.save()

    def _due(self, every: int) -> bool:
        """Returns whether a multiple of `every` has been passed since the last update."""
        return every > 0 and self.learner.steps // every > self._seen // every

    def evaluate(self, games: int) -> list[Result]:
        """Scores the policy, shows and records it."""
        self.progress.doing("evaluating")
        steps = self.learner.steps
        results = scores.score(self.game, self.config, self.learner.net(), games)
        if results:
            self.progress.scores(steps, results)
            elapsed = self.elapsed
            self.latest = scores.record(self.game, self.config, results, steps, elapsed)
            scores.append(self.folder, self.latest)
            for result in results:
                self.learner.model.logger.record(f"ladder/{result.opponent}", result.score)
            mean = self.latest["mean_score"]
            if mean >= self.best.get("mean_score", 0.0):
                self.best = {"checkpoint": _name(steps), "mean_score": mean}
        self.progress.doing("training")
        return results

    @property
    def elapsed(self) -> float:
        """Returns seconds of training, those before a resume included."""
        return self.seconds + time.monotonic() - self._since

    def save(self) -> Path:
        """Writes a checkpoint, and deletes those no longer kept."""
        name = _name(self.learner.steps)
        description = {
            "format": checkpoint.FORMAT,
            **self.learner.description(),
            "seconds": round(self.elapsed, 1),
            "evaluation": self.latest,
            "best": self.best,
        }
        written = disk.write_checkpoint(self.folder, name, description, self.learner.files())
        if self.best.get("checkpoint") == name:
            disk.point(self.folder, "best", name)
        disk.prune(self.folder, self.config.saving.keep, [self.best.get("checkpoint", "")])
        self._saved, self._saved_at = self.learner.steps, time.monotonic()
        return written


class _BetweenUpdates(BaseCallback):
    """Gives the run control where a checkpoint can be written: after an update."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run
        self.paid = dict(run.learner.env.paid)

    def _on_rollout_start(self) -> None:
        self.run.between_updates()

    def _on_rollout_end(self) -> None:
        run, ppo = self.run, self.run.config.ppo
        done = min(1.0, run.learner.steps / run.config.total_steps)
        run.learner.model.ent_coef = ppo.ent_coef + done * (ppo.final_ent_coef - ppo.ent_coef)
        for name, (games, total) in run.learner.env.paid.items():
            games_before, total_before = self.paid.get(name, (0, 0.0))
            if games > games_before:
                mean = (total - total_before) / (games - games_before)
                self.logger.record(f"return/{name}", mean)
        self.paid = dict(run.learner.env.paid)

    def _on_step(self) -> bool:
        self.run.progress.advance(self.run.learner.steps)
        return True


def train(
    game_id: str,
    config: Config,
    out: Path,
    resume: bool = False,
    console: Console | None = None,
) -> Path:
    """Trains a policy and returns the folder of its final checkpoint.

    Args:
        game_id: what is learnt.
        config: how; see `load_config`.
        out: the run's folder. Checkpoints, `evaluations.jsonl` and TensorBoard logs go there.
        resume: go on with the run that is there, from its latest checkpoint.
        console: where progress is shown; None is stderr.

    Raises:
        RunExistsError: `out` holds a run and `resume` is False.
        CheckpointError: there is nothing to resume, or `out` cannot be written.
        ConfigError: the config is not the resumed run's.
    """
    return trained(load(game_id), config, out, resume, console)[0]


def trained(
    game: Game, config: Config, out: Path, resume: bool, console: Console | None = None
) -> tuple[Path, Sequence[Result]]:
    """Trains, and returns the final checkpoint's folder and its results; see `train`."""
    found = checkpoint.load(out, game) if resume else None
    if found is None and any(out.glob("checkpoint-*")):
        raise RunExistsError(
            f"{out} holds a run: go on with --resume {out}, or choose another --out"
        )
    disk.make_run_folder(out)
    run = Run(game, config, out, console or Console(stderr=True))
    if found is not None:
        run.resume(found)
    run.learn()
    return out / _name(run.learner.steps), run.results


def resumed_config(game: Game, out: Path) -> Config:
    """Returns the config of the run in a folder.

    Raises:
        CheckpointError: there is no run, or of another game.
    """
    found = checkpoint.load(out, game)
    try:
        return Config.model_validate(found.description["config"])
    except (KeyError, ValueError) as error:
        raise CheckpointError(
            f"{found.folder} holds no config that can be used: {error}"
        ) from error


def _check_config(before: Config, now: Config) -> None:
    changed = [
        key
        for key in Config.model_fields
        if key not in _MAY_CHANGE and getattr(before, key) != getattr(now, key)
    ]
    if changed:
        raise ConfigError(
            f"a resumed run keeps its {', '.join(changed)}; only "
            f"{', '.join(sorted(_MAY_CHANGE))} may change"
        )


def _name(steps: int) -> str:
    return f"checkpoint-{steps}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
