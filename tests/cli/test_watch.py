"""Games between agents, as `watch` tells them."""

import itertools
import re

import pytest

from dino_envs.engine import Game

from .conftest import Run


def test_watch_plays_the_same_game_for_the_same_seed(run: Run) -> None:
    first, again = (run("watch dino_dice --agents greedy,random --seed 7") for _ in range(2))
    assert first.exit_code == 0
    assert "Player 1 (random):" in first.stdout
    assert "The end." in first.stdout
    assert first.stdout == again.stdout


def test_watch_seats_one_agent_everywhere(run: Run) -> None:
    result = run("watch dino_dice --agents greedy --seed 7 --set num_players=3")
    assert "Player 2 (greedy):" in result.stdout
    assert run("watch dino_dice --agents greedy --seed 7 --num-players 3").stdout == result.stdout
    two = run("watch dino_dice --agents greedy,greedy --seed 7 --num-players 2")
    assert two.exit_code == 0


def test_watch_shows_what_all_see_turn_by_turn(run: Run, game: Game) -> None:
    line = f"watch {game.id} --agents random --seed 5"
    told, alone = run(line).stdout, run(f"{line} --actions-only").stdout
    assert "(you)" not in told
    if game.view.round_text is not None:
        rounds = told.count(" to move:")
        assert rounds > 5
        assert "(random): " not in told, "what one commits the others do not see"
        assert len([line for line in alone.splitlines() if line]) > rounds, "each round is told"
        return
    movers = [line[:8] for line in alone.splitlines() if "(random): " in line]
    turns = [mover for mover, before in zip(movers, ["", *movers], strict=False) if mover != before]
    assert told.count(" to move:") == len(turns)
    assert alone.count(" to move:") == 0
    assert told.count("(random): ") == len(movers)
    assert alone.count("\n\n") <= 5, "a position at the end"


def test_rounds_of_those_who_act_at_once_are_told_when_they_are_over(run: Run) -> None:
    told = run("watch scale_of_trex --agents honest --seed 5 --actions-only").stdout
    assert "\nTick 1: no offers\n" in told
    assert "\nTick 8: 0 offers to 3; 1 offers to 3\n" in told
    assert "1 and 3 turned over orange 2 and blue 4: no match, -1 each" in told
    played = run("play scale_of_trex --opponent honest --seed 5", stdin="1\n1\nq\n").stdout
    assert re.search(r"Player 0 \(you\): perform .* at level 1\.\nTick 1: no offers\n", played)
    assert "(honest): " not in played


def test_what_is_done_in_secret_is_told_once_and_without_the_secret(run: Run) -> None:
    """A die that is hidden, and writings with biscuits in between, of which nothing is told."""
    told = run("watch trex_holiday --agents greedy --seed 5 --actions-only").stdout.splitlines()
    said = [line for line in told if line.startswith("Player ")]
    assert any("hide a die as the T-Rex die, reveal " in line for line in said)
    assert not any("hide the " in line or "biscuit" in line or "shade" in line for line in said)
    assert all(one != other for one, other in itertools.pairwise(said))
    played = run("play trex_holiday --seed 5", stdin="1\n" * 300).stdout
    others = [line for line in played.splitlines() if line.startswith("Player 1 (greedy): ")]
    assert others
    assert not any("hide the " in line or " into " in line for line in others)


def test_of_one_player_alone_everything_is_told(run: Run) -> None:
    told = run("watch trex_holiday --agents greedy --num-players 1 --seed 5 --actions-only").stdout
    assert "Player 0 (greedy): hide the " in told
    assert ": write " in told


def test_watch_shows_every_position_in_a_window(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    closed: list[int] = []

    class Window:
        def __init__(self, title: str, pictures_per_second: float) -> None:
            assert title == "Dino Days"

        def show(self, svg: str) -> None:
            shown.append(svg)

        def close(self) -> None:
            closed.append(1)

    monkeypatch.setattr("dino_envs.views.picture.Window", Window)
    result = run("watch dino_days --agents greedy --seed 7 --render human")
    assert result.exit_code == 0, result.stderr
    assert len(shown) == result.stdout.count("(greedy): ") + 1
    assert not any("(you)" in svg for svg in shown)
    assert closed


def test_one_agent_is_watched_alone(run: Run, solitaire: Game) -> None:
    result = run(f"watch {solitaire.id} --agents random --num-players 1 --seed 3")
    assert result.exit_code == 0, result.stderr
    assert "The end. Player 0 (random) " in result.stdout
    assert "Player 1" not in result.stdout
    assert result.stdout.count("Player 0 to move") > 10, "the position at every decision"
    refused = run(f"watch {solitaire.id} --agents random,random --num-players 1")
    assert refused.exit_code == 2
    assert "--num-players 1: --agents names 2" in refused.stderr
