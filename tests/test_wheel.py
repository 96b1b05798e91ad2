"""The built wheel, in a virtual environment of its own: what a person gets from `pip install`."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the program `dino-envs` as the wheel installs it.

    The other distributions are taken from the environment of the tests; nothing of this one is.
    """
    place = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (wheel,) = place.glob("*.whl")
    venv.create(place / "venv", with_pip=True)
    paths = {"base": str(place / "venv"), "platbase": str(place / "venv")}
    site = Path(sysconfig.get_path("purelib", "venv", vars=paths))
    scripts = Path(sysconfig.get_path("scripts", "venv", vars=paths))
    python = scripts / Path(sys.executable).name
    if not python.exists():
        python = scripts / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return scripts / "dino-envs"


@pytest.fixture
def run(program: Path, tmp_path: Path):
    """Returns run(arguments, stdin): runs the program in an empty folder."""

    def runs(arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(program), *shlex.split(arguments)],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=300,
        )

    return runs


def test_the_wheel_holds_its_own_code(program: Path, tmp_path: Path) -> None:
    python = program.with_name("python")
    code = "import dino_envs, dino_training; print(dino_envs.__file__, dino_training.__file__)"
    done = subprocess.run(
        [str(python), "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    for file in done.stdout.split():
        assert Path(file).is_relative_to(program.parents[1]), file


def test_the_wheel_holds_what_was_trained(program: Path) -> None:
    folder = Path("dino_training", "pretrained")
    here = ROOT / "training" / folder
    (site,) = (path.parents[1] for path in program.parents[1].rglob("dino_training/pretrained.py"))
    for path in here.rglob("*"):
        if path.is_file():
            there = site / folder / path.relative_to(here)
            assert there.read_bytes() == path.read_bytes()


def test_importing_the_games_loads_neither_torch_nor_pygame(program: Path, tmp_path: Path) -> None:
    code = (
        "import sys, dino_envs; from dino_envs.engine import Batch; "
        "dino_envs.make('dino_dice').reset(seed=1); "
        "print([name for name in ('torch', 'stable_baselines3', 'pygame', 'dino_training') "
        "if name in sys.modules])"
    )
    done = subprocess.run(
        [str(program.with_name("python")), "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_it_lists_inspects_watches_and_plays(run) -> None:
    watch = "watch dino_dice --agents greedy,random --seed 1"
    for command in ("games", "inspect dino_dice", watch):
        done = run(command)
        assert done.returncode == 0, done.stderr
        assert "Dino Dice" in done.stdout or "Player" in done.stdout
    done = run("play dino_dice --opponent greedy --seed 1", "1\n" * 400)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "The rules in a page" in run("play trex_holiday --seed 1", "?\nq\n").stdout


def test_it_trains_resumes_and_evaluates(run, tmp_path: Path) -> None:
    small = (
        "--set num_envs=64 --set ppo.n_steps=8 --set ppo.batch_size=512 "
        "--set evaluation.final_games=20 --set 'opponents.shares={greedy: 1}'"
    )
    done = run(f"train dino_dice --out here --set total_steps=1024 {small}")
    assert done.returncode == 0, done.stderr
    done = run("train dino_dice --resume here --set total_steps=2048")
    assert done.returncode == 0, done.stderr
    assert "resuming here" in done.stdout
    done = run(
        "evaluate dino_dice --agent checkpoint:here --against random,greedy "
        "--games 200 --json s.json"
    )
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "s.json").read_text())
    assert [result["against"] for result in told["results"]] == ["random", "greedy"]
    assert all(result["illegal_moves"] == 0 for result in told["results"])


def test_its_own_config_is_found(run) -> None:
    done = run("train dino_dice --set total_steps=none")
    assert done.returncode != 0
    assert "total_steps" in done.stderr
    done = run("train dino_dice --set ppo.n_steps=3 --set ppo.batch_size=7")
    games = yaml.safe_load((ROOT / "configs" / "dino_dice.yaml").read_text())["num_envs"]
    assert f"= {3 * games}" in done.stderr
