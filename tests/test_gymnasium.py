"""The Gymnasium views: one seat, and batches of it."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import dino_envs
from dino_envs.agents.table import LEARNER, AgentAnswerError
from dino_envs.engine import Game
from dino_envs.engine.errors import (
    GameOverError,
    IllegalActionError,
    NotResetError,
    OptionError,
    UnknownAgentError,
)
from dino_envs.games import load
from dino_envs.views.learner import LearnerGames
from dino_envs.views.registration import camel_case, gymnasium_id


def first_bot(game: Game) -> str:
    """Returns the name of a game's weakest scripted bot."""
    return next(iter(game.bots))


def make(game: Game, **options: Any) -> Any:
    return gymnasium.make(gymnasium_id(game.id, game.version), **options).unwrapped


def make_vec(game: Game, num_envs: int, **options: Any) -> Any:
    return gymnasium.make_vec(
        gymnasium_id(game.id, game.version),
        num_envs=num_envs,
        vectorization_mode="vector_entry_point",
        **options,
    )


def random_legal(mask: np.ndarray[Any, Any], rng: np.random.Generator) -> Any:
    return (rng.random(mask.shape) * mask).argmax(axis=-1)


def test_ids_are_written_as_gymnasium_writes_them() -> None:
    assert dino_envs.__version__
    assert camel_case("dino_dice") == "DinoDice"
    assert camel_case("trex_holiday") == "TRexHoliday"
    assert camel_case("scale_of_trex") == "ScaleOfTRex"


def test_the_checkers_of_gymnasium_and_sb3_pass_without_a_warning(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")  # Gymnasium's opens a window as well
    sb3 = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seat in ("random", 0, 1):
            check_env(make(game, seat=seat, render_mode="rgb_array"))
            sb3.check_env(make(game, seat=seat))
        if game.min_players == 1:
            check_env(make(game, num_players=1, render_mode="rgb_array"))
            sb3.check_env(make(game, num_players=1))


def test_each_seat_is_played_and_each_game_ends_once(game: Game) -> None:
    for players in {game.min_players, game.default_players, game.max_players}:
        env = make(game, num_players=players)
        rng = np.random.default_rng(0)
        seats = set()
        for seed in range(12 * players):
            _, info = env.reset(seed=seed)
            seats.add(info["seat"])
            terminated = truncated = False
            paid = 0.0
            while not (terminated or truncated):
                action = random_legal(info["action_mask"], rng)
                _, reward, terminated, truncated, info = env.step(action)
                paid += reward
            assert not info["action_mask"].any()
            assert not env.action_masks().any()
            assert info["won"] == int(paid > 0 and players > 1)
            with pytest.raises(GameOverError):
                env.step(0)
        assert seats == set(range(players))


@pytest.mark.parametrize("reward", ["outcome", "score"])
def test_rewards_are_the_engine_s_own(game: Game, reward: str) -> None:
    for players in sorted({game.min_players, 2, min(3, game.max_players)}):
        for seat in range(players):
            rivals = {"opponent": first_bot(game)} if players > 1 else {}
            env = make(game, num_players=players, seat=seat, reward=reward, **rivals)
            rng = np.random.default_rng(seat)
            for seed in range(200 // players):
                paid, batch = _play(env, seed, rng)
                if reward == "outcome":
                    assert paid == pytest.approx(float(batch.returns[0, seat]))
                else:
                    scores = batch.states["score"][0, :players].astype(float)
                    others = (scores.sum() - scores[seat]) / max(players - 1, 1)
                    due = scores[seat] - (0 if players in game.cooperative else others)
                    assert paid == pytest.approx(due, abs=1e-3)


@pytest.mark.parametrize("reward", ["outcome", "score"])
def test_a_game_for_one_has_no_opponent_and_pays_the_score(solitaire: Game, reward: str) -> None:
    name = f"dino_envs/{camel_case(solitaire.id)}Solitaire-v{solitaire.version}"
    env = gymnasium.make(name, reward=reward).unwrapped
    batch = gymnasium.make_vec(
        name, num_envs=3, vectorization_mode="vector_entry_point", reward=reward
    )
    one, own = env.reset(seed=4)
    seen, info = batch.reset(seed=4)
    rng, paid, ends = np.random.default_rng(0), np.zeros(3), 0
    while ends < 12:
        assert np.array_equal(one, seen[0])
        assert np.array_equal(own["action_mask"], info["action_mask"][0])
        actions = random_legal(info["action_mask"], rng)
        one, reward_, *over, own = env.step(actions[0])
        seen, rewards, terminated, truncated, info = batch.step(actions)
        assert (reward_, *over) == (rewards[0], terminated[0], truncated[0])
        paid += rewards
        if any(over):
            assert (paid[0], own["won"]) == (own["score"], 0)
            one, own = env.reset()
        for i in np.flatnonzero(terminated | truncated):
            told = info["final_info"]
            assert (paid[i], told["won"][i], told["seat"][i]) == (told["score"][i], 0, 0)
            paid[i] = 0
            ends += 1
    for call in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(OptionError, match=r"num_players=2: .* for one player"):
            call(name, num_players=2)
        for opponent in ("greedy", "random"):
            with pytest.raises(OptionError, match=f"opponent='{opponent}': .* has no opponent"):
                call(name, opponent=opponent)
    for call in (make, partial(make_vec, num_envs=2)):
        with pytest.raises(OptionError, match=r"opponent='greedy': .* has no opponent"):
            call(solitaire, num_players=1, opponent="greedy")


def test_without_an_opponent_named_it_is_random(game: Game) -> None:
    told, usual = make(game, opponent="random"), make(game)
    for env in (told, usual):
        env.reset(seed=5)
        while env.action_masks().any():
            env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert told.games.batch.states.tobytes() == usual.games.batch.states.tobytes()


def test_learners_of_games_for_one_look_at_no_opponents(solitaire: Game) -> None:
    for pool in ([], ["nobody is asked"]):
        games = LearnerGames(solitaire, 5, pool, num_players=1)
        assert games.table.agents == []
        games.seed(range(5))
        games.start()
        assert games.opponents.tolist() == [-1] * 5
        games.shares = []
        with pytest.raises(OptionError, match="0 weights"):
            games.shares = [1]
    with pytest.raises(OptionError, match="0 weights"):
        LearnerGames(solitaire, 5, [], num_players=2)


def _play(env: Any, seed: int, rng: np.random.Generator) -> tuple[float, Any]:
    _, info = env.reset(seed=seed)
    paid, over = 0.0, False
    while not over:
        _, reward, terminated, truncated, info = env.step(random_legal(info["action_mask"], rng))
        paid, over = paid + reward, terminated or truncated
    return paid, env.games.batch


def test_action_masks_agree(game: Game) -> None:
    env = make(game)
    _, info = env.reset(seed=3)
    assert info["action_mask"].dtype == np.int8
    assert env.action_masks().dtype == np.bool_
    assert np.array_equal(info["action_mask"], env.action_masks())
    assert env.action_space.sample(info["action_mask"]) in np.flatnonzero(info["action_mask"])


@pytest.mark.parametrize("num_envs", [1, 3, 64])
def test_a_batch_plays_as_single_games_do(game: Game, num_envs: int) -> None:
    batch = make_vec(game, num_envs, opponent=first_bot(game))
    singles = [make(game, opponent=first_bot(game)) for _ in range(min(num_envs, 3))]
    seen, info = batch.reset(seed=7)
    for i, env in enumerate(singles):
        first, _ = env.reset(seed=7 + i)
        assert np.array_equal(first, seen[i])
    rng = np.random.default_rng(0)
    for _ in range(120):
        actions = random_legal(info["action_mask"], rng)
        seen, rewards, terminated, truncated, info = batch.step(actions)
        for i, env in enumerate(singles):
            one, reward, *ends, own = env.step(actions[i])
            assert reward == rewards[i]
            assert ends == [terminated[i], truncated[i]]
            if any(ends):
                assert np.array_equal(one, info["final_obs"][i])
                assert info["_final_obs"][i]
                one, own = env.reset()
            assert np.array_equal(one, seen[i])
            assert np.array_equal(own["action_mask"], info["action_mask"][i])


def test_sub_environments_begin_differently_and_do_not_depend_on_threads(game: Game) -> None:
    one, two = make_vec(game, 256, threads=1), make_vec(game, 256, threads=2)
    a, info = one.reset(seed=0)
    b, _ = two.reset(seed=0)
    assert np.array_equal(a, b)
    assert len({row.tobytes() for row in a}) > 32
    rng = np.random.default_rng(0)
    for _ in range(40):
        actions = random_legal(info["action_mask"], rng)
        a, *_, info = one.step(actions)
        b, *_, other = two.step(actions)
        assert np.array_equal(a, b)
        assert np.array_equal(info["action_mask"], other["action_mask"])


def test_what_the_batch_hands_out_is_never_a_live_buffer(game: Game) -> None:
    env = make_vec(game, 4)
    seen, info = env.reset(seed=1)
    before = seen.copy()
    env.step(info["action_mask"].argmax(axis=1))
    assert np.array_equal(seen, before)
    info["action_mask"][:] = 1
    assert not env.action_masks().all()


def test_illegal_actions_lose_raise_or_are_replaced(game: Game) -> None:
    env = make(game)
    env.reset(seed=1)
    illegal = int(np.flatnonzero(~env.action_masks())[0])
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated, info["won"]) == (-1.0, True, False, 0)

    env = make(game, illegal="raise")
    env.reset(seed=1)
    before = env.games.batch.states.tobytes()
    with pytest.raises(IllegalActionError, match="mask"):
        env.step(illegal)
    assert env.games.batch.states.tobytes() == before

    env = make(game, illegal="resample")
    env.reset(seed=1)
    assert env.step(illegal)[2] is False
    assert env.games.batch.illegal[0] == 0


@pytest.mark.parametrize("action", [None, 0.5, "1", -1, 10**6, np.array([0, 1])])
def test_what_is_no_action_is_refused_and_changes_nothing(game: Game, action: Any) -> None:
    env = make(game)
    env.reset(seed=1)
    before = env.games.batch.states.tobytes()
    with pytest.raises(IllegalActionError):
        env.step(action)
    assert env.games.batch.states.tobytes() == before
    batch = make_vec(game, 2)
    batch.reset(seed=1)
    before = batch.games.batch.states.tobytes()
    for wrong in ([action, action], [0.0, 0.0], [0], [0, -1], [0, 10**6]):
        with pytest.raises(IllegalActionError):
            batch.step(np.array(wrong, object if wrong[0] is action else None))
    assert batch.games.batch.states.tobytes() == before


@pytest.mark.parametrize(
    ("given", "hint"), [("oponent", "did you mean 'opponent'"), ("zzz", "opponent, seat, reward")]
)
def test_a_misspelt_keyword_is_told_of_all_there_are(given: str, hint: str) -> None:
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(TypeError, match=f"argument '{given}'.*{hint}"):
            make("dino_envs/DinoDice-v0", **{given: "greedy"})


def test_wrong_options_are_refused(game: Game) -> None:
    name = first_bot(game)
    with pytest.raises(UnknownAgentError, match=f"did you mean '{name}'"):
        make(game, opponent=name[:-1])
    for wrong in ({"seat": 99}, {"seat": "first"}, {"illegal": "ignore"}, {"reward": "wins"}):
        with pytest.raises(OptionError):
            make(game, **wrong)
    with pytest.raises(OptionError):
        make(game).reset(options={"num_players": 3})
    with pytest.raises(NotResetError, match="reset"):
        make(game).step(0)
    with pytest.raises(OptionError, match="one seed"):
        make_vec(game, 3).reset(seed=[1, 2])


class Says:
    """Answers every position with the same value."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def act(self, observations: Any, masks: Any, streams: Any) -> Any:
        return np.full(len(masks), self._answer)


def views_against(game: Game, answer: Any) -> list[Any]:
    return [make(game, opponent=Says(answer)), make_vec(game, 3, opponent=Says(answer))]


def first_steps(env: Any) -> None:
    """Starts a hundred games and plays a step of each, so that the opponent has to play too."""
    for seed in range(100):
        _, info = env.reset(seed=seed)
        env.step(info["action_mask"].argmax(axis=-1))


@pytest.mark.parametrize("answer", [-1, 10**9])
def test_an_opponent_that_plays_illegally_is_named(game: Game, answer: int) -> None:
    for env in views_against(game, answer):
        fault = r"opponent 'Says' played an illegal action in game \d, seat \d"
        with pytest.raises(IllegalActionError, match=fault) as caught:
            first_steps(env)
        i, seat = map(int, re.findall(r"\d", str(caught.value)))
        assert env.games.seats[i] != seat


@pytest.mark.parametrize("answer", [0.0, None, True])
def test_an_opponent_that_answers_with_no_numbers_is_named(game: Game, answer: Any) -> None:
    for env in views_against(game, answer):
        with pytest.raises(AgentAnswerError, match=r"'Says' is at fault: Says\.act must return"):
            first_steps(env)


def test_one_opponent_a_game_is_drawn_by_shares_that_may_change(game: Game) -> None:
    pool, players = ["random"] * 3, game.max_players
    games = LearnerGames(game, 400, pool, shares=[1, 0, 3], num_players=players)
    games.seed(range(400))
    games.start()
    before = games.opponents.copy()
    assert np.bincount(before).tolist() == pytest.approx([100, 0, 300], abs=35)
    sitting = np.sort(games.table.seating, axis=1)
    assert (sitting[:, 0] == LEARNER).all()
    assert (sitting[:, 1:] == before[:, None]).all()
    for i in (0, 17, 399):
        alone = LearnerGames(game, 1, pool, shares=[1, 0, 3], num_players=players)
        alone.seed([i])
        alone.start()
        assert (alone.seats[0], alone.opponents[0]) == (games.seats[i], before[i])
        assert np.array_equal(alone.observations[0], games.observations[i])

    even = np.arange(400) % 2 == 0
    games.shares = np.array([0, 1, 0])
    games.start(even)
    assert (games.opponents == np.where(even, 1, before)).all()
    for wrong in ([1, 1], [0, 0, 0], [-1, 1, 1], [np.nan, 1, 1], [np.inf, 1, 1]):
        with pytest.raises(OptionError, match="give 3 weights"):
            games.shares = wrong
    assert games.shares.tolist() == [0, 1, 0]


def test_games_go_on_from_saved_arrays(game: Game) -> None:
    one, two = (LearnerGames(game, 16, ["random", Says(0)], shares=[1, 0]) for _ in range(2))
    one.seed(range(16))
    one.start()
    rng = np.random.default_rng(0)
    for step in range(40):
        if step == 20:
            two.load_arrays(one.state_arrays())
        actions = random_legal(one.masks, rng)
        moved = one.step(actions)
        one.start(moved.done)
        if step >= 20:
            again = two.step(actions)
            two.start(again.done)
            assert np.array_equal(moved.rewards, again.rewards)
            for name, array in one.state_arrays().items():
                assert np.array_equal(array, two.state_arrays()[name]), name


def test_a_seat_that_never_gets_a_turn_is_an_error() -> None:
    game = load("dino_dice")
    with pytest.raises(OptionError, match="seat 1 of game 0 had no turn"):
        make(game, seat=1, max_turns=1).reset(seed=0)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_play_on_by_themselves(game: Game, copied: Callable[[Any], Any]) -> None:
    rng = np.random.default_rng(0)
    env = make_vec(game, 5, opponent=first_bot(game))
    _, info = env.reset(seed=3)
    for _ in range(7):
        *_, info = env.step(random_legal(info["action_mask"], rng))
    other, before = copied(env), env.games.batch.states.tobytes()
    rows = []
    for played in (other, env):
        masks, seen = info["action_mask"], []
        for step in range(30):
            one, paid, *_, told = played.step(random_legal(masks, np.random.default_rng(step)))
            masks = told["action_mask"]
            seen.append((one.tobytes(), paid.tobytes()))
        rows.append(seen)
        if played is other:
            assert env.games.batch.states.tobytes() == before
    assert rows[0] == rows[1]
    single = make(game, opponent=first_bot(game))
    single.reset(seed=1)
    assert np.array_equal(copied(single).action_masks(), single.action_masks())


def test_the_batch_draws_each_game(game: Game) -> None:
    env = make_vec(game, 3, render_mode="rgb_array")
    env.reset(seed=1)
    pictures = env.render()
    assert [picture.shape[2] for picture in pictures] == [3, 3, 3]
    assert make_vec(game, 2, render_mode=None).unwrapped.render_mode is None
    with pytest.raises(OptionError, match="render_mode"):
        make_vec(game, 2, render_mode="3d")
