"""Dinosaur tabletop games as reinforcement-learning environments.

>>> from dino_envs import dino_dice_v0
>>> env = dino_dice_v0.env()
>>> import gymnasium
>>> env = gymnasium.make("dino_envs/DinoDice-v0", opponent="greedy")

Importing the package registers its games with Gymnasium and PettingZoo.
"""

from __future__ import annotations

from importlib.metadata import version as _version
from typing import Any

from dino_envs.views.registration import register_all as _register_all

__all__ = ["list_games", "make"]
__version__ = _version("dino-envs")


def list_games() -> list[str]:
    """Returns the ids of all games, sorted."""
    from dino_envs.games import games

    return games()


def make(game_id: str, **options: Any) -> Any:
    """Returns a game as a PettingZoo AEC environment.

    Args:
        game_id: one of `list_games()`.
        options: see `dino_envs.views.aec.TurnBasedEnv`.

    Raises:
        UnknownGameError: there is no such game.
        OptionError: an option is unknown or has a value that is not allowed.
    """
    from dino_envs.views.aec import TurnBasedEnv

    return TurnBasedEnv(game_id, **options)


_register_all()
