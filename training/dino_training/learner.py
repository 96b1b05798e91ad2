"""The learner: a model with its games and opponents, and all that a checkpoint keeps of it."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import safetensors.numpy
import safetensors.torch
import torch

from dino_envs.engine import Game
from dino_envs.engine.kernel import usable_cores
from dino_training import algorithms
from dino_training.checkpoint import (
    DESCRIPTION,
    WEIGHTS,
    Checkpoint,
    damaged,
    describe_game,
    package_versions,
)
from dino_training.config import Config
from dino_training.dqn import MaskedDQN
from dino_training.league import League, Records
from dino_training.policy import Net, NetLayout
from dino_training.vec_env import SelfPlayVecEnv

OPTIMIZER, GAMES, SNAPSHOTS = "optimizer.safetensors", "games.safetensors", "snapshots.safetensors"
REPLAY = "replay.safetensors"
"""DQN's replay buffer."""
SB3 = "sb3.zip"

_RECORDS_SINCE = 4
"""The first format that has the records of the league."""

_LARGEST_LOGIT = 1e7
"""sb3-contrib gives illegal actions a logit of -1e8: legal ones must stay far from that."""

_NOT_FOR_SB3 = ["_last_obs", "_last_episode_starts", "_last_original_obs", "ep_info_buffer"]


class Learner:
    """A policy that learns, at one moment between two updates."""

    def __init__(self, game: Game, config: Config) -> None:
        self.game, self.config = game, config
        threads = config.threads or usable_cores()
        torch.set_num_threads(threads)
        league = League(
            game,
            config.opponents.shares,
            pool_size=config.opponents.pool_size,
            options=config.options,
            variants=config.variants,
        )
        self.env = SelfPlayVecEnv(
            game,
            config.num_envs,
            league,
            reward=config.reward,
            reward_scale=config.reward_scale,
            illegal_penalty=algorithms.illegal_penalty(config),
            seed=config.seed,
            threads=threads,
            options=config.options,
            variants=config.variants,
        )
        self.layout = NetLayout(
            kind=algorithms.net_kind(config),
            inputs=game.observation.size,
            parts=tuple(game.observation.used(self.env.games.batch.num_players)),
            outputs=game.actions.size,
            hidden=tuple(config.network.hidden),
            activation=config.network.activation,
        )
        self.model = algorithms.make_model(self.env, self.layout, config)
        self.env.add_snapshot(self.net(), 0)

    @property
    def steps(self) -> int:
        """Returns how many decisions have been made."""
        return int(self.model.num_timesteps)

    def net(self) -> Net:
        """Returns a copy of the policy's network as it is now."""
        return Net(self.layout, self.model.policy.state_dict())

    def has_diverged(self) -> bool:
        """Returns whether weights are no numbers, or the policy's answers none it can play by."""
        if not all(bool(weight.isfinite().all()) for weight in self.model.policy.parameters()):
            return True
        logits = self.net().logits(self.env.games.observations)
        return not bool((np.abs(logits) < _LARGEST_LOGIT).all())

    def files(self) -> dict[str, bytes]:
        """Returns the files of a checkpoint: all that is needed to play, and to go on."""
        policy = self.model.policy
        snapshots = {
            f"{number}/{name}": weight
            for number, net in self.env.league.snapshots().items()
            for name, weight in net.weights.items()
        }
        zipped = io.BytesIO()
        self.model.save(zipped, exclude=_NOT_FOR_SB3)
        replay = {}
        if isinstance(self.model, MaskedDQN):
            replay[REPLAY] = safetensors.numpy.save(self.model.replay_arrays())
        return {
            WEIGHTS: safetensors.torch.save(policy.state_dict()),
            OPTIMIZER: safetensors.torch.save(_moments(policy.optimizer)),
            GAMES: safetensors.numpy.save(self._arrays()),
            SNAPSHOTS: safetensors.torch.save(snapshots),
            **replay,
            SB3: zipped.getvalue(),
        }

    def description(self) -> dict[str, Any]:
        """Returns what a checkpoint says about the learner in JSON."""
        env, groups = self.env, self.model.policy.optimizer.state_dict()["param_groups"]
        return {
            **describe_game(self.game),
            "options": self.game.complete(self.config.options),
            "steps": self.steps,
            "updates": self.model._n_updates,
            "network": self.layout.model_dump(),
            "algorithm": self.config.algorithm,
            "seed": self.config.seed,
            "games": {
                "finished": env.finished,
                "skipped": env.games.skipped,
                "illegal": env.illegal,
                "paid": env.paid,
            },
            "snapshots_added": env.league.added,
            "optimizer": groups,
            "numpy_stream": _numpy_stream()["pos"],
            "versions": package_versions(),
        }

    def restore(self, checkpoint: Checkpoint) -> None:
        """Goes on from a checkpoint of a run with the same config.

        Raises:
            CheckpointError: one of its files is damaged.
        """
        self._check_description(checkpoint)
        policy, told, model = self.model.policy, checkpoint.description, self.model
        places = len(self.env.league.records.games)
        arrays, moments = _kept_arrays(checkpoint, places), checkpoint.tensors(OPTIMIZER)
        self._check_arrays(checkpoint, arrays)
        self._check_optimizer(checkpoint, moments)
        if isinstance(model, MaskedDQN):
            self._restore_replay(checkpoint, model)
        policy.load_state_dict(checkpoint.weights())
        policy.optimizer.load_state_dict(_optimizer_state(moments, told["optimizer"]))
        self._restore_league(checkpoint)
        self.env.load_arrays(arrays)
        counts = told["games"]
        self.env.finished, self.env.games.skipped = counts["finished"], counts["skipped"]
        self.env.illegal = counts.get("illegal", 0)
        self.env.paid = {name: tuple(paid) for name, paid in counts["paid"].items()}
        model.num_timesteps, model._n_updates = told["steps"], told["updates"]
        algorithms.set_progress(model, self.config)
        model._last_obs = model.env.observations
        model._last_episode_starts = arrays["starts"]
        torch.set_rng_state(torch.from_numpy(arrays["torch_stream"]))
        stream = {"key": arrays["numpy_stream"], "pos": told["numpy_stream"]}
        np.random.set_state({"bit_generator": "MT19937", "state": stream})  # noqa: NPY002  # the stream SB3 shuffles by

    def _restore_replay(self, checkpoint: Checkpoint, model: MaskedDQN) -> None:
        arrays = checkpoint.arrays(REPLAY)
        if not model.fits(arrays):
            raise damaged(checkpoint.folder, f"{REPLAY} does not fit the run")
        model.load_replay_arrays(arrays)

    def _restore_league(self, checkpoint: Checkpoint) -> None:
        for number, net in kept_snapshots(checkpoint, self.env.league.pool_size).items():
            self.env.league.added = number
            self.env.add_snapshot(net)
        self.env.league.added = checkpoint.description["snapshots_added"]

    def _check_description(self, checkpoint: Checkpoint) -> None:
        """Compares what a checkpoint says with this learner, which is made by the same config."""
        told, algorithm = checkpoint.description, self.config.algorithm
        learnt = told.get("algorithm") or algorithm  # earlier checkpoints do not say
        if learnt != algorithm:
            what = f"its weights are of {learnt}, its config is of {algorithm}"
        elif checkpoint.layout != self.layout:
            what = f"the network in {DESCRIPTION} is not that of its config"
        elif told["games"]["paid"].keys() != self.env.paid.keys():
            what = f"games.paid in {DESCRIPTION} does not fit the opponents of its config"
        else:
            return
        raise damaged(checkpoint.folder, what)

    def _check_arrays(self, checkpoint: Checkpoint, arrays: dict[str, Any]) -> None:
        """Compares names, shapes and types of the arrays with those of this run."""
        kinds = [
            {name: (array.shape, array.dtype) for name, array in some.items()}
            for some in (arrays, self._arrays())
        ]
        if kinds[0] != kinds[1]:
            wrong = sorted({*kinds[0].items()} ^ {*kinds[1].items()}, key=str)[0][0]
            raise damaged(checkpoint.folder, f"{wrong!r} in {GAMES} does not fit the run")

    def _check_optimizer(self, checkpoint: Checkpoint, moments: dict[str, torch.Tensor]) -> None:
        """Compares the optimizer's settings and tensors with the network's weights."""
        optimizer, told = self.model.policy.optimizer, checkpoint.description["optimizer"]
        weights = [weight for group in optimizer.param_groups for weight in group["params"]]
        expected: dict[str, tuple[int, ...]] = {}
        for number, weight in enumerate(weights):
            shape = tuple(weight.shape)
            expected |= {f"{number}/step": (), f"{number}/exp_avg": shape}
            expected[f"{number}/exp_avg_sq"] = shape
        settings = json.loads(json.dumps(optimizer.state_dict()["param_groups"]))
        fits = _but_rates(told) == _but_rates(settings)
        if not fits or _shapes(moments) not in ({}, expected):
            raise damaged(checkpoint.folder, "the optimizer's state does not fit the network")

    def _arrays(self) -> dict[str, Any]:
        starts = self.model._last_episode_starts
        return {
            **self.env.state_arrays(),
            "starts": np.ones(self.env.num_envs, np.bool_) if starts is None else starts,
            "torch_stream": torch.get_rng_state().numpy(),
            "numpy_stream": _numpy_stream()["key"],
        }


def kept_snapshots(checkpoint: Checkpoint, pool_size: int) -> dict[int, Net]:
    """Returns the snapshots in a checkpoint by the number in which they were added, ascending.

    They are the newest ones, and at least those of a pool of `pool_size`.

    Raises:
        CheckpointError: their file is damaged, or lacks some.
    """
    weights: dict[int, dict[str, torch.Tensor]] = {}
    for path, weight in checkpoint.tensors(SNAPSHOTS).items():
        number, _, name = path.partition("/")
        weights.setdefault(int(number) if number.isdecimal() else -1, {})[name] = weight
    added, shapes = checkpoint.description["snapshots_added"], checkpoint.layout.shapes()
    newest = list(range(max(0, added - len(weights)), added)) if weights else []
    there = sorted(weights) == newest and len(weights) >= min(added, pool_size)
    if not there or any(_shapes(net) != shapes for net in weights.values()):
        raise damaged(checkpoint.folder, f"{SNAPSHOTS} does not fit the network")
    return {number: Net(checkpoint.layout, weights[number]) for number in sorted(weights)}


def kept_records(checkpoint: Checkpoint, places: int) -> Records:
    """Returns the records of the places for snapshots in a checkpoint of so many places.

    Raises:
        CheckpointError: their file is damaged.
    """
    records, arrays = Records(places), _kept_arrays(checkpoint, places)
    for name, array in records.arrays().items():
        found = arrays.get(name)
        if found is None or (found.shape, found.dtype) != (array.shape, array.dtype):
            raise damaged(checkpoint.folder, f"{name!r} in {GAMES} does not fit the run")
        array[...] = found
    return records


def _kept_arrays(checkpoint: Checkpoint, places: int) -> dict[str, Any]:
    """Returns the arrays of a checkpoint's games, with new records where it has none yet."""
    arrays = checkpoint.arrays(GAMES)
    if checkpoint.description["format"] < _RECORDS_SINCE:
        return {**arrays, **Records(places).arrays()}
    lost = arrays.get("pool_lost")
    if lost is None or not ((lost >= 0) & (lost <= 1)).all():
        raise damaged(checkpoint.folder, f"'pool_lost' in {GAMES} does not fit the run")
    return arrays


def _shapes(tensors: dict[str, torch.Tensor]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(tensor.shape) for name, tensor in tensors.items()}


def _numpy_stream() -> dict[str, Any]:
    """Returns NumPy's global stream, by which Stable-Baselines3 shuffles."""
    state: dict[str, Any] = np.random.get_state(legacy=False)["state"]  # noqa: NPY002  # the stream SB3 shuffles by
    return state


def _moments(optimizer: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """Returns Adam's tensors with names `parameter/kind`."""
    return {
        f"{parameter}/{kind}": value
        for parameter, kinds in optimizer.state_dict()["state"].items()
        for kind, value in kinds.items()
    }


def _but_rates(groups: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the optimizer's settings without the learning rates, which fall."""
    return [{**group, "lr": 0} for group in groups]


def _optimizer_state(moments: dict[str, torch.Tensor], groups: list[Any]) -> dict[str, Any]:
    state: dict[int, dict[str, torch.Tensor]] = {}
    for path, value in moments.items():
        parameter, _, kind = path.partition("/")
        state.setdefault(int(parameter), {})[kind] = value
    return {"state": state, "param_groups": groups}
