"""Trains a game's policy and scores it on the ladder: `python benchmarks/training.py dino_dice`.

`--name demo --set total_steps=...` measures other settings than the shipped config's, `--config`
another config. Each name is a row of results/training, replaced when it is measured again. A policy
of a game that one can play alone is scored alone as well.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from dino_training.checkpoint import load as load_checkpoint
from dino_training.config import config_path, load_config
from dino_training.policy import NetAgent
from dino_training.train import train
from table import conditions, kept, write

from dino_envs.engine import Game
from dino_envs.evaluation import Result, ladder
from dino_envs.games import load

GAMES = 20_000
SEED = 2
"""Another one than that of the evaluations on the way."""


def main() -> None:
    """Trains, scores, and writes the row of each rung of the ladder."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("game")
    arguments.add_argument("--name", default="shipped config")
    arguments.add_argument("--config", type=Path)
    arguments.add_argument("--set", action="append", default=[], dest="settings")
    given = arguments.parse_args()
    where, game = conditions(), load(given.game)
    path = given.config or config_path(game.id)
    config = load_config(path, ["evaluation.every=0", *given.settings])
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        written = train(game.id, config, Path(folder) / "run")
        minutes = (time.perf_counter() - start) / 60
        policy = NetAgent(load_checkpoint(written, game).net())
    told = {
        "game": game.full_id,
        "training": given.name,
        "steps": f"{config.total_steps:,}",
        "minutes": f"{minutes:.1f}",
    }
    rows = [{**told, **row(result)} for result in results(game, policy, config.options)]
    add(where, rows)


def results(game: Game, policy: NetAgent, options: dict[str, Any]) -> list[Result]:
    """Scores the policy with the options it learnt with, and alone if the game can be so played."""
    tables = [options, {**options, "num_players": 1}] if game.min_players == 1 else [options]
    return [
        result
        for table in tables
        for result in ladder(game, policy, games=GAMES, seed=SEED, options=table)
    ]


def row(result: Result) -> dict[str, Any]:
    """Returns what the table says of a result."""
    together = result.win_rate is not None
    return {
        "players": result.num_players,
        "against": result.opponent,
        "score": f"{result.score:.4f}",
        "95% interval": f"{result.ci95[0]:.4f} to {result.ci95[1]:.4f}",
        "points": f"{result.points:.2f}",
        "against's points": f"{result.opponent_points:.2f}",
        "wins": f"{result.win_rate:.4f}" if together else "",
        "against's wins": f"{result.opponent_win_rate:.4f}" if together else "",
        "games": result.games,
        "illegal moves": result.illegal_moves,
    }


def add(where: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """Writes the rows in place of those of the same game and name."""
    name = (rows[0]["game"], rows[0]["training"])
    before = kept("training", lambda row: (row["game"], row["training"]) == name)
    write("training", "Policies trained by one command", where, [*before, *rows])


if __name__ == "__main__":
    main()
