"""The games: every folder here, and what other distributions offer as entry points of this name.

A folder is a game, its name is the id; there is no other list.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from dino_envs.engine.errors import UnknownGameError
from dino_envs.engine.game import Game


@cache
def _places() -> dict[str, str | EntryPoint]:
    folders: dict[str, str | EntryPoint] = {
        module.name: f"{__name__}.{module.name}"
        for module in pkgutil.iter_modules(__path__)
        if module.ispkg
    }
    return {**{point.name: point for point in entry_points(group=__name__)}, **folders}


def games() -> list[str]:
    """Returns the ids of all games, sorted."""
    return sorted(_places())


def load(game_id: str) -> Game:
    """Returns the declaration of a game.

    Raises:
        UnknownGameError: there is no such game; the message names the nearest.
    """
    place = _places().get(game_id)
    if place is None:
        close = difflib.get_close_matches(str(game_id), games(), 1)
        hint = f"did you mean {close[0]!r}?" if close else "the games are " + ", ".join(games())
        raise UnknownGameError(f"there is no game {game_id!r}; {hint}")
    game = importlib.import_module(place).GAME if isinstance(place, str) else place.load()
    assert isinstance(game, Game), f"{place} must hold a dino_envs.engine.Game"
    return game
