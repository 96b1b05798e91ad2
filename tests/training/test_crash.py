"""Whatever kills a run, and whenever: its checkpoints can be read, and it goes on."""

import errno
import itertools
import json
import multiprocessing
import os
import random
import resource
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import pytest
from dino_training import checkpoint, disk
from dino_training.checkpoint import Checkpoint, CheckpointError
from dino_training.config import Config
from dino_training.train import train

from dino_envs.engine import Game

from .conftest import quiet, small


class KilledError(BaseException):
    """Stands for the end of the process: nothing catches it, nothing runs after it."""


class Doom:
    """Kills this process, as far as files are concerned, or fills its disk, at the n-th change."""

    def __init__(self, changes: int, full: bool) -> None:
        self.left, self.full = changes, full
        self.struck = False

    def changing(self, change: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Makes a change to the disk, unless the process is dead."""
        self.strike()
        return change(*given, **named)

    def writing(self, write: Callable[[Path, bytes], None], path: Path, data: bytes) -> None:
        """Writes a file, or what comes to the disk of it before the end."""
        before = self.struck
        try:
            self.strike(writes=True)
        except BaseException:
            if not before or self.full:
                write(path, data[: len(data) // 2])
            raise
        write(path, data)

    def strike(self, writes: bool = False) -> None:
        self.left -= 1
        self.struck |= self.left < 0
        if self.struck and self.full and writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if self.struck and not self.full:
            raise KilledError

    def on(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(disk, "_write", partial(self.writing, _write))
        for place, name in (
            (os, "rename"), (os, "replace"), (os, "unlink"), (os, "mkdir"), (os, "rmdir"),
            (shutil, "rmtree"),
        ):  # fmt: skip
            patch.setattr(place, name, partial(self.changing, getattr(place, name)))


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def save(run: Path, steps: int) -> None:
    """Does on the disk what a run does when it saves."""
    name = f"checkpoint-{steps}"
    files = {"weights": bytes(steps), "games": b"games" * 9}
    disk.write_checkpoint(run, name, {"format": checkpoint.FORMAT}, files)
    disk.change_description(run / name, {"evaluation": steps})
    disk.point(run, "best", name)
    disk.prune(run, 2, [name])


def steps_readable(run: Path) -> int:
    """Reads everything in all checkpoints; returns the steps of the latest, 0 if there is none."""
    for name in disk.numbered(run):
        told = json.loads((run / name / checkpoint.DESCRIPTION).read_text())
        for file in told["files"]:
            Checkpoint(run / name, told).read(file)
    if not disk.numbered(run):
        return 0
    return disk.numbered(run)[checkpoint.find(run).name]


@contextmanager
def refused(told: str) -> Iterator[None]:
    """Passes over an error of saving that says this; nothing is one that says nothing."""
    try:
        yield
    except CheckpointError as error:
        if not told or told not in str(error):
            raise


@pytest.mark.parametrize("full", [False, True], ids=["killed", "disk full"])
@pytest.mark.parametrize("before", [0, 1, 3])
def test_at_every_change_on_the_disk_a_run_can_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int, full: bool
) -> None:
    monkeypatch.setattr(
        os, "fsync", lambda handle: None
    )  # which takes its time and changes nothing
    (tmp_path / "before").mkdir()
    for number in range(before):
        save(tmp_path / "before", 10 * (number + 1))
    for changes in itertools.count():
        run = Path(shutil.copytree(tmp_path / "before", tmp_path / f"{changes}"))
        doom = Doom(changes, full)
        with pytest.MonkeyPatch.context() as patch:
            doom.on(patch)
            with suppress(KilledError), refused("make room, then" if full else ""):
                save(run, 100)
        assert steps_readable(run) in (10 * before, 100), changes
        save(run, 110)
        assert steps_readable(run) == 110
        assert not list(run.glob(".*part"))
        if not doom.struck:
            break
    assert changes > 10


def test_a_first_checkpoint_that_was_never_pointed_to_is_no_dead_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dice: Game
) -> None:
    out, point = tmp_path / "run", disk._point

    def killed_after_the_name(run: Path, pointer: str, name: str) -> None:
        if (run / name).exists():
            raise KilledError
        point(run, pointer, name)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "_point", killed_after_the_name)
        with pytest.raises(KilledError):
            train("dino_dice", small(), out, console=quiet())
    train("dino_dice", small("total_steps=512"), out, resume=True, console=quiet())
    assert checkpoint.load(out, dice).description["steps"] == 512


def test_logs_that_find_the_disk_full_end_in_the_same_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("stable_baselines3.common.logger.TensorBoardOutputFormat.write", full)
    with pytest.raises(CheckpointError) as caught:
        train("dino_dice", small(), tmp_path / "run", console=quiet())
    assert str(caught.value).endswith(
        "no space left on device. Nothing is saved yet; make room, then start again"
    )


def saves(process: ForkServerProcess, out: Path) -> None:
    """Waits until a training process has saved something new."""
    before, deadline = disk.pointed(out, "latest"), time.monotonic() + 60
    while disk.pointed(out, "latest") == before:
        assert process.is_alive()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def ended(process: ForkServerProcess, full: bool, moment: float) -> None:
    """Ends a training process after so many seconds: killed, or by a disk that is full from now."""
    time.sleep(moment)
    assert process.is_alive(), "it was to train without end"
    assert process.pid is not None
    if full:
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1000, hard))
    else:
        process.kill()
    process.join(timeout=60)
    assert process.exitcode == (1 if full else -9)


def killed_again_and_again(out: Path, config: Config, times: int) -> list[int]:
    """Trains and is ended so many times; returns the steps saved after each."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["dino_training.train"])
    saved, rng = [], random.Random(times)
    for number in range(times):
        resume = any(out.glob("checkpoint-*"))
        process = processes.Process(target=train, args=("dino_dice", config, out, resume))
        process.start()
        try:
            if number % 2 == 0:  # else it may not yet have come to train
                saves(process, out)
            full = number % 3 == 2 and hasattr(resource, "prlimit")
            ended(process, full, rng.uniform(0, 1 if number % 2 == 0 else 3))
        finally:
            process.kill()
            process.join()
        saved.append(steps_readable(out))
    return saved


@pytest.mark.parametrize("times", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_a_run_goes_on_after_every_kill_and_every_full_disk(
    tmp_path: Path, dice: Game, times: int
) -> None:
    out = tmp_path / "run"
    saved = killed_again_and_again(out, small("total_steps=1e9", "evaluation.every=512"), times)
    assert saved == sorted(saved)
    assert saved[-1] > 0
    longer = small(f"total_steps={saved[-1] + 512}")
    train("dino_dice", longer, out, resume=True, console=quiet())
    assert checkpoint.load(out, dice).description["steps"] == saved[-1] + 512
    assert not list(out.glob(".*part"))
