"""Computes an agent's score against perfect play, in games that are solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.agents import Agent, action_chances, make_agent
from dino_envs.engine import ExactScore, Game, OptionError

TOLERANCE = 1e-2
"""How much chance may be left out; it is valued as perfect play, so the loss hardly changes."""


def is_exact(game: Game, options: Mapping[str, Any] | None = None) -> bool:
    """Returns whether a game is solved with these options."""
    return game.exact is not None and game.exact.covers(game.complete(options or {}))


def exact_score(
    game: Game,
    agent: Agent | str,
    *,
    options: Mapping[str, Any] | None = None,
    tolerance: float = TOLERANCE,
    progress: Callable[[int], None] | None = None,
) -> ExactScore:
    """Returns an agent's score against perfect play, computed over all chance, not sampled.

    Args:
        game: what is played; it must be solved with the options, see `is_exact`.
        agent: who is scored, or its spec.
        options: the game's options, `num_players` among them.
        tolerance: how much of the chance may be left out, see `ExactScore.uncertainty`.
        progress: is told how many more positions are done.

    Raises:
        OptionError: the game is not solved with these options.
        UnknownChancesError: the agent draws its actions and does not tell their chances.
    """
    full = game.complete(options or {})
    if game.exact is None or not is_exact(game, full):
        raise OptionError(f"{game.id} is not solved with these options")
    ready = make_agent(agent, game, full) if isinstance(agent, str) else agent

    def policy(
        observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float64]:
        return action_chances(ready, observations, masks)

    return game.exact.compute(policy, full, tolerance, progress or (lambda positions: None))
