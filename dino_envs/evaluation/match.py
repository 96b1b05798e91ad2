"""Plays matches between agents."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding

from dino_envs.agents import Agent
from dino_envs.agents.table import AgentAnswerError as AgentAnswerError
from dino_envs.agents.table import Table
from dino_envs.engine import ArgumentError, Game
from dino_envs.engine.kernel import usable_cores
from dino_envs.engine.seeding import next_episodes

CHUNK = 4096
"""Games held in memory at a time."""

Progress = Callable[[int], None]
"""Is told how many more games are over."""


@dataclass(frozen=True)
class Games:
    """How N games of P seats ended."""

    lineup: npt.NDArray[np.int8]
    """[N, P], which agent sat where."""
    returns: npt.NDArray[np.float32]
    """[N, P]."""
    points: npt.NDArray[np.int32]
    """[N, P], the final scores."""
    illegal: npt.NDArray[np.int8]
    """[N], 1 + the seat that lost by an illegal action, else 0."""
    steps: npt.NDArray[np.int32]
    """[N], actions played."""
    log: npt.NDArray[np.uint64]
    """[N], a hash of all actions."""

    def __len__(self) -> int:
        return len(self.log)

    @property
    def distinct(self) -> int:
        """Returns the number of different games: line-ups with different action logs."""
        return self.distinct_groups(1)

    def distinct_groups(self, size: int) -> int:
        """Returns the number of different groups of so many games that follow one another."""
        told = np.column_stack([self.log, self.lineup.astype(np.uint64)])
        return len(np.unique(told.reshape(len(self) // size, -1), axis=0))


def game_seeds(seed: int, count: int) -> npt.NDArray[np.uint64]:
    """Returns uint64 [count], a seed for each game; more of them start with the same ones.

    Raises:
        ArgumentError: the seed is negative.
    """
    if operator.index(seed) < 0:
        raise ArgumentError(f"seed={seed}: give a whole number, 0 or more")
    generator, _ = seeding.np_random(operator.index(seed))
    return generator.integers(2**64, size=count, dtype=np.uint64)


def branches(
    seeds: npt.NDArray[np.uint64], seats: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Returns what follows from the seeds [N]: what to deal with [N], and a stream a seat [N, P].

    The game that an environment plays after `reset(seed)` is the one of game_seeds(seed, 1).
    """
    deals, unused = np.zeros_like(seeds), np.zeros_like(seeds)
    streams = np.zeros((len(seeds), seats), np.uint64)
    next_episodes(seeds.copy(), np.ones(len(seeds), np.bool_), deals, streams, unused)
    return deals, streams


def play_games(
    game: Game,
    agents: Sequence[Agent],
    lineup: npt.NDArray[np.integer[Any]],
    seeds: npt.NDArray[np.uint64],
    options: Mapping[str, Any] | None = None,
    *,
    threads: int | None = None,
    chunk: int = CHUNK,
    progress: Progress | None = None,
) -> Games:
    """Plays N games, in lock-step where an agent is not compiled.

    All chance follows from a game's seed: the deal, and one stream for each seat, whoever sits
    there. So a game depends on its seed and line-up alone, not on its neighbours, `chunk`,
    `threads`, or whether its bots are asked from outside.

    Args:
        game: what is played.
        agents: who play.
        lineup: [N, P], an index into `agents` for each seat.
        seeds: [N], equal ones for games that shall share their chance; see `game_seeds`.
        options: the game's options; `num_players` is P.
        threads: how many play compiled; None is all usable cores.
        chunk: games held in memory at a time.
        progress: is told of finished games.

    Raises:
        ArgumentError: there is no game, a seat without an agent, or not one seed for each game.
        AgentAnswerError: an agent gave no whole number for each position.
        NoLegalActionError: the rules left a seat without an action.
    """
    rows = _checked(lineup, len(agents))
    if seeds.shape != rows.shape[:1] or chunk < 1:
        raise ArgumentError(
            f"give one seed for each of {len(rows)} games, and a chunk of 1 or more"
        )
    chosen = {**(options or {}), "num_players": rows.shape[1]}
    parts = []
    for first in range(0, len(rows), chunk):
        part = slice(first, first + chunk)
        parts.append(_play_chunk(game, agents, rows[part], seeds[part], chosen, threads))
        if progress is not None:
            progress(len(parts[-1]))
    return Games(*(np.concatenate(columns) for columns in zip(*map(_columns, parts), strict=True)))


def _checked(lineup: npt.NDArray[np.integer[Any]], agents: int) -> npt.NDArray[np.int8]:
    rows = np.asarray(lineup)
    if rows.ndim != 2 or not rows.size or rows.dtype.kind not in "iu":
        raise ArgumentError("lineup must hold whole numbers [N, P], for one game at least")
    if rows.min() < 0 or rows.max() >= min(agents, 128):
        raise ArgumentError(f"lineup must hold indices of {agents} agents, below 128")
    return rows.astype(np.int8)


def _columns(games: Games) -> tuple[npt.NDArray[Any], ...]:
    return games.lineup, games.returns, games.points, games.illegal, games.steps, games.log


def _play_chunk(
    game: Game,
    agents: Sequence[Agent],
    lineup: npt.NDArray[np.int8],
    seeds: npt.NDArray[np.uint64],
    options: Mapping[str, Any],
    threads: int | None,
) -> Games:
    table = Table(game, len(seeds), agents, threads=threads or usable_cores(), **options)
    table.seating[:] = lineup
    table.seat()
    batch = table.batch
    deals, batch.streams[:] = branches(seeds, batch.num_players)
    batch.deal(deals)
    table.play()
    return Games(
        lineup=lineup,
        returns=batch.returns,
        points=batch.states["score"][:, : batch.num_players].copy(),
        illegal=batch.illegal,
        steps=batch.steps,
        log=batch.log,
    )
