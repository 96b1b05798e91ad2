"""The random stream of the engine: known values, evenness, and a second telling."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from dino_envs.engine import (
    stream,
)
from dino_envs.engine.seeding import episode_stream

MASK_64 = 2**64 - 1
ALWAYS_THE_SAME = 1e-4
"""Chance below which a test of fixed draws calls them uneven."""


# A second telling of the stream, in plain Python ints.


class PlainStream:
    """SplitMix64 and what is drawn from it."""

    def __init__(self, seed: int) -> None:
        self.word = seed

    @staticmethod
    def mix(word: int) -> int:
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK_64
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MASK_64
        return word ^ (word >> 31)

    def next_word(self) -> int:
        self.word = (self.word + 0x9E3779B97F4A7C15) & MASK_64
        return self.mix(self.word)

    def below(self, n: int) -> int:
        while True:
            product = (self.next_word() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32


def a_stream(seed: int) -> np.ndarray[Any, Any]:
    return np.array([seed], np.uint64)


def test_next_word_gives_the_published_splitmix64_values():
    words = a_stream(1234567)
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [int(stream.next_word(words)) for _ in published] == published
    assert int(stream.next_word(a_stream(0))) == 0xE220A8397B1DCDAF


@pytest.mark.parametrize("seed", [0, 1, 2**63, MASK_64])
def test_the_stream_is_the_same_in_plain_ints(seed):
    words, plain = a_stream(seed), PlainStream(seed)
    for n in [1, 2, 6, 37, 3 * 2**30, 2**32 - 1] * 50:
        assert int(stream.below(words, n)) == plain.below(n)
        assert int(words[0]) == plain.word
    expected = (plain.next_word() >> 11) / 2**53
    assert stream.uniform(words) == expected


@pytest.mark.parametrize("n", [2, 3, 6, 7, 37])
def test_below_is_even(n):
    words = a_stream(n)
    drawn = [int(stream.below(words, n)) for _ in range(2000 * n)]
    assert set(drawn) == set(range(n))
    assert chisquare(np.bincount(drawn)).pvalue > ALWAYS_THE_SAME


def test_below_draws_again_where_some_values_would_be_favoured():
    # Cut to 3 * 2**30 without drawing again, multiples of three come twice as often as others.
    words = a_stream(5)
    drawn = [int(stream.below(words, 3 * 2**30)) % 3 for _ in range(20_000)]
    assert chisquare(np.bincount(drawn)).pvalue > ALWAYS_THE_SAME


def test_uniform_is_even_and_below_one():
    words = a_stream(6)
    drawn = np.array([stream.uniform(words) for _ in range(20_000)])
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    assert chisquare(np.histogram(drawn, 20, (0, 1))[0]).pvalue > ALWAYS_THE_SAME


def test_shuffle_brings_every_order_equally_often():
    words = a_stream(7)
    orders = dict.fromkeys(permutations(range(4)), 0)
    for _ in range(500 * len(orders)):
        items = np.array([0, 1, 2, 3, 99], np.int8)
        stream.shuffle(words, items, 4)
        assert items[4] == 99
        orders[tuple(items[:4].tolist())] += 1
    assert chisquare(list(orders.values())).pvalue > ALWAYS_THE_SAME


def test_shuffle_is_fisher_and_yates_from_the_end():
    items, plain, expected = np.arange(20, dtype=np.int8), PlainStream(8), list(range(20))
    stream.shuffle(a_stream(8), items, 20)
    for last in range(19, 0, -1):
        other = plain.below(last + 1)
        expected[last], expected[other] = expected[other], expected[last]
    assert items.tolist() == expected


def test_choose_legal_is_even_over_the_legal_actions():
    words, mask = a_stream(9), np.array([0, 1, 0, 1, 1, 0], np.int8)
    drawn = np.bincount([stream.choose_legal(words, mask) for _ in range(6000)], minlength=6)
    assert (drawn[mask == 0] == 0).all()
    assert chisquare(drawn[mask == 1]).pvalue > ALWAYS_THE_SAME
    assert stream.choose_legal(words, np.zeros(6, np.int8)) == -1


def test_forks_of_a_seed_are_all_different_and_the_same_in_plain_ints():
    seeds = [np.uint64(seed) for seed in (0, 1, 2, MASK_64)]
    forks = [int(stream.fork(seed, index)) for seed in seeds for index in range(1000)]
    assert len(set(forks)) == len(forks)
    mix, gamma, salt = PlainStream.mix, 0x9E3779B97F4A7C15, 0x94D049BB133111EB
    for position, found in enumerate(forks[:2000]):
        seed, index = divmod(position, 1000)
        inner = mix((int(seeds[seed]) + gamma) & MASK_64)
        assert found == mix(inner ^ mix((index * gamma + salt) & MASK_64))


def test_an_episode_stream_follows_its_seed_alone():
    assert episode_stream(0) == episode_stream(0)
    assert episode_stream(0) != episode_stream(1)
    assert episode_stream(None) != episode_stream(None)
