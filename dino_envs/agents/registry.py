"""Makes agents from their specs."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from dino_envs.agents import searching
from dino_envs.agents.agent import Agent, BotAgent
from dino_envs.engine import RANDOM, Game, MissingExtraError, UnknownAgentError

GROUP = "dino_envs.agents"
"""Entry points: a name, and a factory that returns an `Agent`.

It is called as factory(game, argument, options): the game's declaration, what stands in the spec
after the colon ("" if nothing does), and all options of the game to be played, `num_players` first.
The first paragraph of its docstring is what `dino-envs inspect` shows.
"""


def agent_names(game: Game) -> dict[str, str]:
    """Returns the scripted agents of a game from the weakest to the strongest, with their idea."""
    return {"random": RANDOM.doc, **{name: bot.doc for name, bot in game.bots.items()}}


def built_in(game: Game) -> dict[str, str]:
    """Returns the specs of the agents that play every game beside the scripted ones."""
    rollout = searching.default_rollout(game)
    return {
        f"{searching.NAME}:simulations={searching.SIMULATIONS},rollout={rollout},"
        f"exploration={searching.EXPLORATION:g}": "searches from each position; these are the "
        "defaults: simulations a decision, who plays them to the end, how widely they search"
    }


def plugins() -> dict[str, EntryPoint]:
    """Returns the entry points of the agents that other packages bring, by name, not loaded."""
    return {point.name: point for point in entry_points(group=GROUP)}


def make_agent(spec: str, game: Game, options: Mapping[str, Any] | None = None) -> Agent:
    """Returns the agent that a spec names.

    Args:
        spec: `random`, a bot of the game, `mcts:simulations=400` (see `searching`),
            `NAME` or `NAME:ARGUMENT` of an installed entry point (see `GROUP`), or
            `package.module:factory`, where factory(game) returns an `Agent`.
        game: what it will play.
        options: the game's options (`num_players` among them), checked if the agent was made for
            some options alone.

    Raises:
        UnknownAgentError: nobody answers to the spec, or the agent cannot play these options.
    """
    if not isinstance(spec, str):
        raise UnknownAgentError(f"{spec!r} is no spec: give a text such as 'random'")
    bot, full = game.bot(spec), game.complete(options or {})
    if bot is not None:
        bot.check(spec, full)
        return BotAgent(game, bot)
    name, _, argument = spec.partition(":")
    if name == searching.NAME:
        return searching.search_agent(game, argument, full)
    others = plugins()
    if name in others:
        agent = _loaded(others[name], spec)(game, argument, full)
    elif argument:
        agent = _from_module(spec, name, argument, game)
    else:
        known = ["random", *game.bots, f"{searching.NAME}:...", *others]
        raise UnknownAgentError(_unknown(spec, known))
    if not isinstance(agent, Agent):
        raise UnknownAgentError(
            f"{spec!r} made a {type(agent).__name__}, which has neither a method act nor search"
        )
    return agent


def _loaded(point: EntryPoint, spec: str) -> Any:
    try:
        return point.load()
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f'the agent {spec!r} needs {error.name}; install it: pip install "dino-envs[train]"',
            name=error.name,
        ) from error


def _from_module(spec: str, module: str, name: str, game: Game) -> Any:
    """Returns what a factory makes; the module may lie in the folder one works in."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        return getattr(importlib.import_module(module), name)(game)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise UnknownAgentError(f"{spec!r} makes no agent: {error}") from error


def _unknown(spec: str, known: list[str]) -> str:
    close = difflib.get_close_matches(spec, known, 1)
    hint = f"did you mean {close[0]!r}?" if close else ""
    return f"there is no agent {spec!r}; {hint or 'there are ' + ', '.join(known)}" + (
        "" if hint else ", or package.module:factory"
    )
