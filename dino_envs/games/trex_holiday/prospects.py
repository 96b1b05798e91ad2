"""What the numbers at hand would do to the own sheet, target by target."""

from __future__ import annotations

import numpy as np

from dino_envs.engine.kernel import kernel
from dino_envs.games.trex_holiday.layout import (
    BISCUIT,
    CANS_TARGET,
    HIDE,
    STREAMER_TARGET,
    TARGETS,
)
from dino_envs.games.trex_holiday.legal import fillable
from dino_envs.games.trex_holiday.marks import follows, group_of, last_number, read_row
from dino_envs.games.trex_holiday.points import POINTS_OF_SUM, points_of_number, sum_of
from dino_envs.games.trex_holiday.sheet import (
    BENEATH,
    CAN_POINTS,
    CANS,
    CAR_POINTS,
    FACES,
    FIRST_ROW,
    STREAMER,
    UNDER,
)

GAIN_POINTS = 15.0
"""The unit of `gain`."""
_OF_GAIN = np.float32(1 / GAIN_POINTS)
_BOX = BENEATH.index("box")
_WANTED = max(CAN_POINTS, key=lambda total: CAN_POINTS[total])
"""The sum of a set of cans that scores most."""


@kernel
def observe_prospects(state, seat, observation):
    """Writes `fits` and `gain`: what each number at hand would do at each target that takes it.

    A number fits where it spoils nothing: it is the first or the same number in an area, in order
    in a row, or leaves a set of cans able to come to the best sum. `gain` is the points that it
    would bring at once. Areas are taken from what has been observed of them.
    """
    if seat != state.current_player:
        return
    targets, hand = fillable(state, seat), numbers_at_hand(state)
    for target in range(TARGETS):
        if targets >> target & 1 == 0:
            continue
        if target < FIRST_ROW:
            area_prospects(state, seat, target, hand, observation)
        elif target < CANS_TARGET:
            cars_prospects(state, seat, target, hand, observation)
        elif target == CANS_TARGET:
            cans_prospects(state, seat, hand, observation)
        else:
            streamer_prospects(state, seat, hand, observation)


@kernel
def numbers_at_hand(state):
    """Returns the numbers that who decides has still to write or to hide, 0 for none [DICE]."""
    if state.phase == HIDE:
        return int(state.dice[0]), int(state.dice[1]), int(state.dice[2])
    if state.exposed == 0:
        return int(state.left[0]), int(state.left[1]), 0
    return int(state.trex) if state.phase != BISCUIT else 0, 0, 0


@kernel
def note_prospect(observation, number, target, fit, points):
    """Writes what a number would do at a target."""
    observation.fits[number - 1, target] = fit
    observation.gain[number - 1, target] = points * _OF_GAIN


@kernel
def area_prospects(state, seat, area, hand, observation):
    """Writes what the numbers at hand would do in an area."""
    last_space = observation.area_free[area, 1] == 1.0
    for number in hand:
        if number != 0:
            fit = observation.area_number[area, 0] + observation.area_number[area, number] == 1.0
            points = points_of_number(state, area, number) if fit and last_space else 0
            note_prospect(observation, number, area, fit, points)


@kernel
def cars_prospects(state, seat, group, hand, observation):
    """Writes what the numbers at hand would do in a row of cars that is in order."""
    last, _, end = read_row(state, seat, group)
    more = CAR_POINTS[int(state.filled[seat, group]) + 1] - CAR_POINTS[end]
    for number in hand:
        if number != 0:
            fit = follows(state, group, last, number)
            note_prospect(observation, number, group, fit, more if fit else 0)


@kernel
def cans_prospects(state, seat, hand, observation):
    """Writes what the numbers at hand would do in the open set of cans."""
    group = group_of(state, seat, CANS_TARGET)
    before = sum_of(state, seat, group)
    free = CANS - 1 - int(state.filled[seat, group])
    for number in hand:
        if number != 0:
            total = before + number
            fit = total + free <= _WANTED <= total + FACES * free
            points = POINTS_OF_SUM[total] if free == 0 else 0
            note_prospect(observation, number, CANS_TARGET, fit, points)


@kernel
def streamer_prospects(state, seat, hand, observation):
    """Writes what the numbers at hand would do in the streamer.

    A box brings the T-Rex number, which counts here for who knows it.
    """
    last = last_number(state, seat, STREAMER)
    known = state.exposed != 0 or seat == state.roller
    boxed = state.sheet[UNDER + int(state.filled[seat, STREAMER])] == _BOX
    points = int(state.trex) if known and boxed else 0
    for number in hand:
        if number != 0:
            fit = follows(state, STREAMER, last, number)
            note_prospect(observation, number, STREAMER_TARGET, fit, points if fit else 0)
