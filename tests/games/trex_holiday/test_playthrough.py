"""The golden playthrough: a short random game that people have read."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from dino_envs.games.trex_holiday import GAME

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


def actions(golden: str) -> list[str]:
    lines = [line for line in golden.splitlines() if line.startswith("  plays: ")]
    return [line.removeprefix("  plays: ").rpartition(" ")[0] for line in lines]


def test_the_game_still_plays_as_it_was_read(writer, golden):
    assert writer.again(GAME, golden) == golden, (
        "if the rules changed on purpose, raise the game's version and run "
        "python tests/playthrough.py trex_holiday"
    )


def test_the_playthrough_is_of_this_version(writer, golden):
    assert writer.header(golden)["game"] == "trex_holiday"
    assert int(writer.header(golden)["version"]) == GAME.version


def test_it_shows_all_kinds_of_decisions_and_the_end(golden):
    played = actions(golden)
    blocks = {GAME.actions.locate(GAME.view.action_number(name))[0] for name in played}
    assert blocks == set(GAME.actions.blocks)
    assert len(played) < 60, "short enough to be read"
    assert "\n[end] over" in golden


def test_a_box_is_crossed_out_a_row_closed_and_a_player_passed_over_in_it(golden):
    seen = golden.split()
    assert any(word.startswith("crossed[") for word in seen)
    assert any(word.startswith("cars_state[") and word.endswith(",1]") for word in seen)
    last = golden.split("\n\n[")[-2]
    assert "player 1" in last
    assert "hide" not in last
