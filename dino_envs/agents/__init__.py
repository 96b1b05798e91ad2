"""Who plays: an agent sees what its seat may see, and answers with legal actions.

An agent is named by a spec: `random`, a game's scripted bot (`greedy`), `checkpoint:runs/x` and
whatever else is installed under the entry points `dino_envs.agents`, or `package.module:factory`.
"""

from dino_envs.agents.agent import Agent, BotAgent
from dino_envs.agents.chances import UnknownChancesError, action_chances
from dino_envs.agents.registry import agent_names, make_agent

__all__ = [
    "Agent",
    "BotAgent",
    "UnknownChancesError",
    "action_chances",
    "agent_names",
    "make_agent",
]
