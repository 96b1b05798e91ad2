"""The commands that play a game at the terminal."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from dino_envs.cli.arguments import (
    GameId,
    Players,
    Seed,
    Settings,
    fresh_seed,
    parse_options,
    split_specs,
)

if TYPE_CHECKING:
    from dino_envs.cli.sitting import Sitting

_HELP = "Type the number of an action and Enter; q quits, ? shows this and the position again."


class Rendering(StrEnum):
    """How `watch` shows a position."""

    text = "text"
    human = "human"


def play(
    game: GameId,
    opponent: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Who plays all other seats.",
            show_default="the weakest scripted bot",
        ),
    ] = None,
    seat: Annotated[int, typer.Option(min=0, help="Your seat; seat 0 starts.")] = 0,
    seed: Seed = None,
    num_players: Players = None,
    settings: Settings = None,
) -> None:
    """Plays against an agent, at the terminal.

    Example: dino-envs play dino_dice --opponent optimal --seat 1
    """
    from dino_envs.agents import make_agent
    from dino_envs.cli.sitting import Sitting
    from dino_envs.games import load

    declared = load(game)
    options = parse_options(declared, settings, num_players)
    seats = options["num_players"]
    if seat >= seats:
        raise typer.BadParameter(
            f"--seat {seat}: there are {seats} players, seats 0 to {seats - 1}"
        )
    spec = opponent or next(iter(declared.bots), "random")
    agent = make_agent(spec, declared, options)
    chance = fresh_seed() if seed is None else seed
    players = [("you", None) if other == seat else (spec, agent) for other in range(seats)]
    typer.echo(f"{declared.title}: {declared.summary}. You are Player {seat}; --seed {chance}.")
    typer.echo(_HELP)
    try:
        _play_on(Sitting(declared, players, options, chance), seat)
    except (EOFError, KeyboardInterrupt):
        typer.echo("\nStopped.")


def _play_on(sitting: Sitting, seat: int) -> None:
    while not sitting.position.over:
        if sitting.mover == seat:
            action = _ask(sitting, seat)
            if action is None:
                typer.echo("Stopped.")
                return
        else:
            action = sitting.answer()
        typer.echo(sitting.play(action))
    typer.echo(f"\n{sitting.text(seat)}\n{sitting.ending()}")


def _ask(sitting: Sitting, seat: int) -> int | None:
    """Asks the person for an action; None is to quit."""
    choices = sitting.choices()
    _show(sitting, seat, choices)
    while True:
        answer = input("> ").strip().lower()
        if answer in ("q", "quit"):
            return None
        if answer == "?":
            typer.echo(_HELP)
            _show(sitting, seat, choices)
        elif answer.isdecimal() and len(answer) < 10 and 1 <= int(answer) <= len(choices):
            return choices[int(answer) - 1][0]
        elif answer:
            typer.echo(f"{answer!r} is none of them: type 1 to {len(choices)}, q or ?")


def _show(sitting: Sitting, seat: int, choices: list[tuple[int, str]]) -> None:
    typer.echo(f"\n{sitting.text(seat)}")
    for number, (_, meaning) in enumerate(choices, 1):
        typer.echo(f"{number:4d}  {meaning}")


def watch(
    game: GameId,
    agents: Annotated[
        str,
        typer.Option(metavar="SPEC,...", help="Who plays, seat by seat; one alone plays all."),
    ],
    seed: Seed = None,
    delay: Annotated[float, typer.Option(min=0, max=3600, help="Seconds between actions.")] = 0.0,
    render: Annotated[
        Rendering, typer.Option(help="As text, or as a window as well.")
    ] = Rendering.text,
    settings: Settings = None,
) -> None:
    """Shows agents playing a game, action by action.

    Example: dino-envs watch dino_dice --agents expected,optimal --seed 7
    """
    from dino_envs.agents import make_agent
    from dino_envs.cli.sitting import Sitting
    from dino_envs.games import load

    declared = load(game)
    specs = split_specs(agents)
    options = parse_options(declared, settings, len(specs) if len(specs) > 1 else None)
    if len(specs) == 1:
        specs *= options["num_players"]
    players = [(spec, make_agent(spec, declared, options)) for spec in specs]
    chance = fresh_seed() if seed is None else seed
    typer.echo(f"{declared.title}, as the player to move sees it; --seed {chance}.")
    _watch_on(Sitting(declared, players, options, chance), delay, render)


def _watch_on(sitting: Sitting, delay: float, render: Rendering) -> None:
    import time

    from dino_envs.views.canvas import Canvas

    canvas = Canvas(sitting.game, "human" if render is Rendering.human else None)
    try:
        while not sitting.position.over:
            typer.echo(f"\n{sitting.text(sitting.mover)}")
            canvas.changed(sitting.position.state)
            time.sleep(delay)
            typer.echo(sitting.play(sitting.answer()))
        typer.echo(f"\n{sitting.text()}\n{sitting.ending()}")
        canvas.changed(sitting.position.state)
        time.sleep(delay)
    finally:
        canvas.close()
