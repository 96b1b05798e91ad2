"""A search is cut short, killed and gone on with, and tells what it found."""

import csv
import json
import shutil
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

pytest.importorskip("optuna", reason="needs dino-envs[tune]")

from dino_training import command, tuning, tuning_report
from dino_training.config import Config, load_config
from dino_training.lock import RunInUseError
from dino_training.train import DivergenceError
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

from dino_envs.engine import DinoEnvsError, Game

from .conftest import SMALL

APP = typer.Typer()
APP.command("tune")(command.tune)

TINY = [
    *(s for s in SMALL if not s.startswith(("ppo.", "network.", "total_steps"))),
    "evaluation.games=20",
]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(APP, list(arguments))


def tune(out: Path, trials: int, *settings: str) -> Result:
    told = [word for setting in (*TINY, *settings) for word in ("--set", setting)]
    chosen = ["--trials", str(trials), "--steps", "1e3", "--seed", "5", "--out", str(out)]
    return run("dino_dice", *told, *chosen)


def rows(out: Path) -> list[dict[str, str]]:
    """Returns the trials, without how long they took."""
    with open(out / tuning_report.TABLE, newline="") as file:
        return [{**row, "seconds": ""} for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of three trials."""
    out = tmp_path_factory.mktemp("studies") / "[three]"
    result = tune(out, 3)
    assert result.exit_code == 0, result.output
    assert f"dino-envs train dino_dice --config {out}/best.yaml" in result.output.replace("\n", "")
    return out


def test_the_program_knows_it() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    commands = project["entry-points"]["dino_envs.commands"]
    assert commands["tune"] == f"{command.__name__}:{command.tune.__name__}"


def test_a_study_tells_what_it_found(study: Path, dice: Game) -> None:
    found = rows(study)
    assert [row["trial"] for row in found] == list("012")
    scores = [float(row["score"]) for row in found if row["state"] == "complete"]
    config = load_config(study / "best.yaml", [], None, dice)
    best = [row for row in found if float(row["score"]) == max(scores)]
    assert config.ppo.learning_rate in [float(row["ppo.learning_rate"]) for row in best]
    assert str(config.network.hidden) in [row["network.hidden"] for row in best]
    assert (config.num_envs, config.total_steps) == (32, 16_000_000)
    assert config.evaluation.every == 0  # as it was told, not as the trials were scored
    text = (study / "best.yaml").read_text()
    assert text.startswith("# Found by `dino-envs tune dino_dice`: the best of 3 trials of 1,000")
    assert "gamma" not in text
    assert (study / "report.png").read_bytes().startswith(b"\x89PNG")
    runs = [path.read_text().splitlines() for path in study.glob("trials/*/evaluations.jsonl")]
    assert len(runs) == 3
    assert max(len(lines) for lines in runs) >= 2  # on the way as well


def test_a_seed_fixes_a_study_and_an_interrupted_one_comes_to_the_same(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, score = tmp_path / "study", tuning._Study._score
    for place in (1, 0):  # in the second trial, and there once more
        left = iter(range(place, -1, -1))

        def interrupted(self: Any, trial: Any, left: Iterator[int] = left) -> float:
            value = score(self, trial)
            if next(left) == 0:
                raise KeyboardInterrupt
            return value

        with monkeypatch.context() as patch:
            patch.setattr(tuning._Study, "_score", interrupted)
            result = tune(out, 3) if place == 1 else run("dino_dice", "--resume", str(out))
        assert result.exit_code == 130, result.output
        assert f"go on with: dino-envs tune dino_dice --resume {out}" in result.output.replace(
            "\n", ""
        )
    result = run("dino_dice", "--resume", str(out))
    assert result.exit_code == 0, result.output
    without = [[{**row, "trial": ""} for row in rows(folder)] for folder in (study, out)]
    assert without[0] == without[1]
    assert (out / "best.yaml").read_text() == (study / "best.yaml").read_text()


def test_the_last_seed_of_all_is_a_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def trained(game: Game, config: Config, *_: object) -> tuple[Path, list[Any]]:
        assert config.seed == 2**32 - 1
        return tmp_path, [type("Result", (), {"score": 0.5})]

    monkeypatch.setattr(tuning, "trained", trained)
    words = [word for setting in TINY for word in ("--set", setting)]
    chosen = ["--trials", "2", "--seed", str(2**32 - 1), "--out", str(tmp_path)]
    result = run("dino_dice", *words, *chosen)
    assert result.exit_code == 0, result.output
    assert len(rows(tmp_path)) == 2


def test_a_study_can_be_made_longer(study: Path, tmp_path: Path) -> None:
    out = tmp_path / "study"
    assert tune(out, 1).exit_code == 0
    assert run("dino_dice", "--resume", str(out), "--trials", "2").exit_code == 0
    assert rows(out) == rows(study)[:2]
    assert run("dino_dice", "--resume", str(out), "--trials", "1").exit_code == 0
    assert len(rows(out)) == 2


def test_what_falls_behind_is_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worse = iter(range(1000))

    def trained(*given: Any) -> tuple[Path, list[Any]]:
        score = 1.0 / (2 + next(worse))
        for number in range(1, 5):
            given[5]({"mean_score": score, "steps": number * 200})
        return tmp_path, [type("Result", (), {"score": score})]

    monkeypatch.setattr(tuning, "trained", trained)
    result = tune(tmp_path / "study", 7)
    assert result.exit_code == 0, result.output
    states = [row["state"] for row in rows(tmp_path / "study")]
    assert states == ["complete"] * 4 + ["pruned"] * 3
    assert "score 0.1667, cut short" in result.output


def test_what_diverges_scores_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def diverging(*_: object) -> None:
        raise DivergenceError

    monkeypatch.setattr(tuning, "trained", diverging)
    assert tune(tmp_path, 2).exit_code == 0
    assert [row["score"] for row in rows(tmp_path)] == ["0.0", "0.0"]


@pytest.mark.parametrize("algorithm", ["maskable_ppo", "ppo", "dqn"])
@pytest.mark.parametrize("num_envs", [1, 33, 100, 2048, 200_000])
def test_every_corner_of_the_space_is_a_config(dice: Game, algorithm: str, num_envs: int) -> None:
    settings = [f"algorithm={algorithm}", f"num_envs={num_envs}"]
    if algorithm == "dqn":
        settings += ["dqn.buffer_size=1e6", "dqn.target_update_interval=1e6"]
    else:
        settings += [f"ppo.batch_size={num_envs * 16}"]
    base = load_config(None, settings)
    space = tuning.search_space(base)
    corners: list[dict[str, Any]] = [{}]
    for key, distribution in space.items():
        if isinstance(distribution, CategoricalDistribution):
            values = distribution.choices
        else:
            assert isinstance(distribution, FloatDistribution | IntDistribution)
            values = (distribution.low, distribution.high)
        corners = [{**corner, key: value} for corner in corners for value in values]
    for corner in corners[:: max(1, len(corners) // 100)]:
        config = tuning.chosen(base, corner, dice)
        for key, value in corner.items():
            section, _, name = key.partition(".")
            assert str(getattr(getattr(config, section), name)) == str(value)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--trials", "0"], "--trials"),
        (["--steps", "0"], "a whole number, 1 or more, is wanted"),
        (["--steps", "many"], "a whole number, 1 or more, is wanted"),
        (["--steps", "inf"], "a whole number, 1 or more, is wanted"),
        (["--seed", "-1"], "--seed"),
        (["--seed", str(2**32)], "--seed"),
        (["--resume", "x", "--seed", "1"], "a resumed study keeps all"),
        (["--resume", "x", "--set", "seed=1"], "a resumed study keeps all"),
    ],
)
def test_wrong_usage_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    result = run("dino_dice", *arguments)
    assert result.exit_code == 2
    assert told in result.output
    assert not list(tmp_path.iterdir())


def test_faults_are_named(study: Path, tmp_path: Path) -> None:
    def fault(*arguments: str) -> str:
        error = run(*arguments).exception
        assert isinstance(error, tuning.StudyError), error
        return str(error)

    assert "holds a study: go on with --resume" in str(tune(study, 5).exception)
    assert "holds no study" in fault("dino_dice", "--resume", str(tmp_path))
    assert "searches for dino_dice, version" in fault("dino_days", "--resume", str(study))


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("evaluation.against=[]", "nobody is named"),
        ("evaluation.against=[gredy]", "gredy"),
        ("opponents.shares={nobody: 1}", "nobody"),
        ("opponents.shares={greedy: 0}", "not all 0"),
        ("imitation.agent=nobody", "nobody"),
        ("ppo.n_step=3", "n_step"),
    ],
)
def test_what_a_setting_is_refused_for_leaves_no_study(
    tmp_path: Path, setting: str, told: str
) -> None:
    error = tune(tmp_path / "study", 1, setting).exception
    assert isinstance(error, DinoEnvsError)
    assert told in str(error)
    assert not list(tmp_path.iterdir())


def test_an_interruption_before_the_study_is_begun_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tuning, "Run", interrupted)
    result = tune(tmp_path / "study", 1)
    assert (result.exit_code, result.output) == (130, "stopped; no study has been begun\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("left", [tuning.STORAGE, tuning.TRIALS])
def test_what_is_left_of_a_study_is_not_mixed_with_another(tmp_path: Path, left: str) -> None:
    (tmp_path / left).touch()
    error = tune(tmp_path, 1).exception
    assert isinstance(error, tuning.StudyError)
    assert f"holds {left!r} of a study" in str(error)
    assert [path.name for path in tmp_path.iterdir()] == [left]


@pytest.mark.parametrize(
    ("key", "value"),
    [("seed", -5), ("seed", 2**32), ("trials", -1), ("trials", 1e400), ("steps", 0), ("steps", [])],
)
def test_settings_out_of_bounds_are_named(
    study: Path, tmp_path: Path, key: str, value: object
) -> None:
    told = json.loads((study / tuning.SETTINGS).read_text())
    (tmp_path / tuning.SETTINGS).write_text(json.dumps({**told, key: value}))
    error = run("dino_dice", "--resume", str(tmp_path)).exception
    assert isinstance(error, tuning.StudyError)
    assert f"study.json is damaged: {key}: " in str(error)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"format": 2}', "\udcff"])
def test_damaged_settings_are_named(study: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / tuning.SETTINGS).write_text(text, errors="surrogateescape")
    error = run("dino_dice", "--resume", str(tmp_path)).exception
    assert isinstance(error, tuning.StudyError)
    assert "study.json is damaged" in str(error)


def test_a_damaged_storage_is_named(study: Path, tmp_path: Path) -> None:
    told = json.loads((study / tuning.SETTINGS).read_text())
    (tmp_path / tuning.SETTINGS).write_text(json.dumps(told))
    (tmp_path / tuning.STORAGE).write_bytes(b"no database at all" * 100)
    error = run("dino_dice", "--resume", str(tmp_path)).exception
    assert isinstance(error, tuning.StudyError)
    assert "study.db cannot be read or written: file is not a database" in str(error)


NO_FILE = "no file"
NO_BYTES = "no bytes"


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (NO_FILE, "the study is not in it"),
        (NO_BYTES, "the study is not in it"),
        ("DELETE FROM studies", "the study is not in it"),
        ("DELETE FROM study_directions", "IndexError"),
        ("UPDATE study_directions SET direction = 'MINIMIZE'", "the highest score is not what"),
        ("DELETE FROM trials WHERE number = 1", "of 3 trials or more, 2 are in it"),
        ("DELETE FROM trial_values", "trial 0 has lost its score"),
        ("UPDATE trial_values SET value = NULL", "AssertionError"),
        ("UPDATE trial_values SET value = 'high'", "trial 0 has lost its score"),
        ("DELETE FROM trial_params", "trial 0 has lost its score or parameters"),
        (
            "UPDATE trial_params SET param_value = 99 WHERE param_name = 'network.hidden'",
            "IndexError",
        ),
        ("UPDATE trial_params SET distribution_json = '{'", "JSONDecodeError"),
        (
            "UPDATE alembic_version SET version_num = 'v99'",
            "RuntimeError: The runtime optuna version",
        ),
    ],
)
def test_what_a_storage_has_lost_is_named(
    study: Path, tmp_path: Path, damage: str, told: str
) -> None:
    out = tmp_path / "[study]"
    shutil.copytree(study, out)
    storage = out / tuning.STORAGE
    if damage in (NO_FILE, NO_BYTES):
        storage.unlink()
        if damage == NO_BYTES:
            storage.touch()
    else:
        with closing(sqlite3.connect(storage)) as database, database:
            database.execute(damage)
    found = {path: path.read_bytes() for path in out.glob("**/*.*") if path != storage}
    for _ in range(2):  # that it was opened once does not mend it
        error = run("dino_dice", "--resume", str(out), "--trials", "3").exception
        assert isinstance(error, tuning.StudyError)
        assert str(error).startswith(f"study.db in {out} is damaged: {told}")
        assert "Put back a copy of it, or start a new study" in str(error)
    assert {path: path.read_bytes() for path in out.glob("**/*.*") if path != storage} == found


def test_what_training_raises_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("of training")

    monkeypatch.setattr(tuning, "trained", broken)
    error = tune(tmp_path / "study", 1).exception
    assert isinstance(error, KeyError)
    assert error.args == ("of training",)


def test_damage_that_is_met_in_a_trial_is_named(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "study"
    shutil.copytree(study, out)
    with closing(sqlite3.connect(out / tuning.STORAGE)) as database, database:
        database.execute("UPDATE trial_intermediate_values SET intermediate_value = 'high'")

    def trained(*given: Any) -> tuple[Path, list[Any]]:
        for number in range(1, 5):
            given[5]({"mean_score": 0.5, "steps": number * 200})
        return tmp_path, [type("Result", (), {"score": 0.5})]

    monkeypatch.setattr(tuning, "trained", trained)
    error = run("dino_dice", "--resume", str(out), "--trials", "5").exception
    assert isinstance(error, tuning.StudyError)
    assert f"study.db in {out} is damaged: " in str(error)


def test_two_processes_cannot_search_in_one_folder(
    study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dino_training import lock

    with lock.hold(study):
        assert isinstance(run("dino_dice", "--resume", str(study)).exception, RunInUseError)
