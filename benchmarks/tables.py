"""Plays every scripted agent at tables of all sizes: among its like, and against the next weaker.

`python benchmarks/tables.py` writes results/tables: the mean points of an agent whose opponents
are like it, the share of games they win where all play together, and how long these games are; then
its score, one against all others, against the agent before it on the ladder. Who was made for other
options than the usual ones plays, and is met, with those. `python benchmarks/tables.py GAME ...`
measures some games alone and keeps the rows of the others.
"""

from __future__ import annotations

import sys

from ladder import made_for
from table import conditions, kept, write

import dino_envs
from dino_envs.agents import agent_names
from dino_envs.engine import Game
from dino_envs.evaluation import evaluate
from dino_envs.games import load

GAMES = 20_000
SEED = 3


def main() -> None:
    """Plays all tables and writes the results."""
    where, games = conditions(), sys.argv[1:] or dino_envs.list_games()
    rows = kept("tables", lambda row: row["game"] in {load(name).full_id for name in games})
    for game in map(load, games):
        if game.max_players == game.default_players:
            continue
        names = list(agent_names(game))
        for players in range(max(game.min_players, 2), game.max_players + 1):
            for weaker, agent in zip([names[0], *names], names, strict=False):
                if plays(game, agent, players):
                    rows.append(row(game, players, agent, weaker))
    write("tables", f"Scripted agents at tables of all sizes, seed {SEED}", where, rows)


def plays(game: Game, agent: str, players: int) -> bool:
    """Returns whether an agent was made for so many players."""
    bot = game.bot(agent)
    return bot is None or players in bot.only.get("num_players", [players])


def row(game: Game, players: int, agent: str, weaker: str) -> dict[str, object]:
    """Returns what an agent reaches among its like, and against a weaker one."""
    options = {"num_players": players, **made_for(game, [agent, weaker])}
    own, met = (
        evaluate(game, agent, opponent, games=GAMES, seed=SEED, options=options)
        for opponent in (agent, weaker)
    )
    first = agent == weaker
    low, high = met.ci95
    return {
        "game": game.full_id,
        "players": players,
        "agent": agent,
        "points among its like": f"{own.points:.2f}",
        "wins together": "" if own.win_rate is None else f"{own.win_rate:.4f}",
        "actions a game": f"{own.length:.0f}",
        "against": "" if first else weaker,
        "score": "" if first else f"{met.score:.4f}",
        "95% interval": "" if first else f"{low:.4f} to {high:.4f}",
        "points": "" if first else f"{met.points:.2f}",
        "against's points": "" if first else f"{met.opponent_points:.2f}",
        "games": own.games,
    }


if __name__ == "__main__":
    main()
