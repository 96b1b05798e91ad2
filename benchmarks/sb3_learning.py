"""Measures how many environment steps a second MaskablePPO learns from, ours and the usual way.

The usual way is PettingZoo's tutorial for connect four: one environment, wrapped so that
Stable-Baselines3 takes it for a single-agent one, every agent's turn a step. Ours is the shipped
config. Both count decisions of the learner with updates included, start-up left out.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import gymnasium
from dino_training.config import config_path, load_config
from dino_training.learner import Learner
from pettingzoo.classic import connect_four_v3
from pettingzoo.utils import BaseWrapper
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from table import conditions, write

import dino_envs
from dino_envs.games import load


class AsSingleAgent(BaseWrapper, gymnasium.Env):
    """Shows an AEC environment to Stable-Baselines3 as the tutorial does."""

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Starts a game; returns the first agent's view."""
        super().reset(seed, options)
        self.observation_space = super().observation_space(self.possible_agents[0])["observation"]
        self.action_space = super().action_space(self.possible_agents[0])
        return self.observe(self.agent_selection), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays the present agent's action; returns the next agent's view."""
        super().step(action)
        return super().last()

    def observe(self, agent: str) -> Any:
        """Returns an agent's view without the mask."""
        return super().observe(agent)["observation"]

    def action_mask(self) -> Any:
        """Returns what the agent to move may do."""
        return super().observe(self.agent_selection)["action_mask"]


class _Clock(BaseCallback):
    """Notes steps and time at the start of each rollout, from the second on."""

    def __init__(self) -> None:
        super().__init__()
        self.marks: list[tuple[int, float]] = []

    def _on_rollout_start(self) -> None:
        self.marks.append((self.num_timesteps, time.perf_counter()))

    def _on_step(self) -> bool:
        return True

    @property
    def speed(self) -> float:
        """Returns steps a second between the second and the last mark."""
        (first, start), (last, end) = self.marks[1], self.marks[-1]
        return (last - first) / (end - start)


def tutorial(steps: int = 12_000) -> float:
    """Returns the learning speed of the tutorial's way."""
    env = AsSingleAgent(connect_four_v3.env())
    env.reset(seed=42)
    model = MaskablePPO("MlpPolicy", ActionMasker(env, AsSingleAgent.action_mask), seed=0)
    clock = _Clock()
    model.learn(steps, callback=clock)
    return clock.speed


def ours(game_id: str, updates: int = 14) -> float:
    """Returns the learning speed of a game's shipped config."""
    config = load_config(config_path(game_id))
    learner, clock = Learner(load(game_id), config), _Clock()
    with tempfile.TemporaryDirectory() as folder:
        learner.model.set_logger(configure(str(Path(folder)), []))
        learner.model.learn(updates * config.num_envs * config.ppo.n_steps, callback=clock)
    return clock.speed


def main() -> None:
    """Measures both and writes results/sb3_learning."""
    where = conditions()
    peer = tutorial()
    rows = [
        {
            "what": "connect_four_v3, PettingZoo's tutorial way",
            "steps/s": f"{peer:,.0f}",
            "x tutorial": "1.0",
        }
    ]
    for game_id in dino_envs.list_games():
        speed = ours(game_id)
        rows.append(
            {
                "what": f"{game_id}, shipped config",
                "steps/s": f"{speed:,.0f}",
                "x tutorial": f"{speed / peer:.1f}",
            }
        )
    write(
        "sb3_learning", "Steps a second that MaskablePPO learns from, updates included", where, rows
    )


if __name__ == "__main__":
    main()
