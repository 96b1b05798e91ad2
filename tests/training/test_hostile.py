"""A checkpoint that is cut short, of elsewhere, or made to do harm: a named error, nothing run."""

import hashlib
import io
import json
import os
import pickle
import shutil
import zipfile
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from dino_training import checkpoint
from dino_training.checkpoint import CheckpointError
from dino_training.config import Config
from dino_training.learner import Learner
from dino_training.train import resumed_config, train
from sb3_contrib import MaskablePPO
from typer.testing import CliRunner

from dino_envs.agents import make_agent
from dino_envs.cli import app
from dino_envs.engine import Field, Game, ObservationLayout
from dino_envs.evaluation import evaluate

from .conftest import quiet
from .conftest import small as small_run

JSON = checkpoint.DESCRIPTION


def small(*settings: str) -> Config:
    """Returns the config of a run whose checkpoints are as small as can be."""
    sizes = ["num_envs=8", "ppo.batch_size=64", "network.hidden=[4]"]
    return small_run(*sizes, *settings)


@pytest.fixture(scope="module")
def trained_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "first"
    train("dino_dice", small("total_steps=512"), out, console=quiet())
    return out


@pytest.fixture
def run(trained_run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained_run, tmp_path / "run"))


@pytest.fixture(scope="module")
def resumes(dice: Game) -> Callable[[Path], None]:
    """Returns resumes(run), which reads all that is read to go on with a run."""
    learner = Learner(dice, small())

    def resumed(run: Path) -> None:
        found = checkpoint.load(run, dice)
        found.check_resumable()
        learner.restore(found)

    return resumed


def rewrite(run: Path, name: str, data: bytes) -> None:
    """Changes a file of the latest checkpoint, and its hash with it, as an attacker would."""
    path = checkpoint.find(run) / JSON
    told = json.loads(path.read_text())
    told["files"][name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    path.write_text(json.dumps(told))
    (path.parent / name).write_bytes(data)


def describe(run: Path, **changes: object) -> None:
    path = checkpoint.find(run) / JSON
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


# Cut short


FILES = [JSON, "weights.safetensors", "optimizer.safetensors", "games.safetensors",
         "snapshots.safetensors"]  # fmt: skip


@pytest.mark.parametrize("places", [40, pytest.param(0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FILES)
def test_a_file_cut_at_any_byte_is_a_named_error(
    run: Path, resumes: Callable[[Path], None], name: str, places: int
) -> None:
    path = checkpoint.find(run) / name
    size = len(path.read_text("utf-8").rstrip().encode()) if name == JSON else path.stat().st_size
    for length in sorted({size - 1, *range(0, size, size // places if places else 1)})[::-1]:
        os.truncate(path, length)
        with pytest.raises(CheckpointError, match=f"is damaged: {name}"):
            resumes(run)


def test_pointers_cut_at_any_byte_are_named_errors(run: Path, dice: Game) -> None:
    for pointer in checkpoint.POINTERS:
        path = run / pointer
        whole = path.read_text().strip()
        for length in range(len(whole) - 1, -1, -1):
            path.write_text(whole[:length])
            with pytest.raises(CheckpointError, match="names no checkpoint"):
                checkpoint.load(path, dice)
        path.write_text(whole)
        checkpoint.load(path, dice)


def test_what_stable_baselines_reads_is_not_needed(run: Path, dice: Game) -> None:
    path = checkpoint.find(run) / "sb3.zip"
    for length in (path.stat().st_size // 2, 0):
        os.truncate(path, length)
        make_agent(f"checkpoint:{run}", dice)
    path.unlink()
    train("dino_dice", small("total_steps=768"), run, resume=True, console=quiet())
    assert checkpoint.load(run, dice).description["steps"] == 768


# Made to do harm


class Harm:
    """Makes a folder when it is unpickled."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.place),)


def hostile_zip(whole: bytes, harm: Harm) -> bytes:
    """Returns a Stable-Baselines3 zip that holds pickles which do harm."""
    written, torch_file = io.BytesIO(), io.BytesIO()
    torch.save(harm, torch_file)
    told = {":type:": "type", ":serialized:": b64encode(pickle.dumps(harm)).decode()}
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(written, "w") as new:
        data = json.loads(old.read("data"))
        new.writestr("data", json.dumps({**data, "policy_class": told}))
        for name in ("policy.pth", "policy.optimizer.pth", "pytorch_variables.pth"):
            new.writestr(name, torch_file.getvalue())
    return written.getvalue()


@pytest.mark.filterwarnings("ignore")
def test_a_hostile_pickle_in_the_zip_is_not_executed(run: Path, tmp_path: Path, dice: Game) -> None:
    place = tmp_path / "harm"
    path = checkpoint.find(run) / "sb3.zip"
    rewrite(run, path.name, hostile_zip(path.read_bytes(), Harm(place)))
    evaluate(dice, f"checkpoint:{run}", f"checkpoint:{run},sample", games=4)
    train("dino_dice", small("total_steps=768"), run, resume=True, console=quiet())
    assert not place.exists()
    with pytest.raises(pickle.UnpicklingError):  # of the weights, after the data did harm
        MaskablePPO.load(path)
    assert place.exists()  # so the pickle is one that would have been executed


@pytest.mark.parametrize("name", [name for name in FILES if name != JSON])
@pytest.mark.parametrize("kind", ["pickle", "torch", "zip"])
def test_pickles_in_place_of_weights_are_not_executed(
    run: Path, tmp_path: Path, resumes: Callable[[Path], None], name: str, kind: str
) -> None:
    place = tmp_path / "harm"
    saved = io.BytesIO()
    torch.save(Harm(place), saved)
    data = {
        "pickle": pickle.dumps(Harm(place)),
        "torch": saved.getvalue(),
        "zip": hostile_zip((checkpoint.find(run) / "sb3.zip").read_bytes(), Harm(place)),
    }
    rewrite(run, name, data[kind])
    with pytest.raises(CheckpointError, match=f"is damaged: {name}"):
        resumes(run)
    assert not place.exists()


@pytest.mark.parametrize(
    "header",
    [
        {"w": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}},
        {"w": {"dtype": "F32", "shape": [2**62, 2**62], "data_offsets": [0, 4]}},
        {"w": {"dtype": "F32", "shape": [1], "data_offsets": [4, 0]}},
        {"w": {"dtype": "O", "shape": [1], "data_offsets": [0, 4]}},
        {},
    ],
)
def test_weights_that_claim_what_they_are_not_are_damage(
    run: Path, dice: Game, header: dict[str, object]
) -> None:
    text = json.dumps(header).encode()
    rewrite(run, "weights.safetensors", len(text).to_bytes(8, "little") + text + bytes(4))
    with pytest.raises(CheckpointError, match=r"is damaged: .*weights\.safetensors"):
        checkpoint.load(run, dice).net()


@pytest.mark.parametrize(
    "text",
    [b"[" * 100_000, b'{"format": ' + b"9" * 9999 + b"}", b"\xff\xfe", b"null", b'{"a":NaN}'],
)
def test_a_description_that_is_none_is_damage(run: Path, dice: Game, text: bytes) -> None:
    (checkpoint.find(run) / JSON).write_bytes(text)
    with pytest.raises(CheckpointError, match=f"is damaged: {JSON}"):
        checkpoint.load(run, dice)


def test_a_network_beyond_all_memory_is_never_built(run: Path, dice: Game) -> None:
    network = checkpoint.load(run, dice).description["network"]
    describe(run, network={**network, "hidden": [10**12, 10**12]})
    with pytest.raises(CheckpointError, match="does not fit the network"):
        checkpoint.load(run, dice).net()


# Of elsewhere


ELSEWHERE = [
    ({"format": checkpoint.FORMAT + 1}, "install a newer dino-envs"),
    ({"format": 10**30}, "install a newer dino-envs"),
    ({"game": "dino_days"}, "learnt dino_days, not dino_dice"),
    ({"game_version": 10**6}, "learnt another version of dino_dice: 1000000 there"),
    ({"observation": [["dice", [5, 7]]]}, "learnt another observation layout of dino_dice"),
    ({"actions": [["stop", 1]]}, "learnt another action table of dino_dice"),
]


@pytest.mark.parametrize(("change", "told"), ELSEWHERE)
def test_a_checkpoint_of_elsewhere_is_one_line_in_every_command(
    run: Path, change: dict[str, object], told: str
) -> None:
    describe(run, **change)
    for command in (
        ["evaluate", "dino_dice", "--agent", f"checkpoint:{run}", "--games", "2"],
        ["train", "dino_dice", "--resume", str(run)],
    ):
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert told in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_a_game_that_has_changed_refuses_what_learnt_the_one_before(run: Path, dice: Game) -> None:
    seen = ObservationLayout(Field("dice", (5, 6), 0, 1, "fewer"))
    for other in (replace(dice, observation=seen), replace(dice, version=dice.version + 1)):
        with pytest.raises(CheckpointError, match="learnt another"):
            make_agent(f"checkpoint:{run}", other)
        with pytest.raises(CheckpointError, match="learnt another"):
            resumed_config(other, run)
