"""The command `train`, as `dino-envs` finds and runs it."""

import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest
import typer
from dino_training import command
from dino_training.config import Config, ConfigError, load_config, readers
from dino_training.config_text import keys_of
from dino_training.train import RunExistsError, _copying, _length
from typer.testing import CliRunner, Result

from dino_envs.engine import Game

from .conftest import SMALL, SMALL_ALONE

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
    refused = run("dino_dice", "--out", out)
    assert isinstance(refused.exception, RunExistsError)
    assert refused.output == ""
    assert isinstance(run("dino_dice", "--resume", out, "--seed", "4").exception, ConfigError)


def test_what_plays_alone_can_be_watched(tmp_path: Path, solitaire: Game) -> None:
    out = str(tmp_path / "run")
    told = [word for setting in SMALL_ALONE for word in ("--set", setting)]
    result = run(solitaire.id, *told, "--set", "total_steps=256", "--out", out)
    assert result.exit_code == 0, result.output
    hint = f"dino-envs watch {solitaire.id} --num-players 1 --agents checkpoint:{out}"
    assert hint in result.output.replace("\n", "")


@pytest.mark.parametrize(
    ("total", "done", "told"),
    [
        ("200000", 0, "; total_steps 200,000 rounded up to 229,376: whole updates of 2048 games x"),
        ("32768", 0, ""),
        ("32769", 32768, "; total_steps 32,769 rounded up to 65,536: "),
        ("30000", 100, "; total_steps 30,000 rounded up to 32,868: "),
        ("30000", 32768, "; total_steps 30,000 are done: --set total_steps=... goes on"),
    ],
)
def test_it_says_where_the_run_ends(total: str, done: int, told: str) -> None:
    config = load_config(None, ["num_envs=2048", f"total_steps={total}"])
    said = _length(config, done)
    assert said.startswith(told)
    assert bool(said) == bool(told)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (("imitation.agent=greedy", "imitation.steps=1e6"), "; all of it copies greedy: "),
        (("imitation.agent=greedy", "imitation.steps=999999"), ""),
        (("imitation.steps=2e6",), ""),
        (("imitation.agent=greedy", "imitation.steps=2e6", "total_steps=3e6"), ""),
    ],
)
def test_it_says_that_a_run_ends_before_it_learns_by_itself(
    changed: tuple[str, ...], told: str
) -> None:
    said = _copying(load_config(None, ["total_steps=1e6", *changed]))
    assert said.startswith(told)
    assert bool(said) == bool(told)


def test_it_goes_on_to_the_step_that_it_says(tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    result = run("dino_dice", *settings("total_steps=500"), "--out", out)
    assert result.exit_code == 0, result.output
    assert f"{out}; total_steps 500 rounded up to 512: " in result.output
    assert (tmp_path / "run" / "checkpoint-512").is_dir()


def test_it_shows_every_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    result = run("dino_days", "--show-config", "--set", "num_envs=9", "--set", "seed=3")
    assert result.exit_code == 0, result.output
    rows = {line.split()[0]: line for line in result.output.splitlines() if line.split()}
    sections = {"ppo", "network", "opponents", "imitation", "evaluation", "saving"}
    keys = {*keys_of(Config)} - sections
    keys = {key for key in keys if "maskable_ppo" in (readers(key) or ["maskable_ppo"])}
    assert not {key for key in rows if key.startswith("dqn")}
    assert keys | {"options.num_players", "options.deck", "options.max_turns"} <= {*rows}
    assert re.search(r" 9 +Games in progress at a time\. Default: 512$", rows["num_envs"].rstrip())
    assert "Default" not in rows["options.max_turns"]
    assert not list(tmp_path.iterdir())


def test_wrong_usage_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert isinstance(run("dino_dice", "--set", "ppo.n_step=4").exception, ConfigError)
    fault = run("dino_dice", "--set", "num_players=3").exception
    assert str(fault).endswith("did you mean 'options.num_players'?")
    fault = run("dino_dice", "--set", "options.target=[1]").exception
    assert isinstance(fault, ConfigError)
    assert str(fault).endswith("options.target=[1]: give a whole number, 1 to 1000")
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


def test_a_shipped_config_is_found_by_its_name() -> None:
    shown = run("scale_of_trex", "--config", "scale_of_trex_together", "--show-config")
    assert shown.exit_code == 0
    assert re.search(r"options.num_players\s+2", shown.output)
