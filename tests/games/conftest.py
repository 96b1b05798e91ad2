"""What the tests of all games share: the slow reference with its chance, and the playthrough.

A reference draws with its own telling of the random stream (SplitMix64, and Lemire's bounded
integers, see `dino_envs/engine/stream.py`), so that both games see the same chance.
"""

import importlib.util
from collections.abc import Callable
from types import ModuleType

import pytest

MASK_64 = 2**64 - 1

Draw = Callable[[int], int]


@pytest.fixture(scope="module")
def reference(request: pytest.FixtureRequest) -> ModuleType:
    """Returns the slow reference that stands beside the test."""
    path = request.path.with_name("reference.py")
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def golden(request: pytest.FixtureRequest) -> str:
    """Returns the game's playthrough, which stands beside the test."""
    return request.path.with_name("playthrough.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def chance() -> Callable[[int], Draw]:
    """Returns chance(seed), which returns draw(n): a uniform int in 0..n-1 from that seed."""

    def seeded(seed: int) -> Draw:
        word = seed

        def draw(n: int) -> int:
            nonlocal word
            while True:
                word = (word + 0x9E3779B97F4A7C15) & MASK_64
                mixed = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK_64
                mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB & MASK_64
                mixed ^= mixed >> 31
                product = (mixed >> 32) * n
                if product % 2**32 >= 2**32 % n:
                    return product >> 32

        return draw

    return seeded
