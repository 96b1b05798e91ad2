"""Measures how long a first and a second process take to the first batched step of each game."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from table import conditions, write

import dino_envs

CODE = """
import time
start = time.perf_counter()
import numpy as np
from dino_envs.engine import RANDOM, Batch
from dino_envs.games import load
batch = Batch(load({game!r}), 64, bots=[RANDOM])
batch.players[:] = 0
batch.deal(np.arange(64, dtype=np.uint64))
batch.play()
assert not batch.running.any()
print(time.perf_counter() - start)
"""


def seconds(game_id: str, cache: Path) -> float:
    """Returns the seconds from the start of the imports to the end of the first games."""
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(game=game_id)],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def main() -> None:
    """Measures every game with an empty cache folder, then with a full one."""
    where, rows = conditions(), []
    for game_id in dino_envs.list_games():
        with tempfile.TemporaryDirectory() as folder:
            first = seconds(game_id, Path(folder))
            second = min(seconds(game_id, Path(folder)) for _ in range(5))
        rows.append(
            {
                "game": game_id,
                "first process, s": f"{first:.2f}",
                "second process, s": f"{second:.2f}",
            }
        )
    write("compile_time", "Seconds to the first batched games, imports included", where, rows)


if __name__ == "__main__":
    main()
