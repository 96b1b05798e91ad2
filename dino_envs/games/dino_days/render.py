"""Shows a position of Dino Days to people as text, and says what its actions mean.

Neither depends on what is hidden: the pile, and of hands all that only their owners know.
"""

from __future__ import annotations

from typing import Any

from dino_envs.engine.layout import RUNNING
from dino_envs.games.dino_days import layout
from dino_envs.games.dino_days.cards import (
    DIPLODOCUS_FRONT,
    DIPLODOCUS_REAR,
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
    HINTS,
    NAMES,
    SPECIES,
    amounts,
    before_drawing,
    cards_in_words,
    drawable,
    empty_days,
    is_diplodocus,
    looked_at,
    points_of,
    situation,
    stack,
    visible_hand,
)
from dino_envs.games.standing import counted, headline, join, moves, player_name, winners, wrapped

__all__ = ["action_text", "svg", "text"]

_COLUMN = 23
_DEPTHS = ("on top", "2nd from the top", "3rd from the top")


# --- The actions -------------------------------------------------------------------------------


def action_text(state: Any, action: int, seat: int | None = None) -> str:
    """Returns what a legal action means here: `swap own Monday Baryonyx for ...`.

    It is told every `seat` alike: cards are played and discarded in the open, and of a card drawn
    nothing is said.
    """
    block, index = layout.ACTIONS.locate(action)
    if block == "draw":
        return "draw a card" + _once(before_drawing(state))
    if block == "pass":
        return "pass, as nothing can be drawn or played"
    if block == "own_card":
        return _swap(state, int(state.target), int(state.day), index, None)
    if block == "their_card":
        return _swap(state, int(state.target), int(state.day), int(state.picked), index)
    if block == "remove":
        return _removal(state, int(state.target), int(state.day), index)
    if block == "own_day":
        stolen = stack(state, int(state.target), int(state.day))[0]
        return f"put the stolen {_worth(stolen)} on player {state.active}'s {DAY_NAMES[index]}"
    if block == "discard":
        others = ", keep the other two" if state.phase == layout.RETURN else ""
        return f"discard {NAMES[index]}{others}"
    kind, board, day = (int(value) for value in layout.TARGETS[action])
    owner = (int(state.current_player) + board) % int(state.num_players)
    return f"play {SPECIES[kind]}" + _play(state, kind, owner, day)


def _play(state: Any, kind: int, owner: int, day: int) -> str:
    """Returns where a card is played and what it does there."""
    if kind == SCIENTIST:
        return ": " + _look(state)
    if kind in SWAPS:
        return ": " + _swap(state, owner, day, None, None)
    on, cards = f" on {_day(state, owner, day)}", stack(state, owner, day)
    whose = "" if owner == state.current_player else f" for player {owner}"
    points = counted(int(POINTS[kind]), "point") + whose
    if kind == GIGANOTOSAURUS:
        return f"{on}: {points}, {_wiped_out(state, owner)}"
    if kind == TYRANNOSAURUS:
        return f"{on}: {points}, {_scared(state, owner, day)}"
    if kind == MICRORAPTOR:
        return f"{on}: covers {_worth(cards[0])}"
    if kind == SPINOSAURUS:
        return f"{on}: {points}, takes {_worth(cards[0])} to {_stolen_to(state)}"
    if kind == METEOR:
        beneath = " or a card beneath it" if len(cards) > 1 else ""
        return f"{on}: removes {_worth(cards[0])}{beneath}"
    if kind == DIPLODOCUS_FRONT:
        on += f" and {DAY_NAMES[day + 1]}"
    return f"{on}: {points}"


def _once(before: str) -> str:
    return f", once {before}" if before else ""


def _look(state: Any) -> str:
    """Returns what the scientist does, who is on the table while cards are drawn."""
    there = drawable(state, played=1)
    does = "look at three cards and keep two"
    if there < layout.LOOKED_AT:
        does = f"take the {counted(there, 'card')} that can be drawn"
    return does + _once(before_drawing(state, layout.LOOKED_AT, played=1))


def _stolen_to(state: Any) -> str:
    """Returns where a stolen dinosaur goes: to a day, if only one is empty."""
    seat = int(state.current_player)
    empty = [name for day, name in enumerate(DAY_NAMES) if state.height[seat, day] == 0]
    return f"player {seat}'s {empty[0] if len(empty) == 1 else 'board'}"


def _wiped_out(state: Any, owner: int) -> str:
    """Returns what a giganotosaurus removes."""
    cards = sum(int(height) for height in state.height[owner])
    if cards == 0:
        return "nothing else lies there"
    return f"wipes out {counted(cards, 'card')} ({counted(int(state.score[owner]), 'point')})"


def _scared(state: Any, owner: int, day: int) -> str:
    """Returns whom a tyrannosaurus scares away, with the points, and what comes to light."""
    scared = []
    for beside in (day - 1, day + 1):
        cards = stack(state, owner, beside) if 0 <= beside < WEEK else []
        named = [f"{SPECIES[kind]} ({_points(kind)})" for kind in cards[:2]]
        if named:
            scared.append(" off ".join(named))
    return f"scares {join(scared)}" if scared else "scares nobody"


def _removal(state: Any, owner: int, day: int, depth: int) -> str:
    """Returns which card of a stack the meteor hits, and what comes to light."""
    cards = stack(state, owner, day)
    bares = f", baring {_worth(cards[1])}" if depth == 0 else ""
    return f"remove {_at_depth(cards, depth)} from {_day(state, owner, day)}{bares}"


def _swap(state: Any, other: int, day: int, own_depth: int | None, depth: int | None) -> str:
    """Returns the words for a swap; a card not chosen yet is named if there is only one."""
    own, theirs = stack(state, int(state.active), day), stack(state, other, day)
    gives = f"own {DAY_NAMES[day]} {_worth(own[0])}"
    if own_depth is not None and len(own) > 1:
        gives = f"own {DAY_NAMES[day]} {_at_depth(own, own_depth)}"
    elif len(own) > 1:
        gives = f"a card of own {DAY_NAMES[day]}"
    gets = f"a card of player {other}'s"
    if depth is not None or len(theirs) == 1:
        gets = f"player {other}'s {_at_depth(theirs, depth or 0)}"
    return f"swap {gives} for {gets}"


def _at_depth(cards: list[int], depth: int) -> str:
    """Returns the name and points of a card, and where in its stack it lies if there are more."""
    if len(cards) == 1:
        return _worth(cards[0])
    where = _DEPTHS[depth] if depth < len(_DEPTHS) else f"{depth + 1}th from the top"
    return f"{SPECIES[cards[depth]]} ({counted(_points(cards[depth]), 'point')}, {where})"


def _worth(kind: int) -> str:
    return f"{SPECIES[kind]} ({counted(_points(kind), 'point')})"


def _points(kind: int) -> int:
    """Returns the points that leave with a card: those of a diplodocus with either half."""
    return int(POINTS[DIPLODOCUS_FRONT if is_diplodocus(kind) else kind])


def _day(state: Any, owner: int, day: int) -> str:
    """Returns `own Monday`, or `player 1's Monday`."""
    whose = "own" if owner == state.current_player else f"player {owner}'s"
    return f"{whose} {DAY_NAMES[day]}"


# --- Text --------------------------------------------------------------------------------------


def text(state: Any, seat: int | None = None) -> str:
    """Returns the position as lines of text, as `seat` sees it."""
    players = range(int(state.num_players))
    lines = [*wrapped(f"{headline(state, seat)}: {situation(state)}"), ""]
    names = [f"{'>' if moves(state, p) else ' '} {player_name(p, seat)}" for p in players]
    lines += _table("", [[name] for name in names])
    for day, name in enumerate(DAY_NAMES):
        lines += _table(name[:3], [_cell(stack(state, player, day)) for player in players])
    won = winners(state)
    scores = [f"{state.score[p]}{' winner' if p in won else ''}" for p in players]
    lines += ["", *_table("points", [[f"  {score}"] for score in scores])]
    left = [counted(empty_days(state, p), "day") for p in players]
    lines += _table("to fill", [[f"  {days}"] for days in left])
    lines += _table("hand", [_hand(state, player) for player in players])
    return "\n".join([*lines, "", *_cards_beside(state, seat)]) + "\n"


def _cell(cards: list[int]) -> list[str]:
    """Returns the lines of one day: the card on top, and what it lies on."""
    if not cards:
        return ["  -"]
    named = [f"{NAMES[kind]} {points_of(kind)}".rstrip() for kind in cards]
    return [f"  {named[0]}", *(f"   on {name}" for name in named[1:])]


def _hand(state: Any, player: int) -> list[str]:
    """Returns the lines of one hand in the table: how many cards, and those that all know."""
    cards = counted(int(state.hand_size[player]), "card")
    known = cards_in_words(visible_hand(state, player, None))
    return [f"  {cards}, all know:", *(f"   {card}" for card in known)] if known else [f"  {cards}"]


def _table(title: str, cells: list[list[str]]) -> list[str]:
    """Returns one row of the table, as many lines as the longest cell has."""
    lines = []
    for i in range(max(len(cell) for cell in cells)):
        row = "".join(f"{cell[i] if i < len(cell) else '':<{_COLUMN}}" for cell in cells)
        lines.append(f"{'' if i else title:<7}{row}".rstrip())
    return lines


def _cards_beside(state: Any, seat: int | None) -> list[str]:
    """Returns lines for the cards that lie on no board."""
    discards = ", ".join(cards_in_words(amounts(state.discards))) or "none"
    pile = f"Pile: {counted(int(state.pile_size), 'card')}. Discards: {discards}"
    lines = wrapped(pile)
    if state.playing >= 0 and state.ending == RUNNING:
        lines.append(f"On the table: {NAMES[state.playing]}")
    if seat is not None:
        lines += _explained("Your hand", visible_hand(state, seat, seat))
    if drawn := looked_at(state, seat):
        lines += _explained("Your scientist looks at", drawn)
    return lines


def _explained(title: str, cards: dict[int, int]) -> list[str]:
    """Returns a line for each kind: how many, its points, and what it does."""
    if not cards:
        return [f"{title}: none"]
    named = cards_in_words(cards)
    width = max(map(len, named))
    lines = [f"{title}:"]
    for kind, name in zip(cards, named, strict=True):
        points = counted(int(POINTS[kind]), "point") if points_of(kind) else ""
        lines.append(f"  {name:<{width}}  {points:>9}  {_does(kind, cards)}")
    return lines


def _does(kind: int, cards: dict[int, int]) -> str:
    """Returns what a card among others does."""
    halves = {DIPLODOCUS_FRONT, DIPLODOCUS_REAR}
    alone = kind in halves and not halves <= {*cards}
    return " ".join(filter(None, HINTS[kind])) + ("; useless alone" if alone else "")
