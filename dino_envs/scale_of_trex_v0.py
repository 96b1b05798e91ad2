"""On a Scale of One to T-Rex, version 0, for PettingZoo: `parallel_env`, `env` and `raw_env`."""

from __future__ import annotations

from functools import partial

from dino_envs.views.aec import TurnBasedEnv
from dino_envs.views.parallel import SimultaneousEnv

__all__ = ["env", "parallel_env", "raw_env"]

parallel_env = partial(SimultaneousEnv, "scale_of_trex")
"""Makes the game tick by tick: one act of every player a step; an illegal action loses it."""

env = partial(TurnBasedEnv, "scale_of_trex")
"""Makes the game act by act; an illegal action loses it, as in PettingZoo's classic games."""

raw_env = partial(TurnBasedEnv, "scale_of_trex", illegal="raise")
"""Makes the game act by act; an illegal action raises and changes nothing."""
