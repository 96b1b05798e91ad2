"""One game at the terminal, played one action at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dino_envs.agents import Agent
from dino_envs.agents.agent import choose
from dino_envs.engine import Game
from dino_envs.evaluation import branches, game_seeds
from dino_envs.views.position import Position


class Sitting:
    """A game, who sits where (None is a person), and who looks (None: what all see)."""

    def __init__(
        self,
        game: Game,
        players: Sequence[tuple[str, Agent | None]],
        options: Mapping[str, Any],
        seed: int,
        looker: int | None = None,
    ) -> None:
        self.game, self.looker = game, looker
        self._told = ("", "")
        self.position = Position(game, **options)
        self._players = players
        deals, streams = branches(game_seeds(seed, 1), len(players))
        self._streams = streams[0]
        self.position.deal(deals[0])

    @property
    def mover(self) -> int:
        """Returns the seat to move."""
        return int(self.position.state.current_player)

    def name(self, seat: int) -> str:
        """Returns what a seat is called: `Player 1 (greedy)`."""
        return f"Player {seat} ({self._players[seat][0]})"

    @property
    def waits_for_a_new_mover(self) -> bool:
        """Returns whether the position is worth showing again: to each seat, or once a round."""
        return self.game.view.round_text is None or self.mover == 0

    def text(self) -> str:
        """Returns the position as the looker sees it."""
        return self.game.view.text(self.position.state, self.looker)

    def svg(self) -> str:
        """Returns the position as a picture, as the looker sees it."""
        return self.game.view.svg(self.position.state, self.looker)

    def choices(self) -> list[tuple[int, str]]:
        """Returns the legal actions of the looker, each with what it means here."""
        legal = np.flatnonzero(self.position.mask).tolist()
        return [(action, self._meaning(action)) for action in legal]

    def _meaning(self, action: int) -> str:
        return self.game.view.action_text(self.position.state, action, self.looker)

    def answer(self) -> int:
        """Returns what the agent in the seat to move plays."""
        seat = self.mover
        agent = self._players[seat][1]
        assert agent is not None, "a person is to move"
        seen, mask = self.position.observation(seat)[None], self.position.mask[None]
        stream = self._streams[seat : seat + 1]
        actions = choose(agent, self.game, self.position.states(), seen, mask, stream)
        return self.position.check(actions[0])

    def play(self, action: int) -> str:
        """Plays an action; returns what it was, said before it is played.

        Nothing (an empty text) if it would be the same words again and the looker has seen nothing
        change: how many actions somebody takes in secret is not told. Where all act at once,
        others' actions are not told, but what the round has shown when it is over.
        """
        if self.game.view.round_text is not None:
            own = self.mover == self.looker
            said = f"{self.name(self.mover)}: {self._meaning(action)}." if own else ""
            self.position.step(action)
            over = self.mover == 0 or self.position.over
            return (
                f"{said} {self.game.view.round_text(self.position.state) if over else ''}".strip()
            )
        said = f"{self.name(self.mover)}: {self._meaning(action)}"
        told, self._told = self._told, (said, self.text())
        self.position.step(action)
        return "" if told == self._told else said

    def ending(self) -> str:
        """Returns the final scores, and who won if there is more than one player."""
        score = self.position.state.score
        seats = range(len(self._players))
        scores = ", ".join(f"{self.name(seat)} {int(score[seat])}" for seat in seats)
        if len(seats) == 1:
            return f"The end. {scores}."
        returns = self.position.returns()
        if self.position.cooperative:
            return f"The end. {scores}. They {'win' if returns[0] > 0 else 'lose'} together."
        if not returns.any():
            return f"The end. {scores}. All have as many: a draw."
        winners = [self.name(seat) for seat in seats if returns[seat] > 0]
        return f"The end. {scores}. {' and '.join(winners)} {'win' if winners[1:] else 'wins'}."
