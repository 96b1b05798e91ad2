"""Offers: one at a time, seen by all, standing until withdrawn, answered or the card changes."""

import pytest


@pytest.mark.parametrize("players", range(3, 9))
def test_a_card_may_be_presented_to_anybody_else(position, players):
    """ "present your Number Card to them FACE DOWN"."""
    table = position(", ".join(f"orange {seat + 1}" for seat in range(players)))
    offers = [f"offer +{places}" for places in range(1, players)]
    for seat in range(players):
        assert [name for name in table.legal_of(seat) if name.startswith("offer")] == offers
    table.tick(*["offer +1"] * players)
    assert table.offers == {seat: (seat + 1) % players for seat in range(players)}


def test_c2_one_offer_at_a_time(position):
    """C2: "at most one outstanding offer"."""
    table = position("orange 6, blue 1, yellow 9, blue 3").tick("offer +1")
    assert table.offers == {0: 1}
    assert "offer +1" not in table.legal_of(0), "it stands already"
    assert {"offer +2", "offer +3", "withdraw"} <= set(table.legal_of(0))
    table.tick("offer +3")
    assert table.offers == {0: 3}
    assert {"offer +1", "offer +2", "withdraw"} <= set(table.legal_of(0))


def test_c2_ignoring_an_offer_is_free(position):
    """ "If a player presents a card to you and you don't think you're a match, just ignore them
    and keep playing." """
    table = position("orange 6, blue 6, yellow 9").tick("offer +1")
    for _ in range(20):
        table.tick()
        assert table.offers == {0: 1}
    assert table.tokens == [(0, 0)] * 3
    assert table.hands == ["orange 6", "blue 6", "yellow 9"]
    table.tick("", "", "offer +1")
    assert table.offers == {0: 1, 2: 0}, "one may be offered to while offering to another"


def test_an_offer_stands_whatever_level_is_performed(position):
    table = position("orange 6, blue 6, yellow 9").tick("offer +1")
    table.tick("perform 2", "perform 9")
    assert table.offers == {0: 1}
    assert table.levels == [2, 9, 9]
    assert table.tick("", "offer +2").tokens == [(2, 0), (2, 0), (0, 0)]


def test_who_offers_goes_on_performing(position):
    table = position("orange 6, blue 6, yellow 9", ticks=2).tick("offer +1", "offer +1")
    assert table.levels == [6, 6, 9]
    assert table.statistics(0)["signals"] == 3
    assert table.statistics(0)["levels"] == 18


def test_an_offer_can_be_withdrawn(position):
    table = position("orange 6, blue 6, yellow 9").tick("offer +1")
    assert "withdraw" not in table.legal_of(1), "it has offered nothing"
    table.tick("withdraw", "offer +2")
    assert table.offers == {1: 0}, "too late to be answered"
    assert table.partners == [-1, -1, -1]
    assert "withdraw" not in table.legal_of(0)
    assert "offer +1" in table.legal_of(0)


def test_an_offer_that_turns_to_another_is_not_answered(position):
    table = position("orange 6, blue 6, yellow 9", offers={0: 1}).tick("offer +2", "offer +2")
    assert table.offers == {0: 2, 1: 0}
    assert table.partners == [-1, -1, -1]


def test_an_offer_goes_with_its_card(position):
    """C2: it "stays until withdrawn, answered, or the card changes"."""
    table = position("orange 6, blue 6, yellow 9", offers={0: 1}).tick("skip")
    assert table.offers == {}
    table = position("orange 6, blue 6, yellow 9, blue 1", offers={0: 1, 2: 0})
    assert table.tick("", "offer +3").offers == {2: 0}, "answered; that of another to it stands"


def test_an_offer_stands_when_the_other_ones_card_changes(position):
    table = position("orange 6, blue 6, yellow 9", offers={0: 1}, pile="blue 3 x 9")
    table.tick("", "skip")
    assert table.offers == {0: 1}
    assert table.hands[1] == "blue 3"
    assert "offer +2" not in table.legal_of(1), "the new card is performed first"
    assert table.tick().offers == {0: 1}
    assert table.tick("", "offer +2").revealed == ["orange 6", "blue 3", "-"]


def test_one_who_has_not_performed_or_has_to_swap_may_be_offered_to(position):
    table = position("orange 6, blue 6, swap any", levels=[6, 0, 0])
    assert {"offer +1", "offer +2"} <= set(table.legal_of(0))
    table.tick("offer +2", "perform 6", "swap blue")
    assert table.offers == {0: 2}


def test_offers_are_public_once_the_tick_is_over(position):
    table = position("orange 6, blue 6, yellow 9")
    table.play("offer +1", "offer +1")
    assert not any(table.see(seat)["offers"].any() for seat in range(3)), "committed, not shown"
    table.play("perform 9")
    assert table.see(0)["offer"].tolist() == [1, 0, 0, 0, 0, 0, 0]
    assert table.see(0)["offers"][0].tolist() == [0, 0, 1, 0, 0, 0, 0, 0]
    assert table.see(1)["offers"][1].tolist() == [1, 0, 0, 0, 0, 0, 0, 0], "to seat 1 itself"
    assert table.see(2)["offers"][0].tolist() == [0, 0, 1, 0, 0, 0, 0, 0]
    assert table.see(2)["offers"][1].tolist() == [1, 0, 0, 0, 0, 0, 0, 0]


def test_a_card_that_is_skipped_is_not_turned_over(position):
    """The offer of seat 1 stood, but it skips in the tick in which it is answered."""
    for acts in (["offer +1", "skip"], ["skip", "offer +2"]):
        offers = {1: 0} if acts[1] == "skip" else {0: 1}
        table = position("orange 6, blue 6, yellow 9", offers=offers, pile="blue 3 x 9")
        table.tick(*acts)
        assert table.partners == [-1, -1, -1]
        assert table.tokens == [(0, 0)] * 3
        assert table.discards == ""
        keeper = 0 if acts[1] == "skip" else 1
        assert table.offers == {keeper: 1 - keeper}
