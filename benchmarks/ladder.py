"""Plays every scripted agent of every game against every other, seat-balanced.

`python benchmarks/ladder.py` writes results/ladder: the score of the row's agent, its interval, and
the mean points of both. Games that one can play alone are measured alone as well.
"""

from __future__ import annotations

from itertools import combinations

from table import conditions, write

import dino_envs
from dino_envs.agents import agent_names
from dino_envs.engine import Game
from dino_envs.evaluation import evaluate
from dino_envs.games import load

GAMES = 100_000
SEED = 1


def main() -> None:
    """Plays all pairs and writes the table."""
    where, rows = conditions(), []
    for game_id in dino_envs.list_games():
        game = load(game_id)
        for players in sorted({game.default_players, min(game.default_players, game.min_players)}):
            for weaker, stronger in combinations(agent_names(game), 2):
                rows.append(row(game, players, stronger, weaker))
    write("ladder", f"Scripted agents against each other, seed {SEED}", where, rows)


def row(game: Game, players: int, agent: str, opponent: str) -> dict[str, object]:
    """Returns what an agent reaches against another."""
    options = {"num_players": players}
    result = evaluate(game, agent, opponent, games=GAMES, seed=SEED, options=options)
    low, high = result.ci95
    return {
        "game": game.full_id,
        "players": players,
        "agent": agent,
        "against": opponent,
        "score": f"{result.score:.4f}",
        "95% interval": f"{low:.4f} to {high:.4f}",
        "points": f"{result.points:.2f}",
        "against's points": f"{result.opponent_points:.2f}",
        "games": result.games,
        "illegal moves": result.illegal_moves,
    }


if __name__ == "__main__":
    main()
