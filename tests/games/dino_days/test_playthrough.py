"""The golden playthrough: a short random game that people have read."""

import importlib.util
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from dino_envs.games.dino_days import GAME

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
        "python tests/playthrough.py dino_days"
    )


def test_the_playthrough_is_of_this_version(writer, golden):
    assert writer.header(golden)["game"] == "dino_days"
    assert int(writer.header(golden)["version"]) == GAME.version


def test_it_shows_most_kinds_of_decisions_and_the_end(golden):
    """All but a nest, a volcano, a hoard and a pass, which one short game has no room for."""
    played = [line.split()[1] for line in golden.splitlines() if line.startswith("  plays: ")]
    assert set(played) == set(GAME.actions.blocks) - {"nest", "volcano", "pass"}
    assert 20 <= len(played) <= 40, "short enough to be read"
    assert "\n[end] over" in golden


def test_the_discards_are_shuffled_in_it(golden):
    words = golden.split()
    sizes = [int(words[i + 1].rstrip(",")) for i, word in enumerate(words) if word == "pile_size"]
    assert any(after > before for before, after in pairwise(sizes))
