"""Who plays: an agent knows what its seat may know, and answers with legal actions.

An agent is named by a spec: `random`, a game's scripted bot (`greedy`), `mcts:simulations=400`,
`checkpoint:runs/x`, `pretrained` and whatever else is installed under the entry points
`dino_envs.agents`, or `package.module:factory`.
"""

from dino_envs.agents.agent import Actor, Agent, BotAgent, Searcher
from dino_envs.agents.chances import UnknownChancesError, action_chances
from dino_envs.agents.registry import agent_names, built_in, make_agent, plugins
from dino_envs.agents.searching import SearchAgent

__all__ = [
    "Actor",
    "Agent",
    "BotAgent",
    "SearchAgent",
    "Searcher",
    "UnknownChancesError",
    "action_chances",
    "agent_names",
    "built_in",
    "make_agent",
    "plugins",
]
