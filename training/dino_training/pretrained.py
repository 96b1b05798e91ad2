"""Policies that come with the package: small checkpoints of what plays alone."""

from __future__ import annotations

from pathlib import Path

import safetensors.torch

from dino_envs.engine import Game, UnknownAgentError
from dino_training import checkpoint, disk
from dino_training.checkpoint import DESCRIPTION, FORMAT, WEIGHTS, Checkpoint, CheckpointError

LARGEST = 1_000_000
"""Bytes that the files of one policy may have together: the package stays small."""

_KEPT = (
    "game",
    "game_version",
    "observation",
    "actions",
    "options",
    "config",
    "seed",
    "steps",
    "seconds",
    "evaluation",
    "versions",
)
"""What is kept of a checkpoint's description: how to play it, what it is and how well it plays."""


def pretrained_folder() -> Path:
    """Returns where the policies lie that come with the package, each in a folder of its own."""
    return checkpoint.PACKAGED


def packaged(game: Game) -> dict[str, Checkpoint]:
    """Returns the policies of a game that come with the package by the names of their configs.

    A config, and so a policy, is named after its game: `dino_dice`, or `dino_dice_other`.

    Raises:
        CheckpointError: one is damaged, or of another version of the game.
    """
    places = sorted(path.parent for path in pretrained_folder().glob(f"*/{DESCRIPTION}"))
    named = [path for path in places if f"{path.name}_".startswith(f"{game.id}_")]
    return {path.name: checkpoint.load(path, game) for path in named}


def policy_for(game: Game, players: int) -> Checkpoint:
    """Returns the policy of a game that has learnt with so many players, else its main one.

    The main one is that of the game's own config, and has the game's name.

    Raises:
        CheckpointError: see `packaged`.
        UnknownAgentError: there is none.
    """
    policies = packaged(game)
    fitting = [name for name, policy in policies.items() if policy.num_players == players]
    name = game.id if game.id in fitting or not fitting else fitting[0]
    if name not in policies:
        setting = f" --set options.num_players={players}"
        raise UnknownAgentError(
            f"no policy of {game.id} with {players} players comes with the package: train one with "
            f"`dino-envs train {game.id}{setting if players != game.default_players else ''}`, "
            "then it is checkpoint:PATH"
        )
    return policies[name]


def export(found: Checkpoint, folder: Path) -> Path:
    """Writes what plays of a checkpoint into a folder, as the package holds it; returns the folder.

    It plays exactly as the checkpoint does, and cannot be resumed. What was exported there before
    is replaced, anything else is not.

    Raises:
        CheckpointError: the checkpoint is damaged or too large, or the folder cannot be written,
            or holds something else.
    """
    if folder.exists() and not _is_exported(folder):
        raise CheckpointError(f"{folder} holds something else than an exported policy: left alone")
    layout, weights = found.layout.playing(), found.weights()
    data = safetensors.torch.save({name: weights[name] for name in layout.shapes()})
    kept = {key: found.description[key] for key in _KEPT if key in found.description}
    description = {"format": FORMAT, **kept, "network": layout.model_dump()}
    files = disk.described(description, {WEIGHTS: data})
    size = sum(map(len, files.values()))
    if size > LARGEST:
        raise CheckpointError(
            f"{found.folder} plays by {size:,} bytes, {LARGEST:,} at most can be packaged: "
            "train a smaller network (network.hidden)"
        )
    disk.write_alone(folder, files)
    return folder


def _is_exported(folder: Path) -> bool:
    """Returns whether a folder holds what `export` writes, and nothing else."""
    if {path.name for path in folder.iterdir()} != {DESCRIPTION, WEIGHTS}:
        return False
    return not checkpoint.load(folder).layout.whole
