"""Skipped cards, and the draw pile: what goes where, and what is shuffled when it runs out."""

from collections import Counter


def test_a_card_may_be_skipped_without_penalty(position):
    """ "You can always discard your Number Card into the Box Top and draw a new one without
    penalty." """
    table = position("orange 6, blue 6, yellow 9", pile="blue 3 x 9", tokens=[(3, 1)] * 3)
    table.tick("skip")
    assert table.hands == ["blue 3", "blue 6", "yellow 9"]
    assert table.tokens == [(3, 1)] * 3
    assert table.piles == (16, 8)


def test_skipping_may_be_done_as_often_as_one_likes(position):
    """ "You can do this as often as you'd like, but you will be wasting your time"."""
    table = position("orange 6, blue 6, yellow 9", pile="blue 3 x 30")
    for _ in range(10):
        table.tick("skip").tick()
    assert table.ticks == 30
    assert table.scores == [0, 0, 0]


def test_c11_a_skipped_card_lies_face_down(position):
    """C11: "face down (hidden)": only who skipped it knows it."""
    table = position("orange 6, blue 6, yellow 9", pile="blue 3 x 9", copies=1)
    table.tick("skip", "skip")
    assert table.discards == ""
    assert [table.skipped(seat) for seat in range(3)] == ["orange 6", "blue 6", ""]
    assert table.see(0)["unseen"][0, 5] == 0
    assert table.see(1)["unseen"][0, 5] == table.see(2)["unseen"][0, 5] == 1
    assert table.revealed == ["-", "-", "-"]


def test_skipping_clears_the_card_but_not_what_was_learnt(position):
    table = position("orange 6, blue 6, yellow 9", pile="blue 3 x 9", offers={0: 2}, ticks=4)
    table.state.calibration[0], table.state.calibrated[0] = 120, 3
    table.tick("skip")
    assert table.levels == [0, 6, 9]
    assert table.offers == {}
    assert set(table.statistics(0).values()) == {0}
    assert table.learnt(0) == {
        "calibration": 120,
        "calibrated": 3,
        "calibration_variance": 0,
        "drift": 0,
    }


def test_everybody_may_skip_at_once_and_draws_in_seat_order(position):
    table = position("orange 6, blue 6, yellow 9", pile="blue 3 x 9")
    table.tick("skip", "skip", "skip")
    assert table.hands == ["blue 3"] * 3
    assert table.pile == "blue 3 x 6"
    assert table.discards == ""


def test_an_empty_draw_pile_is_shuffled_anew(position):
    """ "If you end up running out of cards in the Draw Pile, pause play, then reshuffle and
    continue playing": all discards, face up or down, but not the cards in the hands."""
    table = position(
        "orange 6, blue 6, yellow 9, yellow 10",
        pile="",
        discards="blue 1, swap yellow",
        skipped={2: "orange 2", 3: "orange 3 x 2"},
    )
    everything = table.cards
    table.tick("offer +1", "offer +3")
    assert table.discards in ("", "swap yellow"), "a swap card drawn goes to the discards again"
    assert [table.skipped(seat) for seat in range(4)] == [""] * 4
    assert table.cards == everything
    assert table.hands[2:] == ["yellow 9", "yellow 10"]


def test_the_pile_is_shuffled_only_when_a_card_is_missing(position):
    """The last card is drawn as it is; the next draw of the same tick needs the discards."""
    table = position("orange 6, blue 6, yellow 9", pile="blue 1", discards="yellow 2")
    table.tick("skip")
    assert table.hands[0] == "blue 1"
    assert (table.pile, table.discards, table.skipped(0)) == ("", "yellow 2", "orange 6")
    table.tick()
    table.tick("offer +1", "offer +2")
    assert table.discards == ""
    left = [*table.hands[:2], *table.pile.split(", ")]
    assert sorted(left) == ["blue 1", "blue 6", "orange 6", "yellow 2"]


def test_a_card_skipped_in_the_same_tick_is_shuffled_as_well(position):
    seen = Counter()
    for seed in range(60):
        table = position("orange 6, blue 6, yellow 9", pile="", discards="yellow 2", seed=seed)
        seen[table.tick("skip").hands[0]] += 1
        assert table.skipped(0) == ""
    assert set(seen) == {"orange 6", "yellow 2"}


def test_an_any_colour_swap_comes_back_with_the_shuffle(position):
    table = position("swap any, blue 6, yellow 9", pile="")
    table.tick("swap blue")
    assert table.hands[0] == "swap any", "it was the only card to be drawn"


def test_a_card_is_drawn_at_random(position):
    """By 1500 draws from ten cards of four kinds; the bound is 4 standard deviations."""
    table = position(
        "orange 6, blue 6, yellow 9", pile="orange 1 x 4, blue 5 x 3, yellow 10 x 2, swap any"
    )
    seen = Counter()
    for seed in range(1500):
        other = table.copy()
        other.state.stream[0] = seed
        seen[other.tick("skip").hands[0]] += 1
    shares = {"orange 1": 0.4, "blue 5": 0.3, "yellow 10": 0.2, "swap any": 0.1}
    assert set(seen) == set(shares)
    for card, share in shares.items():
        assert abs(seen[card] - 1500 * share) < 4 * (1500 * share * (1 - share)) ** 0.5
