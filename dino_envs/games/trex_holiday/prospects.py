"""What the numbers at hand would do to the own sheet, target by target."""

from __future__ import annotations

import numpy as np

from dino_envs.engine.kernel import kernel
from dino_envs.games.trex_holiday.layout import BISCUIT, DICE, HIDE, TARGETS
from dino_envs.games.trex_holiday.legal import fillable
from dino_envs.games.trex_holiday.marks import follows, group_of, last_number, size_of
from dino_envs.games.trex_holiday.points import POINTS_OF_SUM, row_points, sum_of
from dino_envs.games.trex_holiday.sheet import (
    AREA_PLUS,
    AREA_TIMES,
    BENEATH,
    CAN_POINTS,
    CANS,
    CAR_POINTS,
    FACES,
    FIRST_PLACE,
    FIRST_ROW,
    FIRST_SET,
    STREAMER,
    UNDER,
)

_BOX = BENEATH.index("box")
_WANTED = max(CAN_POINTS, key=lambda total: CAN_POINTS[total])
"""The sum of a set of cans that scores most."""


@kernel
def observe_prospects(state, seat, unit, fits, gain):
    """Writes what each number at hand would do at each target that takes it.

    Args:
        state: the game.
        seat: who looks; only who decides has numbers at hand.
        unit: of `gain`, in points.
        fits: [FACES, TARGETS], see `would_fit`.
        gain: [FACES, TARGETS], see `would_score`.
    """
    if seat != state.current_player:
        return
    targets = fillable(state, seat)
    for die in range(DICE):
        number = number_at_hand(state, die)
        if number == 0:
            continue
        for target in range(TARGETS):
            if targets >> target & 1 == 0:
                continue
            group = group_of(state, seat, target)
            fit = would_fit(state, seat, group, number)
            fits[number - 1, target] = fit
            points = would_score(state, seat, group, number, fit)
            gain[number - 1, target] = points * np.float32(1 / unit)


@kernel
def number_at_hand(state, die):
    """Returns a number that who decides has still to write or to hide, 0 for none."""
    if state.phase == HIDE:
        return int(state.dice[die])
    if state.exposed != 0:
        return int(state.trex) if die == 0 and state.phase != BISCUIT else 0
    return int(state.left[die]) if die < DICE - 1 else 0


@kernel
def would_fit(state, seat, group, number):
    """Returns whether a number would spoil nothing where it is written.

    It is the first or the same number in an area, in order in a row, or leaves a set of cans able
    to come to the best sum.
    """
    if FIRST_ROW <= group < FIRST_SET or group == STREAMER:
        return follows(state, group, last_number(state, seat, group), number)
    if group < FIRST_ROW:
        return is_alike(state, seat, group, number)
    total = number + sum_of(state, seat, group)
    free = CANS - 1 - int(state.filled[seat, group])
    return total + free <= _WANTED <= total + FACES * free


@kernel
def would_score(state, seat, group, number, fit):
    """Returns the points that a number would bring at once, by whether it fits.

    A box brings the T-Rex number, which counts here for who knows it.
    """
    filled = int(state.filled[seat, group])
    if FIRST_SET <= group < STREAMER:
        return int(POINTS_OF_SUM[number + sum_of(state, seat, group)]) if filled == CANS - 1 else 0
    if not fit:
        return 0
    if group == STREAMER:
        known = state.exposed != 0 or seat == state.roller
        return int(state.trex) if known and state.sheet[UNDER + filled] == _BOX else 0
    if group >= FIRST_ROW:
        return int(CAR_POINTS[filled + 1]) - row_points(state, seat, group)
    if filled + 1 < size_of(state, group):
        return 0
    return number * int(state.sheet[AREA_TIMES + group]) + int(state.sheet[AREA_PLUS + group])


@kernel
def is_alike(state, seat, area, number):
    """Returns whether all unshaded numbers of an area are this one."""
    first = FIRST_PLACE[area]
    for place in range(first, first + int(state.filled[seat, area])):
        if state.numbers[seat, place] > 0 and state.numbers[seat, place] != number:
            return False
    return True
