"""Draws a whole sheet of T-Rex's Holiday, small: another player's."""

from __future__ import annotations

from typing import Any

from dino_envs.games import drawing as draw
from dino_envs.games.standing import moves, player_name, winners
from dino_envs.games.trex_holiday import shapes
from dino_envs.games.trex_holiday.large import beneath
from dino_envs.games.trex_holiday.sheet import (
    AREAS_ROOM,
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
from dino_envs.games.trex_holiday.words import CLOSED, SHADED, Page, bonus, rolls

WIDTH, HEIGHT = 368, 194
_RIGHT = 36
_ROOMS = {
    AREAS_ROOM: (8, 28, 196, 100),
    CARS_ROOM: (208, 28, 152, 100),
    CANS_ROOM: (8, 132, 152, 54),
    STREAMER_ROOM: (164, 132, 196, 54),
}


def sheet(known: Any, page: Page, seat: int | None) -> str:
    """Returns a player's sheet."""
    mover, won = moves(known, page.player), page.player in winners(known)
    fill = shapes.WON if won else shapes.MOVES if mover else draw.CARD
    edge = draw.ACCENT if mover else draw.LINE
    return draw.group(
        draw.rect(0, 0, WIDTH, HEIGHT, fill, radius=10, stroke=edge),
        *_head(known, page, seat, won=won),
        *(_room(known, page, room, _CONTENTS[room](known, page)) for room in _ROOMS),
    )


def _head(known: Any, page: Page, seat: int | None, *, won: bool) -> list[str]:
    left, chips = 84.0, []
    for is_so, words, colour, width in (
        (rolls(known, page.player), "rolls", shapes.STRIPE, 46),
        (moves(known, page.player), "to move", draw.ACCENT, 60),
    ):
        if is_so:
            chips.append(shapes.pill(left, 6, width, words, colour))
            left += width + 6
    return [
        draw.text(14, 19, player_name(page.player, seat), 13, bold=True),
        *chips,
        draw.star(264, 15, 9, draw.GOLD) if won else "",
        draw.text(314, 20, page.total, 16, bold=True, anchor="end"),
        draw.text(318, 20, "point" if page.total == 1 else "points", 11, draw.FAINT),
    ]


def _room(known: Any, page: Page, room: int, contents: list[str]) -> str:
    """Draws a room: what is in it, its grey numbers and its points."""
    x, y, width, height = _ROOMS[room]
    middle = width - _RIGHT / 2
    return draw.group(
        draw.rect(0, 0, width, height, shapes.TINTS[room], radius=6, stroke=shapes.EDGES[room]),
        *contents,
        *(
            shapes.grey(number, middle - 8 + 16 * i, 13, 7.4, now=number == known.trex)
            for i, number in enumerate(page.grey[room])
        ),
        draw.rect(middle - 13, height - 25, 26, 19, draw.CARD, radius=4, stroke=shapes.EDGES[room]),
        draw.text(middle, height - 11, page.rooms[room], 12, bold=True, anchor="middle"),
        x=x,
        y=y,
    )


def _areas(known: Any, page: Page) -> list[str]:
    parts = []
    pitch = min(26, (196 - _RIGHT - 6) / len(page.areas))
    for i, area in enumerate(page.areas):
        spaces, left = page.groups[area], 5 + pitch * i
        high = min(18.0, 78 / len(spaces))
        parts += [
            shapes.space(s, left, 82 - high * (k + 1), pitch - 3, high - 1, shapes.EDGES[0])
            for k, s in enumerate(spaces)
        ]
        more = bonus(known, area, "×")
        middle = left + (pitch - 3) / 2
        parts += [
            draw.text(
                middle,
                94 - (4 if " " in more else 0) + 7 * k,
                word,
                8.5 if len(more) < 4 else 8,
                shapes.RED,
                bold=True,
                anchor="middle",
            )
            for k, word in enumerate(more.split())
        ]
    return parts


def _cars(known: Any, page: Page) -> list[str]:
    parts = []
    for row in range(ROWS):
        for i, space in enumerate(page.groups[FIRST_ROW + row]):
            parts.append(shapes.space(space, 6 + 18 * i, 6 + 24 * row, 17, 21, shapes.EDGES[1]))
    for i in range(CARS):
        points = CAR_POINTS[i + 1]
        parts.append(
            draw.text(14.5 + 18 * i, 90, points, 9, shapes.DARKS[1], bold=True, anchor="middle")
        )
    return parts


def _cans(known: Any, page: Page) -> list[str]:
    parts = []
    for i in range(SETS):
        spaces, left = page.groups[FIRST_SET + i], 7 + 37 * i
        parts += [
            shapes.space(s, left + 16 * (k % 2), 5 + 16.5 * (k // 2), 15, 15.5, shapes.EDGES[2])
            for k, s in enumerate(spaces)
        ]
        total = sum(space.number for space in spaces if space.look != SHADED)
        if spaces[0].look != CLOSED:
            words = f"= {total}"
            parts.append(
                draw.text(left + 15.5, 49, words, 9, shapes.DARKS[2], bold=True, anchor="middle")
            )
    return parts


def _streamer(known: Any, page: Page) -> list[str]:
    spaces = page.groups[STREAMER]
    pitch = min(25, (196 - _RIGHT - 6) / len(spaces))
    return [
        *(
            shapes.space(space, 6 + pitch * i, 5, pitch - 2, 21, shapes.DARKS[3])
            for i, space in enumerate(spaces)
        ),
        *(
            beneath(what, number, 6 + pitch * (i + 0.5) - 1, 39, 16)
            for i, (what, number) in enumerate(page.beneath)
        ),
    ]


_CONTENTS = {
    AREAS_ROOM: _areas,
    CARS_ROOM: _cars,
    CANS_ROOM: _cans,
    STREAMER_ROOM: _streamer,
}
