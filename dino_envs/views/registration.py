"""Makes the games known to Gymnasium and PettingZoo, without loading any of them.

A module `dino_envs/<game>_v<version>.py` is what declares a game's present version to the outside.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator

import gymnasium

import dino_envs

NAMESPACE = "dino_envs"


def camel_case(game_id: str) -> str:
    """Returns an id as Gymnasium writes names: `some_game` is `SomeGame`, `trex` is `TRex`."""
    return "".join(word.capitalize() for word in game_id.split("_")).replace("Trex", "TRex")


def gymnasium_id(game_id: str, version: int) -> str:
    """Returns the id for `gymnasium.make`: `dino_envs/DinoDice-v0`."""
    return f"{NAMESPACE}/{camel_case(game_id)}-v{version}"


def _published() -> Iterator[tuple[str, int]]:
    for module in pkgutil.iter_modules(dino_envs.__path__):
        found = re.fullmatch(r"(.+)_v(\d+)", module.name)
        if found:
            yield found[1], int(found[2])


def register_all() -> None:
    """Registers every game with Gymnasium, and with PettingZoo where it has a registry (1.27)."""
    try:
        from pettingzoo import aec_registry
        from pettingzoo import register as register_aec
    except ImportError:
        aec_registry = None
    for game_id, version in _published():
        name = gymnasium_id(game_id, version)
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="dino_envs.views.single:SingleSeatEnv",
                vector_entry_point="dino_envs.views.vector:BatchedVectorEnv",
                kwargs={"game_id": game_id},
            )
        if aec_registry is not None and f"{NAMESPACE}/{game_id}-v{version}" not in aec_registry:
            register_aec(
                "aec",
                f"{NAMESPACE}/{game_id}-v{version}",
                entry_point=f"dino_envs.{game_id}_v{version}:env",
            )
