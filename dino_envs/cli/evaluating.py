"""The command that measures an agent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dino_envs.cli.arguments import (
    GameId,
    Players,
    Settings,
    check_place,
    parse_options,
    split_specs,
)

if TYPE_CHECKING:
    from rich.progress import Progress

    from dino_envs.engine import Game
    from dino_envs.evaluation import Result

_TO_STDOUT = Path("-")


def evaluate(
    game: GameId,
    agent: Annotated[str, typer.Option(metavar="SPEC", help="Who is scored.")],
    against: Annotated[
        str | None,
        typer.Option(metavar="SPEC,...", help="Opponents.", show_default="all scripted agents"),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games against each opponent.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Fixes all chance.")] = 0,
    num_players: Players = None,
    settings: Settings = None,
    json: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Writes the results there; - is standard output."),
    ] = None,
) -> None:
    """Scores an agent against others, the same number of games from every seat.

    An agent is a scripted one (see `inspect GAME`), `mcts:simulations=400`, `checkpoint:FOLDER`,
    `pretrained`, or `package.module:factory`. Where one player plays alone, both play and their
    points are compared; where all play together, both play at all seats and the games they win are.

    Example: dino-envs evaluate dino_dice --agent expected --against greedy,optimal --games 20000
    """
    from rich.console import Console

    from dino_envs.evaluation import report
    from dino_envs.games import load

    declared = load(game)
    options = parse_options(declared, settings, num_players)
    if json is not None and json != _TO_STDOUT:
        check_place("--json", json)
    opponents = None if against is None else split_specs(against)
    results = _scored(declared, agent, opponents, games, seed, options)
    if json == _TO_STDOUT:
        typer.echo(report.dumps(report.as_json(declared, results, options)), nl=False)
        return
    Console().print(report.table(declared, results))
    if json is not None:
        report.write_json(json, report.as_json(declared, results, options))


def _scored(
    game: Game,
    spec: str,
    opponents: list[str] | None,
    games: int,
    seed: int,
    options: dict[str, Any],
) -> list[Result]:
    import warnings
    from functools import partial

    from rich.markup import escape

    from dino_envs.agents import make_agent
    from dino_envs.evaluation import RepeatedGamesWarning, baselines, evaluate, plays_apart

    specs = baselines(game, options) if opponents is None else opponents
    agent = make_agent(spec, game, options)
    rivals = {name: make_agent(name, game, options) for name in specs}
    results = []
    total = 2 * games if plays_apart(game, options) else games  # apart, both play so many
    with _progress() as progress, warnings.catch_warnings():
        warnings.simplefilter("ignore", RepeatedGamesWarning)  # the table says it
        for name, rival in rivals.items():
            task = progress.add_task(escape(f"against {name}"), total=total)
            told: dict[str, Any] = {"games": games, "seed": seed, "options": options}
            told |= {"names": (spec, name), "progress": partial(progress.advance, task)}
            results.append(evaluate(game, agent, rival, **told))
    return results


def _progress() -> Progress:
    """Returns bars of games played, with the time left, where there is a terminal."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:-1], MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
