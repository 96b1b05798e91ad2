"""Agents that search: `mcts:simulations=400,rollout=greedy,exploration=1`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import from_dtype, typeof, types

from dino_envs.engine import RANDOM, ArgumentError, Bot, Game, UnknownAgentError
from dino_envs.engine.batch import check_streams, compiled_bot, thread_pool
from dino_envs.engine.kernel import Compiled, function_type, usable_cores
from dino_envs.engine.layout import RUNNING
from dino_envs.engine.option import nearest
from dino_envs.engine.search import LEAD_SHARE, Searching, make_search
from dino_envs.engine.tree import Plan, Room, new_room

NAME = "mcts"
"""What a spec begins with."""
MOST_SIMULATIONS = 1_000_000
MOST_EXPLORATION = 100.0
SIMULATIONS, EXPLORATION = 400, 1.0
"""What is taken where a spec does not say; see `default_rollout` for the bot."""


class Findings(NamedTuple):
    """What a search found in N positions, all for the seat to move."""

    actions: npt.NDArray[np.int64]
    """[N], what to play."""
    visits: npt.NDArray[np.int32]
    """[N, A], how often each action was tried; all 0 where there is one legal action."""
    values: npt.NDArray[np.float64]
    """[N, A], what it was worth on average, -1 to 1; 0 where it was not tried."""


@cache
def _rules(game: Game) -> Searching:
    rules = game.rules
    return make_search(rules.legal_actions, rules.step, rules.observe, rules.outcome, rules.redeal)


@cache
def _compiled_search(game: Game) -> Callable[..., Any]:
    states = types.Array(from_dtype(game.state), 1, "C")
    words, numbers = types.uint64[::1], types.int64[::1]
    i8, f8 = types.int64, types.float64
    plan = types.NamedTuple((i8, f8, f8, types.boolean, i8), Plan)
    signature = types.void(
        function_type(game.signatures["act"]), types.uint8[::1], plan, typeof(_room(game, 1, 1)),
        states, words, numbers, types.int32[:, ::1], f8[:, ::1], i8, i8,
    )  # fmt: skip
    return Compiled(_rules(game).search, signature, f"the search in {game.id}").call


@cache
def _compiled_forget(game: Game) -> Callable[..., Any]:
    states = types.Array(from_dtype(game.state), 1, "C")
    signature = types.void(states, types.uint64[::1])
    return Compiled(_rules(game).forget, signature, game.id).call


def _room(game: Game, players: int, simulations: int) -> Room:
    room = game.state, game.observation.dtype, game.actions.size
    return new_room(*room, players, int(simulations))


def forgotten(
    game: Game, states: npt.NDArray[Any], streams: npt.NDArray[np.uint64]
) -> npt.NDArray[Any]:
    """Returns states [N] as they may be for all that their mover knows: new, and dealt anew.

    `streams` uint64 [N] decide what is dealt, and move on in place.

    Raises:
        ArgumentError: these are no states of the game [N], or no streams.
    """
    _check_states(game, states)
    check_streams(streams, len(states))
    imagined = states.copy()
    _compiled_forget(game)(imagined, streams)
    return imagined


def _check_states(game: Game, states: npt.NDArray[Any]) -> None:
    if states.dtype != game.state or states.ndim != 1:
        raise ArgumentError(f"states must be an array [N] of states of {game.id}")


@dataclass(frozen=True)
class SearchAgent:
    """Information-set Monte-Carlo tree search, see `engine.search`.

    Args:
        game: what it plays.
        simulations: of each decision.
        bot: plays the simulations to their end.
        exploration: how much is tried beside what looks best; returns lie within -1 and 1.
        threads: how many positions are searched at a time; None is all usable cores. It changes
            nothing in what is found.

    Raises:
        ArgumentError: a number is out of bounds.
    """

    game: Game
    simulations: int = SIMULATIONS
    bot: Bot = RANDOM
    exploration: float = EXPLORATION
    threads: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= operator.index(self.simulations) <= MOST_SIMULATIONS:
            raise ArgumentError(f"simulations={self.simulations}: give 1 to {MOST_SIMULATIONS}")
        if not 0 <= self.exploration <= MOST_EXPLORATION:
            raise ArgumentError(f"exploration={self.exploration}: give 0 to {MOST_EXPLORATION:g}")
        if self.threads is not None and operator.index(self.threads) < 1:
            raise ArgumentError(f"threads={self.threads}: give 1 or more, or None for all cores")

    def search(
        self, states: npt.NDArray[Any], streams: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """Chooses in N positions; see `Searcher.search` and `findings`."""
        return self.findings(states, streams).actions

    def findings(self, states: npt.NDArray[Any], streams: npt.NDArray[np.uint64]) -> Findings:
        """Returns what a search finds in running positions [N]; `streams` move on in place.

        Raises:
            ArgumentError: these are no running states of the game [N], or no streams.
        """
        game, count = self.game, len(states)
        _check_states(game, states)
        check_streams(streams, count)
        if (states["ending"] != RUNNING).any():
            raise ArgumentError("there is nothing to search in a game that is over")
        states = np.ascontiguousarray(states)
        found = Findings(
            np.zeros(count, np.int64),
            np.zeros((count, game.actions.size), np.int32),
            np.zeros((count, game.actions.size)),
        )
        if count == 0:
            return found
        players = int(states["num_players"].max())
        lead_share = 1.0 if players == 1 else LEAD_SHARE
        plan = Plan(
            self.simulations,
            self.exploration,
            lead_share,
            self.bot is RANDOM,
            game.observation.used(players)[-1][1],
        )
        act, knowledge = compiled_bot(game, self.bot)
        search, tasks = _compiled_search(game), min(count, self.threads or usable_cores())

        def work(first: int) -> None:
            room = _room(game, players, self.simulations)
            search(act.pointer, knowledge, plan, room, states, streams, *found, first, tasks)

        if tasks == 1:
            work(0)
        else:
            list(thread_pool().map(work, range(tasks)))
        return found


def default_rollout(game: Game) -> str:
    """Returns the strongest scripted bot that plays with all options, `random` if there is none.

    Who plays with some options alone is there for reference, and knows what a search shall find.
    """
    return next((name for name in reversed(list(game.bots)) if not game.bots[name].only), "random")


def search_agent(game: Game, argument: str, options: Mapping[str, Any]) -> SearchAgent:
    """Returns the agent of a spec's argument: `simulations=400,rollout=greedy,exploration=1`.

    Raises:
        UnknownAgentError: a key is unknown or given twice, a value is not allowed, or the bot
            does not play with all of these options.
    """
    given = _settings(argument)
    name = given.get("rollout", default_rollout(game))
    bot = game.bot(name)
    if bot is None:
        known = ", ".join(["random", *game.bots])
        raise UnknownAgentError(f"{NAME}: rollout={name}: choose one of {known}")
    bot.check(name, options)
    simulations = given.get("simulations", str(SIMULATIONS))
    exploration = given.get("exploration", str(EXPLORATION))
    return SearchAgent(game, _simulations(simulations), bot, _exploration(exploration))


def _settings(argument: str) -> dict[str, str]:
    known = ("simulations", "rollout", "exploration")
    found: dict[str, str] = {}
    for part in argument.split(",") if argument else []:
        key, equals, value = part.partition("=")
        name, value = key.strip(), value.strip()
        if not equals or name not in known:
            hint = nearest(name, known) if equals else f"write {NAME}:{known[0]}=400"
            raise UnknownAgentError(f"{NAME} takes no {part.strip()!r}; {hint}")
        if name in found:
            raise UnknownAgentError(f"{NAME}: {name} is {found[name]} already, not {value}")
        found[name] = value
    return found


def _simulations(text: str) -> int:
    if text.isdecimal() and len(text) < 10 and 1 <= int(text) <= MOST_SIMULATIONS:
        return int(text)
    raise UnknownAgentError(
        f"{NAME}: simulations={text}: give a whole number, 1 to {MOST_SIMULATIONS}"
    )


def _exploration(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if 0 <= number <= MOST_EXPLORATION:
        return number
    raise UnknownAgentError(f"{NAME}: exploration={text}: give a number, 0 to {MOST_EXPLORATION:g}")
