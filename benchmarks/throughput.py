"""Measures steps a second of every view of every game, against PettingZoo and OpenSpiel.

Run on an idle machine: `python benchmarks/throughput.py`. Random legal play everywhere; the best of
several repetitions counts, since other processes can only slow a run down.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import gymnasium
import numpy as np
from pettingzoo.classic import connect_four_v3
from table import conditions, write

import dino_envs
from dino_envs.engine import RANDOM, Batch
from dino_envs.games import load
from dino_envs.views.parallel import SimultaneousEnv
from dino_envs.views.registration import gymnasium_id

REPETITIONS = 7
GAMES = 4096


def best(measure: Callable[[], float], repetitions: int = REPETITIONS) -> float:
    """Returns the highest of several measurements."""
    return max(measure() for _ in range(repetitions))


def aec_loop(env: Any, steps: int = 6000) -> float:
    """Returns steps a second of PettingZoo's usual loop: agent_iter, last, step."""
    draw, count = random.Random(0).random, 0
    start = time.perf_counter()
    while count < steps:
        env.reset(seed=count)
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(draw() * len(legal))]))
            count += 1
    return count / (time.perf_counter() - start)


def aec_loop_with_space_sampling(env: Any, steps: int = 6000) -> float:
    """Returns the same with actions from `action_space(agent).sample(mask)`, as in the manual."""
    count = 0
    start = time.perf_counter()
    while count < steps:
        env.reset(seed=count)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            done = terminated or truncated
            env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
            count += not done
    return count / (time.perf_counter() - start)


def batched(game_id: str, threads: int) -> float:
    """Returns steps a second of a batch that plays itself, observation and mask at each step."""
    batch = Batch(load(game_id), GAMES, bots=[RANDOM], threads=threads)
    batch.players[:] = 0
    seeds = np.random.default_rng(0)
    words = seeds.integers(2**64, size=GAMES, dtype=np.uint64)
    batch.streams[:] = seeds.integers(2**64, size=batch.streams.shape, dtype=np.uint64)
    batch.deal(words)
    start = time.perf_counter()
    batch.play()
    return int(batch.steps.sum()) / (time.perf_counter() - start)


def parallel_loop(env: Any, steps: int = 6000) -> float:
    """Returns actions a second of PettingZoo's parallel loop, where all seats act at once."""
    draw, count = random.Random(0).random, 0
    start = time.perf_counter()
    while count < steps:
        observations, _ = env.reset(seed=count)
        while env.agents:
            actions = {}
            for agent in env.agents:
                legal = np.flatnonzero(observations[agent]["action_mask"])
                actions[agent] = int(legal[int(draw() * len(legal))])
            observations, *_ = env.step(actions)
            count += len(actions)
    return count / (time.perf_counter() - start)


def random_legal(masks: np.ndarray[Any, Any], rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Returns a random legal action a row."""
    return (rng.random(masks.shape, np.float32) * masks).argmax(axis=1)


def vector(game_id: str, num_envs: int = 1024, steps: int = 60) -> float:
    """Returns the learner's steps a second of Gymnasium's vector view against `random`."""
    env = gymnasium.make_vec(
        gymnasium_id(game_id, load(game_id).version),
        num_envs=num_envs,
        vectorization_mode="vector_entry_point",
    )
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=0)
    start = time.perf_counter()
    for _ in range(steps):
        *_, info = env.step(random_legal(info["action_mask"], rng))
    return steps * num_envs / (time.perf_counter() - start)


def single(game_id: str, steps: int = 4000) -> float:
    """Returns the learner's steps a second of Gymnasium's single-seat view against `random`."""
    env = gymnasium.make(gymnasium_id(game_id, load(game_id).version)).unwrapped
    draw = random.Random(0).random
    _, info = env.reset(seed=0)
    start = time.perf_counter()
    for _ in range(steps):
        legal = np.flatnonzero(info["action_mask"])
        _, _, terminated, truncated, info = env.step(int(legal[int(draw() * len(legal))]))
        if terminated or truncated:
            _, info = env.reset()
    return steps / (time.perf_counter() - start)


def openspiel() -> dict[tuple[str, str], float]:
    """Returns steps a second of OpenSpiel by game and view; nothing if it is not installed."""
    if find_spec("pyspiel") is None:
        install = 'pip install -c constraints.txt -e ".[bench]"'
        print(f"No rows of OpenSpiel, it is not installed: {install}", file=sys.stderr)
        return {}
    from peers import GAMES, VIEWS, openspiel_loop

    return {
        (game, view): best(lambda g=game, o=observe: openspiel_loop(g, o))
        for game in GAMES
        for view, observe in VIEWS.items()
    }


def main() -> None:
    """Measures everything and writes results/throughput."""
    where, rows = conditions(), []
    four = connect_four_v3.env()
    peer = best(lambda: aec_loop(four))
    peer_sampled = best(lambda: aec_loop_with_space_sampling(four))
    spiel, fastest = openspiel(), {}
    if spiel:
        where["versions"]["open_spiel"] = version("open_spiel")
        game, view = max(spiel, key=spiel.__getitem__)
        fastest = {f"x OpenSpiel ({game})": spiel[game, view]}

    def row(game: str, view: str, speed: float, aec: float = peer) -> None:
        found = {"game": game, "view": view, "steps/s": f"{speed:,.0f}"}
        for title, other in {"x connect_four_v3 AEC": aec, **fastest}.items():
            times = speed / other
            found[title] = f"{times:,.1f}" if times >= 1 else f"{times:.2g}"
        rows.append(found)

    row("connect_four_v3 (PettingZoo)", "AEC", peer)
    row("connect_four_v3 (PettingZoo)", "AEC, space.sample(mask)", peer_sampled, peer_sampled)
    for (game, view), speed in spiel.items():
        row(f"{game} (OpenSpiel)", view, speed)
    for game_id in dino_envs.list_games():
        env = dino_envs.make(game_id)
        row(game_id, "batch, 1 thread", best(lambda g=game_id: batched(g, 1)))
        row(game_id, "batch, 2 threads", best(lambda g=game_id: batched(g, 2)))
        row(game_id, "AEC", best(lambda e=env: aec_loop(e)))
        sampled = best(lambda e=env: aec_loop_with_space_sampling(e))
        row(game_id, "AEC, space.sample(mask)", sampled, peer_sampled)
        if load(game_id).simultaneous:
            parallel = SimultaneousEnv(game_id)
            row(game_id, "parallel", best(lambda e=parallel: parallel_loop(e)))
        row(game_id, "Gymnasium vector, 1024", best(lambda g=game_id: vector(g)))
        row(game_id, "Gymnasium single seat", best(lambda g=game_id: single(g)))
        state = f"{load(game_id).state.itemsize} bytes a game"
        rows.append(
            {**dict.fromkeys(rows[0], ""), "game": game_id, "view": "state", "steps/s": state}
        )
    write("throughput", "Steps a second, random play, single process", where, rows)


if __name__ == "__main__":
    main()
