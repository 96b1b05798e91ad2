"""Tournaments and ratings: computed cases, known strengths, the command and what it writes."""

import csv
import io
import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from dino_envs.agents import make_agent
from dino_envs.cli import app
from dino_envs.engine import Game
from dino_envs.evaluation import baselines, evaluate, ratings, standings
from dino_envs.evaluation.ratings import ELO, Scores, rate
from dino_envs.evaluation.tournament import (
    Tournament,
    games_to_play,
    how_compared,
    play_tournament,
)
from dino_envs.games import load

DICE = load("dino_dice")
THREE = ("random", "greedy", "expected")
Run = Callable[..., Any]


def played(names: tuple[str, ...] = THREE, **arguments: Any) -> Tournament:
    options = arguments.get("options")
    agents = {name: make_agent(name, DICE, options) for name in names}
    return play_tournament(DICE, agents, **{"games": 60, "seed": 4, **arguments})


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Returns run("games"), which runs a command line in a wide terminal."""
    monkeypatch.setenv("COLUMNS", "200")

    def invoke(line: str) -> Any:
        return CliRunner().invoke(app, line.split(), prog_name="dino-envs")

    return invoke


# Tournaments


def test_a_pair_has_the_score_of_an_evaluation_and_the_other_way_round_adds_to_one() -> None:
    told = played()
    assert [(pair.first, pair.second) for pair in told.pairs] == list(combinations(THREE, 2))
    for pair in told.pairs:
        result = evaluate(DICE, pair.first, pair.second, games=60, seed=4)
        assert (pair.score, pair.ci95, pair.games) == (result.score, result.ci95, 60)
        assert pair.logs == (result.log,)
        assert pair.wins + pair.draws + pair.losses == 60
    payoff = told.payoff()
    assert np.isnan(np.diag(payoff)).all()
    for i, j in combinations(range(3), 2):
        assert payoff[i, j] + payoff[j, i] == 1.0
        low, high = told.intervals()[i, j]
        assert low <= payoff[i, j] <= high
        assert told.intervals()[j, i].tolist() == [1.0 - high, 1.0 - low]


@pytest.mark.parametrize("players", [3, 5])
def test_with_more_players_each_of_a_pair_is_alone_in_half_of_the_games(players: int) -> None:
    told = played(games=60, options={"num_players": players})
    half = -(-30 // players) * players
    for pair in told.pairs:
        arguments: dict[str, Any] = {"games": 30, "seed": 4, "options": {"num_players": players}}
        there = evaluate(DICE, pair.first, pair.second, **arguments)
        back = evaluate(DICE, pair.second, pair.first, **arguments)
        assert pair.score == (there.score + (1.0 - back.score)) / 2
        assert pair.games == 2 * half
        assert pair.logs == (there.log, back.log)
        assert pair.wins + pair.draws + pair.losses == 2 * half * (players - 1)
    payoff = told.payoff()
    assert payoff[0, 1] + payoff[1, 0] == 1.0


def test_an_agent_against_itself_under_another_name_is_its_equal() -> None:
    agent = make_agent("greedy", DICE)
    (pair,) = play_tournament(DICE, {"a": agent, "b": agent}, games=40).pairs
    assert pair.score == 0.5
    assert pair.points[0] == pair.points[1]


def test_threads_change_nothing() -> None:
    one, two = played(games=300, threads=1), played(games=300, threads=2)
    assert [pair.logs for pair in one.pairs] == [pair.logs for pair in two.pairs]
    assert standings.as_json(DICE, one) == standings.as_json(DICE, two)
    other = played(games=300, seed=5)
    assert [pair.logs for pair in one.pairs] != [pair.logs for pair in other.pairs]


def test_every_game_has_tournaments(game: Game) -> None:
    for players in {game.min_players, game.default_players}:
        options = {"num_players": players}
        names = baselines(game, options)[:2]
        agents = {name: make_agent(name, game, options) for name in names}
        counted: list[int] = []
        told = play_tournament(game, agents, games=7, options=options, progress=counted.append)
        assert sum(counted) == games_to_play(game, options, 2, 7)
        assert told.pairs[0].illegal_moves == (0, 0)
        assert how_compared(game, options) in json.dumps(standings.as_json(game, told, options))


def test_one_agent_is_no_tournament() -> None:
    with pytest.raises(ValueError, match="at least two"):
        play_tournament(DICE, {"random": make_agent("random", DICE)})


# Ratings


def scores(score: float, games: int = 1000, seeds: int = 500) -> Scores:
    """Returns a score whose seeds spread as those of single games do."""
    wins = round(score * seeds)
    return Scores(score, games, np.repeat([1.0, 0.0], [wins, seeds - wins]))


def test_two_agents_are_rated_by_their_odds() -> None:
    """Half a win more for each: 750.5 to 250.5 wins are odds of 2.996."""
    told = rate(("random", "other"), {("random", "other"): scores(0.25)}).of
    assert told[0].rating == 0.0
    assert told[1].rating == pytest.approx(400 * np.log10(750.5 / 250.5), abs=1e-6)
    low, high = told[1].ci95
    assert low < told[1].rating < high
    # The odds' logarithm has the variance 1 / (n p q); the seeds are 500 samples.
    assert high - low == pytest.approx(2 * 1.96 * ELO / np.sqrt(500 * 0.25 * 0.75), rel=0.15)


def test_three_agents_by_hand() -> None:
    """Odds 2 and 3 that multiply to 6 fit without rest; the prior is nothing to so many games."""
    found = {
        ("a", "b"): scores(2 / 3, 10**9),
        ("b", "c"): scores(3 / 4, 10**9),
        ("a", "c"): scores(6 / 7, 10**9),
    }
    told = {each.agent: each.rating for each in rate(("a", "b", "c"), found, anchor="c").of}
    assert told["b"] == pytest.approx(400 * np.log10(3), abs=1e-4)
    assert told["a"] == pytest.approx(400 * np.log10(6), abs=1e-4)


def test_known_strengths_are_found_again() -> None:
    rng = np.random.default_rng(3)
    names = tuple("abcdefgh")
    true = dict(zip(names, (0.0, *rng.normal(0, 200, size=7)), strict=True))
    inside, rounds = 0, 10
    for seed in range(rounds):
        found = {}
        for first, second in combinations(names, 2):
            chance = 1 / (1 + 10 ** ((true[second] - true[first]) / 400))
            by_seed = rng.binomial(2, chance, size=400) / 2
            found[first, second] = Scores(float(by_seed.mean()), 800, by_seed)
        told = rate(names, found, anchor="a", seed=seed, resamples=300).of
        for each in told[1:]:
            assert each.rating == pytest.approx(true[each.agent], abs=60)
            inside += each.ci95[0] <= true[each.agent] <= each.ci95[1]
    assert 0.86 * 7 * rounds <= inside <= 7 * rounds


def test_the_strengths_are_the_most_likely() -> None:
    rng = np.random.default_rng(0)
    places = np.array(list(combinations(range(5), 2)))
    table, games = rng.uniform(size=(20, len(places))), np.full(len(places), 30.0)
    found = ratings.strengths(places, table, games, 5)
    chance = 1 / (1 + np.exp(found[:, places[:, 1]] - found[:, places[:, 0]]))
    rest = table * games + 0.5 - (games + 1) * chance
    for agent in range(5):  # every agent has won as often as its strength says
        own = rest[:, places[:, 0] == agent].sum(axis=1)
        assert own == pytest.approx(rest[:, places[:, 1] == agent].sum(axis=1), abs=1e-6)


def test_perfect_scores_give_finite_ratings_and_wide_intervals() -> None:
    always = Scores(1.0, 100, np.ones(50))
    found = dict.fromkeys(combinations(("a", "b", "random"), 2), always)
    told = rate(("a", "b", "random"), found)
    by_name = {each.agent: each for each in told.of}
    assert told.anchor == "random"
    assert 2000 > by_name["a"].rating > by_name["b"].rating > 500
    low, high = by_name["b"].ci95
    assert high - low > 100
    assert np.isfinite([low, high]).all()


def test_without_random_the_first_is_the_anchor() -> None:
    told = rate(("x", "y"), {("x", "y"): scores(0.6)})
    assert told.anchor == "x"
    assert [each.agent for each in told.ranked()] == ["x", "y"]


# The command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder that a tournament has written."""
    pytest.importorskip("matplotlib", reason="needs dino-envs[train]")
    out = tmp_path_factory.mktemp("tournament") / "new" / "results"
    line = f"tournament dino_dice --agents {','.join(THREE)} --games 80 --seed 2 --out {out}"
    result = CliRunner().invoke(app, line.split(), prog_name="dino-envs")
    assert result.exit_code == 0, result.output
    for told in ("Two players", "Ratings: random has 0", "expected", "written to"):
        assert told in result.output
    return out


def test_the_command_writes_its_files_and_nothing_else(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {*standings.FILES}


def test_the_json_and_the_csv_tell_the_same(folder: Path) -> None:
    told = json.loads((folder / "tournament.json").read_text())
    assert told["agents"] == list(THREE)
    assert (told["seed"], told["num_players"], told["options"]["target"]) == (2, 2, 150)
    assert "numpy" in told["versions"]
    assert [row[i] for i, row in enumerate(told["payoff"])] == [None] * 3
    table = list(csv.DictReader(io.StringIO((folder / "payoff.csv").read_text())))
    assert len(table) == 6
    for row in table:
        place = THREE.index(row["agent"]), THREE.index(row["against"])
        assert float(row["score"]) == pytest.approx(told["payoff"][place[0]][place[1]], abs=1e-6)
        assert float(row["low"]) <= float(row["score"]) <= float(row["high"])
        assert int(row["wins"]) + int(row["draws"]) + int(row["losses"]) == 80
    ranked = list(csv.DictReader(io.StringIO((folder / "ratings.csv").read_text())))
    assert [row["agent"] for row in ranked] == ["expected", "greedy", "random"]
    assert [float(row["rating"]) for row in ranked] == [r["rating"] for r in told["ratings"]]
    assert float(ranked[-1]["rating"]) == 0.0


@pytest.mark.parametrize("name", ["payoff.png", "ratings.png"])
def test_the_pictures_are_pictures_with_something_on_them(folder: Path, name: str) -> None:
    from matplotlib import image

    pixels = image.imread(folder / name)
    assert min(pixels.shape[:2]) > 150
    assert len(np.unique(pixels.reshape(-1, pixels.shape[2]), axis=0)) > 50
    assert 0.01 < (pixels[:, :, :3].min(axis=2) < 0.9).mean() < 0.9


def test_the_json_is_the_same_bytes_on_any_number_of_threads(
    folder: Path, run: Run, tmp_path: Path
) -> None:
    written = [(folder / "tournament.json").read_bytes()]
    for threads in (1, 2):
        out = tmp_path / str(threads)
        line = f"tournament dino_dice --agents {','.join(THREE)} --games 80 --seed 2"
        assert run(f"{line} --threads {threads} --out {out}").exit_code == 0
        written.append((out / "tournament.json").read_bytes())
    assert len({*written}) == 1


def test_all_scripted_agents_play_by_default(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs dino-envs[train]")
    line = f"tournament dino_dice --games 4 --num-players 3 --set target=20 --out {tmp_path}"
    assert run(line).exit_code == 0
    told = json.loads((tmp_path / "tournament.json").read_text())
    assert told["agents"] == baselines(DICE, {"num_players": 3})
    assert told["options"]["target"] == 20
    assert told["compared"].startswith("3 players: one agent sits among 2 of the other")


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("--agents greedy", 2, "greedy alone: a tournament needs two or more"),
        ("--agents greedy,random,greedy", 2, "greedy twice"),
        ("--agents greedy,randm", 1, "did you mean 'random'?"),
        ("--agents greedy,optimal --num-players 3", 1, "num_players=2"),
        ("--agents ,", 2, "at least one agent"),
        ("--games 0", 2, "--games"),
        ("--games 4 --out /dev/null/here", 2, "/dev/null"),
        ("--games 4 --out /proc/here", 2, "--out /proc/here"),
        ("--set targat=3", 1, "did you mean 'target'?"),
    ],
)
def test_a_failure_is_one_line_and_comes_before_the_games(
    run: Run, line: str, code: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dino_envs.cli.competing._played", None)
    result = run(f"tournament dino_dice {line}")
    assert result.exit_code == code
    assert result.stderr.startswith("dino-envs: ")
    assert result.stderr.count("\n") == 1
    assert told in result.stderr


def test_without_matplotlib_it_says_what_installs_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def missing() -> None:
        raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")

    monkeypatch.setattr("dino_envs.evaluation.plots.check", missing)
    result = run(f"tournament dino_dice --games 4 --out {tmp_path / 'new'}")
    assert result.exit_code == 1
    assert 'pip install "dino-envs[train]"' in result.stderr
    assert not (tmp_path / "new").exists()
