"""The command `train`, as `dino-envs` finds and runs it."""

from importlib.metadata import entry_points
from pathlib import Path

import pytest
import typer
from dino_training import command
from dino_training.config import ConfigError
from dino_training.train import RunExistsError
from typer.testing import CliRunner, Result

from .conftest import SMALL

APP = typer.Typer()
APP.command("train")(command.train)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(APP, list(arguments))


def settings(*more: str) -> list[str]:
    return [word for setting in (*SMALL, *more) for word in ("--set", setting)]


def test_the_program_finds_it() -> None:
    (found,) = entry_points(group="dino_envs.commands", name="train")
    assert found.load() is command.train


def test_it_trains_scores_and_resumes(tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    result = run("dino_dice", *settings("total_steps=512"), "--seed", "3", "--out", out)
    assert result.exit_code == 0, result.output
    assert "training dino_dice into" in result.output
    assert "95% interval" in result.output
    assert f"checkpoint:{out}" in result.output.replace("\n", "")
    assert (tmp_path / "run" / "checkpoint-512").is_dir()
    again = run("dino_dice", "--resume", out, "--set", "total_steps=1024")
    assert again.exit_code == 0, again.output
    assert "512 of 1,024 steps" in again.output
    assert isinstance(run("dino_dice", "--out", out).exception, RunExistsError)
    assert isinstance(run("dino_dice", "--resume", out, "--seed", "4").exception, ConfigError)


def test_wrong_usage_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert isinstance(run("dino_dice", "--set", "ppo.n_step=4").exception, ConfigError)
    assert run("dino_dice", "--resume", "x", "--out", "y").exit_code == 2
    assert run("dino_dice", "--seed", "-1").exit_code == 2
    assert not list(tmp_path.iterdir())


def test_control_c_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dino_training.train.trained", stopped)
    out = tmp_path / "run"
    result = run("dino_dice", "--out", str(out))
    assert result.exit_code == 130
    assert "stopped; nothing is kept before a checkpoint" in result.output
    out.mkdir()
    (out / "latest").write_text("checkpoint-5")
    result = run("dino_dice", "--out", str(out))
    assert "stopped; go on with: dino-envs train dino_dice --resume" in result.output


def test_the_program_tells_each_fault_of_a_config_on_a_line(tmp_path: Path) -> None:
    from dino_envs.cli import app

    (tmp_path / "mine.yaml").write_text("seed: x\ntotal_step: 3\n")
    arguments = ["train", "dino_dice", "--config", str(tmp_path / "mine.yaml")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert len(lines) == 2
    assert "seed: 'x' does not fit" in lines[0]
    assert "total_step: unknown key" in lines[1]
