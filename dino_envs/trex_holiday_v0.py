"""T-Rex's Holiday, version 0, for PettingZoo: `env(**options)` and `raw_env(**options)`."""

from __future__ import annotations

from functools import partial

from dino_envs.views.aec import TurnBasedEnv

__all__ = ["env", "raw_env"]

env = partial(TurnBasedEnv, "trex_holiday")
"""Makes the game; an illegal action loses it, as in PettingZoo's classic games."""

raw_env = partial(TurnBasedEnv, "trex_holiday", illegal="raise")
"""Makes the game; an illegal action raises and changes nothing."""
