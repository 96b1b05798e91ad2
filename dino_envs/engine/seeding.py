"""Turns the seeds people give into the streams that games use."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding

from dino_envs.engine.kernel import kernel
from dino_envs.engine.stream import fork, next_word

Words = npt.NDArray[np.uint64]

_AGENT_BRANCH = 1
"""Branch 0 of an episode's seed is the game's, branch 1 + seat an agent's."""


def episode_stream(seed: int | None) -> Words:
    """Returns a stream uint64 [1] of episode seeds, from a seed >= 0 or the machine's entropy."""
    generator, _ = seeding.np_random(seed)
    return generator.integers(2**64, size=1, dtype=np.uint64)


@kernel
def _next_episodes(episodes, chosen, games, agents):
    for i in range(episodes.shape[0]):
        if chosen[i]:
            word = next_word(episodes[i : i + 1])
            games[i] = fork(word, 0)
            for seat in range(agents.shape[1]):
                agents[i, seat] = fork(word, _AGENT_BRANCH + seat)


def next_episodes(episodes: Words, agents: Words, chosen: npt.NDArray[np.bool_]) -> Words:
    """Draws the next episode of the chosen games.

    Args:
        episodes: uint64 [B], one stream of episode seeds a game; moves on in place.
        agents: uint64 [B, P], gets the chosen games' new agent streams in place.
        chosen: bool [B].

    Returns:
        uint64 [B], the seeds to deal the chosen games with.
    """
    games = np.zeros(len(episodes), np.uint64)
    _next_episodes(episodes, chosen, games, agents)
    return games
