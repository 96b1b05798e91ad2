"""The golden playthrough: a short random game that people have read."""

import dataclasses
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from dino_envs.games.dino_dice import GAME

HERE = Path(__file__).parent
GOLDEN = HERE / "playthrough.txt"


@pytest.fixture(scope="module")
def writer() -> ModuleType:
    path = HERE.parent.parent / "playthrough.py"
    spec = importlib.util.spec_from_file_location("playthrough_writer", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def golden() -> str:
    return GOLDEN.read_text(encoding="utf-8")


def test_the_game_still_plays_as_it_was_read(writer, golden):
    assert writer.again(GAME, golden) == golden, (
        "if the rules changed on purpose, raise the game's version and run "
        "python tests/playthrough.py dino_dice"
    )


def test_the_playthrough_is_of_this_version(writer, golden):
    assert writer.header(golden)["game"] == "dino_dice"
    assert int(writer.header(golden)["version"]) == GAME.version


def test_it_shows_every_kind_of_decision_and_the_end(golden):
    played = [line.split()[1] for line in golden.splitlines() if line.startswith("  plays: ")]
    assert {"stop", "reroll", "eat"} <= set(played)
    assert 8 <= len(played) <= 40, "short enough to be read"
    assert "\n[end] over" in golden


def test_another_playthrough_is_written_only_for_a_raised_version(writer, golden, tmp_path):
    path = tmp_path / "playthrough.txt"
    writer.write(GAME, path, golden)
    writer.write(GAME, path, golden)
    other = writer.playthrough(GAME, 99, {"num_players": 2, "target": 30})
    assert other != golden
    with pytest.raises(writer.VersionNotRaisedError, match="raise the version of dino_dice"):
        writer.write(GAME, path, other)
    assert path.read_text(encoding="utf-8") == golden
    raised = dataclasses.replace(GAME, version=GAME.version + 1)
    newer = writer.playthrough(raised, 99, {"num_players": 2, "target": 30})
    writer.write(raised, path, newer)
    assert path.read_text(encoding="utf-8") == newer
    with pytest.raises(writer.VersionNotRaisedError):
        writer.write(GAME, path, golden)
