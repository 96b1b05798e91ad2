"""A re-deal of On a Scale of One to T-Rex gives others the cards they are likely to have.

What is likely is reckoned here by Bayes' rule from the model itself: a mean of n signals is normal
around value + bias with variance sigma^2 / n, biases are uniform before anything was revealed, and
values are as frequent as the cards not yet seen. The re-deal blurs what it sees a little, on
purpose; so distributions may differ by 0.1 (half the sum of differences) of 1500 re-deals.
"""

from collections import Counter
from math import exp
from typing import Any

import numpy as np
import pytest

REDEALS = 1500


def normal(off: float, variance: float) -> float:
    return exp(-(off**2) / (2 * variance))


def posterior(
    looks: float,
    variance: float,
    bias_range: int,
    learnt: tuple[float, float] | None,
    left: list[int],
) -> np.ndarray[Any, Any]:
    """Returns how likely the values 1 to 10 are.

    `looks` is the mean in levels, `learnt` the mean and variance of what revealed cards told of the
    bias, `left` how many cards of each value the seat has not seen.
    """
    odds = np.zeros(10)
    for bias in range(-bias_range, bias_range + 1):
        known = 1.0 if learnt is None else normal(learnt[0] - bias, learnt[1])
        for value in range(1, 11):
            odds[value - 1] += known * normal(looks - value - bias, variance) * left[value - 1]
    return odds / odds.sum()


def redealt(table: Any, seat: int, of: int) -> np.ndarray[Any, Any]:
    """Returns how often each value was dealt to a seat, of 1."""
    cards = Counter(table.redeal(seat, seed).hands[of] for seed in range(REDEALS))
    shares = np.zeros(10)
    for card, count in cards.items():
        shares[int(card.split()[1]) - 1] += count / REDEALS
    return shares


def looking(position: Any, looks: float, **given: Any) -> Any:
    """Returns a table at which seat 1, who has a blue 6, looks like that on average."""
    table = position("orange 6, blue 6, yellow 1", **{"levels": [6, 6, 0], **given})
    table.state.total[1] = round(100 * looks * int(table.state.signals[1]))
    return table


TWO = [2] * 10
CASES = {
    # looks, sigma, ticks, bias_range, learnt (mean, signals), discards, left
    "clear, no bias": (6.0, 5, 25, 0, None, "", TWO),
    "clear, between two": (6.5, 5, 9, 0, None, "", TWO),
    "unclear, no bias": (6.0, 20, 4, 0, None, "", TWO),
    "a glance": (5.0, 10, 1, 0, None, "", TWO),
    "clear, of unknown bias": (6.0, 5, 25, 2, None, "", TWO),
    "clear, of quite unknown bias": (5.0, 10, 10, 3, None, "", TWO),
    "a bias of 2 is known": (6.0, 5, 9, 2, (2.0, 40), "", TWO),
    "a bias of -1 is guessed": (5.0, 10, 9, 2, (-1.0, 2), "", TWO),
    "cards are gone": (6.0, 10, 4, 1, None, "blue 6 x 2, blue 5, blue 8", [2, 2, 2, 2, 1, 0, 2,
                                                                           1, 2, 2]),
    "the low end": (2.0, 10, 4, 2, None, "", TWO),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_cards_are_as_likely_as_bayes_rule_makes_them(position, case):
    looks, sigma, ticks, bias_range, learnt, discards, left = CASES[case]
    table = position(
        "orange 6, blue 7, yellow 1", levels=[6, 7, 0], ticks=ticks, sigma=[5, sigma, 5],
        bias_range=bias_range, discards=discards,
    )  # fmt: skip
    table.state.total[1] = round(100 * looks * ticks)
    told = None
    if learnt is not None:
        mean, signals = learnt
        table.state.calibration[1], table.state.calibrated[1] = round(100 * mean * signals), signals
        table.state.calibration_variance[1] = 100 * signals
        told = (mean, 1 / signals)
    expected = posterior(looks, (sigma / 10) ** 2 / ticks, bias_range, told, left)
    shares = redealt(table, 0, 1)
    assert abs(shares - expected).sum() / 2 < 0.1, (shares.round(3), expected.round(3))
    assert not shares[np.array(left) == 0].any()


def test_a_sharp_signal_leaves_no_doubt(position):
    """Nobody is biased, and 25 clear signals say 6."""
    table = looking(position, 6.0, ticks=25, sigma=[5, 5, 5], bias_range=0)
    assert redealt(table, 0, 1)[5] > 0.98
    assert redealt(table, 2, 1)[5] > 0.98


def test_who_is_known_to_look_too_high_gets_a_lower_card(position):
    table = looking(position, 6.0, ticks=25, sigma=[5, 5, 5])
    table.state.calibration[1], table.state.calibrated[1] = 40 * 200, 40
    table.state.calibration_variance[1] = 40 * 25
    assert redealt(table, 0, 1)[3] > 0.95
    biases = Counter(int(table.redeal(0, seed).state.bias[1]) for seed in range(200))
    assert biases[2] > 190


def test_card_and_bias_go_together(position):
    """Each alone may be many; their sum is how the seat looks."""
    table = looking(position, 6.0, ticks=25, sigma=[5, 5, 5])
    sums, values = Counter(), set()
    for seed in range(300):
        again = table.redeal(0, seed)
        value = int(again.hands[1].split()[1])
        sums[value + int(again.state.bias[1])] += 1
        values.add(value)
    assert sums[6] > 285
    assert values >= {4, 5, 6, 7, 8}


def test_a_card_that_was_not_performed_may_be_any(position):
    """By 1500 re-deals: 60 cards of 30 kinds less two; the bound is 4.5 standard deviations."""
    table = looking(position, 6.0, ticks=25, sigma=[5, 5, 5], bias_range=0)
    seen = Counter(table.redeal(0, seed).hands[2] for seed in range(REDEALS))
    assert len(seen) == 30
    for card, count in seen.items():
        left = 1 if card in ("orange 6", "blue 6") else 2
        share = left / 58
        assert abs(count - REDEALS * share) < 4.5 * (REDEALS * share) ** 0.5, card


def test_skipped_cards_are_any_of_their_colour(position):
    table = position("orange 6, blue 6, yellow 1", levels=[6, 0, 0], skipped={1: "blue 3"})
    seen = Counter(table.redeal(0, seed).skipped(1) for seed in range(REDEALS))
    assert set(seen) == {f"blue {value}" for value in range(1, 11)}
    assert all(abs(count - REDEALS / 10) < 4.5 * (REDEALS * 0.09) ** 0.5 for count in seen.values())


@pytest.mark.parametrize("level", [5, 6])  # far enough from both ends of the scale
def test_the_own_acting_looks_as_the_model_says(position, level):
    """Any bias, and noise: means of 1500 re-deals within 4.5 standard errors."""
    ticks, sigma = 16, 2.0
    table = position(
        "orange 6, blue 6, yellow 1", levels=[level, 6, 0], ticks=ticks, sigma=[20, 5, 5],
        bias_range=1,
    )  # fmt: skip
    agains = [table.redeal(0, seed) for seed in range(REDEALS)]
    biases = np.array([int(again.state.bias[0]) for again in agains])
    assert set(biases) == {-1, 0, 1}
    looks = np.array([again.statistics(0)["total"] for again in agains]) / 100 / ticks
    off = looks - level - biases
    spread = sigma / ticks**0.5
    assert abs(off.mean()) < 4.5 * spread / REDEALS**0.5
    assert abs(off.std() - spread) < 4.5 * spread / (2 * REDEALS) ** 0.5


def test_the_own_calibration_follows_from_what_was_performed(position):
    """The seat knows that it acted 3 levels too high on 10 ticks; its bias comes on top."""
    table = position("orange 6, blue 6, yellow 1", bias_range=2)
    state = table.state
    state.calibrated[0], state.drift[0], state.calibration_variance[0] = 10, 30, 10 * 25
    for seed in range(200):
        again = table.redeal(0, seed).state
        off = again.calibration[0] / 1000 - 3 - again.bias[0]
        assert abs(off) < 4.5 * 0.5 / 10**0.5


def test_two_who_look_alike_are_dealt_alike(position):
    """Both look like the one blue 6 that there is: either may have it, whatever their seats."""
    table = position(
        "orange 6, blue 6, blue 9", levels=[6, 6, 6], ticks=25, sigma=[5, 5, 5], copies=1,
        bias_range=0,
    )  # fmt: skip
    first, second = redealt(table, 0, 1)[5], redealt(table, 0, 2)[5]
    assert abs(first - second) < 0.1
