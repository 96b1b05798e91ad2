"""Games that are won or lost together: what is paid, told and measured."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from dino_envs.agents import make_agent
from dino_envs.cli.sitting import Sitting
from dino_envs.engine import FORFEITED, RANDOM, TERMINATED, Batch, Game
from dino_envs.evaluation import (
    RepeatedGamesWarning,
    Result,
    baselines,
    evaluate,
    game_seeds,
    play_games,
    report,
)
from dino_envs.evaluation.interval import wilson
from dino_envs.games import games, load
from dino_envs.games.standing import headline, winners
from dino_envs.views.aec import TurnBasedEnv
from dino_envs.views.learner import LearnerGames

Team = tuple[Game, int]


@pytest.fixture(
    scope="module",
    params=[
        *((name, players) for name in games() for players in sorted(load(name).cooperative)),
        ("signals", 2),
    ],
    ids=lambda param: f"{param[0]}-{param[1]}",
)
def team(request: pytest.FixtureRequest, toy: Game) -> Team:
    """Returns every cooperative game with its players, and the toy."""
    name, players = request.param
    return load(name), players


def batch_of(team: Team, size: int, reward: str = "outcome") -> Batch:
    """Returns games that are dealt, all seats played from outside."""
    game, players = team
    batch = Batch(game, size, num_players=players, reward=reward)
    batch.deal(np.arange(size, dtype=np.uint64))
    batch.play()
    return batch


def play_on(batch: Batch) -> None:
    """Plays one random action in each game."""
    rng = np.random.default_rng(int(batch.steps.sum()))
    chances = rng.random(batch.masks.shape) * batch.masks
    batch.play(np.where(batch.running, chances.argmax(1), -1))


def test_the_state_says_so_and_play_leaves_it(team: Team, toy: Game) -> None:
    game, players = team
    batch = batch_of(team, 20)
    while batch.running.any():
        assert batch.states["cooperative"].all()
        play_on(batch)
    assert game.is_cooperative({"num_players": players})
    assert not toy.new_states(1)["cooperative"].any()
    assert all(2 <= count <= game.max_players for count in game.cooperative)


def test_all_win_or_lose_as_one(team: Team) -> None:
    batch = batch_of(team, 40)
    while batch.running.any():
        play_on(batch)
    assert (np.abs(batch.returns) == 1).all()
    assert (batch.returns == batch.returns[:, :1]).all()
    assert (batch.rewards == batch.returns).all()


def test_score_pays_each_its_own_points(team: Team) -> None:
    game, players = team
    by_score, by_points = batch_of(team, 40, "score"), batch_of(team, 40, "points")
    start = by_score.states["score"][:, :players].copy()
    while by_score.running.any():
        play_on(by_score)
        play_on(by_points)
        gained = by_score.states["score"][:, :players] - start
        assert (by_score.rewards == gained).all()
        assert (by_points.rewards == gained).all()
    env = TurnBasedEnv(game.id, reward="score", num_players=players)
    env.reset(seed=3)
    paid, score = np.zeros(players), env.position.score.copy()
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        paid += list(env.rewards.values())
    assert (paid == env.position.score - score).all()


def test_an_illegal_action_loses_for_all(team: Team) -> None:
    game, players = team
    batch = batch_of(team, 2)
    batch.play(np.array([game.actions.size, -1]))
    assert batch.illegal.tolist() == [1 + batch.movers[0], 0]
    assert batch.returns[0].tolist() == batch.rewards[0].tolist() == [-1.0] * players
    env = TurnBasedEnv(game.id, num_players=players)
    env.reset(seed=0)
    while (mask := env.observe(env.agent_selection)["action_mask"]).all():
        env.step(0)
    env.step(int(mask.argmin()))
    assert env.rewards == env.outcome() == dict.fromkeys(env.possible_agents, -1.0)


def test_who_plays_with_the_learner_wins_with_it(team: Team) -> None:
    game, players = team
    with_partner = LearnerGames(game, 50, [make_agent("random", game)], num_players=players)
    with_partner.seed(range(50))
    with_partner.start()
    while with_partner.batch.running.any():
        with_partner.step(with_partner.masks.argmax(axis=1))
    assert (with_partner.won == (with_partner.batch.returns[:, 0] > 0)).all()


# What is told.


def test_the_end_is_told_of_all(team: Team) -> None:
    game, players = team
    sitting = Sitting(
        game, [("random", make_agent("random", game))] * players, {"num_players": players}, 1
    )
    while not sitting.position.over:
        sitting.play(sitting.answer())
    how = "win" if sitting.position.returns()[0] > 0 else "lose"
    assert sitting.ending().endswith(f"They {how} together.")


def test_headlines_and_winners_follow_what_the_game_says(toy: Game) -> None:
    state = toy.new_states(1, num_players=2)[0]
    assert headline(state, 0) == "Player 0 (you) to move"
    state.ending = TERMINATED
    assert (winners(state), winners(state, together=True)) == ([], [0, 1])
    assert headline(state, 0) == "The players lose together"
    assert headline(state, 0, together=True) == "The players win together"
    state.ending = FORFEITED
    assert winners(state, together=True) == []
    assert headline(state, 1) == "Player 0 loses for all by an illegal action"


# What is measured.


def measured(team: Team, agent: Any, opponent: Any, **arguments: Any) -> Result:
    game, players = team
    return evaluate(game, agent, opponent, options={"num_players": players}, **arguments)


def test_teams_are_compared_seed_by_seed(team: Team) -> None:
    game, players = team
    agent, done = next(iter(baselines(game, {"num_players": players})[1:]), "random"), []
    there = measured(team, agent, "random", games=100, seed=4, progress=done.append)
    assert (there.num_players, there.games, sum(done)) == (players, 100, 200)
    returns = [
        play_games(
            game, [make_agent(spec, game)], np.zeros((100, players), int), game_seeds(4, 100)
        ).returns[:, 0]
        for spec in (agent, "random")
    ]
    won, drawn = int((returns[0] > returns[1]).sum()), int((returns[0] == returns[1]).sum())
    (record,) = there.by_seat
    assert (record.wins, record.draws, record.losses) == (won, drawn, 100 - won - drawn)
    assert there.score == (won + drawn / 2) / 100
    assert there.win_rate == (returns[0] > 0).mean()
    assert there.opponent_win_rate == (returns[1] > 0).mean()
    assert there.win_rate_ci95 == wilson(there.win_rate, 100)
    assert there.opponent_win_rate_ci95 == wilson(there.opponent_win_rate, 100)
    back = measured(team, "random", agent, games=100, seed=4)
    assert there.score + back.score == 1.0
    assert back.win_rate == there.opponent_win_rate
    assert back.points == there.opponent_points


class Nonsense:
    """Plays what is no action."""

    def act(self, observations: Any, masks: Any, streams: Any) -> Any:
        return np.full(len(masks), -1)


def test_an_illegal_action_is_below_any_result(team: Team) -> None:
    result = measured(team, Nonsense(), "random", games=12)
    assert (result.score, result.illegal_moves, result.opponent_illegal_moves) == (0.0, 12, 0)
    assert result.win_rate == 0.0
    with pytest.warns(RepeatedGamesWarning):
        both = measured(team, Nonsense(), Nonsense(), games=12)
    assert (both.score, both.illegal_moves, both.opponent_illegal_moves) == (0.5, 12, 12)


def test_the_table_and_the_json_tell_win_rates(team: Team) -> None:
    game, players = team
    result = measured(team, "random", "random", games=30)
    page = io.StringIO()
    Console(width=80, file=page).print(report.table(game, [result]))
    for told in (
        f"{players} players together",
        f"{result.win_rate:.4f}",
        f"{result.win_rate_ci95[0]:.4f}-{result.win_rate_ci95[1]:.4f}",
    ):
        assert told in page.getvalue()
    assert "…" not in page.getvalue()
    entry = report.as_json(game, [result])["results"][0]
    assert entry["win_rate"] == entry["opponent_win_rate"] == result.win_rate
    assert entry["win_rate_ci95"] == list(result.win_rate_ci95)


def test_with_more_players_the_toy_is_a_contest(toy: Game) -> None:
    result = evaluate(toy, "obedient", "random", games=60)
    assert result.win_rate is result.win_rate_ci95 is None
    assert "win_rate" not in report.as_json(toy, [result])["results"][0]
    batch = Batch(toy, 50, bots=[RANDOM], reward="score")
    batch.players[:] = 0
    batch.deal(np.arange(50, dtype=np.uint64))
    batch.play()
    np.testing.assert_allclose(batch.rewards.sum(axis=1), 0, atol=1e-5)
    np.testing.assert_allclose(batch.returns.sum(axis=1), 0, atol=1e-5)
