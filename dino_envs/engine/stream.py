"""The game's own random stream: SplitMix64, held in one `uint64` inside the state.

Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
A `stream` is an array uint64 [1]. Every function changes it in place, so a copied state replays
the same chance, on any thread, compiled or not.
"""

from __future__ import annotations

import numpy as np

from dino_envs.engine.kernel import kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW_32 = np.uint64(0xFFFFFFFF)
_TWO_32 = np.uint64(0x100000000)


@kernel
def mix(word):
    """Scrambles a uint64, one to one."""
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@kernel
def next_word(stream):
    """Draws the next uint64."""
    stream[0] += _GAMMA
    return mix(stream[0])


@kernel
def fork(word, index):
    """Derives the seed of branch `index` (int >= 0) from a seed, both uint64."""
    return mix(mix(word + _GAMMA) ^ mix(np.uint64(index) * _GAMMA + _MIX_2))


@kernel
def below(stream, n):
    """Draws an int from 0 to n - 1, each equally likely; 1 <= n < 2**32.

    Lemire, "Fast random integer generation in an interval", 2019: multiply, and draw again in the
    few cases that would favour some values.
    """
    size = np.uint64(n)
    product = (next_word(stream) >> _32) * size
    if (product & _LOW_32) < size:
        unfair = (_TWO_32 - size) % size
        while (product & _LOW_32) < unfair:
            product = (next_word(stream) >> _32) * size
    return np.int64(product >> _32)


@kernel
def uniform(stream):
    """Draws a float64 in [0, 1) with 53 random bits."""
    return np.float64(next_word(stream) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def shuffle(stream, items, count):
    """Shuffles the first `count` items in place, every order equally likely."""
    for last in range(count - 1, 0, -1):
        other = below(stream, last + 1)
        held = items[last]
        items[last] = items[other]
        items[other] = held


@kernel
def choose_legal(stream, mask):
    """Draws one of the actions with mask[action] = 1, each equally likely; -1 if there is none."""
    count = 0
    for action in range(mask.shape[0]):
        count += int(mask[action])
    return choose_of(stream, mask, count) if count > 0 else -1


_BLOCK = 16
"""Actions that are passed over at once; their number fits into a byte, which is added fastest."""


@kernel
def choose_of(stream, mask, count):
    """Draws one of the `count` >= 1 actions with mask[action] = 1, each equally likely."""
    left = below(stream, count)
    first = 0
    while first + _BLOCK <= mask.shape[0]:
        inside = np.int8(0)
        for action in range(first, first + _BLOCK):
            inside = np.int8(inside + mask[action])
        if left < inside:
            break
        left -= int(inside)
        first += _BLOCK
    while True:
        left -= int(mask[first])
        if left < 0:
            return first
        first += 1
