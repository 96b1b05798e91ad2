"""The names of the actions of T-Rex's Holiday, both ways: `fill 5 area_1`, `shade cars_2 3`."""

from __future__ import annotations

import difflib

from dino_envs.engine.errors import UnknownActionError
from dino_envs.games.trex_holiday.layout import ACTIONS, TARGET_NAMES, TARGETS
from dino_envs.games.trex_holiday.sheet import CARS, FACES


def action_name(action: int) -> str:
    """Returns an action's name.

    `hide 5` names the die by its face; `fill 5 cars_2` a number and where it goes; `shade area_1 5`
    and `shade cans_2 4` a number, `shade cars_1 3` and `shade streamer 3` a position; `decline`.
    """
    block, index = ACTIONS.locate(action)
    if block == "hide":
        return f"hide {index + 1}"
    if block == "fill":
        return f"fill {index // TARGETS + 1} {TARGET_NAMES[index % TARGETS]}"
    if block == "shade_streamer":
        return f"shade streamer {index + 1}"
    if block == "decline":
        return block
    size = CARS if block == "shade_cars" else FACES
    area = block.removeprefix("shade_")
    return f"shade {area}_{index // size + 1} {index % size + 1}"


_NUMBERS = {action_name(action): action for action in range(ACTIONS.size)}


def action_number(name: str) -> int:
    """Returns the action of a name that `action_name` gives.

    Raises:
        UnknownActionError: no action is called that; the message names the nearest.
    """
    number = _NUMBERS.get(name)
    if number is None:
        close = difflib.get_close_matches(name, _NUMBERS, 1)
        hint = f"did you mean {close[0]!r}?" if close else "say 'hide 5', 'fill 5 cans' or such"
        raise UnknownActionError(f"there is no action {name!r}; {hint}")
    return number
