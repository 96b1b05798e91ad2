"""The command `dino-envs report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="A run's folder, or one of its checkpoints.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where the page goes.", show_default="RUN/report.html"),
    ] = None,
    games: Annotated[
        int, typer.Option(min=1, help="Games that are watched, and against each past snapshot.")
    ] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Fixes the chance of these games.")] = 0,
    exact: Annotated[
        bool,
        typer.Option(help="Where the game is solved, compute the loss against perfect play."),
    ] = True,
) -> None:
    """Tells a training run as one HTML page: curves, ladder, behaviour, league, configuration.

    The page needs no other file. In a solved game it tells the exact loss against perfect play,
    which takes some minutes.

    Example: dino-envs report runs/mine
    """
    from rich.console import Console

    from dino_envs.cli.arguments import check_place
    from dino_envs.evaluation import plots
    from dino_envs.evaluation.report import write_text
    from dino_training import run_page, run_record
    from dino_training.progress import say

    plots.check()
    told = run_record.load_run(run)
    place = out or told.folder / "report.html"
    check_place("--out", place)
    page = run_page.page(run_record.observe(told, games, seed, exact, Console(stderr=True)))
    write_text(place, page)
    say(Console(), f"written to {place}")
