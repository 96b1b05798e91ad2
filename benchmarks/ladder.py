"""Plays every scripted agent of every game against every other, seat-balanced.

`python benchmarks/ladder.py` writes results/ladder: the score of the row's agent, its interval.
"""

from __future__ import annotations

from itertools import combinations

from table import conditions, write

import dino_envs
from dino_envs.agents import agent_names
from dino_envs.evaluation import evaluate
from dino_envs.games import load

GAMES = 100_000
SEED = 1


def main() -> None:
    """Plays all pairs and writes the table."""
    where, rows = conditions(), []
    for game_id in dino_envs.list_games():
        game = load(game_id)
        for weaker, stronger in combinations(agent_names(game), 2):
            result = evaluate(game, stronger, weaker, games=GAMES, seed=SEED)
            low, high = result.ci95
            rows.append(
                {
                    "game": game.full_id,
                    "agent": stronger,
                    "against": weaker,
                    "score": f"{result.score:.4f}",
                    "95% interval": f"{low:.4f} to {high:.4f}",
                    "games": result.games,
                    "illegal moves": result.illegal_moves,
                }
            )
    write("ladder", f"Scripted agents against each other, seed {SEED}", where, rows)


if __name__ == "__main__":
    main()
