"""Shows a position of Dino Days to people as text, and says what its actions mean.

Neither depends on what is hidden: the pile, and of hands all that only their owners know.
"""

from __future__ import annotations

import textwrap
from typing import Any

from dino_envs.engine.layout import RUNNING
from dino_envs.games.dino_days import layout
from dino_envs.games.dino_days.cards import (
    DIPLODOCUS_FRONT,
    GIGANOTOSAURUS,
    METEOR,
    MICRORAPTOR,
    POINTS,
    SCIENTIST,
    SPINOSAURUS,
    SWAPS,
    TYRANNOSAURUS,
    WEEK,
)
from dino_envs.games.dino_days.picture import svg
from dino_envs.games.dino_days.words import (
    DAY_NAMES,
    NAMES,
    SPECIES,
    amounts,
    cards_in_words,
    counted,
    empty_days,
    headline,
    is_diplodocus,
    join,
    looked_at,
    moves,
    player_name,
    points_of,
    situation,
    stack,
    visible_hand,
    winners,
)

__all__ = ["action_text", "svg", "text"]

_COLUMN = 23
_DEPTHS = ("on top", "2nd from the top", "3rd from the top")


# --- The actions -------------------------------------------------------------------------------


def action_text(state: Any, action: int) -> str:
    """Returns what a legal action means here: `swap own Monday Baryonyx for ...`."""
    block, index = layout.ACTIONS.locate(action)
    if block == "draw":
        return "draw a card" if state.pile_size else "draw a card, once the discards are shuffled"
    if block == "pass":
        return "pass, as nothing can be drawn or played"
    if block == "own_card":
        return _swap(state, int(state.target), int(state.day), index, None)
    if block == "their_card":
        return _swap(state, int(state.target), int(state.day), int(state.picked), index)
    if block == "remove":
        owner, day = int(state.target), int(state.day)
        return f"remove {_at_depth(stack(state, owner, day), index)} from {_day(state, owner, day)}"
    if block == "own_day":
        stolen = stack(state, int(state.target), int(state.day))[0]
        return f"put the stolen {SPECIES[stolen]} on own {DAY_NAMES[index]}"
    if block == "discard":
        others = ", keep the other two" if state.phase == layout.RETURN else ""
        return f"discard {NAMES[index]}{others}"
    kind, board, day = (int(value) for value in layout.TARGETS[action])
    owner = (int(state.current_player) + board) % int(state.num_players)
    return f"play {SPECIES[kind]}" + _play(state, kind, owner, day)


def _play(state: Any, kind: int, owner: int, day: int) -> str:
    """Returns where a card is played and what it does there."""
    on = f" on {_day(state, owner, day)}"
    if kind == SCIENTIST:
        return ": look at three cards and keep two"
    if kind == GIGANOTOSAURUS:
        return on + _wiped_out(state, owner)
    if kind == TYRANNOSAURUS:
        return on + _scared(state, owner, day)
    if kind == MICRORAPTOR:
        return f"{on}: covers {_worth(stack(state, owner, day)[0])}"
    if kind == SPINOSAURUS:
        return f"{on}: takes {_worth(stack(state, owner, day)[0])} to the own board"
    if kind == METEOR:
        cards = stack(state, owner, day)
        return f"{on}: removes {SPECIES[cards[0]] if len(cards) == 1 else 'a card of the stack'}"
    if kind in SWAPS:
        return ": " + _swap(state, owner, day, None, None)
    if kind == DIPLODOCUS_FRONT:
        on += f" and {DAY_NAMES[day + 1]}"
    return f"{on}: {counted(int(POINTS[kind]), 'point')}"


def _wiped_out(state: Any, owner: int) -> str:
    cards = sum(int(height) for height in state.height[owner])
    points = sum(_points_on(state, owner, day) for day in range(WEEK))
    if cards == 0:
        return ": nothing else lies there"
    return f": wipes out {counted(cards, 'card')} with {counted(points, 'point')} there"


def _points_on(state: Any, owner: int, day: int) -> int:
    cards = stack(state, owner, day)
    return int(POINTS[cards[0]]) if cards else 0


def _scared(state: Any, owner: int, day: int) -> str:
    """Returns whom a tyrannosaurus scares away, and what comes to light."""
    scared = []
    for beside in (day - 1, day + 1):
        cards = stack(state, owner, beside) if 0 <= beside < WEEK else []
        if not cards:
            continue
        where = DAY_NAMES[beside]
        if len(cards) > 1:
            where += f", baring {SPECIES[cards[1]]}"
        whole = "the whole " if is_diplodocus(cards[0]) else ""
        scared.append(f"{whole}{SPECIES[cards[0]]} ({where})")
    return f": scares {join(scared)}" if scared else ": scares nobody"


def _swap(state: Any, other: int, day: int, own_depth: int | None, depth: int | None) -> str:
    """Returns the words for a swap; a card not chosen yet is named if there is only one."""
    own, theirs = stack(state, int(state.active), day), stack(state, other, day)
    gives = f"own {DAY_NAMES[day]} {SPECIES[own[0]]}"
    if own_depth is not None and len(own) > 1:
        gives = f"own {DAY_NAMES[day]} {_at_depth(own, own_depth)}"
    elif len(own) > 1:
        gives = f"a card of own {DAY_NAMES[day]}"
    gets = f"a card of player {other}'s"
    if depth is not None or len(theirs) == 1:
        gets = f"player {other}'s {_at_depth(theirs, depth or 0)}"
    return f"swap {gives} for {gets}"


def _at_depth(cards: list[int], depth: int) -> str:
    """Returns the name of a card, and where in its stack it lies if there are more."""
    if len(cards) == 1:
        return SPECIES[cards[0]]
    where = _DEPTHS[depth] if depth < len(_DEPTHS) else f"{depth + 1}th from the top"
    return f"{SPECIES[cards[depth]]} ({where})"


def _worth(kind: int) -> str:
    return f"{SPECIES[kind]} ({counted(int(POINTS[kind]), 'point')})"


def _day(state: Any, owner: int, day: int) -> str:
    """Returns `own Monday`, or `player 1's Monday`."""
    whose = "own" if owner == state.current_player else f"player {owner}'s"
    return f"{whose} {DAY_NAMES[day]}"


# --- Text --------------------------------------------------------------------------------------


def text(state: Any, seat: int | None = None) -> str:
    """Returns the position as lines of text, as `seat` sees it."""
    players = range(int(state.num_players))
    lines = [f"{headline(state, seat)}: {situation(state)}", ""]
    names = [f"{'>' if moves(state, p) else ' '} {player_name(p, seat)}" for p in players]
    lines += _table("", [[name] for name in names])
    for day, name in enumerate(DAY_NAMES):
        lines += _table(name[:3], [_cell(stack(state, player, day)) for player in players])
    won = winners(state)
    scores = [f"{state.score[p]}{' winner' if p in won else ''}" for p in players]
    lines += ["", *_table("points", [[f"  {score}"] for score in scores])]
    left = [counted(empty_days(state, p), "day") for p in players]
    lines += _table("to fill", [[f"  {days}"] for days in left])
    hands = [counted(int(state.hand_size[p]), "card") for p in players]
    lines += _table("hand", [[f"  {cards}"] for cards in hands])
    known = [cards_in_words(visible_hand(state, p, None)) for p in players]
    lines += _table("known", [[f"  {card}" for card in cards] for cards in known])
    return "\n".join([*lines, "", *_cards_beside(state, seat)]) + "\n"


def _cell(cards: list[int]) -> list[str]:
    """Returns the lines of one day: the card on top, and what it lies on."""
    if not cards:
        return ["  -"]
    named = [f"{NAMES[kind]} {points_of(kind)}".rstrip() for kind in cards]
    return [f"  {named[0]}", *(f"   on {name}" for name in named[1:])]


def _table(title: str, cells: list[list[str]]) -> list[str]:
    """Returns one row of the table, as many lines as the longest cell has."""
    lines = []
    for i in range(max(len(cell) for cell in cells)):
        row = "".join(f"{cell[i] if i < len(cell) else '':<{_COLUMN}}" for cell in cells)
        lines.append(f"{'' if i else title:<7}{row}".rstrip())
    return lines


def _cards_beside(state: Any, seat: int | None) -> list[str]:
    """Returns lines for the cards that lie on no board."""
    discards = amounts(state.discards)
    groups = [(f"Pile: {counted(int(state.pile_size), 'card')}. Discards", discards)]
    if state.playing >= 0 and state.ending == RUNNING:
        groups.append(("On the table", {int(state.playing): 1}))
    if seat is not None:
        groups.append(("Your hand", visible_hand(state, seat, seat)))
    if drawn := looked_at(state, seat):
        groups.append(("Your scientist looks at", drawn))
    lines = []
    for title, cards in groups:
        listed = ", ".join(cards_in_words(cards)) or "none"
        lines += textwrap.wrap(f"{title}: {listed}", 98, subsequent_indent="  ")
    return lines
