"""Draws what lies and acts on the table of On a Scale of One to T-Rex: cards, figures, scales."""

from __future__ import annotations

from dino_envs.games import drawing as draw
from dino_envs.games.scale_of_trex.deck import COLOURS, HIGHEST_SIGNAL, LEVELS, SIGNAL
from dino_envs.games.scale_of_trex.words import Looks

FILLS = ("#e2701f", "#2f6fd0", "#e3b30f")
TINTS = ("#fdeadb", "#e2ecfb", "#fcf2cd")
INKS = ("#a4480b", "#1d4a9c", "#7a5c00")
"""The colours of the cards: strong, as a ground, and for words on it."""
NO_COLOUR = "#b4bac2"
BACK, _PATTERN = "#3d5a66", "#7f9aa6"
GOOD, BAD = "#2f9e57", "#c93a3a"
CARD_WIDTH, CARD_HEIGHT = 50, 70

SPECIES = (
    *("Rex", "Triceratops", "Spinosaurus", "Brachiosaurus"),
    *("Dilophosaurus", "Stegosaurus", "Edmontosaurus", "Ankylosaurus"),
)
"""Who acts in each seat."""

_TOP = HIGHEST_SIGNAL / SIGNAL

# --- Symbols and cards -------------------------------------------------------------------------


def symbol(colour: int, x: float, y: float, size: float, fill: str = "") -> str:
    """Returns the symbol of a colour around (x, y): a triangle, a disc or a square."""
    fill, r = fill or FILLS[colour], size / 2
    if COLOURS[colour] == "blue":
        return draw.circle(x, y, r, fill)
    if COLOURS[colour] == "yellow":
        return draw.rect(x - r * 0.88, y - r * 0.88, r * 1.76, r * 1.76, fill)
    points = ((x, y - r), (x + r * 1.1, y + r * 0.85), (x - r * 1.1, y + r * 0.85))
    return draw.path("M" + "L".join(f"{draw.number(a)} {draw.number(b)}" for a, b in points), fill)


def number_card(kind: int, x: float, y: float) -> str:
    """Returns an open number card."""
    colour = kind // LEVELS
    w, h = CARD_WIDTH, CARD_HEIGHT
    return draw.group(
        draw.rect(0, 0, w, h, TINTS[colour], radius=7, stroke=FILLS[colour], stroke_width=2),
        symbol(colour, 10, 11, 9),
        symbol(colour, w - 10, h - 10, 9),
        draw.text(
            w / 2, h / 2 + 9, kind % LEVELS + 1, 25, INKS[colour], bold=True, anchor="middle"
        ),
        x=x,
        y=y,
    )


def swap_card(x: float, y: float) -> str:
    """Returns a swap card of any colour, which lies open."""
    w, h = CARD_WIDTH, CARD_HEIGHT
    return draw.group(
        draw.rect(0, 0, w, h, draw.CARD, radius=7, stroke=draw.INK, stroke_width=1.5),
        *(symbol(colour, 12 + 13 * colour, 16, 10) for colour in range(len(COLOURS))),
        draw.text(w / 2, 43, "swap", 13, bold=True, anchor="middle"),
        draw.text(w / 2, 58, "any", 11, draw.FAINT, anchor="middle"),
        x=x,
        y=y,
    )


def back(x: float, y: float, colour: int | None = None, label: object = "") -> str:
    """Returns a number card face down, with the symbol of its colour if that is known."""
    w, h = CARD_WIDTH, CARD_HEIGHT
    known = "" if colour is None else symbol(colour, w / 2, h / 2, 17)
    return draw.group(
        draw.rect(0, 0, w, h, BACK, radius=7, stroke=draw.INK),
        draw.rect(4, 4, w - 8, h - 8, radius=5, stroke=_PATTERN, stroke_width=1.3),
        known and draw.circle(w / 2, h / 2, 14, draw.CARD) + known,
        draw.text(w / 2, h / 2 + 6, label, 17, draw.CARD, bold=True, anchor="middle"),
        x=x,
        y=y,
    )


def no_card(x: float, y: float) -> str:
    """Returns the place of a card where none lies."""
    return draw.rect(
        x, y, CARD_WIDTH, CARD_HEIGHT, "#f3ecda", radius=7, stroke="#cbbf9f", dash="5 4"
    )


def small_card(kind: int, x: float, y: float) -> str:
    """Returns a tiny open number card."""
    colour = kind // LEVELS
    return draw.group(
        draw.rect(0, 0, 38, 20, TINTS[colour], radius=4, stroke=FILLS[colour]),
        symbol(colour, 10, 10, 9),
        draw.text(26, 14.5, kind % LEVELS + 1, 12, INKS[colour], bold=True, anchor="middle"),
        x=x,
        y=y,
    )


def action_card(colour: int, width: float, height: float, name: str, looks: str) -> str:
    """Returns an action card: what to do, and how well that can be read."""
    box = height - 16
    return draw.group(
        draw.rect(0, 0, width, height, TINTS[colour], radius=10, stroke=FILLS[colour]),
        draw.rect(8, 8, box, box, draw.CARD, radius=7, stroke=FILLS[colour]),
        symbol(colour, 8 + box / 2, 8 + box / 2, box * 0.55),
        draw.text(box + 20, height / 2 - 3, name, 15, INKS[colour], bold=True),
        draw.text(box + 20, height / 2 + 17, f"{COLOURS[colour]}, {looks}", 12),
    )


# --- Tokens ------------------------------------------------------------------------------------


def token(x: float, y: float, radius: float, *, good: bool = True) -> str:
    """Returns a token around (x, y): a plus for a good one, a minus for a bad one."""
    arm = radius * 0.5
    sign = f"M{draw.number(x - arm)} {draw.number(y)}h{draw.number(2 * arm)}"
    if good:
        sign += f"M{draw.number(x)} {draw.number(y - arm)}v{draw.number(2 * arm)}"
    return draw.circle(x, y, radius, GOOD if good else BAD, stroke=draw.CARD) + draw.path(
        sign, stroke=draw.CARD, stroke_width=max(1.2, radius / 4)
    )


def tokens(x: float, y: float, count: int, columns: int, radius: float, *, good: bool) -> str:
    """Returns tokens in rows, the first in a box whose corner is (x, y)."""
    pitch = 2 * radius + 2
    places = (
        (radius + pitch * (i % columns), radius + pitch * (i // columns)) for i in range(count)
    )
    return draw.group(*(token(left, top, radius, good=good) for left, top in places), x=x, y=y)


# --- Acting ------------------------------------------------------------------------------------


def figure(player: int, x: float, ground: float, fill: str, height: float | None) -> str:
    """Returns a player acting, the larger and livelier the higher on the scale.

    `height` is in levels, None for who does not act; the figure stands in a box 116 wide.
    """
    scale = 0.56 if height is None else 0.56 + 0.036 * min(max(height, 0), _TOP)
    left, top = x + 58 - 50 * scale, ground - 62 * scale
    strokes = 0 if height is None else 1 + int(height > 4) + int(height > 7.5)
    return draw.group(
        draw.path(f"M{x} {ground}h116", stroke="#cbbf9f", stroke_width=2),
        draw.dinosaur(SPECIES[player], left, top, scale, fill),
        *(_motion(x, ground, scale, stroke, fill) for stroke in range(strokes)),
    )


def _motion(x: float, ground: float, scale: float, stroke: int, fill: str) -> str:
    """Returns a curve on either side of a figure that moves."""
    reach, half = 50 * scale + 2 + 4 * stroke, 5 + 3 * stroke
    middle = ground - 18 * scale
    ends = [(x + 58 - reach, -1), (x + 58 + reach, 1)]
    return draw.group(
        *(
            draw.path(
                f"M{draw.number(at)} {draw.number(middle - half)}"
                f"q{side * half * 0.7:g} {half} 0 {2 * half}",
                stroke=fill,
                stroke_width=1.5,
            )
            for at, side in ends
        )
    )


def scale(width: float, looks: Looks | None, own: int | None = None) -> str:
    """Returns the scale from 0 to 11 on the line y = 0.

    A wedge above shows the last looks, a bar the mean with its error; `own` is a level performed.
    """
    pitch = width / _TOP
    parts = [draw.path(f"M0 0h{draw.number(width)}", stroke=draw.FAINT, stroke_width=1.5)]
    for level in range(int(_TOP) + 1):
        tall, at = level in (0, 5, 10), draw.number(pitch * level)
        parts.append(draw.path(f"M{at} 0v{5 if tall else 3}", stroke=draw.FAINT))
        if tall:
            parts.append(draw.text(pitch * level, 15, level, 9.5, draw.FAINT, anchor="middle"))
    if looks:
        low, high = max(looks.mean - looks.error, 0), min(looks.mean + looks.error, _TOP)
        parts += [
            draw.rect(pitch * low, -5, pitch * max(high - low, 0.01), 10, "#a9cfdd", radius=3),
            mean_mark(pitch * looks.mean, 0),
            last_mark(pitch * looks.last, -2),
        ]
    if own:
        parts.append(draw.circle(pitch * own, 0, 5.5, draw.ACCENT, stroke=draw.CARD))
    return draw.group(*parts)


def mean_mark(x: float, y: float) -> str:
    """Returns the sign for a mean around (x, y)."""
    return draw.rect(x - 1.5, y - 6, 3, 12, draw.ACCENT, radius=1.5)


def last_mark(x: float, y: float) -> str:
    """Returns the sign for the last looks, a wedge whose point is (x, y)."""
    return draw.path(f"M{draw.number(x)} {draw.number(y)}l5.5 -9h-11Z", draw.INK, stroke=draw.CARD)


def bubble(x: float, y: float, said: str, *, down: bool) -> str:
    """Returns what somebody calls out, in a bubble around (x, y) whose tail points up or down."""
    side = 1 if down else -1
    tail = f"M{x - 10:g} {y + side * 15:g}l8 {side * 14}l8 {-side * 14}Z"
    return draw.group(
        draw.path(tail, draw.CARD, stroke=draw.INK),
        draw.rect(x - 56, y - 17, 112, 34, draw.CARD, radius=16, stroke=draw.INK),
        draw.path(f"M{x - 9:g} {y + side * 16.4:g}h14", stroke=draw.CARD, stroke_width=2),
        draw.text(x, y + 5.5, said, 15, bold=True, anchor="middle"),
    )
