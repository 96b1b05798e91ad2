"""The points on a score sheet. Quoted lines are the rulebook's."""

from __future__ import annotations

import numpy as np

from dino_envs.engine.kernel import kernel
from dino_envs.games.trex_holiday.marks import follows, size_of
from dino_envs.games.trex_holiday.sheet import (
    AREA_PLUS,
    AREA_TIMES,
    CAN_POINTS,
    CANS,
    CAR_POINTS,
    FACES,
    FIRST_PLACE,
    FIRST_ROW,
    FIRST_SET,
    MAX_AREAS,
    MAX_STREAMER,
    ROWS,
    SETS,
)

POINTS_OF_SUM = np.array([CAN_POINTS.get(total, 0) for total in range(CANS * FACES + 1)])
"""What a full set of cans scores by its sum."""


@kernel
def area_points(state, seat, group):
    """Scores a stack, post or cat house that is "filled with all the same number".

    "ignoring any shaded numbers due to biscuits"; the number "plus any bonus points or
    multipliers".
    """
    size = size_of(state, group)
    if size == 0 or state.filled[seat, group] < size:
        return 0
    first, alike = FIRST_PLACE[group], 0
    for place in range(first, first + size):
        number = int(state.numbers[seat, place])
        if number > 0 and alike != 0 and number != alike:
            return 0
        alike = max(alike, number)
    if alike == 0:
        return 0
    return alike * int(state.sheet[AREA_TIMES + group]) + int(state.sheet[AREA_PLUS + group])


@kernel
def row_points(state, seat, group):
    """Scores a row of cars: "Wherever the row of ascending numbers legally ends"."""
    first, before, position = FIRST_PLACE[group], 0, 0
    for i in range(int(state.filled[seat, group])):
        number = int(state.numbers[seat, first + i])
        if number > 0:
            if not follows(state, group, before, number):
                break
            before, position = number, i + 1
    return int(CAR_POINTS[position])


@kernel
def set_points(state, seat, group):
    """Scores a full set of cans: "5 points if the 4 numbers add up to 14; else ... 2 ... 15"."""
    if state.filled[seat, group] < CANS:
        return 0
    return int(POINTS_OF_SUM[sum_of(state, seat, group)])


@kernel
def sum_of(state, seat, group):
    """Adds up the unshaded numbers of a set of cans."""
    first, total = FIRST_PLACE[group], 0
    for place in range(first, first + CANS):
        total += max(int(state.numbers[seat, place]), 0)
    return total


@kernel
def streamer_points(state, seat):
    """Adds up the boxes under the streamer."""
    points = 0
    for i in range(MAX_STREAMER):
        points += max(int(state.boxes[seat, i]), 0)
    return points


@kernel
def room_points(state, seat):
    """Returns the points of the four rooms: areas, cars, cans, streamer."""
    areas, cars, cans = 0, 0, 0
    for group in range(MAX_AREAS):
        areas += area_points(state, seat, group)
    for group in range(FIRST_ROW, FIRST_ROW + ROWS):
        cars += row_points(state, seat, group)
    for group in range(FIRST_SET, FIRST_SET + SETS):
        cans += set_points(state, seat, group)
    return areas, cars, cans, streamer_points(state, seat)


@kernel
def sheet_points(state, seat):
    """Returns the points of a whole sheet."""
    areas, cars, cans, streamer = room_points(state, seat)
    return areas + cars + cans + streamer
