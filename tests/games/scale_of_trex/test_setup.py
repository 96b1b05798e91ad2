"""The set-up: the deck, the deal, three action cards and the token chart."""

from collections import Counter

import pytest
from scipy import stats

CHART = {2: (15, 0), 3: (16, 8), 4: (20, 10), 5: (24, 12), 6: (28, 14), 7: (32, 16), 8: (36, 18)}


@pytest.mark.parametrize("players", CHART)
def test_good_and_bad_tokens_are_laid_out_according_to_the_chart(deal, players):
    """ "Put the good tokens and bad tokens into separate piles in the middle of the table
    according to this chart"."""
    table = deal(num_players=players)
    assert table.piles == CHART[players]
    assert table.tokens == [(0, 0)] * players


@pytest.mark.parametrize("players", [2, 3, 8])
@pytest.mark.parametrize(
    ("copies", "swap_cards", "any_swaps"), [(2, 5, 4), (1, 0, 0), (4, 10, 10), (3, 1, 0)]
)
def test_the_deck_has_number_and_swap_cards(deal, players, copies, swap_cards, any_swaps):
    """ "Mixed in with the Number Cards are Swap Cards." """
    table = deal(3, num_players=players, copies=copies, swap_cards=swap_cards, any_swaps=any_swaps)
    counts = Counter()
    for words in table.cards.split(", "):
        card, _, times = words.partition(" x ")
        counts[card] += int(times or 1)
    colours = ("orange", "blue", "yellow")
    expected = {f"{c} {value}": copies for c in colours for value in range(1, 11)}
    expected |= {f"swap {c}": swap_cards for c in colours} | {"swap any": any_swaps}
    assert counts == Counter({card: count for card, count in expected.items() if count})
    assert counts.total() == 30 * copies + 3 * swap_cards + any_swaps


@pytest.mark.parametrize("players", range(2, 9))
def test_each_player_is_dealt_one_card(deal, players):
    """ "Deal one face down to each player. Put the remaining number cards face down on the
    table." """
    table = deal(2, num_players=players)
    assert len(table.hands) == players
    assert all(card.split()[0] in ("orange", "blue", "yellow") for card in table.hands)
    assert table.levels == [0] * players
    assert table.offers == {}
    assert table.calls == ["-"] * players
    assert (table.mover, table.ticks, table.discards) == (0, 0, "")
    assert table.partners == [-1] * players
    assert (table.state.acts[:players] == -1).all()
    assert table.scores == [0] * players


@pytest.mark.parametrize("cards", [1, 2, 20])
def test_one_action_card_of_each_colour_lies_in_play(deal, cards):
    """ "Turn over the top card from each Action Card pile and place them in the Play Area." """
    for seed in range(10):
        table = deal(seed, action_cards=cards)
        for colour in ("orange", "blue", "yellow"):
            left = table.action_pile(colour)
            assert sorted([*left, table.in_play[colour]]) == list(range(cards))
            assert 5 <= table.sigma[colour] <= 20


def test_every_number_card_is_dealt_equally_often(deal):
    """By a chi-square test of 3000 deals to four players."""
    seen, pairs = Counter(), 0
    for seed in range(3000):
        hands = deal(seed).hands
        seen[hands[seed % 4]] += 1
        pairs += hands[0] == hands[1]
    assert len(seen) == 30
    assert stats.chisquare(list(seen.values())).pvalue > 0.001
    assert abs(pairs - 3000 / 59) < 4 * (3000 / 59) ** 0.5, "two equal cards among 60 of 30 kinds"


def test_the_seed_decides(deal):
    one, same, other = deal(5), deal(5), deal(6)
    assert one.state.tobytes() == same.state.tobytes()
    assert one.state.tobytes() != other.state.tobytes()
