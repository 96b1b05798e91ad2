"""Makes the games known to Gymnasium and PettingZoo, without loading any of them.

A module `dino_envs/<game>_v<version>.py` is what declares a game's present version to the outside,
`dino_envs/<game>_solitaire_v<version>.py` that one player can play it alone.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator

import gymnasium

import dino_envs

NAMESPACE = "dino_envs"
SOLITAIRE = "_solitaire"

_VIEWS = ("dino_envs.views.single:SingleSeatEnv", "dino_envs.views.vector:BatchedVectorEnv")
_SOLITAIRE_VIEWS = ("dino_envs.views.solitaire:single", "dino_envs.views.solitaire:vector")


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
    for published, version in _published():
        game_id = published.removesuffix(SOLITAIRE)
        single, vector = _VIEWS if game_id == published else _SOLITAIRE_VIEWS
        name = gymnasium_id(published, version)
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=single,
                vector_entry_point=vector,
                kwargs={"game_id": game_id},
            )
        if aec_registry is not None and f"{NAMESPACE}/{published}-v{version}" not in aec_registry:
            register_aec(
                "aec",
                f"{NAMESPACE}/{published}-v{version}",
                entry_point=f"dino_envs.{published}_v{version}:env",
            )
