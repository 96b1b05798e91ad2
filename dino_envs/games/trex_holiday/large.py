"""Draws a whole sheet of T-Rex's Holiday, large: the reader's own."""

from __future__ import annotations

from typing import Any

from dino_envs.games import drawing as draw
from dino_envs.games.standing import moves, player_name, winners
from dino_envs.games.trex_holiday import shapes
from dino_envs.games.trex_holiday.sheet import (
    AREAS_ROOM,
    CAN_POINTS,
    CANS_ROOM,
    CAR_POINTS,
    CARS,
    CARS_ROOM,
    FIRST_ROW,
    FIRST_SET,
    ROWS,
    SETS,
    STREAMER,
    STREAMER_ROOM,
)
from dino_envs.games.trex_holiday.words import (
    CLOSED,
    EMPTY,
    HAD_BISCUIT,
    HAS_BISCUIT,
    HAS_CROSSED,
    HAS_NOTHING,
    HAS_WAITING,
    ROOM_NAMES,
    SHADED,
    Page,
    Space,
    area_name,
    bonus,
    is_usual,
    rolls,
)

WIDTH, HEIGHT = 748, 552
_RIGHT = 62
"""How wide the end of a room is, where its grey numbers and its points stand."""
_ROOMS = {
    AREAS_ROOM: (12, 46, 724, 202),
    CARS_ROOM: (12, 256, 398, 182),
    CANS_ROOM: (418, 256, 318, 182),
    STREAMER_ROOM: (12, 446, 724, 96),
}
"""Where each room is, its width and height."""
_FLOOR = 174
_HOUSE = 5
"""Which area of the usual sheet is the cat house; those before it are stacks and posts."""
_FIRST_POST = 3
_CAR = 48.6
"""From one car of a row to the next."""
CAR_COLOURS = ("#c8473f", "#2f76c0", "#d08a1d")


def sheet(known: Any, page: Page, seat: int | None) -> str:
    """Returns a player's sheet."""
    mover, won = moves(known, page.player), page.player in winners(known)
    return draw.group(
        draw.rect(
            0,
            0,
            WIDTH,
            HEIGHT,
            shapes.WON if won else shapes.MOVES if mover else draw.CARD,
            radius=12,
            stroke=draw.ACCENT if mover else draw.LINE,
            stroke_width=2 if mover else 1,
        ),
        _head(known, page, seat, won=won),
        *(_room(known, page, room, _CONTENTS[room](known, page)) for room in _ROOMS),
    )


def _head(known: Any, page: Page, seat: int | None, *, won: bool) -> str:
    """Draws whose sheet it is, what that player does, and all points."""
    name = player_name(page.player, seat)
    left = 30 + 10.2 * len(name)
    chips = []
    for is_so, words, colour in (
        (rolls(known, page.player), "rolls", shapes.STRIPE),
        (moves(known, page.player), "to move", draw.ACCENT),
    ):
        if is_so:
            chips.append(shapes.pill(left, 14, 62, words, colour))
            left += 70
    total_left = 676 - 16 * len(str(page.total))
    return draw.group(
        draw.text(20, 29, name, 16, bold=True),
        *chips,
        draw.star(total_left - 22, 23, 12, draw.GOLD) if won else "",
        draw.text(676, 32, page.total, 25, bold=True, anchor="end"),
        draw.text(683, 32, "point" if page.total == 1 else "points", 13, draw.FAINT),
    )


def _room(known: Any, page: Page, room: int, contents: list[str]) -> str:
    """Draws a room: its name, what is in it, its grey numbers and its points."""
    x, y, width, height = _ROOMS[room]
    dark = shapes.DARKS[room]
    return draw.group(
        draw.rect(0, 0, width, height, shapes.TINTS[room], radius=10, stroke=shapes.EDGES[room]),
        draw.text(12, 18, ROOM_NAMES[room], 12, dark, bold=True),
        *contents,
        draw.group(*_end(known, page, room, height), x=width - _RIGHT),
        x=x,
        y=y,
    )


def _end(known: Any, page: Page, room: int, height: float) -> list[str]:
    """Draws the right end of a room."""
    edge, middle = shapes.EDGES[room], _RIGHT / 2 - 2
    box = height - 44
    numbers = [
        shapes.grey(number, middle - 13 + 26 * i, 22, 11.5, now=number == known.trex)
        for i, number in enumerate(page.grey[room])
    ]
    return [
        draw.path(f"M-3 8V{height - 8:g}", stroke=edge),
        *numbers,
        draw.text(middle, 46, "T-Rex die", 9, draw.FAINT, anchor="middle"),
        draw.rect(middle - 23, box, 46, 34, draw.CARD, radius=6, stroke=shapes.DARKS[room]),
        draw.text(middle, box + 24, page.rooms[room], 19, bold=True, anchor="middle"),
    ]


# --- Stacks and posts --------------------------------------------------------------------------


def _areas(known: Any, page: Page) -> list[str]:
    areas, parts = page.areas, []
    pitch = (724 - _RIGHT - 14) / len(areas)
    for i, area in enumerate(areas):
        middle = 8 + pitch * (i + 0.5)
        parts.append(_area(known, page, area, middle))
    return parts


def _area(known: Any, page: Page, area: int, middle: float) -> str:
    """Draws a stack, a post or the cat house, what stands on it, and its name and points."""
    spaces, name = page.groups[area], area_name(known, area)
    more = bonus(known, area, "×")
    if is_usual(known) and area == _HOUSE:
        top, parts = 72.0, _house(spaces)
    elif is_usual(known) and area >= _FIRST_POST:
        top, parts = _tower(spaces, 44, 8)
        parts = [*_post(top), *parts]
    else:
        top, parts = _tower(spaces, 48, 0)
        parts.append(draw.rect(-32, _FLOOR, 64, 4, shapes.DARKS[0], radius=2))
    if more:
        parts.append(_badge(more, top - 17))
    elif top > 96:
        cat = shapes.sitting_cat if area < _FIRST_POST else shapes.lying_cat
        width = 24 if area < _FIRST_POST else 30
        parts.append(cat(-width, top, 50 if area < _FIRST_POST else 28))
    return draw.group(*parts, *_name(name, page, area), x=middle)


def _name(name: str, page: Page, area: int) -> list[str]:
    """Draws the name of an area, and its points once it is full."""
    full = all(space.number for space in page.groups[area])
    if not full:
        return [draw.text(0, 193, name, 11, shapes.DARKS[0], anchor="middle")]
    points = page.points[area]
    width = 22 if points < 10 else 30
    left = -(6.3 * len(name) + 5 + width) / 2
    return [
        draw.text(left, 193, name, 11, shapes.DARKS[0]),
        shapes.pill(
            left + 6.3 * len(name) + 5, 181, width, points, shapes.CHOICE if points else draw.FAINT
        ),
    ]


def _badge(more: str, y: float) -> str:
    width = 26 if len(more) < 3 else 16 + 7.6 * len(more)
    return draw.group(
        draw.rect(-width / 2, -11, width, 22, shapes.RED, radius=11),
        draw.text(0, 4.6, more, 13, draw.CARD, bold=True, anchor="middle"),
        y=y,
    )


def _tower(spaces: list[Space], width: float, foot: float) -> tuple[float, list[str]]:
    """Draws spaces one above the other; returns where they end, and the drawing."""
    high = min(32.0, (_FLOOR - foot - 50) / len(spaces))
    parts = [
        shapes.space(
            space, -width / 2, _FLOOR - foot - high * (i + 1), width, high - 2, shapes.EDGES[0]
        )
        for i, space in enumerate(spaces)
    ]
    return _FLOOR - foot - high * len(spaces), parts


def _post(top: float) -> list[str]:
    """Draws the pole of a scratching post, wound with rope, on its plate."""
    rope = "".join(f"M-27 {y:g}L27 {y - 5:g}" for y in range(_FLOOR - 9, int(top) + 6, -7))
    return [
        draw.rect(-27, top - 2, 54, _FLOOR - top - 2, "#e3c59a", radius=4, stroke="#c29a63"),
        draw.path(rope, stroke="#c29a63", stroke_width=1.4),
        draw.rect(-36, _FLOOR - 7, 72, 11, shapes.DARKS[0], radius=4),
        draw.rect(-34, top - 6, 68, 7, shapes.DARKS[0], radius=3.5),
    ]


def _house(spaces: list[Space]) -> list[str]:
    """Draws the cat house: four windows beneath a roof with two ears."""
    places = [(-38, 134), (2, 134), (-38, 97), (2, 97)]
    return [
        draw.path("M-54 90L-46 56L-22 72H22L46 56L54 90Z", shapes.DARKS[0]),
        draw.rect(-46, 88, 92, _FLOOR - 86, "#e3c59a", radius=3, stroke="#c29a63"),
        draw.rect(-54, 84, 108, 8, "#7d430c", radius=4),
        draw.rect(-50, _FLOOR, 100, 4, shapes.DARKS[0], radius=2),
        *(
            shapes.space(space, x, y, 36, 33, shapes.EDGES[0])
            for space, (x, y) in zip(spaces, places, strict=True)
        ),
    ]


# --- Cars --------------------------------------------------------------------------------------


def _cars(known: Any, page: Page) -> list[str]:
    parts = [_scoring_box(i) for i in range(CARS)]
    for row in range(ROWS):
        spaces, colour = page.groups[FIRST_ROW + row], CAR_COLOURS[row]
        y = 26 + 42 * row
        parts += [shapes.car(space, 10 + _CAR * i, y, colour) for i, space in enumerate(spaces)]
        parts.append(_row_points(page, row, y))
    return parts


def _scoring_box(i: int) -> str:
    """Draws what a row is worth that legally ends at a position."""
    x = 10 + _CAR * i + 9
    return draw.group(
        draw.rect(x, 154, 32, 20, draw.CARD, radius=4, stroke=shapes.EDGES[1]),
        draw.text(
            x + 16, 168.5, CAR_POINTS[i + 1], 12, shapes.DARKS[1], bold=True, anchor="middle"
        ),
    )


def _row_points(page: Page, row: int, y: float) -> str:
    """Draws the points of a row behind it; filled in green once nothing can be added."""
    group = FIRST_ROW + row
    is_open = any(space.look == EMPTY for space in page.groups[group])
    points = page.points[group]
    if is_open:
        return draw.text(317, y + 26, points, 12, shapes.DARKS[1], bold=True, anchor="middle")
    return shapes.pill(304, y + 13, 26, points, shapes.CHOICE if points else draw.FAINT)


# --- Cans --------------------------------------------------------------------------------------


def _cans(known: Any, page: Page) -> list[str]:
    return [
        *(_set(page, i) for i in range(SETS)),
        draw.text(14, 168.5, "a full set", 11, shapes.DARKS[2]),
        *(
            draw.group(
                draw.rect(0, 0, 74, 20, draw.CARD, radius=4, stroke=shapes.EDGES[2]),
                draw.text(
                    37, 14.5, f"{total} → {points}", 12, shapes.DARKS[2], bold=True, anchor="middle"
                ),
                x=82 + 82 * i,
                y=154,
            )
            for i, (total, points) in enumerate(CAN_POINTS.items())
        ),
    ]


def _set(page: Page, i: int) -> str:
    """Draws a set of four cans with their sum, and its points once it is full."""
    group, colour = FIRST_SET + i, "#3f9a5d"
    spaces = page.groups[group]
    locked = spaces[0].look == CLOSED
    total = sum(space.number for space in spaces if space.look != SHADED)
    cans = [
        shapes.can(space, 35 * (k % 2), 26 + 47 * (k // 2), colour, locked=locked)
        for k, space in enumerate(spaces)
    ]
    if not all(space.number for space in spaces):
        words = "" if locked else f"sum {total}"
        end = [draw.text(34, 139, words, 11, shapes.DARKS[2], anchor="middle")]
    else:
        points = page.points[group]
        fill = shapes.CHOICE if points else draw.FAINT
        end = [
            draw.text(0, 139, f"sum {total}", 11, shapes.DARKS[2]),
            shapes.pill(46, 126.5, 22, points, fill),
        ]
    return draw.group(
        *cans, draw.rect(-3, 116, 73, 3, shapes.DARKS[2], radius=1.5), *end, x=14 + 82 * i
    )


# --- The streamer ------------------------------------------------------------------------------


def _streamer(known: Any, page: Page) -> list[str]:
    spaces = page.groups[STREAMER]
    left, pitch = 176.0, min(72.0, 432 / len(spaces))
    width = pitch * len(spaces)
    return [
        _carp(left, width, pitch),
        *(
            shapes.space(space, left + pitch * i + 3, 22, pitch - 8, 30, shapes.DARKS[3])
            for i, space in enumerate(spaces)
        ),
        *(
            beneath(what, number, left + pitch * (i + 0.5) - 1, 77, 26)
            for i, (what, number) in enumerate(page.beneath)
        ),
    ]


def _carp(left: float, width: float, pitch: float) -> str:
    """Draws the pole and a streamer in the shape of a carp, its head to the left."""
    right = left + width
    scales = "".join(
        f"M{left + pitch * i:g} 17Q{left + pitch * i - 7:g} 37 {left + pitch * i:g} 57"
        for i in range(1, round(width / pitch))
    )
    body = (
        f"M{left - 44:g} 37Q{left - 40:g} 12 {left - 6:g} 12H{right:g}"
        f"Q{right + 16:g} 16 {right + 42:g} 10L{right + 30:g} 37L{right + 42:g} 64"
        f"Q{right + 16:g} 58 {right:g} 62H{left - 6:g}Q{left - 40:g} 62 {left - 44:g} 37Z"
    )
    return draw.group(
        draw.path(f"M{left - 60:g} 8V88", stroke="#8a6b4a", stroke_width=4),
        draw.path(
            f"M{left - 60:g} 37L{left - 43:g} 24M{left - 60:g} 37L{left - 43:g} 50",
            stroke="#8a6b4a",
            stroke_width=1.4,
        ),
        draw.path(body, "#e0577d", stroke=shapes.DARKS[3], stroke_width=1.4),
        draw.path(scales, stroke="#f6c3d1", stroke_width=1.6),
        draw.path(
            f"M{left - 10:g} 12Q{left + 4:g} 37 {left - 10:g} 62", stroke="#f6c3d1", stroke_width=2
        ),
        draw.circle(left - 23, 30, 7, draw.CARD),
        draw.circle(left - 24, 30, 3.6, draw.INK),
    )


def beneath(what: int, number: int, x: float, y: float, size: float) -> str:
    """Draws what lies beneath a space of the streamer, around (x, y)."""
    if what == HAS_NOTHING:
        return ""
    if what in (HAS_BISCUIT, HAD_BISCUIT):
        return shapes.biscuit(x, y, size * 0.46, eaten=what == HAD_BISCUIT)
    left, top = x - size / 2, y - size / 2
    waits = what == HAS_WAITING
    fill = shapes.FRESH if waits else draw.CARD
    edge = shapes.ORANGE if waits else shapes.DARKS[3]
    parts = [draw.rect(left, top, size, size, fill, radius=3, stroke=edge)]
    if what == HAS_CROSSED:
        parts.append(shapes.cross(left, top, size))
    elif waits or number:
        words, ink = ("?", shapes.ORANGE) if waits else (number, shapes.PEN)
        font = size * 0.66
        parts.append(draw.text(x, y + font * 0.365, words, font, ink, bold=True, anchor="middle"))
    return draw.group(*parts)


_CONTENTS = {
    AREAS_ROOM: _areas,
    CARS_ROOM: _cars,
    CANS_ROOM: _cans,
    STREAMER_ROOM: _streamer,
}
