"""Arguments that several commands take."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from dino_envs.engine import Game

GameId = Annotated[str, typer.Argument(metavar="GAME", help="The id of a game: see `games`.")]
Seed = Annotated[
    int | None, typer.Option("--seed", min=0, help="Fixes all chance.", show_default="a new one")
]
Players = Annotated[
    int | None,
    typer.Option(
        help="How many play; where 1 can, it plays for points.",
        show_default="the game's usual number",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="OPTION=VALUE", help="An option of the rules; repeatable."),
]


def parse_options(game: Game, settings: list[str] | None, players: int | None) -> dict[str, Any]:
    """Returns all options of a game from `option=value` texts and the number of players.

    Raises:
        OptionError: an option is unknown or out of range.
        typer.BadParameter: a text has no `=`, or an option is given twice.
    """
    known = game.all_options
    options: dict[str, Any] = {"num_players": players}
    for setting in settings or []:
        name, equals, text = setting.partition("=")
        if not equals:
            raise typer.BadParameter(f"--set {setting}: write option=value")
        if options.get(name) is not None:
            before = known[name].text(options[name]) if name in known else options[name]
            raise typer.BadParameter(f"--set {setting}: {name} is {before} already")
        options[name] = known[name].parse(text) if name in known else text
    return game.complete(options)


def split_specs(text: str) -> list[str]:
    """Splits agent specs at commas, but for those within a spec: `mcts:simulations=9,depth=3`."""
    specs: list[str] = []
    for part in text.split(","):
        before, equals, _ = part.partition("=")
        if specs and equals and ":" not in before:
            specs[-1] += f",{part}"
        elif part.strip():
            specs.append(part.strip())
    if not specs:
        raise typer.BadParameter("name at least one agent")
    return specs


def check_place(option: str, path: Path) -> None:
    """Refuses, before there is anything to write, a file that cannot be written."""
    if path.is_dir():
        raise typer.BadParameter(f"{option} {path}: that is a folder")
    if not path.parent.is_dir():
        raise typer.BadParameter(f"{option} {path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise typer.BadParameter(f"{option} {path}: the folder {path.parent} cannot be written")


def fresh_seed() -> int:
    """Returns a seed nobody chose, short enough to be typed again."""
    import secrets

    return secrets.randbelow(1_000_000)
