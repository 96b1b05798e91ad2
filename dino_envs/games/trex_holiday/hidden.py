"""What a seat cannot know in T-Rex's Holiday, drawn anew."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import RUNNING
from dino_envs.engine.stream import below
from dino_envs.games.trex_holiday.layout import DICE, HIDE, REVEALED, TARGETS, TREX, WRITINGS
from dino_envs.games.trex_holiday.legal import fillable, shade_action
from dino_envs.games.trex_holiday.marks import has_shade
from dino_envs.games.trex_holiday.rules import revealed_die, seat_after, sort_dice, take_dice
from dino_envs.games.trex_holiday.sheet import FACES, GROUPS
from dino_envs.games.trex_holiday.writing import erase, shade, write


@kernel
def redeal(state, seat, seed):
    """Draws anew the dice that the seat has not seen, and what others have written meanwhile.

    A hidden die shows any face. Who has finished the phase gets other legal writings at random;
    who is in the middle of it begins again.
    """
    state.stream[0] = seed
    if state.ending != RUNNING:
        return
    if state.exposed == 0 and seat != state.roller:
        redraw_dice(state)
    if state.phase == HIDE:
        return
    for place in range(state.done):
        other = seat_after(state, state.roller, place)
        if other != seat:
            erase(state, other)
            write_at_random(state, other)
    if state.current_player != seat:
        erase(state, state.current_player)
        if state.exposed != 0:
            state.phase = TREX
        else:
            take_dice(state)
    if state.exposed == 0:
        state.ends = 0
        for place in range(state.done):
            if fills(state, seat_after(state, state.roller, place)) < REVEALED:
                state.ends = 1


@kernel
def redraw_dice(state):
    """Draws the T-Rex die anew, or all dice where none is revealed yet."""
    if state.phase == HIDE:
        for die in range(DICE):
            state.dice[die] = below(state.stream, FACES) + 1
    else:
        die = 0
        while state.dice[die] != state.trex:
            die += 1
        state.trex = below(state.stream, FACES) + 1
        state.dice[die] = state.trex
    sort_dice(state)


@kernel
def fills(state, seat):
    """Counts the numbers that a seat has written in this phase."""
    count = 0
    for i in range(WRITINGS):
        count += int(state.writings[seat, i] > 0)
    return count


@kernel
def write_at_random(state, seat):
    """Fills a seat's dice of the phase at random, and uses biscuits at random."""
    if state.exposed != 0:
        fill_at_random(state, seat, int(state.trex))
    else:
        first = below(state.stream, REVEALED)
        fill_at_random(state, seat, revealed_die(state, first))
        fill_at_random(state, seat, revealed_die(state, 1 - first))


@kernel
def fill_at_random(state, seat, number):
    """Writes a number into a random target, if there is any, and uses the biscuit at random."""
    targets, count = fillable(state, seat), 0
    for target in range(TARGETS):
        count += targets >> target & 1
    if count == 0:
        return
    passed = below(state.stream, count)
    target = 0
    while passed > 0 or targets >> target & 1 == 0:
        passed -= targets >> target & 1
        target += 1
    if write(state, seat, target, number):
        shade_at_random(state, seat)


@kernel
def shade_at_random(state, seat):
    """Shades a random number that a biscuit can shade, or none."""
    count = 0
    for group in range(GROUPS):
        if not has_shade(state, seat, group):
            count += int(state.filled[seat, group])
    passed = below(state.stream, count + 1)
    for group in range(GROUPS):
        if has_shade(state, seat, group):
            continue
        filled = int(state.filled[seat, group])
        if passed < filled:
            shade(state, seat, shade_action(state, seat, group, passed))
            return
        passed -= filled
