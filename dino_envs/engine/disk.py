"""What is computed once and kept on disk, in folders named after the sources it came from."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import platformdirs
from numba import config

_ENGINE = Path(__file__).parent


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
    root = config.CACHE_DIR or platformdirs.user_cache_dir("dino-envs")
    return Path(root) / "kernels" / f"{names}-{digest.hexdigest()[:16]}"


@contextmanager
def announced(what: str) -> Iterator[None]:
    """Says on stderr what is being done, if it takes long enough to be noticed."""
    notice = threading.Timer(
        0.7, lambda: print(f"{what}, first run only", file=sys.stderr, flush=True)
    )
    notice.daemon = True
    notice.start()
    try:
        yield
    finally:
        notice.cancel()


def _mapped(path: Path) -> npt.NDArray[Any]:
    return np.asarray(np.load(path, mmap_mode="r"))


def cached_table(
    source: str, name: str, compute: Callable[[], npt.NDArray[Any]]
) -> npt.NDArray[Any]:
    """Returns a read-only table, from disk if the same sources have computed it before.

    Args:
        source: the `__file__` of the module that computes it.
        name: names the table within its folder.
        compute: makes it. Where nothing can be written it is kept in memory alone.
    """
    path = cache_folder(Path(source).parent) / f"{name}.npy"
    with suppress(OSError, ValueError):  # not there, or cut short
        return _mapped(path)
    with announced(f"solving {path.parent.name.rpartition('-')[0]} ({name})"):
        table = compute()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        with open(part, "wb") as file:
            np.save(file, table)
        part.replace(path)
        return _mapped(path)
    return table
