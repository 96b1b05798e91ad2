"""The rules of T-Rex's Holiday, compiled. Quoted lines are the rulebook's."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import TERMINATED, TRUNCATED
from dino_envs.engine.stream import below
from dino_envs.games.trex_holiday.layout import (
    ACTION_OF_DECLINE,
    ACTION_OF_FILL,
    ACTION_OF_HIDE,
    AWAITING,
    BISCUIT,
    DICE,
    FILL,
    HIDE,
    PERSONAL,
    PRINTED,
    TARGETS,
    TREX,
    WRITINGS,
)
from dino_envs.games.trex_holiday.legal import can_shade, fillable
from dino_envs.games.trex_holiday.marks import open_sheet
from dino_envs.games.trex_holiday.points import sheet_points
from dino_envs.games.trex_holiday.sheet import FACES, GREY, MAX_STREAMER, ROOMS
from dino_envs.games.trex_holiday.writing import shade, write

_ALL_FACES = (1 << (FACES + 1)) - 2
"""The bit set of all numbers: bit n for n."""

# --- The set-up --------------------------------------------------------------------------------


@kernel
def reset(state, seed):
    """Settles the grey numbers, opens all sheets, and starts seat 0's round."""
    state.stream[0] = seed
    for seat in range(state.num_players):
        if state.grey == PERSONAL or (state.grey != PRINTED and seat == 0):
            draw_grey_numbers(state, seat)
        else:
            for room in range(len(ROOMS)):
                shared = printed(state, room) if state.grey == PRINTED else state.rooms[0, room]
                state.rooms[seat, room] = shared
        open_sheet(state, seat)
    start_round(state, 0)


@kernel
def printed(state, room):
    """Returns the bit set of the numbers printed in grey for a room."""
    pair = GREY + 2 * room
    return 1 << int(state.sheet[pair]) | 1 << int(state.sheet[pair + 1])


@kernel
def draw_grey_numbers(state, seat):
    """Draws two numbers for each room, "until every number has changed".

    And "every number is in at least 1 room".
    """
    settled = False
    while not settled:
        settled, seen = True, 0
        for room in range(len(ROOMS)):
            one = below(state.stream, FACES) + 1
            other = below(state.stream, FACES - 1) + 1
            other += int(other >= one)
            numbers = 1 << one | 1 << other
            state.rooms[seat, room] = numbers
            seen |= numbers
            settled &= numbers & printed(state, room) == 0
        settled &= seen == _ALL_FACES


@kernel
def start_round(state, roller):
    """Has the roller roll three dice "secretly", who then chooses the T-Rex die."""
    state.roller = roller
    state.current_player = roller
    state.phase = HIDE
    state.exposed = 0
    state.trex = 0
    for die in range(DICE):
        state.dice[die] = below(state.stream, FACES) + 1
    sort_dice(state)


@kernel
def sort_dice(state):
    """Sorts the three dice."""
    for last in range(DICE - 1, 0, -1):
        for die in range(last):
            low = min(state.dice[die], state.dice[die + 1])
            high = max(state.dice[die], state.dice[die + 1])
            state.dice[die] = low
            state.dice[die + 1] = high


# --- A round -----------------------------------------------------------------------------------


@kernel
def step(state, action):
    """Plays one decision: hide a die, fill a space, or use a biscuit."""
    seat = state.current_player
    if state.phase == HIDE:
        hide(state, action - ACTION_OF_HIDE + 1)
    elif state.phase == BISCUIT:
        if action != ACTION_OF_DECLINE:
            shade(state, seat, action)
        go_on(state)
    else:
        number = (action - ACTION_OF_FILL) // TARGETS + 1
        target = (action - ACTION_OF_FILL) % TARGETS
        if state.exposed == 0:
            use_die(state, number)
        if write(state, seat, target, number) and can_shade(state, seat):
            state.phase = BISCUIT
        else:
            go_on(state)


@kernel
def hide(state, face):
    """Makes one die "the T-Rex die"; all fill with the two others, the roller first."""
    state.trex = face
    state.done = 0
    take_dice(state)
    fill_on(state)


@kernel
def seat_after(state, seat, place):
    """Returns the seat that sits `place` places after a seat."""
    other = int(seat) + place
    return other - state.num_players if other >= state.num_players else other


@kernel
def revealed_die(state, which):
    """Returns one of the two revealed dice, 0 for the smaller."""
    hidden = 0
    while state.dice[hidden] != state.trex:
        hidden += 1
    return int(state.dice[which + int(which >= hidden)])


@kernel
def take_dice(state):
    """Gives the seat in turn the two revealed dice."""
    state.left[0] = revealed_die(state, 0)
    state.left[1] = revealed_die(state, 1)
    state.current_player = seat_after(state, state.roller, state.done)
    state.phase = FILL


@kernel
def use_die(state, number):
    """Takes a revealed die away."""
    if state.left[0] == number:
        state.left[0] = state.left[1]
    state.left[1] = 0


@kernel
def go_on(state):
    """Goes on after a fill and its biscuit."""
    if state.exposed != 0:
        state.done += 1
        fill_trex_on(state)
    else:
        state.phase = FILL
        fill_on(state)


@kernel
def fill_on(state):
    """Lets the seat in turn fill what it has left, or the next one, or reveals the T-Rex die.

    "if any player cannot legally fill both dice, the game ends at the end of the round".
    """
    while True:
        if state.left[0] > 0:
            if state.open[state.current_player] != 0:
                return
            state.ends = 1
            state.left[0] = 0
            state.left[1] = 0
        state.done += 1
        if state.done == state.num_players:
            break
        take_dice(state)
    reveal(state)


@kernel
def reveal(state):
    """Reveals the T-Rex die: it fills the boxes that wait for it, then all place it."""
    state.exposed = 1
    for seat in range(state.num_players):
        for i in range(MAX_STREAMER):
            if state.boxes[seat, i] == AWAITING:
                state.boxes[seat, i] = state.trex
    publish(state)
    state.done = 0
    fill_trex_on(state)


@kernel
def fill_trex_on(state):
    """Finds the next seat that can place the T-Rex die; "if you can legally fill in a space"."""
    while state.done < state.num_players:
        seat = seat_after(state, state.roller, state.done)
        if fillable(state, seat) != 0:
            state.phase = TREX
            state.current_player = seat
            return
        state.done += 1
    end_round(state)


@kernel
def publish(state):
    """Ends a phase: all see what the others have written, and the points of it."""
    for seat in range(state.num_players):
        if state.writings[seat, 0] != 0:
            for i in range(WRITINGS):
                state.writings[seat, i] = 0
            state.score[seat] = sheet_points(state, seat)


@kernel
def end_round(state):
    """Ends the round; the dice go "to the player on their left"."""
    publish(state)
    state.rounds += 1
    state.done = 0
    if state.ends != 0:
        state.ending = TERMINATED
    elif state.rounds >= state.max_rounds:
        state.ending = TRUNCATED
    else:
        start_round(state, seat_after(state, state.roller, 1))
