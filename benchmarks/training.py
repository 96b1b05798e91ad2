"""Trains a game's policy and scores it on the ladder: `python benchmarks/training.py dino_dice`.

`--name demo --set total_steps=...` measures other settings than the shipped config's. Each name is
a row of results/training, replaced when it is measured again.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from dino_training.checkpoint import load as load_checkpoint
from dino_training.config import config_path, load_config
from dino_training.policy import NetAgent
from dino_training.train import train
from table import RESULTS, conditions, write

from dino_envs.evaluation import ladder
from dino_envs.games import load

GAMES = 20_000
SEED = 2
"""Another one than that of the evaluations on the way."""


def main() -> None:
    """Trains, scores, and writes the row of each rung of the ladder."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("game")
    arguments.add_argument("--name", default="shipped config")
    arguments.add_argument("--set", action="append", default=[], dest="settings")
    given = arguments.parse_args()
    where, game = conditions(), load(given.game)
    config = load_config(config_path(game.id), ["evaluation.every=0", *given.settings])
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        written = train(game.id, config, Path(folder) / "run")
        minutes = (time.perf_counter() - start) / 60
        policy = NetAgent(load_checkpoint(written, game).net())
    rows = [
        {
            "game": game.full_id,
            "training": given.name,
            "steps": f"{config.total_steps:,}",
            "minutes": f"{minutes:.1f}",
            "against": result.opponent,
            "score": f"{result.score:.4f}",
            "95% interval": f"{result.ci95[0]:.4f} to {result.ci95[1]:.4f}",
            "games": result.games,
            "illegal moves": result.illegal_moves,
        }
        for result in ladder(game, policy, games=GAMES, seed=SEED, options=config.options)
    ]
    path = RESULTS / "training.json"
    kept = json.loads(path.read_text())["rows"] if path.exists() else []
    kept = [row for row in kept if (row["game"], row["training"]) != (game.full_id, given.name)]
    write("training", "Policies trained by one command", where, kept + rows)


if __name__ == "__main__":
    main()
