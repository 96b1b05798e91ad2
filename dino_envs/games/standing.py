"""How a game stands, in the words that all games share: whose turn it is, and who has won."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from dino_envs.engine.layout import FORFEITED, RUNNING

_FEW = 3
"""So many winners are named one by one."""
_WIDTH = 80
"""Characters of a line."""


def counted(number: int, one: str, many: str = "") -> str:
    """Returns `1 point`, `2 points` and so on; `many` is the plural where it has no plain s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def join(words: Iterable[object]) -> str:
    """Returns words as a list in a sentence: `0, 1 and 2`."""
    *most, last = map(str, words)
    return f"{', '.join(most)} and {last}" if most else last


def wrapped(line: str, indent: int = 2) -> list[str]:
    """Returns the lines of a long one, for a terminal of 80 columns.

    No words are parted where a no-break space is between them; it becomes a space.
    """
    beneath = " " * indent
    found = textwrap.wrap(
        line, _WIDTH, subsequent_indent=beneath, break_long_words=False, break_on_hyphens=False
    )
    return [part.replace("\u00a0", " ") for part in found]


def player_name(player: int, seat: int | None) -> str:
    """Returns how a player is called by `seat`, who looks."""
    return f"Player {player}" + (" (you)" if player == seat else "")


def moves(state: Any, player: int) -> bool:
    """Returns whether a player is to decide."""
    return bool(state.ending == RUNNING and player == state.current_player)


def winners(state: Any, together: bool = False) -> list[int]:
    """Returns who has won a game that is over; nobody alone, or after another's illegal action.

    Of who plays together all have won or none: the game says by `together` whether they have.
    """
    if state.ending in (RUNNING, FORFEITED) or state.num_players == 1:
        return []
    if state.cooperative:
        return list(range(state.num_players)) if together else []
    scores = [int(score) for score in state.score[: state.num_players]]
    return [player for player, score in enumerate(scores) if score == max(scores)]


def headline(state: Any, seat: int | None, together: bool = False) -> str:
    """Returns whose turn it is, or how the game ended; `together` as for `winners`."""
    mover = player_name(int(state.current_player), seat)
    if state.ending == RUNNING:
        return f"{mover} to move"
    if state.ending == FORFEITED:
        return f"{mover} loses{' for all' if state.cooperative else ''} by an illegal action"
    if state.num_players == 1:
        return f"{mover}: {counted(int(state.score[0]), 'point')}"
    if state.cooperative:
        return f"The players {'win' if together else 'lose'} together"
    won = winners(state)
    points = counted(int(state.score[won[0]]), "point")
    if len(won) == 1:
        return f"{player_name(won[0], seat)} wins with {points}"
    if len(won) > _FEW:
        return f"{len(won)} players share the win with {points}"
    return f"Players {join(won)} share the win with {points}"
