"""The published baselines, as a command on a small scale."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from dino_envs.evaluation import exact_score
from dino_envs.games import load

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
SETTINGS = ["num_envs=64", "network.hidden=[16]", "evaluation.every=1024", "evaluation.games=20",
            "total_steps=2048", "options.target=40", "variants=[]"]  # fmt: skip


def learn(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(folder, "learning.py", *learning(folder, *arguments))


def learning(folder: Path, *arguments: str) -> list[str]:
    told = [part for setting in SETTINGS for part in ("--set", setting)]
    return [*arguments, "--runs", str(folder / "runs"), *told]


def run(folder: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(folder, script, *arguments), capture_output=True, text=True)


def command(folder: Path, script: str, *arguments: str) -> list[str]:
    told = ("--games", "40", "--results", str(folder / "results"))
    return [sys.executable, str(BENCHMARKS / script), *arguments, *told]


def test_a_game_s_baselines_are_trained_scored_and_tabulated_once(tmp_path: Path) -> None:
    arguments = ("dino_dice", "--algorithms", "maskable_ppo", "--seeds", "2")
    done = learn(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    results = tmp_path / "results"
    records = sorted((results / "learning" / "dino_dice").glob("*.json"))
    assert [record.stem for record in records] == ["maskable_ppo-0", "maskable_ppo-1"]
    assert (results / "learning" / "dino_dice.png").read_bytes().startswith(b"\x89PNG")

    finals = [json.loads(record.read_text())["curve"][-1] for record in records]
    row = json.loads((results / "learning.json").read_text())["rows"][-1]
    assert (row["algorithm"], row["seeds"], row["against"]) == ("maskable_ppo", 2, "optimal")
    scores = [final["results"][-1]["score"] for final in finals]
    assert row["mean"] == f"{np.mean(scores):.4f}"

    best = max((0, 1), key=lambda seed: float(finals[seed]["mean_score"]))
    shipped = json.loads((results / "pretrained" / "dino_dice" / "checkpoint.json").read_text())
    assert shipped["evaluation"]["mean_score"] >= finals[best]["mean_score"]

    written = [record.stat().st_mtime_ns for record in records]
    again = learn(tmp_path, *arguments)
    assert again.returncode == 0, again.stderr
    assert [record.stat().st_mtime_ns for record in records] == written

    other = learn(tmp_path, *arguments, "--set", "ppo.gamma=0.9")
    assert other.returncode != 0
    assert f"{records[0]} is of another config" in other.stderr
    records[0].unlink()
    other = learn(tmp_path, *arguments, "--seeds", "1", "--set", "ppo.gamma=0.9")
    assert other.returncode != 0
    folder = tmp_path / "runs" / "dino_dice" / "maskable_ppo-0"
    assert f"{folder} is a run of another config" in other.stderr
    policies = ("--policies", str(results / "pretrained"), "--search-minutes", "0")
    told = run(tmp_path, "pretrained.py", *policies)
    assert told.returncode == 0, told.stderr
    rows = json.loads((results / "pretrained.json").read_text())["rows"]
    assert [row["against"] for row in rows[-2:]] == ["optimal", "mcts:simulations=200"]
    assert {row["training seed"] for row in rows} == {shipped["seed"]}
    policy = f"checkpoint:{results / 'pretrained' / 'dino_dice'}"
    exact = exact_score(load("dino_dice"), policy, options={"target": 40})
    assert [row["exact score"] for row in rows[-2:]] == [f"{exact.score:.6f}", ""]
    unknown = run(tmp_path, "pretrained.py", "dino_dise", *policies)
    assert "no policy dino_dise, but dino_dice" in unknown.stderr
    empty = run(tmp_path, "pretrained.py", "--policies", str(tmp_path / "nowhere"))
    assert f"no policy in {tmp_path / 'nowhere'}" in empty.stderr


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 1), (signal.SIGTERM, -signal.SIGTERM)]
)
def test_told_to_stop_it_saves_what_it_trains_and_begins_nothing_else(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    arguments = ("dino_dice", "--algorithms", "maskable_ppo", "--seeds", "3", "--workers", "1",
                 "--set", "total_steps=1e9")  # fmt: skip
    line = command(tmp_path, "learning.py", *learning(tmp_path), *arguments)
    runs = tmp_path / "runs" / "dino_dice"
    with subprocess.Popen(
        line, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        while not (runs / "maskable_ppo-0" / "latest").exists():
            assert process.poll() is None
            time.sleep(0.1)
        os.killpg(process.pid, number)
        try:
            told = process.communicate(timeout=60)[1]  # when the last of the group has ended
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == status
    assert "Traceback" not in told
    assert ("stopped; the same command goes on" in told) == (number == signal.SIGINT)
    assert [folder.name for folder in runs.iterdir()] == ["maskable_ppo-0"]
    assert "scores" in (runs / "maskable_ppo-0" / "progress.txt").read_text()


def test_what_is_published_is_of_the_present_configs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from learning import RESULTS, Plan, config_path, is_recorded

    files = sorted(RESULTS.glob("learning/*/*.json"))
    assert files
    for file in files:
        record = json.loads(file.read_text())
        path, game = config_path(record["config"]), record["game"].rpartition("_v")[0]
        assert path is not None
        games = record["settings"]["evaluation"]["final_games"]
        plan = Plan(game, path, [], games, 1, Path("runs"), RESULTS)
        assert is_recorded(plan, record["algorithm"], record["seed"])


def test_an_unknown_config_is_named(tmp_path: Path) -> None:
    done = learn(tmp_path, "dino_dice", "--config", "dino_dise")
    assert done.returncode != 0
    assert "no config 'dino_dise'" in done.stderr


@pytest.mark.parametrize(
    ("values", "mean"),
    [([7.0], 7.0), ([0.0, 1.0], 0.5), ([0.0, 0.0, 1.0], 1 / 6), ([9.0, 1.0, 3.0, 0.0], 2.0)],
)
def test_the_interquartile_mean_is_that_of_the_middle_half(
    values: list[float], mean: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from learning import interquartile_mean

    assert interquartile_mean(values) == pytest.approx(mean)
