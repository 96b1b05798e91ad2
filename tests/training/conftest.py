"""What the tests of training share: small runs that leave the other cores alone."""

import signal
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs dino-envs[train]")

import torch
from dino_training.config import Config, load_config
from dino_training.league import League
from dino_training.policy import Net, NetLayout
from dino_training.vec_env import SelfPlayVecEnv
from rich.console import Console

from dino_envs.engine import Game
from dino_envs.games import load

SMALL = [
    "num_envs=32",
    "threads=1",
    "ppo.n_steps=8",
    "ppo.batch_size=256",
    "ppo.n_epochs=1",
    "network.hidden=[16]",
    "opponents.shares={greedy: 1, snapshot: 1}",
    "opponents.snapshot_every=512",
    "opponents.pool_size=2",
    "evaluation.every=0",
    "evaluation.final_games=20",
    "evaluation.against=[random]",
    "saving.every_steps=256",
    "options.target=40",
    "total_steps=1536",
]
"""Settings of a run of six updates of 256 decisions."""

SMALL_DQN = ["dqn.buffer_size=512", "dqn.learning_starts=200", "dqn.batch_size=64",
             "dqn.target_update_interval=300"]  # fmt: skip
"""The same, besides, of DQN: its replay buffer is soon full."""

SMALL_ALONE = [
    *(setting for setting in SMALL if not setting.startswith("options.")),
    "options.num_players=1",
    "reward=score",
    "reward_scale=10",
]
"""The same of a game that one player plays alone."""

MIXED = {"greedy": 1.0, "random": 1.0, "snapshot": 2.0}
"""Shares of opponents of every kind."""


@pytest.fixture(autouse=True)
def _own_streams() -> Iterator[None]:
    """Leaves the global random streams and torch's threads as they were."""
    threads, stream = torch.get_num_threads(), torch.get_rng_state()
    numpy_stream = np.random.get_state()  # noqa: NPY002
    yield
    torch.set_num_threads(threads)
    torch.set_rng_state(stream)
    np.random.set_state(numpy_stream)  # noqa: NPY002


@pytest.fixture(autouse=True)
def _ctrl_c_is_heard() -> Iterator[None]:
    """Takes Ctrl-C as usual: what a script runs in the background is told to ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def dice() -> Game:
    return load("dino_dice")


def small(*settings: str) -> Config:
    """Returns the config of a small run."""
    return load_config(None, [*SMALL, *settings])


def small_of(algorithm: str, *settings: str) -> Config:
    """Returns the config of a small run of an algorithm."""
    told = [s for s in SMALL if algorithm != "dqn" or not s.startswith("ppo.")]
    more = SMALL_DQN if algorithm == "dqn" else []
    return load_config(None, [f"algorithm={algorithm}", *told, *more, *settings])


def quiet() -> Console:
    """Returns a console whose text is `console.file.getvalue()`."""
    return Console(file=StringIO(), width=200)


def random_net(game: Game, seed: int) -> Net:
    """Returns a network with random weights, far from uniform play."""
    layout = NetLayout(
        inputs=game.observation.size,
        parts=((0, game.observation.size),),
        outputs=game.actions.size,
        hidden=(8,),
        activation="tanh",
    )
    generator = torch.Generator().manual_seed(seed)
    return Net(
        layout, {k: torch.randn(shape, generator=generator) for k, shape in layout.shapes().items()}
    )


def make_env(
    game: Game, num_envs: int = 16, shares: dict[str, float] | None = None, **settings: Any
) -> SelfPlayVecEnv:
    """Returns an env; `snapshots` nets are added to its pool, the rest goes to the env."""
    options = settings.get("options", {})
    snapshots = settings.pop("snapshots", 0)
    league = League(game, {"greedy": 1.0} if shares is None else shares, options=options)
    env = SelfPlayVecEnv(game, num_envs, league, **{"seed": 7, **settings})
    for number in range(snapshots):
        env.add_snapshot(random_net(game, number))
    return env


def hashed_choice(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Chooses legal actions that depend on each row alone, as if at random."""
    weights = np.cos(np.arange(1, masks.shape[1] + 1) * (1 + observations.sum(axis=1))[:, None])
    return np.where(masks, weights, -np.inf).argmax(axis=1)


Steps = Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, Sequence[dict[str, Any]]]]


def play(env: SelfPlayVecEnv, steps: int) -> Steps:
    """Resets the env and yields what each of so many steps returns."""
    observations = env.reset()
    for _ in range(steps):
        observations, *rest = env.step(hashed_choice(observations, env.action_masks()))
        yield observations, *rest
