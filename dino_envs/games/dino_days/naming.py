"""The names of the actions of Dino Days, both ways: `nest 1 mon`, `discard baryonyx`."""

from __future__ import annotations

import difflib

from dino_envs.engine.errors import UnknownActionError
from dino_envs.games.dino_days.cards import DAYS, KINDS
from dino_envs.games.dino_days.layout import ACTIONS, TARGETS

_WITH_BOARD = (
    "giganotosaurus",
    "tyrannosaurus",
    "spinosaurus",
    "microraptor",
    "meteor",
    "nest",
    "volcano",
    "skeleton",
    "eggs",
)
_WITHOUT_DAY = ("draw", "pass", "scientist")
_CARDS_OF_STACKS = ("own_card", "their_card", "remove")


def board_name(board: int) -> str:
    """Returns how a board is called: `own`, or how many seats onward its player sits."""
    return "own" if board == 0 else str(board)


def action_name(action: int) -> str:
    """Returns an action's name: `draw`, `diplodocus tue`, `meteor own sun`, `own_card 1` (on top).

    Boards are `own`, or 1, 2, 3 for the players that follow.
    """
    block, index = ACTIONS.locate(action)
    if block in _WITHOUT_DAY:
        return block
    if block in _CARDS_OF_STACKS:
        return f"{block} {index + 1}"
    if block == "own_day":
        return f"{block} {DAYS[index]}"
    if block == "discard":
        return f"{block} {KINDS[index]}"
    _, board, day = TARGETS[action]
    place = f"{board_name(int(board))} " if block in _WITH_BOARD else ""
    return f"{block} {place}{DAYS[day]}"


_NUMBERS = {action_name(action): action for action in range(ACTIONS.size)}


def action_number(name: str) -> int:
    """Returns the action of a name that `action_name` gives.

    Raises:
        UnknownActionError: no action is called that; the message names the nearest.
    """
    number = _NUMBERS.get(name)
    if number is None:
        close = difflib.get_close_matches(name, _NUMBERS, 1)
        hint = f"did you mean {close[0]!r}?" if close else "say 'draw', 'baryonyx mon' or such"
        raise UnknownActionError(f"there is no action {name!r}; {hint}")
    return number
