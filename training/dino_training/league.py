"""Who can sit opposite the learner: agents by configured shares, and its own past snapshots.

Where all play together they are its partners: that a game is cooperative changes nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.agents import Agent, make_agent
from dino_envs.engine import DinoEnvsError, Game
from dino_training.policy import Net, NetAgent

SNAPSHOT = "snapshot"
"""The name, among the shares, of the pool of the learner's own past snapshots."""

ALONE = "alone"
"""Stands for the opponent where there is none: in games for one player."""


class LeagueError(DinoEnvsError, ValueError):
    """The opponents cannot be drawn from these shares."""


class _Vacant:
    """Stands where no snapshot has been added yet."""

    def act(self, observations: Any, masks: Any, streams: Any) -> npt.NDArray[np.int64]:
        raise LeagueError("there is no snapshot to play yet; call add_snapshot first")


class League:
    """Keeps the opponents that a game can have, and how often each is to be drawn.

    There are twice as many places for snapshots as can be drawn, so that a game in progress keeps
    its opponent for as long as it takes to fill the pool anew.

    In games for one player it is empty, whatever the shares are.

    Attributes:
        alone: whether the games are for one player.
        names: the named opponents, in the order of the shares.
        agents: the named opponents, then the places for snapshots.
        added: how many snapshots were ever added.
    """

    def __init__(
        self,
        game: Game,
        shares: Mapping[str, float],
        *,
        pool_size: int = 8,
        options: Mapping[str, Any] | None = None,
        variants: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.alone = game.complete(options or {})["num_players"] == 1
        if self.alone:
            shares, pool_size = {}, 0
        self.names = [name for name in shares if name != SNAPSHOT]
        self._named_shares = [shares[name] for name in self.names]
        self._snapshot_share = shares.get(SNAPSHOT, 0.0)
        weights = np.array([*self._named_shares, self._snapshot_share])
        drawable = 0 < weights.sum() < np.inf or self.alone
        if weights.min() < 0 or not drawable:
            raise LeagueError(f"opponents' shares must be >= 0 and not all 0: {dict(shares)}")
        self.pool_size = pool_size
        self.added = 0
        self.agents: list[Agent] = [make_agent(name, game, options) for name in self.names]
        for variant in variants:  # whoever cannot play one of them is refused now
            for name in self.names:
                make_agent(name, game, {**(options or {}), **variant})
        self.agents += [_Vacant()] * (2 * pool_size)

    @property
    def kinds(self) -> list[str]:
        """Returns all that `name` can return."""
        return [ALONE] if self.alone else [*self.names, SNAPSHOT]

    def weights(self) -> npt.NDArray[np.float64]:
        """Returns float64 [agents], how often each is to be drawn: the latest snapshots equally.

        Raises:
            LeagueError: snapshots have a share and there is none yet.
        """
        weights = np.zeros(len(self.agents))
        weights[: len(self.names)] = self._named_shares
        if self._snapshot_share > 0:
            count = min(self.added, self.pool_size)
            if count == 0:
                raise LeagueError("there is no snapshot to draw yet; call add_snapshot first")
            latest = np.arange(self.added - count, self.added)
            weights[self._place(latest)] = self._snapshot_share / count
        return weights

    def name(self, opponent: int) -> str:
        """Returns what the shares call an opponent, `ALONE` where there is none."""
        if self.alone:
            return ALONE
        return self.names[opponent] if opponent < len(self.names) else SNAPSHOT

    def add(self, net: Net) -> int:
        """Adds the newest snapshot, which samples its actions; returns its place in `agents`.

        Raises:
            LeagueError: the games are for one player, who has no opponents.
        """
        if self.alone:
            raise LeagueError("in a game for one player there is no seat for a snapshot")
        place = int(self._place(self.added))
        self.agents[place] = NetAgent(net, sample=True)
        self.added += 1
        return place

    def snapshots(self) -> dict[int, Net]:
        """Returns the snapshots by the number in which they were added, the oldest first."""
        first = max(0, self.added - 2 * self.pool_size)
        found = {n: self.agents[self._place(n)] for n in range(first, self.added)}
        return {n: agent.net for n, agent in found.items() if isinstance(agent, NetAgent)}

    def _place(self, number: Any) -> Any:
        return len(self.names) + number % (2 * self.pool_size)
