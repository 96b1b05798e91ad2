"""Writes checkpoints so that a crash at any moment leaves the earlier ones whole."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dino_training.checkpoint import DESCRIPTION, POINTERS, CheckpointError

_PART = ".part"


def make_run_folder(run: Path) -> None:
    """Makes the folder of a run and writes into it, to find out whether that can be done.

    Raises:
        CheckpointError: it cannot.
    """
    probe = run / f".probe{_PART}"
    try:
        run.mkdir(parents=True, exist_ok=True)
        _write(probe, b"can this folder be written?")
        probe.unlink()
    except OSError as error:
        raise CheckpointError(
            f"cannot write into {run}: {_reason(error)}. Choose another folder with --out"
        ) from error


def write_checkpoint(
    run: Path, name: str, description: Mapping[str, Any], files: Mapping[str, bytes]
) -> Path:
    """Writes the folder run/name, then points `latest` to it; a name in use is replaced.

    Everything is on the disk before the folder gets its name.

    Raises:
        CheckpointError: the disk is full or cannot be written; nothing has changed.
    """
    part = run / f".{name}.{os.getpid()}{_PART}"
    listed = {
        file: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for file, data in files.items()
    }
    text = json.dumps({**description, "files": listed}, indent=2) + "\n"
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        for file, data in {**files, DESCRIPTION: text.encode()}.items():
            _write(part / file, data)
        _sync(part)
        if (run / name).exists():
            os.rename(run / name, run / f".{name}.{os.getpid()}.old{_PART}")
        os.rename(part, run / name)
        _sync(run)
        point(run, POINTERS[0], name)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise CheckpointError(
            f"cannot save {run / name}: {_reason(error)}. The checkpoints there before are "
            f"untouched; make room, then go on with --resume {run}"
        ) from error
    return run / name


def point(run: Path, pointer: str, name: str) -> None:
    """Writes a checkpoint's name into a pointer file, in one step."""
    part = run / f".{pointer}.{os.getpid()}{_PART}"
    try:
        _write(part, f"{name}\n".encode())
        os.replace(part, run / pointer)
        _sync(run)
    finally:
        part.unlink(missing_ok=True)


def prune(run: Path, keep: int, also: Iterable[str]) -> None:
    """Deletes all checkpoints of a run but the latest `keep` and those named, and unfinished ones.

    What cannot be deleted is left for the next time.
    """
    found = {p.name: int(p.name.partition("-")[2]) for p in run.glob("checkpoint-*[0-9]")}
    latest = sorted(found, key=lambda name: found[name])[-keep:]
    for name in set(found) - set(latest) - set(also):
        shutil.rmtree(run / name, ignore_errors=True)
    for part in run.glob(f".*{_PART}"):
        shutil.rmtree(part, ignore_errors=True) if part.is_dir() else part.unlink(missing_ok=True)


def _write(path: Path, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Has the names in a folder written to the disk."""
    if os.name == "nt":  # Windows cannot open folders
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
