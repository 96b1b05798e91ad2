"""The points on a score sheet. Quoted lines are the rulebook's."""

from __future__ import annotations

import numpy as np

from dino_envs.engine.kernel import kernel
from dino_envs.games.trex_holiday.marks import has_shade, read_row, size_of
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


MIXED, LOST = FACES + 1, FACES + 2
"""What an area holds besides no number or one alone: another one that a biscuit could shade away;
more than that."""


@kernel
def number_in(state, seat, area):
    """Returns the number that all of an area are, "ignoring any shaded numbers due to biscuits".

    0 where there is none yet, MIXED or LOST where they are not all the same.
    """
    first, one, ones, other, others = FIRST_PLACE[area], 0, 0, 0, 0
    for place in range(first, first + int(state.filled[seat, area])):
        number = int(state.numbers[seat, place])
        if number <= 0:
            continue
        if one == 0 or number == one:
            one = number
            ones += 1
        elif other == 0 or number == other:
            other = number
            others += 1
        else:
            return LOST
    if other == 0:
        return one
    return MIXED if min(ones, others) == 1 and not has_shade(state, seat, area) else LOST


@kernel
def points_of_number(state, area, number):
    """Returns what a full area scores that holds `number`: "plus any bonus points or multipliers".

    Nothing if it holds no number alone, see `number_in`.
    """
    if not 1 <= number <= FACES:
        return 0
    return number * int(state.sheet[AREA_TIMES + area]) + int(state.sheet[AREA_PLUS + area])


@kernel
def area_points(state, seat, area):
    """Scores a stack, post or cat house that is "filled with all the same number"."""
    if state.filled[seat, area] < size_of(state, area):
        return 0
    return points_of_number(state, area, number_in(state, seat, area))


@kernel
def row_points(state, seat, group):
    """Scores a row of cars: "Wherever the row of ascending numbers legally ends"."""
    return int(CAR_POINTS[read_row(state, seat, group)[2]])


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
