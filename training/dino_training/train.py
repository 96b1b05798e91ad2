"""Trains a policy: the loop, its checkpoints and evaluations."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from rich.console import Console
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from dino_envs.engine import DinoEnvsError, Game
from dino_envs.evaluation import Result
from dino_envs.games import load
from dino_training import algorithms, checkpoint, disk, lock, scores, stopping
from dino_training.checkpoint import Checkpoint
from dino_training.config import Config, ConfigError
from dino_training.config_text import describe
from dino_training.imitation import imitate, teacher
from dino_training.learner import Learner
from dino_training.progress import TrainingProgress, say

_MAY_CHANGE = {"total_steps", "threads", "ppo", "dqn", "evaluation", "saving"}
"""What of a config may differ when a run is resumed, but for the size of DQN's replay buffer."""


OnEvaluation = Callable[[dict[str, Any]], None]


class RunExistsError(DinoEnvsError, FileExistsError):
    """The folder for a new run holds one already."""


class DivergenceError(DinoEnvsError, ArithmeticError):
    """Learning has come to weights that are no numbers, or beyond all bounds."""


class Run:
    """One run: a learner, and its folder of checkpoints, logs and evaluations."""

    def __init__(
        self, game: Game, config: Config, folder: Path, console: Console, done: int = 0
    ) -> None:
        self.game, self.config, self.folder, self.console = game, config, folder, console
        self.teacher = teacher(game, config, done)
        self.ladder = scores.ladder(game, config)
        self.learner = Learner(game, config)
        self.best: dict[str, Any] = {}
        self.latest: dict[str, Any] = {}
        self.seconds = 0.0
        self._since = time.monotonic()
        self._saved_at = self._since
        self._seen, self._saved = 0, -1
        self._owed, self._has_written = False, False
        self.on_evaluation: OnEvaluation | None = None
        self.stop = stopping.Stop()

    def resume(self, found: Checkpoint) -> None:
        """Goes on from a checkpoint of the run; what was learnt after it is lost work.

        Its checkpoints stay until the next one is written.

        Raises:
            CheckpointError: it is damaged.
            ConfigError: the config is not the run's.
        """
        found.check_resumable()
        if checkpoint.steps_of(found.folder.name) != found.description["steps"]:
            raise checkpoint.damaged(found.folder, "its name is not that of its steps")
        told, before = found.description, _config_of(found)
        _check_config(before, self.config)
        self.learner.restore(found)
        self.seconds, self.best, self.latest = told["seconds"], told["best"], told["evaluation"]
        self._owed = told.get("evaluation_due", False)
        self._seen = self._saved = self.learner.steps
        self._forget_later_work(found.folder.name)
        same_play = before.evaluation.sample == self.config.evaluation.sample
        if not same_play or scores.opponents(self.game, before) != list(self.ladder):
            self.best = {}  # mean scores of another ladder, or other play, cannot be compared
        if self.best.get("checkpoint") not in disk.numbered(self.folder):
            self.best = {}
        if self.best:
            disk.point(self.folder, "best", self.best["checkpoint"])
        say(
            self.console,
            f"resuming {self.folder} from {found.folder.name}: {self.learner.steps:,} of "
            f"{self.config.total_steps:,} steps, {_clock(self.seconds)} of training",
        )

    def _forget_later_work(self, name: str) -> None:
        steps = self.learner.steps
        scores.forget_after(self.folder, steps - self._owed)
        disk.point(self.folder, "latest", name)
        found = disk.numbered(self.folder)
        later = sorted((other for other in found if found[other] > steps), key=found.__getitem__)
        if later:
            say(self.console, f"the next checkpoint takes the place of {', '.join(later)}")

    def learn(self) -> None:
        """Trains to the end of the run, then saves and scores the final policy.

        Ctrl-C and SIGTERM end it at the next update, which is saved; twice, at once.

        Raises:
            DivergenceError: the weights are no longer numbers; the checkpoints are from before.
            KeyboardInterrupt: it was stopped.
        """
        model, total = self.learner.model, self.config.total_steps
        model.set_logger(configure(str(self.folder / "tensorboard"), ["tensorboard"]))
        with TrainingProgress(self.console, total, self.learner.steps) as progress:
            self.progress = progress
            with stopping.heeded() as self.stop:
                if self.learner.steps < total:
                    self._learn_all()
                self._check_divergence()
                if self._saved != self.learner.steps:
                    self.save()
                self._stop_if_asked()
            self.results = self.evaluate(self.config.evaluation.final_games)

    def _learn_all(self) -> None:
        model, total = self.learner.model, self.config.total_steps
        try:
            self._imitate()
            model.learn(
                total - self.learner.steps,
                callback=_BetweenUpdates(self),
                log_interval=algorithms.log_interval(self.config),
                reset_num_timesteps=self.learner.steps == 0,
            )
        except ValueError as error:  # no action can be drawn, or an illegal one was
            self._check_divergence(error)
            raise

    def _imitate(self) -> None:
        """Copies the config's teacher, if there is one and it is not over yet."""
        if self.teacher is None:
            return
        told = self.config.imitation
        until = min(told.steps, self.config.total_steps)
        self.progress.doing(f"copying {told.agent}")
        model, env = self.learner.model, self.learner.env
        for steps in imitate(model, env, self.teacher, until, told.learning_rate):
            self.progress.advance(steps)
            self.between_updates()
            self.progress.doing(f"copying {told.agent}")
        self.progress.doing("training")

    def between_updates(self) -> None:
        """Does what is due before the next games are played."""
        steps, config = self.learner.steps, self.config
        self._check_divergence()
        self.learner.env.reweigh()
        if self._owed:
            self._evaluate_on_the_way()
        if steps == self._seen:
            self._stop_if_asked()
            return
        if self._due(config.opponents.snapshot_every):
            self.learner.env.add_snapshot(self.learner.net(), steps)
        self._owed = self._due(config.evaluation.every)
        saving = time.monotonic() - self._saved_at >= config.saving.every_seconds
        saving |= self._due(config.saving.every_steps)
        self._seen = steps
        if self._owed or saving or self.stop.asked:
            self.save()
        self._stop_if_asked()
        if self._owed:
            self._evaluate_on_the_way()

    def _stop_if_asked(self) -> None:
        if self.stop.asked:
            raise KeyboardInterrupt

    def _evaluate_on_the_way(self) -> None:
        results = self.evaluate(self.config.evaluation.games)
        if results and self.on_evaluation is not None:
            self.on_evaluation(self.latest)

    def _due(self, every: int) -> bool:
        """Returns whether a multiple of `every` has been passed since the last update."""
        return every > 0 and self.learner.steps // every > self._seen // every

    def evaluate(self, games: int) -> list[Result]:
        """Scores the policy just saved, shows it and records it, in its checkpoint too."""
        self.progress.doing("evaluating")
        steps = self.learner.steps
        results = scores.score(self.game, self.config, self.learner.net(), games, self.ladder)
        self._owed = False
        if results:
            self.progress.scores(steps, results)
            elapsed = self.elapsed
            self.latest = scores.record(self.game, self.config, results, steps, elapsed)
            scores.keep(self.folder, self.latest)
            for result in results:
                self.learner.model.logger.record(f"ladder/{result.opponent}", result.score)
            if results[0].num_players == 1:
                self.learner.model.logger.record("ladder/points", results[0].points)
            if results[0].win_rate is not None:
                self.learner.model.logger.record("ladder/win_rate", results[0].win_rate)
            mean = self.latest["mean_score"]
            if mean >= self.best.get("mean_score", 0.0):
                self.best = {"checkpoint": _name(steps), "mean_score": mean}
        disk.change_description(self.folder / _name(steps), self._told())
        self._keep()
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
            **self._told(),
        }
        written = disk.write_checkpoint(self.folder, name, description, self.learner.files())
        self._has_written = True
        self._keep()
        self._saved, self._saved_at = self.learner.steps, time.monotonic()
        return written

    def _told(self) -> dict[str, Any]:
        """Returns what a checkpoint says about the run, by whose present config it is scored."""
        return {
            "config": self.config.model_dump(),
            "seconds": round(self.elapsed, 1),
            "evaluation": self.latest,
            "evaluation_due": self._owed,
            "best": self.best,
        }

    def _keep(self) -> None:
        best = self.best.get("checkpoint", "")
        if best and best != disk.pointed(self.folder, "best"):
            disk.point(self.folder, "best", best)
        if self._has_written:  # until then what was found is all there is, later work included
            disk.prune(self.folder, self.config.saving.keep, [best])

    def _check_divergence(self, cause: Exception | None = None) -> None:
        if not self.learner.has_diverged():
            return
        section, rate = self.config.section, self.config.learning.learning_rate
        saved = disk.pointed(self.folder, "latest")
        after = f", or go on from {saved} with --resume {self.folder}" if saved else ""
        raise DivergenceError(
            f"learning diverged by step {self.learner.steps:,}: the network's weights or answers "
            f"have left all bounds. Try a lower {section}.learning_rate than {rate:g} or a lower "
            f"{section}.max_grad_norm: start again{after}"
        ) from cause


class _BetweenUpdates(BaseCallback):
    """Gives the run control where a checkpoint can be written: after an update."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run
        self.paid, self.illegal = dict(run.learner.env.paid), run.learner.env.illegal

    def _on_rollout_start(self) -> None:
        self.run.between_updates()

    def _on_rollout_end(self) -> None:
        env, config = self.run.learner.env, self.run.config
        algorithms.set_progress(self.run.learner.model, config)
        for name, (games, total) in env.paid.items():
            games_before, total_before = self.paid.get(name, (0, 0.0))
            if games > games_before:
                mean = (total - total_before) / (games - games_before)
                self.logger.record_mean(f"return/{name}", mean)
        if config.algorithm == "ppo":
            share = (env.illegal - self.illegal) / config.update
            self.logger.record_mean("train/illegal_actions", share)
        self.paid, self.illegal = dict(env.paid), env.illegal

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
        resume: go on with the run that is there, from its latest checkpoint; or `out` is one of
            its checkpoints or pointers, and the run goes on from that one.
        console: where progress is shown; None is stderr.

    Raises:
        RunExistsError: `out` holds a run and `resume` is False.
        RunInUseError: another process trains there.
        CheckpointError: there is nothing to resume, or `out` cannot be written.
        ConfigError: the config is not the resumed run's, or names opponents there are not.
        DivergenceError: learning has come to weights that are no numbers.
    """
    return trained(load(game_id), config, out, resume, console)[0]


def trained(
    game: Game,
    config: Config,
    out: Path,
    resume: bool,
    console: Console | None = None,
    on_evaluation: OnEvaluation | None = None,
) -> tuple[Path, Sequence[Result]]:
    """Trains, and returns the final checkpoint's folder and its results; see `train`.

    `on_evaluation` is called with what is recorded of each evaluation on the way; what it raises
    ends the run there.
    """
    folder = checkpoint.run_of(checkpoint.find(out)) if resume else out
    disk.make_run_folder(folder)
    with disk.full_disk_named(folder), lock.hold(folder):
        found = checkpoint.load(out, game) if resume else None
        if found is None and any(folder.glob("checkpoint-*")):
            raise RunExistsError(
                f"{folder} holds a run: go on with --resume {folder}, or choose another --out"
            )
        console = console or Console(stderr=True)
        done = found.description["steps"] if found is not None else 0
        say(console, f"training {game.id} into {folder}{_length(config, done)}{_copying(config)}")
        run = Run(game, config, folder, console, done)
        run.on_evaluation = on_evaluation
        if found is not None:
            run.resume(found)
        run.learn()
    return folder / _name(run.learner.steps), run.results


def _length(config: Config, done: int) -> str:
    """Returns words for a run that is over, or ends later than told, as no update is cut short."""
    update, total = config.update, config.total_steps
    if done >= total:
        return f"; total_steps {total:,} are done: --set total_steps=... goes on"
    updates = -(-(total - done) // update)
    end = done + updates * update
    if end == total:
        return ""
    games = config.num_envs
    whole = f"whole updates of {games} games x {update // games} steps"
    return f"; total_steps {total:,} rounded up to {end:,}: {whole}"


def _copying(config: Config) -> str:
    """Returns words for a run that ends before it learns by itself."""
    steps = config.imitation.steps
    if config.copied is None or steps < config.total_steps:
        return ""
    return f"; all of it copies {config.copied}: imitation.steps is {steps:,}"


def resumed_config(game: Game, out: Path) -> Config:
    """Returns the config of the run in a folder.

    Raises:
        CheckpointError: there is no run, or of another game.
    """
    return _config_of(checkpoint.load(out, game))


def _config_of(found: Checkpoint) -> Config:
    try:
        return Config.model_validate(found.description["config"])
    except KeyError as error:
        raise checkpoint.damaged(found.folder, "it holds no config") from error
    except ValidationError as error:
        faults = describe(error, Config, "its config")
        raise checkpoint.damaged(found.folder, "; ".join(faults[:3])) from error


def _check_config(before: Config, now: Config) -> None:
    changed = [
        key
        for key in Config.model_fields
        if key not in _MAY_CHANGE and getattr(before, key) != getattr(now, key)
    ]
    if before.dqn.buffer_size != now.dqn.buffer_size:
        changed.append("dqn.buffer_size")
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
