"""Makes the games known to Gymnasium and PettingZoo, without loading any of them.

A module `dino_envs/<game>_v<version>.py` is what declares a game's present version to the outside,
`dino_envs/<game>_solitaire_v<version>.py` that one player can play it alone. Where it defines
`parallel_env`, that is registered beside `env`.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

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
    kinds: dict[str, tuple[str, Any]] = {}
    with suppress(ImportError):
        from pettingzoo import aec_registry, parallel_registry, register

        kinds = {"aec": ("env", aec_registry), "parallel": ("parallel_env", parallel_registry)}
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
        module, known = f"{published}_v{version}", f"{NAMESPACE}/{published}-v{version}"
        source = pkgutil.get_data(NAMESPACE, f"{module}.py") or b""
        for kind, (maker, registry) in kinds.items():
            if known not in registry and re.search(rf"^{maker} =".encode(), source, re.MULTILINE):
                register(kind, known, entry_point=f"{NAMESPACE}.{module}:{maker}")
