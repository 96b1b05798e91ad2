"""Watches how an agent plays: how long its turns are, and which actions it uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.agents import Agent
from dino_envs.agents.agent import choose
from dino_envs.agents.table import LEARNER, Table
from dino_envs.engine import ArgumentError, Game
from dino_envs.evaluation.match import branches, game_seeds
from dino_envs.evaluation.score import plays_apart, seatings

Counts = npt.NDArray[np.int64]

_ILLEGAL = -2
"""Stands for negative answers: -1 is no answer to a batch."""


@dataclass(frozen=True)
class Behaviour:
    """What one agent did in N games, at all seats it had."""

    agent: str
    seats_played: int
    """Seats it had in all games together."""
    turn_lengths: Counts
    """int64 [T]: the actions of each turn, a turn being those of a seat until another acts."""
    actions: Counts
    """int64 [A]: how often it played each action."""
    legal: Counts
    """int64 [A]: how often each action was legal when it was to move."""
    points: Counts
    """int64 [seats_played]: the final points of each seat it had."""

    @property
    def actions_a_game(self) -> float:
        """Returns how many actions a seat plays in a game, the mean."""
        return float(self.actions.sum() / self.seats_played)

    def block_shares(self, game: Game) -> dict[str, float]:
        """Returns the share of each block of actions in all that it played."""
        shares = {}
        for block, size in game.actions.blocks.items():
            start = game.actions.start(block)
            played = self.actions[start : start + size].sum()
            shares[block] = float(played / max(1, self.actions.sum()))
        return shares


def watch_games(
    game: Game,
    agents: Mapping[str, Agent],
    *,
    games: int = 400,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> list[Behaviour]:
    """Plays games of two agents, by name, as `evaluate` does, and says what each of them did.

    Args:
        game: what is played.
        agents: the agent, then its opponent.
        games: how many; rounded up so that the agent sits everywhere equally often.
        seed: fixes all chance; the games are those of `evaluate` with that seed.
        options: the game's options, `num_players` among them.

    Raises:
        ArgumentError: there are not two agents, or no games.
    """
    if len(agents) != 2 or games < 1:
        raise ArgumentError(f"give two agents and at least one game, not {len(agents)} and {games}")
    full = game.complete(options or {})
    apart = plays_apart(game, full)
    lineup = seatings(full["num_players"], apart)
    seeds = game_seeds(seed, -(-games // (1 if apart else full["num_players"])))
    seating = np.tile(lineup, (len(seeds), 1))
    told = _Watched(game, list(agents.values()), seating, np.repeat(seeds, len(lineup)), full)
    return [told.of(number, name) for number, name in enumerate(agents)]


class _Watched:
    """Games played from outside, every action of which is seen."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        seating: npt.NDArray[np.int8],
        seeds: npt.NDArray[np.uint64],
        options: Mapping[str, Any],
    ) -> None:
        self._table = table = Table(game, len(seeds), [], **options)
        self._agents, self._seating = agents, seating
        table.seating[:] = LEARNER  # the actions of all seats come from here
        table.seat()
        deals, table.batch.streams[:] = branches(seeds, seating.shape[1])
        table.batch.deal(deals)
        kinds, actions = len(agents), game.actions.size
        self._played = np.zeros((kinds, actions), np.int64)
        self._legal = np.zeros((kinds, actions), np.int64)
        self._turns: list[list[int]] = [[] for _ in agents]
        self._play()
        states = table.batch.states
        self._points = states["score"][:, : seating.shape[1]].astype(np.int64)

    def _play(self) -> None:
        table, batch = self._table, self._table.batch
        rows = np.arange(len(batch))
        mover, length = np.full(len(batch), -1), np.zeros(len(batch), np.int64)
        table.play()
        while (running := batch.running).any():
            now = np.where(running, batch.movers, -1).astype(np.int64)
            self._end_turns(mover, length, now != mover)
            mover, length = now, np.where(now == mover, length, 0) + running
            who = np.where(running, self._seating[rows, batch.movers], -1)
            table.play(self._answers(who))
        self._end_turns(mover, length, mover >= 0)

    def _answers(self, who: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        batch = self._table.batch
        answers = np.full(len(batch), -1, np.int64)
        for number, agent in enumerate(self._agents):
            games = np.flatnonzero(who == number)
            if not len(games):
                continue
            movers = batch.movers[games]
            streams = batch.streams[games, movers]
            seen, masks = batch.observations[games], batch.masks[games]
            states = batch.states[games]
            chosen = choose(agent, batch.game, states, seen, masks, streams)
            actions = np.asarray(chosen, np.int64)
            batch.streams[games, movers] = streams
            answers[games] = np.where(actions < 0, _ILLEGAL, actions)
            inside = actions[(actions >= 0) & (actions < masks.shape[1])]
            self._played[number] += np.bincount(inside, minlength=masks.shape[1])
            self._legal[number] += (masks != 0).sum(axis=0)
        return answers

    def _end_turns(self, mover: Any, length: Any, over: Any) -> None:
        """Notes the turns that are over of seats that have moved."""
        games = np.flatnonzero(over & (mover >= 0))
        who = self._seating[games, mover[games]]
        for number, turns in enumerate(self._turns):
            turns += length[games[who == number]].tolist()

    def of(self, number: int, name: str) -> Behaviour:
        """Returns what an agent did."""
        mine = self._seating == number
        return Behaviour(
            agent=name,
            seats_played=int(mine.sum()),
            turn_lengths=np.array(self._turns[number], np.int64),
            actions=self._played[number],
            legal=self._legal[number],
            points=self._points[mine],
        )
