"""Writes the generated parts of the README pages, and the games' pictures.

`--check` writes nothing and only says whether the pages are up to date.

A part stands between `<!-- generated: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot

import dino_envs
from dino_envs.agents import make_agent
from dino_envs.engine import Game
from dino_envs.evaluation import baselines
from dino_envs.games import load
from dino_envs.views.registration import gymnasium_id

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
_LONG = 40
"""Characters of a default that a table does not repeat: the page tells it above."""
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def markdown(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Returns a table."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *([str(cell) for cell in row] for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def games_table() -> str:
    """Returns the table of all games."""
    games = [load(game_id) for game_id in dino_envs.list_games()]
    return markdown(
        ["game", "PettingZoo", "Gymnasium", "players", "actions", "observation", "what it asks"],
        (
            (
                f"[{game.title}](dino_envs/games/{game.id}/README.md)",
                f"`dino_envs.{game.full_id}`",
                f"`{gymnasium_id(game.id, game.version)}`",
                f"{game.min_players}-{game.max_players} ({game.default_players})",
                game.actions.size,
                game.observation.size,
                game.summary,
            )
            for game in games
        ),
    )


def options_table(game: Game) -> str:
    """Returns the table of a game's options."""
    return markdown(
        ["option", "default", "values", "meaning"],
        (
            (
                f"`{name}`",
                f"`{text}`" if len(text := option.text(option.default)) < _LONG else "as above",
                option.values,
                option.doc,
            )
            for name, option in game.all_options.items()
        ),
    )


def spaces_table(game: Game) -> str:
    """Returns the tables of a game's actions and observation."""
    actions = markdown(
        ["actions", "numbers", "for example"],
        (
            (
                f"`{block}` ({size})",
                f"{game.actions.start(block)} to {game.actions.start(block) + size - 1}",
                f"`{game.view.action_name(game.actions.start(block) + size - 1)}`",
            )
            for block, size in game.actions.blocks.items()
        ),
    )
    fields, start = [], 0
    for field in game.observation.fields:
        shape = " x ".join(map(str, field.shape))
        place = f"{start} to {start + field.size - 1}" if field.size > 1 else str(start)
        fields.append(
            (f"`{field.name}`", shape, place, f"{field.low:g} to {field.high:g}", field.doc)
        )
        start += field.size
    observation = markdown(["observation", "shape", "place", "range", "meaning"], fields)
    return (
        f"`Discrete({game.actions.size})`, a mask int8 [{game.actions.size}]; observations float32 "
        f"[{game.observation.size}]; a state of {game.state.itemsize} bytes.\n\n"
        f"{actions}\n{observation}"
    )


def results_table(
    name: str,
    game: Game | None = None,
    last_of: Sequence[str] = (),
    last: int = 1,
    without: Sequence[str] = (),
) -> str:
    """Returns a table of benchmarks/results, the rows of one game if one is given.

    With `last_of`, of the rows that have the same values in these columns only the `last` ones.
    Columns that are named in `without`, or say nothing, are left out.
    """
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return ""
    data = json.loads(path.read_text())
    names = (game.id, game.full_id) if game else ()
    rows = [row for row in data["rows"] if game is None or row.get("game") in names]
    if last_of:
        alike = groupby(rows, key=lambda row: [row[column] for column in last_of])
        rows = [row for _, group in alike for row in list(group)[-last:]]
    if not rows:
        return ""
    left_out = {*without, *(["game"] if game else [])}
    titles = [title for title in rows[0] if title not in left_out]
    titles = [title for title in titles if any(row[title] != "" for row in rows)]
    measured = f"\n{data['title']}. Measured {data['date']}, {data['machine']}.\n"
    return markdown(titles, ([row[title] for title in titles] for row in rows)) + measured


def filled(page: Path, parts: dict[str, Callable[[], str]]) -> str:
    """Returns a page with its generated parts as they should be."""

    def part(match: re.Match[str]) -> str:
        name = match[2]
        made = parts[name]() if name in parts else results_table(name)
        return f"{match[1]}\n{made}\n{match[3]}"

    return PART.sub(part, page.read_text())


def draw(game: Game) -> None:
    """Writes a game's picture: halfway through a game of three strong scripted players."""
    table = {"num_players": 3}
    agent = make_agent(baselines(game, table)[-1], game, table)
    env = dino_envs.make(game.id, render_mode="rgb_array", **table)
    played(env, agent, played(env, agent, -1) // 2)
    pyplot.imsave(ROOT / "dino_envs" / "games" / game.id / "picture.png", env.render())


def played(env: Any, agent: Any, moves: int) -> int:
    """Plays a game for so many moves, -1 for all; returns how many there were."""
    env.reset(seed=12)
    streams, count = np.ones(1, np.uint64), 0
    while count != moves and not env.position.over:
        seen = env.observe(env.agent_selection)
        observation, mask = seen["observation"][None], seen["action_mask"][None]
        env.step(int(agent.act(observation, mask, streams)[0]))
        count += 1
    return count


def pages() -> dict[Path, str]:
    """Returns every page with generated parts, as it should be."""
    front = {
        "games": games_table,
        "learning": partial(
            results_table,
            "learning",
            last_of=["config", "algorithm"],
            without=["game", "players", "points", "games"],
        ),
        "pretrained": partial(
            results_table,
            "pretrained",
            last_of=["config", "players"],
            last=2,
            without=["game", "training seed"],
        ),
    }
    found = {ROOT / "README.md": filled(ROOT / "README.md", front)}
    for game_id in dino_envs.list_games():
        game, page = load(game_id), ROOT / "dino_envs" / "games" / game_id / "README.md"
        found[page] = filled(
            page,
            {
                "options": partial(options_table, game),
                "spaces": partial(spaces_table, game),
                "ladder": partial(results_table, "ladder", game),
                "tables": partial(results_table, "tables", game),
                "learning": partial(results_table, "learning", game),
                "pretrained": partial(results_table, "pretrained", game),
            },
        )
    return found


def main() -> None:
    """Writes the pages, or with `--check` exits with 1 if one is out of date."""
    stale = [path for path, text in pages().items() if path.read_text() != text]
    if "--check" in sys.argv[1:]:
        if stale:
            names = ", ".join(str(path.relative_to(ROOT)) for path in stale)
            sys.exit(f"out of date: {names}; run python benchmarks/pages.py")
        return
    for path, text in pages().items():
        path.write_text(text)
    for game_id in dino_envs.list_games():
        draw(load(game_id))


if __name__ == "__main__":
    main()
