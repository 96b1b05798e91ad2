"""Draws a position of T-Rex's Holiday: the dice, the reader's sheet, and those of the others."""

from __future__ import annotations

from typing import Any

from dino_envs.engine.layout import RUNNING
from dino_envs.games import drawing as draw
from dino_envs.games.standing import headline, moves
from dino_envs.games.trex_holiday import large, shapes, small
from dino_envs.games.trex_holiday.layout import BISCUIT, FILL, HIDE, TREX
from dino_envs.games.trex_holiday.words import (
    CLOSED,
    EMPTY,
    HAS_BISCUIT,
    HAS_CROSSED,
    HAS_WAITING,
    SHADED,
    SLASHED,
    WRITTEN,
    WRONG,
    Space,
    in_turn,
    left_dice,
    open_dice,
    page,
    seen,
    situation,
)

WIDTH = 1160
_HEADER, _MARGIN, _GAP = 58, 16, 12
_TOP = _HEADER + 12
_SIDE = _MARGIN + large.WIDTH + _GAP
_DICE = large.HEIGHT - 2 * (small.HEIGHT + _GAP)
_COLUMNS = 3
_SCORING = (
    ("Full, all numbers the same: that number,", "with what is added or multiplied"),
    ("Numbers rise from left to right:", "the box beneath the last in order"),
    ("Sets are filled from left to right:", "points for a sum of 14 or 15"),
    ("Numbers fall from left to right:", "what is in the boxes beneath"),
)
"""How each room scores, in two short lines."""


def svg(state: Any, seat: int | None = None) -> str:
    """Returns the position as a picture, as `seat` sees it; None sees what everybody does.

    The reader's sheet is large, that of seat 0 for None; the others follow in seat order.
    """
    known, players = seen(state, seat), int(state.num_players)
    first = 0 if seat is None else seat
    others = [(first + place) % players for place in range(1, players)]
    beside, rows = len(others) % _COLUMNS, len(others) // _COLUMNS
    pitch = small.HEIGHT + _GAP
    below = _TOP + large.HEIGHT + _GAP
    places = [
        (_SIDE, _TOP + large.HEIGHT - small.HEIGHT - pitch * (beside - 1 - i))
        for i in range(beside)
    ]
    places += [
        (_MARGIN + (small.WIDTH + _GAP) * (i % _COLUMNS), below + pitch * (i // _COLUMNS))
        for i in range(rows * _COLUMNS)
    ]
    return draw.document(
        WIDTH,
        below + pitch * rows,
        f"T-Rex's Holiday: {headline(known, seat)}",
        _header(known, seat),
        draw.group(large.sheet(known, page(known, first, seat), seat), x=_MARGIN, y=_TOP),
        draw.group(*_dice(known, seat), x=_SIDE, y=_TOP),
        draw.group(*_legend(beside), x=_SIDE, y=_TOP + _DICE + _GAP),
        *(
            draw.group(small.sheet(known, page(known, player, seat), seat), x=x, y=y)
            for player, (x, y) in zip(others, places, strict=True)
        ),
    )


def _header(known: Any, seat: int | None) -> str:
    over = known.ending != RUNNING
    left = 60 if over else 20
    return draw.group(
        draw.rect(0, 0, WIDTH, _HEADER, shapes.WON if over else draw.CARD),
        draw.star(34, 26, 14, draw.GOLD) if over else "",
        draw.text(left, 29, headline(known, seat), 20, bold=True),
        draw.text(left, 48, situation(known, seat), 13, draw.FAINT),
        draw.text(1144, 24, "T-Rex's Holiday", 15, bold=True, anchor="end"),
        shapes.sitting_cat(950, 54, 46),
        *(shapes.paw(1024 + 30 * i, 36 - 4 * (i % 2), 16, shapes.GINGER) for i in range(4)),
    )


# --- The dice ----------------------------------------------------------------------------------


def _dice(known: Any, seat: int | None) -> list[str]:
    """Draws the three dice, who has yet to use them, and how far the round is."""
    return [
        draw.rect(0, 0, small.WIDTH, _DICE, draw.CARD, radius=12, stroke=draw.LINE),
        *_rolled(known, seat),
        *_steps(known),
        *_order(known),
    ]


def _rolled(known: Any, seat: int | None) -> list[str]:
    if known.phase == HIDE:
        faces = [int(face) for face in known.dice]
        words = "choose the T-Rex die" if any(faces) else "rolled in secret"
        return [
            *(shapes.die(face, 16 + 62 * i, 24, 52) for i, face in enumerate(faces)),
            draw.text(104, 95, words, 11, draw.FAINT, anchor="middle"),
        ]
    parts = []
    for i, (face, left) in enumerate(zip(open_dice(known), left_dice(known, seat), strict=True)):
        die = shapes.die(face, 16 + 62 * i, 24, 52)
        words = "to fill" if left else "filled"
        parts += [
            draw.group(die, opacity=None if left else 0.45),
            draw.text(42 + 62 * i, 95, words, 11, draw.FAINT, anchor="middle"),
        ]
    face = int(known.trex)
    words = "T-Rex die" if known.exposed else "T-Rex, hidden"
    return [
        *parts,
        shapes.die(face, 146, 24, 52, trex=True),
        draw.text(172, 95, words, 11, draw.FAINT, anchor="middle"),
    ]


def _steps(known: Any) -> list[str]:
    """Draws the steps of a round, the one that is due in colour."""
    parts = []
    due = known.phase if known.phase != BISCUIT else TREX if known.exposed else FILL
    biscuit = known.phase == BISCUIT
    names = {HIDE: "hide a die", FILL: "fill two dice", TREX: "fill the T-Rex die"}
    for i, (phase, name) in enumerate(names.items()):
        is_due = phase == due and known.ending == RUNNING
        fill, ink = (draw.ACCENT, draw.CARD) if is_due else ("#eceef1", draw.FAINT)
        parts.append(shapes.pill(234, 19 + 22 * i, 122, name, fill, ink))
        if is_due and biscuit:
            parts.append(shapes.biscuit(219, 27.5 + 22 * i, 10))
    return parts


def _order(known: Any) -> list[str]:
    """Draws the players in the order of this round: who has finished the step, who moves."""
    if known.num_players == 1:
        return []
    parts = [draw.text(16, 124, "in turn", 11, draw.FAINT)]
    for i, (player, finished) in enumerate(in_turn(known)):
        x, mover = 82 + 34 * i, moves(known, player)
        over = known.ending != RUNNING
        fill = draw.ACCENT if mover else "#eceef1" if finished or over else draw.CARD
        ink = draw.CARD if mover else draw.FAINT if finished or over else draw.INK
        parts += [
            draw.circle(x, 120, 11, fill, stroke=draw.ACCENT if mover else "#b9bec5"),
            draw.text(x, 124.2, player, 12, ink, bold=True, anchor="middle"),
        ]
        if i:
            parts.append(draw.path(f"M{x - 20} 116L{x - 15} 120L{x - 20} 124", stroke="#b9bec5"))
    return parts


# --- What the signs mean -----------------------------------------------------------------------


def _legend(beside: int) -> list[str]:
    """Draws what the signs mean, and beneath how a sheet scores, as far as there is room."""
    panels = [_signs(), _scoring()][: max(0, 2 - beside)]
    return [
        draw.group(
            draw.rect(0, 0, small.WIDTH, small.HEIGHT, draw.CARD, radius=10, stroke=draw.LINE),
            *parts,
            y=(small.HEIGHT + _GAP) * i,
        )
        for i, parts in enumerate(panels)
    ]


def _signs() -> list[str]:
    edge = shapes.EDGES[1]
    signs = [
        (shapes.space(Space(4, WRITTEN, fresh=True), 0, 0, 24, 22, edge), "written in this step"),
        (shapes.space(Space(4, SHADED), 0, 0, 24, 22, edge), "shaded by a biscuit"),
        (shapes.space(Space(4, WRONG), 0, 0, 24, 22, edge), "out of order"),
        (shapes.space(Space(0, SLASHED), 0, 0, 24, 22, edge), "crossed off by a 6"),
        (shapes.space(Space(0, CLOSED), 0, 0, 24, 22, edge), "cannot be filled now"),
        (shapes.space(Space(0, EMPTY, choice=True), 0, 0, 24, 22, edge), "can be chosen now"),
        (shapes.grey(4, 12, 11, 11, now=False), "for the T-Rex die"),
        (large.beneath(HAS_WAITING, 0, 12, 11, 22), "gets the T-Rex die"),
        (large.beneath(HAS_CROSSED, 0, 12, 11, 22), "crossed out"),
        (large.beneath(HAS_BISCUIT, 0, 12, 11, 22), "brings a biscuit"),
    ]
    parts = [draw.text(14, 24, "The signs", 13, bold=True)]
    for i, (sign, words) in enumerate(signs):
        x, y = 14 + 176 * (i // 5), 36 + 31 * (i % 5)
        parts += [draw.group(sign, x=x, y=y), draw.text(x + 33, y + 15, words, 11)]
    return parts


def _scoring() -> list[str]:
    parts = [draw.text(14, 24, "How a sheet scores", 13, bold=True)]
    for i, (first, second) in enumerate(_SCORING):
        y = 36 + 38 * i
        parts += [
            draw.rect(14, y, 24, 24, shapes.TINTS[i], radius=5, stroke=shapes.EDGES[i]),
            draw.text(47, y + 10, first, 11),
            draw.text(47, y + 24, second, 11, draw.FAINT),
        ]
    return [*parts, shapes.lying_cat(268, 189, 34)]
