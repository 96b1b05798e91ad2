"""Copies a scripted agent at the beginning of a run: what to do, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.utils import LinearSchedule
from torch.nn.functional import mse_loss

from dino_envs.agents import Agent, make_agent
from dino_envs.agents.agent import choose
from dino_envs.engine import Game
from dino_envs.engine.seeding import branched_episodes
from dino_training.config import Config
from dino_training.vec_env import SelfPlayVecEnv

_STREAMS = 2**32
"""The first seed of the teacher's streams: those of games and network are smaller."""


def teacher(game: Game, config: Config, done: int) -> Agent | None:
    """Returns whom a run that has made so many steps still copies, None if nobody.

    Raises:
        UnknownAgentError: there is no such agent, or it cannot play the options or a variant.
    """
    copied = config.copied
    if copied is None or done >= config.imitation.steps:
        return None
    for variant in config.variants:
        make_agent(copied, game, {**config.options, **variant})
    return make_agent(copied, game, config.options)


def imitate(
    model: MaskablePPO, env: SelfPlayVecEnv, teacher: Agent, until: int, first_rate: float | None
) -> Iterator[int]:
    """Has the teacher decide in the learner's place, and fits policy and value to what it does.

    Yields the steps made so far after every update, until there are `until`. Updates are as large
    as PPO's, with its optimizer, batches and epochs; the learning rate falls from `first_rate` to
    PPO's first, so that it can go on where this ends. A run that is interrupted goes on as if it
    had not been.
    """
    last = model.lr_schedule(1.0)
    rate = LinearSchedule(last if first_rate is None else first_rate, last, 1.0)
    if model._last_obs is None:
        model._last_obs = env.reset()
        model._last_episode_starts = np.ones(env.num_envs, np.bool_)
    while model.num_timesteps < until:
        buffer = _watched(model, env, teacher)
        for group in model.policy.optimizer.param_groups:
            group["lr"] = rate(1 - model.num_timesteps / until)
        for _ in range(model.n_epochs):
            _fit(model, buffer)
        yield model.num_timesteps


def _watched(model: MaskablePPO, env: SelfPlayVecEnv, teacher: Agent) -> MaskableRolloutBuffer:
    """Returns what the teacher has done for as many decisions as PPO collects for an update."""
    buffer: MaskableRolloutBuffer = model.rollout_buffer
    buffer.reset()
    # The teacher's streams follow from the steps: a checkpoint need not keep them.
    streams = branched_episodes(_STREAMS + model.num_timesteps, env.num_envs)
    unused = torch.zeros(env.num_envs)
    for _ in range(model.n_steps):
        observations, masks = model._last_obs, env.action_masks()
        batch = env.games.batch
        seen = (batch.states, observations, masks.astype(np.int8))
        actions = np.asarray(choose(teacher, batch.game, *seen, streams))
        values = _values(model, observations)
        following, rewards, dones, _ = env.step(actions)
        starts = model._last_episode_starts
        buffer.add(
            observations, actions[:, None], rewards, starts, values, unused, action_masks=masks
        )
        model._last_obs, model._last_episode_starts = following, dones
        model.num_timesteps += env.num_envs
    buffer.compute_returns_and_advantage(_values(model, model._last_obs), dones)
    return buffer


def _values(model: MaskablePPO, observations: np.ndarray) -> torch.Tensor:
    with torch.no_grad():
        values: torch.Tensor = model.policy.predict_values(torch.from_numpy(observations))
    return values


def _fit(model: MaskablePPO, buffer: MaskableRolloutBuffer) -> None:
    """Goes once through the buffer: the teacher's actions likelier, the returns foreseen better."""
    policy = model.policy
    policy.set_training_mode(True)
    for seen in buffer.get(model.batch_size):
        values, likelihoods, _ = policy.evaluate_actions(
            seen.observations, seen.actions.long().flatten(), action_masks=seen.action_masks
        )
        loss = model.vf_coef * mse_loss(values.flatten(), seen.returns) - likelihoods.mean()
        policy.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), model.max_grad_norm)
        policy.optimizer.step()
