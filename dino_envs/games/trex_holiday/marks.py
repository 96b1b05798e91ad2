"""What stands on a score sheet, and where more can be written. Quoted lines are the rulebook's."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.games.trex_holiday.layout import CANS_TARGET, STREAMER_TARGET
from dino_envs.games.trex_holiday.sheet import (
    AREA_SIZES,
    CANS,
    CARS,
    FACES,
    FIRST_PLACE,
    FIRST_ROW,
    FIRST_SET,
    MAX_AREAS,
    MAX_STREAMER,
    STREAMER,
    STREAMER_LENGTH,
)


@kernel
def size_of(state, group):
    """Returns how many spaces a scoring area has; 0 for one that the sheet lacks."""
    if group < FIRST_ROW:
        return int(state.sheet[AREA_SIZES + group])
    if group < FIRST_SET:
        return CARS
    if group < STREAMER:
        return CANS
    return int(state.sheet[STREAMER_LENGTH])


@kernel
def is_row(group):
    """Returns whether the order of the numbers counts: in rows of cars and the streamer."""
    return FIRST_ROW <= group < FIRST_SET or group == STREAMER


@kernel
def has_shade(state, seat, group):
    """Returns whether a number of the area is shaded: "Only 1 biscuit can be used in each"."""
    return int(state.shaded[seat]) >> group & 1 == 1


@kernel
def follows(state, group, before, number):
    """Returns whether a number may legally stand behind another of a row, 0 for none before it.

    Cars ascend, "numbers cannot be identical"; the streamer descends.
    """
    if before == 0:
        return True
    if group == STREAMER:
        return number < before or (state.carp_equal != 0 and number == before)
    return number > before


@kernel
def read_row(state, seat, group):
    """Reads a row of cars or the streamer; what is shaded does not count.

    Returns:
        last: the last number, 0 if there is none.
        ordered: whether all numbers are in order.
        end: the position of the last number before the first one out of order, from 1; 0 for none.
    """
    first, last, ordered, end = FIRST_PLACE[group], 0, True, 0
    for i in range(MAX_STREAMER if group == STREAMER else CARS):
        number = int(state.numbers[seat, first + i])
        if number > 0:
            ordered &= follows(state, group, last, number)
            last = number
            if ordered:
                end = i + 1
    return last, ordered, end


@kernel
def last_number(state, seat, group):
    """Returns the last unshaded number of a row, 0 if there is none."""
    return read_row(state, seat, group)[0]


@kernel
def in_order(state, seat, group):
    """Returns whether the unshaded numbers of a row are in order."""
    return read_row(state, seat, group)[1]


@kernel
def is_crossed_off(state, seat, group):
    """Returns whether a row of cars is ended by a 6, shaded or not: it is the last number then."""
    filled = int(state.filled[seat, group])
    return filled > 0 and abs(int(state.numbers[seat, FIRST_PLACE[group] + filled - 1])) == FACES


@kernel
def takes_a_number(state, seat, group):
    """Returns whether a number can be written into a scoring area; which one does not matter."""
    if state.filled[seat, group] >= size_of(state, group):
        return False
    if group < FIRST_ROW:
        return True
    if group < FIRST_SET:
        return not is_crossed_off(state, seat, group) and in_order(state, seat, group)
    return group < STREAMER or in_order(state, seat, group)


@kernel
def target_of(group):
    """Returns the target that writes into a scoring area."""
    if group < FIRST_SET:
        return group
    return CANS_TARGET if group < STREAMER else STREAMER_TARGET


@kernel
def group_of(state, seat, target):
    """Returns the area that an open target writes into: "the left set" of the cans first."""
    if target == STREAMER_TARGET:
        return STREAMER
    if target != CANS_TARGET:
        return target
    group = FIRST_SET
    while group < STREAMER - 1 and state.filled[seat, group] == CANS:
        group += 1
    return group


@kernel
def is_open(state, seat, target):
    """Returns whether a number can be written into a target."""
    return int(state.open[seat]) >> target & 1 == 1


@kernel
def open_or_close(state, seat, group):
    """Notes whether a scoring area takes a number, after something changed there.

    The target of the cans takes numbers until the last set is full.
    """
    taking = takes_a_number(state, seat, STREAMER - 1 if FIRST_SET <= group < STREAMER else group)
    bit = 1 << target_of(group)
    targets = int(state.open[seat])
    state.open[seat] = targets | bit if taking else targets & ~bit


@kernel
def open_sheet(state, seat):
    """Opens everything that the sheet has, at the start."""
    for area in range(MAX_AREAS):
        open_or_close(state, seat, area)
    for row in range(FIRST_ROW, FIRST_SET):
        open_or_close(state, seat, row)
    open_or_close(state, seat, FIRST_SET)
    open_or_close(state, seat, STREAMER)
