"""Who can sit opposite the learner: agents by configured shares, and its own past snapshots.

Where all play together they are its partners: that a game is cooperative changes nothing here.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.agents import Agent, make_agent
from dino_envs.engine import DinoEnvsError, Game, UnknownAgentError
from dino_training.policy import Net, NetAgent

LATEST = "latest"
"""The name, among the shares, of the newest snapshot of the learner: of itself, nearly."""

SNAPSHOT = "snapshot"
"""The name, among the shares, of the pool of the learner's own past snapshots."""

ALONE = "alone"
"""Stands for the opponent where there is none: in games for one player."""

UNKNOWN = -1
"""Stands for the steps of a snapshot where they were not kept."""

_FADING = 0.01
"""The weight of a game in what a member's record says it wins: about its last hundred count.

They fade by the game, not by the update: updates of different configs have from a few games to
thousands, and what is known of a member that is drawn seldom does not get lost by waiting.
"""

_FLOOR = 0.05
"""A member is drawn as if it won at least so much, so that nobody disappears from the draw, and
what is seen by chance of members that hardly win does not throw it about."""

_PARITY = 0.5
"""What the first member, the learner itself, is expected to win."""

_MOST = 127
"""A seating is int8."""

_SMALLEST, _LARGEST = 1e-6, 1e6
"""What a share may be beside 0: with more than that between them one of two is never drawn."""


class LeagueError(DinoEnvsError, ValueError):
    """The opponents cannot be drawn from these shares."""


class _Vacant:
    """Stands where no snapshot has been added yet."""

    def act(self, observations: Any, masks: Any, streams: Any) -> npt.NDArray[np.int64]:
        raise LeagueError("there is no snapshot to play yet; call add_snapshot first")


class Records:
    """What is known of each of the places for snapshots.

    Attributes:
        steps: int64 [places], the learner's steps when the snapshot was taken, or `UNKNOWN`.
        games: int64 [places], how many games have ended against it.
        lost: float64 [places], how much the learner lost of the last ones, 0 to 1; see `ended`.
    """

    def __init__(self, places: int) -> None:
        self.steps = np.full(places, UNKNOWN, np.int64)
        self.games = np.zeros(places, np.int64)
        self.lost = np.full(places, _PARITY)

    def begin(self, place: int, steps: int, expected: float) -> None:
        """Begins anew at a place, where the learner is expected to lose so much."""
        self.steps[place], self.games[place], self.lost[place] = steps, 0, expected

    def ended(self, place: int, outcome: float) -> None:
        """Adds a game that paid the learner `outcome` in the end, whatever its steps paid.

        Of two players that is 1, 0 or -1: lost counts 1, a draw a half. With more players a loss
        may take less than 1, and partners win or lose together; but the mean of (1 - outcome) / 2
        falls everywhere just as the mean outcome rises, so it ranks the members there as well.
        """
        lost = min(max((1.0 - outcome) / 2.0, 0.0), 1.0)
        self.games[place] += 1
        self.lost[place] += _FADING * (lost - self.lost[place])

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Returns the arrays themselves, by the names that a checkpoint gives them."""
        return {"pool_steps": self.steps, "pool_games": self.games, "pool_lost": self.lost}


def pool_shares(lost: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Returns how the pool's share is split, float64 [members] of sum 1, by how much each wins."""
    strength = np.maximum(lost, _FLOOR)
    return np.asarray(strength / strength.sum())


def drawn_shares(
    shares: Mapping[str, float], lost: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Returns each pool member's share of all draws, float64 [members], the oldest first."""
    drawn = shares.get(SNAPSHOT, 0.0) * pool_shares(lost)
    drawn[-1] += shares.get(LATEST, 0.0)
    return np.asarray(drawn / sum(shares.values()))


class League:
    """Keeps the opponents that a game can have, and how often each is to be drawn.

    There are twice as many places for snapshots as can be drawn, so that a game in progress keeps
    its opponent for as long as it takes to fill the pool anew. Where `latest` has a share, the
    newest snapshots have a second place, by which games that drew it are told from the others.

    In games for one player it is empty, whatever the shares are.

    Attributes:
        alone: whether the games are for one player.
        kinds: all that `name` can return.
        names: the named opponents, in the order of the shares.
        agents: the named opponents, then the places for snapshots, then those for the latest.
        added: how many snapshots were ever added.
        records: of the places for snapshots.
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
        self.kinds = [ALONE] if self.alone else list(shares)
        self.names = [name for name in shares if name not in (LATEST, SNAPSHOT)]
        self._shares = dict(shares)
        fit = all(share == 0 or _SMALLEST <= share <= _LARGEST for share in shares.values())
        if not fit or not (self.alone or any(shares.values())):
            raise LeagueError(
                f"opponents' shares must be 0 or {_SMALLEST:g} to {_LARGEST:g}, and not all 0: "
                f"{dict(shares)}"
            )
        self.pool_size = pool_size
        self.added = 0
        self.records = Records(2 * pool_size)
        self.agents: list[Agent] = [_made(name, game, options or {}) for name in self.names]
        for variant in variants:  # whoever cannot play one of them is refused now
            for name in self.names:
                _made(name, game, {**(options or {}), **variant})
        # One more than the pool has: a game keeps the latest as long as a member of the pool.
        self._latest_places = pool_size + 1 if LATEST in shares else 0
        self.agents += [_Vacant()] * (2 * pool_size + self._latest_places)
        if len(self.agents) > _MOST:
            raise LeagueError(
                f"{len(self.names)} opponents and a pool of {pool_size} are too many: a league has "
                f"at most {_MOST} places"
            )

    @property
    def members(self) -> npt.NDArray[np.int64]:
        """Returns int64 [members], the numbers of the pool's snapshots, the oldest first."""
        return np.arange(max(0, self.added - self.pool_size), self.added)

    def weights(self) -> npt.NDArray[np.float64]:
        """Returns float64 [agents], how often each is to be drawn, by what the records say now.

        Raises:
            LeagueError: snapshots have a share and there is none yet.
        """
        weights = np.zeros(len(self.agents))
        weights[: len(self.names)] = [self._shares[name] for name in self.names]
        latest, pool = self._shares.get(LATEST, 0.0), self._shares.get(SNAPSHOT, 0.0)
        if (latest > 0 or pool > 0) and self.added == 0:
            raise LeagueError("there is no snapshot to draw yet; call add_snapshot first")
        if latest > 0:
            weights[self._latest_place(self.added - 1)] = latest
        if pool > 0:
            places = self._place(self.members)
            lost = self.records.lost[places - len(self.names)]
            weights[places] = pool * pool_shares(lost)
        return weights

    def name(self, opponent: int) -> str:
        """Returns what the shares call an opponent, `ALONE` where there is none."""
        if self.alone:
            return ALONE
        if opponent < len(self.names):
            return self.names[opponent]
        return SNAPSHOT if opponent < len(self.names) + 2 * self.pool_size else LATEST

    def add(self, net: Net, steps: int = UNKNOWN) -> list[int]:
        """Adds the newest snapshot, taken after so many steps, which samples its actions.

        Nothing is known of it yet, so that it is drawn as often as the strongest of the pool.

        Returns:
            Its places in `agents`.

        Raises:
            LeagueError: the games are for one player, who has no opponents.
        """
        if self.alone:
            raise LeagueError("in a game for one player there is no seat for a snapshot")
        place, known = self._place(self.added), self._place(self.members) - len(self.names)
        strongest = float(self.records.lost[known].max(initial=0.0)) if len(known) else _PARITY
        self.records.begin(place - len(self.names), steps, strongest)
        places = [place, *([self._latest_place(self.added)] if self._latest_places else [])]
        for each in places:
            self.agents[each] = NetAgent(net, sample=True)
        self.added += 1
        return places

    def ended(self, opponent: int, outcome: float) -> None:
        """Records a game against an opponent, see `Records.ended`; of agents there is no record."""
        slot = opponent - len(self.names)
        if self.alone or slot < 0:
            return
        if slot >= 2 * self.pool_size:  # the newest snapshot that has that place
            behind = (self.added - 1 - (slot - 2 * self.pool_size)) % self._latest_places
            slot = (self.added - 1 - behind) % (2 * self.pool_size)
        self.records.ended(slot, outcome)

    def snapshots(self) -> dict[int, Net]:
        """Returns the snapshots by the number in which they were added, the oldest first."""
        first = max(0, self.added - 2 * self.pool_size)
        found = {n: self.agents[self._place(n)] for n in range(first, self.added)}
        return {n: agent.net for n, agent in found.items() if isinstance(agent, NetAgent)}

    def _place(self, number: Any) -> Any:
        return len(self.names) + number % (2 * self.pool_size)

    def _latest_place(self, number: int) -> int:
        return len(self.names) + 2 * self.pool_size + number % self._latest_places


def _made(name: str, game: Game, options: Mapping[str, Any]) -> Agent:
    """Returns the agent of a share's name; an unknown one may be meant for one that is none."""
    try:
        return make_agent(name, game, options)
    except UnknownAgentError as error:
        close = difflib.get_close_matches(name, (LATEST, SNAPSHOT), 1)
        if not close:
            raise
        raise UnknownAgentError(f"{error}; or did you mean the share of {close[0]!r}?") from error
