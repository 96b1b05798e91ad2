"""The commands that say what there is; everything is computed from the declarations."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from dino_envs.cli.arguments import GameId

if TYPE_CHECKING:
    from rich.table import Table

    from dino_envs.engine import Game


_LONGEST = 60
"""Characters of a default that has parts within parts; the game's page has the whole."""


def games() -> None:
    """Lists the games.

    Example: dino-envs games
    """
    from rich.console import Console

    from dino_envs.games import games as ids
    from dino_envs.games import load

    table = _grid("id", "game", "players", "actions", "inputs")
    table.columns[0].no_wrap = True
    for game_id in ids():
        game = load(game_id)
        table.add_row(
            game.id,
            f"{game.title}: {game.summary}",
            f"{game.min_players}-{game.max_players}",
            str(game.actions.size),
            str(game.observation.size),
        )
    table.caption = "inputs: numbers in an observation; `dino-envs inspect ID` shows the rest"
    table.caption_justify = "left"
    Console(markup=False, highlight=False).print(table)


def inspect(game: GameId) -> None:
    """Shows a game's spaces, actions, observation, options and bots.

    Example: dino-envs inspect dino_dice
    """
    from rich.console import Console

    from dino_envs.games import load

    declared = load(game)
    console = Console(markup=False, highlight=False)
    console.print(f"{declared.title} ({declared.full_id}): {declared.summary}\n")
    for part in (_spaces, _actions, _fields, _options, _bots, _others):
        console.print(part(declared))
    console.print(_installed())


def _grid(*headings: str, title: str | None = None) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _spaces(game: Game) -> Table:
    from dino_envs.views.registration import SOLITAIRE, gymnasium_id

    table = _grid("what", "is", title="Spaces")
    together = "".join(f"; {players} play together" for players in sorted(game.cooperative))
    table.add_row("players", f"{game.min_players} to {game.max_players}{together}")
    for alone in (False, True) if game.min_players == 1 else (False,):
        name = game.id + (SOLITAIRE if alone else "")
        where = "PettingZoo, Gymnasium" + (", 1 player" if alone else "")
        module = f"dino_envs.{name}_v{game.version}"
        table.add_row(where, f"{module}, {gymnasium_id(name, game.version)}")
    if game.simultaneous:
        table.add_row("PettingZoo, all seats at once", f"dino_envs.{game.full_id}.parallel_env")
    table.add_row("action", f"Discrete({game.actions.size})")
    table.add_row("observation", f"Box, float32 ({game.observation.size},)")
    table.add_row("action mask", f"Box, int8 ({game.actions.size},), 1 where legal")
    table.add_row("state", f"{game.state.itemsize} bytes")
    return table


def _actions(game: Game) -> Table:
    table = _grid("block", "numbers", "first", "last", title="Actions")
    for block, size in game.actions.blocks.items():
        start = game.actions.start(block)
        last = start + size - 1
        numbers = str(start) if size == 1 else f"{start}-{last}"
        name = game.view.action_name
        table.add_row(block, numbers, name(start), name(last) if size > 1 else "")
    return table


def _fields(game: Game) -> Table:
    table = _grid("field", "shape", "within", "what it says", title="Observation, in this order")
    for field in game.observation.fields:
        bounds = f"{field.low:g} to {field.high:g}"
        shape = " x ".join(map(str, field.shape))
        table.add_row(field.name, shape, bounds, field.doc)
    return table


def _options(game: Game) -> Table:
    table = _grid("option", "default", "values", "what it does", title="Options")
    for name, option in game.all_options.items():
        default = _spaced(option.text(option.default))
        if default.startswith(("{", "[")):  # JSON
            default = textwrap.shorten(default, _LONGEST, placeholder=" ...")
        table.add_row(name, default, option.values, option.doc)
    return table


def _spaced(text: str) -> str:
    """Returns a value as it is typed, but with places where a line can end."""
    return text.replace(",", ", ")


def _bots(game: Game) -> Table:
    from dino_envs.agents import agent_names

    table = _grid("agent", "idea", "only with", title="Scripted agents, the weakest first")
    for name, idea in agent_names(game).items():
        bot = game.bots.get(name)
        only = [f"{option}={_spaced(bot.values(option))}" for option in bot.only] if bot else []
        table.add_row(name, idea, ", ".join(only))
    return table


def _others(game: Game) -> Table:
    from dino_envs.agents import built_in

    table = _grid("agent", "idea", title="Agents of every game")
    for spec, idea in built_in(game).items():
        table.add_row(spec, idea)
    return table


def _installed() -> Table:
    from dino_envs.agents import plugins
    from dino_envs.cli.docstring import first_paragraph, origin

    table = _grid("agent", "idea", title="Agents that are learnt or installed")
    for name, point in sorted(plugins().items()):
        table.add_row(name, first_paragraph(point) or f"from {origin(point)}")
    return table
