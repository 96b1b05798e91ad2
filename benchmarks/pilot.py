"""Plays a few games to tell how many there is time for."""

from __future__ import annotations

import time
from collections.abc import Callable

from dino_envs.evaluation import Result

GAMES = 8
"""As few as are played; the seats may ask for some more."""


def fitting(play: Callable[..., Result], seconds: float) -> int:
    """Returns how many games fit into so many seconds: those of the pilot at least.

    Args:
        play: plays `games` games.
        seconds: the time that there is, on the machine as it is now.
    """
    play(games=1)  # what has to be loaded is loaded
    start = time.perf_counter()
    played = play(games=GAMES).games
    return int(max(played, seconds * played / (time.perf_counter() - start)))
