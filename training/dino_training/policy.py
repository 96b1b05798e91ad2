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

from dino_training.noise import gumbels

Weights = Mapping[str, torch.Tensor]

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh, "silu": nn.SiLU}


Parts = tuple[tuple[int, int], ...]


class NetLayout(BaseModel):
    """The shape of a network, as a checkpoint keeps it in JSON."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    inputs: int
    parts: Parts
    """The parts [start, stop) of the inputs that it looks at; the others are always 0."""
    outputs: int
    hidden: tuple[int, ...]
    activation: Literal["relu", "tanh", "silu"]

    @model_validator(mode="after")
    def _parts_lie_in_inputs(self) -> NetLayout:
        edges = [edge for part in self.parts for edge in part]
        if not edges or edges != sorted({*edges}) or edges[0] < 0 or edges[-1] > self.inputs:
            raise ValueError(f"parts must rise within 0 to {self.inputs}")
        return self

    def policy_arguments(self) -> dict[str, Any]:
        """Returns the `policy_kwargs` of Stable-Baselines3's MlpPolicy.

        Policy and value have a network of this shape each; weights start orthogonal.
        """
        hidden = list(self.hidden)
        return {
            "net_arch": {"pi": hidden, "vf": list(hidden)},
            "activation_fn": ACTIVATIONS[self.activation],
            "features_extractor_class": Parted,
            "features_extractor_kwargs": {"parts": self.parts},
        }

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Returns the name and shape of each weight, as the MlpPolicy names them."""
        sizes = [len(columns(self.parts)), *self.hidden]
        shapes: dict[str, tuple[int, ...]] = {}
        for part in ("policy_net", "value_net"):
            for layer, (before, after) in enumerate(pairwise(sizes)):
                name = f"mlp_extractor.{part}.{2 * layer}"
                shapes |= {f"{name}.weight": (after, before), f"{name}.bias": (after,)}
        for name, outputs in (("action_net", self.outputs), ("value_net", 1)):
            shapes |= {f"{name}.weight": (outputs, sizes[-1]), f"{name}.bias": (outputs,)}
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
    """The policy's network alone, built from its layout and weights.

    It computes in float64: a position's best action then does not depend on how many others are
    in the same call, which float32 rounds differently.
    """

    def __init__(self, layout: NetLayout, weights: Weights) -> None:
        self.layout = layout
        self._places = columns(layout.parts)
        self.weights = {name: weights[name].detach().clone() for name in layout.shapes()}
        layers: list[nn.Module] = []
        for layer in range(len(layout.hidden)):
            layers += [
                _linear(self.weights, f"mlp_extractor.policy_net.{2 * layer}"),
                ACTIVATIONS[layout.activation](),
            ]
        self._layers = nn.Sequential(*layers, _linear(self.weights, "action_net"))

    def logits(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Returns float64 [N, A] from observations float32 [N, F]."""
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
    """Plays by a network: the best legal action, or with `sample` one drawn from the softmax."""

    def __init__(self, net: Net, *, sample: bool = False) -> None:
        self.net = net
        self.sample = sample

    def act(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        streams: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.int64]:
        """Chooses in N positions; see `dino_envs.agents.Agent.act`."""
        logits = self.net.logits(observations)
        if self.sample:
            logits = logits + gumbels(streams, logits.shape[1])
        return np.asarray(np.where(masks != 0, logits, -np.inf).argmax(axis=1), np.int64)

    def chances(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float64]:
        """Returns how likely it is to play each action, float64 [N, A]."""
        logits = np.where(masks != 0, self.net.logits(observations), -np.inf)
        if self.sample:
            weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        else:
            weights = np.zeros(logits.shape)
            weights[np.arange(len(logits)), logits.argmax(axis=1)] = 1.0
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))
