"""The deck of Dino Days as an option: what it takes, and what it says to what it does not take."""

import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from typer.testing import CliRunner

import dino_envs
from dino_envs.cli import app
from dino_envs.engine import OptionError
from dino_envs.games.dino_days import GAME
from dino_envs.games.dino_days.cards import DECK, KINDS

_NONE = {kind: 0 for kind in KINDS if kind != "giganotosaurus"}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Returns run("watch ..."), which runs a command line in a wide terminal."""
    monkeypatch.setenv("COLUMNS", "200")
    return lambda line: CliRunner().invoke(app, line.split(), prog_name="dino-envs")


def cards_of(table: Any, players: int) -> dict[str, int]:
    """Returns what one deck holds, giganotosaurs left out: spare ones are not in the game."""
    decks = (players + 1) // 2
    counts = {kind: count // decks for kind, count in table.cards().items()}
    del counts["giganotosaurus"]
    return counts


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    "deck",
    [
        {},
        {"meteor": 5},
        {"scientist": 0, "nest": 0},
        {"diplodocus_front": np.int64(7), "microraptor": np.int8(0)},
        "meteor:4,scientist:1",
        _NONE | {"baryonyx": 8},
        _NONE | {"baryonyx": 58},
    ],
)
def test_kinds_that_are_not_named_keep_their_number(deal, deck, players):
    given = {"meteor": 4, "scientist": 1} if isinstance(deck, str) else deck
    table = deal(2, num_players=players, deck=deck)
    expected = {kind: int(given.get(kind, count)) for kind, count in DECK.items()}
    del expected["giganotosaurus"]
    assert cards_of(table, players) == expected
    assert table.cards()["giganotosaurus"] == players


def test_none_is_the_usual_deck():
    assert GAME.complete({"deck": None})["deck"] == DECK
    assert GAME.complete({})["deck"] == DECK


def test_spare_giganotosaurs_are_out_of_the_game(deal):
    for players in (2, 3, 4):
        table = deal(2, num_players=players, deck={"giganotosaurus": 20})
        assert table.cards()["giganotosaurus"] == players
        assert all(hand.split().count("giga") == 1 for hand in table.hands)


def test_a_deck_of_just_enough_cards_can_be_dealt(deal):
    for players, each in ((2, 8), (3, 6), (4, 8)):
        deck = _NONE | {"giganotosaurus": 2, "baryonyx": each}
        table = deal(1, num_players=players, deck=deck)
        assert table.hands == ["giga bary bary bary bary"] * players
        assert table.pile == ""


@pytest.mark.parametrize(
    ("players", "deck", "told"),
    [
        (2, {"meteors": 3}, "deck has no 'meteors'; did you mean 'meteor'?"),
        (2, {"ankylosaurus": 3}, "deck has no 'ankylosaurus'; "),
        (2, {3: 3}, "deck has no 3; "),
        (2, {"giganotosaurus": 1}, "giganotosaurus=1 is too few, each of 2 .*; give 2 or more"),
        (2, {"giganotosaurus": 0}, "giganotosaurus=0 is too few"),
        (3, {"giganotosaurus": 1}, "giganotosaurus=1 is too few, each of 3 .*; give 2 or more"),
        (4, {"giganotosaurus": 1}, "giganotosaurus=1 is too few, each of 4 .*; give 2 or more"),
        (2, _NONE | {"baryonyx": 7}, "7 cards beside .* are too few, .* give 8 or more"),
        (3, _NONE | {"meteor": 5}, "5 cards beside .* are too few, .* give 6 or more"),
        (4, _NONE | {"meteor": 7}, "7 cards beside .* are too few, .* give 8 or more"),
        (2, {"baryonyx": 25}, "61 cards are too many, .* at most 60; lower some of the counts"),
        (2, {"giganotosaurus": 23}, "61 cards are too many"),
        (2, {"baryonyx": 61}, "baryonyx=61: give a whole number, 0 to 60"),
        (2, {"baryonyx": -1}, "baryonyx=-1: give a whole number, 0 to 60"),
        (2, {"baryonyx": 2.0}, r"baryonyx=2\.0: give a whole number"),
        (2, {"baryonyx": True}, "baryonyx=True: give a whole number"),
        (2, {"baryonyx": "2"}, "baryonyx='2': give a whole number"),
        (2, {"baryonyx": None}, "baryonyx=None: give a whole number"),
        (2, 40, r"deck=40: give counts by name.* deck=giganotosaurus:2,"),
        (2, ["meteor"], r"give counts by name, each once: \{'giganotosaurus': 2"),
        (2, "meteor", "deck='meteor': give counts by name"),
        (2, "meteor:3,meteor:4", "give counts by name, each once"),
        (2, "", "give counts by name"),
        (2, "meteor:many", "meteor='many': give a whole number"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(players, deck, told):
    with pytest.raises(OptionError, match=told) as refused:
        dino_envs.make("dino_days", num_players=players, deck=deck)
    assert "\n" not in str(refused.value)


def test_sixty_cards_of_a_deck_are_allowed():
    for players in (2, 3, 4):
        dino_envs.make("dino_days", num_players=players, deck={"baryonyx": 24})


def test_a_deck_for_pettingzoo():
    env = dino_envs.make("dino_days", deck=_NONE | {"meteor": 30})
    env.reset(seed=3)
    seen = GAME.observation.decode(env.observe("player_0")["observation"])
    assert seen["hand"][KINDS.index("meteor")] == 4 / 4
    assert seen["unseen"][KINDS.index("meteor")] == 26 / 4


def test_a_deck_for_gymnasium():
    env = gymnasium.make("dino_envs/DinoDays-v0", opponent="random", deck=_NONE | {"eggs": 30})
    seen = GAME.observation.decode(env.reset(seed=3)[0])
    assert seen["hand"][KINDS.index("eggs")] == 4 / 4
    with pytest.raises(OptionError, match="did you mean 'eggs'"):
        gymnasium.make("dino_envs/DinoDays-v0", deck={"egg": 3})


def test_the_given_deck_is_not_changed_and_not_kept():
    deck = {"meteor": 5}
    whole = GAME.complete({"deck": deck})["deck"]
    assert deck == {"meteor": 5}
    whole["meteor"] = 0
    assert GAME.complete({})["deck"] == DECK
    assert GAME.options["deck"].default == DECK


def test_a_deck_from_the_command_line(run):
    result = run("watch dino_days --agents random --seed 1 --set deck=meteor:4 --set max_turns=2")
    assert result.exit_code == 0, result.stderr
    none = ",".join(f"{kind}:0" for kind in _NONE if kind != "meteor")
    only = run(f"watch dino_days --agents random --seed 1 --set deck=meteor:9,{none}")
    assert only.exit_code == 0, only.stderr


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("deck=metor:4", "did you mean 'meteor'?"),
        ("deck=meteor:99", "meteor=99: give a whole number, 0 to 60"),
        ("deck=4", "give counts by name"),
        ("deck=giganotosaurus:1", "give 2 or more"),
        ("deck=baryonyx:30", "lower some of the counts"),
    ],
)
def test_a_wrong_deck_on_the_command_line_is_one_line(run, setting, told):
    result = run(f"watch dino_days --agents random --set {setting}")
    assert result.exit_code == 1
    assert re.match(r"dino-envs: .*\n\Z", result.stderr)
    assert told in result.stderr
