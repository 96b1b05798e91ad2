"""T-Rex's Holiday for one player, version 0, for PettingZoo: `env(**options)` and `raw_env`.

The one player rolls every round and plays for the score.
"""

from __future__ import annotations

from functools import partial

from dino_envs.views.solitaire import aec

__all__ = ["env", "raw_env"]

env = partial(aec, "trex_holiday")
"""Makes the game; an illegal action loses it, as in PettingZoo's classic games."""

raw_env = partial(aec, "trex_holiday", illegal="raise")
"""Makes the game; an illegal action raises and changes nothing."""
