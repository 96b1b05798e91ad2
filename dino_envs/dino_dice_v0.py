"""Dino Dice, version 0, for PettingZoo: `env(**options)` and `raw_env(**options)`."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from dino_envs.views.aec import Observation, TurnBasedEnv, wrapped

__all__ = ["env", "raw_env"]


class raw_env(TurnBasedEnv):  # noqa: N801  # PettingZoo's name
    """Dino Dice without wrappers: an illegal action raises and changes nothing."""

    def __init__(self, **options: Any) -> None:
        super().__init__("dino_dice", **options)


def env(**options: Any) -> AECEnv[str, Observation, int]:
    """Returns Dino Dice wrapped as PettingZoo's classic games are: an illegal action loses."""
    return wrapped(raw_env(**options))
