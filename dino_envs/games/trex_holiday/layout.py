"""What a game of T-Rex's Holiday consists of: its actions, phases and state."""

from __future__ import annotations

import numpy as np

from dino_envs.engine.layout import ActionTable, state_dtype
from dino_envs.games.trex_holiday.sheet import (
    AREAS_ROOM,
    CANS_ROOM,
    CARS,
    CARS_ROOM,
    FACES,
    GROUPS,
    MAX_AREAS,
    MAX_STREAMER,
    PLACES,
    ROOMS,
    ROWS,
    SETS,
    SHEET_SIZE,
    STREAMER_ROOM,
)

MAX_PLAYERS = 8
DICE = 3
REVEALED = 2
""""They will pick 2 of the 3 dice to reveal to all players"."""
GREY_KINDS = ("printed", "shared", "personal")
PRINTED, SHARED, PERSONAL = range(3)
CARP_EQUAL = ("forbidden", "allowed")

HIDE, FILL, TREX, BISCUIT = range(4)
"""What is decided: which die is the T-Rex die; where a revealed die goes; where the T-Rex die goes;
what a biscuit shades."""
PHASES = ("hide", "fill", "trex", "biscuit")

TARGETS = MAX_AREAS + ROWS + 2
"""Where a number can go: the areas, the rows of cars, the open set of cans, the streamer."""
CANS_TARGET = MAX_AREAS + ROWS
STREAMER_TARGET = CANS_TARGET + 1
TARGET_NAMES = (
    *(f"area_{area + 1}" for area in range(MAX_AREAS)),
    *(f"cars_{row + 1}" for row in range(ROWS)),
    "cans",
    "streamer",
)
ROOM_OF_TARGET = np.array(
    [AREAS_ROOM] * MAX_AREAS + [CARS_ROOM] * ROWS + [CANS_ROOM, STREAMER_ROOM]
)

TARGETS_OF_ROOM = np.array(
    [sum(1 << t for t in range(TARGETS) if ROOM_OF_TARGET[t] == room) for room in range(len(ROOMS))]
)
"""The bit set of the targets of each room [room]."""

ACTIONS = ActionTable(
    hide=FACES,
    fill=FACES * TARGETS,
    shade_area=MAX_AREAS * FACES,
    shade_cars=ROWS * CARS,
    shade_cans=SETS * FACES,
    shade_streamer=MAX_STREAMER,
    decline=1,
)
"""Dice are named by their faces, so that equal dice are one choice. Numbers are shaded by what they
are where their order does not count (areas, cans), by their position in rows."""
ACTION_OF_HIDE = ACTIONS.start("hide")
ACTION_OF_FILL = ACTIONS.start("fill")
ACTION_OF_DECLINE = ACTIONS.start("decline")
FIRST_SHADE = np.array(
    [
        *(ACTIONS.start("shade_area") + FACES * area for area in range(MAX_AREAS)),
        *(ACTIONS.start("shade_cars") + CARS * row for row in range(ROWS)),
        *(ACTIONS.start("shade_cans") + FACES * can_set for can_set in range(SETS)),
        ACTIONS.start("shade_streamer"),
    ]
)
"""The first action that shades a number of each scoring area [group]."""
SHADES = np.array([FACES] * MAX_AREAS + [CARS] * ROWS + [FACES] * SETS + [MAX_STREAMER])
"""How many such actions there are [group]."""

NO_BOX, AWAITING, CROSSED = 0, -1, -2
"""What a box under the streamer holds besides its number: nothing, a number that the T-Rex die will
bring when it is revealed, or a cross."""
WRITINGS = 4
"""The most marks a seat makes in a phase: two fills and two biscuits."""

STATE = state_dtype(
    MAX_PLAYERS,
    [
        ("max_rounds", np.int16),
        ("rounds", np.int16),  # finished ones
        ("sheet", np.int8, (SHEET_SIZE,)),  # the option, see `sheet.SheetOption`
        ("grey", np.int8),
        ("carp_equal", np.int8),
        ("phase", np.int8),
        ("roller", np.int8),
        ("done", np.int8),  # seats that have finished their part of the phase
        ("exposed", np.int8),  # the T-Rex die has been revealed
        ("ends", np.int8),  # somebody could not fill both dice
        ("dice", np.int8, (DICE,)),  # as rolled, sorted
        ("trex", np.int8),  # the face of the T-Rex die, 0 while it is not chosen
        ("left", np.int8, (REVEALED,)),  # dice the current seat has still to fill; 0 for none
        ("rooms", np.int8, (MAX_PLAYERS, len(ROOMS))),  # bit sets of grey numbers: bit n for n
        ("numbers", np.int8, (MAX_PLAYERS, PLACES)),  # -n for a shaded n, 0 for an empty space
        ("filled", np.int8, (MAX_PLAYERS, GROUPS)),  # filled spaces of each scoring area
        ("shaded", np.int16, (MAX_PLAYERS,)),  # bit set of scoring areas that had their biscuit
        ("open", np.int16, (MAX_PLAYERS,)),  # bit set of targets that can be filled
        ("boxes", np.int8, (MAX_PLAYERS, MAX_STREAMER)),
        ("writings", np.int8, (MAX_PLAYERS, WRITINGS)),  # of this phase: 1 + place, shades negative
    ],
)
