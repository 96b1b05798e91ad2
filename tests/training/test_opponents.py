"""Who the learner plays against: agents by their shares, its own snapshots, agents at fault."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from dino_training import scores
from dino_training.league import League, LeagueError
from dino_training.policy import NetAgent
from dino_training.vec_env import SelfPlayVecEnv

from dino_envs.agents import make_agent
from dino_envs.agents.table import LEARNER, AgentAnswerError
from dino_envs.engine import (
    EXTERNAL,
    ArgumentError,
    Game,
    IllegalActionError,
    OptionError,
    UnknownAgentError,
)

from .conftest import MIXED, make_env, play, random_net, small


class Answers:
    """An agent that answers with what a function makes of the masks."""

    def __init__(self, answer: Callable[[np.ndarray], object]) -> None:
        self._answer = answer

    def act(self, observations: np.ndarray, masks: np.ndarray, streams: np.ndarray) -> object:
        return self._answer(masks)


def against(game: Game, answer: Callable[[np.ndarray], object]) -> SelfPlayVecEnv:
    league = League(game, {"random": 1.0})
    league.agents[0] = Answers(answer)
    return SelfPlayVecEnv(game, 4, league, seed=0)


@pytest.mark.parametrize(
    "answer", [lambda masks: masks.argmin(axis=1), lambda masks: np.full(len(masks), -1)]
)
def test_an_opponents_illegal_action_is_an_error(
    dice: Game, answer: Callable[[np.ndarray], object]
) -> None:
    env = against(dice, answer)
    fault = r"opponent 'random' played an illegal action in game \d, seat [01]"
    with pytest.raises(IllegalActionError, match=fault) as caught:
        list(play(env, 50))
    i, seat = map(int, re.findall(r"\d", str(caught.value)))
    assert env.games.seats[i] == 1 - seat


@pytest.mark.parametrize(
    "answer", [lambda masks: 0, lambda masks: np.zeros(len(masks)), lambda masks: masks]
)
def test_an_opponents_answer_of_a_wrong_kind_is_an_error(
    dice: Game, answer: Callable[[np.ndarray], object]
) -> None:
    with pytest.raises(AgentAnswerError, match=r"'random' is at fault: Answers\.act must return"):
        list(play(against(dice, answer), 50))


def test_opponents_are_drawn_by_their_shares(dice: Game) -> None:
    env = make_env(dice, 64, {"greedy": 1, "expected": 0, "snapshot": 3}, snapshots=20)
    tickets = []
    for _ in range(60):
        env.reset()
        tickets += env.games.opponents.tolist()
        bots = env.games.batch.players[np.arange(64), 1 - env.games.seats]
        assert ((bots == EXTERNAL) == (env.games.opponents >= 2)).all()
    names = [env.league.name(ticket) for ticket in tickets]
    assert names.count("expected") == 0
    assert names.count("greedy") / len(names) == pytest.approx(0.25, abs=0.03)
    pool = {ticket for ticket in tickets if env.league.name(ticket) == "snapshot"}
    assert len(pool) == env.league.pool_size
    assert [*env.league.snapshots()] == list(range(4, 20))


def test_snapshots_share_their_weight_equally(dice: Game) -> None:
    league = League(dice, {"greedy": 1, "snapshot": 3, "expected": 0}, pool_size=2)
    assert league.names == ["greedy", "expected"]
    for wanted in ([3], [1.5, 1.5], [0, 1.5, 1.5], [0, 0, 1.5, 1.5], [1.5, 0, 0, 1.5]):
        league.add(random_net(dice, 0))
        assert league.weights().tolist() == [1, 0, *wanted, *[0] * (4 - len(wanted))]


def test_a_game_in_progress_keeps_its_opponent_when_snapshots_are_added(dice: Game) -> None:
    env = make_env(dice, 64, MIXED, snapshots=1, options={"num_players": 3})
    env.reset()
    before = env.games.opponents.copy()
    nets = [env.games.table.agents[opponent] for opponent in before]
    for number in range(8):
        env.add_snapshot(random_net(dice, number))
        np.testing.assert_array_equal(env.games.opponents, before)
    assert [env.games.table.agents[opponent] for opponent in before] == nets
    seating = env.games.table.seating
    assert (np.sort(seating, axis=1) == np.stack([np.full(64, LEARNER), before, before], 1)).all()


def test_leagues_that_cannot_play_are_refused(dice: Game) -> None:
    odd = (-1.0, 5e-324, 1e308, np.inf, np.nan)
    for shares in ({}, {"greedy": 0.0}, *({"greedy": share, "snapshot": 3.0} for share in odd)):
        with pytest.raises(LeagueError, match="shares must be"):
            League(dice, shares)
    with pytest.raises(UnknownAgentError, match="did you mean 'greedy'"):
        League(dice, {"gredy": 1.0})
    with pytest.raises(UnknownAgentError, match="num_players"):
        League(dice, {"optimal": 1.0}, options={"num_players": 3})
    with pytest.raises(LeagueError, match="add_snapshot"):
        make_env(dice, 4, {"snapshot": 1.0}).reset()


def test_a_league_of_games_for_one_is_empty_whatever_its_shares(solitaire: Game) -> None:
    for shares in ({}, {"nobody": 2.0, "snapshot": 1.0}):
        league = League(solitaire, shares, options={"num_players": 1})
        assert (league.agents, league.names, league.weights().tolist()) == ([], [], [])
        assert (league.kinds, league.name(-1), league.snapshots()) == (["alone"], "alone", {})
        with pytest.raises(LeagueError, match="no seat"):
            league.add(random_net(solitaire, 0))
    with pytest.raises(LeagueError, match="shares must be"):
        League(solitaire, {})


def test_a_networks_choice_does_not_depend_on_its_neighbours(dice: Game) -> None:
    env = make_env(dice, 256)
    observations, masks = env.reset(), env.action_masks().astype(np.int8)
    streams = np.arange(256, dtype=np.uint64)
    for sample in (False, True):
        agent = NetAgent(random_net(dice, 5), sample=sample)
        together = agent.act(observations, masks, streams.copy())
        alone = [
            agent.act(observations[i : i + 1], masks[i : i + 1], streams[i : i + 1].copy())[0]
            for i in range(256)
        ]
        np.testing.assert_array_equal(together, alone)
        assert masks[np.arange(256), together].all()


def test_sampling_follows_the_softmax(dice: Game) -> None:
    env = make_env(dice, 1)
    net = random_net(dice, 1)
    net._layers[-1].weight *= 0.2
    observations, masks = env.reset(), env.action_masks().astype(np.int8)
    count = 20_000
    streams = np.random.default_rng(0).integers(2**64, size=count, dtype=np.uint64)
    drawn = NetAgent(net, sample=True).act(
        np.repeat(observations, count, 0), np.repeat(masks, count, 0), streams
    )
    weights = np.where(masks[0] != 0, np.exp(net.logits(observations)[0]), 0.0)
    wanted = weights / weights.sum()
    found = np.bincount(drawn, minlength=len(wanted)) / count
    np.testing.assert_allclose(found, wanted, atol=4 * 0.5 / np.sqrt(count))


@pytest.mark.parametrize(
    "streams",
    [
        np.zeros(4, np.int64), np.zeros(4, np.float64), np.zeros(4, np.uint32),
        np.zeros(1, np.uint64), np.zeros((4, 1), np.uint64), np.zeros(8, np.uint64)[::2],
    ],
)  # fmt: skip
def test_who_draws_refuses_streams_as_bots_do(dice: Game, streams: np.ndarray) -> None:
    env = make_env(dice, 4)
    observations, masks = env.reset(), env.action_masks().astype(np.int8)
    agents = (NetAgent(random_net(dice, 1), sample=True), make_agent("random", dice))
    for agent in agents:
        with pytest.raises(ArgumentError, match=r"streams must be a contiguous array uint64 \[4\]"):
            agent.act(observations, masks, streams)
    assert not streams.any()


def test_variants_are_spread_over_the_games(dice: Game) -> None:
    env = make_env(dice, 6, variants=[{}, {"target": 30}, {"target": 60, "max_turns": 50}])
    list(play(env, 40))
    states = env.games.batch.states
    assert states["target"].tolist() == [150, 30, 60, 150, 30, 60]
    assert states["max_turns"].tolist() == [200, 200, 50, 200, 200, 50]


def test_variants_that_cannot_be_played_are_refused(dice: Game) -> None:
    with pytest.raises(OptionError, match="num_players"):
        make_env(dice, 6, variants=[{"num_players": 3}])
    with pytest.raises(OptionError, match="did you mean 'target'"):
        make_env(dice, 6, variants=[{"targets": 3}])
    League(dice, {"optimal": 1.0}, variants=[{"target": 40}])
    with pytest.raises(UnknownAgentError, match="target=1 to 150 alone, not 151"):
        League(dice, {"optimal": 1.0}, variants=[{"target": 151}])


def test_where_all_play_together_the_opponents_are_partners(toy: Game) -> None:
    options = {"num_players": 2}
    env = make_env(toy, 16, {"obedient": 1, "snapshot": 1}, snapshots=2, options=options)
    ended = [info for *_, infos in play(env, 120) for info in infos if info]
    assert {info["opponent"] for info in ended} == {"obedient", "snapshot"}
    assert {info["episode"]["r"] for info in ended} == {-1.0, 1.0}
    config = small("options={num_players: 2}", "evaluation.against=[random, obedient]")
    results = scores.score(toy, config, random_net(toy, 0), 20, scores.ladder(toy, config))
    assert results[0].win_rate == results[1].win_rate
    line = scores.record(toy, config, results, steps=1, seconds=1.0)
    assert line["results"][1]["opponent_win_rate"] == results[1].opponent_win_rate
