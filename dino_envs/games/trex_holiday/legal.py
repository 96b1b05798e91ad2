"""What is legal in T-Rex's Holiday, compiled. Quoted lines are the rulebook's."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.games.trex_holiday.layout import (
    ACTION_OF_DECLINE,
    ACTION_OF_FILL,
    ACTION_OF_HIDE,
    BISCUIT,
    DICE,
    FIRST_SHADE,
    HIDE,
    TARGETS,
    TARGETS_OF_ROOM,
    TREX,
)
from dino_envs.games.trex_holiday.marks import has_shade, is_row
from dino_envs.games.trex_holiday.sheet import FIRST_PLACE, GROUPS, ROOMS


@kernel
def legal_actions(state, mask):
    """Writes the legal actions of the decision that is due."""
    seat = state.current_player
    if state.phase == HIDE:
        return legal_to_hide(state, mask)
    if state.phase == BISCUIT:
        mask[ACTION_OF_DECLINE] = 1
        count = 1
        for group in range(GROUPS):
            if not has_shade(state, seat, group):
                count += legal_shades(state, seat, group, mask)
        return count
    targets = fillable(state, seat)
    if state.phase == TREX:
        return legal_numbers(int(state.trex), targets, mask)
    count = legal_numbers(int(state.left[0]), targets, mask)
    if state.left[1] != 0 and state.left[1] != state.left[0]:
        count += legal_numbers(int(state.left[1]), targets, mask)
    return count


@kernel
def legal_to_hide(state, mask):
    """Marks the faces of the three dice."""
    count = 0
    for die in range(DICE):
        if die == 0 or state.dice[die] != state.dice[die - 1]:
            mask[ACTION_OF_HIDE + int(state.dice[die]) - 1] = 1
            count += 1
    return count


@kernel
def fillable(state, seat):
    """Returns the bit set of targets that the die or dice of the phase can go to.

    The T-Rex die needs "a room that can accommodate the number on the die".
    """
    targets = int(state.open[seat])
    if state.exposed != 0:
        for room in range(len(ROOMS)):
            if int(state.rooms[seat, room]) >> int(state.trex) & 1 == 0:
                targets &= ~int(TARGETS_OF_ROOM[room])
    return targets


@kernel
def legal_numbers(number, targets, mask):
    """Marks where a number can be written."""
    first, count = ACTION_OF_FILL + (number - 1) * TARGETS, 0
    for target in range(TARGETS):
        there = targets >> target & 1
        mask[first + target] = there
        count += there
    return count


@kernel
def legal_shades(state, seat, group, mask):
    """Marks what "has already been filled" in an area without a shaded number."""
    count = 0
    for i in range(int(state.filled[seat, group])):
        action = shade_action(state, seat, group, i)
        count += 1 - int(mask[action])
        mask[action] = 1
    return count


@kernel
def shade_action(state, seat, group, i):
    """Returns the action that shades the number in the i-th space of an area."""
    if is_row(group):
        return FIRST_SHADE[group] + i
    return FIRST_SHADE[group] + int(state.numbers[seat, FIRST_PLACE[group] + i]) - 1


@kernel
def can_shade(state, seat):
    """Returns whether there is a number that a biscuit can shade."""
    for group in range(GROUPS):
        if state.filled[seat, group] > 0 and not has_shade(state, seat, group):
            return True
    return False
