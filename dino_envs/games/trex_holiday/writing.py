"""How numbers and shades come onto a sheet in T-Rex's Holiday, and off again."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.games.trex_holiday.layout import (
    AWAITING,
    CROSSED,
    FIRST_SHADE,
    NO_BOX,
    SHADES,
    WRITINGS,
)
from dino_envs.games.trex_holiday.legal import shade_action
from dino_envs.games.trex_holiday.marks import (
    follows,
    group_of,
    is_row,
    last_number,
    open_or_close,
)
from dino_envs.games.trex_holiday.sheet import BENEATH, FACES, FIRST_PLACE, STREAMER, UNDER

_BOX, _BISCUIT = BENEATH.index("box"), BENEATH.index("biscuit")


@kernel
def write(state, seat, target, number):
    """Writes a number into the first empty space; returns whether that brings a biscuit.

    "a biscuit underneath" the streamer, unless the number violates the order; in a row of cars "If
    a player fills a "6"".
    """
    group = group_of(state, seat, target)
    i = int(state.filled[seat, group])
    legal = is_row(group) and follows(state, group, last_number(state, seat, group), number)
    state.numbers[seat, FIRST_PLACE[group] + i] = number
    state.filled[seat, group] = i + 1
    open_or_close(state, seat, group)
    note(state, seat, FIRST_PLACE[group] + i + 1)
    if group != STREAMER:
        return is_row(group) and number == FACES
    beneath = state.sheet[UNDER + i]
    if beneath == _BOX:
        # "the number from that round's T-Rex die", which may not have been revealed
        box = number if state.exposed != 0 else AWAITING
        state.boxes[seat, i] = box if legal else CROSSED
    return legal and beneath == _BISCUIT


@kernel
def shade(state, seat, action):
    """Shades a number, "nullifying the number in it"."""
    group = 0
    while action >= FIRST_SHADE[group] + SHADES[group]:
        group += 1
    i = 0
    while shade_action(state, seat, group, i) != action:
        i += 1
    place = FIRST_PLACE[group] + i
    state.numbers[seat, place] = -int(state.numbers[seat, place])
    state.shaded[seat] = int(state.shaded[seat]) | 1 << group
    open_or_close(state, seat, group)
    note(state, seat, -place - 1)


@kernel
def note(state, seat, writing):
    """Notes what a seat writes in this phase, which the others do not see before its end."""
    i = 0
    while state.writings[seat, i] != 0:
        i += 1
    state.writings[seat, i] = writing


@kernel
def erase(state, seat):
    """Takes back what a seat has written in this phase."""
    for i in range(WRITINGS - 1, -1, -1):
        writing = int(state.writings[seat, i])
        if writing == 0:
            continue
        place = abs(writing) - 1
        group = group_at(place)
        if writing > 0:
            state.numbers[seat, place] = 0
            state.filled[seat, group] -= 1
            if group == STREAMER:
                state.boxes[seat, place - FIRST_PLACE[STREAMER]] = NO_BOX
        else:
            state.numbers[seat, place] = -int(state.numbers[seat, place])
            state.shaded[seat] = int(state.shaded[seat]) & ~(1 << group)
        open_or_close(state, seat, group)
        state.writings[seat, i] = 0


@kernel
def group_at(place):
    """Returns the scoring area that a place belongs to."""
    group = 0
    while group < STREAMER and place >= FIRST_PLACE[group + 1]:
        group += 1
    return group
