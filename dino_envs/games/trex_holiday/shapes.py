"""Draws what a sheet of T-Rex's Holiday is made of: spaces, cars, cans, biscuits, dice and cats."""

from __future__ import annotations

from dino_envs.games import drawing as draw
from dino_envs.games.trex_holiday.words import CLOSED, SHADED, SLASHED, WRONG, Space

PEN = "#1d3f94"
"""The colour of what players write."""
RED, CHOICE, GREY, GREY_INK = "#c62f2f", "#27923c", "#dde0e4", "#555d66"
FRESH, SHADE, UNUSABLE = "#fff0a8", "#7f868f", "#e9e7e2"
WON, MOVES = "#fbe7b2", "#dcebf1"
ORANGE, GINGER, STRIPE = "#e8862a", "#e9a057", "#b96a1f"
BISCUIT_COLOUR, CHIP = "#dba45f", "#8a5426"

TINTS = ("#fdf0df", "#e6f0fb", "#e6f5ea", "#fceaf0")
EDGES = ("#dfa765", "#8db7e2", "#8cc7a0", "#e39bb3")
DARKS = ("#9c5410", "#1f5a9e", "#23763b", "#ab2a55")
"""The colours of the rooms: their ground, the lines and the words on it."""

_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}


# --- Spaces ------------------------------------------------------------------------------------


def space(what: Space, x: float, y: float, width: float, height: float, edge: str) -> str:
    """Returns a space with what is written in it."""
    fill, ink = draw.CARD, PEN
    if what.look in (CLOSED, SLASHED):
        fill = UNUSABLE
    elif what.look == SHADED:
        fill, ink = SHADE, draw.CARD
    elif what.look == WRONG:
        ink = RED
    if what.fresh and what.look != SHADED:
        fill = FRESH
    radius = min(5, height / 5)
    parts = [draw.rect(0, 0, width, height, fill, radius=radius, stroke=edge)]
    if what.look == SHADED:
        parts.append(_hatching(width, height))
    if what.look == SLASHED:
        parts.append(draw.path(f"M3 {height - 3:g}L{width - 3:g} 3", stroke=PEN, stroke_width=1.6))
    if what.look == WRONG:
        parts.append(_wrong(width, height))
    if what.number:
        size = min(20, height * 0.68)
        middle, base = width / 2, height / 2 + size * 0.365
        parts.append(draw.text(middle, base, what.number, size, ink, bold=True, anchor="middle"))
    if what.choice:
        parts.append(_chosen(width, height, radius))
    return draw.group(*parts, x=x, y=y)


def _hatching(width: float, height: float) -> str:
    """Returns the strokes of a pencil that has shaded a space."""
    lines, at = "", 5.0
    while at < width + height - 3:
        x0, y0 = (at, 1.0) if at < width - 1 else (width - 1, at - width + 2)
        x1, y1 = (1.0, at) if at < height - 1 else (at - height + 2, height - 1)
        lines += f"M{draw.number(x0)} {draw.number(y0)}L{draw.number(x1)} {draw.number(y1)}"
        at += 5
    return draw.path(lines, stroke="#656c75", stroke_width=1.2)


def _wrong(width: float, height: float) -> str:
    return draw.rect(
        1.5, 1.5, width - 3, height - 3, radius=min(4, height / 6), stroke=RED, stroke_width=1.4
    )


def _chosen(width: float, height: float, radius: float) -> str:
    whole = (-0.5, -0.5, width + 1, height + 1)
    return draw.group(
        draw.rect(*whole, radius=radius, stroke=draw.CARD, stroke_width=2.4),
        draw.rect(*whole, radius=radius, stroke=CHOICE, stroke_width=2.4, dash="4 2.5"),
    )


def cross(x: float, y: float, size: float) -> str:
    """Returns a red cross in a square."""
    far = draw.number(size - 4)
    return draw.group(
        draw.path(f"M4 4L{far} {far}M{far} 4L4 {far}", stroke=RED, stroke_width=size / 11), x=x, y=y
    )


def biscuit(x: float, y: float, radius: float, *, eaten: bool = False) -> str:
    """Returns a biscuit around (x, y), or the place where one has been."""
    if eaten:
        return draw.element(
            "circle", cx=x, cy=y, r=radius, fill="none", stroke=EDGES[3], stroke_dasharray="2.5 2"
        )
    r = radius
    chips = [(-0.4, -0.35), (0.3, -0.45), (0.05, 0.1), (-0.45, 0.3), (0.45, 0.35)]
    return draw.group(
        draw.circle(0, 0, r, BISCUIT_COLOUR, stroke=CHIP),
        *(draw.circle(r * dx, r * dy, r * 0.15, CHIP) for dx, dy in chips),
        x=x,
        y=y,
    )


def grey(number: int, x: float, y: float, radius: float, *, now: bool) -> str:
    """Returns a grey number, orange while the T-Rex die shows it."""
    size = radius * 1.25
    return draw.group(
        draw.circle(0, 0, radius, ORANGE if now else GREY, stroke=STRIPE if now else "#b9bec5"),
        draw.text(
            0,
            size * 0.365,
            number,
            size,
            draw.CARD if now else GREY_INK,
            bold=True,
            anchor="middle",
        ),
        x=x,
        y=y,
    )


def pill(x: float, y: float, width: float, words: object, fill: str, ink: str = draw.CARD) -> str:
    """Returns a short word on a rounded ground, 17 high."""
    return draw.group(
        draw.rect(0, 0, width, 17, fill, radius=8.5),
        draw.text(width / 2, 12.3, words, 10.5, ink, bold=True, anchor="middle"),
        x=x,
        y=y,
    )


# --- Things ------------------------------------------------------------------------------------


def car(what: Space, x: float, y: float, colour: str) -> str:
    """Returns a car from ahead, 50 by 38, with a space for its windscreen."""
    ended = what.look in (SLASHED, CLOSED)
    body = draw.group(
        draw.rect(5, 31, 9, 7, draw.INK, radius=2),
        draw.rect(36, 31, 9, 7, draw.INK, radius=2),
        draw.path("M8 21L11 3Q12 0 15 0H35Q38 0 39 3L42 21Z", colour),
        draw.rect(1, 20, 48, 14, colour, radius=5),
        draw.circle(8, 27, 3.2, "#ffe9a3"),
        draw.circle(42, 27, 3.2, "#ffe9a3"),
        draw.rect(16, 26, 18, 4, draw.CARD, radius=2),
        opacity=0.35 if ended else None,
    )
    return draw.group(body, space(what, 13, 2.5, 24, 21, colour), x=x, y=y)


def can(what: Space, x: float, y: float, colour: str, *, locked: bool) -> str:
    """Returns a can, 32 by 42, with a space for its label."""
    tin, lid = "#c3c9d0", "#e4e8ec"
    drawn = draw.group(
        draw.path("M1 6V36C1 43 31 43 31 36V6Z", tin, stroke="#8f979f"),
        draw.path("M1 6C1 -1 31 -1 31 6C31 13 1 13 1 6Z", lid, stroke="#8f979f"),
        draw.path("M11 5.5C11 3 21 3 21 5.5C21 8 11 8 11 5.5Z", stroke="#8f979f"),
        draw.path("M1 13V34C1 40 31 40 31 34V13C31 18 1 18 1 13Z", colour),
        opacity=0.45 if locked else None,
    )
    return draw.group(drawn, space(what, 5, 17, 22, 19, colour), x=x, y=y)


def die(face: int, x: float, y: float, size: float, *, trex: bool = False) -> str:
    """Returns a die, face down if its face is 0; the T-Rex die has the ears of a cat."""
    ground, pips = (GINGER, draw.INK) if trex else (draw.CARD, PEN)
    edge = STRIPE if trex else "#9aa3ad"
    parts = [draw.rect(0, 0, size, size, ground, radius=size / 6, stroke=edge, stroke_width=1.5)]
    if trex:
        parts.insert(0, _ears(size, ground, edge))
    if face:
        step, r = size * 0.27, size * 0.085
        middle = size / 2
        parts += [
            draw.circle(middle + step * dx, middle + step * dy, r, pips) for dx, dy in _PIPS[face]
        ]
    elif trex:
        parts.append(_asleep(size))
    else:
        base = size * 0.68
        parts.append(
            draw.text(size / 2, base, "?", size * 0.5, "#9aa3ad", bold=True, anchor="middle")
        )
    return draw.group(*parts, x=x, y=y)


def _ears(size: float, fill: str, edge: str) -> str:
    s = size / 60
    return draw.group(
        draw.path("M4 14L6 -15L27 2Z", fill, stroke=edge, stroke_width=1.5),
        draw.path("M56 14L54 -15L33 2Z", fill, stroke=edge, stroke_width=1.5),
        draw.path("M9 2L10 -8L18 1Z", "#f7cfc0"),
        draw.path("M51 2L50 -8L42 1Z", "#f7cfc0"),
        scale=s,
    )


def _asleep(size: float) -> str:
    """Returns the face of a cat that keeps a secret."""
    lines = "M12 26Q18 32 24 26M36 26Q42 32 48 26M30 37Q26 43 22 39M30 37Q34 43 38 39"
    whiskers = "M3 36L15 38M3 45L15 43M57 36L45 38M57 45L45 43"
    stripes = "M30 3V13M22 4V10M38 4V10"
    return draw.group(
        draw.path(stripes, stroke=STRIPE, stroke_width=3),
        draw.path(lines, stroke=draw.INK, stroke_width=2.2),
        draw.path(whiskers, stroke=draw.INK, stroke_width=1.2),
        draw.path("M26 33H34L30 38Z", "#d9667a"),
        scale=size / 60,
    )


# --- Cats --------------------------------------------------------------------------------------


def sitting_cat(x: float, y: float, height: float, colour: str = GINGER) -> str:
    """Returns a cat that sits and looks at the reader, about as wide as high, its feet at y."""
    dark = STRIPE if colour == GINGER else draw.INK
    tail = draw.element(
        "path",
        d="M50 60C66 60 68 44 60 38",
        fill="none",
        stroke=colour,
        stroke_width=6,
        stroke_linecap="round",
    )
    return draw.group(
        tail,
        draw.path("M32 22C16 32 12 50 14 64H54C56 50 50 32 36 22Z", colour),
        draw.path("M28 64V50M40 64V50", stroke=dark, stroke_width=1.6),
        draw.path("M17 20L15 0L29 8Q34 7 39 8L53 0L51 20C51 34 17 34 17 20Z", colour),
        draw.path("M34 8V15M28 9V14M40 9V14", stroke=dark, stroke_width=2.2),
        draw.circle(27, 19, 2.3, draw.INK),
        draw.circle(41, 19, 2.3, draw.INK),
        draw.path("M31.5 23.5H36.5L34 26.5Z", "#c9536a"),
        draw.path("M8 22L20 24M8 28L20 27M60 22L48 24M60 28L48 27", stroke=dark),
        x=x,
        y=y - height,
        scale=height / 64,
    )


def lying_cat(x: float, y: float, height: float, colour: str = GINGER) -> str:
    """Returns a cat asleep, 2.2 times as wide as high, its belly at y."""
    dark = STRIPE if colour == GINGER else draw.INK
    tail = draw.element(
        "path",
        d="M78 30C92 24 92 38 74 38H50",
        fill="none",
        stroke=dark,
        stroke_width=5,
        stroke_linecap="round",
    )
    return draw.group(
        draw.path("M20 40C22 20 38 8 58 10C78 12 86 26 82 40Z", colour),
        draw.path("M52 10V19M61 10.5V20M70 14V22", stroke=dark, stroke_width=2.6),
        tail,
        draw.path("M4 22L3 7L14 13Q19 12 24 13L35 7L34 24C34 40 4 40 4 24Z", colour),
        draw.path("M19 13V18M15 14V17M23 14V17", stroke=dark, stroke_width=1.8),
        draw.path("M9 24Q12 27 15 24M23 24Q26 27 29 24", stroke=draw.INK, stroke_width=1.6),
        draw.path("M17 28H21L19 30.5Z", "#c9536a"),
        x=x,
        y=y - height,
        scale=height / 40,
    )


def paw(x: float, y: float, size: float, colour: str) -> str:
    """Returns the print of a paw in a square."""
    toes = [(4, 9, 2.6), (8.5, 4.5, 2.8), (14.5, 4.5, 2.8), (19, 9, 2.6)]
    return draw.group(
        draw.path(draw.outline("11.5,10 17,15 17,20 11.5,19 6,20 6,15"), colour),
        *(draw.circle(tx, ty, r, colour) for tx, ty, r in toes),
        x=x,
        y=y,
        scale=size / 23,
    )
