"""DQN that knows which actions are legal, when it acts and in its targets.

Stable-Baselines3's own DQN learns unchanged. What it sees of a position ends with the position's
mask; its networks value illegal actions at minus infinity, so neither the best action nor a
target's maximum is ever one of them. Only exploring had to be written anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from stable_baselines3 import DQN
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn
from stable_baselines3.dqn.policies import DQNPolicy, QNetwork

from dino_training.policy import Parts, columns
from dino_training.vec_env import SelfPlayVecEnv

Arrays = dict[str, npt.NDArray[Any]]

_OF_BUFFER = ("observations", "actions", "rewards", "dones")


class MasksInView(VecEnvWrapper):
    """Shows float32 [B, the parts' places + A]: the parts of an observation, and the mask.

    In a final position, where nothing can be played, the mask is all 1: no maximum is then over
    nothing.
    """

    venv: SelfPlayVecEnv

    def __init__(self, venv: SelfPlayVecEnv, parts: Parts) -> None:
        self._places = columns(parts)
        layout, actions = venv.games.game.observation, np.ones(venv.games.game.actions.size)
        low = np.concatenate([layout.low[self._places], 0 * actions])
        high = np.concatenate([layout.high[self._places], actions])
        super().__init__(venv, spaces.Box(low.astype(np.float32), high.astype(np.float32)))

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """Returns a new array of what the learner sees at its turn."""
        return self._view(self.venv.observations, self.venv.games.masks)

    def _view(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float32]:
        return np.concatenate([observations[:, self._places], masks.astype(np.float32)], axis=1)

    def reset(self) -> npt.NDArray[np.float32]:
        """Deals every game anew and returns what the learner sees."""
        self.venv.reset()
        return self.observations

    def step_wait(self) -> VecEnvStepReturn:
        """Plays on to the learner's next turn in every game."""
        _, rewards, done, infos = self.venv.step_wait()
        for i in np.flatnonzero(done):
            final = infos[i]["terminal_observation"][None]
            all_ones = np.ones((1, self.venv.games.game.actions.size), np.int8)
            infos[i]["terminal_observation"] = self._view(final, all_ones)[0]
        return self.observations, rewards, done, infos


class MaskedQNetwork(QNetwork):
    """Values the actions of positions that end with their masks."""

    def forward(self, obs: Any) -> torch.Tensor:
        """Returns float32 [N, A], minus infinity where an action is illegal."""
        legal = obs[:, -int(self.action_space.n) :] != 0
        return super().forward(obs).masked_fill(~legal, -torch.inf)


class MaskedDQNPolicy(DQNPolicy):
    """A network for the values of actions, and its target, which know what is legal."""

    def make_q_net(self) -> MaskedQNetwork:
        """Returns a new network."""
        arguments = self._update_features_extractor(self.net_args, features_extractor=None)
        return MaskedQNetwork(**arguments).to(self.device)


class MaskedDQN(DQN):
    """Explores by legal actions, drawn for each game by itself from PyTorch's stream."""

    def predict(
        self,
        observation: Any,
        state: Any = None,
        episode_start: Any = None,
        deterministic: bool = False,
    ) -> tuple[npt.NDArray[np.int64], None]:
        """Returns legal actions [N] for positions that end with their masks."""
        rate = 0.0 if deterministic else self.exploration_rate
        return self._explored(np.asarray(observation), rate), None

    def _sample_action(
        self, learning_starts: int, action_noise: Any = None, n_envs: int = 1
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        rate = 1.0 if self.num_timesteps < learning_starts else self.exploration_rate
        assert isinstance(self._last_obs, np.ndarray)
        actions = self._explored(self._last_obs, rate)
        return actions, actions

    def _explored(
        self, observations: npt.NDArray[np.float32], rate: float
    ) -> npt.NDArray[np.int64]:
        seen = torch.as_tensor(observations)
        with torch.no_grad():
            values = self.q_net(seen)
        best = values.argmax(dim=1)
        drawn = torch.multinomial(seen[:, -values.shape[1] :], 1)[:, 0]  # evenly of the mask's ones
        explores = torch.rand(len(seen)) < rate
        return np.asarray(torch.where(explores, drawn, best).numpy())

    def replay_arrays(self) -> Arrays:
        """Returns what the replay buffer holds, and how far it and the target's clock are."""
        buffer = self.replay_buffer
        assert buffer is not None
        rows = buffer.buffer_size if buffer.full else buffer.pos + 1  # the last is what came next
        place = [buffer.pos, int(buffer.full), self._n_calls]
        return {
            **{name: getattr(buffer, name)[:rows] for name in _OF_BUFFER},
            "place": np.array(place, np.int64),
        }

    def fits(self, arrays: Mapping[str, npt.NDArray[Any]]) -> bool:
        """Returns whether arrays are those of a replay buffer of this size."""
        buffer = self.replay_buffer
        assert buffer is not None
        place = arrays.get("place", np.zeros(0))
        if arrays.keys() != {*_OF_BUFFER, "place"} or place.shape != (3,):
            return False
        if place.dtype != np.int64 or not 0 <= place[0] < buffer.buffer_size or place[2] < 0:
            return False
        rows = buffer.buffer_size if place[1] else int(place[0]) + 1
        return all(
            arrays[name].dtype == getattr(buffer, name).dtype
            and arrays[name].shape == (rows, *getattr(buffer, name).shape[1:])
            for name in _OF_BUFFER
        )

    def load_replay_arrays(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Goes on with what `replay_arrays` returned."""
        buffer = self.replay_buffer
        assert buffer is not None
        for name in _OF_BUFFER:
            getattr(buffer, name)[: len(arrays[name])] = arrays[name]
        buffer.pos, buffer.full = int(arrays["place"][0]), bool(arrays["place"][1])
        self._n_calls = int(arrays["place"][2])
