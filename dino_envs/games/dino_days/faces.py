"""Draws the cards of Dino Days: whole, covered by others, tiny, and face down."""

from __future__ import annotations

from dino_envs.games import drawing as draw
from dino_envs.games.dino_days.cards import (
    DINOSAURS,
    DIPLODOCUS_FRONT,
    DIPLODOCUS_REAR,
    TYRANNOSAURUS,
)
from dino_envs.games.dino_days.words import HINTS, NAMES, SPECIES, is_diplodocus, points_of

WIDTH = 108
"""How wide a card is."""
BETWEEN = 5
STRIP = 18
"""How high the strip with the name is."""

COLOURS = (
    "#8e1f4f",  # giganotosaurus
    "#7a3fa0",  # diplodocus, front
    "#7a3fa0",  # and rear
    "#2e8b3d",  # tyrannosaurus
    "#c25a08",  # spinosaurus
    "#0c7f86",  # dilophosaurus
    "#d3382f",  # triceratops
    "#2a62c4",  # pteranodon
    "#23262b",  # stegosaurus
    "#84661a",  # baryonyx
    "#c23a86",  # microraptor
    "#1f6f8b",  # scientist
    "#7d5a3c",  # nest
    "#a8321f",  # volcano
    "#5d6875",  # skeleton
    "#947320",  # eggs
    "#4b4a78",  # meteor
)
"""The colour of each kind."""

_SHORT = {DIPLODOCUS_FRONT: "Diplod. front", DIPLODOCUS_REAR: "Diplod. rear"}
"""Names that would be too long for a card."""
_ROOM_FOR_HINT = 104
BACK, _PATTERN = "#3d5a66", "#7f9aa6"


def shape(kind: int, x: float, y: float, width: float, height: float) -> str:
    """Returns the silhouette or symbol of a kind as large as fits into a box, in its middle."""
    half = is_diplodocus(kind)
    wide = 50 if half else 100
    scale = min(width / wide, height / 64)
    left, top = x + (width - wide * scale) / 2, y + (height - 64 * scale) / 2
    if half:
        whole = draw.dinosaur("Diplodocus", 0, 0, 1, COLOURS[kind], looks_left=True)
        box = (0 if kind == DIPLODOCUS_FRONT else 50, 0, 50, 64)
        return draw.cut_out(left, top, 50 * scale, 64 * scale, whole, box=box)
    if kind >= DINOSAURS:
        return draw.symbol(NAMES[kind], left, top, scale, COLOURS[kind])
    return draw.dinosaur(_species(kind), left, top, scale, COLOURS[kind])


def _species(kind: int) -> str:
    return "Rex" if kind == TYRANNOSAURUS else SPECIES[kind]


def card(
    kind: int,
    x: float,
    y: float,
    height: float,
    *,
    count: int = 1,
    hint: bool = False,
    above: bool = False,
) -> str:
    """Returns a card that lies open, as low as its strip at least.

    Args:
        kind: what is on the card.
        x: where its left edge is.
        y: where its upper edge is.
        height: how high the card is.
        count: how many of them lie there.
        hint: whether it says what the card does, if it is high enough.
        above: whether it lies on another card.
    """
    edge, room = COLOURS[kind], height - STRIP
    lines = [line for line in HINTS[kind] if line] if hint and height > _ROOM_FOR_HINT else []
    border = 5 if room > 30 else 2
    shown = room - 12 * len(lines) - 2 * border
    parts = [
        draw.rect(3, 3, WIDTH, height, draw.CARD, radius=8, stroke=edge) if count > 1 else "",
        draw.rect(0, 0, WIDTH, height, draw.CARD, radius=8, stroke=edge, stroke_width=1.5),
        _strip(kind, WIDTH, STRIP, above=above),
        shape(kind, 7, STRIP + border, WIDTH - 14, shown) if shown > 8 else "",
    ]
    for i, line in enumerate(reversed(lines)):
        y_line = height - 7 - 12 * i
        parts.append(draw.text(WIDTH / 2, y_line, line, 10, draw.FAINT, anchor="middle"))
    return draw.group(*parts, _badge(count, height) if count > 1 else "", x=x, y=y)


def _badge(count: int, height: float) -> str:
    """Returns how many of a card lie there: below its name, or beside it on a low card."""
    beside = height < STRIP + 14
    y = STRIP / 2 if beside else min(STRIP + 13, (height + STRIP) / 2)
    size = min(18, height - STRIP) if not beside else 14
    label, x = f"x{count}", WIDTH - 14
    return draw.group(
        draw.rect(x - 11, y - size / 2, 22, size, draw.INK, radius=size / 2, stroke=draw.CARD),
        draw.text(x, y + 3.8, label, 10, draw.CARD, bold=True, anchor="middle"),
    )


def diplodocus(x: float, y: float, height: float) -> str:
    """Returns a whole diplodocus, which lies on two days."""
    width, edge = 2 * WIDTH + BETWEEN, COLOURS[DIPLODOCUS_FRONT]
    scale = min((width - 20) / 100, (height - STRIP - 10) / 64)
    left, top = (width - 100 * scale) / 2, STRIP + (height - STRIP - 64 * scale) / 2
    return draw.group(
        draw.rect(0, 0, width, height, draw.CARD, radius=8, stroke=edge, stroke_width=1.5),
        _strip(DIPLODOCUS_FRONT, width, STRIP, SPECIES[DIPLODOCUS_FRONT]),
        draw.dinosaur("Diplodocus", left, top, scale, edge, looks_left=True),
        x=x,
        y=y,
    )


def covered(kind: int, x: float, y: float, visible: float, *, above: bool) -> str:
    """Returns a card that others lie on, so that only the strip with the name can be seen."""
    edge, height = COLOURS[kind], visible + 12
    return draw.group(
        draw.rect(0, 0, WIDTH, height, edge, radius=8, stroke=edge, stroke_width=1.5),
        _strip(kind, WIDTH, min(visible, STRIP), above=above),
        x=x,
        y=y,
    )


def _strip(kind: int, width: float, height: float, name: str = "", *, above: bool = False) -> str:
    """Returns the top of a card: its name and points, smaller in a low strip.

    A light line sets it off from the card that it lies above.
    """
    outline = f"M0 8A8 8 0 0 1 8 0H{width - 8:g}A8 8 0 0 1 {width:g} 8"
    size = min(10, height * 0.8)
    base = height / 2 + size * 0.35
    name = name or _SHORT.get(kind, NAMES[kind])
    return draw.group(
        draw.path(f"{outline}V{height:g}H0Z", COLOURS[kind]),
        draw.path(outline, stroke=draw.CARD) if above else "",
        draw.text(5.5, base, name, size, draw.CARD),
        draw.text(width - 5, base, points_of(kind), size + 1, draw.CARD, bold=True, anchor="end"),
    )


def back(x: float, y: float, width: float, height: float, count: int, size: float) -> str:
    """Returns cards that lie face down, with their number on them."""
    middle, base = width / 2, height / 2 + size * 0.36
    large = height > 50
    inner = draw.rect(4, 4, width - 8, height - 8, radius=6, stroke=_PATTERN, stroke_width=1.5)
    return draw.group(
        draw.rect(0, 0, width, height, BACK, radius=min(8, height / 5), stroke=draw.INK),
        inner if large else "",
        draw.text(middle, base, count, size, draw.CARD, bold=True, anchor="middle"),
        x=x,
        y=y,
    )


def miniature(kind: int, width: float, height: float, count: int = 1) -> str:
    """Returns a tiny open card, with a number if there are more of them."""
    room = width - 4 - (0 if count == 1 else 6 if count < 10 else 11)
    return draw.group(
        draw.rect(0, 0, width, height, draw.CARD, radius=3, stroke=COLOURS[kind]),
        shape(kind, 2, 2, room, height - 4),
        draw.text(width - 1.5, height - 3, count, 8, bold=True, anchor="end") if count > 1 else "",
    )
