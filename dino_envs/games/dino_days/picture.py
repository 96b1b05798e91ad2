"""Draws a position of Dino Days: a row of seven days for each player, and the cards beside."""

from __future__ import annotations

from math import ceil
from typing import Any

from dino_envs.engine.layout import RUNNING
from dino_envs.games import drawing as draw
from dino_envs.games.dino_days import faces, layout
from dino_envs.games.dino_days.cards import (
    DINOSAURS,
    DIPLODOCUS_FRONT,
    DIPLODOCUS_REAR,
    KINDS,
    SPINOSAURUS,
    SWAPS,
    WEEK,
)
from dino_envs.games.dino_days.words import (
    DAY_NAMES,
    NAMES,
    chosen_among,
    empty_days,
    is_diplodocus,
    looked_at,
    situation,
    stack,
    visible_hand,
)
from dino_envs.games.standing import counted, headline, moves, player_name, winners

WIDTH = 1160
_HEADER, _MARGIN, _GAP = 58, 16, 8
_TOP = _HEADER + 12
_BOARD_WIDTH, _ROW = 936, 162
_DAYS_LEFT, _DAY_TOP, _DAY = 140, 24, 129
"""Where the days of a board begin, from its corner, and how high a day is."""
_PITCH = faces.WIDTH + faces.BETWEEN
_FULL_STEP, _LOWEST = 17, 46
"""How much of a covered card is seen, and how low the card on top may become to make room."""
_HAND = 156
_SIDE, _SIDE_WIDTH = 960, 184
_WON, _MOVES, _TRAY, _PLACE = "#fbe7b2", "#dcebf1", "#f3ecda", "#cbbf9f"
_TARGET, _CHOICE = "#e0245e", "#27923c"


def svg(state: Any, seat: int | None = None) -> str:
    """Returns the position as a picture, as `seat` sees it; None sees what everybody does."""
    players = int(state.num_players)
    hands_top = _TOP + players * (_ROW + _GAP)
    height = hands_top + _HAND + 12
    boards = [_board(state, player, seat) for player in range(players)]
    hands = _all_hands(state) if seat is None else _own_hand(state, seat)
    return draw.document(
        WIDTH,
        height,
        f"Dino Days: {headline(state, seat)}",
        _header(state, seat),
        *(draw.group(b, x=_MARGIN, y=_TOP + i * (_ROW + _GAP)) for i, b in enumerate(boards)),
        draw.group(_panel(_BOARD_WIDTH, _HAND), *hands, x=_MARGIN, y=hands_top),
        draw.group(*_side(state, height - _TOP - 12), x=_SIDE, y=_TOP),
    )


def _panel(width: float, height: float, fill: str = draw.CARD, edge: str = draw.LINE) -> str:
    return draw.rect(0, 0, width, height, fill, radius=12, stroke=edge)


def _header(state: Any, seat: int | None) -> str:
    over = state.ending != RUNNING
    left = 60 if over else 20
    shown = [kind for kind in range(DINOSAURS) if not is_diplodocus(kind)]
    return draw.group(
        draw.rect(0, 0, WIDTH, _HEADER, _WON if over else draw.CARD),
        draw.star(34, 26, 14, draw.GOLD) if over else "",
        draw.text(left, 29, headline(state, seat), 20, bold=True),
        draw.text(left, 48, situation(state), 13, draw.FAINT),
        draw.text(1144, 24, "Dino Days", 15, bold=True, anchor="end"),
        *(faces.shape(kind, 826 + 36 * i, 31, 30, 19.2) for i, kind in enumerate(shown)),
    )


# --- The boards --------------------------------------------------------------------------------


def _board(state: Any, player: int, seat: int | None) -> str:
    """Draws the row of one player: who it is and how it stands, then the days."""
    won, mover = player in winners(state), moves(state, player)
    fill = _WON if won else (_MOVES if mover else draw.CARD)
    return draw.group(
        _panel(_BOARD_WIDTH, _ROW, fill, draw.ACCENT if mover else draw.LINE),
        *_standing(state, player, seat),
        *(_day(state, player, day) for day in range(WEEK)),
        *_choices(state, player),
    )


def _standing(state: Any, player: int, seat: int | None) -> list[str]:
    """Draws a player's name and points, the days left to fill, and the hand as all know it."""
    score, left = int(state.score[player]), empty_days(state, player)
    days = f"{counted(left, 'day')} to fill" if left else "the week is full"
    points = "point" if score == 1 else "points"
    hand = f"hand: {counted(int(state.hand_size[player]), 'card')}"
    return [
        draw.text(12, 22, player_name(player, seat), 13, bold=True),
        draw.text(12, 57, score, 32, bold=True),
        draw.text(39 + (21 if score > 9 else 0), 57, points, 12, draw.FAINT),
        draw.star(120, 46, 12, draw.GOLD) if player in winners(state) else "",
        draw.text(12, 77, days, 12),
        draw.text(12, 98, hand, 12),
        *_hand_in_brief(state, player),
    ]


def _hand_in_brief(state: Any, player: int) -> list[str]:
    """Draws how many cards of a hand are unknown, and a tiny one for each kind that all know."""
    known = visible_hand(state, player, None)
    unknown = int(state.hand_size[player]) - sum(known.values())
    columns = 5 if len(known) < 10 else 6
    pitch = 122 / columns
    parts = [faces.back(0, 0, pitch - 3, 15, unknown, 10)] if unknown else []
    parts += [faces.miniature(kind, pitch - 3, 15, count) for kind, count in known.items()]
    return [
        draw.group(part, x=12 + pitch * (i % columns), y=105 + 18 * (i // columns))
        for i, part in enumerate(parts)
    ]


def _day(state: Any, player: int, day: int) -> str:
    """Draws one day of a board: the whole stack on it, or an empty place."""
    cards = stack(state, player, day)
    parts = [draw.text(faces.WIDTH / 2, 16, DAY_NAMES[day], 11, draw.FAINT, anchor="middle")]
    if not cards:
        parts.append(_place(0, _DAY_TOP, faces.WIDTH, _DAY))
    elif cards[0] == DIPLODOCUS_FRONT:
        parts.append(faces.diplodocus(0, _DAY_TOP, _DAY))
    elif cards[0] != DIPLODOCUS_REAR:
        parts += _stack(cards)
    return draw.group(*parts, x=_DAYS_LEFT + day * _PITCH)


def _place(x: float, y: float, width: float, height: float) -> str:
    return draw.rect(x, y, width, height, _TRAY, radius=8, stroke=_PLACE, dash="5 4")


def _step(cards: int) -> float:
    """Returns how much is seen of each covered card of a stack."""
    return min(_FULL_STEP, (_DAY - _LOWEST) / max(1, cards - 1))


def _stack(cards: list[int]) -> list[str]:
    """Draws a stack: of the cards beneath only the strips with their names show."""
    step, beneath = _step(len(cards)), len(cards) - 1
    top = _DAY_TOP + beneath * step
    return [
        *(
            faces.covered(kind, 0, _DAY_TOP + i * step, step, above=i > 0)
            for i, kind in enumerate(reversed(cards[1:]))
        ),
        faces.card(cards[0], 0, top, _DAY_TOP + _DAY - top, above=beneath > 0),
    ]


# --- What is being chosen ----------------------------------------------------------------------


def _choices(state: Any, player: int) -> list[str]:
    """Draws frames around what the card on the table is played on, and what may be chosen."""
    if (
        state.ending != RUNNING
        or state.playing < 0
        or state.phase in (layout.RETURN, layout.DISCARD)
    ):
        return []
    day, parts = int(state.day), []
    choice = chosen_among(state)
    seat, days, of_cards = choice if choice else (-1, [], False)
    touched = [int(state.target)]
    touched += [int(state.active)] if state.playing in SWAPS else []
    if player in touched and not (of_cards and player == seat):
        parts.append(_target(state, player, day))
    if player == seat:
        parts += [_frame(day, _DAY_TOP, _DAY, _CHOICE, dash="7 5") for day in days]
        parts += _numbers(state, player, day) if of_cards else []
    return parts


def _target(state: Any, player: int, day: int) -> str:
    """Draws a frame around the card or stack that the card on the table is played on."""
    cards = stack(state, player, day)
    depth = int(state.picked) if state.phase == layout.THEIR_CARD else 0
    whole = state.playing != SPINOSAURUS and state.phase == layout.OWN_CARD
    step = _step(len(cards))
    top = 0 if whole else (len(cards) - 1 - depth) * step
    high = _DAY - top if whole or depth == 0 else step
    return _frame(day, _DAY_TOP + top, high, _TARGET)


def _frame(day: int, y: float, height: float, colour: str, dash: str | None = None) -> str:
    return _outlined(_DAYS_LEFT + day * _PITCH, y, height, colour, dash)


def _outlined(x: float, y: float, height: float, colour: str, dash: str | None = None) -> str:
    """Draws a frame along the edge of a card or place."""
    colours = [(draw.CARD, None), (colour, dash)] if dash else [(colour, None)]
    return draw.group(
        *(
            draw.rect(x, y, faces.WIDTH, height, radius=8, stroke=c, stroke_width=3, dash=d)
            for c, d in colours
        )
    )


def _numbers(state: Any, player: int, day: int) -> list[str]:
    """Draws the numbers of the cards of a stack, by which they are chosen: 1 on top."""
    count = len(stack(state, player, day))
    step, x = _step(count), _DAYS_LEFT + day * _PITCH
    parts = []
    for i in range(count):
        y = _DAY_TOP + (count - 1 - i) * step + 7
        parts.append(draw.circle(x - 5, y, min(7.5, step / 2), _CHOICE, stroke=draw.CARD))
        parts.append(draw.text(x - 5, y + 3.3, i + 1, 9, draw.CARD, bold=True, anchor="middle"))
    return parts


# --- The hands ---------------------------------------------------------------------------------


def _own_hand(state: Any, seat: int) -> list[str]:
    """Draws the cards of the one who looks, and those that its scientist has drawn."""
    cards, drawn = visible_hand(state, seat, seat), looked_at(state, seat)
    hand_width = _BOARD_WIDTH - 28.0 - (348 if drawn else 0)
    size = counted(int(state.hand_size[seat]), "card")
    discards = moves(state, seat) and state.phase == layout.DISCARD
    parts = [
        draw.text(14, 21, f"Your hand: {size}", 13, bold=True),
        *_cells(cards, 0, 14, hand_width, chosen=discards),
    ]
    if drawn:
        left = _BOARD_WIDTH - 348.0
        parts += [
            draw.text(left, 21, "Your scientist looks at", 13, bold=True),
            *_cells(drawn, 0, left, 334, chosen=state.phase == layout.RETURN),
        ]
    return parts


def _all_hands(state: Any) -> list[str]:
    """Draws what all know of the hands, for who holds none."""
    players = int(state.num_players)
    width = (_BOARD_WIDTH - 14) / players
    parts = []
    for player in range(players):
        known = visible_hand(state, player, None)
        unknown = int(state.hand_size[player]) - sum(known.values())
        left = 14 + player * width
        parts.append(draw.text(left, 21, f"Hand of player {player}", 13, bold=True))
        parts += _cells(known, unknown, left, width - 8)
    return parts


def _cells(
    cards: dict[int, int], unknown: int, left: float, width: float, *, chosen: bool = False
) -> list[str]:
    """Draws open cards by kind and the number of those face down, in as many rows as they need."""
    count = len(cards) + (unknown > 0)
    columns = max(1, int((width + faces.BETWEEN) // _PITCH))
    rows = max(1, ceil(count / columns))
    top, high = 32, (_HAND - 42) / rows
    parts = []
    for i, (kind, amount) in enumerate([*([(-1, unknown)] if unknown else []), *cards.items()]):
        x, y, height = left + _PITCH * (i % columns), top + high * (i // columns), high - 5
        if kind < 0:
            parts.append(faces.back(x, y, faces.WIDTH, height, amount, min(28, height * 0.7)))
            continue
        parts.append(faces.card(kind, x, y, height, count=amount, hint=True))
        if chosen:
            parts.append(_outlined(x, y, height, _CHOICE, "7 5"))
    return parts


# --- The pile, the table and the discards ------------------------------------------------------


def _side(state: Any, height: float) -> list[str]:
    """Draws the pile, the card on the table and the discards."""
    pile, left = int(state.pile_size), (_SIDE_WIDTH - faces.WIDTH) / 2
    playing = int(state.playing) if state.ending == RUNNING else -1
    shown = _place(left, 112, faces.WIDTH, 96)
    if playing >= 0:
        shown = faces.card(playing, left, 112, 96)
    return [
        _panel(_SIDE_WIDTH, height),
        faces.back(14, 14, 46, 60, pile, 17) if pile else _place(14, 14, 46, 60),
        draw.text(72, 40, "Pile", 13, bold=True),
        draw.text(72, 58, counted(pile, "card"), 12),
        draw.text(14, 102, "On the table", 13, bold=True),
        shown,
        *_discards(state, 222, height - 222 - 6),
    ]


def _discards(state: Any, top: float, height: float) -> list[str]:
    """Draws how many cards of each kind are discarded."""
    pitch = min(22, (height - 24) / len(KINDS))
    count = sum(int(count) for count in state.discards)
    parts = [
        draw.text(14, top + 12, "Discards", 13, bold=True),
        draw.text(_SIDE_WIDTH - 14, top + 12, count, 13, bold=True, anchor="end"),
    ]
    for kind, name in enumerate(NAMES):
        amount, y = int(state.discards[kind]), top + 20 + pitch * kind
        colour, base = draw.INK if amount else draw.FAINT, y + pitch / 2 + 3.5
        line = [
            faces.shape(kind, 14, y + 1, 22, pitch - 2),
            draw.text(44, base, name, 11, colour),
            draw.text(
                _SIDE_WIDTH - 14, base, amount or "-", 11, colour, bold=amount > 0, anchor="end"
            ),
        ]
        parts.append(draw.group(*line, opacity=None if amount else 0.45))
    return parts
