"""How likely an agent is to play each action."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dino_envs.agents.agent import Actor, Agent, BotAgent
from dino_envs.agents.table import AgentAnswerError
from dino_envs.engine import RANDOM, DinoEnvsError


class UnknownChancesError(DinoEnvsError, TypeError):
    """An agent draws its actions and does not say how likely it is to draw each."""


def action_chances(
    agent: Agent, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
) -> npt.NDArray[np.float64]:
    """Returns how likely an agent is to play each action, float64 [N, A].

    Who leaves the random streams alone plays one action; who draws must have a method
    `chances(observations, masks)` that returns this.

    Args:
        agent: who is asked.
        observations: [N, F].
        masks: [N, A], not 0 where an action is legal.

    Raises:
        UnknownChancesError: it draws, and has no such method.
        AgentAnswerError: it may play what is not legal, or its chances do not add to 1.
    """
    told = getattr(agent, "chances", None)
    if callable(told):
        return _checked(type(agent).__name__, np.asarray(told(observations, masks)), masks)
    if isinstance(agent, BotAgent) and agent.bot is RANDOM:
        return np.asarray((masks != 0) / np.count_nonzero(masks, axis=1)[:, None])
    if isinstance(agent, Actor):
        return _one_hot(agent, observations, masks)
    raise UnknownChancesError(
        f"{type(agent).__name__} searches: what it plays depends on the chance of its search, so "
        "nothing can be computed of it"
    )


def _checked(
    name: str, chances: npt.NDArray[np.float64], masks: npt.NDArray[np.int8]
) -> npt.NDArray[np.float64]:
    if chances.shape != masks.shape or chances.dtype != np.float64:
        raise AgentAnswerError(
            f"agent {name} is at fault: its chances must be float64 {list(masks.shape)}, not "
            f"{chances.dtype} {list(chances.shape)}"
        )
    legal = np.einsum("na,na->n", chances, masks != 0)
    if not np.allclose(legal, 1.0, rtol=0.0, atol=1e-9) or chances.min(initial=0.0) < 0.0:
        raise AgentAnswerError(
            f"agent {name} is at fault: its chances of legal actions do not add to 1"
        )
    return chances


def _one_hot(
    agent: Actor, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
) -> npt.NDArray[np.float64]:
    """Returns the chances of an agent that plays one action in each position."""
    name, rows = type(agent).__name__, np.arange(len(masks))
    streams = np.zeros(len(masks), np.uint64)
    actions = np.asarray(agent.act(observations, masks, streams))
    if streams.any():
        raise UnknownChancesError(
            f"{name} draws its actions and has no method chances(observations, masks) that says "
            "how likely each is, so nothing can be computed of it"
        )
    inside = (actions >= 0) & (actions < masks.shape[1])
    if not inside.all() or not masks[rows, actions].all():
        raise AgentAnswerError(f"agent {name} is at fault: it plays illegal actions")
    chances = np.zeros(masks.shape)
    chances[rows, actions] = 1.0
    return chances
