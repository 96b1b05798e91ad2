"""A checkpoint outlives crashes, and one that cannot be used says why."""

import json
import os
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from dino_training import checkpoint, disk
from dino_training.checkpoint import CheckpointError
from dino_training.train import train

from dino_envs.agents import make_agent
from dino_envs.engine import Field, Game, ObservationLayout, UnknownAgentError
from dino_envs.evaluation import evaluate

from .conftest import make_env, quiet, small


@pytest.fixture(scope="module")
def trained_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "first"
    train("dino_dice", small("total_steps=768"), out, console=quiet())
    return out


@pytest.fixture
def run(trained_run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained_run, tmp_path / "run"))


def describe(run: Path, **changes: object) -> None:
    """Changes entries of the latest checkpoint's description; None takes one out."""
    path = checkpoint.find(run) / "checkpoint.json"
    told = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({key: value for key, value in told.items() if value is not None}))


def test_a_checkpoint_tells_what_it_is(run: Path, dice: Game) -> None:
    told = checkpoint.load(run, dice).description
    assert (told["game"], told["game_version"], told["steps"]) == ("dino_dice", dice.version, 768)
    assert told["options"]["target"] == 40
    assert told["observation"][0] == ["dice", [5, 7]]
    assert told["actions"] == [["stop", 1], ["reroll", 31], ["eat", 5]]
    assert told["config"]["ppo"]["n_steps"] == 8
    assert told["evaluation"]["results"][0]["against"] == "random"
    assert told["evaluation"]["results"][0]["illegal_moves"] == 0
    assert {"torch", "numpy", "dino-envs"} <= set(told["versions"])
    assert told["seconds"] > 0


def test_the_newest_three_and_the_best_are_kept(run: Path) -> None:
    kept = {p.name for p in run.glob("checkpoint-*")}
    assert {"checkpoint-256", "checkpoint-512", "checkpoint-768"} == kept
    disk.prune(run, 1, ["checkpoint-256"])
    assert {p.name for p in run.glob("checkpoint-*")} == {"checkpoint-256", "checkpoint-768"}
    assert not list(run.glob(".*part"))


def test_a_checkpoint_plays_from_the_runs_folder_its_own_or_a_pointer(
    run: Path, dice: Game
) -> None:
    env = make_env(dice, 64)
    observations, masks = env.reset(), env.action_masks().astype(np.int8)
    streams = np.arange(64, dtype=np.uint64)
    answers = [
        make_agent(f"checkpoint:{path}", dice).act(observations, masks, streams.copy())
        for path in (run, run / "checkpoint-768", run / "latest", run / "best")
    ]
    for answer in answers:
        assert masks[np.arange(64), answer].all()
        np.testing.assert_array_equal(answer, answers[0])
    drawn = make_agent(f"checkpoint:{run},sample", dice).act(observations, masks, streams.copy())
    assert (drawn != answers[0]).any()
    written_out = make_agent(f"checkpoint:{run},sample=true", dice)
    np.testing.assert_array_equal(drawn, written_out.act(observations, masks, streams.copy()))
    assert masks[np.arange(64), drawn].all()


def test_it_plays_as_it_was_scored(tmp_path: Path, dice: Game) -> None:
    """Who is scored by what it draws is best by that: its agents, and the pool's, draw as well."""
    config = small("total_steps=512", "evaluation.sample=true")
    train("dino_dice", config, tmp_path, console=quiet())
    as_scored, drawn, likeliest = (
        evaluate(dice, f"checkpoint:{tmp_path}{mode}", "random", seed=1, options=config.options,
                 games=config.evaluation.final_games)
        for mode in ("", ",sample=true", ",sample=false")
    )  # fmt: skip
    assert as_scored.log == drawn.log != likeliest.log
    kept = checkpoint.load(tmp_path).description["evaluation"]["results"][0]
    assert kept["score"] == as_scored.score


def test_it_plays_what_stable_baselines_plays(run: Path, dice: Game) -> None:
    from sb3_contrib import MaskablePPO

    env = make_env(dice, 64)
    observations, masks = env.reset(), env.action_masks()
    model = MaskablePPO.load(checkpoint.find(run) / "sb3.zip", device="cpu")
    wanted, _ = model.predict(observations, deterministic=True, action_masks=masks)
    found = make_agent(f"checkpoint:{run}", dice).act(
        observations, masks.astype(np.int8), np.zeros(64, np.uint64)
    )
    np.testing.assert_array_equal(found, wanted)


def test_playing_reads_no_pickles(run: Path, dice: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a pickle was read")

    monkeypatch.setattr(torch, "load", refused)
    monkeypatch.setattr("pickle.load", refused)
    monkeypatch.setattr("pickle.loads", refused)
    (checkpoint.find(run) / "sb3.zip").write_bytes(b"not even a zip")
    make_agent(f"checkpoint:{run}", dice)


@pytest.mark.parametrize("spec", ["checkpoint:", "checkpoint:x,argmax", "checkpoint"])
def test_specs_of_another_form_are_refused(dice: Game, spec: str) -> None:
    with pytest.raises(UnknownAgentError, match="write checkpoint:PATH"):
        make_agent(spec, dice)


def refusal(path: Path, game: Game) -> str:
    with pytest.raises(CheckpointError) as caught:
        checkpoint.load(path, game).net()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_missing_checkpoint_is_named(tmp_path: Path, run: Path, dice: Game) -> None:
    assert "does not exist; give the folder of a run" in refusal(tmp_path / "none", dice)
    (tmp_path / "empty").mkdir()
    assert "holds no checkpoint; give the folder" in refusal(tmp_path / "empty", dice)
    (run / "latest").write_text("checkpoint-5\n")
    assert "names no checkpoint ('checkpoint-5'); there are: checkpoint-256" in refusal(run, dice)
    (run / "latest").write_text("../run/checkpoint-768")
    assert "names no checkpoint" in refusal(run, dice)


@pytest.mark.parametrize("name", ["weights.safetensors", "checkpoint.json"])
def test_a_truncated_file_is_damage(run: Path, dice: Game, name: str) -> None:
    path = checkpoint.find(run) / name
    path.write_bytes(path.read_bytes()[:-40])
    message = refusal(run, dice)
    assert f"checkpoint-768 is damaged: {name}" in message
    assert "Use another checkpoint" in message


def test_changed_bytes_are_damage(run: Path, dice: Game) -> None:
    path = checkpoint.find(run) / "weights.safetensors"
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    assert "weights.safetensors is not what was written" in refusal(run, dice)
    path.unlink()
    assert "weights.safetensors cannot be read" in refusal(run, dice)


def test_a_checkpoint_of_another_game_is_refused(run: Path, dice: Game) -> None:
    describe(run, game="dino_days")
    message = refusal(run, dice)
    assert "learnt dino_days, not dino_dice" in message
    assert "dino-envs train dino_dice" in message


def test_a_checkpoint_of_another_version_or_layout_is_refused(run: Path, dice: Game) -> None:
    other = replace(dice, observation=ObservationLayout(Field("dice", (5, 6), 0, 1, "fewer")))
    assert "another observation layout of dino_dice: ['dice', [5, 7]] there" in refusal(run, other)
    describe(run, actions=[["stop", 1]])
    assert "another action table of dino_dice: 1 parts there, 3 here" in refusal(run, dice)
    describe(run, game_version=99)
    message = refusal(run, dice)
    assert "another version of dino_dice: 99 there" in message
    assert "Train again, or use dino-envs" in message


def test_a_checkpoint_of_a_newer_format_asks_for_an_upgrade(run: Path, dice: Game) -> None:
    describe(run, format=checkpoint.FORMAT + 1)
    assert "install a newer dino-envs (pip install -U" in refusal(run, dice)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": None}, "no format number"),
        ({"format": "one"}, "no format number"),
        ({"format": 1}, "train again, or use the older dino-envs"),
        ({"network": None}, "lacks network"),
        ({"network": {"inputs": 3}}, "the network in checkpoint.json"),
        ({"files": {}}, "bytes, none were written"),
    ],
)
def test_a_damaged_description_is_named(
    run: Path, dice: Game, change: dict[str, object], message: str
) -> None:
    describe(run, **change)
    assert message in refusal(run, dice)


def test_weights_of_another_network_are_damage(run: Path, dice: Game) -> None:
    network = checkpoint.load(run, dice).description["network"]
    describe(run, network={**network, "hidden": [16, 16]})
    assert "does not fit the network" in refusal(run, dice)
    describe(run, network={**network, "outputs": 5})
    assert "does not fit the layouts" in refusal(run, dice)
    describe(run, network={**network, "parts": [[0, 9], [9, 10**6]]})
    assert "parts must rise within 0 to" in refusal(run, dice)
    shifted = [[start + 1, stop + 1] for start, stop in network["parts"][:1]]
    describe(run, network={**network, "parts": shifted})
    assert "does not fit the layouts" in refusal(run, dice)


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Has every write beyond so many bytes of a file fail."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_the_checkpoints_before(run: Path, dice: Game) -> None:
    before = sorted(p.name for p in run.iterdir())
    files = {"weights.safetensors": bytes(10_000)}
    with full_disk(5_000), pytest.raises(CheckpointError, match=r"cannot save .*make room"):
        disk.write_checkpoint(run, "checkpoint-999", {"format": 1}, files)
    assert sorted(p.name for p in run.iterdir()) == before
    checkpoint.load(run, dice).net()


def test_a_crash_before_the_name_is_given_changes_nothing(
    run: Path, dice: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(os, "rename", killed)
    with pytest.raises(Killed):
        disk.write_checkpoint(run, "checkpoint-999", {"format": 1}, {"a": b"1"})
    monkeypatch.undo()
    assert checkpoint.load(run, dice).folder.name == "checkpoint-768"
    disk.prune(run, 3, [])
    assert not list(run.glob(".*part"))


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CheckpointError, match=r"cannot write into .*--out"):
        disk.make_run_folder(tmp_path / "file" / "run")
    with pytest.raises(CheckpointError, match="cannot write into"):
        train("dino_dice", small(), Path("/proc/dino"), console=quiet())
