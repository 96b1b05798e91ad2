"""What the tests of the program share: a command line that runs within this process."""

from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

from dino_envs.cli import app

Run = Callable[..., Any]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Returns run("games"), which runs a command line in a wide terminal."""
    monkeypatch.setenv("COLUMNS", "200")

    def invoke(line: str, stdin: str = "") -> Any:
        return CliRunner().invoke(app, line.split(), input=stdin, prog_name="dino-envs")

    return invoke
