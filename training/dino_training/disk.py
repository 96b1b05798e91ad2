"""Writes checkpoints so that a crash at any moment leaves the earlier ones whole."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from dino_training.checkpoint import DESCRIPTION, POINTERS, CheckpointError, find, steps_of

_PART = ".part"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def make_run_folder(run: Path) -> None:
    """Makes the folder of a run and writes into it, to find out whether that can be done.

    Raises:
        CheckpointError: it cannot.
    """
    probe = run / f".probe{_PART}"
    try:
        run.mkdir(parents=True, exist_ok=True)
        _write(probe, b"can this folder be written?")
        probe.unlink(missing_ok=True)
    except OSError as error:
        raise CheckpointError(
            f"cannot write into {run}: {_reason(error)}. Choose another folder with --out"
        ) from error


def write_checkpoint(
    run: Path, name: str, description: Mapping[str, Any], files: Mapping[str, bytes]
) -> Path:
    """Writes the folder run/name, then points `latest` to it; a name in use is replaced.

    Everything is on the disk before the folder gets its name. Where `latest` names nothing yet, it
    names this one before it is there: a first checkpoint that nothing names could not be resumed.

    Raises:
        CheckpointError: the disk is full or cannot be written; nothing has changed.
    """
    part = _unnamed(run / name)
    try:
        _write_folder(part, described(description, files))
        if not os.path.isfile(run / (pointed(run, POINTERS[0]) or name) / DESCRIPTION):
            _point(run, POINTERS[0], name)
        if (run / name).exists():
            os.rename(run / name, _aside(run, name))
        os.rename(part, run / name)
        _sync(run)
        _point(run, POINTERS[0], name)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise cannot_save(run, run / name, error) from error
    return run / name


def described(description: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Returns the files of a checkpoint with the JSON that describes them."""
    listed = {
        file: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for file, data in files.items()
    }
    text = json.dumps({**description, "files": listed}, indent=2) + "\n"
    return {**files, DESCRIPTION: text.encode()}


def write_alone(folder: Path, files: Mapping[str, bytes]) -> None:
    """Writes the folder of a checkpoint that belongs to no run; one that is there is replaced.

    Raises:
        CheckpointError: the disk is full or cannot be written; nothing has changed.
    """
    part, old = _unnamed(folder), _aside(folder.parent, folder.name)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _write_folder(part, files)
        if folder.exists():
            os.rename(folder, old)
        os.rename(part, folder)
        _sync(folder.parent)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise CheckpointError(f"cannot write {folder}: {_reason(error)}") from error
    shutil.rmtree(old, ignore_errors=True)


def change_description(checkpoint: Path, changes: Mapping[str, Any]) -> None:
    """Changes entries of a checkpoint's description, in one step.

    Raises:
        CheckpointError: the disk is full or cannot be written; nothing has changed.
    """
    path = checkpoint / DESCRIPTION
    try:
        told = {**json.loads(path.read_text("utf-8")), **changes}
        replace(path, json.dumps(told, indent=2) + "\n")
    except OSError as error:
        raise cannot_save(checkpoint.parent, path, error) from error


def point(run: Path, pointer: str, name: str) -> None:
    """Writes a checkpoint's name into a pointer file, in one step.

    Raises:
        CheckpointError: the disk is full or cannot be written; nothing has changed.
    """
    try:
        _point(run, pointer, name)
    except OSError as error:
        raise cannot_save(run, run / pointer, error) from error


def pointed(run: Path, pointer: str) -> str:
    """Returns the name that a pointer file holds, empty if there is none."""
    try:
        return (run / pointer).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def numbered(run: Path) -> dict[str, int]:
    """Returns the names of a run's checkpoints, with the steps they were written after."""
    found = {path.name: steps_of(path.name) for path in run.iterdir()}
    return {name: steps for name, steps in found.items() if steps is not None}


def prune(run: Path, keep: int, also: Iterable[str]) -> None:
    """Deletes all checkpoints of a run but the latest `keep` and those named, and unfinished ones.

    Those beyond the one that `latest` names are lost work: the run went on from an earlier one.
    Checkpoints that a pointer names stay. What cannot be deleted is left for the next time.
    """
    found, named = numbered(run), [pointed(run, pointer) for pointer in POINTERS]
    end = found.get(named[0], max(found.values(), default=0))
    current = [name for name in found if found[name] <= end]
    latest = sorted(current, key=lambda name: found[name])[-keep:]
    for name in set(found) - {*latest, *named, *also}:
        # Under its own name there is a whole checkpoint or none, however far the deletion comes.
        with suppress(OSError):
            os.rename(run / name, _aside(run, name))
    for part in run.glob(f".*{_PART}"):
        shutil.rmtree(part, ignore_errors=True) if part.is_dir() else part.unlink(missing_ok=True)


@contextmanager
def full_disk_named(run: Path) -> Iterator[None]:
    """Has a full disk, whoever finds it so, end in the error of `cannot_save`.

    TensorBoard's writer, for one, knows neither the run nor what to do.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise cannot_save(run, Path(error.filename or run), error) from error


def cannot_save(run: Path, path: Path, error: OSError) -> CheckpointError:
    """Returns the error of a file that cannot be written, which says what to do."""
    what = "make room" if error.errno in _FULL else "see to it that it can be written"
    try:
        find(run)
    except CheckpointError:
        after = f"Nothing is saved yet; {what}, then start again"
    else:
        after = (
            f"The checkpoints there before are untouched; {what}, then go on with --resume {run}"
        )
    return CheckpointError(f"cannot save {path}: {_reason(error)}. {after}")


def _unnamed(folder: Path) -> Path:
    """Returns where a folder is written before it gets its name."""
    return folder.with_name(f".{folder.name}.{os.getpid()}{_PART}")


def _write_folder(part: Path, files: Mapping[str, bytes]) -> None:
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    for file, data in files.items():
        _write(part / file, data)
    _sync(part)


def _aside(run: Path, name: str) -> Path:
    """Returns where a checkpoint goes that is to be deleted."""
    return run / f".{name}.{os.getpid()}.old{_PART}"


def _point(run: Path, pointer: str, name: str) -> None:
    replace(run / pointer, f"{name}\n")


def replace(path: Path, content: str | bytes) -> None:
    """Writes a small file so that there is the old or the new one at any moment.

    Raises:
        OSError: it cannot be written; nothing has changed.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}{_PART}")
    try:
        _write(part, content.encode() if isinstance(content, str) else content)
        os.replace(part, path)
        _sync(path.parent)
    finally:
        part.unlink(missing_ok=True)


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
