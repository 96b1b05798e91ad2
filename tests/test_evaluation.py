"""Matches, scores, intervals and reports."""

import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from dino_envs.agents import Agent, make_agent
from dino_envs.engine import ArgumentError, Game, UnknownAgentError
from dino_envs.evaluation import (
    AgentAnswerError,
    Games,
    RepeatedGamesWarning,
    Result,
    SeatRecord,
    baselines,
    branches,
    evaluate,
    game_seeds,
    ladder,
    play_games,
    report,
)
from dino_envs.evaluation.interval import paired, student, wilson
from dino_envs.games import load
from dino_envs.views.position import Position

DICE = load("dino_dice")
FIRST_PLAYER = 0.6032
"""The exact score of the first of two perfect players of Dino Dice."""


class Asked:
    """A bot that the engine does not know as one, so it is asked position by position."""

    def __init__(self, spec: str) -> None:
        self._agent = make_agent(spec, DICE)

    def act(self, observations: Any, masks: Any, streams: Any) -> Any:
        return self._agent.act(observations, masks, streams)


class Says:
    """Answers every position with the same value."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def act(self, observations: Any, masks: Any, streams: Any) -> Any:
        return np.full(len(masks), self._answer)


def mixed(agents: list[Agent], players: int = 3, **arguments: Any) -> Games:
    """Plays 30 games in which all agents meet each other in all seats."""
    lineup = np.random.default_rng(1).integers(len(agents), size=(30, players))
    return play_games(DICE, agents, lineup, game_seeds(5, 30), **arguments)


def same(a: Games, b: Games) -> bool:
    return all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for name in ("lineup", "returns", "points", "illegal", "steps", "log")
    )


# Games


def test_the_interval_of_all_or_nothing_ends_there_exactly() -> None:
    assert wilson(0.0, 100)[0] == 0.0
    assert wilson(1.0, 10)[1] == 1.0


def test_a_bot_plays_the_same_compiled_or_asked() -> None:
    specs = ["random", "greedy", "expected"]
    compiled = mixed([make_agent(spec, DICE) for spec in specs])
    assert same(compiled, mixed([Asked(spec) for spec in specs]))
    assert same(compiled, mixed([Asked("random"), make_agent("greedy", DICE), Asked("expected")]))


@pytest.mark.parametrize("agents", [[make_agent("random", DICE)], [Asked("random")]])
def test_threads_and_chunks_change_nothing(agents: list[Agent]) -> None:
    lineup, seeds = np.zeros((200, 2), int), game_seeds(3, 200)
    whole = play_games(DICE, agents, lineup, seeds, threads=1)
    assert same(whole, play_games(DICE, agents, lineup, seeds, threads=2))
    assert same(whole, play_games(DICE, agents, lineup, seeds, chunk=7))


def test_a_game_depends_on_its_seed_and_lineup_alone() -> None:
    agents = [make_agent("random", DICE), make_agent("greedy", DICE)]
    lineup, seeds = np.array([[0, 1], [1, 0], [0, 0]]), game_seeds(9, 3)
    whole = play_games(DICE, agents, lineup, seeds)
    last = play_games(DICE, agents, lineup[2:], seeds[2:])
    assert last.log[0] == whole.log[2]
    assert np.array_equal(game_seeds(9, 5)[:3], seeds)


def test_more_bots_than_a_batch_holds() -> None:
    agents = [make_agent("random", DICE) for _ in range(11)]
    assert not mixed(agents).illegal.any()


def test_seed_zero_is_a_seed_and_seats_have_their_own_streams() -> None:
    deals, streams = branches(game_seeds(0, 4), 3)
    assert len(np.unique(np.column_stack([deals, streams]))) == 16


def test_the_game_is_the_one_an_environment_plays_after_reset() -> None:
    from dino_envs import dino_dice_v0

    env = dino_dice_v0.raw_env()
    env.reset(seed=6)
    position = Position(DICE)
    position.deal(branches(game_seeds(6, 1), 2)[0][0])
    assert position.to_bytes() == env.position.to_bytes()


# Illegal and impossible answers


@pytest.mark.parametrize("answer", [DICE.actions.size, 10**9, -1, -7])
@pytest.mark.parametrize("players", [2, 3])
def test_an_illegal_action_is_counted_and_loses(answer: int, players: int) -> None:
    result = evaluate(DICE, Says(answer), "random", games=12, options={"num_players": players})
    assert result.illegal_moves == result.games
    assert result.opponent_illegal_moves == 0
    assert result.score == 0.0
    assert all(record.wins == record.draws == 0 for record in result.by_seat)


def test_an_opponents_illegal_action_wins() -> None:
    result = evaluate(DICE, "random", Says(-1), games=12)
    assert result.score == 1.0
    assert (result.illegal_moves, result.opponent_illegal_moves) == (0, 12)


@pytest.mark.parametrize("answer", [0.0, True, "stop", None])
def test_answers_that_are_no_action_numbers(answer: Any) -> None:
    with pytest.raises(AgentAnswerError, match="whole numbers"):
        evaluate(DICE, Says(answer), "random", games=2)


def test_one_answer_for_all_positions_is_refused() -> None:
    class One:
        def act(self, observations: Any, masks: Any, streams: Any) -> Any:
            return 0

    with pytest.raises(AgentAnswerError, match=r"One\.act must return"):
        evaluate(DICE, One(), "random", games=2)


# Scores


@pytest.mark.parametrize("opponent", ["random", "expected"])
def test_two_players_scores_add_to_one_exactly(opponent: str) -> None:
    there = evaluate(DICE, "greedy", opponent, games=999, seed=4)
    back = evaluate(DICE, opponent, "greedy", games=999, seed=4)
    assert there.score + back.score == 1.0
    for record in there.by_seat:
        mirrored = back.by_seat[1 - record.seat]
        assert (record.wins, record.draws) == (mirrored.losses, mirrored.draws)


@pytest.mark.parametrize(("players", "asked", "played"), [(2, 7, 8), (3, 10, 12), (8, 1, 8)])
def test_every_seat_is_played_equally_often(players: int, asked: int, played: int) -> None:
    options = {"num_players": players}
    result = evaluate(DICE, "greedy", "random", games=asked, options=options)
    assert result.games == played
    comparisons = played // players * (players - 1)
    assert [r.wins + r.draws + r.losses for r in result.by_seat] == [comparisons] * players
    assert [record.seat for record in result.by_seat] == list(range(players))


def test_more_than_two_players_are_compared_in_pairs() -> None:
    result = evaluate(DICE, "greedy", "expected", games=30, seed=8, options={"num_players": 3})
    agents = [make_agent(spec, DICE) for spec in ("greedy", "expected")]
    won = drawn = 0
    for own in range(3):
        lineup = np.ones((10, 3), int)
        lineup[:, own] = 0
        for points in play_games(DICE, agents, lineup, game_seeds(8, 10)).points.tolist():
            won += sum(points[own] > other for other in points)
            drawn += sum(points[own] == other for other in points) - 1
    assert sum(record.wins for record in result.by_seat) == won
    assert sum(record.draws for record in result.by_seat) == drawn
    assert result.score == (won + drawn / 2) / 60


def test_points_are_told_with_their_spread() -> None:
    games, options = 60, {"num_players": 3, "target": 60}
    result = evaluate(DICE, "greedy", "expected", games=games, seed=8, options=options)
    lineup = np.tile(1 - np.eye(3, dtype=int), (games // 3, 1))
    seeds = np.repeat(game_seeds(8, games // 3), 3)
    agents = [make_agent(spec, DICE) for spec in ("greedy", "expected")]
    played = play_games(DICE, agents, lineup, seeds, options)
    points = np.sort(played.points[lineup == 0])
    assert result.points == points.mean()
    assert result.points_sd == pytest.approx(points.std())
    assert result.points_quantiles == (points[2], points[29], points[56])


# One player


class First:
    """Plays the first legal action, and illegally where the observation sums to a fault."""

    def __init__(
        self, faulty: Any = lambda observations: np.zeros(len(observations), bool)
    ) -> None:
        self._faulty = faulty

    def act(self, observations: Any, masks: Any, streams: Any) -> Any:
        return np.where(self._faulty(observations), -1, masks.argmax(axis=1))


def alone(game: Game, agent: Any, opponent: Any, **arguments: Any) -> Result:
    return evaluate(game, agent, opponent, options={"num_players": 1}, **arguments)


def test_two_who_play_alone_are_compared_seed_by_seed(solitaire: Game) -> None:
    done: list[int] = []
    result = alone(solitaire, First(), "random", games=150, seed=4, progress=done.append)
    assert (result.num_players, result.games, sum(done)) == (1, 150, 300)
    points = [
        play_games(solitaire, [agent], np.zeros((150, 1), int), game_seeds(4, 150)).points[:, 0]
        for agent in (First(), make_agent("random", solitaire))
    ]
    won, drawn = int(np.sum(points[0] > points[1])), int(np.sum(points[0] == points[1]))
    assert result.by_seat == (SeatRecord(0, won, drawn, 150 - won - drawn),)
    assert result.score == (won + drawn / 2) / 150
    assert (result.points, result.opponent_points) == (points[0].mean(), points[1].mean())
    assert result.points_quantiles[1] == np.sort(points[0])[74]
    assert result.ci95[0] < result.score < result.ci95[1]
    back = alone(solitaire, "random", First(), games=150, seed=4)
    assert result.score + back.score == 1.0
    assert back.points == result.opponent_points


def test_who_plays_alone_as_the_other_does_draws(solitaire: Game) -> None:
    result = alone(solitaire, "random", "random", games=40)
    assert (result.score, result.by_seat[0].draws, result.distinct_games) == (0.5, 40, 40)


def test_an_illegal_action_in_a_game_for_one_is_below_any_score(solitaire: Game) -> None:
    result = alone(solitaire, Says(-1), "random", games=12)
    assert (result.score, result.illegal_moves, result.opponent_illegal_moves) == (0.0, 12, 0)
    with pytest.warns(RepeatedGamesWarning):
        both = alone(solitaire, Says(-1), Says(-2), games=12)
    assert (both.score, both.illegal_moves, both.opponent_illegal_moves) == (0.5, 12, 12)
    half = First(lambda observations: observations.sum(axis=1) % 2 < 1)
    there, back = (
        alone(solitaire, *pair, games=50) for pair in ((half, "random"), ("random", half))
    )
    assert there.score + back.score == 1.0
    assert there.illegal_moves == back.opponent_illegal_moves > 0


def test_the_same_game_for_one_again_is_counted_once(
    solitaire: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "dino_envs.evaluation.score.game_seeds", lambda seed, count: np.zeros(count, np.uint64)
    )
    with pytest.warns(RepeatedGamesWarning, match="only 1 of 30"):
        alone(solitaire, First(), "random", games=30)


def test_the_table_and_the_json_of_a_game_for_one_tell_points(solitaire: Game) -> None:
    result = alone(solitaire, First(), "random", games=30)
    page = io.StringIO()
    Console(width=80, file=page).print(report.table(solitaire, [result]))
    low, median, high = result.points_quantiles
    for told in (
        f"{solitaire.title}, one player",
        f"{result.points:.2f}, {result.points_sd:.2f}",
        f"{low:g}/{median:g}/{high:g}",
        f"{result.opponent_points:.2f}",
        f"{result.score:.4f}",
    ):
        assert told in page.getvalue()
    entry = report.as_json(solitaire, [result])["results"][0]
    assert entry["points_quantiles"] == {"5%": low, "50%": median, "95%": high}
    assert entry["points_sd"] == result.points_sd


def test_perfect_play_against_itself() -> None:
    result = evaluate(DICE, "optimal", "optimal", games=40_000, seed=1)
    assert result.score == 0.5
    assert result.ci95[0] < 0.5 < result.ci95[1]
    first = result.by_seat[0]
    assert (first.wins + first.draws / 2) / 20_000 == pytest.approx(FIRST_PLAYER, abs=0.014)


def test_the_baselines_are_ordered() -> None:
    assert baselines(DICE) == ["random", "greedy", "herder", "expected", "optimal"]
    results = ladder(DICE, "expected", games=4000)
    assert [result.opponent for result in results] == baselines(DICE)
    scores = [result.score for result in results]
    assert scores == sorted(scores, reverse=True)
    assert results[1].ci95[0] > 0.5
    assert results[4].ci95[1] < 0.5


def test_a_bot_made_for_other_options_is_left_out_and_refused() -> None:
    options = {"num_players": 3}
    assert baselines(DICE, options) == ["random", "greedy", "herder", "expected"]
    with pytest.raises(UnknownAgentError, match="num_players=2"):
        evaluate(DICE, "greedy", make_agent("optimal", DICE), games=3, options=options)


def test_every_game_is_evaluated(game: Game) -> None:
    done: list[int] = []
    result = evaluate(game, "random", "random", games=8, progress=done.append)
    assert sum(done) == result.games == result.distinct_games
    assert result.illegal_moves == 0
    assert result.length > 0


@pytest.mark.parametrize(
    "lineup",
    [[[0, 1]], [[0, -1]], [[256, 0]], [[0.0, 0.0]], [0, 0], np.zeros((0, 2), int)],
    ids=str,
)
def test_a_lineup_seats_an_agent_everywhere(lineup: Any) -> None:
    rows = np.asarray(lineup)
    with pytest.raises(ArgumentError, match="lineup"):
        play_games(DICE, [make_agent("greedy", DICE)], rows, game_seeds(0, len(rows)))


def test_every_game_has_a_seed_and_chunks_have_games() -> None:
    agents, lineup = [make_agent("greedy", DICE)], np.zeros((3, 2), int)
    for count, chunk in ((4, 8), (2, 8), (3, 0)):
        with pytest.raises(ArgumentError, match="one seed for each of 3 games"):
            play_games(DICE, agents, lineup, game_seeds(0, count), chunk=chunk)
    with pytest.raises(ArgumentError, match="seed=-1"):
        evaluate(DICE, "greedy", "random", games=4, seed=-1)
    one = evaluate(DICE, "greedy", "random", games=4, seed=np.int64(5))
    assert one == evaluate(DICE, "greedy", "random", games=4, seed=5)


def test_who_plays_another_game_is_refused() -> None:
    other = load("dino_days")
    for spec in ("greedy", "mcts:simulations=4"):
        with pytest.raises(UnknownAgentError, match="asked to play dino_dice_v0"):
            evaluate(DICE, make_agent(spec, other), "random", games=4)
    nobody: Any = None
    with pytest.raises(UnknownAgentError, match="None is no spec"):
        make_agent(nobody, DICE)


def test_no_games_are_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        evaluate(DICE, "random", "random", games=0)


def test_repeated_games_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "dino_envs.evaluation.score.game_seeds", lambda seed, count: np.zeros(count, np.uint64)
    )
    with pytest.warns(RepeatedGamesWarning, match="only 2 of 100"):
        result = evaluate(DICE, "greedy", "expected", games=100)
    assert result.distinct_games == 2
    assert result.ci95 == wilson(result.score, 2)


# Intervals


def test_known_intervals() -> None:
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert student(np.array([0.0, 0.5, 0.5, 1.0])) == pytest.approx((0.0, 1.0))
    tens = np.tile([0.4, 0.6], 50)
    assert student(tens) == pytest.approx((0.5 - 0.01994, 0.5 + 0.01994), abs=1e-5)


def test_pairs_that_cancel_make_a_narrow_interval_and_equal_ones_a_wide_one() -> None:
    rng = np.random.default_rng(0)
    cancelling = rng.choice([0.25, 0.5, 0.75], p=[0.05, 0.9, 0.05], size=500)
    low, high = paired(cancelling, 1000)
    assert high - low < np.subtract(*reversed(wilson(0.5, 1000))) / 2
    agreeing = rng.choice([0.0, 1.0], size=500)
    low, high = paired(agreeing, 1000)
    assert high - low > np.subtract(*reversed(wilson(0.5, 1000))) * 1.3


@pytest.mark.parametrize("means", [np.full(500, 0.5), np.array([0.0, 1.0, 1.0])])
def test_without_a_spread_to_go_by_it_is_wilsons(means: Any) -> None:
    assert paired(means, 2 * len(means)) == wilson(float(means.mean()), 2 * len(means))


def test_intervals_hold_the_true_score_as_often_as_they_say() -> None:
    rng = np.random.default_rng(2)
    games = rng.random((1000, 40, 2)) < 0.7
    held = [low <= 0.7 <= high for low, high in (paired(g.mean(axis=1), 80) for g in games)]
    assert 0.92 < np.mean(held) < 0.98


# Reports


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return [evaluate(DICE, "greedy", rung, games=40, seed=2) for rung in ("random", "expected")]


def test_the_json_of_an_evaluation(results: list[Result]) -> None:
    told = json.loads(report.dumps(report.as_json(DICE, results)))
    assert (told["game"], told["version"], told["agent"], told["seed"]) == (
        "dino_dice",
        DICE.version,
        "greedy",
        2,
    )
    assert told["options"]["target"] == 150
    assert {"python", "dino_envs", "numpy", "numba", "gymnasium", "pettingzoo"} <= set(
        told["versions"]
    )
    assert [entry["against"] for entry in told["results"]] == ["random", "expected"]
    entry = told["results"][0]
    assert entry["games"] == entry["distinct_games"] == 40
    assert entry["ci95"][0] <= entry["score"] <= entry["ci95"][1]
    assert [set(record) for record in entry["by_seat"]] == [{"seat", "wins", "draws", "losses"}] * 2
    assert entry["illegal_moves"] == 0


def test_the_table_of_an_evaluation(results: list[Result]) -> None:
    page = io.StringIO()
    Console(width=80, file=page).print(report.table(DICE, results))
    text = page.getvalue()
    first = results[0].by_seat[0]
    for told in (
        f"0: {first.wins}/{first.draws}/{first.losses}",
        f"{results[1].score:.4f}",
        f"{results[1].ci95[0]:.4f}-{results[1].ci95[1]:.4f}",
    ):
        assert told in text
    assert "…" not in text


def test_json_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "result.json"
    report.write_json(path, {"run": 1})

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        report.write_json(path, {"run": 2})
    assert json.loads(path.read_text()) == {"run": 1}
    assert list(tmp_path.iterdir()) == [path]


def test_json_goes_into_a_pipe_and_through_a_link_without_replacing_them(tmp_path: Path) -> None:
    pipe, link, path = tmp_path / "pipe", tmp_path / "link", tmp_path / "result.json"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    report.write_json(pipe, {"run": 1})
    assert json.loads(os.read(reader, 1000)) == {"run": 1}
    os.close(reader)
    assert pipe.is_fifo()
    link.symlink_to(path)
    report.write_json(link, {"run": 2})
    assert link.is_symlink()
    assert json.loads(path.read_text()) == {"run": 2}
