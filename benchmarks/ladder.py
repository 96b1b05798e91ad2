"""Plays every scripted agent of every game against every other, seat-balanced.

`python benchmarks/ladder.py` writes results/ladder: the score of the row's agent, its interval,
the mean points of both, and the shares of games that both win where all play together. Games that
one can play alone, or two together, are measured so as well. Who was made for other options than
the usual ones is met with those. `python benchmarks/ladder.py GAME ...` measures some games alone
and keeps the rows of the others.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from table import conditions, kept, row_of, write

import dino_envs
from dino_envs.agents import agent_names
from dino_envs.engine import Game
from dino_envs.evaluation import evaluate
from dino_envs.games import load

GAMES = 100_000
SEED = 1


def main() -> None:
    """Plays all pairs and writes the table."""
    where, games = conditions(), sys.argv[1:] or dino_envs.list_games()
    rows = kept("ladder", lambda row: row["game"] in {load(name).full_id for name in games})
    for game in map(load, games):
        for players in sorted({game.default_players, min(game.default_players, game.min_players)}):
            for weaker, stronger in combinations(agent_names(game), 2):
                rows.append(row(game, players, stronger, weaker))
    write("ladder", f"Scripted agents against each other, seed {SEED}", where, rows)


def made_for(game: Game, agents: Iterable[str]) -> dict[str, Any]:
    """Returns the options, beside the usual ones, with which all of these scripted agents play."""
    usual = game.complete({})
    return {
        option: values[0]
        for agent in agents
        if (bot := game.bot(agent)) is not None
        for option, values in bot.only.items()
        if option != "num_players" and usual[option] not in values
    }


def row(game: Game, players: int, agent: str, opponent: str) -> dict[str, object]:
    """Returns what an agent reaches against another."""
    options = {"num_players": players, **made_for(game, [agent, opponent])}
    result = evaluate(game, agent, opponent, games=GAMES, seed=SEED, options=options)
    told = row_of(result)
    return {"game": game.full_id, "players": told.pop("players"), "agent": agent, **told}


if __name__ == "__main__":
    main()
