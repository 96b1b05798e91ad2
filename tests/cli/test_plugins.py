"""Commands and agents of other distributions."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from dino_envs.agents import Agent, make_agent, registry
from dino_envs.cli import program
from dino_envs.engine import Game
from dino_envs.games import load

from .conftest import Run


class Point:
    """An entry point whose load is a given function."""

    dist, module, attr = None, "nowhere_at_all", "greet"

    def __init__(self, load: Callable[[], Any], name: str = "extra") -> None:
        self.load, self.name = load, name


def test_a_command_from_elsewhere_is_listed_loaded_late_and_run(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = []

    def greet(name: str, loud: Annotated[bool, typer.Option(help="Shout.")] = False) -> None:
        """Greets."""
        typer.echo(f"hello {name}" + "!" * loud)

    def load() -> Any:
        loaded.append(1)
        return greet

    monkeypatch.setattr(program, "_plugins", lambda: {"extra": Point(load)})
    assert "From another distribution: see dino-envs extra --help" in run("--help").stdout
    assert run("games").exit_code == 0
    assert not loaded
    assert run("extra rex --loud").stdout == "hello rex!\n"
    assert "Shout." in run("extra --help").stdout
    assert run("extra").exit_code == 2


def test_a_command_from_elsewhere_is_described_unloaded(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = 'raise SystemExit\ndef greet():\n    """Greets [all]\n    of us.\n\n    Or not."""\n'
    (tmp_path / "dino_greetings.py").write_text(source)
    (tmp_path / "dino_broken.py").write_text("def greet(:\n")
    monkeypatch.syspath_prepend(tmp_path)
    point = Point(lambda: None)
    monkeypatch.setattr(program, "_plugins", lambda: {"extra": point})
    point.module = "dino_greetings"
    assert "Greets [all] of us. " in run("--help").stdout
    point.module = "dino_broken"
    assert "From another distribution" in run("--help").stdout


def test_a_missing_requirement_is_answered_with_its_extra(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load() -> Any:
        raise ModuleNotFoundError("No module named 'sb3_contrib.ppo'", name="sb3_contrib.ppo")

    monkeypatch.setattr(program, "_plugins", lambda: {"extra": Point(load)})
    result = run("extra dino_dice")
    assert result.exit_code == 1
    assert result.stderr == (
        "dino-envs: this needs sb3_contrib, which is not installed; "
        'run: pip install "dino-envs[train]"\n'
    )


@pytest.mark.parametrize("spec", ["learnt", "learnt:best"])
def test_an_agent_that_lacks_what_it_requires_names_the_extra(
    run: Run, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    def load() -> Any:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(registry, "entry_points", lambda group: [Point(load, "learnt")])
    result = run(f"play dino_dice --opponent {spec}")
    assert result.exit_code == 1
    assert result.stderr == (
        f"dino-envs: the agent '{spec}' needs torch; install it: pip install \"dino-envs[train]\"\n"
    )
    assert "from another distribution" in run("inspect dino_dice").stdout


def test_an_installed_agent_is_made_with_all_options(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def factory(game: Game, argument: str, options: dict[str, Any]) -> Agent:
        made.append((game.id, argument, options))
        return make_agent("greedy", game, options)

    monkeypatch.setattr(registry, "entry_points", lambda group: [Point(lambda: factory, "learnt")])
    for spec in ("learnt", "learnt:a=1"):
        done = run(f"watch dino_dice --agents {spec} --num-players 3 --set target=60 --seed 1")
        assert done.exit_code == 0, done.stderr
    options = load("dino_dice").complete({"num_players": 3, "target": 60})
    assert made[0] == ("dino_dice", "", options)
    assert made[-1] == ("dino_dice", "a=1", options)
    assert "did you mean 'learnt'?" in run("play dino_dice --opponent leernt").stderr
