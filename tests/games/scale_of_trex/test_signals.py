"""How an acting looks: the model's distributions, and what the signals add up to.

A signal is 100 x (level + bias) + noise, cut to 0..1100; the noise is one of 4096 equally likely
quantiles of the normal distribution, times sigma. Tolerances are stated in standard errors of the
sample: 4 of them are met but once in 15,000 times where the model is right. Seeds are fixed.
"""

from collections import Counter
from fractions import Fraction
from math import floor, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dino_envs.games.scale_of_trex import GAME
from dino_envs.games.scale_of_trex.deck import NOISE

QUANTILES = [round(1000 * NormalDist().inv_cdf((i + 0.5) / 4096)) for i in range(4096)]
TICKS = 700


def possible(level: int, bias: int, sigma: int) -> np.ndarray[Any, Any]:
    """Returns the 4096 equally likely signals, reckoned apart from the rules."""
    signals = []
    for noise in QUANTILES:
        blur = floor(Fraction(sigma * noise, 100) + Fraction(1, 2))
        signals.append(min(max(100 * (level + bias) + blur, 0), 1100))
    return np.array(signals)


def sample(position: Any, level: int, bias: int, sigma: int) -> np.ndarray[Any, Any]:
    """Returns signals [TICKS, 8] of eight players who go on at a level."""
    table = position(
        ", ".join(["blue 5"] * 8),
        levels=[level] * 8,
        bias=[bias] * 8,
        sigma=[3, sigma, 50],
        pile="",
        max_ticks=10_000,
        seed=level + 100 * sigma,
    )
    signals = np.zeros((TICKS, 8))
    for tick in range(TICKS):
        for _ in range(8):
            GAME.kernels.step(table.state, level - 1)
        signals[tick] = table.state.signal
    return signals


CASES = [
    (1, 0, 5), (5, 0, 5), (5, 0, 10), (6, 1, 20), (6, -2, 20), (10, 0, 20), (10, 2, 5),
    (1, -2, 20), (1, -3, 50), (10, 3, 50), (5, 0, 50), (7, -1, 1), (4, 3, 0), (9, 3, 0),
]  # fmt: skip


@pytest.mark.parametrize(("level", "bias", "sigma"), CASES)
def test_signals_are_spread_as_the_model_says(position, level, bias, sigma):
    """Mean and spread within 4 standard errors, and a chi-square test of ten shares."""
    seen, model = sample(position, level, bias, sigma).ravel(), possible(level, bias, sigma)
    assert set(seen) <= set(model)
    size, spread = len(seen), model.std()
    assert size == 8 * TICKS
    assert abs(seen.mean() - model.mean()) <= 4 * spread / sqrt(size)
    fourth = ((model - model.mean()) ** 4).mean()
    error = sqrt(max(fourth - spread**4, 0) / size)
    assert abs(seen.var() - spread**2) <= 4 * error + 1e-9
    bounds = sorted(set(np.quantile(model, np.arange(0.1, 1, 0.1), method="lower")))
    shares = np.bincount(np.searchsorted(bounds, model), minlength=len(bounds) + 1) / len(model)
    counted = np.bincount(np.searchsorted(bounds, seen), minlength=len(bounds) + 1)
    met = shares > 0
    assert not counted[~met].any()
    if met.sum() > 1:
        assert stats.chisquare(counted[met], size * shares[met]).pvalue > 0.001


@pytest.mark.parametrize(("level", "bias", "sigma"), [(5, 0, 5), (5, 1, 10), (6, -1, 12)])
def test_far_from_the_ends_the_noise_is_normal(position, level, bias, sigma):
    """Mean level + bias, standard deviation sigma: z bounds of 4 standard errors."""
    seen = sample(position, level, bias, sigma) / 100
    size = seen.size
    assert abs(seen.mean() - level - bias) < 4 * (sigma / 10) / sqrt(size)
    assert abs(seen.std() - sigma / 10) < 4 * (sigma / 10) / sqrt(2 * size)
    errors = (seen - level - bias).ravel() / (sigma / 10)
    assert stats.kstest(errors, "norm").pvalue > 0.001
    for share in (1, 2, 3):
        inside = 2 * NormalDist().cdf(share) - 1
        bound = 4 * sqrt(inside * (1 - inside) / size)
        assert abs((abs(errors) < share).mean() - inside) < bound


@pytest.mark.parametrize(
    ("level", "bias", "sigma", "end"), [(1, -2, 20, 0), (10, 3, 50, 1100), (1, -3, 50, 0)]
)
def test_signals_are_cut_at_both_ends(position, level, bias, sigma, end):
    """What lies beyond 0 and 11 gathers there: by the normal distribution, within 4 errors."""
    seen = sample(position, level, bias, sigma).ravel()
    assert seen.min() >= 0
    assert seen.max() <= 1100
    beyond = NormalDist(100 * (level + bias), 10 * sigma)
    share = beyond.cdf(0.5) if end == 0 else 1 - beyond.cdf(1099.5)
    bound = 4 * sqrt(share * (1 - share) / seen.size)
    assert abs((seen == end).mean() - share) < bound


def test_without_noise_a_signal_is_level_and_bias(position):
    assert set(sample(position, 4, 3, 0).ravel()) == {700}
    assert set(sample(position, 10, 3, 0).ravel()) == {1100}
    assert set(sample(position, 1, -3, 0).ravel()) == {0}


def test_signals_of_players_and_ticks_are_independent(position):
    """Correlations are within 4 / sqrt(n), of 28 pairs and 8 series 4.5 / sqrt(n)."""
    seen = sample(position, 5, 0, 10)
    pairs = np.corrcoef(seen.T)[np.triu_indices(8, 1)]
    assert abs(pairs).max() < 4.5 / sqrt(TICKS)
    for series in seen.T:
        assert abs(np.corrcoef(series[1:], series[:-1])[0, 1]) < 4.5 / sqrt(TICKS)


def test_the_signal_does_not_depend_on_the_card_but_on_the_level(position):
    """ "How you interpret this is entirely up to you": another card, the same signals."""
    cards = [position(f"blue {value}, blue 5, blue 5", levels=[3, 5, 5]) for value in (1, 3, 10)]
    assert len({table.tick().statistics(0)["signal"] for table in cards}) == 1


# The noise.


def test_the_noise_is_symmetric_with_spread_1():
    noise = np.asarray(NOISE)
    assert noise.tolist() == QUANTILES
    assert len(noise) == 4096
    assert (noise == -noise[::-1]).all()
    assert (np.diff(noise) >= 0).all()
    assert noise.mean() == 0
    assert abs(noise.std() / 1000 - 1) < 0.001
    kurtosis = ((noise / noise.std()) ** 4).mean()
    assert abs(kurtosis - 3) < 0.03
    assert abs((abs(noise) < 1000).mean() - 0.6827) < 0.001


# Biases and sigmas.


@pytest.mark.parametrize("bias_range", [0, 1, 2, 3])
def test_everybody_s_idea_of_the_scale_is_drawn_uniformly(deal, bias_range):
    """By a chi-square test of 8 players in 500 games; seats do not depend on one another."""
    drawn = np.array(
        [deal(seed, num_players=8, bias_range=bias_range).state.bias for seed in range(500)]
    )
    seen = Counter(drawn.ravel().tolist())
    assert set(seen) == set(range(-bias_range, bias_range + 1))
    if bias_range:
        assert stats.chisquare(list(seen.values())).pvalue > 0.001
        correlations = np.corrcoef(drawn.T)[np.triu_indices(8, 1)]
        assert abs(correlations).max() < 4.5 / sqrt(500)


@pytest.mark.parametrize(("low", "high"), [(5, 20), (0, 50), (7, 8), (9, 9), (0, 0), (50, 50)])
def test_sigmas_are_drawn_uniformly(deal, low, high):
    """By a chi-square test of the three first action cards of 700 games."""
    seen = Counter()
    for seed in range(700):
        seen.update(deal(seed, sigma_low=low, sigma_high=high).sigma.values())
    assert set(seen) == set(range(low, high + 1))
    if low < high:
        assert stats.chisquare(list(seen.values())).pvalue > 0.001


def test_sigmas_of_cards_turned_up_later_are_drawn_uniformly(position):
    seen = Counter()
    for seed in range(60):
        table = position("swap any, blue 6, yellow 9", pile="swap any x 30", seed=seed)
        for _ in range(12):
            seen[table.tick("swap orange").sigma["orange"]] += 1
    assert set(seen) == set(range(5, 21))
    assert stats.chisquare(list(seen.values())).pvalue > 0.001


def test_action_cards_are_turned_up_in_any_order(deal):
    """By a chi-square test of which card of five lies first in 900 games, for each colour."""
    first = [deal(seed, action_cards=5).in_play for seed in range(900)]
    for colour in ("orange", "blue", "yellow"):
        seen = Counter(cards[colour] for cards in first)
        assert set(seen) == set(range(5))
        assert stats.chisquare(list(seen.values())).pvalue > 0.001


# What the signals add up to.


class Watcher:
    """Keeps all signals of a game, from the stream as it stands before each tick ends."""

    def __init__(self, players: int) -> None:
        self.shown: list[list[dict[str, int]]] = [[] for _ in range(players)]
        self.revealed: list[list[dict[str, int]]] = [[] for _ in range(players)]
        self.changed: list[list[tuple[int, int]]] = [[] for _ in range(players)]

    def tick(self, table: Any, draw: Any) -> None:
        """Notes what the tick that ends with the last seat's performance will show."""
        for seat in range(table.players):
            act = int(table.state.acts[seat])
            level = act + 1 if 0 <= act < 10 else table.levels[seat]
            if level == 0:
                continue
            sigma, bias = table.sigma_of(seat), int(table.state.bias[seat])
            blur = (sigma * QUANTILES[draw(4096)] + 50) // 100
            signal = min(max(100 * (level + bias) + blur, 0), 1100)
            if self.shown[seat]:
                change = abs(signal - self.shown[seat][-1]["signal"])
                self.changed[seat].append((change, sigma))
            self.shown[seat].append({"signal": signal, "sigma": sigma, "level": level})

    def reveal(self, seat: int, value: int) -> None:
        self.revealed[seat] += [{**one, "value": value} for one in self.shown[seat]]

    def check(self, table: Any, seat: int) -> None:
        shown, revealed, changed = self.shown[seat], self.revealed[seat], self.changed[seat]
        assert table.statistics(seat) == {
            "signal": shown[-1]["signal"] if shown else 0,
            "total": sum(one["signal"] for one in shown),
            "signals": len(shown),
            "variance": sum(one["sigma"] ** 2 for one in shown),
            "levels": sum(one["level"] for one in shown),
        }
        assert table.learnt(seat) == {
            "calibration": sum(one["signal"] - 100 * one["value"] for one in revealed),
            "calibrated": len(revealed),
            "calibration_variance": sum(one["sigma"] ** 2 for one in revealed),
            "drift": sum(one["level"] - one["value"] for one in revealed),
        }
        state = table.state
        assert int(state.unrest[seat]) == sum(change for change, _ in changed)
        assert int(state.unrest_sigma[seat]) == sum(sigma for _, sigma in changed)
        assert int(state.changes[seat]) == len(changed)


@pytest.mark.parametrize("options", [
    {"num_players": 2},
    {"num_players": 3, "bias_range": 3, "sigma_high": 50},
    {"num_players": 4, "copies": 1, "swap_cards": 10, "any_swaps": 10, "action_cards": 2},
    {"num_players": 8, "sigma_low": 0, "sigma_high": 3},
])  # fmt: skip
def test_what_is_known_of_a_player_follows_from_its_signals(lively_walk, chance, options):
    """Every signal is reckoned anew from the chance; sums are of the present card's signals, of
    the revealed cards', and of the changes in the whole game."""
    reveals, clears = 0, 0
    for seed in range(6):
        watcher, before, draw = Watcher(options["num_players"]), None, None
        for table, act in lively_walk(seed, max_ticks=60, **options):
            if table.mover == 0 and before is not None:
                watcher.tick(before, draw)
                for seat, card in enumerate(before.hands):
                    if table.partners[seat] >= 0:
                        watcher.reveal(seat, int(card.split()[1]))
                        reveals += 1
                    if table.levels[seat] == 0:
                        clears += bool(watcher.shown[seat])
                        watcher.shown[seat] = []
                    watcher.check(table, seat)
            if table.ending == "running" and table.mover == table.players - 1:
                before, draw = table.copy(), chance(int(table.state.stream[0]))
                before.state.acts[before.mover] = GAME.view.action_number(act)
    assert reveals > 10
    assert clears >= reveals
