"""The program as a whole: help, failures, and how a user starts it."""

import json
import subprocess
import sys
from typing import Any

import pytest

from dino_envs.cli import evaluating

from .conftest import Run


def as_user(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from dino_envs.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **more)


# Help


@pytest.mark.parametrize("command", ["games", "inspect", "play", "watch", "evaluate"])
def test_every_command_has_help_with_an_example(run: Run, command: str) -> None:
    result = run(f"{command} --help")
    assert result.exit_code == 0
    assert f"Example: dino-envs {command}" in result.stdout


def test_version(run: Run) -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("dino-envs 0.")


# Failures


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("", 2, "Missing command"),
        ("gamse", 2, "games"),
        ("games --frob", 2, "--frob"),
        ("inspect", 2, "GAME"),
        ("inspect dino_dise", 1, "did you mean 'dino_dice'?"),
        ("play dino_dice --opponent greddy", 1, "did you mean 'greedy'?"),
        ("play dino_dice --set targat=3", 1, "did you mean 'target'?"),
        ("play dino_dice --set target=many", 1, "whole number"),
        ("play dino_dice --set tie=never", 1, "shared, turn"),
        ("play dino_dice --set target", 2, "option=value"),
        ("play dino_dice --num-players 9", 1, "2 to 8"),
        ("play dino_dice --seat 2", 2, "0 to 1"),
        ("play dino_dice --seed -1", 2, "--seed"),
        ("play dino_dice --opponent optimal --num-players 3", 1, "num_players=2"),
        ("watch dino_dice", 2, "--agents"),
        ("watch dino_dice --agents ,", 2, "at least one"),
        ("watch dino_dice --agents greedy,greedy,greedy --set num_players=2", 2, "is 3 already"),
        ("watch dino_dice --agents greedy,greedy --num-players 3", 2, "--agents names 2"),
        ("watch dino_dice --agents greedy --render colours", 2, "human"),
        ("evaluate dino_dice --agent nowhere:nobody", 1, "nowhere"),
        ("evaluate dino_dice --agent greedy --games 0", 2, "--games"),
        ("evaluate dino_dice --agent greedy --json /nowhere/file", 2, "/nowhere"),
        ("evaluate dino_dice --agent greedy --against random --json /", 2, "folder"),
    ],
)
def test_a_failure_is_one_line_and_a_code(run: Run, line: str, code: int, told: str) -> None:
    result = run(line)
    assert result.exit_code == code
    assert result.stderr.startswith("dino-envs: ")
    assert result.stderr.count("\n") == 1
    assert told in result.stderr


def test_a_fault_of_the_program_is_one_line_too_and_debug_shows_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: Any) -> None:
        raise TypeError("two\nlines")

    monkeypatch.setattr(evaluating, "_scored", broken)
    line = "evaluate dino_dice --agent greedy"
    result = run(line)
    assert result.exit_code == 1
    assert result.stderr == "dino-envs: TypeError: two lines (--debug shows where)\n"
    assert isinstance(run(f"--debug {line}").exception, TypeError)


def test_numbers_of_players_contradict(run: Run) -> None:
    result = run("evaluate dino_dice --agent greedy --num-players 3 --set num_players=4")
    assert result.exit_code == 2
    assert "num_players is 3 already" in result.stderr


# As a user starts it


def said_without(unloaded: set[str], argument: str) -> str:
    """Returns what the program says, and sees to it that it has not imported some modules."""
    script = (
        "import sys; from dino_envs.cli import app\n"
        f"try: app([{argument!r}], prog_name='dino-envs')\n"
        "except SystemExit as end: assert not end.code\n"
        f"assert not {unloaded!r} & set(sys.modules)\n"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_program_starts_without_the_learning_libraries() -> None:
    assert "dino_dice" in said_without({"torch", "dino_training"}, "games")


def test_help_lists_the_installed_commands_and_starts_no_engine() -> None:
    unloaded = {"numba", "torch", "dino_training.command"}
    assert "Trains a policy against bots" in said_without(unloaded, "--help")


def test_json_alone_on_standard_output() -> None:
    line = "evaluate dino_dice --agent greedy --against random --games 20 --json -"
    result = as_user(*line.split())
    assert result.returncode == 0
    assert json.loads(result.stdout)["game"] == "dino_dice"


def test_a_failing_command_as_a_user_sees_it() -> None:
    result = as_user("evaluate", "dino_dice", "--agent", "optiml")
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.splitlines()[-1] == (
        "dino-envs: there is no agent 'optiml'; did you mean 'optimal'?"
    )
    assert "Traceback" not in result.stderr


def test_a_person_plays_through_a_pipe() -> None:
    result = as_user("play", "dino_dice", "--seed", "2", input="1\nq\n")
    assert result.returncode == 0
    assert "Player 0 (you):" in result.stdout
