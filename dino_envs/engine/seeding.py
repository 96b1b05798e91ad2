"""Turns the seeds people give into the streams that games use."""

from __future__ import annotations

from operator import index

import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding

from dino_envs.engine.kernel import kernel
from dino_envs.engine.stream import fork, next_word

Words = npt.NDArray[np.uint64]


def episode_stream(seed: int | None) -> Words:
    """Returns a stream uint64 [1] of episode seeds, from a seed >= 0 or the machine's entropy."""
    generator, _ = seeding.np_random(None if seed is None else index(seed))
    return generator.integers(2**64, size=1, dtype=np.uint64)


@kernel
def next_episodes(episodes, chosen, games, agents, draws):
    """Draws the seeds of the next episode of each chosen game; the others are left alone.

    Every stream of an episode is a branch of one word, so that it depends on nothing else.

    Args:
        episodes: uint64 [B], one stream of episode seeds a game; moves on in place.
        chosen: bool [B].
        games: uint64 [B], gets the seeds to deal with.
        agents: uint64 [B, P], gets the agents' streams, one a seat.
        draws: uint64 [B], gets streams for what is drawn around the game (who sits where).
    """
    for i in range(episodes.shape[0]):
        if chosen[i]:
            word = next_word(episodes[i : i + 1])
            games[i] = fork(word, 0)
            draws[i] = fork(word, 1)
            for seat in range(agents.shape[1]):
                agents[i, seat] = fork(word, 2 + seat)


def branched_episodes(seed: int | None, count: int) -> Words:
    """Returns streams uint64 [count] of episode seeds, all from one seed (as `episode_stream`).

    Stream i is the same for every `count`. It is not `episode_stream(seed + i)`, by which the
    games of nearby seeds would be the same ones, moved by a place.
    """
    streams, unused = np.zeros((1, count), np.uint64), np.zeros(1, np.uint64)
    next_episodes(episode_stream(seed), np.ones(1, np.bool_), unused, streams, unused)
    return np.asarray(streams[0])
