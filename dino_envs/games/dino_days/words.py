"""The words for a position of Dino Days, shared by its text and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dino_envs.engine.layout import RUNNING, TERMINATED, TRUNCATED
from dino_envs.games.dino_days import layout
from dino_envs.games.dino_days.cards import (
    DAYS,
    DINOSAURS,
    DIPLODOCUS_FRONT,
    DIPLODOCUS_REAR,
    KINDS,
    POINTS,
    WEEK,
)
from dino_envs.games.standing import counted, join

DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
NAMES = tuple(kind.replace("_", " ").capitalize() for kind in KINDS)
"""What stands on the card of each kind."""
SPECIES = tuple("Diplodocus" if "diplodocus" in kind else kind.capitalize() for kind in KINDS)
"""What lies on a board: the halves of a diplodocus are one."""

HINTS = (
    ("any board: all", "others there go"),
    ("with its rear on", "two own days"),
    ("with its front on", "two own days"),
    ("any board: scares", "both neighbours"),
    ("takes the place of", "theirs, you get it"),
    ("own day, right of", "a dinosaur"),
    ("own Sunday", ""),
    ("own Monday,", "Tue or Wed"),
    ("own Thursday,", "Fri or Sat"),
    ("any own day", ""),
    ("covers any but", "a diplodocus"),
    ("look at three,", "keep two"),
    ("swap with theirs", "on Mon or Tue"),
    ("swap with theirs", "on Wed or Thu"),
    ("swap with theirs", "on Fri or Sat"),
    ("swap with theirs", "on Sunday"),
    ("removes any", "dinosaur"),
)
"""What each kind does, in two short lines for who holds it."""

assert [day[:3].lower() for day in DAY_NAMES] == [*DAYS]


# --- What lies where ---------------------------------------------------------------------------


def stack(state: Any, seat: int, day: int) -> list[int]:
    """Returns the kinds of the cards on one day, the top one first."""
    height = int(state.height[seat, day])
    return [int(kind) for kind in state.boards[seat, day, :height][::-1]]


def amounts(cards: Sequence[int]) -> dict[int, int]:
    """Returns how many cards of each kind there are, of those that are there."""
    return {kind: int(count) for kind, count in enumerate(cards) if count > 0}


def visible_hand(state: Any, owner: int, seat: int | None) -> dict[int, int]:
    """Returns the cards of a hand that a seat sees: all of its own, else what everybody knows."""
    return amounts(state.hands[owner] if owner == seat else state.known[owner])


def looked_at(state: Any, seat: int | None) -> dict[int, int]:
    """Returns the cards that a scientist has drawn, if they are the seat's to see."""
    return amounts(state.drawn) if seat == state.active else {}


def empty_days(state: Any, seat: int) -> int:
    """Returns how many days of a board are still to be filled."""
    return int(sum(state.height[seat] == 0))


# --- Words for them ----------------------------------------------------------------------------


def cards_in_words(cards: dict[int, int]) -> list[str]:
    """Returns `Baryonyx x2` and the like, one for each kind."""
    return [NAMES[kind] + (f" x{count}" if count > 1 else "") for kind, count in cards.items()]


def points_of(kind: int) -> str:
    """Returns the points that stand on a card; the rear of a diplodocus and the likes have none."""
    return "" if kind == DIPLODOCUS_REAR or kind >= DINOSAURS else str(POINTS[kind])


def is_diplodocus(kind: int) -> bool:
    """Returns whether a kind is a half of a diplodocus."""
    return kind in (DIPLODOCUS_FRONT, DIPLODOCUS_REAR)


# --- Drawing -----------------------------------------------------------------------------------


def hoards(state: Any, played: int = 0) -> dict[int, int]:
    """Returns how many cards who has to discard before the discards are shuffled, in that order.

    `played` cards of the active hand are on the table by then.
    """
    if sum(amounts(state.discards).values()) >= layout.FEW_DISCARDS:
        return {}
    players, active = int(state.num_players), int(state.active)
    sizes = {seat % players: 0 for seat in range(active, active + players)}
    for seat in sizes:
        sizes[seat] = int(state.hand_size[seat]) - (played if seat == active else 0)
    return {seat: size - layout.HOARD for seat, size in sizes.items() if size > layout.HOARD}


def drawable(state: Any, played: int = 0) -> int:
    """Returns how many cards can be drawn, once the discards are shuffled."""
    discards = sum(amounts(state.discards).values())
    return int(state.pile_size) + discards + sum(hoards(state, played).values())


def before_drawing(state: Any, cards: int = 1, played: int = 0) -> str:
    """Returns what happens before the last of so many cards is drawn, if anything does."""
    if state.pile_size >= cards:
        return ""
    surplus = hoards(state, played)
    if surplus:
        seats, counts = join(map(str, surplus)), join(map(str, surplus.values()))
        many = len(surplus) > 1
        return f"{'players' if many else 'player'} {seats} discard{'' if many else 's'} {counts}"
    discards = sum(amounts(state.discards).values())
    are = "is" if discards == 1 else "are"
    return f"{counted(discards, 'discard')} {are} shuffled" if discards else ""


# --- Whose turn it is, and who has won ---------------------------------------------------------


def situation(state: Any) -> str:
    """Returns what is to be decided, or how the game ended."""
    if state.ending != RUNNING:
        return _ending(state)
    phase = int(state.phase)
    if phase == layout.CHOOSE:
        if drawable(state) == 0:
            return f"play a card, as there is none to draw (turn {state.turns + 1})"
        before = before_drawing(state)
        once = f" (once {before})" if before else ""
        return f"draw a card{once} or play one (turn {state.turns + 1})"
    if phase == layout.RETURN:
        return "Scientist: choose which of the three cards goes to the discards"
    if phase == layout.DISCARD:
        surplus = int(state.hand_size[state.current_player]) - layout.HOARD
        return f"too few cards to shuffle: discard {surplus}, so that {layout.HOARD} are left"
    return _card_on_the_table(state, phase)


def _card_on_the_table(state: Any, phase: int) -> str:
    """Returns what is to be chosen for the card that lies on the table."""
    player, day = int(state.target), int(state.day)
    name = SPECIES[state.playing]
    if phase == layout.REMOVE:
        whose = "own" if player == state.active else f"player {player}'s"
        return f"{name} on {whose} {DAY_NAMES[day]}: choose the card that it hits"
    if phase == layout.OWN_DAY:
        stolen = SPECIES[stack(state, player, day)[0]]
        return f"{name} takes player {player}'s {DAY_NAMES[day]} {stolen}: choose a day for it"
    where = f"{name} on {DAY_NAMES[day]} with player {player}"
    if phase == layout.OWN_CARD:
        return f"{where}: choose the own card to swap"
    own = SPECIES[stack(state, int(state.active), day)[int(state.picked)]]
    return f"{where}: choose the card to get for {own}"


def _ending(state: Any) -> str:
    turns = counted(int(state.turns), "turn")
    if state.ending == TRUNCATED:
        return f"the game was cut after {turns}"
    full = [f"player {p}" for p in range(int(state.num_players)) if empty_days(state, p) == 0]
    week = f", {join(full)} filled the week" if full and state.ending == TERMINATED else ""
    return f"the game is over after {turns}{week}"


def chosen_among(state: Any) -> tuple[int, list[int], bool] | None:
    """Returns the board and days among which a choice is due, and whether a card is chosen there.

    None if what is due is not a choice of a card on a board or of a day.
    """
    phase, day = int(state.phase), int(state.day)
    if state.ending != RUNNING:
        return None
    if phase == layout.OWN_DAY:
        seat = int(state.active)
        return seat, [day for day in range(WEEK) if state.height[seat, day] == 0], False
    if phase == layout.OWN_CARD:
        return int(state.active), [day], True
    if phase in (layout.THEIR_CARD, layout.REMOVE):
        return int(state.target), [day], True
    return None
