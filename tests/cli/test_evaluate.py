"""What `evaluate` prints and writes."""

import json
from io import StringIO
from pathlib import Path

from rich.console import Console

from dino_envs.engine import Game
from dino_envs.evaluation import evaluate, report
from dino_envs.games import load

from .conftest import Run


def test_evaluate_prints_a_row_for_each_opponent(run: Run) -> None:
    result = run("evaluate dino_dice --agent greedy --against random,expected --games 20")
    assert result.exit_code == 0
    assert "greedy in Dino Dice, 2 players" in result.stdout
    rows = [line.split()[0] for line in result.stdout.splitlines() if line.split()]
    assert {"random", "expected"} <= {*rows}


def test_evaluate_names_a_long_agent_on_one_line() -> None:
    page = StringIO()
    agent = "checkpoint:runs/dino_days-20260101-120000/best"
    rivals = ("checkpoint:runs/mine", "appraiser")
    results = [
        evaluate(load("dino_dice"), "random", "greedy", games=10_000, names=(agent, rival))
        for rival in rivals
    ]
    Console(file=page, width=80).print(report.table(load("dino_dice"), results))
    assert {agent, *rivals} <= {*page.getvalue().split()}


def test_evaluate_climbs_the_ladder_by_default(run: Run) -> None:
    result = run("evaluate dino_dice --agent greedy --games 6 --num-players 3 --json -")
    told = json.loads(result.stdout)
    assert [entry["against"] for entry in told["results"]] == [
        "random",
        "greedy",
        "herder",
        "expected",
    ]
    assert told["num_players"] == 3


def test_evaluate_writes_json(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    result = run(f"evaluate dino_dice --agent greedy --against random --games 9 --json {path}")
    assert result.exit_code == 0
    assert "greedy" in result.stdout
    told = json.loads(path.read_text())
    assert told["agent"] == "greedy"
    assert told["results"][0]["games"] == 10
    assert list(tmp_path.iterdir()) == [path]


def test_evaluate_compares_points_of_games_for_one(run: Run, solitaire: Game) -> None:
    line = f"evaluate {solitaire.id} --agent random --against random --games 9 --num-players 1"
    result = run(line)
    assert result.exit_code == 0, result.stderr
    assert "points, sd" in result.stdout
    told = json.loads(run(f"{line} --json -").stdout)
    assert (told["num_players"], told["results"][0]["games"]) == (1, 9)
