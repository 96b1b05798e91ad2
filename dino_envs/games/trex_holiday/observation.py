"""What one seat sees in T-Rex's Holiday: its own sheet, the others' as the phase found them."""

from __future__ import annotations

import numpy as np

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import Field, ObservationLayout
from dino_envs.games.trex_holiday.layout import (
    AWAITING,
    BISCUIT,
    CROSSED,
    DICE,
    FILL,
    MAX_PLAYERS,
    PHASES,
    STREAMER_TARGET,
    TARGETS,
    TREX,
    WRITINGS,
)
from dino_envs.games.trex_holiday.marks import has_shade, is_open, read_row, size_of
from dino_envs.games.trex_holiday.points import (
    LOST,
    POINTS_OF_SUM,
    number_in,
    points_of_number,
    sum_of,
)
from dino_envs.games.trex_holiday.prospects import observe_prospects
from dino_envs.games.trex_holiday.rules import revealed_die, seat_after
from dino_envs.games.trex_holiday.sheet import (
    AREA_PLUS,
    AREA_TIMES,
    BENEATH,
    CANS,
    CAR_POINTS,
    CARS,
    FACES,
    FIRST_PLACE,
    FIRST_ROW,
    FIRST_SET,
    GROUPS,
    MAX_AREA,
    MAX_AREAS,
    MAX_STREAMER,
    PLACES,
    ROOMS,
    ROWS,
    SETS,
    STREAMER,
    UNDER,
)

ROOM_POINTS = 20.0
"""The unit of points of a room."""
SHEET_POINTS = 60.0
"""The unit of points of a sheet: about what a good player makes."""
CAN_POINTS = 15.0
_OTHERS = MAX_PLAYERS - 1
_SUMS = (CANS - 1) * FACES + 1
_MOST_POINTS = 20.0
_MOST_GAIN = 4.0
_ROUNDS = 20.0
_PLUS = 5.0
_MOST_SHEETS = 9.0
_SIXTH = np.float32(1 / FACES)
_OF_AREA = np.float32(1 / MAX_AREA)
_OF_PLUS = np.float32(1 / _PLUS)
_OF_ROOM = np.float32(1 / ROOM_POINTS)
_OF_SHEET = np.float32(1 / SHEET_POINTS)
_OF_CANS = np.float32(1 / CAN_POINTS)

OBSERVATION = ObservationLayout(
    Field(
        "phase",
        (len(PHASES),),
        0,
        1,
        f"what is decided, one-hot: {', '.join(PHASES)}; of others' biscuits nothing is told",
    ),
    Field("mover", (MAX_PLAYERS,), 0, 1, "who decides, one-hot; 0 is this seat", first_seat=0),
    Field("roller", (MAX_PLAYERS,), 0, 1, "who rolled, one-hot", first_seat=0),
    Field("exposed", (1,), 0, 1, "the T-Rex die has been revealed"),
    Field("rolled", (FACES,), 0, 1, "the roller's three dice, seen by it alone: of each face / 3"),
    Field("revealed", (FACES,), 0, 1, "the two revealed dice: of each face / 2"),
    Field("left", (FACES,), 0, 1, "those that this seat has still to fill, at its turn / 2"),
    Field("trex", (FACES,), 0, 1, "the T-Rex die, one-hot, for who has seen it"),
    Field(
        "fits",
        (FACES, TARGETS),
        0,
        1,
        "numbers at hand by target: goes on with what stands there, or cans can still make 14",
    ),
    Field(
        "gain",
        (FACES, TARGETS),
        0,
        _MOST_GAIN,
        "the same: points / 15 that it brings at once",
    ),
    Field("rooms", (len(ROOMS), FACES), 0, 1, f"own grey numbers of {', '.join(ROOMS)}"),
    Field("numbers", (PLACES,), -1, 1, "own sheet by place: number / 6, negative if shaded"),
    Field("area_size", (MAX_AREAS,), 0, 1, "spaces of each area / 5"),
    Field("area_times", (MAX_AREAS,), 0, 1, "what its number is multiplied by / 5"),
    Field("area_plus", (MAX_AREAS,), 0, 4, "what is added / 5"),
    Field("area_free", (MAX_AREAS, MAX_AREA + 1), 0, 1, "its empty spaces, one-hot"),
    Field("area_counts", (MAX_AREAS, FACES), 0, 1, "unshaded numbers of each value there / 5"),
    Field(
        "area_number",
        (MAX_AREAS, LOST + 1),
        0,
        1,
        "unshaded numbers there, one-hot: 0 none, 1 to 6 that one alone, 7 one of them in the way "
        "that a biscuit could shade, 8 lost",
    ),
    Field("shaded", (GROUPS,), 0, 1, "which areas, rows, sets, streamer have had their biscuit"),
    Field(
        "cars",
        (ROWS, CARS + 1, FACES + 1),
        0,
        1,
        "each row: its filled boxes and its last unshaded number, 0 for none, one-hot together",
    ),
    Field("cars_state", (ROWS, 3), 0, 1, "each row: open, closed by a violation, ended, one-hot"),
    Field("cars_points", (ROWS,), 0, 1, "points of each row / 15"),
    Field("cans_sum", (SETS,), 0, 2, "sum of each set / 15"),
    Field(
        "cans",
        (CANS, _SUMS),
        0,
        1,
        "the open set: its filled cans and their sum, one-hot together",
    ),
    Field("sets_left", (SETS + 1,), 0, 1, "sets that are not full, one-hot"),
    Field(
        "streamer",
        (MAX_STREAMER + 1, FACES + 1),
        0,
        1,
        "its filled spaces and last unshaded number, 0 for none, one-hot together",
    ),
    Field("streamer_open", (1,), 0, 1, "the streamer can be filled"),
    Field("carp_equal", (1,), 0, 1, "equal numbers may follow one another there"),
    Field("streamer_ordered", (1,), 0, 1, "its unshaded numbers descend"),
    Field("under", (MAX_STREAMER, len(BENEATH)), 0, 1, f"beneath each space: {', '.join(BENEATH)}"),
    Field("boxes", (MAX_STREAMER,), 0, 1, "numbers in the boxes under the streamer / 6"),
    Field("crossed", (MAX_STREAMER,), 0, 1, "which boxes are crossed out"),
    Field("awaiting", (MAX_STREAMER,), 0, 1, "which boxes wait for the T-Rex die"),
    Field("points", (len(ROOMS),), 0, _MOST_POINTS, f"own points / 20 in {', '.join(ROOMS)}"),
    Field("rounds_played", (1,), 0, 3, "finished rounds / 20, 3 for more than 60"),
    Field("rounds_left", (1,), 0, 1, "share of the rounds left before the cap"),
    Field("ending", (1,), 0, 1, "this is the last round, as is known after the reveal"),
    Field(
        "score", (MAX_PLAYERS,), 0, _MOST_SHEETS, "points at the phase's start / 60", first_seat=0
    ),
    Field("lead", (1,), -_MOST_SHEETS, _MOST_SHEETS, "the same, own less the best other's"),
    Field("seated", (_OTHERS,), 0, 1, "which others play", first_seat=1),
    Field(
        "others_boxes",
        (_OTHERS, MAX_STREAMER),
        -1,
        1,
        "their boxes: number / 6, -1 if crossed out",
        first_seat=1,
    ),
    Field(
        "others_free",
        (_OTHERS,),
        0,
        3,
        "their empty spaces in areas and cans / 20",
        first_seat=1,
    ),
    Field(
        "others_rooms",
        (_OTHERS, len(ROOMS), FACES),
        0,
        1,
        "their grey numbers, as `rooms`",
        first_seat=1,
    ),
    Field(
        "others",
        (_OTHERS, PLACES),
        -1,
        1,
        "their sheets as the phase found them, as `numbers`",
        first_seat=1,
    ),
)


@kernel
def observe(state, seat, observation):
    """Writes the view from `seat`; others in seat order from here."""
    observe_dice(state, seat, observation)
    observe_sheet(state, seat, observation)
    observe_prospects(state, seat, observation)
    observe_rooms(state, seat, observation.rooms)
    observe_points(state, seat, observation)
    for place in range(1, state.num_players):
        observe_other(state, seat_after(state, seat, place), place - 1, observation)


@kernel
def place_of(state, seat, other):
    """Returns how many places after a seat another one sits."""
    place = int(other) - seat
    return place + state.num_players if place < 0 else place


@kernel
def observe_dice(state, seat, observation):
    """Writes what is decided, and the dice that the seat has seen."""
    moves = seat == state.current_player
    phase = state.phase
    if phase == BISCUIT and not moves:
        phase = TREX if state.exposed != 0 else FILL
    observation.phase[phase] = 1.0
    observation.mover[place_of(state, seat, state.current_player)] = 1.0
    observation.roller[place_of(state, seat, state.roller)] = 1.0
    observation.exposed[0] = state.exposed
    if seat == state.roller:
        for die in range(DICE):
            observation.rolled[state.dice[die] - 1] += 1.0 / DICE
    if state.trex == 0:
        return
    if seat == state.roller or state.exposed != 0:
        observation.trex[state.trex - 1] = 1.0
    for which in range(2):
        observation.revealed[revealed_die(state, which) - 1] += 0.5
        if moves and state.left[which] > 0:
            observation.left[state.left[which] - 1] += 0.5


@kernel
def observe_sheet(state, seat, observation):
    """Writes the own sheet, and its points as they stand."""
    for place in range(PLACES):
        observation.numbers[place] = state.numbers[seat, place] * _SIXTH
    for group in range(GROUPS):
        observation.shaded[group] = has_shade(state, seat, group)
    observation.points[0] = observe_areas(state, seat, observation) * _OF_ROOM
    observation.points[1] = observe_rows(state, seat, observation) * _OF_ROOM
    observation.points[2] = observe_cans(state, seat, observation) * _OF_ROOM
    observation.points[3] = observe_streamer(state, seat, observation) * _OF_ROOM


@kernel
def observe_areas(state, seat, observation):
    """Writes the own areas; returns their points."""
    points = 0
    for area in range(MAX_AREAS):
        size = size_of(state, area)
        observation.area_size[area] = size * _OF_AREA
        observation.area_times[area] = state.sheet[AREA_TIMES + area] * _OF_PLUS
        observation.area_plus[area] = state.sheet[AREA_PLUS + area] * _OF_PLUS
        filled = int(state.filled[seat, area])
        if size == 0:
            continue
        observation.area_free[area, size - filled] = 1.0
        for i in range(filled):
            number = int(state.numbers[seat, FIRST_PLACE[area] + i])
            if number > 0:
                observation.area_counts[area, number - 1] += _OF_AREA
        number = number_in(state, seat, area)
        observation.area_number[area, number] = 1.0
        points += points_of_number(state, area, number) if filled == size else 0
    return points


@kernel
def observe_cans(state, seat, observation):
    """Writes the own sets of cans; returns their points."""
    left, points = 0, 0
    for can_set in range(SETS - 1, -1, -1):
        group = FIRST_SET + can_set
        filled, total = int(state.filled[seat, group]), sum_of(state, seat, group)
        observation.cans_sum[can_set] = total * _OF_CANS
        left += int(filled < CANS)
        points += int(POINTS_OF_SUM[total]) if filled == CANS else 0
        if filled < CANS and (can_set == 0 or state.filled[seat, group - 1] == CANS):
            observation.cans[filled, total] = 1.0
    observation.sets_left[left] = 1.0
    return points


@kernel
def observe_rows(state, seat, observation):
    """Writes the own rows of cars; returns their points."""
    points = 0
    for row in range(ROWS):
        group = FIRST_ROW + row
        last, ordered, end = read_row(state, seat, group)
        observation.cars[row, int(state.filled[seat, group]), last] = 1.0
        kind = 0 if is_open(state, seat, group) else (2 if ordered else 1)
        observation.cars_state[row, kind] = 1.0
        observation.cars_points[row] = int(CAR_POINTS[end]) * _OF_CANS
        points += int(CAR_POINTS[end])
    return points


@kernel
def observe_streamer(state, seat, observation):
    """Writes the own carp streamer and what lies beneath; returns its points."""
    last, ordered, _ = read_row(state, seat, STREAMER)
    observation.streamer[int(state.filled[seat, STREAMER]), last] = 1.0
    observation.streamer_open[0] = is_open(state, seat, STREAMER_TARGET)
    observation.carp_equal[0] = state.carp_equal
    observation.streamer_ordered[0] = ordered
    points = 0
    for i in range(size_of(state, STREAMER)):
        observation.under[i, state.sheet[UNDER + i]] = 1.0
        box = int(state.boxes[seat, i])
        number = max(box, 0)
        observation.boxes[i] = number * _SIXTH
        observation.crossed[i] = box == CROSSED
        observation.awaiting[i] = box == AWAITING
        points += number
    return points


@kernel
def observe_rooms(state, seat, rooms):
    """Writes the grey numbers of a seat."""
    for room in range(len(ROOMS)):
        for face in range(FACES):
            rooms[room, face] = int(state.rooms[seat, room]) >> (face + 1) & 1


@kernel
def observe_points(state, seat, observation):
    """Writes how far the game is, and all points as the phase found them."""
    observation.rounds_played[0] = min(state.rounds / _ROUNDS, 3.0)
    observation.rounds_left[0] = (state.max_rounds - state.rounds) / state.max_rounds
    observation.ending[0] = state.ends if state.exposed != 0 else 0
    best = 0
    for place in range(state.num_players):
        score = state.score[seat_after(state, seat, place)]
        observation.score[place] = score * _OF_SHEET
        if place > 0:
            best = max(best, score)
    observation.lead[0] = (state.score[seat] - best) * _OF_SHEET


@kernel
def observe_other(state, other, row, observation):
    """Writes another seat's sheet without what it has written in this phase."""
    observation.seated[row] = 1.0
    observe_rooms(state, other, observation.others_rooms[row])
    for place in range(PLACES):
        observation.others[row, place] = state.numbers[other, place] * _SIXTH
    for i in range(MAX_STREAMER):
        box = int(state.boxes[other, i])
        observation.others_boxes[row, i] = -1.0 if box < 0 else box * _SIXTH
    free = 0
    for group in range(GROUPS):
        if group < FIRST_ROW or FIRST_SET <= group < STREAMER:
            free += size_of(state, group) - int(state.filled[other, group])
    for i in range(WRITINGS):
        writing = int(state.writings[other, i])
        place = abs(writing) - 1
        if writing > 0:
            observation.others[row, place] = 0.0
            if place >= FIRST_PLACE[STREAMER]:
                observation.others_boxes[row, place - FIRST_PLACE[STREAMER]] = 0.0
            elif place < FIRST_PLACE[FIRST_ROW] or place >= FIRST_PLACE[FIRST_SET]:
                free += 1
        elif writing < 0:
            observation.others[row, place] = abs(observation.others[row, place])
    observation.others_free[row] = free / 20.0
