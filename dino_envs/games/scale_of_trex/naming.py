"""The names of the actions of On a Scale of One to T-Rex, both ways: `perform 6`, `offer +2`."""

from __future__ import annotations

import difflib

from dino_envs.engine.errors import UnknownActionError
from dino_envs.games.scale_of_trex.deck import COLOURS
from dino_envs.games.scale_of_trex.layout import ACTIONS, CALLS


def action_name(action: int) -> str:
    """Returns an action's name.

    `perform 6` names the level, `offer +2` how many places further the player sits, `swap blue` the
    colour of the action card, `call match` and `call no_match` what two players call; `withdraw`
    and `skip` need no more.
    """
    block, index = ACTIONS.locate(action)
    if block == "swap":
        return f"swap {COLOURS[index]}"
    if block == "call":
        return f"call {CALLS[index]}"
    if block == "offer":
        return f"offer +{index + 1}"
    return block if block in ("withdraw", "skip") else f"{block} {index + 1}"


_NUMBERS = {action_name(action): action for action in range(ACTIONS.size)}


def action_number(name: str) -> int:
    """Returns the action of a name that `action_name` gives.

    Raises:
        UnknownActionError: no action is called that; the message names the nearest.
    """
    number = _NUMBERS.get(name)
    if number is None:
        close = difflib.get_close_matches(name, _NUMBERS, 1)
        hint = f"did you mean {close[0]!r}?" if close else "say 'perform 6', 'offer +1' or such"
        raise UnknownActionError(f"there is no action {name!r}; {hint}")
    return number
