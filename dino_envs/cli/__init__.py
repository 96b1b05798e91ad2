"""The program `dino-envs`."""

from __future__ import annotations

from typing import Annotated

import typer

from dino_envs.cli import catalogue, competing, evaluating, playing
from dino_envs.cli.program import Program

app = typer.Typer(cls=Program, add_completion=False, rich_markup_mode="rich")
app.command("games")(catalogue.games)
app.command("inspect")(catalogue.inspect)
app.command("play")(playing.play)
app.command("watch")(playing.watch)
app.command("evaluate")(evaluating.evaluate)
app.command("tournament")(competing.tournament)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"dino-envs {version('dino-envs')}")
        raise typer.Exit


@app.callback()
def start(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Dinosaur tabletop games as reinforcement-learning environments.

    Example: dino-envs play dino_dice --opponent optimal
    """
    if isinstance(context.command, Program):
        context.command.debug = debug


def main() -> None:
    """Runs the program with the arguments of the command line, and exits."""
    app(prog_name="dino-envs")
