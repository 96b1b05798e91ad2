"""Draws a position of On a Scale of One to T-Rex: all at a table, acting, with their offers."""

from __future__ import annotations

from typing import Any

from dino_envs.games import drawing as draw
from dino_envs.games.scale_of_trex import faces, seats
from dino_envs.games.scale_of_trex.deck import COLOURS, LEVELS, TOGETHER_TOKENS
from dino_envs.games.scale_of_trex.words import (
    action_card,
    consequence,
    discarded,
    everybody,
    face_down,
    pile_size,
    readable,
    reveals,
    seen_discards,
    sigma_of,
    situation,
    swaps_discarded,
    won_together,
)
from dino_envs.games.standing import headline, winners

WIDTH = 1160
_HEADER, _MARGIN, _GAP = 58, 16, 12
_TOP = _HEADER + 12
_SIDE, _SIDE_WIDTH = 960, 184
_CARD_PITCH = (seats.WIDTH + _GAP) / 3
_CARD_HEIGHT = 70
_TABLE = _TOP + _CARD_HEIGHT + _GAP
HEIGHT = _TABLE + seats.HEIGHT + 12
_TITLE = "On a Scale of One to T-Rex"


def svg(state: Any, seat: int | None = None) -> str:
    """Returns the position as a picture, as `seat` sees it; None sees what everybody does."""
    side = HEIGHT - _TOP - 12
    return draw.document(
        WIDTH,
        HEIGHT,
        f"{_TITLE}: {headline(state, seat, won_together(state))}",
        _header(state, seat),
        draw.group(*_actions(state), x=_MARGIN, y=_TOP),
        draw.group(
            *seats.around_the_table(state, everybody(state, seat), seat), x=_MARGIN, y=_TABLE
        ),
        draw.group(
            draw.rect(0, 0, _SIDE_WIDTH, side, draw.CARD, radius=12, stroke=draw.LINE),
            *_tokens(state),
            draw.group(*_pile(state), *_revealed(state), y=56 if state.cooperative else 126),
            *_discards(state, seat, side - 232),
            x=_SIDE,
            y=_TOP,
        ),
    )


def _header(state: Any, seat: int | None) -> str:
    won = bool(winners(state, won_together(state)))
    left = 60 if won else 20
    return draw.group(
        draw.rect(0, 0, WIDTH, _HEADER, seats.WON if won else draw.CARD),
        draw.star(34, 26, 14, draw.GOLD) if won else "",
        draw.text(left, 29, headline(state, seat, won_together(state)), 20, bold=True),
        draw.text(left, 48, situation(state), 13, draw.FAINT),
        draw.text(1144, 24, _TITLE, 15, bold=True, anchor="end"),
        *(_on_the_scale(step) for step in range(10)),
    )


def _on_the_scale(step: int) -> str:
    """Draws one of ten T-Rexes, each larger than the one before."""
    scale = 0.12 + 0.024 * step
    fill = faces.FILLS[step % len(COLOURS)]
    x = 930 + 16 * step + 0.55 * step * step
    return draw.dinosaur("Rex", x, 53 - 62 * scale, scale, fill)


def _actions(state: Any) -> list[str]:
    """Draws the three action cards in play."""
    cards = []
    for colour in range(len(COLOURS)):
        sigma = sigma_of(state, colour)
        looks = f"{readable(sigma)}: varies by {sigma:.1f}"
        name, width = action_card(state, colour), _CARD_PITCH - _GAP
        card = faces.action_card(colour, width, _CARD_HEIGHT, name, looks)
        cards.append(draw.group(card, x=_CARD_PITCH * colour))
    return cards


# --- Beside the table --------------------------------------------------------------------------


def _tokens(state: Any) -> list[str]:
    """Draws the tokens that are left."""
    good, bad = int(state.good_pile), int(state.bad_pile)
    if state.cooperative:
        return [
            draw.text(14, 24, "Tokens to move", 13, bold=True),
            draw.text(170, 24, good, 13, bold=True, anchor="end"),
            draw.text(14, 42, f"of {TOGETHER_TOKENS}", 12),
        ]
    return [
        draw.text(14, 24, "Good tokens", 13, bold=True),
        draw.text(170, 24, good, 13, bold=True, anchor="end"),
        faces.tokens(14, 32, good, 12, 5.5, good=True),
        draw.text(14, 92, "Bad tokens", 13, bold=True),
        draw.text(170, 92, bad, 13, bold=True, anchor="end"),
        faces.tokens(14, 100, bad, 12, 5.5, good=False),
    ]


def _pile(state: Any) -> list[str]:
    """Draws the draw pile."""
    size = pile_size(state)
    card = faces.back(14, 14, label=size) if size else faces.no_card(14, 14)
    return [
        card,
        draw.text(78, 46, "Draw pile", 13, bold=True),
        draw.text(78, 64, f"{size} {'card' if size == 1 else 'cards'}", 12),
    ]


def _revealed(state: Any) -> list[str]:
    """Draws the cards that were turned over in the last tick, pair by pair."""
    found = reveals(state)
    parts = [draw.text(14, 112, "Turned over last tick", 13, bold=True)]
    if not found:
        parts.append(draw.text(14, 132, "none", 12, draw.FAINT))
    for i, reveal in enumerate(found):
        y = 122 + 43 * i
        said = f"{reveal.match}, {consequence(state, reveal)}"
        for k, (player, kind) in enumerate(zip(reveal.players, reveal.kinds, strict=True)):
            parts += [
                draw.text(14 + 80 * k, y + 14, f"{player}:", 12),
                faces.small_card(kind, 30 + 80 * k, y),
            ]
        parts.append(draw.text(14, y + 34, said, 10.5, draw.FAINT))
    return parts


def _discards(state: Any, seat: int | None, top: float) -> list[str]:
    """Draws how many cards of each colour and value are known to be discarded."""
    seen, hidden = seen_discards(state, seat), face_down(state, seat)
    parts = [
        draw.text(14, top + 12, "Discards", 13, bold=True),
        draw.text(170, top + 12, discarded(state), 13, bold=True, anchor="end"),
    ]
    for colour in range(len(COLOURS)):
        x = 40 + 44 * colour
        parts.append(faces.symbol(colour, x + 19, top + 27, 11))
        for value in range(LEVELS):
            y, count = top + 38 + 15 * value, seen[colour * LEVELS + value]
            parts.append(_seen(count, x, y, colour))
        down = hidden[colour] or "-"
        parts.append(draw.text(x + 19, top + 202, down, 10.5, anchor="middle"))
    for value in range(LEVELS):
        y = top + 49 + 15 * value
        parts.append(draw.text(28, y, value + 1, 10.5, draw.FAINT, anchor="end"))
    parts.append(draw.text(28, top + 202, "?", 10.5, draw.FAINT, anchor="end"))
    said = f"? face down, swaps: {swaps_discarded(state)}"
    return [*parts, draw.text(14, top + 220, said, 10.5, draw.FAINT)]


def _seen(count: int, x: float, y: float, colour: int) -> str:
    """Draws how often a card is known to be discarded."""
    fill = faces.TINTS[colour] if count else "#f3f4f6"
    return draw.group(
        draw.rect(x, y, 38, 13, fill, radius=3),
        draw.text(x + 19, y + 10.3, count, 10.5, faces.INKS[colour], bold=True, anchor="middle")
        if count
        else "",
    )
