"""PettingZoo's contract, and what real clients need beyond PettingZoo's own tests."""

from __future__ import annotations

import copy
import importlib
import pickle
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel

import dino_envs
from dino_envs.engine import Game
from dino_envs.engine.errors import (
    DinoEnvsError,
    GameOverError,
    IllegalActionError,
    NotResetError,
    OptionError,
    UnknownGameError,
)
from dino_envs.engine.reward import REWARDS

TOLERATED = {
    # PettingZoo's own classic games give the same two: observations are dictionaries with a mask.
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or "
    "gymnasium.spaces.discrete",
}


def module(game: Game) -> Any:
    return importlib.import_module(f"dino_envs.{game.full_id}")


def makers(game: Game) -> list[Callable[..., Any]]:
    return [module(game).env, module(game).raw_env]


def played(env: Any, seed: int, moves: int) -> Any:
    """Plays random moves, and returns the environment."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(moves):
        if any(env.terminations.values()) or any(env.truncations.values()):
            break
        env.step(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))
    return env


def to_the_end(env: Any, seed: int) -> dict[str, float]:
    """Plays a random game as PettingZoo's manual does; returns what `last` paid to each agent."""
    rng = np.random.default_rng(seed)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        over = terminated or truncated
        env.step(None if over else rng.choice(np.flatnonzero(observation["action_mask"])))
    return paid


@pytest.mark.parametrize("which", [0, 1], ids=["env", "raw_env"])
def test_pettingzoo_s_own_tests_pass(game: Game, which: int) -> None:
    make = makers(game)[which]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for players in {game.min_players, game.default_players, game.max_players}:
            api_test(make(num_players=players), num_cycles=300)
        seed_test(make, num_cycles=50)
    assert {str(warning.message) for warning in caught} <= TOLERATED


def test_pettingzoo_s_registry_makes_it(game: Game) -> None:
    make = getattr(pettingzoo, "make", None)
    if make is None:
        pytest.skip("this PettingZoo has no registry")
    env = make("aec", f"dino_envs/{game.full_id}", num_players=game.max_players)
    assert env.metadata["name"] == game.full_id
    assert len(env.possible_agents) == game.max_players


def test_spaces_are_one_object_and_equal_for_all_seats(game: Game) -> None:
    env = module(game).env(num_players=game.max_players)
    first = env.possible_agents[0]
    for agent in env.possible_agents:
        assert env.action_space(agent) is env.action_space(agent)
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.observation_space(agent) == env.observation_space(first)
        assert env.action_space(agent) == env.action_space(first)


def test_observe_is_valid_for_every_agent_at_any_time(game: Game) -> None:
    env = module(game).env(num_players=game.max_players)
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    while env.agents:
        before = env.state_bytes()
        for agent in env.possible_agents:
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            live = agent == env.agent_selection and not env.terminations[agent]
            live = live and not env.truncations[agent]
            assert observation["action_mask"].any() == live
            if agent in env.infos:
                assert np.array_equal(env.infos[agent]["action_mask"], observation["action_mask"])
        assert env.state_bytes() == before
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(rng.choice(np.flatnonzero(mask)) if mask.any() else None)


def test_what_is_handed_out_is_fresh_and_writable(game: Game) -> None:
    env = module(game).raw_env()
    env.reset(seed=1)
    before = env.state_bytes()
    seen, info = env.observe(env.agent_selection), env.infos[env.agent_selection]
    mask = seen["action_mask"].copy()
    seen["observation"][:] = -7
    seen["action_mask"][:] = 1 - seen["action_mask"]
    info["action_mask"][:] = 0
    assert env.state_bytes() == before
    assert np.array_equal(env.observe(env.agent_selection)["action_mask"], mask)


def test_infos_are_each_agent_s_own_numbers(game: Game) -> None:
    env = module(game).env()
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    while env.agents:
        infos = list(env.infos.values())
        assert len({id(info) for info in infos}) == len(infos)
        for info in infos:
            assert set(info) == {"action_mask"}, "TorchRL takes no more beside a mask"
        assert all(type(flag) is bool for flag in env.terminations.values())
        assert all(type(flag) is bool for flag in env.truncations.values())
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(rng.choice(np.flatnonzero(mask)) if mask.any() else None)


@pytest.mark.parametrize("reward", REWARDS)
def test_last_pays_exactly_the_returns(game: Game, reward: str) -> None:
    for players in {game.min_players, game.default_players, game.max_players}:
        for seed in range(5):
            env = module(game).env(num_players=players, reward=reward)
            paid = to_the_end(env, seed)
            assert env.agents == []
            if reward == "outcome":
                assert paid == pytest.approx(env.outcome())
                continue
            scores = env.position.score.astype(float)
            others = (scores.sum() - scores) / max(players - 1, 1)
            lead = reward == "score" and players not in game.cooperative
            due = scores - others if lead else scores
            assert list(paid.values()) == pytest.approx(due.tolist())


@pytest.mark.parametrize("which", ["env", "raw_env"])
def test_a_game_for_one_is_published_by_itself(solitaire: Game, which: str) -> None:
    published = f"{solitaire.id}_solitaire_v{solitaire.version}"
    make = getattr(importlib.import_module(f"dino_envs.{published}"), which)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make(), num_cycles=300)
        seed_test(make, num_cycles=50)
    assert {str(warning.message) for warning in caught} <= TOLERATED
    env = make(num_players=1, reward="score")
    assert env.possible_agents == ["player_0"]
    assert to_the_end(env, 3) == env.outcome() == {"player_0": env.position.score[0]}
    with pytest.raises(OptionError, match=r"num_players=2: .* for one player"):
        make(num_players=2)
    for odd in (True, 1.0, "1"):
        with pytest.raises(OptionError, match="whole number"):
            make(num_players=odd)
    assert make(num_players=None).possible_agents == ["player_0"]
    if hasattr(pettingzoo, "make"):
        name = f"dino_envs/{solitaire.id}_solitaire-v{solitaire.version}"
        assert pettingzoo.make("aec", name).possible_agents == ["player_0"]


def test_an_illegal_action_in_a_game_for_one_pays_its_player(solitaire: Game) -> None:
    env = played(module(solitaire).env(num_players=1), seed=2, moves=2)
    env.step(_illegal(env))
    assert env.rewards == env.outcome() == {"player_0": -1.0}


def test_all_agents_end_on_the_same_step_and_are_visited_once(game: Game) -> None:
    env = played(module(game).env(num_players=game.max_players), seed=3, moves=10**6)
    assert env.agents == env.possible_agents
    assert len(set(env.terminations.values())) == 1
    visited = []
    while env.agents:
        visited.append(env.agent_selection)
        env.step(None)
    assert visited == env.possible_agents


def test_the_outcome_names_the_winners(game: Game) -> None:
    if game.default_players in game.cooperative:
        pytest.skip("all win or lose together")
    for seed in range(10):
        env = played(module(game).env(), seed=seed, moves=2)
        assert env.outcome() == {}
        env = played(module(game).env(), seed=seed, moves=10**6)
        assert list(env.outcome()) == env.possible_agents
        best = env.position.score.max()
        for seat, value in enumerate(env.outcome().values()):
            assert (value < 0) == (env.position.score[seat] < best) or value == 0


@pytest.mark.parametrize(
    "copied",
    [
        copy.deepcopy,
        lambda env: pickle.loads(pickle.dumps(env)),
        lambda env: env.clone(),
        lambda env: _moved(env),
    ],
    ids=["deepcopy", "pickle", "clone", "state_bytes"],
)
def test_a_copy_keeps_the_position_and_plays_on_by_itself(
    game: Game, copied: Callable[[Any], Any]
) -> None:
    for moves in (0, 1, 7, 20):
        env = played(module(game).env(num_players=game.max_players), seed=5, moves=moves)
        other = copied(env)
        before = env.state_bytes()
        assert other.state_bytes() == before
        assert other.agent_selection == env.agent_selection
        assert other.rewards == env.rewards
        _play_both(env, other)
        assert other.state_bytes() == env.state_bytes() != before


def _moved(env: Any) -> Any:
    other = env.clone()
    other.reset(seed=99)
    other.from_state_bytes(env.state_bytes())
    return other


def _play_both(env: Any, other: Any) -> None:
    """Plays one, sees that the other does not move, then plays the other the same way."""
    start = other.state_bytes()
    actions = []
    for _ in range(15):
        mask = env.observe(env.agent_selection)["action_mask"]
        if not mask.any():
            break
        actions.append(int(np.flatnonzero(mask)[-1]))
        env.step(actions[-1])
    assert other.state_bytes() == start
    for action in actions:
        other.step(action)


def test_a_finished_game_that_is_gone_to_tells_how_it_ended(game: Game) -> None:
    env = played(module(game).env(), seed=1, moves=100_000)
    ended, returns = env.state_bytes(), env.outcome()
    env.reset(seed=2)
    env.from_state_bytes(ended)
    assert env.outcome() == returns != {}
    env.reset(seed=2)
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmin()))
    lost, returns = env.state_bytes(), env.outcome()
    env.reset(seed=2)
    env.from_state_bytes(lost)
    assert env.outcome() == returns
    assert returns["player_0"] == -1.0


def test_bytes_of_another_game_are_refused(game: Game) -> None:
    env = played(module(game).env(), seed=1, moves=3)
    before = env.state_bytes()
    for wrong in (
        before[:-1],
        b"",
        bytes(len(before)),
        before[:-1] + b"?",
        before[8:] + before[:8],
    ):
        with pytest.raises(DinoEnvsError, match="no whole state"):
            env.from_state_bytes(wrong)
    if game.max_players != game.default_players:
        other = played(module(game).env(num_players=game.max_players), seed=1, moves=3)
        with pytest.raises(DinoEnvsError, match="players"):
            env.from_state_bytes(other.state_bytes())
    assert env.state_bytes() == before


def global_streams() -> tuple[Any, ...]:
    """Returns the state of Python's and of NumPy's stream, from which a game must not draw."""
    numpys: Any = np.random.get_state(legacy=False)  # noqa: NPY002  # the global stream is meant
    return random.getstate(), numpys["state"]["key"].tolist(), numpys["state"]["pos"]


def test_a_position_does_not_depend_on_other_random_numbers(game: Game) -> None:
    one = played(module(game).env(), seed=11, moves=12).state_bytes()
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002  # the global stream is meant
    streams = global_streams()
    assert played(module(game).env(), seed=11, moves=12).state_bytes() == one
    assert global_streams() == streams


def test_seeds_fix_games_and_resets_go_on(game: Game) -> None:
    env = module(game).env()
    env.reset(seed=0)
    first = env.state_bytes()
    env.reset()
    second = env.state_bytes()
    env.reset()
    assert len({first, second, env.state_bytes()}) == 3
    env.reset(seed=0)
    assert env.state_bytes() == first
    env.reset()
    assert env.state_bytes() == second


@pytest.mark.parametrize("moves", [0, 3, "illegal", "half dead"])
def test_reset_from_anywhere_is_a_fresh_game(game: Game, moves: Any) -> None:
    fresh = module(game).env()
    fresh.reset(seed=4)
    env = played(module(game).env(), seed=2, moves=moves if isinstance(moves, int) else 10**6)
    if moves == "illegal":
        env = played(module(game).env(), seed=2, moves=2)
        env.step(_illegal(env))
    if moves == "half dead":
        env.step(None)
    env.reset(seed=4)
    assert env.state_bytes() == fresh.state_bytes()
    assert env.agents == fresh.agents
    assert env.agent_selection == fresh.agent_selection


def _illegal(env: Any) -> int:
    return int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])


def test_an_illegal_action_loses_the_game_in_env(game: Game) -> None:
    env = played(module(game).env(num_players=game.max_players), seed=2, moves=2)
    offender = env.agent_selection
    env.step(_illegal(env))
    assert all(env.terminations.values())
    losers = env.agents if game.max_players in game.cooperative else [offender]
    assert env.rewards == {agent: -1.0 if agent in losers else 0.0 for agent in env.agents}
    assert env.outcome() == env.rewards
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)
    for _ in env.possible_agents:
        env.step(None)
    assert env.agents == []


def test_an_illegal_action_raises_and_changes_nothing_in_raw_env(game: Game) -> None:
    env = played(module(game).raw_env(), seed=2, moves=2)
    before, rewards = env.state_bytes(), dict(env._cumulative_rewards)
    with pytest.raises(IllegalActionError, match="mask"):
        env.step(_illegal(env))
    assert env.state_bytes() == before
    assert env._cumulative_rewards == rewards
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))


def test_an_illegal_action_can_be_replaced(game: Game) -> None:
    env = played(dino_envs.make(game.id, illegal="resample"), seed=2, moves=2)
    before = env.state_bytes()
    env.step(_illegal(env))
    assert env.state_bytes() != before
    assert not any(env.terminations.values())


@pytest.mark.parametrize("action", [None, 0.0, 1.5, "0", True, np.bool_(True), [0], -1, 10**9])
def test_what_is_no_action_is_refused_by_name(game: Game, action: Any) -> None:
    for make in makers(game):
        env = played(make(), seed=2, moves=2)
        before = env.state_bytes()
        with pytest.raises(IllegalActionError, match="0 to"):
            env.step(action)
        assert env.state_bytes() == before
        assert not any(env.terminations.values())


def test_wider_integers_are_actions(game: Game) -> None:
    for kind in (int, np.int64, np.uint8, np.int32, np.array):
        env = played(module(game).raw_env(), seed=2, moves=2)
        legal = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0])
        env.step(kind(legal))


def test_a_step_after_the_end_says_what_to_do(game: Game) -> None:
    env = module(game).env()
    to_the_end(env, seed=0)
    with pytest.raises(GameOverError, match="reset"):
        env.step(0)


def test_use_before_reset_says_what_to_do(game: Game) -> None:
    env = module(game).env()
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.render, env.state):
        with pytest.raises(NotResetError, match="reset"):
            call()


def test_wrong_options_are_refused_with_the_nearest(game: Game) -> None:
    make = module(game).env
    for players in (game.min_players - 1, game.max_players + 1, 2.5, "two", True):
        with pytest.raises(OptionError, match="players"):
            make(num_players=players)
    for wrong in ({"rewards": "score"}, {"reward": "wins"}, {"render_mode": "3d"}):
        with pytest.raises(OptionError):
            make(**wrong)
    with pytest.raises(OptionError, match="did you mean 'num_players'"):
        make(num_player=2)
    # What wrappers of other libraries try first, and then leave out.
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        make(frameskip=4)


def test_an_unknown_game_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownGameError, match="did you mean"):
        dino_envs.make(dino_envs.list_games()[0] + "s")


def test_it_converts_to_a_parallel_environment(game: Game) -> None:
    env = turn_based_aec_to_parallel(_as_parallelizable(module(game).env()))
    observations, _ = env.reset(seed=0)
    rng = np.random.default_rng(0)
    while env.agents:
        actions = {
            agent: int(rng.choice(np.flatnonzero(seen["action_mask"])))
            if seen["action_mask"].any()
            else 0
            for agent, seen in observations.items()
        }
        observations, *_ = env.step(actions)


def _as_parallelizable(env: Any) -> Any:
    # The conversion asks for this flag, and warns that a game in turns does not have it.
    env.metadata = {**env.metadata, "is_parallelizable": True}
    return env


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_supersuit_wraps_it(game: Game) -> None:
    supersuit = pytest.importorskip("supersuit")
    env = supersuit.vectorize_aec_env_v0(module(game).env(), num_envs=2)
    env.reset()
    for _ in range(20):
        agent = env.agent_selection
        observations, *_ = env.last()
        masks = [observation["action_mask"] for observation in observations]
        env.step([int(np.flatnonzero(mask)[0]) if mask.any() else 0 for mask in masks])
        assert agent in env.possible_agents
