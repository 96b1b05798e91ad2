"""Searches hyper-parameters with Optuna: trials are short training runs, scored on the ladder."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import optuna
from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial, TrialState
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from rich.console import Console
from sqlalchemy.exc import SQLAlchemyError

from dino_envs.engine import DinoEnvsError, Game
from dino_training import disk, lock, scores, tuning_report
from dino_training.checkpoint import CheckpointError, package_versions
from dino_training.config import Config, ConfigError, load_config
from dino_training.config_schema import Count
from dino_training.progress import say
from dino_training.train import DivergenceError, Run, trained

SETTINGS, STORAGE, TRIALS = "study.json", "study.db", "trials"
"""In a study's folder: what is searched, Optuna's trials (SQLite), and the trials' runs."""

SCORED = 5
"""A trial is scored so often, the end included; from the second time on it may be cut short."""

_SHORTEST = 8
"""The fewest decisions a game between two updates that are tried."""

_SEEDS = 2**32
"""Seeds are smaller: those of training, and those of Optuna's samplers."""

Space = dict[str, BaseDistribution]

_UNREADABLE = (SQLAlchemyError, optuna.exceptions.StorageInternalError)
"""What is raised where the storage's file cannot be read or written."""

_FINISHED = (TrialState.COMPLETE, TrialState.PRUNED)


class StudyError(DinoEnvsError, RuntimeError):
    """A study cannot be started, read or gone on with."""


class Settings(BaseModel):
    """What a study was started with, as its folder keeps it."""

    model_config = ConfigDict(extra="forbid")

    format: Literal[1] = 1
    game: str
    game_version: int
    trials: Count
    steps: Count
    seed: Annotated[int, Field(ge=0, lt=_SEEDS)]
    config: Config
    versions: dict[str, str]


def search_space(config: Config) -> Space:
    """Returns what is searched, by the keys of a config; all else stays as it is there.

    Batches are parts of the smallest update, so that they divide all of them.
    """
    rate = FloatDistribution(1e-4, 5e-3, log=True)
    networks = CategoricalDistribution(["[64, 64]", "[128, 128]", "[256, 256]"])
    if config.algorithm == "dqn":
        return {
            "dqn.learning_rate": rate,
            "dqn.batch_size": CategoricalDistribution([256, 512, 1024, 2048]),
            "dqn.train_freq": CategoricalDistribution([2, 4, 8]),
            "dqn.gradient_steps": IntDistribution(1, 16, log=True),
            "dqn.target_update_interval": IntDistribution(
                max(5_000, config.num_envs), max(100_000, 2 * config.num_envs), log=True
            ),
            "dqn.exploration_fraction": FloatDistribution(0.1, 0.8),
            "network.hidden": networks,
        }
    update = _SHORTEST * config.num_envs
    batches = [update // parts for parts in (2, 4, 8, 16, 32) if update % parts == 0]
    return {
        "ppo.learning_rate": rate,
        "ppo.n_steps": CategoricalDistribution([_SHORTEST, 2 * _SHORTEST, 4 * _SHORTEST]),
        "ppo.batch_size": CategoricalDistribution(batches),
        "ppo.n_epochs": IntDistribution(1, 8),
        "ppo.gae_lambda": FloatDistribution(0.2, 1.0),
        "ppo.ent_coef": FloatDistribution(1e-3, 0.1, log=True),
        "network.hidden": networks,
    }


def chosen(config: Config, parameters: dict[str, Any], game: Game) -> Config:
    """Returns the config with parameters of a trial, which are keys and values of settings."""
    return load_config(None, [f"{key}={value}" for key, value in parameters.items()], config, game)


def start(game: Game, settings: Settings, folder: Path, console: Console) -> Path:
    """Searches anew; returns the file of the best config.

    What the config is refused for is found out before anything is written.

    Raises:
        StudyError: the folder holds a study, or what is left of one.
        ConfigError: what is searched for cannot be scored, or names agents there are not.
        CheckpointError: the folder cannot be written.
    """
    if (folder / SETTINGS).exists():
        raise StudyError(
            f"{folder} holds a study: go on with --resume {folder}, or choose another --out"
        )
    for left in (STORAGE, TRIALS):
        if (folder / left).exists():
            raise StudyError(
                f"{folder} holds {left!r} of a study but no {SETTINGS!r}: choose another --out"
            )
    begun = Run(game, settings.config, folder, console)  # as each trial; it writes nothing yet
    if not begun.ladder:
        raise ConfigError("config: evaluation.against: nobody is named, so nothing can be scored")
    disk.make_run_folder(folder)
    with lock.hold(folder):
        disk.replace(folder / SETTINGS, settings.model_dump_json(indent=2) + "\n")
        return _Study(game, settings, folder, console).search()


def go_on(game: Game, folder: Path, trials: int | None, console: Console) -> Path:
    """Goes on with the study in a folder, with more trials if told so; else as `start`.

    A trial in which it was interrupted starts anew, with the same parameters.
    """
    settings = _read(game, folder)
    if trials is not None:
        settings = settings.model_copy(update={"trials": trials})
    with lock.hold(folder):
        disk.replace(folder / SETTINGS, settings.model_dump_json(indent=2) + "\n")
        return _Study(game, settings, folder, console).search()


def new_settings(game: Game, config: Config, trials: int, steps: int, seed: int) -> Settings:
    """Returns the settings of a new study."""
    return Settings(
        game=game.id,
        game_version=game.version,
        trials=trials,
        steps=steps,
        seed=seed,
        config=config,
        versions={**package_versions(), "optuna": optuna.__version__},
    )


def _read(game: Game, folder: Path) -> Settings:
    path = folder / SETTINGS
    if not path.is_file():
        raise StudyError(f"{folder} holds no study: it would hold the file {SETTINGS!r}")
    try:
        settings = Settings.model_validate(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        raise StudyError(f"{path} is damaged: {_fault(error)}. Start a new study") from error
    if (settings.game, settings.game_version) != (game.id, game.version):
        raise StudyError(
            f"{folder} searches for {settings.game}, version {settings.game_version}, not "
            f"{game.id}, version {game.version}: scores cannot be compared, start a new study"
        )
    return settings


def _fault(error: Exception) -> str:
    """Returns what is wrong with a file of settings, and with which of them if that is known."""
    told = str(error)
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        told = ": ".join([*filter(None, [".".join(map(str, first["loc"]))]), first["msg"]])
    return told[:200]


class _Study:
    """A search, from its first trial to its report."""

    def __init__(self, game: Game, settings: Settings, folder: Path, console: Console) -> None:
        self.game, self.settings, self.folder, self.console = game, settings, folder, console
        self.space = search_space(settings.config)

    def search(self) -> Path:
        """Makes all trials that are still wanted; returns the file of the best config."""
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        with self._storage() as storage:
            with self._damage_named():
                study = self._opened(storage)
            while len(study.get_trials(states=_FINISHED)) < self.settings.trials:
                self._try(study)
            return self._report(study)

    @contextmanager
    def _storage(self) -> Iterator[optuna.storages.RDBStorage]:
        path = self.folder / STORAGE
        try:
            with self._damage_named():
                storage = optuna.storages.RDBStorage(f"sqlite:///{path.resolve()}")
            try:
                yield storage
            finally:
                storage.remove_session()
                storage.engine.dispose()
        except _UNREADABLE as error:
            cause = error.__cause__ or error
            told = str(getattr(cause, "orig", None) or cause).splitlines()[0]
            raise StudyError(f"{path} cannot be read or written: {told}") from error

    @contextmanager
    def _damage_named(self) -> Iterator[None]:
        """Has what Optuna raises of a damaged storage, which is of every kind, end in one error.

        It is held around what reads the storage alone: what training raises means something else.
        """
        try:
            yield
        except (DinoEnvsError, *_UNREADABLE):
            raise
        except Exception as error:
            raise self._damaged(f"{type(error).__name__}: {error}") from error

    def _damaged(self, told: str) -> StudyError:
        """Returns the error of a storage that does not hold what the study has put there."""
        told = " ".join(told.split())[:300].rstrip(" .:")
        return StudyError(
            f"{STORAGE} in {self.folder} is damaged: {told}. Put back a copy of it, or start a new "
            f"study with another --out; {TRIALS!r} and what was found until then are still there"
        )

    def _opened(self, storage: optuna.storages.RDBStorage) -> optuna.Study:
        """Returns the study with all that was tried; what an interruption left running has failed.

        Raises:
            StudyError: some of it is no longer there.
        """
        name, runs = self.game.id, [*(self.folder / TRIALS).glob("[0-9]*")]
        if not runs:
            optuna.create_study(
                storage=storage, study_name=name, direction="maximize", load_if_exists=True
            )
        elif name not in optuna.get_all_study_names(storage):
            raise self._damaged("the study is not in it")
        pruner = optuna.pruners.MedianPruner(n_startup_trials=4, n_warmup_steps=2)
        study = optuna.load_study(storage=storage, study_name=name, pruner=pruner)
        if study.direction != StudyDirection.MAXIMIZE:
            raise self._damaged("the highest score is not what it looks for")
        if len(study.trials) < len(runs):
            raise self._damaged(f"of {len(runs)} trials or more, {len(study.trials)} are in it")
        for trial in study.get_trials(states=_FINISHED):
            if not isinstance(trial.value, float) or trial.params.keys() != self.space.keys():
                raise self._damaged(f"trial {trial.number} has lost its score or parameters")
        for left_over in study.get_trials(states=(TrialState.RUNNING,)):
            study.tell(left_over.number, state=TrialState.FAIL)
        return study

    def _try(self, study: optuna.Study) -> None:
        """Makes one trial."""
        finished = len(study.get_trials(states=_FINISHED))
        # Of the number of finished trials alone: after an interruption the same is tried next.
        study.sampler = optuna.samplers.TPESampler(seed=(self.settings.seed + finished) % _SEEDS)
        with self._damage_named():
            trial, since = study.ask(self.space), time.monotonic()
        try:
            score = self._score(trial)
        except optuna.TrialPruned:
            study.tell(trial, state=TrialState.PRUNED)
        except CheckpointError as error:
            raise StudyError(
                f"trial {trial.number}: {error}. Then go on with --resume {self.folder}"
            ) from error
        else:
            study.tell(trial, score)
        self._say(finished, study.trials[trial.number], time.monotonic() - since)
        self._report(study)

    def _score(self, trial: optuna.Trial) -> float:
        """Trains with a trial's parameters; returns the mean score at the end, 0 if it diverges.

        Raises:
            TrialPruned: it has fallen behind the others.
        """
        steps = self.settings.steps
        every = max(1, steps // SCORED)
        told = {
            "total_steps": steps,
            "seed": self.settings.seed,
            "evaluation.every": every,
            "saving.keep": 1,
            "saving.every_seconds": 1e9,
        }
        config = chosen(self.settings.config, {**told, **trial.params}, self.game)
        folder = self.folder / TRIALS / str(trial.number)
        quiet = Console(file=io.StringIO())
        try:
            _, results = trained(
                self.game, config, folder, False, quiet, self._pruning(trial, every)
            )
        except DivergenceError:
            return 0.0
        return scores.mean(results)

    def _pruning(self, trial: optuna.Trial, every: int) -> Callable[[dict[str, Any]], None]:
        """Returns what judges a trial by each evaluation on the way, and may cut it short."""

        def judge(evaluation: dict[str, Any]) -> None:
            with self._damage_named():
                trial.report(evaluation["mean_score"], evaluation["steps"] // every)
                behind = trial.should_prune()
            if behind:
                raise optuna.TrialPruned

        return judge

    def _say(self, number: int, trial: FrozenTrial, seconds: float) -> None:
        pruned = trial.state == TrialState.PRUNED
        told = f"{trial.value:.4f}" + (", cut short" if pruned else "")
        parameters = "  ".join(f"{key}={_short(value)}" for key, value in trial.params.items())
        say(
            self.console,
            f"trial {number + 1} of {self.settings.trials}: score {told}  {seconds:.0f} s  "
            f"{parameters}",
        )

    def _report(self, study: optuna.Study) -> Path:
        """Writes what has been found until now; returns the file of the best config."""
        finished = study.get_trials(states=_FINISHED)
        completed = [trial for trial in finished if trial.state == TrialState.COMPLETE]
        tuning_report.write_trials(self.folder, finished, list(self.space))
        tuning_report.draw(self.folder, study, completed, finished)
        with self._damage_named():
            best = study.best_trial
        config = chosen(self.settings.config, best.params, self.game)
        told = (
            f"Found by `dino-envs tune {self.game.id}`: the best of {len(finished)} trials of "
            f"{self.settings.steps:,} steps, mean score {best.value:.4f}."
        )
        return tuning_report.write_best(self.folder, config, told)


def _short(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
