"""Matching cards: who turns over with whom, and what it brings."""

from itertools import product

import pytest


def match(position, first: str, second: str):
    """Returns the table after the first two of three seats have turned over these cards."""
    table = position(f"{first}, {second}, yellow 9", pile="yellow 1 x 20")
    return table.tick("offer +1", "offer +2")


def test_an_exact_match_brings_two_good_tokens_each(position):
    """ "The values on both cards are the same. Reward: 2 Good Tokens each." """
    table = match(position, "orange 6", "blue 6")
    assert table.tokens == [(2, 0), (2, 0), (0, 0)]
    assert table.piles == (16 - 4, 8)
    assert table.scores == [2, 2, 0]


@pytest.mark.parametrize("other", ["blue 5", "blue 3"])
def test_a_near_match_brings_one_good_token_each(position, other):
    """ "The values on the cards are within 1 of each other (e.g. a 4 is a Near Match with a 5).
    Reward: 1 Good Token each." """
    table = match(position, "orange 4", other)
    assert table.tokens == [(1, 0), (1, 0), (0, 0)]
    assert table.piles == (16 - 2, 8)
    assert table.scores == [1, 1, 0]


def test_no_match_costs_one_bad_token_each(position):
    """ "The cards are not an Exact Match or a Near Match. Penalty: 1 Bad Token each." """
    table = match(position, "orange 4", "blue 6")
    assert table.tokens == [(0, 1), (0, 1), (0, 0)]
    assert table.piles == (16, 8 - 2)
    assert table.scores == [-1, -1, 0]


@pytest.mark.parametrize("first", range(1, 11))
def test_c4_c5_exact_comes_first_and_10_does_not_wrap_around_to_1(position, first):
    """C4: an exact match is not a near one as well. C5: "10 and 1 are no match"."""
    for second in range(1, 11):
        good = {0: 2, 1: 1}.get(abs(first - second), 0)
        bad = 1 if good == 0 else 0
        table = match(position, f"orange {first}", f"yellow {second}")
        assert table.tokens == [(good, bad), (good, bad), (0, 0)]


@pytest.mark.parametrize(("first", "second"), list(product(["orange", "blue", "yellow"], repeat=2)))
def test_c6_only_the_value_matters(position, first, second):
    """ "Only the card value matters for a match, not the action"."""
    assert match(position, f"{first} 6", f"{second} 6").tokens[:2] == [(2, 0), (2, 0)]
    assert match(position, f"{first} 6", f"{second} 7").tokens[:2] == [(1, 0), (1, 0)]
    assert match(position, f"{first} 6", f"{second} 8").tokens[:2] == [(0, 1), (0, 1)]


def test_the_level_performed_does_not_matter(position):
    """ "turn them over simultaneously to see if the values on the cards match": the cards' own."""
    table = position("orange 6, blue 6, yellow 9", levels=[1, 10, 9]).tick("offer +1", "offer +2")
    assert table.tokens == [(2, 0), (2, 0), (0, 0)]


def test_both_have_to_present_their_cards(position):
    """ "When both cards have been presented, turn them over simultaneously"."""
    table = position("orange 6, blue 6, yellow 6")
    for _ in range(3):
        table.tick("offer +1" if 0 not in table.offers else "", "", "")
        assert table.partners == [-1, -1, -1]
        assert table.hands == ["orange 6", "blue 6", "yellow 6"]
    assert table.tick("", "offer +2").partners == [1, 0, -1]


def test_presented_to_one_another_is_not_in_a_ring(position):
    """ "Matches can only be attempted between two players. Three or more person matches are not
    allowed." """
    table = position("orange 6, blue 6, yellow 6").tick("offer +1", "offer +1", "offer +1")
    assert table.offers == {0: 1, 1: 2, 2: 0}
    assert table.partners == [-1, -1, -1]
    assert table.piles == (16, 8)
    assert table.tick("", "offer +2").partners == [1, 0, -1]
    assert table.offers == {2: 0}


def test_the_last_seat_matches_the_first(position):
    table = position("orange 6, blue 2, yellow 6").tick("offer +2", "", "offer +1")
    assert table.partners == [2, -1, 0]
    assert table.tokens == [(2, 0), (0, 0), (2, 0)]


def test_several_pairs_turn_over_in_one_tick(position):
    table = position("orange 6, blue 2, yellow 2, orange 9, blue 7", tick=0)
    table.tick("offer +4", "offer +1", "offer +4", "", "offer +1")
    assert table.partners == [4, 2, 1, -1, 0]
    assert table.tokens == [(1, 0), (2, 0), (2, 0), (0, 0), (1, 0)]
    assert table.piles == (24 - 2 - 4, 12)
    assert table.hands[3] == "orange 9"


def test_c7_both_cards_are_shown_discarded_and_new_ones_drawn(position):
    """ "In all cases, players discard their Number Cards into the Box Top [...]. Then each player
    draws a new Number Card from the Draw Pile and continues playing." """
    for other in ("blue 6", "blue 7", "blue 1"):
        table = match(position, "orange 6", other)
        assert table.revealed == ["orange 6", other, "-"]
        assert sorted(table.discards.split(", ")) == sorted(["orange 6", other])
        assert table.hands == ["yellow 1", "yellow 1", "yellow 9"]
        assert table.pile == "yellow 1 x 18"
        assert table.levels == [0, 0, 9], "the new card has to be performed first"
        assert table.offers == {}
        table.tick()
        assert table.revealed == ["-", "-", "-"], "that was the last tick"


def test_the_others_offers_and_signals_stay(position):
    table = position("orange 6, blue 6, yellow 9, blue 1", offers={2: 0, 3: 2}, ticks=3)
    table.tick("offer +1", "offer +3")
    assert table.offers == {2: 0, 3: 2}
    assert [table.statistics(seat)["signals"] for seat in range(4)] == [0, 0, 4, 4]


def test_what_a_revealed_card_looked_like_is_learnt(position):
    """The signals are compared with the value: 3 as told, and the one of the last tick."""
    table = position("orange 6, blue 6, yellow 9", levels=[7, 6, 9], bias=[1, 0, 0], ticks=3)
    table.tick("offer +1", "offer +2")
    learnt = table.learnt(0)
    assert learnt["calibrated"] == 4
    assert learnt["calibration_variance"] == 4 * 10**2
    assert learnt["drift"] == 4, "one level more than the card says, in four ticks"
    assert abs(learnt["calibration"] - 4 * 200) < 400, "the level, and the bias of one more"
    assert table.learnt(1)["drift"] == 0
    assert set(table.statistics(0).values()) == {0}
    assert set(table.learnt(2).values()) == {0}
