"""Measures how strong search is by its simulations, and how fast.

`python benchmarks/search.py` writes results/search: the score of `mcts` with its default rollouts
against the strongest scripted bot that plays the game's usual options, seat-balanced, and
simulations a second on one core in positions of random games. A row is written as soon as it is
measured, and rows that are there are not measured again: delete results/search.json to begin anew.
A row plays as many games as fit into its time, two and a half minutes for all of a game.
`--games 4` plays so many games a row, `--out NAME` writes results/NAME: both to try it.
"""

from __future__ import annotations

import argparse
import json
import time
from functools import partial
from typing import Any

import numpy as np
import pilot
from table import RESULTS, conditions, write

import dino_envs
from dino_envs.agents import SearchAgent
from dino_envs.agents.searching import default_rollout
from dino_envs.engine import RUNNING, Game
from dino_envs.evaluation import baselines, evaluate, game_seeds
from dino_envs.games import load

SECONDS = {50: 10, 200: 20, 800: 40, 3200: 80}
"""The time of a row, by simulations."""
MOST_GAMES = 4000
SEED = 4
KEY = ("game", "players", "simulations")


def main() -> None:
    """Measures what is not there yet."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int)
    arguments.add_argument("--out", default="search")
    arguments.add_argument("--only", nargs="*", default=dino_envs.list_games(), metavar="GAME")
    given = arguments.parse_args()
    where, path = conditions(), RESULTS / f"{given.out}.json"
    rows = json.loads(path.read_text())["rows"] if path.exists() else []
    for game_id in given.only:
        game = load(game_id)
        for simulations in SECONDS:
            there = {tuple(row[key] for key in KEY) for row in rows}
            if (game.full_id, game.default_players, simulations) not in there:
                rows.append(row(game, simulations, given.games or fitting(game, simulations)))
                rows.sort(key=lambda each: [each[key] for key in KEY])
                write(given.out, f"Search by simulations a decision, seed {SEED}", where, rows)


def fitting(game: Game, simulations: int) -> int:
    """Returns how many games fit into the time of a row."""
    few, opponent = min(SECONDS), baselines(game)[-1]
    agent = SearchAgent(game, few, game.bots[default_rollout(game)])
    play = partial(evaluate, game, agent, opponent, seed=SEED)
    return min(MOST_GAMES, pilot.fitting(play, SECONDS[simulations] * few / simulations))


def row(game: Game, simulations: int, games: int) -> dict[str, Any]:
    """Returns what a search of so many simulations reaches."""
    rollout, opponent = default_rollout(game), baselines(game)[-1]
    agent = SearchAgent(game, simulations, game.bots[rollout])
    start = time.perf_counter()
    result = evaluate(game, agent, opponent, games=games, seed=SEED)
    minutes = (time.perf_counter() - start) / 60
    low, high = result.ci95
    return {
        "game": game.full_id,
        "players": game.default_players,
        "simulations": simulations,
        "rollout": rollout,
        "against": opponent,
        "score": f"{result.score:.4f}",
        "95% interval": f"{low:.4f} to {high:.4f}",
        "points": f"{result.points:.2f}",
        "against's points": f"{result.opponent_points:.2f}",
        "games": result.games,
        "illegal moves": result.illegal_moves,
        "simulations/s, 1 core": f"{speed(game, simulations, rollout):,.0f}",
        "minutes": f"{minutes:.1f}",
    }


def speed(game: Game, simulations: int, rollout: str, seconds: float = 2.0) -> float:
    """Returns simulations a second on one core, in positions with a choice."""
    agent = SearchAgent(game, simulations, game.bots[rollout], threads=1)
    states, words = positions(game), game_seeds(SEED, 1)
    found = agent.findings(states[:1], words)  # what has to be loaded is loaded
    count, start = 0, time.perf_counter()
    for i in range(10**9):
        at = i % len(states)
        found = agent.findings(states[at : at + 1], words)
        count += int(found.visits.sum())
        if time.perf_counter() - start > seconds:
            break
    return count / (time.perf_counter() - start)


def positions(game: Game, count: int = 64) -> np.ndarray[Any, Any]:
    """Returns running positions [count] from all of a random game's length, in random order."""
    rng, found = np.random.default_rng(SEED), []
    while len(found) < 4 * count:
        state, mask = game.new_states(1), np.zeros(game.actions.size, np.int8)
        game.kernels.reset(state[0], np.uint64(rng.integers(2**63)))
        while state[0].ending == RUNNING:
            mask[:] = 0
            if game.kernels.legal_actions(state[0], mask) > 1:
                found.append(state[0].copy())
            game.kernels.step(state[0], int(rng.choice(np.flatnonzero(mask))))
    chosen = rng.choice(len(found), count, replace=False)
    return np.array([found[place] for place in chosen], game.state)


if __name__ == "__main__":
    main()
