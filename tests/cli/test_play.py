"""People who play: what they are shown, and how they choose."""

import re
from dataclasses import replace
from typing import Any

import pytest

from dino_envs.cli import menu, rules
from dino_envs.engine import Game
from dino_envs.games import load

from .conftest import Run


def test_a_person_plays_to_the_end(run: Run, game: Game) -> None:
    result = run(f"play {game.id} --opponent random --seed 3", stdin="1\n" * 2000)
    assert result.exit_code == 0, result.stderr
    assert "--seed 3" in result.stdout
    assert "The end." in result.stdout


def test_a_person_asks_errs_and_quits(run: Run) -> None:
    result = run("play dino_dice --seat 1 --seed 4 --num-players 3", stdin="?\n0\nx\n\n1\nq\n")
    assert result.exit_code == 0
    assert "Player 0 (greedy):" in result.stdout
    assert result.stdout.count("? explains the game, q quits.") == 2
    assert result.stdout.count("Nothing is chosen: type 1 to ") == 1
    assert "> >" not in result.stdout
    assert "'0' is none of them: type 1 to " in result.stdout
    assert "a name such as 'eat 2', q or ?" in result.stdout
    assert "'x' is none of them" in result.stdout
    assert "Player 1 (you):" in result.stdout
    assert result.stdout.endswith("Stopped.\n")


def test_a_question_mark_prints_the_rules_of_the_page_and_the_signs(
    run: Run, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = rules.rules(game)
    assert page.startswith("## The rules in a page\n")
    assert page.count("\n## ") == 0
    monkeypatch.setenv("COLUMNS", "80")
    told = run(f"play {game.id} --opponent random --seed 3", stdin="?\nq\n")
    plain = run(f"play {game.id} --opponent random --seed 3", stdin="q\n")
    assert told.exit_code == 0, told.stderr
    assert max(map(len, told.stdout.splitlines())) <= 80
    words = re.findall(r"\w+", re.sub(r"\|[-|]+\|", "", page))
    assert {*words} <= {*re.findall(r"\w+", told.stdout)}
    assert "The rules in a page" not in plain.stdout
    for sign, meaning in game.view.signs.items():
        assert meaning not in plain.stdout
        assert f"  {sign}  " in told.stdout


def test_a_game_without_a_page_is_still_played(run: Run) -> None:
    elsewhere = replace(load("dino_dice"), module="dino_envs.engine.game")
    assert rules.rules(elsewhere) == ""
    assert rules.rules(replace(elsewhere, module="no_such_module_at_all")) == ""


@pytest.mark.parametrize("players", ["fewest", "usual"])
def test_positions_fit_a_narrow_terminal(game: Game, players: str, random_walk: Any) -> None:
    count = game.min_players if players == "fewest" else game.default_players
    for position in random_walk(game, 1, num_players=count):
        for seat in (None, 0):
            shown = game.view.text(position.state, seat)
            assert max(map(len, shown.splitlines())) <= 80


def test_an_action_is_chosen_by_its_name_or_number(run: Run) -> None:
    names = "draw\nGiganotosaurus own Wed\nnest 1 mon\nq\n"
    result = run("play dino_days --opponent random --seed 4", stdin=names)
    assert "Player 0 (you): draw a card" in result.stdout
    assert "Player 0 (you): play Giganotosaurus on own Wednesday" in result.stdout
    assert "'nest 1 mon' is not legal now: type 1 to " in result.stdout
    result = run("play dino_days --opponent random --seed 4", stdin="4\nq\n")
    assert "Player 0 (you): play Giganotosaurus on own Wednesday" in result.stdout


def test_a_menu_is_short_and_numbers_every_action(run: Run) -> None:
    result = run("play dino_days --opponent random --seed 4", stdin="q\n")
    shown = result.stdout.partition("\n   1  ")[2].splitlines()
    assert shown[:3] == [
        "draw a card",
        "      play Giganotosaurus on own ...: 10 points, nothing else lies there",
        "        2 Monday, 3 Tuesday, 4 Wednesday, 5 Thursday, 6 Friday, 7 Saturday, 8 Sunday",
    ]
    assert len(shown) < 10


def test_what_differs_in_one_word_shares_a_line_of_the_menu() -> None:
    meanings = ["go", *(f"take the {what} (2)" for what in ("red", "blue", "old"))]
    meanings += ["put it on Monday", "put it on Friday", "stay here", "stay put"]
    told = menu.lines(meanings, 80)
    assert told == [
        "   1  go",
        "      take the ... (2)",
        "        2 red, 3 blue, 4 old",
        "   5  put it on Monday",
        "   6  put it on Friday",
        "   7  stay here",
        "   8  stay put",
    ]
    two = menu.lines(["a x 1", "a x 2", "b x 2", "c x 2", "d x 2"], 80)
    assert two == ["   1  a x 1", "      ... x 2", "        2 a, 3 b, 4 c, 5 d"]
    assert menu.lines([], 80) == []
    told = menu.lines([f"take level {n}" for n in range(1, 5)], 80)
    assert told == ["      take level ...", "        1, 2, 3, 4"]


def test_a_long_line_of_a_menu_goes_on_beneath() -> None:
    assert menu.lines(["re-roll " * 8], 50) == [
        "   1  re-roll re-roll re-roll re-roll re-roll",
        "        re-roll re-roll re-roll",
    ]


def test_a_narrow_menu_keeps_numbers_and_words_together() -> None:
    told = menu.lines([f"number {'x' * n}" for n in range(1, 30)], 40)
    assert max(map(len, told)) <= 40
    ends = [line.split(",")[0].split() for line in told[1:]]
    assert all(len(word) == int(number) for number, word in ends)


def test_the_end_of_the_input_ends_the_game_politely(run: Run) -> None:
    result = run("play dino_dice --seed 4", stdin="")
    assert result.exit_code == 0
    assert result.stdout.endswith("Stopped.\n")
    assert result.stderr == ""


def test_an_option_of_the_rules_is_played_by(run: Run) -> None:
    result = run("play dino_dice --opponent random --seed 1 --set target=5", stdin="1\n" * 200)
    assert "The end." in result.stdout
    assert "/5 [" in result.stdout


def test_one_player_plays_alone(run: Run, solitaire: Game) -> None:
    result = run(f"play {solitaire.id} --num-players 1 --seed 3", stdin="1\n" * 2000)
    assert result.exit_code == 0, result.stderr
    assert "You are Player 0" in result.stdout
    assert "The end. Player 0 (you) " in result.stdout
    assert "win" not in result.stdout.rpartition("The end.")[2]
    refused = run(f"play {solitaire.id} --num-players 1 --opponent random")
    assert refused.exit_code == 2
    assert "against nobody" in refused.stderr
