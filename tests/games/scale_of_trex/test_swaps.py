"""Swap cards: of one colour, resolved at once; of any, chosen in the next tick; action piles."""

from collections import Counter

import pytest


@pytest.mark.parametrize("colour", ["orange", "blue", "yellow"])
def test_a_drawn_swap_card_changes_the_action_of_its_colour(position, colour):
    """ "Find the Action Card in the Play Area that matches the color of your Swap Card and discard
    it into the Box Top. [...] put a new Action Card of the same color face up into the Play
    Area." """
    table = position("orange 6, blue 6, yellow 9", pile=f"swap {colour}", discards="blue 3 x 50")
    before, left = table.in_play, table.action_pile(colour)
    table.tick("skip")
    after = table.in_play
    assert {c for c in before if before[c] != after[c]} == {colour}
    assert after[colour] in left
    assert table.action_pile(colour) == [card for card in left if card != after[colour]]


def test_c8_a_chain_of_swap_cards_is_resolved_at_once(position):
    """ "Discard your Swap Card, draw a new Number Card, and continue playing": also if that is
    another swap card."""
    lengths = set()
    for seed in range(40):
        table = position(
            "orange 6, blue 6, yellow 9", pile="swap blue x 3, swap yellow x 2, blue 3", seed=seed
        )
        before = {colour: table.action_pile(colour) for colour in table.in_play}
        table.tick("skip")
        assert table.hands[0] == "blue 3"
        swaps = Counter()
        for colour, left in before.items():
            swaps[f"swap {colour}"] = len(left) - len(table.action_pile(colour))
        discards = [words.partition(" x ") for words in table.discards.split(", ") if words]
        assert +swaps == Counter({card: int(times or 1) for card, _, times in discards})
        assert swaps["swap orange"] == 0
        lengths.add(swaps.total())
    assert lengths == set(range(6)), "chains of all lengths"


def test_a_swap_takes_effect_for_all_who_perform_that_colour(position):
    """C16: "the player switches to the new card of its colour"; its signals go on."""
    table = position(
        "blue 6, orange 6, orange 9, blue 1",
        pile="swap orange",
        discards="yellow 3 x 50",
        sigma=[10, 12, 14],
        ticks=2,
        sigma_low=30,
        sigma_high=30,
    )
    table.tick("skip")
    assert table.sigma == {"orange": 30, "blue": 12, "yellow": 14}
    assert table.statistics(1)["variance"] == 3 * 10**2, "in this tick, the old card still lay"
    table.tick()
    for seat, sigmas in ((1, [10, 10, 10, 30]), (2, [10, 10, 10, 30]), (3, [12] * 4)):
        assert table.statistics(seat)["variance"] == sum(sigma**2 for sigma in sigmas)
        assert table.statistics(seat)["signals"] == 4
    assert table.levels[1:] == [6, 9, 1]


def test_swap_any_colour_is_held_and_seen_until_its_drawer_has_chosen(position):
    """ "(If you got a "Swap Any Color", you can pick any of the three Action Cards)." """
    table = position("orange 6, blue 6, yellow 9", pile="swap any", discards="blue 3 x 50")
    table.tick("skip")
    assert table.hands[0] == "swap any"
    assert table.legal_of(0) == ["swap orange", "swap blue", "swap yellow"]
    assert table.levels[0] == 0
    assert table.see(0)["swaps"] == [1]
    assert table.see(1)["swapping"].tolist() == [0, 1, 0, 0, 0, 0, 0]
    assert table.see(2)["swapping"].tolist() == [1, 0, 0, 0, 0, 0, 0]
    assert not table.see(1)["performs"][1].any(), "it has no colour"


@pytest.mark.parametrize("colour", ["orange", "blue", "yellow"])
def test_the_drawer_of_swap_any_colour_chooses(position, colour):
    """ "Discard your Swap Card, draw a new Number Card, and continue playing." """
    table = position("swap any, blue 6, yellow 9", pile="blue 3 x 2, blue 4")
    before = table.in_play
    table.tick(f"swap {colour}")
    after = table.in_play
    assert {c for c in before if before[c] != after[c]} == {colour}
    assert table.discards == "swap any"
    assert table.hands[0] in ("blue 3", "blue 4")
    assert table.legal_of(0) == [f"perform {level}" for level in range(1, 11)]
    assert table.levels == [0, 6, 9]


def test_a_swap_holder_sends_no_signal_but_may_get_offers(position):
    table = position("swap any, blue 6, yellow 9", pile="blue 3 x 9", offers={1: 0})
    table.tick("swap blue", "", "offer +1")
    assert table.statistics(0)["signals"] == 0
    assert table.offers == {1: 0, 2: 0}


def test_swap_any_colour_may_be_drawn_again(position):
    table = position("swap any, blue 6, yellow 9", pile="swap any x 2")
    for drawn in range(2):
        table.tick("swap blue")
        assert table.hands[0] == "swap any"
        assert table.discards == ("swap any" if drawn == 0 else "swap any x 2")


def test_swaps_come_after_all_skips(position):
    """Seat order: a skipped card is put away before the action changes, and both draw after."""
    table = position("swap any, blue 6, yellow 9", pile="", discards="blue 3 x 50")
    table.tick("swap orange", "skip")
    assert table.cards == "blue 3 x 50, blue 6, yellow 9, swap any"
    assert table.skipped(1) == ""
    assert table.discards == "", "the swap card was shuffled into the pile as well"


def test_two_swaps_of_one_colour_in_a_tick_change_it_twice(position):
    table = position("swap any, swap any, yellow 9", pile="blue 3 x 9")
    left = table.action_pile("orange")
    table.tick("swap orange", "swap orange")
    assert len(table.action_pile("orange")) == len(left) - 2
    assert table.discards == "swap any x 2"


def swapped(table, colour: str, times: int) -> list[int]:
    """Returns the action cards that lie in play one after the other, the first one included."""
    shown = [table.in_play[colour]]
    for _ in range(times):
        table.tick(f"swap {colour}")
        shown.append(table.in_play[colour])
    return shown


@pytest.mark.parametrize("cards", [1, 2, 3, 20])
def test_c10_an_empty_action_pile_is_shuffled_anew(position, cards):
    """C10: "shuffle that colour's discards"; the card in play was discarded just before."""
    for seed in range(5):
        table = position(
            "swap any, blue 6, yellow 9",
            pile="swap any x 200",
            action_cards=cards,
            seed=seed,
            max_ticks=1000,
            sigma_low=0,
            sigma_high=50,
        )
        others = {colour: table.in_play[colour] for colour in ("orange", "yellow")}
        shown = swapped(table, "blue", 4 * cards - 1)
        for first in range(0, 4 * cards, cards):
            assert sorted(shown[first : first + cards]) == list(range(cards))
        assert table.action_pile("blue") == []
        assert {colour: table.in_play[colour] for colour in others} == others


def test_an_action_card_keeps_its_sigma(position):
    """It is drawn when the card is first turned up, and remembered."""
    table = position(
        "swap any, blue 6, yellow 9",
        pile="swap any x 200",
        action_cards=4,
        sigma_low=0,
        sigma_high=50,
    )
    sigma = {table.in_play["blue"]: {table.sigma["blue"]}}
    for _ in range(40):
        table.tick("swap blue")
        sigma.setdefault(table.in_play["blue"], set()).add(table.sigma["blue"])
    assert sorted(sigma) == [0, 1, 2, 3]
    assert all(len(values) == 1 for values in sigma.values())


def test_any_of_the_cards_left_may_come_up(position):
    """By a count of 1200 draws from 5 cards; the bound is 4 standard deviations."""
    table = position("swap any, blue 6, yellow 9", pile="swap any x 9", action_cards=6)
    left, seen = table.action_pile("orange"), Counter()
    for seed in range(1200):
        other = table.copy()
        other.state.stream[0] = seed
        seen[other.tick("swap orange").in_play["orange"]] += 1
    assert sorted(seen) == left
    assert all(abs(count - 240) < 4 * (240 * 0.8) ** 0.5 for count in seen.values())


@pytest.mark.parametrize("players", [2, 4, 8])
def test_a_swap_card_is_not_dealt(deal, players):
    """ "If you were dealt a Swap Card as your first card, shuffle it into the deck and draw
    again." """
    for seed in range(50):
        table = deal(seed, num_players=players, swap_cards=10, any_swaps=10)
        assert not any(card.startswith("swap") for card in table.hands)
        assert table.pile.endswith(
            "swap orange x 10, swap blue x 10, swap yellow x 10, swap any x 10"
        )


def test_nobody_else_may_swap(position):
    table = position("swap any, blue 6, yellow 9", levels=[0, 0, 9])
    for seat in (1, 2):
        assert not any(name.startswith("swap") for name in table.legal_of(seat))
