"""The commands that play a game at the terminal."""

from __future__ import annotations

import shutil
import textwrap
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

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
    from dino_envs.agents import Agent
    from dino_envs.cli.sitting import Sitting
    from dino_envs.engine import Game
    from dino_envs.views.picture import Window

_HELP = (
    "Type an action's number in the menu, or its name as in `dino-envs inspect {game}`, and "
    "Enter. ? explains the game, q quits."
)


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
    """Plays against an agent, or alone for points, at the terminal.

    Example: dino-envs play dino_dice --opponent optimal --seat 1
    """
    from dino_envs.cli.sitting import Sitting
    from dino_envs.games import load

    declared = load(game)
    options = parse_options(declared, settings, num_players)
    seats = options["num_players"]
    if seat >= seats:
        raise typer.BadParameter(
            f"--seat {seat}: there are {seats} players, seats 0 to {seats - 1}"
        )
    players = _seated(declared, seat, opponent, options)
    chance = fresh_seed() if seed is None else seed
    _say(f"{declared.title}: {declared.summary}. You are Player {seat}; --seed {chance}.")
    _say(_HELP.format(game=declared.id))
    try:
        _play_on(Sitting(declared, players, options, chance, seat))
    except (EOFError, KeyboardInterrupt):
        typer.echo("\nStopped.")


def _seated(
    game: Game, seat: int, opponent: str | None, options: dict[str, Any]
) -> list[tuple[str, Agent | None]]:
    """Returns who sits where: the person at a seat, the opponent at all others."""
    from dino_envs.agents import make_agent

    seats = options["num_players"]
    if seats > 1:
        spec = opponent or next(iter(game.bots), "random")
        agent = make_agent(spec, game, options)
        return [("you", None) if other == seat else (spec, agent) for other in range(seats)]
    if opponent is not None:
        raise typer.BadParameter(f"--opponent {opponent}: one player plays alone, against nobody")
    return [("you", None)]


def _play_on(sitting: Sitting) -> None:
    while not sitting.position.over:
        if sitting.mover == sitting.looker:
            action = _ask(sitting)
            if action is None:
                typer.echo("Stopped.")
                return
        else:
            action = sitting.answer()
        _say(sitting.play(action))
    typer.echo(f"\n{sitting.text()}")
    _say(sitting.ending())


def _say(told: str) -> None:
    """Prints a sentence, if there is any, within the width of the terminal."""
    width = shutil.get_terminal_size().columns
    for line in textwrap.wrap(told, max(40, width), subsequent_indent="  "):
        typer.echo(line)


def _ask(sitting: Sitting) -> int | None:
    """Asks the person for an action; None is to quit."""
    from dino_envs.cli.rules import explain

    choices = sitting.choices()
    name = sitting.game.view.action_name
    names = {name(action).lower(): action for action, _ in choices}
    _show(sitting, choices)
    while True:
        answer = input("> ").strip().lower()
        if answer in ("q", "quit"):
            return None
        if answer == "?":
            typer.echo()
            explain(sitting.game)
            typer.echo()
            _say(_HELP.format(game=sitting.game.id))
            _show(sitting, choices)
        elif answer.isdecimal() and len(answer) < 10 and 1 <= int(answer) <= len(choices):
            return choices[int(answer) - 1][0]
        elif answer in names:
            return names[answer]
        else:
            fault = _fault(sitting.game, answer)
            example = next(iter(names))
            _say(f"{fault}: type 1 to {len(choices)}, a name such as {example!r}, q or ?")


def _fault(game: Game, answer: str) -> str:
    """Returns what is wrong with an answer that is none of the choices."""
    from dino_envs.engine import UnknownActionError

    if not answer:
        return "Nothing is chosen"
    try:
        game.view.action_number(answer)
    except UnknownActionError:
        return f"{answer!r} is none of them"
    return f"{answer!r} is not legal now"


def _show(sitting: Sitting, choices: list[tuple[int, str]]) -> None:
    from dino_envs.cli import menu

    typer.echo(f"\n{sitting.text()}")
    meanings = [meaning for _, meaning in choices]
    typer.echo("\n".join(menu.lines(meanings, shutil.get_terminal_size().columns)))


def watch(
    game: GameId,
    agents: Annotated[
        str,
        typer.Option(metavar="SPEC,...", help="Who plays, seat by seat; one alone plays all."),
    ],
    actions_only: Annotated[
        bool, typer.Option("--actions-only", help="Leave out all positions but the last.")
    ] = False,
    seed: Seed = None,
    delay: Annotated[float, typer.Option(min=0, max=3600, help="Seconds between actions.")] = 0.0,
    render: Annotated[
        Rendering, typer.Option(help="As text, or as a window as well.")
    ] = Rendering.text,
    num_players: Players = None,
    settings: Settings = None,
) -> None:
    """Shows agents playing a game: every action, and the position turn by turn.

    Example: dino-envs watch dino_dice --agents expected,optimal --seed 7
    """
    from dino_envs.agents import make_agent
    from dino_envs.cli.sitting import Sitting
    from dino_envs.games import load

    declared = load(game)
    specs = split_specs(agents)
    if len(specs) > 1 and num_players not in (None, len(specs)):
        raise typer.BadParameter(f"--num-players {num_players}: --agents names {len(specs)}")
    options = parse_options(declared, settings, len(specs) if len(specs) > 1 else num_players)
    if len(specs) == 1:
        specs *= options["num_players"]
    players = [(spec, make_agent(spec, declared, options)) for spec in specs]
    chance = fresh_seed() if seed is None else seed
    _say(f"{declared.title}, as all players see it; --seed {chance}.")
    _watch_on(Sitting(declared, players, options, chance), delay, render, actions_only)


def _watch_on(sitting: Sitting, delay: float, render: Rendering, actions_only: bool) -> None:
    import time

    window = _window(sitting) if render is Rendering.human else None
    mover, alone = None, sitting.position.num_players == 1
    try:
        while not sitting.position.over:
            turns = (alone or sitting.mover != mover) and sitting.waits_for_a_new_mover
            if turns and not actions_only:
                typer.echo(f"\n{sitting.text()}")
            mover = sitting.mover
            if window is not None:
                window.show(sitting.svg())
            time.sleep(delay)
            _say(sitting.play(sitting.answer()))
        typer.echo(f"\n{sitting.text()}")
        _say(sitting.ending())
        if window is not None:
            window.show(sitting.svg())
        time.sleep(delay)
    finally:
        if window is not None:
            window.close()


def _window(sitting: Sitting) -> Window:
    from dino_envs.views.canvas import PICTURES_PER_SECOND
    from dino_envs.views.picture import Window

    return Window(sitting.game.title, PICTURES_PER_SECOND)
