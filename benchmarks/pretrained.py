"""Plays the policies that ship in new games: `python benchmarks/pretrained.py dino_days`.

It writes results/pretrained: what each policy named (by its config; else all) reaches against every
scripted bot and against search, at the table that it learnt at. Where the game is solved, the score
against perfect play is computed over all chance too, which takes minutes.
`--policies FOLDER --results FOLDER` does it for others, elsewhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from dino_training import checkpoint
from dino_training.pretrained import pretrained_folder
from pilot import fitting
from table import RESULTS, conditions, kept, row_of, write

from dino_envs.agents import Agent
from dino_envs.engine import Game
from dino_envs.evaluation import baselines, evaluate, exact_score, is_exact
from dino_envs.games import load

SEED, PILOT = 2, 3
"""Seeds of the games that are told, not those that a policy was chosen by; and of those that tell
how long a game takes."""
SEARCH = "mcts:simulations=200"


def main() -> None:
    """Plays, and writes the rows of each policy as soon as they are there."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    arguments.add_argument("--games", type=int, default=10_000, help="a bot (default: 10000)")
    arguments.add_argument(
        "--search-minutes", type=float, default=5, help=f"games against {SEARCH} (default: 5)"
    )
    arguments.add_argument("--policies", type=Path, default=pretrained_folder())
    arguments.add_argument("--results", type=Path, default=RESULTS)
    given = arguments.parse_args()
    if given.games < 1:
        arguments.error("--games: at least one is wanted")
    there = sorted(path.parent.name for path in given.policies.glob(f"*/{checkpoint.DESCRIPTION}"))
    if not there:
        arguments.error(f"there is no policy in {given.policies}")
    if unknown := {*given.names} - {*there}:
        arguments.error(f"there is no policy {', '.join(sorted(unknown))}, but {', '.join(there)}")
    title = f"The policies that ship, in new games (evaluation seed {SEED})"
    for name in given.names or there:
        where = conditions()
        rows = [*scores(given.policies / name, given.games, given.search_minutes * 60)]
        before = kept("pretrained", lambda row, name=name: row["config"] == name, given.results)
        told = sorted([*before, *rows], key=lambda each: each["config"])
        write("pretrained", title, where, told, given.results)


def scores(folder: Path, games: int, seconds: float) -> Iterator[dict[str, Any]]:
    """Yields what a policy reaches against each opponent; against search in so many seconds."""
    found = checkpoint.load(folder)
    game, options = load(found.description["game"]), found.description["config"]["options"]
    policy = found.player()
    for opponent in [*baselines(game, options), SEARCH]:
        score = partial(
            evaluate, game, policy, opponent, names=("pretrained", opponent), options=options
        )
        most = games
        if opponent == SEARCH:
            most = min(games, fitting(partial(score, seed=PILOT), seconds))
        result = score(games=most, seed=SEED)
        print(f"{folder.name} against {opponent}: {result.score:.4f}", flush=True)
        yield {
            "game": game.full_id,
            "config": folder.name,
            "training seed": found.description["seed"],
            **row_of(result),
            "exact score": exact(game, policy, opponent, options),
        }


def exact(game: Game, policy: Agent, opponent: str, options: dict[str, Any]) -> str:
    """Returns the score against perfect play, empty if the opponent does not play perfectly."""
    if game.exact is None or opponent != game.exact.against or not is_exact(game, options):
        return ""
    return f"{exact_score(game, policy, options=options).score:.6f}"


if __name__ == "__main__":
    main()
