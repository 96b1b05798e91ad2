"""The commands `dino-envs train` and `dino-envs tune`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from dino_envs.engine import Game
    from dino_training.config import Config

_SETTINGS = typer.Option(
    "--set", metavar="KEY=VALUE", help="Overrides a key of the config; repeatable."
)


_CONFIG = typer.Option(
    help="A YAML file of differences, or the name of one that is shipped; else the game's own."
)


def train(
    game_id: Annotated[str, typer.Argument(metavar="GAME", help="What is learnt.")],
    config: Annotated[Path | None, _CONFIG] = None,
    settings: Annotated[list[str] | None, _SETTINGS] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Short for --set seed=...")] = None,
    out: Annotated[
        Path | None, typer.Option(show_default="runs/GAME-TIME", help="The run's folder.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(help="Go on with the run in this folder, or from one of its checkpoints."),
    ] = None,
    show_config: Annotated[
        bool, typer.Option("--show-config", help="Show all keys and their values; train nothing.")
    ] = False,
) -> None:
    """Trains a policy against bots and its past selves, and scores it on the baselines.

    Where one player can play alone, --set options.num_players=1 trains for points.

    Example: dino-envs train dino_dice --set total_steps=2e6 --out runs/first
    """
    from rich.console import Console

    from dino_envs.games import load

    game = load(game_id)
    chosen = [*(settings or []), *([] if seed is None else [f"seed={seed}"])]
    if resume is not None and (config is not None or out is not None):
        raise typer.BadParameter("a resumed run keeps its config and folder; change keys by --set")
    told = _config(game, config, chosen, resume)
    console = Console()
    if show_config:
        console.print(_keys(game, told))
    else:
        _train(game, told, out, resume, console)


def _count(text: str) -> int:
    """Takes 2e6 for the whole number it is."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not (number >= 1 and number.is_integer()):
        raise typer.BadParameter(f"{text!r}: a whole number, 1 or more, is wanted")
    return int(number)


_TRIALS = typer.Option(min=1, show_default="30", help="How many in the whole study.")
_STEPS = typer.Option(parser=_count, metavar="N", show_default="1e6", help="Decisions in a trial.")
_SEED = typer.Option(
    min=0, max=2**32 - 1, show_default="0", help="Fixes what is tried, and every trial."
)
_STUDY = typer.Option(show_default="runs/GAME-tune-TIME", help="The study's folder.")
_GO_ON = typer.Option(help="Go on with the study in this folder; --trials makes more.")


def tune(
    game_id: Annotated[str, typer.Argument(metavar="GAME", help="What is learnt.")],
    trials: Annotated[int | None, _TRIALS] = None,
    steps: Annotated[int | None, _STEPS] = None,
    config: Annotated[Path | None, _CONFIG] = None,
    settings: Annotated[list[str] | None, _SETTINGS] = None,
    seed: Annotated[int | None, _SEED] = None,
    out: Annotated[Path | None, _STUDY] = None,
    resume: Annotated[Path | None, _GO_ON] = None,
) -> None:
    """Searches hyper-parameters for training by short runs, each scored on the baselines.

    Writes best.yaml, which `dino-envs train --config` takes, trials.csv and report.png. The score
    is the mean over the ladder; --set evaluation.against=... chooses its rungs.

    Example: dino-envs tune dino_dice --trials 50 --steps 2e6 --out runs/tuned
    """
    from dino_envs.games import load

    if resume is not None and any(v is not None for v in (steps, config, settings, seed, out)):
        raise typer.BadParameter("a resumed study keeps all that it was started with but --trials")
    game = load(game_id)
    if resume is not None:
        _search(game, resume, trials, None)
    else:
        base = _config(game, config, settings or [], None)
        folder = out or Path("runs") / f"{game.id}-tune-{datetime.now():%Y%m%d-%H%M%S}"
        _search(game, folder, trials, (base, steps or 1_000_000, seed or 0))


def _search(
    game: Game, folder: Path, trials: int | None, new: tuple[Config, int, int] | None
) -> None:
    """Starts a study of a config, steps and seed, or goes on with the one that is there."""
    from rich.console import Console

    from dino_training import tuning
    from dino_training.progress import say

    console = Console()
    try:
        if new is None:
            best = tuning.go_on(game, folder, trials, console)
        else:
            config, steps, seed = new
            told = tuning.new_settings(game, config, trials or 30, steps, seed)
            best = tuning.start(game, told, folder, console)
    except KeyboardInterrupt:
        begun = (folder / tuning.SETTINGS).exists()
        hint = f"go on with: dino-envs tune {game.id} --resume {folder}"
        say(console, "stopped; " + (hint if begun else "no study has been begun"))
        raise typer.Exit(130) from None
    say(console, f"saved as {best}, with trials.csv and report.png beside it; train by it:")
    say(console, f"  dino-envs train {game.id} --config {best}")


def _train(
    game: Game, config: Config, out: Path | None, resume: Path | None, console: Console
) -> None:
    from dino_envs.evaluation import report
    from dino_training import checkpoint
    from dino_training.progress import say
    from dino_training.train import trained

    if resume is not None:
        folder = checkpoint.run_of(checkpoint.find(resume))
    else:
        folder = out or Path("runs") / f"{game.id}-{datetime.now():%Y%m%d-%H%M%S}"
    try:
        written, results = trained(game, config, resume or folder, resume is not None, console)
    except KeyboardInterrupt:
        saved = (folder / "latest").exists()
        hint = f"go on with: dino-envs train {game.id} --resume {folder}"
        say(console, "stopped; " + (hint if saved else "nothing is kept before a checkpoint"))
        raise typer.Exit(130) from None
    if results:
        console.print(report.table(game, results))
    players = game.complete(config.options)["num_players"]
    table = game.id + (f" --num-players {players}" if players != game.default_players else "")
    if players == 1:
        say(console, f"saved as {written}; watch it:")
        say(console, f"  dino-envs watch {table} --agents checkpoint:{folder}")
    else:
        side = "with" if game.is_cooperative(config.options) else "against"
        say(console, f"saved as {written}; play {side} it:")
        say(console, f"  dino-envs play {table} --opponent checkpoint:{folder}")


def _config(game: Game, file: Path | None, settings: list[str], resume: Path | None) -> Config:
    from dino_training.config import config_path, load_config

    if resume is not None:
        from dino_training.train import resumed_config

        return load_config(None, settings, resumed_config(game, resume), game)
    if file is not None and not file.exists():
        file = config_path(file.stem) or file  # one that is shipped, by its name
    return load_config(file or config_path(game.id), settings, None, game)


def _keys(game: Game, config: Config) -> Table:
    """Returns every key of a config that is read, the game's options among them, as a table."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(
        title=f"How {game.id} is trained; --set KEY=VALUE changes it",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column("key", no_wrap=True)
    table.add_column("value", overflow="fold", max_width=30)
    table.add_column("what it does", overflow="fold")
    for key, value, default, meaning in _rows(game, config):
        usual = f" Default: {default}" if default != value else ""
        table.add_row(key, escape(value), escape(meaning + usual))
    return table


def _rows(game: Game, config: Config) -> Iterator[tuple[str, str, str, str]]:
    """Yields each key that is read: its value and its default as they are typed, its meaning."""
    from dino_training.config import readers
    from dino_training.config_text import as_typed, explained

    for key, value, default, meaning in explained(config):
        if readers(key) and config.algorithm not in readers(key):
            continue
        yield key, as_typed(value), as_typed(default), meaning
        for name, option in game.all_options.items() if key == "options" else ():
            chosen = option.text(config.options.get(name, option.default)).replace(",", ", ")
            default = option.text(option.default).replace(",", ", ")
            yield f"options.{name}", chosen, default, f"{option.doc}; {option.values}."
