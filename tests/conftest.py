"""What all tests share: every game found, random play on the bare rules, and the slow marker."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from dino_envs.engine import RUNNING, Game
from dino_envs.games import _places as known_games
from dino_envs.games import games, load


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow: give --slow to run it"))


@pytest.fixture(scope="session", params=games())
def game(request: pytest.FixtureRequest) -> Game:
    """Returns every game found, one after the other."""
    return load(request.param)


@pytest.fixture(scope="session", params=[name for name in games() if load(name).min_players == 1])
def solitaire(request: pytest.FixtureRequest) -> Game:
    """Returns every game that one player can play alone."""
    return load(request.param)


@pytest.fixture(scope="module")
def toy() -> Iterator[Game]:
    """Returns the toy game, which is known as another distribution's for as long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parent / "toy")
        known_games.cache_clear()
        yield load("signals")
    known_games.cache_clear()


class Position(NamedTuple):
    """A position of a game and what is played there; `state` is live, copy it to keep it."""

    state: Any
    mask: np.ndarray[Any, Any]
    legal: int
    action: int


Walk = Callable[..., Iterator[Position]]


@pytest.fixture(scope="session")
def random_walk() -> Walk:
    """Returns random_walk(game, seed, **options), which plays one random game by the bare rules.

    Every running position is yielded before its action is played, then the finished one, with an
    empty mask and the action -1. `state=` goes on from a given state [1] instead.
    """

    def walk(
        game: Game, seed: int, state: np.ndarray[Any, Any] | None = None, **options: Any
    ) -> Iterator[Position]:
        rules = game.kernels
        if state is None:
            state = game.new_states(1, **options)
            rules.reset(state[0], np.uint64(seed))
        rng = np.random.default_rng(seed)
        while state[0].ending == RUNNING:
            mask = np.zeros(game.actions.size, np.int8)
            legal = rules.legal_actions(state[0], mask)
            action = int(rng.choice(np.flatnonzero(mask)))
            yield Position(state[0], mask, legal, action)
            rules.step(state[0], action)
        yield Position(state[0], np.zeros(game.actions.size, np.int8), 0, -1)

    return walk
