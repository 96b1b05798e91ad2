"""Plays a checkpoint: the agent spec `checkpoint:PATH`."""

from __future__ import annotations

from pathlib import Path

from dino_envs.agents import Agent
from dino_envs.engine import Game, UnknownAgentError
from dino_training.checkpoint import load
from dino_training.policy import NetAgent


def checkpoint_agent(game: Game, argument: str) -> Agent:
    """Returns the agent of a spec `checkpoint:PATH` or `checkpoint:PATH,sample=true`.

    PATH is the folder of a run (its latest checkpoint), of one checkpoint, or the file `best` in a
    run's folder. It plays the best action, or draws actions from its probabilities
    (`,sample` for short); DQN, which has none, then plays a random action now and then.

    Raises:
        CheckpointError: there is no checkpoint, or none that can play the game.
        UnknownAgentError: the spec is not of this form.
    """
    path, _, mode = argument.partition(",")
    if not path or mode not in ("", "sample", "sample=true"):
        raise UnknownAgentError(
            f"'checkpoint:{argument}': write checkpoint:PATH or checkpoint:PATH,sample=true"
        )
    return NetAgent(load(Path(path), game).net(), sample=bool(mode))
