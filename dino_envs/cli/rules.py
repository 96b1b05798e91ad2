"""A game explained at the terminal: the rules from its page, and the signs of its text."""

from __future__ import annotations

import shutil
from importlib.resources import files

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from dino_envs.engine import Game

_HEADING = "## The rules in a page"
_WIDEST = 100
"""Longer lines are hard to read."""


def rules(game: Game) -> str:
    """Returns the rules as Markdown, from README.md in the game's folder; "" without any."""
    try:
        page = files(game.module).joinpath("README.md").read_text("utf-8")
    except (ModuleNotFoundError, OSError, TypeError):  # TypeError: the module is no folder
        return ""
    _, heading, rest = f"\n{page}".partition(f"\n{_HEADING}\n")
    return heading.lstrip() + rest.partition("\n## ")[0].rstrip() + "\n" if heading else ""


def explain(game: Game) -> None:
    """Prints the rules of a game and the signs of its text, as wide as the terminal."""
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    console = Console(width=width, markup=False, highlight=False)
    found = rules(game)
    if found:
        console.print(Markdown(found))
    if game.view.signs:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        for sign, meaning in game.view.signs.items():
            grid.add_row(f"  {sign}", meaning)
        console.print("\nSigns:")
        console.print(grid)
