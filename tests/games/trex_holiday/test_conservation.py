"""Every number of T-Rex's Holiday is in one space, and what is counted twice agrees.

Checked after every decision of many random games by compiled code, on sheets of all sorts. What a
sheet is worth and where it is open is reckoned here anew, from the numbers alone.
"""

from typing import Any

import numpy as np
import pytest
from numba import njit

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.engine.stream import below, choose_legal
from dino_envs.games.trex_holiday import GAME
from dino_envs.games.trex_holiday.layout import (
    ACTION_OF_DECLINE,
    ACTION_OF_FILL,
    AWAITING,
    BISCUIT,
    CROSSED,
    FILL,
    FIRST_SHADE,
    HIDE,
    MAX_PLAYERS,
    NO_BOX,
    TREX,
    WRITINGS,
)
from dino_envs.games.trex_holiday.sheet import (
    AREA_PLUS,
    AREA_SIZES,
    AREA_TIMES,
    BENEATH,
    BOX,
    FIRST_PLACE,
    GROUPS,
    MAX_AREA,
    MAX_AREAS,
    MAX_STREAMER,
    PLACES,
    STREAMER_LENGTH,
    UNDER,
)

compiled = njit(error_model="numpy", _nrt=False)
"""Compiles as the rules are compiled, but keeps nothing on disk that could be of older rules."""

AREA_KINDS = [{"size": 1}, {"size": MAX_AREA, "plus": 20, "times": 5}, {"size": 2, "times": 2}]
SHEETS: dict[str, dict[str, Any]] = {
    "usual": {},
    "smallest": {"areas": [{"size": 1}], "streamer": ["nothing"]},
    "largest": {
        "areas": [{"size": MAX_AREA, "plus": 20, "times": 5}] * MAX_AREAS,
        "streamer": ["box"] * MAX_STREAMER,
    },
    "biscuits": {"areas": AREA_KINDS, "streamer": ["biscuit"] * MAX_STREAMER},
    "sixes": {"areas": [{"size": 2}] * 2, "grey": {"areas": [1, 2], "cars": [5, 6]}},
}
PLAYERS = (1, 2, 3, 8)
GREY = ("printed", "shared", "personal")
CARP = ("forbidden", "allowed")

CARS_FIRST, CANS_FIRST, STREAMER = MAX_AREAS, MAX_AREAS + 3, MAX_AREAS + 6
CAR_POINTS = np.array([0, 0, 1, 3, 6, 10, 15])
BISCUIT_BENEATH = BENEATH.index("biscuit")

(
    FINE, SPACES, COUNTS, SHADES, ORDER, CANS, BOXES, OPEN, NOBODY, SCORE, TREATS, DUTY, WROTE,
    PHASE, ENDING, ROUNDS, LEGAL,
) = range(17)  # fmt: skip
WRONG = (
    "", "a space", "filled spaces against fills", "the shaded numbers", "the order of a row",
    "the order of the sets", "a box", "what is open", "the sheet of nobody", "score",
    "the number of biscuits used", "who must place the T-Rex die", "writings", "phase", "ending",
    "the number of rounds", "the number of legal actions",
)  # fmt: skip

SEEN = 9
"""How many things are counted: games, decisions, rounds, the longest game's rounds, fills, biscuits
used, crossed boxes, closed rows, games that were cut."""


@compiled
def size_of(state, group):
    if group < CARS_FIRST:
        return int(state.sheet[AREA_SIZES + group])
    if group < CANS_FIRST:
        return 6
    return 4 if group < STREAMER else int(state.sheet[STREAMER_LENGTH])


@compiled
def spaces(state):
    """Counts the spaces of a sheet."""
    total = 0
    for group in range(GROUPS):
        total += size_of(state, group)
    return total


@compiled
def count_filled(state, seat, group):
    """Counts the filled spaces of an area, wherever they are."""
    filled = 0
    for i in range(size_of(state, group)):
        filled += int(state.numbers[seat, FIRST_PLACE[group] + i] != 0)
    return filled


@compiled
def steps_in_order(state, seat, group, stop):
    """Returns whether the unshaded numbers of the first `stop` spaces of a row are in order."""
    last = 0
    for i in range(stop):
        number = int(state.numbers[seat, FIRST_PLACE[group] + i])
        if number <= 0:
            continue
        if last != 0 and group == STREAMER:
            if number > last or (number == last and state.carp_equal == 0):
                return False
        elif last != 0 and number <= last:
            return False
        last = number
    return True


@compiled
def takes(state, seat, group):
    """Returns whether an area takes a number; the sets of cans one after the other."""
    filled = count_filled(state, seat, group)
    if filled == size_of(state, group):
        return False
    if group < CARS_FIRST:
        return True
    if group < CANS_FIRST:
        for i in range(6):
            if abs(int(state.numbers[seat, FIRST_PLACE[group] + i])) == 6:
                return False
        return steps_in_order(state, seat, group, filled)
    if group < STREAMER:
        return group == CANS_FIRST or count_filled(state, seat, group - 1) == 4
    return steps_in_order(state, seat, group, filled)


@compiled
def points(state, seat):
    """Adds up the points of a sheet."""
    total = 0
    for group in range(GROUPS):
        size, filled, alike, sum_, kinds, end = size_of(state, group), 0, 0, 0, 0, 0
        for i in range(size):
            number = int(state.numbers[seat, FIRST_PLACE[group] + i])
            filled += int(number != 0)
            if number > 0:
                sum_ += number
                kinds += int(number != alike)
                alike = number
                if steps_in_order(state, seat, group, i + 1):
                    end = i + 1
        if group < CARS_FIRST:
            if size > 0 and filled == size and kinds == 1:
                total += alike * state.sheet[AREA_TIMES + group] + state.sheet[AREA_PLUS + group]
        elif group < CANS_FIRST:
            total += CAR_POINTS[end]
        elif group < STREAMER and filled == 4:
            total += 5 if sum_ == 14 else (2 if sum_ == 15 else 0)
    for i in range(MAX_STREAMER):
        total += max(int(state.boxes[seat, i]), 0)
    return total


@compiled
def check_area(state, seat, group):
    """Checks one scoring area."""
    first, size, filled, shaded = FIRST_PLACE[group], size_of(state, group), 0, 0
    last = first + size
    end = FIRST_PLACE[group + 1] if group < STREAMER else PLACES
    for place in range(first, end):
        number = int(state.numbers[seat, place])
        if number < -6 or number > 6 or (number != 0 and place >= last):
            return SPACES
        if number != 0 and place > first and state.numbers[seat, place - 1] == 0:
            return SPACES
        filled += int(number != 0)
        shaded += int(number < 0)
    if filled != state.filled[seat, group]:
        return SPACES
    if shaded > 1 or shaded != int(state.shaded[seat]) >> group & 1:
        return SHADES
    row = CARS_FIRST <= group < CANS_FIRST or group == STREAMER
    if row and filled > 0 and not steps_in_order(state, seat, group, filled - 1):
        return ORDER  # only its last number can have closed it
    if CARS_FIRST <= group < CANS_FIRST:
        for place in range(first, first + filled - 1):
            if abs(int(state.numbers[seat, place])) == 6:
                return ORDER
    if CANS_FIRST < group < STREAMER and filled > 0 and count_filled(state, seat, group - 1) < 4:
        return CANS
    return FINE


@compiled
def check_boxes(state, seat):
    """Checks what stands in the boxes: something under every filled space that has one."""
    filled = count_filled(state, seat, STREAMER)
    unshaded = True
    for i in range(filled):
        unshaded = unshaded and state.numbers[seat, FIRST_PLACE[STREAMER] + i] > 0
    for i in range(MAX_STREAMER):
        box = int(state.boxes[seat, i])
        there = i < filled and state.sheet[UNDER + i] == BOX
        if (box != NO_BOX) != there or box < CROSSED or box > 6:
            return BOXES
        if box == AWAITING and state.exposed != 0:
            return BOXES
        if there and unshaded:
            legal = steps_in_order(state, seat, STREAMER, i + 1)
            if (box == CROSSED) == legal:
                return BOXES
    return FINE


@compiled
def check_open(state, seat):
    """Checks which targets are open."""
    targets, cans = 0, False
    for group in range(GROUPS):
        if takes(state, seat, group):
            if group < CANS_FIRST:
                targets |= 1 << group
            elif group < STREAMER:
                cans = True
            else:
                targets |= 1 << (CANS_FIRST + 1)
    if cans:
        targets |= 1 << CANS_FIRST
    return FINE if int(state.open[seat]) == targets else OPEN


@compiled
def check_treats(state, seat):
    """Checks that no more numbers are shaded than sixes and the streamer have brought biscuits."""
    earned, used = 0, 0
    for group in range(GROUPS):
        filled = count_filled(state, seat, group)
        for i in range(filled):
            number = int(state.numbers[seat, FIRST_PLACE[group] + i])
            used += int(number < 0)
            if CARS_FIRST <= group < CANS_FIRST:
                earned += int(abs(number) == 6)
            elif group == STREAMER:
                earned += int(state.sheet[UNDER + i] == BISCUIT_BENEATH)
    return FINE if used <= earned else TREATS


@compiled
def check_sheet(state, seat, fills):
    """Checks all of a sheet on which `fills` numbers have been written."""
    total = 0
    for group in range(GROUPS):
        wrong = check_area(state, seat, group)
        if wrong != FINE:
            return wrong
        total += count_filled(state, seat, group)
    if total != fills:
        return COUNTS
    wrong = check_boxes(state, seat)
    if wrong == FINE:
        wrong = check_open(state, seat)
    return check_treats(state, seat) if wrong == FINE else wrong


@compiled
def check_nobody(state):
    """Checks that nothing stands on sheets that nobody has."""
    for seat in range(state.num_players, MAX_PLAYERS):
        for place in range(PLACES):
            if state.numbers[seat, place] != 0:
                return NOBODY
        if state.score[seat] != 0 or state.boxes[seat, 0] != NO_BOX or state.writings[seat, 0] != 0:
            return NOBODY
    return FINE


@compiled
def check_turn(state, round_fills):
    """Checks the phase, and the writings of it: `round_fills` [2, P] are revealed dice, T-Rex."""
    if state.phase < HIDE or state.phase > BISCUIT:
        return PHASE
    if (state.phase == HIDE) != (state.trex == 0) or (state.phase == TREX and state.exposed == 0):
        return PHASE
    if state.phase == FILL and (state.exposed != 0 or state.left[0] == 0):
        return PHASE
    for seat in range(state.num_players):
        written = 0
        for i in range(WRITINGS):
            written += int(state.writings[seat, i] > 0)
        made = round_fills[state.exposed, seat] if state.phase != HIDE else 0
        if written != made:
            return WROTE
    return FINE


@compiled
def check_round(state, round_fills, could):
    """Checks a round that has ended, and whether the game should have."""
    fewer = False
    for seat in range(state.num_players):
        fewer = fewer or round_fills[0, seat] < 2
        if round_fills[0, seat] > 2 or round_fills[1, seat] != could[seat]:
            return DUTY
    if fewer != (state.ending == TERMINATED):
        return ENDING
    if (not fewer and state.rounds >= state.max_rounds) != (state.ending == TRUNCATED):
        return ENDING
    return FINE if state.rounds <= spaces(state) // 2 + 1 else ROUNDS


@compiled
def can_place(state, seat, number):
    """Returns 1 if a room that takes the T-Rex die has an open space."""
    for group in range(GROUPS):
        room = 0 if group < CARS_FIRST else (1 if group < CANS_FIRST else 2 + (group == STREAMER))
        if int(state.rooms[seat, room]) >> number & 1 == 1 and takes(state, seat, group):
            return 1
    return 0


reset, legal_actions, step = GAME.rules.reset, GAME.rules.legal_actions, GAME.rules.step


@compiled
def play_checked(templates, states, first, games, choosy, mask, stream, tally, seen):
    """Plays random games from seeds; returns what went wrong first, or FINE.

    In `choosy` of 100 cases the last legal action is played: declined biscuits, streamers. At a
    fault `states` [1] holds the game as it stands then, and `seen` [SEEN] says which it is.
    `tally` [5, P] is scratch, by seat: revealed and T-Rex dice filled in this round, fills in all,
    whether it can place the T-Rex die, its points as the phase found them.
    """
    round_fills, fills, could, known = tally[:2], tally[2], tally[3], tally[4]
    for game in range(games):
        states[0] = templates[0]
        state = states[0]
        reset(state, np.uint64(first + game))
        stream[0] = np.uint64(first + game)
        tally[:] = 0
        wrong = check_nobody(state)
        while wrong == FINE and state.ending == RUNNING:
            mask[:] = 0
            legal = legal_actions(state, mask)
            marked, last = 0, 0
            for action in range(mask.shape[0]):
                marked += int(mask[action])
                last = action if mask[action] == 1 else last
            if legal != marked or legal < 1:
                return LEGAL
            action = last if below(stream, 100) < choosy else choose_legal(stream, mask)
            seat, exposed, rounds = state.current_player, state.exposed, state.rounds
            trex = int(state.trex)
            if ACTION_OF_FILL <= action < FIRST_SHADE[0]:
                fills[seat] += 1
                round_fills[exposed, seat] += 1
                seen[4] += 1
            seen[1] += 1
            seen[5] += int(FIRST_SHADE[0] <= action < ACTION_OF_DECLINE)
            step(state, action)
            published = state.exposed != exposed or state.rounds != rounds
            for other in range(state.num_players):
                if wrong == FINE and (published or other == seat):
                    wrong = check_sheet(state, other, fills[other])
                if published:
                    known[other] = points(state, other)
                    if exposed == 0:
                        could[other] = can_place(state, other, trex)
                if wrong == FINE and known[other] != state.score[other]:
                    wrong = SCORE
            if wrong == FINE and state.rounds != rounds:
                wrong = check_round(state, round_fills, could)
                round_fills[:] = 0
            if wrong == FINE and state.ending == RUNNING:
                wrong = check_turn(state, round_fills)
        for seat in range(state.num_players):
            for i in range(MAX_STREAMER):
                seen[6] += int(state.boxes[seat, i] == CROSSED)
            for group in range(CARS_FIRST, CANS_FIRST):
                seen[7] += int(not steps_in_order(state, seat, group, size_of(state, group)))
        if wrong == FINE:
            wrong = check_nobody(state)
        if wrong != FINE:
            return wrong
        seen[0] += 1
        seen[2] += state.rounds
        seen[3] = max(seen[3], int(state.rounds))
        seen[8] += int(state.ending == TRUNCATED)
    return FINE


def play_all(games: int, first: int) -> dict[str, np.ndarray[Any, Any]]:
    """Plays this many games in all; returns what was seen on each sheet."""
    variants = [
        (sheet, players, GREY[number % 3], CARP[number % 2], choosy)
        for number, (sheet, players) in enumerate((s, p) for s in SHEETS for p in PLAYERS)
        for choosy in (0, 20)
    ]
    counts = {sheet: np.zeros(SEEN, np.int64) for sheet in SHEETS}
    mask, stream = np.zeros(GAME.actions.size, np.int8), np.zeros(1, np.uint64)
    tally = np.zeros((5, MAX_PLAYERS), np.int64)
    for sheet, players, grey, carp, choosy in variants:
        options = {"num_players": players, "grey": grey, "carp_equal": carp}
        template = GAME.new_states(1, sheet=SHEETS[sheet], **options)
        states, seen = np.zeros(1, GAME.state), np.zeros(SEEN, np.int64)
        each = -(-games // len(variants))
        wrong = play_checked(template, states, first, each, choosy, mask, stream, tally, seen)
        assert wrong == FINE, (
            f"{WRONG[wrong]} is wrong: sheet {sheet}, {options}, {choosy} %, "
            f"seed {first + seen[0]}, round {states[0].rounds}\n{states[0]}"
        )
        longest = max(seen[3], counts[sheet][3])
        counts[sheet] += seen
        counts[sheet][3] = longest
    return counts


def test_sheets_keep_what_is_written_in_many_games():
    counts = play_all(1_000, 0)
    seen = sum(counts.values())
    assert seen[0] >= 1_000
    assert seen[5] > 500, "too few biscuits were used"
    assert seen[6] > 100, "too few boxes were crossed out"
    assert seen[7] > 500, "too few rows were closed"


@pytest.mark.slow
def test_sheets_keep_what_is_written_in_very_many_games():
    counts = play_all(100_000, 10**6)
    assert sum(counts.values())[0] >= 100_000


def test_no_game_lasts_more_rounds_than_a_sheet_has_pairs_of_spaces_and_one():
    """A game of sheets with S spaces ends after at most S // 2 + 1 rounds.

    Proof. A filled space is never emptied, and every fill takes an empty one. In a round after
    which the game goes on, every seat has filled both revealed dice: else "the game ends at the end
    of the round". So R rounds of which all but the last went on have filled at least 2 (R - 1)
    spaces of each sheet, and 2 (R - 1) <= S. (The T-Rex die only takes more.)

    The usual sheet has 54 spaces: 28 rounds. So no game reaches the usual cap of 60 rounds, on any
    sheet that can be declared. The bound is reached where the T-Rex die can never be placed.
    """
    sizes = {"usual": 54, "smallest": 1 + 18 + 12 + 1}
    for name, size in sizes.items():
        assert spaces(GAME.new_states(1, sheet=SHEETS[name])[0]) == size
    largest = spaces(GAME.new_states(1, sheet=SHEETS["largest"])[0])
    assert largest == MAX_AREAS * MAX_AREA + 18 + 12 + MAX_STREAMER
    assert largest // 2 + 1 < GAME.options["max_rounds"].default
    counts = play_all(800, 77)
    for name, seen in counts.items():
        bound = spaces(GAME.new_states(1, sheet=SHEETS[name])[0]) // 2 + 1
        assert seen[3] <= bound
        assert seen[8] == 0, "the cap cut a game"


def test_a_wrong_sheet_would_be_noticed(position):
    """The checker itself is checked: whatever is changed in a state, it complains."""
    table = position(
        area_1="5 4", cars_1="1 3 (2)", cans_1="1 2 3 4", cans_2="2", streamer="6:3 4", dice="2 3"
    )
    fills = 2 + 3 + 4 + 1 + 2
    assert check_sheet(table.state, 0, fills) == FINE
    assert check_sheet(table.state, 0, fills + 1) == COUNTS

    def changed(field: str, index: Any, value: int, seat: int = 0) -> int:
        copy = table.copy()
        copy.state[field][index] = value
        return check_sheet(copy.state, seat, fills if seat == 0 else 0)

    cars, cans, carp = (int(FIRST_PLACE[g]) for g in (CARS_FIRST, CANS_FIRST, STREAMER))
    assert changed("numbers", (0, 0), 0) == SPACES
    assert changed("numbers", (0, 3), 5) == SPACES, "area_1 has two spaces"
    assert changed("numbers", (0, 0), 7) == SPACES
    assert changed("filled", (0, 0), 1) == SPACES
    assert changed("numbers", (0, 0), -5) == SHADES
    assert changed("shaded", 0, 0) == SHADES
    assert changed("numbers", (0, cars), 4) == ORDER
    assert changed("numbers", (0, cars + 1), 6) == ORDER
    assert changed("numbers", (0, cans + 3), 0) in (SPACES, CANS)
    assert changed("boxes", (0, 0), NO_BOX) == BOXES
    assert changed("boxes", (0, 0), CROSSED) == BOXES
    assert changed("boxes", (0, 1), 2) == BOXES, "there is a biscuit"
    assert changed("boxes", (0, 2), 2) == BOXES
    assert changed("open", 0, int(table.state.open[0]) ^ 2) == OPEN
    treats = position(cars_1="1 (3)").state
    assert check_sheet(treats, 0, 2) == TREATS, "nothing has brought a biscuit"
    assert points(table.state, 0) == table.scores[0] == 1 + 3
    assert changed("numbers", (0, carp + 1), 6) == OPEN, "a violation closes the row"
    nobody = table.copy().state
    assert check_nobody(nobody) == FINE
    nobody.numbers[2, 0] = 1
    assert check_nobody(nobody) == NOBODY


def test_a_wrong_turn_would_be_noticed(position):
    table = position(dice="2 3", trex=4).play("fill 2 area_1")
    made = np.zeros((2, MAX_PLAYERS), np.int64)
    made[0, 0] = 1
    assert check_turn(table.state, made) == FINE

    def changed(field: str, value: int) -> int:
        copy = table.copy().state
        copy[field] = value
        return check_turn(copy, made)

    assert changed("phase", HIDE) == PHASE
    assert changed("phase", TREX) == PHASE
    assert changed("trex", 0) == PHASE
    assert changed("left", 0) == PHASE
    assert changed("writings", 0) == WROTE
    could = np.zeros(MAX_PLAYERS, np.int64)
    made[0, :2] = 2
    assert check_round(table.state, made, could) == FINE
    made[0, 1] = 1
    assert check_round(table.state, made, could) == ENDING
    made[0, 1], could[1] = 2, 1
    assert check_round(table.state, made, could) == DUTY
    made[1, 1] = 1
    long = table.copy().state
    long.rounds = 29
    assert check_round(long, made, could) == ROUNDS
    long.ending = TERMINATED
    assert check_round(long, made, could) == ENDING
