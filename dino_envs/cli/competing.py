"""The command that has agents play each other, all pairs."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dino_envs.cli.arguments import GameId, Players, Settings, parse_options, split_specs

if TYPE_CHECKING:
    from dino_envs.engine import Game
    from dino_envs.evaluation.tournament import Tournament


def tournament(
    game: GameId,
    agents: Annotated[
        str | None,
        typer.Option(metavar="SPEC,...", help="Who play.", show_default="all scripted agents"),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games of each pair.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Fixes all chance.")] = 0,
    num_players: Players = None,
    settings: Settings = None,
    threads: Annotated[
        int, typer.Option(min=0, help="Threads; 0: every core. The results are the same.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Where the results go.", show_default="runs/GAME-tournament-TIME"
        ),
    ] = None,
) -> None:
    """Plays all pairs of agents, and rates them.

    Every pair plays the same seeds from every seat. The folder gets tournament.json, ratings.csv,
    payoff.csv, and the pictures payoff.png and ratings.png.

    Example: dino-envs tournament dino_dice --agents greedy,expected,checkpoint:runs/mine
    """
    from rich.console import Console

    from dino_envs.evaluation import baselines, plots, standings
    from dino_envs.games import load

    declared = load(game)
    options = parse_options(declared, settings, num_players)
    specs = baselines(declared, options) if agents is None else split_specs(agents)
    _check_specs(specs)
    plots.check()
    players = _players(declared, specs, options)
    folder = out or Path("runs") / f"{declared.id}-tournament-{datetime.now():%Y%m%d-%H%M%S}"
    _check_folder(folder)
    played = _played(declared, players, games, seed, options, threads or None)
    standings.write(folder, declared, played, options)
    console = Console()
    console.print(standings.payoff_table(declared, played, options))
    console.print(standings.ratings_table(played))
    console.out(f"written to {folder}: {', '.join(standings.FILES)}", highlight=False)


def _check_specs(specs: list[str]) -> None:
    if len(specs) < 2:
        raise typer.BadParameter(f"--agents names {specs[0]} alone: a tournament needs two or more")
    twice = [spec for i, spec in enumerate(specs) if spec in specs[:i]]
    if twice:
        raise typer.BadParameter(f"--agents names {twice[0]} twice")


def _check_folder(folder: Path) -> None:
    """Makes the folder, and refuses one that cannot be written before the games are played."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise typer.BadParameter(f"--out {folder}: {error.filename} is a file") from error
    except OSError as error:
        raise typer.BadParameter(f"--out {folder}: {str(error.strerror).lower()}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise typer.BadParameter(f"--out {folder}: the folder cannot be written")


def _players(game: Game, specs: list[str], options: dict[str, Any]) -> dict[str, Any]:
    from dino_envs.agents import make_agent

    return {spec: make_agent(spec, game, options) for spec in specs}


def _played(
    game: Game,
    players: dict[str, Any],
    games: int,
    seed: int,
    options: dict[str, Any],
    threads: int | None,
) -> Tournament:
    from functools import partial

    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    from dino_envs.evaluation.tournament import games_to_play, play_tournament

    columns = (*Progress.get_default_columns()[:-1], MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        total = games_to_play(game, options, len(players), games)
        task = progress.add_task("games", total=total)
        return play_tournament(
            game,
            players,
            games=games,
            seed=seed,
            options=options,
            threads=threads,
            progress=partial(progress.advance, task),
        )
