"""Shows a position of T-Rex's Holiday to people as text, and says what its actions mean.

The text does not depend on what is hidden: the T-Rex die, and what others write meanwhile.
"""

from __future__ import annotations

from typing import Any

from dino_envs.engine.layout import RUNNING
from dino_envs.games.standing import counted, headline, join, moves, player_name, winners, wrapped
from dino_envs.games.trex_holiday import layout
from dino_envs.games.trex_holiday.marks import follows, group_of, is_row, last_number
from dino_envs.games.trex_holiday.picture import svg
from dino_envs.games.trex_holiday.sheet import (
    CAN_POINTS,
    CARS,
    FACES,
    FIRST_ROW,
    FIRST_SET,
    ROWS,
    SETS,
    STREAMER,
)
from dino_envs.games.trex_holiday.words import (
    CLOSED,
    HAD_BISCUIT,
    HAS_BISCUIT,
    HAS_BOX,
    HAS_CROSSED,
    HAS_NOTHING,
    HAS_WAITING,
    ROOM_NAMES,
    ROW_NAMES,
    SET_NAMES,
    SHADED,
    SLASHED,
    WRONG,
    Page,
    Space,
    area_name,
    beneath_space,
    bonus,
    in_turn,
    left_dice,
    looker,
    open_dice,
    page,
    rolls,
    seen,
    situation,
    spaces_of,
)

__all__ = ["SIGNS", "action_text", "svg", "text"]


# --- The actions -------------------------------------------------------------------------------


def action_text(state: Any, action: int, seat: int | None = None) -> str:
    """Returns what a legal action means here: `write 5 into stack B (1 of 3 filled, a 5)`.

    Of another's action `seat` is told which die is revealed, and in one way of all that is written.
    """
    block, index = layout.ACTIONS.locate(action)
    mover = int(state.current_player)
    if mover != looker(state, seat):
        return _in_secret(state, index + 1 if block == "hide" else 0)
    if block == "hide":
        return _hide(state, index + 1)
    if block == "decline":
        return "use no biscuit"
    if block == "fill":
        return _fill(state, mover, index // layout.TARGETS + 1, index % layout.TARGETS)
    if block == "shade_streamer":
        return _shade_in_row(state, mover, STREAMER, index)
    if block == "shade_cars":
        return _shade_in_row(state, mover, FIRST_ROW + index // CARS, index % CARS)
    group = index // FACES + (FIRST_SET if block == "shade_cans" else 0)
    filled = _filled(spaces_of(state, mover, group), group)
    return f"shade a {index % FACES + 1} in {_where(state, group)} ({filled})"


def _in_secret(state: Any, hidden: int) -> str:
    """Returns what is told of another's action, that hides a die (0 for none) or writes."""
    if state.phase == layout.HIDE:
        return f"hide a die as the T-Rex die, reveal {join(_revealed(state, hidden))}"
    if state.exposed:
        return f"write the T-Rex die, a {state.trex}"
    return f"write {join(_revealed(state, int(state.trex)))}"


def _hide(state: Any, face: int) -> str:
    return f"hide the {face} as the T-Rex die, reveal {join(_revealed(state, face))}"


def _revealed(state: Any, hidden: int) -> list[int]:
    """Returns the dice but for one of a face."""
    dice = [int(die) for die in state.dice]
    dice.remove(hidden)
    return dice


def _fill(state: Any, mover: int, number: int, target: int) -> str:
    """Returns the words for a number that is written, and what that brings or breaks."""
    group = int(group_of(state, mover, target))
    spaces = spaces_of(state, mover, group)
    words = f"write {number} into {_where(state, group)}"
    if FIRST_SET <= group < STREAMER:
        return words + _into_cans(spaces, number)
    words += f" ({_filled(spaces, group)})"
    if group < FIRST_ROW:
        alike = {space.number for space in spaces if space.number and space.look != SHADED}
        return words + (": spoils it" if len(alike) == 1 and number not in alike else "")
    legal = bool(follows(state, group, int(last_number(state, mover, group)), number))
    if group == STREAMER:
        return words + _into_streamer(state, mover, number, legal=legal)
    if not legal:
        return f"{words}: out of order, closes the row"
    return words + (": ends the row and brings a biscuit" if number == FACES else "")


def _into_cans(spaces: list[Space], number: int) -> str:
    """Returns what a number adds to a set of cans, and what a full one scores."""
    filled = sum(space.number > 0 for space in spaces)
    before = sum(space.number for space in spaces if space.look != SHADED)
    total = before + number
    words = f": {before} + {number} = {total}" if filled else f": sum {number}"
    words += f", {filled + 1} of {len(spaces)}"
    if filled + 1 < len(spaces):
        return words
    return f"{words}, scores {counted(CAN_POINTS.get(total, 0), 'point')}"


def _into_streamer(state: Any, mover: int, number: int, *, legal: bool) -> str:
    """Returns what a number does in the streamer."""
    what, _ = beneath_space(state, mover, int(state.filled[mover, STREAMER]))
    if not legal:
        crossed = " and crosses out the box" if what == HAS_BOX else ""
        return f": out of order, closes the streamer{crossed}"
    if what == HAS_BISCUIT:
        return ": brings a biscuit"
    if what != HAS_BOX:
        return ""
    return f": {number} into the box" if state.exposed else ": the T-Rex die goes into the box"


def _shade_in_row(state: Any, mover: int, group: int, i: int) -> str:
    """Returns the words for a number that is shaded where the order counts."""
    spaces = spaces_of(state, mover, group)
    several = sum(space.number == spaces[i].number for space in spaces) > 1
    which = f" in position {i + 1}" if several else ""
    return f"shade the {spaces[i].number}{which} of {_where(state, group)} ({_listed(spaces)})"


def _where(state: Any, group: int) -> str:
    """Returns the name of an area, row, set or the streamer."""
    if group == STREAMER:
        return "the carp streamer"
    if group >= FIRST_SET:
        return f"the {SET_NAMES[group - FIRST_SET]} set of cans"
    if group >= FIRST_ROW:
        return f"the {ROW_NAMES[group - FIRST_ROW]} row of cars"
    name = area_name(state, group)
    return f"the {name}" if name == "cat house" else name


def _filled(all_spaces: list[Space], group: int) -> str:
    """Returns `2 of 4 filled, both 5`, `2 of 6 filled: 1 (4)`, or `empty`."""
    spaces = [space for space in all_spaces if space.number]
    if not spaces:
        return "empty"
    words = f"{len(spaces)} of {len(all_spaces)} filled"
    alike = len({(space.number, space.look) for space in spaces}) == 1
    if is_row(group) or not alike or spaces[0].look == SHADED:
        return f"{words}: {_listed(spaces)}"
    every = {1: "a ", 2: "both "}.get(len(spaces), "all ")
    return f"{words}, {every}{spaces[0].number}"


def _listed(spaces: list[Space]) -> str:
    return " ".join(_sign(space) for space in spaces if space.number)


# --- Text --------------------------------------------------------------------------------------


def text(state: Any, seat: int | None = None) -> str:
    """Returns the position as lines of text, as `seat` sees it."""
    known = seen(state, seat)
    lines = [
        *wrapped(f"{headline(known, seat)}: {situation(known, seat)}"),
        *wrapped(_dice(known, seat)),
    ]
    if known.ending == RUNNING and known.num_players > 1:
        done = [player for player, finished in in_turn(known) if finished]
        waiting = [player for player, finished in in_turn(known) if not finished]
        lines.append(f"In turn: {' '.join(map(str, waiting))}. Done: {_listing(done)}")
    for player in range(int(known.num_players)):
        lines += ["", *_sheet(known, page(known, player, seat), seat)]
    return "\n".join(lines) + "\n"


SIGNS = {
    ">": "who is to move",
    "T-Rex 1 4": "the room's grey numbers: the T-Rex die goes there if it shows a 1 or a 4",
    ".": "an empty space",
    "(4)": "a 4 that a biscuit has shaded",
    "4!": "a 4 that is out of order",
    "/": "crossed off by a 6",
    "-": "not to be filled as things stand",
    "x2 +2": "the bonus of a stack or post: its number times 2, and 2 more",
    "= 0": "the points of a full stack, post or set, or of a row so far: 0 if it is spoilt",
    "[4]": "a box beneath a space of the streamer, with the number that it scores",
    "[ ] [?] [x]": "one that is empty, that waits for the T-Rex die, that is crossed out",
    "B b": "a biscuit beneath a space of the streamer, and where one was",
}
"""What the signs of the text mean."""


def _listing(players: list[int]) -> str:
    return " ".join(map(str, players)) or "nobody"


def _dice(known: Any, seat: int | None) -> str:
    """Returns the dice as far as the seat sees them."""
    if known.phase == layout.HIDE:
        rolled = [int(die) for die in known.dice if die]
        return f"Dice: {join(rolled)}" if rolled else "Dice: three, rolled in secret"
    left = [
        die
        for die, is_left in zip(open_dice(known), left_dice(known, seat), strict=True)
        if is_left
    ]
    to_fill = f", to fill: {join(left)}" if left else ""
    trex = f"a {known.trex}" if known.trex else "hidden"
    if known.trex and not known.exposed and known.num_players > 1:
        trex += ", hidden from the others"
    return f"Dice: {join(open_dice(known))}{to_fill}. T-Rex die: {trex}"


def _sheet(known: Any, sheet: Page, seat: int | None) -> list[str]:
    """Returns the lines of one sheet: its rooms, with their points and grey numbers."""
    player = sheet.player
    mark = ">" if moves(known, player) else " "
    extra = ", winner" if player in winners(known) else ", rolls" if rolls(known, player) else ""
    lines = [f"{mark} {player_name(player, seat)}: {counted(sheet.total, 'point')}{extra}"]
    contents = [_areas(known, sheet), _rows(sheet), _sets(sheet), _streamer(sheet)]
    for room, parts in enumerate(contents):
        grey = " ".join(map(str, sheet.grey[room]))
        head = f"    {ROOM_NAMES[room]:<16} {sheet.rooms[room]:>3}  T-Rex {grey}  "
        whole = "\u00a0| ".join(part.replace(" ", "\u00a0") for part in parts)
        lines += wrapped(head + whole, len(head))
    return lines


def _areas(known: Any, sheet: Page) -> list[str]:
    return [
        " ".join([area_name(known, area), _signs(sheet.groups[area]), bonus(known, area)]).rstrip()
        + _worth(sheet, area)
        for area in sheet.areas
    ]


def _worth(sheet: Page, group: int) -> str:
    """Returns ` = 5`, the points of an area or set that is full."""
    full = all(space.number for space in sheet.groups[group])
    return f" = {sheet.points[group]}" if full else ""


def _rows(sheet: Page) -> list[str]:
    groups = range(FIRST_ROW, FIRST_ROW + ROWS)
    return [f"{_signs(sheet.groups[group])} = {sheet.points[group]}" for group in groups]


def _sets(sheet: Page) -> list[str]:
    groups = range(FIRST_SET, FIRST_SET + SETS)
    return [_signs(sheet.groups[group]) + _worth(sheet, group) for group in groups]


def _streamer(sheet: Page) -> list[str]:
    parts = []
    for space, (what, number) in zip(sheet.groups[STREAMER], sheet.beneath, strict=True):
        beneath = {HAS_NOTHING: "", HAS_WAITING: "[?]", HAS_CROSSED: "[x]", HAS_BISCUIT: "B"}
        beneath |= {HAD_BISCUIT: "b", HAS_BOX: f"[{number or ' '}]"}
        parts.append(f"{_sign(space)} {beneath[what]}".rstrip())
    return parts


def _signs(spaces: list[Space]) -> str:
    return " ".join(_sign(space) for space in spaces)


def _sign(space: Space) -> str:
    """Returns a space in a few letters."""
    if space.number:
        signs = {SHADED: f"({space.number})", WRONG: f"{space.number}!"}
        return signs.get(space.look, str(space.number))
    return {SLASHED: "/", CLOSED: "-"}.get(space.look, ".")
