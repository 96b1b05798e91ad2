"""One game, held as one record."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.engine import (
    FORFEITED,
    RUNNING,
    TRUNCATED,
    DinoEnvsError,
    Game,
    GameOverError,
    IllegalActionError,
)
from dino_envs.engine.batch import compiled_loop
from dino_envs.engine.game import Record


def action_number(action: Any, game: Game) -> int:
    """Returns the action as an int, if it is a whole number within the game's table.

    Raises:
        IllegalActionError: it is no action at all: a float, None, an array, out of range.
    """
    if type(action) is not int and not _is_whole(action):
        raise IllegalActionError(
            f"{action!r} is no action: give a whole number from 0 to {game.actions.size - 1}"
        )
    if not 0 <= action < game.actions.size:
        raise IllegalActionError(
            f"action {action} is out of range: {game.title} has the actions 0 to "
            f"{game.actions.size - 1}"
        )
    return int(action)


def illegal_action(action: int, game: Game) -> IllegalActionError:
    """Returns the error that says that an action of the table is not legal now."""
    name = game.view.action_name(action)
    return IllegalActionError(
        f"action {action} ({name}) is not legal now: choose one where the action mask is 1"
    )


def _is_whole(action: Any) -> bool:
    if isinstance(action, np.ndarray) and action.ndim == 0:
        return action.dtype.kind in "iu"
    return isinstance(action, int | np.integer) and not isinstance(action, bool)


class Position:
    """A game as it stands. Copy it, pickle it, or take its bytes: nothing is held elsewhere."""

    def __init__(self, game: Game, **options: Any) -> None:
        self.game = game
        self._template = game.new_states(1, **options)
        self._states = self._template.copy()
        self._mask = np.zeros(game.actions.size, np.int8)
        self._bind()

    def _bind(self) -> None:
        """Takes what every step needs: a record's own attributes are 20 times slower to read."""
        self.state: Record = self._states[0]
        self.score: npt.NDArray[np.int32] = self._states["score"][0, : self.num_players]
        self._ending, self._mover = self._states["ending"], self._states["current_player"]
        self._seen = self.game.observation.dtype
        self._turn = compiled_loop(self.game, "turn")
        self._glance = compiled_loop(self.game, "glance")

    def __getstate__(self) -> dict[str, Any]:
        """Returns the parts that are not views or compiled code."""
        parts = ("game", "_template", "_states", "_mask")
        return {name: self.__dict__[name] for name in parts}

    def __setstate__(self, parts: dict[str, Any]) -> None:
        self.__dict__.update(parts)
        self._bind()

    def deal(self, seed: np.uint64) -> None:
        """Starts a new game with the same options."""
        self._states[:] = self._template
        self.game.kernels.reset(self.state, seed)
        self._look_at_actions()

    def _look_at_actions(self) -> None:
        self._mask.fill(0)
        if not self.over:
            self.game.kernels.legal_actions(self.state, self._mask)

    @property
    def over(self) -> bool:
        """Returns whether the game has ended."""
        return bool(self._ending[0] != RUNNING)

    @property
    def capped(self) -> bool:
        """Returns whether the documented cap ended the game."""
        return bool(self._ending[0] == TRUNCATED)

    @property
    def mover(self) -> int:
        """Returns the seat to move."""
        return int(self._mover[0])

    @property
    def num_players(self) -> int:
        """Returns P."""
        return int(self._states["num_players"][0])

    @property
    def cooperative(self) -> bool:
        """Returns whether the players win or lose together."""
        return bool(self._states["cooperative"][0])

    def forfeit(self) -> None:
        """Ends the game where it stands, because of an illegal action."""
        self._ending[0] = FORFEITED
        self._mask.fill(0)

    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """Returns a new mask [A] of the seat to move; all 0 when the game is over."""
        return self._mask.copy()

    def states(self) -> npt.NDArray[Any]:
        """Returns a new array [1] that holds the whole game, the chance to come included."""
        return self._states.copy()

    def masks(self) -> npt.NDArray[np.int8]:
        """Returns new masks [P, A] of all seats, at the start of a round of simultaneous actions.

        They are all 0 when the game is over.
        """
        masks = np.zeros((self.num_players, self._mask.size), np.int8)
        states = self._states.copy()
        for seat in range(0 if self.over else self.num_players):
            states["current_player"] = seat
            self.game.kernels.legal_actions(states[0], masks[seat])
        return masks

    def observation(self, seat: int) -> npt.NDArray[np.float32]:
        """Returns a new vector [F]: what a seat sees. Any seat, any time."""
        vector = np.zeros(self.game.observation.size, np.float32)
        self._glance(self._states, seat, vector.view(self._seen))
        return vector

    def is_legal(self, action: int) -> bool:
        """Returns whether an action of the table may be played now."""
        return bool(self._mask[action])

    def check(self, action: Any) -> int:
        """Returns the action as an int if it can be played now.

        Raises:
            IllegalActionError: it is no action, or not a legal one here.
            GameOverError: the game has ended.
        """
        number = action_number(action, self.game)
        if self.over:
            raise GameOverError("the game is over: call reset() to start the next one")
        if not self.is_legal(number):
            raise illegal_action(number, self.game)
        return number

    def step(self, action: int) -> None:
        """Plays one decision that `check` has let through."""
        self._turn(self._states, action, self._mask)

    def returns(self) -> npt.NDArray[np.float32]:
        """Returns each seat's return [P] of a finished game.

        After an illegal action of the seat to move it is -1 there, and for all who play together.
        """
        returns = np.zeros(self.num_players, np.float32)
        if self._ending[0] == FORFEITED:
            returns[:] = -1.0 if self.cooperative else 0.0
            returns[self.mover] = -1.0
        else:
            self.game.kernels.outcome(self.state, returns)
        return returns

    def to_bytes(self) -> bytes:
        """Returns the whole game, the chance to come included, behind a check of 8 bytes."""
        data = self._states.tobytes()
        return self._check(data) + data

    def _check(self, data: bytes) -> bytes:
        """Returns 8 bytes that tell states of this game and version from others and from damage.

        Rules read a state unseen: one that they have not written could send them anywhere.
        """
        return hashlib.sha256(self.game.full_id.encode() + data).digest()[:8]

    def from_bytes(self, data: bytes) -> None:
        """Takes over a game that `to_bytes` gave, with that game's options.

        Raises:
            DinoEnvsError: the bytes are not a state of this game.
        """
        check, state = data[:8], data[8:]
        if len(state) != self.game.state.itemsize or check != self._check(state):
            raise DinoEnvsError(
                f"these {len(data)} bytes are no whole state of {self.game.full_id}: they were "
                "changed, or written by another game or version"
            )
        states = np.frombuffer(state, self.game.state)
        if states["num_players"][0] != self.num_players:
            raise DinoEnvsError(
                f"the state is of a game with {states['num_players'][0]} players; "
                f"this environment has {self.num_players}"
            )
        self._states[:] = states
        self._look_at_actions()
