"""The network: what Stable-Baselines3 trains, and the same network rebuilt to play."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from pydantic import BaseModel, ConfigDict, model_validator
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from dino_envs.engine.batch import check_streams
from dino_training.noise import gumbels

EXPLORING = 0.05
"""Share of random legal actions where a network of action values plays with chance."""

Weights = Mapping[str, torch.Tensor]

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh, "silu": nn.SiLU}


Parts = tuple[tuple[int, int], ...]


class NetLayout(BaseModel):
    """The shape of a network, as a checkpoint keeps it in JSON."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["actor_critic", "q"] = "actor_critic"
    """A network for the policy and one for the value of the position, as the PPOs have them; or
    one for the values of the actions and its slower copy, the target, as DQN has them."""
    inputs: int
    parts: Parts
    """The parts [start, stop) of the inputs that it looks at; the others are always 0."""
    outputs: int
    hidden: tuple[int, ...]
    activation: Literal["relu", "tanh", "silu"]
    whole: bool = True
    """Whether the second of the two networks is there too; without it one can play, not learn."""

    @model_validator(mode="after")
    def _parts_lie_in_inputs(self) -> NetLayout:
        edges = [edge for part in self.parts for edge in part]
        if not edges or edges != sorted({*edges}) or edges[0] < 0 or edges[-1] > self.inputs:
            raise ValueError(f"parts must rise within 0 to {self.inputs}")
        return self

    def playing(self) -> NetLayout:
        """Returns the layout of what plays alone."""
        return self.model_copy(update={"whole": False})

    def policy_arguments(self) -> dict[str, Any]:
        """Returns the `policy_kwargs` of Stable-Baselines3 for a policy of these networks."""
        pi, vf = list(self.hidden), list(self.hidden)
        return {
            "net_arch": pi if self.kind == "q" else {"pi": pi, "vf": vf},
            "activation_fn": ACTIVATIONS[self.activation],
            "features_extractor_class": Parted,
            "features_extractor_kwargs": {"parts": self.parts},
        }

    def layers(self) -> list[list[str]]:
        """Returns the names of the layers, of what plays and, where it is whole, of the other.

        They are those that Stable-Baselines3's policies give them.
        """
        hidden = range(len(self.hidden))
        if self.kind == "q":
            nets = ("q_net.q_net", "q_net_target.q_net")
            both = [[f"{net}.{2 * n}" for n in (*hidden, len(hidden))] for net in nets]
        else:
            parts = (("policy_net", "action_net"), ("value_net", "value_net"))
            both = [[*(f"mlp_extractor.{p}.{2 * n}" for n in hidden), end] for p, end in parts]
        return both if self.whole else both[:1]

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Returns the name and shape of each weight, as Stable-Baselines3's policy names them."""
        ends = (self.outputs, self.outputs if self.kind == "q" else 1)
        shapes: dict[str, tuple[int, ...]] = {}
        for names, end in zip(self.layers(), ends, strict=False):
            sizes = pairwise([len(columns(self.parts)), *self.hidden, end])
            for name, (before, after) in zip(names, sizes, strict=True):
                shapes |= {f"{name}.weight": (after, before), f"{name}.bias": (after,)}
        return shapes


def columns(parts: Parts) -> list[int]:
    """Returns the places that lie in parts [start, stop)."""
    return [place for start, stop in parts for place in range(start, stop)]


class Parted(BaseFeaturesExtractor):
    """Takes the parts of an observation that a network looks at."""

    def __init__(self, observation_space: spaces.Box, parts: Parts) -> None:
        places = torch.tensor(columns(parts))
        super().__init__(observation_space, len(places))
        self._places = nn.Buffer(places, persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Returns float32 [N, the parts' places] from observations float32 [N, F]."""
        return observations.index_select(1, self._places)


class Net:
    """The network that plays, built from its layout and weights: of a policy, or of action values.

    It computes in float64: a position's best action then does not depend on how many others are
    in the same call, which float32 rounds differently.
    """

    def __init__(self, layout: NetLayout, weights: Weights) -> None:
        self.layout = layout
        self._places = columns(layout.parts)
        self.weights = {name: weights[name].detach().clone() for name in layout.shapes()}
        *hidden, last = layout.layers()[0]
        layers: list[nn.Module] = []
        for name in hidden:
            layers += [_linear(self.weights, name), ACTIVATIONS[layout.activation]()]
        self._layers = nn.Sequential(*layers, _linear(self.weights, last))

    def logits(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Returns float64 [N, A], the actions' values for DQN, from observations float32 [N, F]."""
        with torch.inference_mode():
            seen = torch.from_numpy(np.asarray(observations[:, self._places], np.float64))
            return np.asarray(self._layers(seen).numpy())


def _linear(weights: Weights, name: str) -> nn.Linear:
    weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    # On the device "meta" no random numbers are drawn for weights that are replaced at once.
    linear = nn.Linear(weight.shape[1], weight.shape[0], device="meta")
    linear.weight = nn.Parameter(weight.double(), requires_grad=False)
    linear.bias = nn.Parameter(bias.double(), requires_grad=False)
    return linear


class NetAgent:
    """Plays by a network: the best legal action, or with `sample` by chance.

    A policy then draws from its softmax. Action values have none: they play the best legal action,
    but any legal one in `EXPLORING` of all positions.
    """

    def __init__(self, net: Net, *, sample: bool = False) -> None:
        self.net = net
        self.sample = sample

    def act(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        streams: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.int64]:
        """Chooses in N positions; see `dino_envs.agents.Agent.act`.

        Raises:
            ArgumentError: actions are drawn, and these are no streams of N positions.
        """
        logits = self._logits(observations, masks)
        if self.sample:
            check_streams(streams, len(logits))
            logits = logits + gumbels(streams, logits.shape[1])
        return np.asarray(logits.argmax(axis=1), np.int64)

    def chances(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float64]:
        """Returns how likely it is to play each action, float64 [N, A]."""
        logits = self._logits(observations, masks)
        if self.sample:
            weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        else:
            weights = np.zeros(logits.shape)
            weights[np.arange(len(logits)), logits.argmax(axis=1)] = 1.0
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def _logits(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float64]:
        """Returns by what it chooses, float64 [N, A], -inf where an action is illegal."""
        logits = np.where(masks != 0, self.net.logits(observations), -np.inf)
        if self.sample and self.net.layout.kind == "q":
            return _exploring(logits)
        return np.asarray(logits)


def _exploring(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Returns log-probabilities [N, A] of exploring by values [N, A], -inf where illegal."""
    legal = values > -np.inf
    chances = legal * (EXPLORING / legal.sum(axis=1, keepdims=True))
    chances[np.arange(len(values)), values.argmax(axis=1)] += 1 - EXPLORING
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(chances))
