"""Draws the players of On a Scale of One to T-Rex in two rows at a table, and their offers."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, ceil
from typing import Any

from dino_envs.games import drawing as draw
from dino_envs.games.scale_of_trex import faces
from dino_envs.games.scale_of_trex.deck import COLOURS, LEVELS, TOGETHER_TOKENS
from dino_envs.games.scale_of_trex.words import Acting, Average, won_together
from dino_envs.games.standing import counted, moves, player_name, winners

WIDTH, HEIGHT = 936, 570
WON, _MOVES = "#fbe7b2", "#dcebf1"
_TABLE_TOP, _TABLE_EDGE = "#efe3c8", "#cbb98c"
_PANEL = 214
_GAP = 8
_WIDEST = 304
_BETWEEN = HEIGHT - 2 * _PANEL
_PORT = 22
"""How far apart arrows begin and end."""


def around_the_table(state: Any, players: Sequence[Acting], seat: int | None) -> list[str]:
    """Draws the table, all players at it, and what they offer or call."""
    places = _places(len(players))
    width = _width(len(players))
    return [
        draw.rect(
            10, _PANEL / 2, WIDTH - 20, HEIGHT - _PANEL, _TABLE_TOP, radius=60, stroke=_TABLE_EDGE
        ),
        *(
            draw.group(_panel(state, seen, seat, width), x=x - width / 2, y=y)
            for seen, (x, y) in zip(players, places, strict=True)
        ),
        *(_moved(int(state.good_pile)) if state.cooperative else []),
        *_offers(players, places),
        *_calls(players, places),
    ]


def _width(players: int) -> float:
    """Returns how wide the place of each player is."""
    columns = ceil(players / 2)
    return min(_WIDEST, (WIDTH - _GAP * (columns - 1)) / columns)


def _places(players: int) -> list[tuple[float, float]]:
    """Returns the middle of each player's upper edge: clockwise, from the upper left."""
    upper = ceil(players / 2)
    lower = players - upper
    top = [(WIDTH * (i + 0.5) / upper, 0.0) for i in range(upper)]
    bottom = [(WIDTH * (i + 0.5) / lower, float(HEIGHT - _PANEL)) for i in range(lower)]
    return top + bottom[::-1]


# --- One player --------------------------------------------------------------------------------


def _panel(state: Any, seen: Acting, seat: int | None, width: float) -> str:
    """Draws a player: figure and card, and below how it looks."""
    won = seen.player in winners(state, won_together(state))
    mover = moves(state, seen.player)
    fill = WON if won else _MOVES if mover else draw.CARD
    edge = draw.ACCENT if mover else draw.LINE
    return draw.group(
        draw.rect(
            0, 0, width, _PANEL, fill, radius=12, stroke=edge, stroke_width=2 if mover else 1
        ),
        draw.text(12, 22, player_name(seen.player, seat), 13, bold=True),
        *_score(state, seen.player, width, won=won),
        _figure(seen, 12 + (width - 228) / 3),
        _card(seen, width - 14 - faces.CARD_WIDTH - (width - 228) / 4),
        *_doing(seen),
        _unrest(seen, width),
        draw.group(faces.scale(width - 36, seen.looks, seen.level), x=18, y=159),
        *_reading(seen, width),
    )


def _score(state: Any, player: int, width: float, *, won: bool) -> list[str]:
    """Draws a player's tokens and points."""
    star = draw.star(128, 17, 9, draw.GOLD) if won else ""
    if state.cooperative:
        return [star]
    end, parts = width - 14, [star]
    parts.append(draw.text(end, 26, f"{state.score[player]}", 21, bold=True, anchor="end"))
    for x, count, good in ((12, state.good[player], True), (52, state.bad[player], False)):
        parts += [
            faces.token(x + 6, 37, 6, good=good),
            draw.text(x + 16, 41, int(count), 12, draw.INK),
        ]
    return parts


def _figure(seen: Acting, x: float) -> str:
    """Draws the player acting, as large as it looked; oneself at the level performed."""
    height = seen.looks.last if seen.looks else float(seen.level) if seen.level else None
    acts = seen.colour is not None and height is not None
    fill = faces.FILLS[seen.colour] if acts and seen.colour is not None else faces.NO_COLOUR
    return faces.figure(seen.player, x, 122, fill, height)


def _card(seen: Acting, x: float) -> str:
    """Draws the player's card as far as it is seen."""
    if seen.swaps:
        return faces.swap_card(x, 51)
    if not seen.has_card:
        return faces.no_card(x, 51)
    if seen.colour is not None and seen.value is not None:
        return faces.number_card(seen.colour * LEVELS + seen.value - 1, x, 51)
    return faces.back(x, 51, seen.colour)


def _unrest(seen: Acting, width: float) -> str:
    """Draws how much more a player's acting changes than noise explains."""
    if seen.unrest is None:
        return ""
    return draw.text(width - 14, 139, f"unrest {seen.unrest.signed}", 10, draw.FAINT, anchor="end")


def _doing(seen: Acting) -> list[str]:
    """Draws a line that says what the player performs."""
    if seen.swaps:
        return [draw.text(12, 139, "has to swap an action card", 11)]
    if not seen.has_card or not seen.ticks or seen.colour is None:
        said = "has a new card" if seen.has_card else "has no card"
        return [draw.text(12, 139, said, 11)]
    ticks = counted(seen.ticks, "tick")
    level = f"level {seen.level}, " if seen.level else ""
    return [
        faces.symbol(seen.colour, 18, 135, 10),
        draw.text(28, 139, f"{COLOURS[seen.colour]}, {level}{ticks}", 11),
    ]


def _reading(seen: Acting, width: float) -> list[str]:
    """Draws the lines beneath the scale: last and mean looks, and what reveals have taught."""
    if seen.level is not None:
        return [draw.text(12, 191, "only the others see how you look", 10.5, draw.FAINT)]
    parts = []
    if seen.looks:
        mean = f"mean {seen.looks.mean:.1f} ± {seen.looks.error:.1f}"
        parts = [
            faces.last_mark(18, 192),
            draw.text(28, 191, f"last {seen.looks.last:.1f}", 10.5),
            faces.mean_mark(94, 187.5),
            draw.text(102, 191, mean, 10.5),
        ]
    return [*parts, draw.text(12, 205, _learnt(seen.off), 10, draw.FAINT)]


def _learnt(off: Average | None) -> str:
    """Returns how much higher than its cards a player looks, by those that were revealed."""
    if off is None:
        return "nothing revealed yet"
    way = "low" if off.amount < 0 else "high"
    return f"looks {abs(off.amount):.1f} too {way} ({counted(off.count, 'signal')})"


# --- The tokens of two -------------------------------------------------------------------------


def _moved(left: int) -> list[str]:
    """Draws the tokens on the table, and those that are in the box already."""
    y = HEIGHT / 2 - 46
    return [
        faces.tokens(70, y, left, 5, 14, good=True),
        draw.text(144, y + 112, f"{left} to move", 13, anchor="middle"),
        draw.rect(WIDTH - 230, y - 12, 172, 112, draw.CARD, radius=8, stroke=_TABLE_EDGE),
        faces.tokens(WIDTH - 218, y, TOGETHER_TOKENS - left, 5, 14, good=True),
        draw.text(WIDTH - 144, y + 118, "in the box", 13, anchor="middle"),
    ]


# --- Offers and calls --------------------------------------------------------------------------


def _offers(players: Sequence[Acting], places: Sequence[tuple[float, float]]) -> list[str]:
    """Draws an arrow for each offer, from player to player across the table."""
    pairs = [(seen.player, seen.offers_to) for seen in players if seen.offers_to is not None]
    arrows = []
    for one, other in pairs:
        start, end = _port(pairs, places, one, other), _port(pairs, places, other, one)
        colour = players[one].colour
        arrows.append(_arrow(start, end, draw.INK if colour is None else faces.INKS[colour]))
    return arrows


def _port(
    pairs: Sequence[tuple[int, int]], places: Sequence[tuple[float, float]], one: int, other: int
) -> tuple[float, float]:
    """Returns where the arrow between one player and another meets the one's edge.

    The arrows of a player lie side by side from left to right by where they go, so that few cross.
    """
    x, y = places[one]

    def direction(player: int) -> tuple[float, float]:
        aside, across = places[player][0] - x, abs(places[player][1] - y)
        return atan2(aside, across), -aside

    partners = {b if a == one else a for a, b in pairs if one in (a, b)}
    ordered = sorted(partners, key=direction)
    shift = _PORT * (ordered.index(other) - (len(ordered) - 1) / 2)
    return x + shift, _PANEL if y == 0 else y


def _arrow(start: tuple[float, float], end: tuple[float, float], colour: str) -> str:
    """Returns a curved arrow that leaves one edge of the table and comes to another."""
    (x0, y0), (x1, y1) = start, end
    tip = 12 if y1 == _PANEL else -12
    y1 += tip * 0.25
    stop = y1 + tip * 0.75
    bend = (40 if y0 == end[1] else 62) + 0.05 * abs(x1 - x0)
    out, back = (bend if y == _PANEL else -bend for y in (y0, end[1]))
    n = draw.number
    curve = f"M{n(x0)} {n(y0)}C{n(x0)} {n(y0 + out)} {n(x1)} {n(stop + back)} {n(x1)} {n(stop)}"
    head = f"M{n(x1)} {n(y1)}l-6.5 {tip}h13Z"
    return draw.group(
        draw.path(curve, stroke=_TABLE_TOP, stroke_width=6),
        draw.path(curve, stroke=colour, stroke_width=2.5),
        draw.circle(x0, y0, 4.5, colour, stroke=draw.CARD),
        draw.path(head, colour, stroke=draw.CARD),
    )


def _calls(players: Sequence[Acting], places: Sequence[tuple[float, float]]) -> list[str]:
    """Draws what two players call, in bubbles between them."""
    return [
        faces.bubble(
            x, _PANEL + 38 if y == 0 else HEIGHT - _PANEL - 38, f"{seen.calls}!", down=y > 0
        )
        for seen, (x, y) in zip(players, places, strict=True)
        if seen.calls
    ]
