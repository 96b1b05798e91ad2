"""Scripted players: they play legally whatever the options, and look before they offer."""

from typing import Any

import numpy as np
import pytest

from dino_envs.agents.registry import make_agent
from dino_envs.engine import Batch, UnknownAgentError
from dino_envs.engine.batch import ask
from dino_envs.games.scale_of_trex import GAME

CLEAR = {"sigma_low": 0, "sigma_high": 0}
TINY = {"copies": 1, "swap_cards": 0, "any_swaps": 0, "action_cards": 1}
SWAPS = {"copies": 1, "swap_cards": 10, "any_swaps": 10, "action_cards": 1}
ODD = [
    {},
    {"bias_range": 0},
    {"bias_range": 3, "sigma_low": 50, "sigma_high": 50},
    CLEAR,
    {**CLEAR, "bias_range": 0},
    TINY,
    SWAPS,
    {**TINY, **CLEAR, "bias_range": 3},
    {"max_ticks": 1},
]
HIDDEN_BOTS = ["random", "blind", "honest", "bayes"]


def act_of(table: Any, bot: str, seat: int = 0, seed: int = 1) -> str:
    """Returns what a bot does in a seat."""
    table = table.copy()
    table.state.current_player = seat
    seen, masks = table.observe(seat)[None].reshape(1, -1), table.mask[None]
    streams = np.array([seed], np.uint64)
    action = int(ask(GAME, GAME.bot(bot), seen, masks, streams)[0])
    assert masks[0, action] == 1
    return GAME.view.action_name(action)


def play(bots: list[str], games: int, seed: int = 0, **options: Any) -> Batch:
    """Plays games in which bot i sits at the seats i, i + len(bots), ... and none is illegal."""
    batch = Batch(GAME, games, bots=[GAME.bot(bot) for bot in bots], **options)
    batch.players[:] = np.arange(batch.num_players) % len(bots)
    batch.streams[:] = np.arange(batch.streams.size).reshape(batch.streams.shape) + 1000 * seed
    batch.deal(np.arange(seed, seed + games, dtype=np.uint64))
    batch.play()
    assert not batch.running.any()
    assert not batch.illegal.any()
    return batch


# All of them.


@pytest.mark.parametrize("players", [2, 3, 8])
@pytest.mark.parametrize("options", ODD)
def test_bots_play_legally(options, players):
    """An illegal act would end the game and be told."""
    options = {"max_ticks": 80, **options}
    for bot in HIDDEN_BOTS:
        play([bot], 4, num_players=players, **options)
        play([bot, "random"], 4, seed=50, num_players=players, **options)
    bots = ["blind", "honest", "bayes", "oracle"]
    play(bots, 16, seed=99, num_players=players, cards="open", **options)


def test_a_card_is_performed_at_its_value_first(position):
    for value in range(1, 11):
        table = position(f"blue {value}, orange 5, yellow 5", levels=[0, 5, 5])
        for bot in ("blind", "honest", "bayes", "oracle"):
            assert act_of(table, bot) == f"perform {value}"


@pytest.mark.parametrize(
    ("sigma", "worst"), [([9, 5, 7], "orange"), ([5, 20, 19], "blue"), ([0, 0, 1], "yellow")]
)
def test_the_least_clear_action_is_swapped(position, sigma, worst):
    table = position("swap any, blue 6, yellow 9", sigma=sigma)
    for bot in ("blind", "honest", "bayes", "oracle"):
        assert act_of(table, bot) == f"swap {worst}"


def test_the_oracle_is_refused_where_cards_are_hidden():
    for options in ({}, {"cards": "hidden"}, {"num_players": 2}):
        with pytest.raises(UnknownAgentError, match=r"'oracle' plays with cards=open alone"):
            make_agent("oracle", GAME, options)
    make_agent("oracle", GAME, {"cards": "open"})


# blind and the oracle.


def test_blind_offers_to_anybody_and_answers(position):
    table = position("orange 6, blue 1, yellow 9", ticks=2)
    assert {act_of(table, "blind", 0, seed) for seed in range(30)} == {"offer +1", "offer +2"}
    table = position("orange 6, blue 1, yellow 9", ticks=2, offers={2: 0})
    assert {act_of(table, "blind", 0, seed) for seed in range(10)} == {"offer +2"}
    table = position("orange 6, blue 1, yellow 9", ticks=2, offers={2: 0, 0: 2})
    assert act_of(table, "blind") == "perform 6"


def test_the_oracle_finds_its_match(position):
    """Nobody has been watched for long; what the others look like does not matter."""
    table = position("orange 6, blue 7, yellow 6, blue 9", levels=[6, 1, 1, 6], cards="open")
    assert act_of(table, "oracle") == "offer +2"
    table = position("orange 6, blue 7, yellow 9, blue 1", cards="open")
    assert act_of(table, "oracle") == "offer +1"
    table = position("orange 6, blue 8, yellow 9, blue 4", cards="open")
    assert act_of(table, "oracle") == "skip"


def test_two_oracles_never_call_wrong():
    batch = play(["oracle"], 40, num_players=2, cards="open")
    assert (batch.returns == 1).all()


# honest


@pytest.mark.parametrize("nearest", [1, 2, 3])
def test_honest_offers_to_who_looks_nearest(position, nearest):
    """Others look 9, 2 and 7 or so, but the nearest 6 as the own card."""
    others = ["blue 9", "yellow 2", "orange 8"]
    others[nearest - 1] = "blue 6"
    table = position(", ".join(["orange 6", *others]), ticks=8, pile="")
    assert act_of(table, "honest") == f"offer +{nearest}"


def test_honest_offers_to_the_nearer_of_two(position):
    table = position("orange 6, blue 7, yellow 6, blue 1", ticks=8)
    assert act_of(table, "honest") == "offer +2"
    table.state.offer[0] = 2
    assert act_of(table, "honest") == "perform 6", "that offer stands"
    table.state.offer[0] = 1
    assert act_of(table, "honest") == "offer +2"


def test_honest_takes_others_for_what_they_look_like(position):
    """Seat 1 has an 8 and looks like a 6; seat 2 has a 6 and looks like an 8."""
    table = position("orange 6, blue 8, yellow 6", bias=[0, -2, 2], ticks=8)
    assert act_of(table, "honest") == "offer +1"


def test_honest_waits_and_then_skips(position):
    far = "orange 6, blue 9, yellow 2"
    assert act_of(position(far, ticks=8), "honest") == "perform 6"
    assert act_of(position(far, ticks=12), "honest") == "skip"
    assert act_of(position("orange 6, blue 6, yellow 6", ticks=1), "honest") == "perform 6"


def test_honest_withdraws_an_offer_to_who_has_changed(position):
    table = position("orange 6, blue 9, yellow 2", ticks=8, offers={0: 1})
    assert act_of(table, "honest") == "withdraw"


@pytest.mark.parametrize("bot", ["honest", "bayes"])
def test_who_keeps_changing_is_left_alone(position, bot):
    """What is beyond the noise cannot be a level."""
    table = position("orange 6, blue 6, yellow 2", ticks=8, bias_range=0)
    assert act_of(table, bot) == "offer +1"
    table.state.unrest[1] = 7 * 500
    assert act_of(table, bot) != "offer +1"


# bayes


def learn(table: Any, seat: int, levels: int) -> None:
    """Has 40 signals of a seat's revealed cards been so many levels too high."""
    state = table.state
    state.calibration[seat], state.calibrated[seat] = 40 * 100 * levels, 40
    state.calibration_variance[seat] = 40 * 10**2


def test_bayes_knows_who_acts_too_high(position):
    """Seat 1 looks like an 8 and has always looked 2 too high; seat 2 looks like a 6, and has."""
    table = position("orange 6, blue 6, yellow 4", bias=[0, 2, 2], ticks=9, sigma=[5, 5, 5])
    learn(table, 1, 2)
    learn(table, 2, 2)
    assert act_of(table, "honest") == "offer +2"
    assert act_of(table, "bayes") == "offer +1"


def test_bayes_knows_who_acts_too_low(position):
    table = position("orange 6, blue 6, yellow 8", bias=[0, -2, -2], ticks=9, sigma=[5, 5, 5])
    learn(table, 1, -2)
    learn(table, 2, -2)
    assert act_of(table, "honest") == "offer +2"
    assert act_of(table, "bayes") == "offer +1"


def test_bayes_offers_nothing_to_a_stranger_whose_bias_may_be_anything(position):
    """One who looks like the own card may have any of seven values."""
    table = position("orange 6, blue 6, yellow 1", ticks=7, bias_range=3)
    assert act_of(table, "honest") == "offer +1"
    assert act_of(table, "bayes") == "skip"
    learn(table, 1, 0)
    assert act_of(table, "bayes") == "offer +1"


def test_bayes_counts_cards(position):
    """All blue 5 to 7 have been turned over: who looks like a blue 6 has another card."""
    table = position("orange 6, blue 6, yellow 2", ticks=7, sigma=[20, 20, 20], bias_range=0)
    assert act_of(table, "bayes") == "offer +1"
    table.state.discards[14:17] = 2
    assert act_of(table, "bayes") == "skip"


def test_bayes_answers_for_less_than_it_offers(position):
    found = set()
    for sigma in range(5, 51):
        table = position("orange 6, blue 6, yellow 2", ticks=7, sigma=[5, sigma, 5], bias_range=1)
        alone = act_of(table, "bayes")
        table.state.offer[1] = 0
        found.add((alone, act_of(table, "bayes")))
    assert ("skip", "offer +1") in found
    assert ("offer +1", "skip") not in found


# Two players.


@pytest.mark.parametrize(("other", "call"), [(6, "match"), (7, "match"), (9, "no_match")])
def test_two_players_call_what_they_see(position, other, call):
    for bot in ("honest", "bayes"):
        table = position(f"orange 6, blue {other}", ticks=9, bias_range=0, sigma=[5, 5, 5])
        assert act_of(table, bot) == f"call {call}"
        table.state.call[0] = ["match", "no_match"].index(call) + 1
        assert act_of(table, bot) == "perform 6"


def test_two_players_look_for_a_while_first(position):
    table = position("orange 6, blue 6", ticks=1, sigma=[20, 20, 20])
    assert act_of(table, "honest") == act_of(table, "bayes") == "perform 6"


def test_blind_calls_no_match(position):
    assert act_of(position("orange 6, blue 6"), "blind") == "call no_match"


# How they fare.


@pytest.mark.parametrize("players", [3, 4, 8])
def test_watching_pays(players):
    """Among its own kind honest gains points, blind loses some; by 4 standard errors of 300."""
    scores = {}
    for bot in ("blind", "honest", "bayes"):
        batch = play([bot], 300, num_players=players)
        sums = batch.states["score"][:, :players].mean(axis=1)
        scores[bot] = (sums.mean(), sums.std() / len(sums) ** 0.5)
    assert scores["blind"][0] < -4 * scores["blind"][1]
    for bot in ("honest", "bayes"):
        assert scores[bot][0] > 4 * scores[bot][1]


@pytest.mark.parametrize("players", [3, 4, 8])
def test_bayes_beats_honest(players):
    """One bayes among honest players gets more than it would if all were alike: by 3 errors."""
    batch = Batch(GAME, 300, bots=[GAME.bot("honest"), GAME.bot("bayes")], num_players=players)
    batch.players[:] = 0
    seats = np.arange(300) % players
    batch.players[np.arange(300), seats] = 1
    batch.streams[:] = np.arange(batch.streams.size).reshape(batch.streams.shape)
    batch.deal(np.arange(300, dtype=np.uint64))
    batch.play()
    returns = batch.returns[np.arange(300), seats]
    assert returns.mean() > 3 * returns.std() / 300**0.5


def test_two_who_reckon_win_more_often_than_two_who_trust_their_eyes():
    """The ruling's: "a perfect-inference pair wins clearly more often"."""
    won = {bot: (play([bot], 300, num_players=2).returns[:, 0] == 1).mean()
           for bot in ("blind", "honest", "bayes")}  # fmt: skip
    assert won["blind"] < won["honest"] < won["bayes"]
