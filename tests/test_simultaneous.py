"""Games in which all seats act at once: the parallel environment, beside the one in turns."""

from __future__ import annotations

import copy
import importlib
import pickle
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from dino_envs.engine import Game
from dino_envs.engine.errors import (
    DinoEnvsError,
    GameOverError,
    IllegalActionError,
    NotResetError,
    OptionError,
)
from dino_envs.engine.reward import REWARDS
from dino_envs.games import games, load
from dino_envs.views.aec import TurnBasedEnv
from dino_envs.views.parallel import SimultaneousEnv

TOY = "signals"
REGISTERED = [name for name in games() if load(name).simultaneous]


@pytest.fixture(scope="module", params=[*REGISTERED, TOY])
def blind(request: pytest.FixtureRequest, toy: Game) -> Game:
    """Returns every simultaneous game, and the toy."""
    return load(request.param)


def player_counts(game: Game) -> list[int]:
    return sorted({game.min_players, game.default_players, game.max_players})


def chosen(observations: Any, rng: np.random.Generator) -> dict[str, int]:
    """Returns a random legal action for each agent."""
    return {
        agent: int(rng.choice(np.flatnonzero(seen["action_mask"])))
        for agent, seen in observations.items()
    }


def forbidden(env: SimultaneousEnv, agent: str) -> int:
    mask = env.observe(agent)["action_mask"]
    assert not mask.all(), "something is forbidden here"
    return int(mask.argmin())


def played(env: SimultaneousEnv, seed: int, rounds: int) -> tuple[Any, np.random.Generator]:
    """Plays some random rounds, fewer where the game ends; returns what is seen, and the chance."""
    rng = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    for _ in range(rounds):
        if not env.agents:
            break
        seen, *_ = env.step(chosen(seen, rng))
    return seen, rng


def both(game: Game, **options: Any) -> tuple[SimultaneousEnv, TurnBasedEnv]:
    """Returns both environments of a game, some rounds into the same game, each agent masked."""
    together, turns = SimultaneousEnv(game.id, **options), TurnBasedEnv(game.id, **options)
    seen, rng = together.reset(seed=4)[0], np.random.default_rng(4)
    turns.reset(seed=4)
    while all(see["action_mask"].all() for see in seen.values()):
        acts = chosen(seen, rng)
        seen, *_ = together.step(acts)
        for action in acts.values():
            turns.step(action)
    assert together.state_bytes() == turns.state_bytes()
    return together, turns


def test_pettingzoo_s_own_tests_pass(blind: Game) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for players in player_counts(blind):
            make = partial(SimultaneousEnv, blind.id, num_players=players)
            parallel_api_test(make(), num_cycles=300)
            parallel_seed_test(make, num_cycles=50)


@pytest.mark.parametrize("reward", REWARDS)
def test_it_is_the_game_in_turns(blind: Game, reward: str) -> None:
    for players in player_counts(blind):
        options = {"num_players": players, "reward": reward}
        together, turns = SimultaneousEnv(blind.id, **options), TurnBasedEnv(blind.id, **options)
        for seed in range(4):
            seen, infos = together.reset(seed=seed)
            turns.reset(seed=seed)
            rng = np.random.default_rng(seed)
            while together.agents:
                acts, paid = chosen(seen, rng), dict.fromkeys(together.agents, 0.0)
                for agent, action in acts.items():
                    assert turns.agent_selection == agent, "seats act in order"
                    at_its_turn = turns.observe(agent)
                    for part, values in at_its_turn.items():
                        assert np.array_equal(values, seen[agent][part]), "it acts blind"
                    assert np.array_equal(infos[agent]["action_mask"], at_its_turn["action_mask"])
                    turns.step(action)
                    for other, amount in turns.rewards.items():
                        paid[other] += amount
                seen, rewards, terminated, truncated, infos = together.step(acts)
                assert rewards == paid
                assert together.state_bytes() == turns.state_bytes()
                assert (terminated, truncated) == (turns.terminations, turns.truncations)
            assert together.outcome() == turns.outcome()
            assert len(together.outcome()) == players
            assert not any(together.observe(a)["action_mask"].any() for a in turns.agents)


def test_spaces_are_those_of_the_game_in_turns(blind: Game) -> None:
    together, turns = SimultaneousEnv(blind.id), TurnBasedEnv(blind.id)
    assert together.possible_agents == turns.possible_agents
    for agent in together.possible_agents:
        assert together.observation_space(agent) == turns.observation_space(agent)
        assert together.action_space(agent) == turns.action_space(agent)
    seen, _ = together.reset(seed=0)
    assert all(together.observation_space(a).contains(see) for a, see in seen.items())
    assert together.state_space.contains(together.state())


def test_what_is_handed_out_is_fresh_and_writable(blind: Game) -> None:
    env = SimultaneousEnv(blind.id)
    seen, infos = env.reset(seed=1)
    before, masks = env.state_bytes(), {a: see["action_mask"].copy() for a, see in seen.items()}
    for agent in env.agents:
        seen[agent]["observation"][:] = -7
        seen[agent]["action_mask"][:] = 0
        infos[agent]["action_mask"][:] = 0
    assert env.state_bytes() == before
    for agent, mask in masks.items():
        assert np.array_equal(env.observe(agent)["action_mask"], mask)


def test_the_first_illegal_action_loses_the_game(blind: Game) -> None:
    for players in player_counts(blind):
        together, turns = both(blind, num_players=players)
        acts = chosen({agent: together.observe(agent) for agent in together.agents},
                      np.random.default_rng(0))  # fmt: skip
        offender = next(a for a in acts if not together.observe(a)["action_mask"].all())
        acts[offender] = forbidden(together, offender)
        _, rewards, terminated, _, _ = together.step(acts)
        for agent in turns.possible_agents:
            turns.step(acts[agent])
            if agent == offender:
                break
        assert all(terminated.values())
        assert rewards == turns.rewards == together.outcome()
        assert rewards[offender] == -1.0
        assert together.state_bytes() == turns.state_bytes()


def test_an_illegal_action_can_be_replaced_or_raise(blind: Game) -> None:
    together, turns = both(blind, illegal="resample")
    acts = {
        agent: int(together.observe(agent)["action_mask"].argmin()) for agent in together.agents
    }
    together.step(acts)
    for action in acts.values():
        turns.step(action)
    assert together.state_bytes() == turns.state_bytes()

    together, _ = both(blind, illegal="raise")
    before, seen = together.state_bytes(), {a: together.observe(a) for a in together.agents}
    acts = chosen(seen, np.random.default_rng(0))
    offender = next(a for a in reversed(acts) if not seen[a]["action_mask"].all())
    with pytest.raises(IllegalActionError, match=f"{offender}: .* action mask"):
        together.step({**acts, offender: forbidden(together, offender)})
    assert together.state_bytes() == before
    together.step(acts)


def test_what_are_no_actions_is_refused_by_name(blind: Game) -> None:
    env = SimultaneousEnv(blind.id)
    seen, rng = played(env, seed=2, rounds=1)
    before, acts = env.state_bytes(), chosen(seen, rng)
    last = env.agents[-1]
    for action in (None, 0.0, "0", True, -1, 10**9):
        with pytest.raises(IllegalActionError, match=f"{last}: .* 0 to"):
            env.step({**acts, last: action})
    with pytest.raises(IllegalActionError, match="no agent 'player_99'"):
        env.step({**acts, "player_99": 0})
    del acts[last]
    for missing in (acts, {}):
        with pytest.raises(IllegalActionError, match="has no action"):
            env.step(missing)
    assert env.state_bytes() == before


def test_use_before_reset_and_after_the_end_says_what_to_do(blind: Game) -> None:
    env = SimultaneousEnv(blind.id)
    for call in (lambda: env.step({}), lambda: env.observe("player_0"), env.render, env.state):
        with pytest.raises(NotResetError, match="reset"):
            call()
    played(env, seed=0, rounds=10**6)
    assert env.agents == []
    with pytest.raises(GameOverError, match="reset"):
        env.step({})
    env.reset()
    assert env.agents == env.possible_agents


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
    blind: Game, copied: Callable[[Any], Any]
) -> None:
    for rounds in (0, 2):
        env = SimultaneousEnv(blind.id, num_players=blind.max_players)
        seen, rng = played(env, seed=5, rounds=rounds)
        other, before, acts = copied(env), env.state_bytes(), chosen(seen, rng)
        env.step(acts)
        assert other.state_bytes() == before
        other.step(acts)
        assert other.state_bytes() == env.state_bytes() != before


def _moved(env: SimultaneousEnv) -> SimultaneousEnv:
    other = SimultaneousEnv(env.position.game.id, num_players=len(env.possible_agents))
    other.from_state_bytes(env.state_bytes())
    return other


def test_only_the_start_of_a_round_can_be_gone_to(blind: Game) -> None:
    together, turns = both(blind)
    before = together.state_bytes()
    turns.step(int(turns.observe(turns.agent_selection)["action_mask"].argmax()))
    with pytest.raises(DinoEnvsError, match="it is the turn of player_1"):
        together.from_state_bytes(turns.state_bytes())
    assert together.state_bytes() == before


@pytest.mark.parametrize("illegal", ["lose", "raise", "resample"])
def test_a_game_that_is_over_stays_over_where_it_is_gone_to(blind: Game, illegal: str) -> None:
    env = SimultaneousEnv(blind.id, illegal=illegal)
    played(env, seed=3, rounds=10_000)
    assert env.position.over
    ended, returns = env.state_bytes(), env.outcome()
    env.reset(seed=4)
    env.from_state_bytes(ended)
    assert (env.agents, env.outcome()) == ([], returns)
    with pytest.raises(GameOverError):
        env.step(dict.fromkeys(env.possible_agents, 0))
    assert env.state_bytes() == ended


def test_actions_come_in_a_mapping(blind: Game) -> None:
    env = SimultaneousEnv(blind.id)
    env.reset(seed=1)
    for wrong in (None, [0, 0, 0], 3):
        with pytest.raises(IllegalActionError, match="give a mapping of agents to actions"):
            env.step(wrong)


def test_seeds_fix_games_and_resets_go_on(blind: Game) -> None:
    env = SimultaneousEnv(blind.id)
    states = []
    for seed in (0, None, None, 0, None):
        env.reset(seed=seed)
        states.append(env.state_bytes())
    assert len(set(states[:3])) == 3
    assert states[3:] == states[:2]


def test_it_is_rendered_as_text_and_as_a_picture(blind: Game) -> None:
    for mode, opening in (("ansi", ""), ("svg", "<svg")):
        env = SimultaneousEnv(blind.id, render_mode=mode)
        env.reset(seed=1)
        assert env.render().startswith(opening)
    assert SimultaneousEnv(blind.id).metadata["name"] == blind.full_id


@pytest.mark.parametrize("game_id", REGISTERED)
def test_it_is_published(game_id: str) -> None:
    game = load(game_id)
    module = importlib.import_module(f"dino_envs.{game.full_id}")
    assert module.__all__ == ["env", "parallel_env", "raw_env"]
    assert module.parallel_env(num_players=game.max_players).num_agents == 0
    if hasattr(pettingzoo, "make"):
        env = pettingzoo.make("parallel", f"dino_envs/{game_id}-v{game.version}")
        assert isinstance(env.unwrapped, SimultaneousEnv)


def test_a_game_in_turns_has_no_parallel_environment(game: Game) -> None:
    if not game.simultaneous:
        with pytest.raises(OptionError, match="played in turns"):
            SimultaneousEnv(game.id)
