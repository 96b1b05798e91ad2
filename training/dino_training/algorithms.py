"""The algorithms that a config can choose, made from it: all in which they differ for a run."""

from __future__ import annotations

from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.utils import LinearSchedule

from dino_training.config import Config
from dino_training.dqn import MaskedDQN, MaskedDQNPolicy, MasksInView
from dino_training.policy import NetLayout, columns
from dino_training.vec_env import SelfPlayVecEnv

_LOGGED_EPISODES = 16
"""Games of each place in the batch between two lines of DQN's log; PPO logs every update."""


def illegal_penalty(config: Config) -> float | None:
    """Returns what choosing an illegal action costs, None where none can be chosen."""
    return config.ppo.illegal_penalty if config.algorithm == "ppo" else None


def net_kind(config: Config) -> Any:
    """Returns the kind of the networks, see `NetLayout`."""
    return "q" if config.algorithm == "dqn" else "actor_critic"


def log_interval(config: Config) -> int:
    """Returns Stable-Baselines3's argument of that name: updates for PPO, games for DQN."""
    return _LOGGED_EPISODES * config.num_envs if config.algorithm == "dqn" else 1


def make_model(env: SelfPlayVecEnv, layout: NetLayout, config: Config) -> Any:
    """Returns the model of Stable-Baselines3, or of its contributors, that learns."""
    section = config.learning
    shared: dict[str, Any] = {
        "learning_rate": LinearSchedule(section.learning_rate, section.final_learning_rate, 1.0),
        "gamma": section.gamma,
        "max_grad_norm": section.max_grad_norm,
        "seed": config.seed,
        "device": "cpu",
    }
    if config.algorithm == "dqn":
        return _dqn(env, layout, config, shared)
    kind = MaskablePPO if config.algorithm == "maskable_ppo" else PPO
    ppo = config.ppo
    return kind(
        "MlpPolicy",
        env,
        n_steps=ppo.n_steps,
        batch_size=min(ppo.batch_size, config.update),
        n_epochs=ppo.n_epochs,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range,
        ent_coef=ppo.ent_coef,
        vf_coef=ppo.vf_coef,
        policy_kwargs=layout.policy_arguments(),
        **shared,
    )


def _dqn(
    env: SelfPlayVecEnv, layout: NetLayout, config: Config, shared: dict[str, Any]
) -> MaskedDQN:
    dqn = config.dqn
    return MaskedDQN(
        MaskedDQNPolicy,
        MasksInView(env, layout.parts),
        buffer_size=dqn.buffer_size,
        learning_starts=dqn.learning_starts,
        batch_size=dqn.batch_size,
        tau=dqn.tau,
        train_freq=dqn.train_freq,
        gradient_steps=dqn.gradient_steps,
        # A row's next observation is that of the next row: half the memory. After a game's end it
        # is the next game's, which does not matter, as nothing is expected from there.
        optimize_memory_usage=True,
        replay_buffer_kwargs={"handle_timeout_termination": False},
        target_update_interval=dqn.target_update_interval,
        exploration_fraction=dqn.exploration_fraction,
        exploration_initial_eps=dqn.exploration_initial_eps,
        exploration_final_eps=dqn.exploration_final_eps,
        policy_kwargs={
            **layout.policy_arguments(),
            "features_extractor_kwargs": {"parts": ((0, len(columns(layout.parts))),)},
        },
        **shared,
    )


def set_progress(model: Any, config: Config) -> None:
    """Sets what falls in the course of a run and Stable-Baselines3 sets too late or not at all."""
    done = min(1.0, model.num_timesteps / config.total_steps)
    if config.algorithm == "dqn":
        model.exploration_rate = model.exploration_schedule(1.0 - done)
    else:
        ppo = config.ppo
        model.ent_coef = ppo.ent_coef + done * (ppo.final_ent_coef - ppo.ent_coef)
