"""The score sheet of T-Rex's Holiday: a declaration, and the places it lays out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.engine import OptionError
from dino_envs.engine.option import json_or_text, nearest, shown

MAX_AREAS = 8
MAX_AREA = 5
"""The most stacks and posts of a sheet, and the most spaces of one."""
ROWS, CARS = 3, 6
SETS, CANS = 3, 4
MAX_STREAMER = 6

AREAS_ROOM, CARS_ROOM, CANS_ROOM, STREAMER_ROOM = range(4)
ROOMS = ("areas", "cars", "cans", "streamer")
FACES = 6

NOTHING, BOX, BISCUIT = range(3)
BENEATH = ("nothing", "box", "biscuit")
"""What can lie beneath a space of the streamer."""

Sheet = dict[str, Any]

SHEET: Sheet = {
    "areas": [
        {"size": 2, "plus": 0, "times": 1},
        {"size": 3, "plus": 2, "times": 1},
        {"size": 4, "plus": 0, "times": 2},
        {"size": 2, "plus": 0, "times": 1},
        {"size": 3, "plus": 2, "times": 1},
        {"size": 4, "plus": 0, "times": 2},
    ],
    "streamer": ["box", "biscuit", "box", "biscuit", "box", "biscuit"],
    "grey": {"areas": [1, 4], "cars": [2, 5], "cans": [3, 6], "streamer": [1, 6]},
}
"""Stacks A, B, C, posts A, B and the cat house; the streamer; the grey numbers. The printed sheet
is not public: sizes, bonuses and grey numbers are assumed, in the proportions of the examples."""

# How a state holds a sheet: these parts of one array int8 [SHEET_SIZE].
AREA_SIZES = 0
AREA_PLUS = AREA_SIZES + MAX_AREAS
AREA_TIMES = AREA_PLUS + MAX_AREAS
UNDER = AREA_TIMES + MAX_AREAS
STREAMER_LENGTH = UNDER + MAX_STREAMER
GREY = STREAMER_LENGTH + 1
SHEET_SIZE = GREY + 2 * len(ROOMS)

# Scoring areas, and their places on a sheet.
GROUPS = MAX_AREAS + ROWS + SETS + 1
FIRST_ROW = MAX_AREAS
FIRST_SET = FIRST_ROW + ROWS
STREAMER = FIRST_SET + SETS
FIRST_PLACE = np.array(
    [
        *(MAX_AREA * area for area in range(MAX_AREAS)),
        *(MAX_AREAS * MAX_AREA + CARS * row for row in range(ROWS)),
        *(MAX_AREAS * MAX_AREA + ROWS * CARS + CANS * can_set for can_set in range(SETS)),
        MAX_AREAS * MAX_AREA + ROWS * CARS + SETS * CANS,
    ]
)
"""The first place of each scoring area [group]; its places follow one another."""
PLACES = int(FIRST_PLACE[STREAMER]) + MAX_STREAMER

CAR_POINTS = np.array([0, 0, 1, 3, 6, 10, 15])
"""The scoring boxes under the cars, by the position where the run ends [0 for no run]."""
CAN_POINTS = {14: 5, 15: 2}
""""Score 5 points if the 4 numbers add up to 14; else score 2 points if they add up to 15"."""

_NUMBERS = {
    "size": (1, MAX_AREA, "spaces of an area"),
    "plus": (0, 20, "points added to an area's number"),
    "times": (1, 5, "what an area's number is multiplied by"),
}


class SheetOption:
    """The option `sheet`: a declaration as `SHEET`, which also gives what is left out."""

    doc = "the score sheet: areas, what lies under the streamer, grey numbers of the rooms"

    @property
    def default(self) -> Sheet:
        """Returns a new copy of the usual sheet."""
        sheet: Sheet = _copied(SHEET)
        return sheet

    @property
    def values(self) -> str:
        """Returns which sheets are allowed, in words."""
        return (
            f"1 to {MAX_AREAS} areas of 1 to {MAX_AREA} spaces, a streamer of 1 to {MAX_STREAMER}, "
            "two grey numbers a room"
        )

    @property
    def extremes(self) -> Sequence[Sheet]:
        """Returns the smallest and the largest sheet."""
        grey = SHEET["grey"]
        small = {"areas": [{"size": 1, "plus": 0, "times": 1}], "streamer": ["nothing"]}
        area = {"size": MAX_AREA, "plus": 20, "times": 5}
        large = {"areas": [area] * MAX_AREAS, "streamer": ["box"] * MAX_STREAMER}
        return [_copied({**sheet, "grey": grey}) for sheet in (small, large)]

    def complete(self, name: str, value: Any) -> Sheet:
        """Returns the whole sheet, new; raises `OptionError` that says what to do.

        A text is read as on the command line, see `parse`.
        """
        value = self.parse(value) if isinstance(value, str) else value
        if not isinstance(value, Mapping):
            raise OptionError(
                f"{name}={shown(value)}: give a mapping with {', '.join(SHEET)}, or as text a JSON "
                """object such as '{"streamer": ["box", "box"]}'"""
            )
        _known(name, value, SHEET)
        return {
            "areas": self._areas(name, value.get("areas", SHEET["areas"])),
            "streamer": self._streamer(name, value.get("streamer", SHEET["streamer"])),
            "grey": self._grey(name, value.get("grey", {})),
        }

    def _areas(self, name: str, areas: Any) -> list[dict[str, int]]:
        _listed(f"{name}: areas", areas, MAX_AREAS)
        return [self._area(f"{name}: area {i + 1}", area) for i, area in enumerate(areas)]

    def _area(self, name: str, area: Any) -> dict[str, int]:
        if not isinstance(area, Mapping):
            raise OptionError(f"{name}: {shown(area)}: give a mapping with {', '.join(_NUMBERS)}")
        _known(name, area, _NUMBERS)
        if "size" not in area:
            raise OptionError(f"{name} has no size: say how many spaces it has")
        whole = {"plus": 0, "times": 1, **area}
        return {
            key: _number(f"{name}: {key}", whole[key], low, high)
            for key, (low, high, _) in _NUMBERS.items()
        }

    def _streamer(self, name: str, beneath: Any) -> list[str]:
        _listed(f"{name}: streamer", beneath, MAX_STREAMER)
        for what in beneath:
            if not isinstance(what, str) or what not in BENEATH:
                raise OptionError(
                    f"{name}: {shown(what)} under the streamer: choose of {', '.join(BENEATH)}"
                )
        return [str(what) for what in beneath]

    def _grey(self, name: str, grey: Any) -> dict[str, list[int]]:
        if not isinstance(grey, Mapping):
            raise OptionError(f"{name}: grey={shown(grey)}: give two numbers for each room")
        _known(f"{name}: grey", grey, ROOMS)
        pairs = {}
        for room in ROOMS:
            pair = grey.get(room, SHEET["grey"][room])
            where = f"{name}: grey {room}"
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                raise OptionError(f"{where}={shown(pair)}: give a list of two numbers")
            numbers = [_number(where, number, 1, FACES) for number in pair]
            if numbers[0] == numbers[1]:
                raise OptionError(f"{where}={shown(pair)}: give two different numbers")
            pairs[room] = sorted(numbers)
        return pairs

    def encode(self, name: str, value: Any) -> npt.NDArray[np.int8]:
        """Returns what the state holds: int8 [SHEET_SIZE]."""
        sheet, held = self.complete(name, value), np.zeros(SHEET_SIZE, np.int8)
        for i, area in enumerate(sheet["areas"]):
            for key, start in (("size", AREA_SIZES), ("plus", AREA_PLUS), ("times", AREA_TIMES)):
                held[start + i] = area[key]
        length = len(sheet["streamer"])
        held[UNDER : UNDER + length] = [BENEATH.index(what) for what in sheet["streamer"]]
        held[STREAMER_LENGTH] = length
        held[GREY:] = [number for room in ROOMS for number in sheet["grey"][room]]
        return held

    def parse(self, text: str) -> Any:
        """Returns the sheet that JSON text declares, unchecked."""
        return json_or_text(text)

    def text(self, value: Any) -> str:
        """Returns the sheet as JSON without spaces."""
        import json

        return json.dumps(value, separators=(",", ":"))


def _copied(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copied(part) for key, part in value.items()}
    return [_copied(part) for part in value] if isinstance(value, list) else value


def _known(name: str, given: Mapping[str, Any], known: Any) -> None:
    for key in given:
        if key not in known:
            raise OptionError(f"{name} has no {shown(key)}; {nearest(str(key), known)}")


def _listed(name: str, given: Any, most: int) -> None:
    if not isinstance(given, list | tuple) or not 1 <= len(given) <= most:
        raise OptionError(f"{name}={shown(given)}: give a list of 1 to {most}")


def _number(name: str, value: Any, low: int, high: int) -> int:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if whole and low <= value <= high:
        return int(value)
    raise OptionError(f"{name}={shown(value)}: give a whole number, {low} to {high}")
