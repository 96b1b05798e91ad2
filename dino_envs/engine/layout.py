"""Describes states, actions and observations once; everything else is computed from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

RUNNING, TERMINATED, TRUNCATED, FORFEITED = range(4)
"""Values of a state's `ending`; a game is forfeited by an illegal action of the seat to move."""


def state_dtype(max_players: int, fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """Returns the record type of a game's state: the fields every game has, then its own.

    Every game has `stream` uint64 [1], `score` int32 [max_players] (the game's points),
    `num_players`, `current_player` (the seat to move), `ending` (RUNNING, TERMINATED, TRUNCATED or
    FORFEITED) and `cooperative` (1 where these players win or lose together). Wide fields are laid
    first and the rest of the last word is a field of its own: bytes between fields would not be
    copied, and equal states must have equal bytes.
    """
    shared: list[tuple[Any, ...]] = [
        ("stream", np.uint64, (1,)),
        ("score", np.int32, (max_players,)),
        ("num_players", np.int8),
        ("current_player", np.int8),
        ("ending", np.int8),
    ]
    # Behind the game's own fields, so that those stay where saved states have them.
    everything = [*shared, *fields, ("cooperative", np.int8)]
    ordered = sorted(everything, key=lambda field: -np.dtype(field[1]).alignment)
    aligned = np.dtype(ordered, align=True)
    rest = aligned.itemsize - np.dtype(ordered).itemsize
    if rest:
        aligned = np.dtype([*ordered, ("rest", np.int8, (rest,))], align=True)
    return np.dtype((np.record, aligned))


@dataclass(frozen=True)
class Field:
    """One named field of an observation, float32 within [low, high].

    Where `first_seat` is given, row i of the field is about the seat that sits `first_seat + i`
    places after the observer; rows of seats that do not play are 0.
    """

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    doc: str
    _: KW_ONLY
    first_seat: int | None = None

    def used(self, players: int) -> int:
        """Returns how many values, from the first on, are about seats that play."""
        if self.first_seat is None:
            return self.size
        return self.size // self.shape[0] * min(self.shape[0], players - self.first_seat)

    @property
    def size(self) -> int:
        """Returns the number of values."""
        return int(np.prod(self.shape, dtype=int))


class ObservationLayout:
    """The named fields of what one seat sees; a record of float32 that views as a vector [F]."""

    def __init__(self, *fields: Field) -> None:
        self.fields = fields
        parts: list[tuple[Any, ...]] = [(f.name, np.float32, f.shape) for f in fields]
        self.dtype = np.dtype((np.record, np.dtype(parts)))
        self.size = sum(field.size for field in fields)
        self.low = np.concatenate([np.full(f.size, f.low, np.float32) for f in fields])
        self.high = np.concatenate([np.full(f.size, f.high, np.float32) for f in fields])

    def used(self, players: int) -> list[tuple[int, int]]:
        """Returns the parts [start, stop) of an observation that are about seats that play.

        Every other value is 0 in all games of so many players; parts that touch are one.
        """
        parts: list[tuple[int, int]] = []
        start = 0
        for field in self.fields:
            stop = start + field.used(players)
            if parts and parts[-1][1] == start:
                parts[-1] = (parts[-1][0], stop)
            elif stop > start:
                parts.append((start, stop))
            start += field.size
        return parts

    def decode(self, observation: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
        """Returns the fields by name, from an observation float32 [..., F]."""
        batch, parts, start = observation.shape[:-1], {}, 0
        for field in self.fields:
            part = observation[..., start : start + field.size]
            parts[field.name] = part.reshape(*batch, *field.shape)
            start += field.size
        return parts


class ActionTable:
    """Named blocks of action numbers, in order: `ActionTable(stop=1, reroll=31, eat=5)`."""

    def __init__(self, **blocks: int) -> None:
        self.blocks: Mapping[str, int] = blocks
        self.size = sum(blocks.values())

    def start(self, block: str) -> int:
        """Returns the number of the block's first action."""
        names = list(self.blocks)
        return sum(self.blocks[name] for name in names[: names.index(block)])

    def locate(self, action: int) -> tuple[str, int]:
        """Returns the block of an action and its index there."""
        for block, size in self.blocks.items():
            if 0 <= action < size:
                return block, action
            action -= size
        raise IndexError(f"there are {self.size} actions, 0 to {self.size - 1}")
