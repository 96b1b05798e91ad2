"""Keeps two processes from training in one folder."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dino_envs.engine import DinoEnvsError

FILE = ".lock"
"""In a run's folder: the id of the process that trains there, or of the last that did."""

_HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class RunInUseError(DinoEnvsError, RuntimeError):
    """Another process trains in the folder."""


@contextmanager
def hold(run: Path) -> Iterator[None]:
    """Holds the lock of a run's folder, which must exist.

    The system lets go of it when the process ends, however it ends: the file that is left behind
    locks nothing. Where the file system knows no locks, nothing is held.

    Raises:
        RunInUseError: another process holds it; the message names that.
        OSError: the file cannot be opened.
    """
    handle = os.open(run / FILE, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            _lock(handle)
        except OSError as error:
            if error.errno in _HELD:
                holder = os.read(handle, 20).decode("ascii", "replace").strip() or "of unknown id"
                raise RunInUseError(
                    f"process {holder} is training in {run}: wait for it or stop it, or choose "
                    "another --out"
                ) from error
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, 1 << 20, os.SEEK_SET)  # beyond the text, which others must be able to read
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
