"""What a study has found, as files: the best config, all trials, a picture."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import optuna
import yaml
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from optuna.trial import FrozenTrial, TrialState

from dino_training import disk
from dino_training.config_schema import Config, Section

BEST, TABLE, PICTURE = "best.yaml", "trials.csv", "report.png"

_FEWEST = 4
"""Of fewer trials nothing can be said about what matters."""


def write_best(folder: Path, config: Config, told: str) -> Path:
    """Writes what in a config differs from the defaults, under a comment; returns the file."""
    path = folder / BEST
    text = yaml.safe_dump(differences(config), sort_keys=False)
    disk.replace(path, f"# {told}\n{text}")
    return path


def differences(config: Config) -> dict[str, Any]:
    """Returns what in a config differs from the defaults, as a file holds it."""
    usual, found = Config().model_dump(), {}
    for key, value in config.model_dump().items():
        if isinstance(getattr(config, key), Section):
            value = {name: part for name, part in value.items() if part != usual[key][name]}
            if not value:
                continue
        elif value == usual[key]:
            continue
        found[key] = value
    return found


def write_trials(folder: Path, trials: Sequence[FrozenTrial], keys: Sequence[str]) -> None:
    """Writes a row for each finished trial; the score of one cut short is its last."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["trial", "state", "score", "seconds", *keys])
    for trial in trials:
        seconds = "" if trial.duration is None else f"{trial.duration.total_seconds():.1f}"
        parameters = [trial.params.get(key, "") for key in keys]
        rows.writerow([trial.number, trial.state.name.lower(), trial.value, seconds, *parameters])
    disk.replace(folder / TABLE, text.getvalue())


def draw(
    folder: Path, study: optuna.Study, completed: Sequence[FrozenTrial], trials: Sequence[Any]
) -> None:
    """Draws the scores in the order of the trials, and how much each parameter matters."""
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_scores(left, trials)
    _draw_importances(right, importances(study) if len(completed) >= _FEWEST else {})
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    disk.replace(folder / PICTURE, picture.getvalue())


def importances(study: optuna.Study) -> dict[str, float]:
    """Returns each parameter's share in what makes scores good, the largest first."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is called experimental, and says so each time
        evaluator = optuna.importance.PedAnovaImportanceEvaluator()
        return dict(optuna.importance.get_param_importances(study, evaluator=evaluator))


def _draw_scores(axes: Axes, trials: Sequence[FrozenTrial]) -> None:
    best, so_far = [], 0.0
    for state, marker, name in (
        (TrialState.COMPLETE, "o", "trained to the end"),
        (TrialState.PRUNED, "x", "cut short"),
    ):
        of_state = [(n, t.value) for n, t in enumerate(trials, 1) if t.state == state]
        if of_state:
            axes.scatter(*zip(*of_state, strict=True), marker=marker, label=name)
    for trial in trials:
        if trial.state == TrialState.COMPLETE and trial.value is not None:
            so_far = max(so_far, trial.value)
        best.append(so_far)
    axes.step(range(1, len(best) + 1), best, where="post", label="best so far")
    axes.set(xlabel="trial", ylabel="mean score on the ladder", title="Scores")
    axes.legend()


def _draw_importances(axes: Axes, found: dict[str, float]) -> None:
    axes.set_title("What matters")
    if not found:
        axes.text(0.5, 0.5, f"from {_FEWEST} trials on", ha="center", transform=axes.transAxes)
        axes.set_axis_off()
        return
    names = list(found)[::-1]
    axes.barh(names, [found[name] for name in names])
    axes.set_xlabel("share of the difference between trials")
