"""What is computed once and kept on disk, in folders named after the sources it came from."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import platformdirs
from numba import config

_ENGINE = Path(__file__).parent


def _root() -> Path:
    return Path(config.CACHE_DIR or platformdirs.user_cache_dir("dino-envs"))


@cache
def cache_folder(*folders: Path) -> Path:
    """Returns the cache folder for what is made from these source folders and the engine.

    Any change of a source is another folder, so nothing on disk can be stale. The root is
    `NUMBA_CACHE_DIR` where that is set, else the user's cache folder.
    """
    digest = hashlib.sha256()
    for folder in sorted({*folders, _ENGINE}):
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    names = "-".join(sorted({folder.name for folder in folders} - {_ENGINE.name})) or _ENGINE.name
    return _root() / "kernels" / f"{names}-{digest.hexdigest()[:16]}"


@cache
def _say(what: str) -> None:
    """Says on stderr what is being done, once in a process."""
    print(f"{what}, first run only", file=sys.stderr, flush=True)


@contextmanager
def announced(what: str) -> Iterator[None]:
    """Says on stderr what is being done, if it takes long enough to be noticed."""
    notice = threading.Timer(0.7, _say, [what])
    notice.daemon = True
    notice.start()
    try:
        yield
    finally:
        notice.cancel()


def _mapped(path: Path) -> npt.NDArray[Any]:
    return np.asarray(np.load(path, mmap_mode="r"))


def cached_table(
    name: str,
    sources: Sequence[str],
    shape: tuple[int, ...],
    dtype: Any,
    compute: Callable[[], npt.NDArray[Any]],
) -> npt.NDArray[Any]:
    """Returns a read-only table, from disk if the same sources have computed it before.

    Args:
        name: names the table.
        sources: the files of the modules that it follows from.
        shape: its shape.
        dtype: its type.
        compute: makes it. Where nothing can be written it is kept in memory alone.
    """
    digest = hashlib.sha256(b"\0".join(Path(source).read_bytes() for source in sources))
    path = _root() / "tables" / f"{name}-{digest.hexdigest()[:16]}.npy"
    with suppress(OSError, ValueError, EOFError):  # not there, or cut short
        table = _mapped(path)
        if table.shape == shape and table.dtype == dtype:
            return table
    with announced(f"solving {name}"):
        table = compute()
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(part, "wb") as file:
            np.save(file, table)
        part.replace(path)
        return _mapped(path)
    except OSError:  # read-only, or full
        with suppress(OSError):
            part.unlink(missing_ok=True)
        return table
