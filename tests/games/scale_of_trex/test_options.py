"""The options of On a Scale of One to T-Rex: what they take, and what is refused in what words."""

from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

import dino_envs
from dino_envs.cli import app
from dino_envs.engine import OptionError
from dino_envs.games.scale_of_trex import GAME

DEFAULTS = {
    "num_players": 4,
    "copies": 2,
    "swap_cards": 5,
    "any_swaps": 4,
    "action_cards": 20,
    "bias_range": 2,
    "sigma_low": 5,
    "sigma_high": 20,
    "cards": "hidden",
    "max_ticks": 300,
}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Returns run("watch ..."), which runs a command line in a wide terminal."""
    monkeypatch.setenv("COLUMNS", "200")
    return lambda line: CliRunner().invoke(app, line.split(), prog_name="dino-envs")


def test_the_defaults_are_the_rulings():
    """60 number cards, 19 swap cards and 60 action cards: 139 cards in all."""
    assert GAME.complete({}) == DEFAULTS
    assert 30 * 2 + 3 * 5 + 4 + 3 * 20 == 139


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"sigma_low": 21}, "sigma_low=21 is more than sigma_high=20: lower it, or raise that"),
        ({"sigma_high": 4}, "sigma_low=5 is more than sigma_high=4: lower it, or raise that"),
        ({"sigma_low": 50, "sigma_high": 49}, "sigma_low=50 is more than sigma_high=49"),
        ({"sigma_low": 51}, "sigma_low=51"),
        ({"sigma_high": -1}, "sigma_high=-1"),
        ({"bias_range": 4}, "bias_range=4"),
        ({"bias_range": -1}, "bias_range=-1"),
        ({"copies": 0}, "copies=0"),
        ({"copies": 5}, "copies=5"),
        ({"swap_cards": 11}, "swap_cards=11"),
        ({"any_swaps": -1}, "any_swaps=-1"),
        ({"action_cards": 0}, "action_cards=0"),
        ({"action_cards": 21}, "action_cards=21"),
        ({"max_ticks": 0}, "max_ticks=0"),
        ({"max_ticks": 10_001}, "max_ticks=10001"),
        ({"num_players": 1}, "num_players=1"),
        ({"num_players": 9}, "num_players=9"),
        ({"cards": "shown"}, "cards='shown'"),
        ({"sigma_low": 1.5}, r"sigma_low=1\.5"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(given, told):
    with pytest.raises(OptionError, match=told) as refused:
        dino_envs.make("scale_of_trex", **given)
    assert "\n" not in str(refused.value)


def test_an_option_that_is_not_there_is_refused():
    with pytest.raises(OptionError, match=r"'max_tick'.*max_ticks"):
        dino_envs.make("scale_of_trex", max_tick=3)


@pytest.mark.parametrize(
    "given",
    [
        {"sigma_low": 0, "sigma_high": 0},
        {"sigma_low": 50, "sigma_high": 50},
        {"sigma_low": 20},
        {"sigma_high": 5},
        {"bias_range": 0},
        {"bias_range": 3},
        {"copies": 1, "swap_cards": 0, "any_swaps": 0, "action_cards": 1, "num_players": 8},
        {"copies": 4, "swap_cards": 10, "any_swaps": 10, "max_ticks": 10_000},
        {"num_players": 2, "cards": "open"},
    ],
)
def test_the_extremes_are_allowed(given, lively_walk):
    """They are told by the state, and a game can be played."""
    state = GAME.new_states(1, **given)[0]
    for name, value in given.items():
        if name != "cards":
            assert state[name] == value
    *_, (table, _) = lively_walk(1, **{**given, "max_ticks": 30})
    assert table.ending in ("over", "cut")


def test_the_cap_may_be_far_away(deal):
    table = deal(1, num_players=3, max_ticks=10_000)
    for _ in range(3 * 10_000):
        GAME.kernels.step(table.state, 9)
    looks = min(10 + int(table.state.bias[0]), 11)
    assert (table.ending, table.ticks) == ("cut", 10_000)
    assert table.statistics(0)["signals"] == 10_000
    assert table.statistics(0)["levels"] == 100_000
    assert abs(table.statistics(0)["total"] / 1_000_000 - looks) < 1


@pytest.mark.parametrize(("players", "together"), [(2, True), (3, False), (8, False)])
def test_two_play_together(players, together):
    assert GAME.is_cooperative({"num_players": players}) == together


def test_cards_open_change_nothing_in_the_flow(lively_walk):
    """ "Open" is "for reference": the same seed and acts give the same game."""
    for hidden, shown in zip(
        lively_walk(4, max_ticks=40), lively_walk(4, max_ticks=40, cards="open"), strict=True
    ):
        one, other = hidden[0].copy(), shown[0].copy()
        other.state.cards = one.state.cards
        assert one.state.tobytes() == other.state.tobytes()
        assert hidden[1] == shown[1]


def test_cards_open_are_seen(deal):
    hidden, shown = deal(3), deal(3, cards="open")
    assert not hidden.see(0)["card"].any()
    card = shown.see(0)["card"]
    for place in range(1, 4):
        values = [0] * 10
        values[int(shown.hands[place].split()[1]) - 1] = 1
        assert card[place - 1].tolist() == values
    assert not card[3:].any()


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("--set sigma_low=30", "sigma_low=30 is more than sigma_high=20: lower it, or raise that"),
        ("--set bias_range=7", "bias_range=7"),
        ("--set cards=none", "cards='none'"),
    ],
)
def test_a_wrong_option_on_the_command_line_is_one_line(run, settings, told):
    result = run(f"watch scale_of_trex --agents random {settings}")
    assert result.exit_code == 1
    assert told in result.stderr
    assert result.stderr.count("\n") == 1


def test_options_from_the_command_line(run):
    line = "watch scale_of_trex --agents random --seed 1 --set sigma_low=0 --set max_ticks=2"
    result = run(line)
    assert result.exit_code == 0, result.stderr
