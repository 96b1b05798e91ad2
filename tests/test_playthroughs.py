"""The golden playthroughs: one short random game of each kind that people have read."""

import dataclasses
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from dino_envs.engine import Game

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("playthrough_writer", HERE / "playthrough.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def golden(game: Game) -> str:
    return (HERE / "games" / game.id / "playthrough.txt").read_text(encoding="utf-8")


def test_the_game_still_plays_as_it_was_read(writer: ModuleType, game: Game, golden: str) -> None:
    assert writer.again(game, golden) == golden, (
        "if the rules changed on purpose, raise the game's version and run "
        f"python tests/playthrough.py {game.id}"
    )


def test_the_playthrough_is_of_this_version(writer: ModuleType, game: Game, golden: str) -> None:
    assert writer.header(golden)["game"] == game.id
    assert int(writer.header(golden)["version"]) == game.version


def test_another_playthrough_is_written_only_for_a_raised_version(
    writer: ModuleType, game: Game, golden: str, tmp_path: Path
) -> None:
    path, head = tmp_path / "playthrough.txt", writer.header(golden)
    writer.write(game, path, golden)
    writer.write(game, path, golden)
    options = writer.parsed_options(game, head["options"].split())
    other = writer.playthrough(game, int(head["seed"]) + 1, options)
    assert other != golden
    with pytest.raises(writer.VersionNotRaisedError, match=f"raise the version of {game.id}"):
        writer.write(game, path, other)
    assert path.read_text(encoding="utf-8") == golden
    raised = dataclasses.replace(game, version=game.version + 1)
    newer = writer.playthrough(raised, int(head["seed"]) + 1, options)
    writer.write(raised, path, newer)
    assert path.read_text(encoding="utf-8") == newer
    with pytest.raises(writer.VersionNotRaisedError):
        writer.write(game, path, golden)
