"""Plays what was learnt: the agent specs `checkpoint:PATH` and `pretrained`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dino_envs.agents import Agent
from dino_envs.engine import Game, UnknownAgentError
from dino_training.checkpoint import Checkpoint, OtherPlayersWarning, load
from dino_training.pretrained import policy_for

_MODES = {"": None, "sample": True, "sample=true": True, "sample=false": False}


def checkpoint_agent(game: Game, argument: str, options: Mapping[str, Any]) -> Agent:
    """Plays what a run has learnt: checkpoint:RUN its latest, checkpoint:RUN/best; ,sample draws.

    A path is the folder of a run (its latest checkpoint), of one checkpoint, or the file `best` in
    a run's folder: the checkpoint that was best on the ladder. The agent plays as it was scored
    (`evaluation.sample`): mostly the best action. With `,sample` (`,sample=true`) it draws actions
    from its probabilities, with `,sample=false` it does not; DQN, which has none, then plays a
    random action now and then.

    Raises:
        CheckpointError: there is no checkpoint, or none that can play the game.
        UnknownAgentError: the spec is not of this form.
    """
    path, _, mode = argument.partition(",")
    if not path or mode not in _MODES:
        raise UnknownAgentError(
            f"'checkpoint:{argument}': write checkpoint:PATH or checkpoint:PATH,sample"
        )
    return _player(load(Path(path), game), options, _MODES[mode])


def pretrained_agent(game: Game, argument: str, options: Mapping[str, Any]) -> Agent:
    """Plays the policy that comes with the package for each of its games; pretrained:sample draws.

    Raises:
        CheckpointError: it is damaged, or of another version of the game.
        UnknownAgentError: there is none, or the spec is not of this form.
    """
    if argument not in _MODES:
        raise UnknownAgentError(f"'pretrained:{argument}': write pretrained or pretrained:sample")
    return _player(policy_for(game, options["num_players"]), options, _MODES[argument])


def _player(found: Checkpoint, options: Mapping[str, Any], sample: bool | None) -> Agent:
    """Returns the agent of a checkpoint, and warns if it is to play what it has not learnt."""
    learnt, plays = found.num_players, options["num_players"]
    if learnt not in (None, plays):
        # It is told of the caller of `make_agent`, which calls the factory.
        warnings.warn(
            f"{found.folder} learnt with {learnt} players, plays {plays}",
            OtherPlayersWarning,
            stacklevel=4,
        )
    return found.player(sample=sample)
