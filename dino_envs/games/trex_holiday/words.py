"""What a seat sees of T-Rex's Holiday, and the words for it, shared by text and picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from dino_envs.engine.layout import FORFEITED, RUNNING, TRUNCATED
from dino_envs.games.standing import counted, join, moves
from dino_envs.games.trex_holiday.layout import (
    AWAITING,
    BISCUIT,
    CROSSED,
    FILL,
    HIDE,
    TARGETS,
    TREX,
)
from dino_envs.games.trex_holiday.legal import fillable
from dino_envs.games.trex_holiday.marks import (
    follows,
    group_of,
    has_shade,
    is_crossed_off,
    is_open,
    is_row,
    size_of,
    target_of,
)
from dino_envs.games.trex_holiday.points import area_points, room_points, row_points, set_points
from dino_envs.games.trex_holiday.rules import revealed_die
from dino_envs.games.trex_holiday.sheet import (
    AREA_PLUS,
    AREA_TIMES,
    BENEATH,
    BOX,
    FACES,
    FIRST_PLACE,
    FIRST_ROW,
    FIRST_SET,
    GROUPS,
    MAX_AREAS,
    ROOMS,
    SHEET,
    STREAMER,
    UNDER,
    SheetOption,
)
from dino_envs.games.trex_holiday.writing import erase

ROOM_NAMES = ("Stacks and posts", "Rows of cars", "Sets of cans", "Carp streamer")
AREA_NAMES = ("stack A", "stack B", "stack C", "post A", "post B", "cat house")
"""The areas of the usual sheet."""
ROW_NAMES = ("first", "second", "third")
SET_NAMES = ("left", "middle", "right")

_USUAL_AREAS = SheetOption().encode("sheet", SHEET)[:UNDER].tolist()

EMPTY, WRITTEN, SHADED, WRONG, SLASHED, CLOSED = range(6)
"""How a space looks: a number, a shaded one, one that is out of order; or nothing yet, crossed off
by a 6, or not to be filled as things stand."""

HAS_NOTHING, HAS_BOX, HAS_WAITING, HAS_CROSSED, HAS_BISCUIT, HAD_BISCUIT = range(6)
"""What is seen beneath a space of the streamer."""


@dataclass(frozen=True)
class Space:
    """A space of a sheet: its number, how it looks, and whether that is new or to be chosen."""

    number: int
    look: int
    fresh: bool = False
    choice: bool = False


@dataclass(frozen=True)
class Page:
    """A player's sheet as somebody sees it; `groups` are its areas, rows, sets and streamer."""

    player: int
    groups: list[list[Space]]
    points: list[int]
    """The points of each group."""
    rooms: tuple[int, ...]
    """The points of each room."""
    grey: list[list[int]]
    """The grey numbers of each room."""
    beneath: list[tuple[int, int]]
    """What lies beneath each space of the streamer, and the number in it."""

    @property
    def total(self) -> int:
        """Returns all points."""
        return sum(self.rooms)

    @property
    def areas(self) -> list[int]:
        """Returns the stacks and posts that the sheet has."""
        return [area for area in range(MAX_AREAS) if self.groups[area]]


# --- What is seen ------------------------------------------------------------------------------


def looker(state: Any, seat: int | None) -> int | None:
    """Returns whose eyes are looked through: what all see is, of one player's game, all of it."""
    return 0 if seat is None and state.num_players == 1 else seat


def seen(state: Any, seat: int | None) -> Any:
    """Returns a copy of the state without what a seat does not see.

    Other sheets are as the phase found them, unknown dice are 0, others' biscuits are fills.
    """
    known, seat = state.copy(), looker(state, seat)
    known.stream[:] = 0
    for other in range(int(state.num_players)):
        if other != seat:
            erase(known, other)
    if state.exposed == 0:
        known.ends = 0
        if seat != state.roller:
            open_dice = [0, 0] if state.phase == HIDE else [revealed_die(state, i) for i in (0, 1)]
            known.dice[:] = [0, *open_dice]
            known.trex = 0
    if seat != state.current_player or state.ending != RUNNING:
        known.left[:] = 0
        if state.phase == BISCUIT:
            known.phase = FILL if state.exposed == 0 else TREX
    return known


def page(known: Any, player: int, seat: int | None) -> Page:
    """Returns a player's sheet; `known` is what the seat sees."""
    choices = _choices(known, player) if player == seat and moves(known, player) else set()
    groups = [spaces_of(known, player, group, choices) for group in range(GROUPS)]
    return Page(
        player=player,
        groups=groups,
        points=[group_points(known, player, group) for group in range(STREAMER)],
        rooms=tuple(int(points) for points in room_points(known, player)),
        grey=[grey_numbers(known, player, room) for room in range(len(ROOMS))],
        beneath=[beneath_space(known, player, i) for i in range(len(groups[STREAMER]))],
    )


def _choices(known: Any, player: int) -> set[int]:
    """Returns the places that the player to move may fill or shade."""
    if known.phase == HIDE:
        return set()
    filled = [int(count) for count in known.filled[player]]
    if known.phase == BISCUIT:
        groups = [group for group in range(GROUPS) if not has_shade(known, player, group)]
        return {int(FIRST_PLACE[group]) + i for group in groups for i in range(filled[group])}
    open_targets = int(fillable(known, player))
    targets = [target for target in range(TARGETS) if open_targets >> target & 1]
    groups = [int(group_of(known, player, target)) for target in targets]
    return {int(FIRST_PLACE[group]) + filled[group] for group in groups}


def spaces_of(known: Any, player: int, group: int, choices: Collection[int] = ()) -> list[Space]:
    """Returns the spaces of one group of a sheet; `choices` are places to be chosen."""
    first, size = int(FIRST_PLACE[group]), int(size_of(known, group))
    numbers = [int(n) for n in known.numbers[player, first : first + size]]
    fresh = {abs(int(writing)) - 1 for writing in known.writings[player] if writing}
    wrong = _out_of_order(known, group, numbers) if is_row(group) else size
    empty = _look_of_empty(known, player, group)
    spaces = []
    for i, number in enumerate(numbers):
        look = SHADED if number < 0 else empty if number == 0 else WRITTEN
        if number > 0 and i >= wrong:
            look = WRONG
        spaces.append(Space(abs(number), look, first + i in fresh, first + i in choices))
    return spaces


def _out_of_order(known: Any, group: int, numbers: list[int]) -> int:
    """Returns from where on the unshaded numbers of a row are out of order."""
    before = 0
    for i, number in enumerate(numbers):
        if number > 0:
            if not follows(known, group, before, number):
                return i
            before = number
    return len(numbers)


def _look_of_empty(known: Any, player: int, group: int) -> int:
    """Returns how the empty spaces of a group look."""
    if FIRST_ROW <= group < FIRST_SET and is_crossed_off(known, player, group):
        return SLASHED
    target = int(target_of(group))
    if not is_open(known, player, target):
        return CLOSED
    later = FIRST_SET <= group < STREAMER and group_of(known, player, target) != group
    return CLOSED if later else EMPTY


def beneath_space(known: Any, player: int, i: int) -> tuple[int, int]:
    """Returns what lies beneath a space of the streamer, and the number in it."""
    what, box = int(known.sheet[UNDER + i]), int(known.boxes[player, i])
    if what == BENEATH.index("biscuit"):
        taken = known.numbers[player, FIRST_PLACE[STREAMER] + i] != 0
        return (HAD_BISCUIT if taken else HAS_BISCUIT), 0
    if what != BOX:
        return HAS_NOTHING, 0
    if box == AWAITING:
        return HAS_WAITING, 0
    return (HAS_CROSSED, 0) if box == CROSSED else (HAS_BOX, box)


def group_points(known: Any, player: int, group: int) -> int:
    """Returns the points of one area, row of cars or set of cans."""
    if group < FIRST_ROW:
        return int(area_points(known, player, group))
    if group < FIRST_SET:
        return int(row_points(known, player, group))
    return int(set_points(known, player, group))


def grey_numbers(known: Any, player: int, room: int) -> list[int]:
    """Returns the numbers of the T-Rex die that go into a player's room."""
    bits = int(known.rooms[player, room])
    return [number for number in range(1, FACES + 1) if bits >> number & 1]


# --- Words -------------------------------------------------------------------------------------


def area_name(state: Any, area: int) -> str:
    """Returns `stack A` and the like on the usual sheet, `area 1` on others."""
    usual = state.sheet[:UNDER].tolist() == _USUAL_AREAS
    return AREA_NAMES[area] if usual else f"area {area + 1}"


def is_usual(state: Any) -> bool:
    """Returns whether the stacks and posts are those of the usual sheet."""
    return area_name(state, 0) == AREA_NAMES[0]


def bonus(state: Any, area: int, times_sign: str = "x") -> str:
    """Returns `x2`, `+2` or `x2 +2`; nothing for an area without a bonus."""
    times, plus = int(state.sheet[AREA_TIMES + area]), int(state.sheet[AREA_PLUS + area])
    return " ".join([f"{times_sign}{times}"] * (times > 1) + [f"+{plus}"] * (plus > 0))


def rolls(state: Any, player: int) -> bool:
    """Returns whether it is a player's round."""
    return bool(state.ending == RUNNING and player == state.roller)


def in_turn(state: Any) -> list[tuple[int, bool]]:
    """Returns the players from the roller on, and whether each has finished this phase."""
    count, first = int(state.num_players), int(state.roller)
    return [((first + i) % count, i < int(state.done)) for i in range(count)]


def open_dice(known: Any) -> list[int]:
    """Returns the two revealed dice; none while the T-Rex die is being chosen."""
    return [] if known.phase == HIDE else [int(revealed_die(known, i)) for i in (0, 1)]


def left_dice(known: Any, seat: int | None) -> list[bool]:
    """Returns which of the two revealed dice a seat has still to fill."""
    dice, seat = open_dice(known), looker(known, seat)
    if known.exposed or known.ending != RUNNING:
        return [False] * len(dice)
    if seat is None or not moves(known, seat):
        done = [player for player, finished in in_turn(known) if finished]
        return [seat not in done] * len(dice)
    left = Counter(int(die) for die in known.left)
    unused: list[bool] = []
    for die in reversed(dice):
        unused.insert(0, left[die] > 0)
        left[die] -= 1
    return unused


# --- How it stands -----------------------------------------------------------------------------


def situation(known: Any, seat: int | None) -> str:
    """Returns what is to be decided, or how the game ended."""
    after = counted(int(known.rounds), "round")
    if known.ending == TRUNCATED:
        return f"the game was cut after {after}"
    if known.ending == FORFEITED:
        return f"the game is over after {after}"
    if known.ending != RUNNING:
        alone = "the player" if seat is None else "you"
        who = alone if known.num_players == 1 else "somebody"
        return f"the game is over after {after}: {who} could not fill both dice"
    last = ", the last one" if known.ends else ""
    return f"round {known.rounds + 1}{last}: {_decision(known, seat)}"


def _decision(known: Any, seat: int | None) -> str:
    if known.phase == HIDE:
        if seat == known.roller:
            return "choose which die to hide as the T-Rex die, the others are for all to fill"
        return "looks at three dice and hides one as the T-Rex die"
    if known.phase == BISCUIT:
        return "use the biscuit: shade a number, or none"
    if known.phase == TREX:
        return f"write the T-Rex die, a {known.trex}, into a room with a grey {known.trex}"
    dice = open_dice(known)
    if seat is not None and moves(known, seat):
        dice = [die for die, left in zip(dice, left_dice(known, seat), strict=True) if left]
    return f"write {join(dice)} into any rooms"
