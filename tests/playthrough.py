"""Writes the playthrough of a game: one short seeded random game, to be read by people.

    python tests/playthrough.py GAME [--seed N] [--set OPTION=VALUE ...]

It goes to tests/games/GAME/playthrough.txt and is compared by a test. One that differs is written
only if the game's version was raised: a version rises when the same seed and actions give something
else. Without --seed and --set the game is the one written there already.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from dino_envs.engine import EXTERNAL, TRUNCATED, Batch, Game
from dino_envs.engine.stream import choose_legal
from dino_envs.games import games, load

_MANY = 8
"""So many equal numbers in a row are written as one."""


class VersionNotRaisedError(Exception):
    """The game plays differently, and its version is still the old one."""


def playthrough(game: Game, seed: int, options: dict[str, Any]) -> str:
    """Returns the text of one random game, from the state's fields and what the mover sees."""
    lines = [line for text in _decisions(game, seed, options) for line in _wrapped(text)]
    known = game.all_options
    written = " ".join(f"{name}={known[name].text(value)}" for name, value in options.items())
    head = [f"game: {game.id}", f"version: {game.version}", f"seed: {seed}", f"options: {written}"]
    return "\n".join([*head, *lines]) + "\n"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 100, subsequent_indent=" " * 4, break_on_hyphens=False) or [""]


def _decisions(game: Game, seed: int, options: dict[str, Any]) -> Iterator[str]:
    batch = Batch(game, 1, **options)
    batch.players[:] = EXTERNAL
    batch.deal(np.array([seed], np.uint64))
    draws = np.array([seed], np.uint64)
    number = 0
    batch.play()
    while batch.running[0]:
        number += 1
        action = int(choose_legal(draws, batch.masks[0]))
        yield ""
        yield f"[{number}] player {batch.movers[0]}"
        yield f"  state: {_state_text(game, batch.states[0])}"
        yield f"  sees: {_seen_text(game, batch.observations[0])}"
        legal = [game.view.action_name(legal) for legal in np.flatnonzero(batch.masks[0])]
        yield f"  legal: {' | '.join(legal)}"
        yield f"  plays: {game.view.action_name(action)} ({action})"
        batch.rewards[:] = 0
        batch.play(np.array([action]))
        yield f"  rewards: {_numbers(batch.rewards[0])}"
    cut = batch.states[0].ending == TRUNCATED
    yield ""
    yield f"[end] {'cut by the cap' if cut else 'over'}"
    yield f"  state: {_state_text(game, batch.states[0])}"
    yield f"  returns: {_numbers(batch.returns[0])}"


def _numbers(values: Any) -> str:
    """Returns numbers, many equal ones in a row as `0 (x83)`."""
    parts = []
    for value, group in groupby(np.ravel(values).tolist()):
        count, text = len(list(group)), str(value) if isinstance(value, int) else f"{value:.6g}"
        parts.append(f"{text} (x{count})" if count >= _MANY else " ".join([text] * count))
    return " ".join(parts)


def _state_text(game: Game, state: Any) -> str:
    """Returns all fields but the stream, the options with what follows from them, and padding."""
    left_out = {"stream", "num_players", "cooperative", "rest", *game.options}
    texts = {name: _numbers(state[name]) for name in game.state.names if name not in left_out}
    texts["score"] = _numbers(state.score[: state.num_players])
    return ", ".join(f"{name} {text}" for name, text in texts.items())


def _seen_text(game: Game, observation: Any) -> str:
    """Returns the values that are not zero: `dice[0,4]` where 1, `lead=-0.12` where not."""
    parts = []
    for name, values in game.observation.decode(observation).items():
        for index in np.argwhere(values).tolist():
            value = float(values[tuple(index)])
            place = "" if values.size == 1 else f"[{','.join(map(str, index))}]"
            parts.append(name + place + ("" if value == 1.0 else f"={value:.4g}"))
    return " ".join(parts)


def header(text: str) -> dict[str, str]:
    """Returns the first lines of a playthrough by their names."""
    lines = text.partition("\n\n")[0].splitlines()
    return {name: value for name, _, value in (line.partition(": ") for line in lines)}


def parsed_options(game: Game, words: list[str]) -> dict[str, Any]:
    """Returns options from words like `target=30`."""
    known, pairs = game.all_options, [word.split("=", 1) for word in words]
    return {name: known[name].parse(text) if name in known else text for name, text in pairs}


def again(game: Game, text: str) -> str:
    """Returns the playthrough that a file holds, as the game plays it now."""
    head = header(text)
    return playthrough(game, int(head["seed"]), parsed_options(game, head["options"].split()))


def write(game: Game, path: Path, text: str) -> None:
    """Writes a playthrough.

    Raises:
        VersionNotRaisedError: the file holds another of the same version.
    """
    if path.exists():
        old = path.read_text(encoding="utf-8")
        written = int(header(old)["version"])
        if old != text and game.version <= written:
            raise VersionNotRaisedError(
                f"{path} holds another playthrough of version {written}. If the same seed and "
                f"actions give something else now, raise the version of {game.id}, which is "
                f"{game.version}; to show another game on purpose, delete the file first."
            )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Writes the playthrough of one game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=games())
    parser.add_argument("--seed", type=int)
    parser.add_argument("--set", nargs="+", default=[], metavar="OPTION=VALUE")
    given = parser.parse_args(arguments)
    game = load(given.game)
    path = Path(__file__).parent / "games" / game.id / "playthrough.txt"
    if path.exists() and given.seed is None and not given.set:
        text = again(game, path.read_text(encoding="utf-8"))
    else:
        options = {"num_players": game.default_players, **parsed_options(game, given.set)}
        text = playthrough(game, given.seed or 0, options)
    try:
        write(game, path, text)
    except VersionNotRaisedError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
