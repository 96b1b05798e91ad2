"""The command `dino-envs train`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from dino_envs.engine import Game
    from dino_training.config import Config

_SETTINGS = typer.Option(
    "--set", metavar="KEY=VALUE", help="Overrides a key of the config; repeatable."
)


def train(
    game_id: Annotated[str, typer.Argument(metavar="GAME", help="What is learnt.")],
    config: Annotated[
        Path | None,
        typer.Option(help="A YAML file of differences; without it the game's own is used."),
    ] = None,
    settings: Annotated[list[str] | None, _SETTINGS] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Short for --set seed=...")] = None,
    out: Annotated[
        Path | None, typer.Option(help="The run's folder. [default: runs/GAME-TIME]")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(help="Go on with the run in this folder, or from one of its checkpoints."),
    ] = None,
) -> None:
    """Trains a policy against bots and its past selves, and scores it on the baselines.

    Example: dino-envs train dino_dice --set total_steps=2e6 --out runs/first
    """
    from rich.console import Console

    from dino_envs.evaluation import report
    from dino_envs.games import load
    from dino_training import checkpoint
    from dino_training.progress import say
    from dino_training.train import trained

    game = load(game_id)
    chosen = [*(settings or []), *([] if seed is None else [f"seed={seed}"])]
    if resume is not None and (config is not None or out is not None):
        raise typer.BadParameter("a resumed run keeps its config and folder; change keys by --set")
    told = _config(game, config, chosen, resume)
    if resume is not None:
        folder = checkpoint.run_of(checkpoint.find(resume))
    else:
        folder = out or Path("runs") / f"{game_id}-{datetime.now():%Y%m%d-%H%M%S}"
    console = Console()
    say(console, f"training {game.id} into {folder}")
    try:
        written, results = trained(game, told, resume or folder, resume is not None, console)
    except KeyboardInterrupt:
        saved = (folder / "latest").exists()
        hint = f"go on with: dino-envs train {game.id} --resume {folder}"
        say(console, "stopped; " + (hint if saved else "nothing is kept before a checkpoint"))
        raise typer.Exit(130) from None
    if results:
        console.print(report.table(game, results))
    say(console, f"saved as {written}; play against it:")
    say(console, f"  dino-envs play {game.id} --opponent checkpoint:{folder}")


def _config(game: Game, file: Path | None, settings: list[str], resume: Path | None) -> Config:
    from dino_training.config import config_path, load_config
    from dino_training.train import resumed_config

    if resume is not None:
        return load_config(None, settings, resumed_config(game, resume))
    return load_config(file or config_path(game.id), settings)
