"""Positions of T-Rex's Holiday, drawn and read back in a few words.

A scoring area is its numbers in the order in which they were filled in, `(4)` for one that a
biscuit has shaded, `.` for an empty space and `-` for a box that a 6 has crossed off: `3 3 (4)`,
`2 4 6 - - -`. In the streamer a number over a box has what the box holds behind it: a number, `x`
if it is crossed out, `?` if it waits for the T-Rex die: `5:4 4 (3):2 . . .`. Empty spaces may be
left out where a sheet is drawn. Without other words a sheet is the usual one:

    area_1  2 spaces      area_2  3 spaces, + 2      area_3  4 spaces, x 2
    area_4  2 spaces      area_5  3 spaces, + 2      area_6  4 spaces, x 2
    streamer              box, biscuit, box, biscuit, box, biscuit
    the T-Rex die goes    1 4 into areas, 2 5 into cars, 3 6 into cans, 1 6 into the streamer
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.games.trex_holiday import GAME, rules
from dino_envs.games.trex_holiday.layout import AWAITING, CROSSED, NO_BOX, PHASES, TREX
from dino_envs.games.trex_holiday.marks import is_crossed_off, is_open, size_of, target_of
from dino_envs.games.trex_holiday.points import room_points, sheet_points
from dino_envs.games.trex_holiday.sheet import (
    BOX,
    FIRST_PLACE,
    FIRST_ROW,
    FIRST_SET,
    MAX_AREAS,
    ROOMS,
    ROWS,
    SETS,
    STREAMER,
    UNDER,
)
from dino_envs.games.trex_holiday.writing import shade, write
from tests.games.drawn import Drawn

GROUP_NAMES = [
    *(f"area_{i + 1}" for i in range(MAX_AREAS)),
    *(f"cars_{i + 1}" for i in range(ROWS)),
    *(f"cans_{i + 1}" for i in range(SETS)),
    "streamer",
]
FULL = {
    "area_1": "1 2",
    "area_2": "1 2 3",
    "area_3": "1 2 3 4",
    "area_4": "1 2",
    "area_5": "1 2 3",
    "area_6": "1 2 3 4",
    "cars_1": "6",
    "cars_2": "6",
    "cars_3": "6",
    "cans_1": "1 1 1 1",
    "cans_2": "1 1 1 1",
    "cans_3": "1 1 1 1",
    "streamer": "6:1 5 4:1 3 2:1 1",
}
"""A sheet of the usual layout on which nothing more can be filled in; 3 points."""


class Table(Drawn):
    """A position, and what players do in it; a sheet is seat 0's where no seat is named."""

    game = GAME

    def __init__(
        self,
        *,
        players: int = 0,
        others: Sequence[Mapping[str, Any]] = (),
        full: bool = False,
        dice: str = "1 1",
        trex: int = 1,
        phase: str = "fill",
        roller: int = 0,
        rounds: int = 4,
        ends: bool = False,
        greys: Sequence[Mapping[str, Sequence[int]]] = (),
        seed: int = 0,
        **drawn: Any,
    ) -> None:
        """Draws sheets, and begins a phase of a round.

        Names of areas draw seat 0's, `others` the following seats'; the rest are options. `full`
        fills all areas of a seat that are not named. `dice` are the two revealed ones, but all
        three in the phase `hide`. `greys` are grey numbers of seats by room.
        """
        own = {name: drawn.pop(name) for name in GROUP_NAMES if name in drawn}
        players = players or max(2, 1 + len(others))
        self._states = GAME.new_states(1, num_players=players, **drawn)
        state = self.state
        GAME.kernels.reset(state, np.uint64(seed))
        for seat, grey in enumerate(greys):
            for room, numbers in grey.items():
                state.rooms[seat, ROOMS.index(room)] = sum(1 << n for n in numbers)
        for seat, sheet in enumerate([{"full": full, **own}, *others]):
            areas = {**FULL, **sheet} if sheet.get("full") else {**sheet}
            areas.pop("full", None)
            for name, text in areas.items():
                self._draw(seat, GROUP_NAMES.index(name), text)
        for seat in range(players):
            state.score[seat] = sheet_points(state, seat)
        state.rounds, state.roller, state.current_player = rounds, roller, roller
        rolled = [int(face) for face in dice.split()]
        state.dice[:] = sorted(rolled if phase == "hide" else [*rolled, trex])
        if phase == "fill":
            GAME.kernels.step(state, GAME.view.action_number(f"hide {trex}"))
        elif phase == "trex":
            state.trex, state.phase = trex, TREX
            state.ends = ends
            rules.reveal(state)

    def _draw(self, seat: int, group: int, text: str) -> None:
        state, name = self.state, GROUP_NAMES[group]
        words = [word for word in text.split() if word not in ".-"]
        assert text.split()[: len(words)] == words, f"{name} {text!r}: empty spaces come last"
        for i, word in enumerate(words):
            number, colon, box = word.partition(":")
            face, target = int(number.strip("()")), target_of(group)
            assert is_open(state, seat, target), f"{name} {text!r}: {word!r} cannot be written"
            write(state, seat, target, face)
            assert state.numbers[seat, FIRST_PLACE[group] + i] == face, f"{name} {text!r}"
            if number.startswith("("):
                shade(state, seat, GAME.view.action_number(self._shade(group, i, face)))
            state.writings[seat] = 0
            over_box = group == STREAMER and state.sheet[UNDER + i] == BOX
            assert bool(colon) == over_box, f"{text!r}: say what is in the boxes, and only there"
            if over_box:
                crossed = state.boxes[seat, i] == CROSSED
                assert crossed == (box == "x"), f"{text!r}: {word!r} breaks the order, or does not"
                state.boxes[seat, i] = CROSSED if crossed else int(box)

    def _shade(self, group: int, i: int, face: int) -> str:
        if group == STREAMER or FIRST_ROW <= group < FIRST_SET:
            return f"shade {GROUP_NAMES[group]} {i + 1}"
        return f"shade {GROUP_NAMES[group]} {face}"

    @property
    def players(self) -> int:
        return int(self.state.num_players)

    @property
    def mover(self) -> int:
        return int(self.state.current_player)

    @property
    def roller(self) -> int:
        return int(self.state.roller)

    @property
    def phase(self) -> str:
        return PHASES[self.state.phase]

    @property
    def exposed(self) -> bool:
        return bool(self.state.exposed)

    @property
    def rounds(self) -> int:
        return int(self.state.rounds)

    @property
    def dice(self) -> str:
        return " ".join(map(str, self.state.dice.tolist()))

    def __getitem__(self, asked: str | tuple[str, int]) -> str:
        """Returns an area as it is drawn: table["area_1"], table["streamer", 1] of another seat."""
        name, seat = asked if isinstance(asked, tuple) else (asked, 0)
        state, group = self.state, GROUP_NAMES.index(name)
        row = FIRST_ROW <= group < FIRST_SET
        empty = "-" if row and is_crossed_off(state, seat, group) else "."
        words = []
        for i in range(size_of(state, group)):
            number = int(state.numbers[seat, FIRST_PLACE[group] + i])
            word = f"({-number})" if number < 0 else str(number or empty)
            box = int(state.boxes[seat, i]) if group == STREAMER else NO_BOX
            if box != NO_BOX:
                word += ":" + {CROSSED: "x", AWAITING: "?"}.get(box, str(box))
            words.append(word)
        return " ".join(words)

    def sheet(self, seat: int) -> dict[str, str]:
        """Returns all areas of a seat that are there, as they are drawn."""
        return {name: self[name, seat] for name in GROUP_NAMES if self[name, seat]}

    def points(self, room: str, seat: int = 0) -> int:
        """Returns what a room is worth as it stands."""
        return int(room_points(self.state, seat)[ROOMS.index(room)])

    def grey(self, room: str, seat: int = 0) -> list[int]:
        """Returns the numbers that a room takes of the T-Rex die."""
        bits = int(self.state.rooms[seat, ROOMS.index(room)])
        return [number for number in range(1, 7) if bits >> number & 1]

    @property
    def scores(self) -> list[int]:
        return self.state.score[: self.players].tolist()

    @property
    def ending(self) -> str:
        return {RUNNING: "running", TERMINATED: "over", TRUNCATED: "cut"}[int(self.state.ending)]

    @property
    def returns(self) -> list[float]:
        assert self.state.ending != RUNNING
        returns = np.zeros(self.players, np.float32)
        GAME.kernels.outcome(self.state, returns)
        return [round(value, 6) for value in returns.tolist()]

    @property
    def legal(self) -> list[str]:
        mask = np.zeros(GAME.actions.size, np.int8)
        count = GAME.kernels.legal_actions(self.state, mask)
        assert count == mask.sum()
        return [GAME.view.action_name(action) for action in np.flatnonzero(mask)]

    @property
    def targets(self) -> list[str]:
        """Returns where the die, or either of the dice, can go."""
        return list(dict.fromkeys(name.split()[2] for name in self.legal if "fill" in name))

    def play(self, *actions: str) -> "Table":
        for name in actions:
            assert self.state.ending == RUNNING, f"the game is over, {name!r} comes too late"
            assert name in self.legal, f"{name!r} is not among {self.legal}"
            GAME.kernels.step(self.state, GAME.view.action_number(name))
        return self

    def finish_round(self) -> "Table":
        """Plays the first legal action, biscuits declined, until the round is over."""
        rounds = self.rounds
        while self.ending == "running" and self.rounds == rounds:
            self.play("decline" if "decline" in self.legal else self.legal[0])
        return self


@pytest.fixture(scope="session")
def position() -> Callable[..., Table]:
    """Returns position(area_1="5 .", dice="5 3", trex=4, ...), which draws a `Table`."""
    return Table


@pytest.fixture(scope="session")
def deal() -> Callable[..., Table]:
    """Returns deal(seed, **options), which starts a new game."""
    return Table.dealt
