"""Search: it knows no secrets, depends on its streams alone, and finds what is to be found."""

import copy
import itertools
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from typer.testing import CliRunner

from dino_envs.agents import SearchAgent, Searcher, agent_names, built_in, make_agent
from dino_envs.agents.agent import choose
from dino_envs.agents.searching import _rules, default_rollout, forgotten
from dino_envs.agents.table import Table
from dino_envs.cli import app
from dino_envs.engine import (
    RANDOM,
    RUNNING,
    TERMINATED,
    ArgumentError,
    Game,
    UnknownAgentError,
    tree,
)
from dino_envs.engine.kernel import JIT
from dino_envs.evaluation import evaluate, game_seeds, play_games
from dino_envs.games import games, load
from dino_envs.games.dino_dice import solver
from dino_envs.games.dino_dice.rules import REROLL, STOP
from dino_envs.views.learner import LearnerGames

DICE = load("dino_dice")
FEW = 24
"""Simulations that show how a search goes, not how well."""


def player_counts(game: Game) -> list[int]:
    return sorted({game.min_players, game.default_players, game.max_players})


@pytest.fixture(
    scope="module",
    params=[(name, players) for name in games() for players in player_counts(load(name))],
    ids=lambda param: f"{param[0]}-{param[1]}",
)
def table(request: pytest.FixtureRequest) -> tuple[Game, int]:
    name, players = request.param
    return load(name), players


@pytest.fixture
def choices(random_walk: Any) -> Callable[..., np.ndarray[Any, Any]]:
    """Returns choices(game, count, **options): positions of a random game with a choice."""

    def found(game: Game, count: int, **options: Any) -> np.ndarray[Any, Any]:
        walk = random_walk(game, 7, **options)
        states = [position.state.copy() for position in walk if position.legal > 1]
        places = np.linspace(0, len(states) - 1, count).astype(int)
        return np.array([states[place] for place in places], game.state)

    return found


def streams(count: int, seed: int = 5) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).integers(2**64, size=count, dtype=np.uint64)


def same(one: Any, other: Any) -> bool:
    return all((a == b).all() for a, b in zip(one, other, strict=True))


def legal(game: Game, states: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    masks = np.zeros((len(states), game.actions.size), np.int8)
    for state, mask in zip(states, masks, strict=True):
        game.kernels.legal_actions(state, mask)
    return masks


# What it may know.


def test_what_is_hidden_changes_nothing(table, choices):
    """Positions that differ only in what the mover cannot know are searched alike."""
    game, players = table
    agent, states = SearchAgent(game, FEW), choices(game, 6, num_players=players)
    others = [forgotten(game, states, streams(len(states), seed)) for seed in (1, 2)]
    assert (others[0]["stream"] != others[1]["stream"]).all()
    found = [agent.findings(variant, streams(len(states))) for variant in (states, *others)]
    assert same(found[0], found[1])
    assert same(found[0], found[2])
    assert not same(found[0], agent.findings(states, streams(len(states), 6)))


class Spy:
    """Keeps what it is given, and plays the first legal action."""

    def __init__(self, game: Game) -> None:
        self.game, self.given = game, []

    def search(self, states: Any, streams: Any) -> Any:
        self.given.append(states.copy())
        return legal(self.game, states).argmax(axis=1)


def test_a_searcher_is_given_nothing_that_is_hidden(table, choices):
    game, players = table
    states, spy = choices(game, 6, num_players=players), Spy(game)
    masks, nothing = legal(game, states), np.zeros((len(states), game.observation.size), np.float32)
    for variant in (states, forgotten(game, states, streams(len(states), 1))):
        untouched = variant.copy()
        choose(spy, game, variant, nothing, masks, streams(len(states)))
        assert variant.tobytes() == untouched.tobytes()
    assert spy.given[0].tobytes() == spy.given[1].tobytes()
    assert (spy.given[0]["stream"] != states["stream"]).all()


def test_at_a_table_a_searcher_is_given_no_secrets_either():
    game = load("dino_days")
    spy = Spy(game)
    assert isinstance(spy, Searcher)
    seats = Table(game, 3, [spy])
    seats.seating[:] = 0
    seats.seat()
    seats.batch.deal(np.arange(3, dtype=np.uint64))
    true = seats.batch.states.copy()
    seats.play()
    assert (spy.given[0]["stream"] != true["stream"]).all()
    assert any(not np.array_equal(spy.given[0][i]["pile"], true[i]["pile"]) for i in range(3))


# What it depends on.


def test_neighbours_and_threads_change_nothing(table, choices):
    game, players = table
    states = choices(game, 7, num_players=players)
    together = SearchAgent(game, FEW, threads=1).findings(states, streams(7))
    assert same(together, SearchAgent(game, FEW, threads=3).findings(states, streams(7)))
    moved = streams(7)
    alone = SearchAgent(game, FEW).findings(states[4:5], moved[4:5])
    assert same([part[4:5] for part in together], alone)
    assert (moved != streams(7)).tolist() == [place == 4 for place in range(7)]


def test_games_do_not_depend_on_how_they_are_played():
    agents = [SearchAgent(DICE, 8), make_agent("greedy", DICE)]
    lineup = np.random.default_rng(1).integers(2, size=(12, 3))
    lines = [
        play_games(DICE, agents, lineup, game_seeds(4, 12), chunk=chunk, threads=threads).log
        for chunk, threads in ((12, 2), (5, 1))
    ]
    assert (lines[0] == lines[1]).all()


def test_copies_play_the_same(choices):
    states = choices(DICE, 3)
    agent = SearchAgent(DICE, FEW, DICE.bots["herder"], 0.5)
    found = agent.findings(states, streams(3))
    for twin in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert twin == agent
        assert same(twin.findings(states, streams(3)), found)


def test_plain_python_finds_the_same(game: Game) -> None:
    code = (
        "import sys, numpy as np; from dino_envs.agents import SearchAgent; "
        "from dino_envs.games import load; game = load(sys.argv[1]); states = game.new_states(1); "
        "[game.kernels.reset(state, np.uint64(9)) for state in states]; "
        "f = SearchAgent(game, 4).findings(states, np.arange(1, dtype=np.uint64)); "
        "print(f.actions, f.visits.nonzero(), f.values.sum(axis=1).round(9))"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code, game.id],
            env={**os.environ, "NUMBA_DISABLE_JIT": flag},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for flag in ("0", "1")
    ]
    assert outputs[0] == outputs[1] != ""


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_compiled_code_lies_in_a_folder_of_the_games_sources(game: Game) -> None:
    """What closes over closures over the rules is stale when the rules change."""
    assert game.id in _rules(game).search._cache.cache_path


# What it plays.


def test_it_plays_legally_to_the_end(table):
    game, players = table
    options = {"max_ticks": 12} if "max_ticks" in game.all_options else {}
    agents = [SearchAgent(game, 4), make_agent("random", game)]
    lineup = np.random.default_rng(2).integers(2, size=(4, players))
    played = play_games(game, agents, lineup, game_seeds(3, 4), options)
    assert (played.illegal == 0).all()


def test_every_simulation_counts_and_only_legal_actions_are_tried(table, choices):
    game, players = table
    states = choices(game, 4, num_players=players)
    found = SearchAgent(game, 60, RANDOM).findings(states, streams(4))
    masks = legal(game, states)
    assert (found.visits.sum(axis=1) == 60).all()
    assert (found.visits[masks == 0] == 0).all()
    assert (np.abs(found.values) <= 1 + 1e-9).all()
    assert ((found.visits > 0).sum(axis=1) > 1).all()
    rows = np.arange(4)
    assert (found.visits[rows, found.actions] == found.visits.max(axis=1)).all()


def test_when_its_memory_is_full_it_goes_on_without_growing(choices, monkeypatch):
    states = choices(DICE, 3)
    roomy = SearchAgent(DICE, 90).findings(states, streams(3))
    monkeypatch.setattr(tree, "EDGES_A_NODE", 0)
    found = SearchAgent(DICE, 90).findings(states, streams(3))
    assert (found.visits.sum(axis=1) == 90).all()
    assert not same(found, roomy)


def test_with_one_simulation_it_plays_as_its_bot_does():
    agents = [SearchAgent(DICE, 1, DICE.bots["expected"]), make_agent("expected", DICE)]
    lineup = np.array([[0, 0], [1, 1]])
    played = play_games(DICE, agents, lineup, np.full(2, 11, np.uint64))
    assert played.log[0] == played.log[1]


def test_where_there_is_no_choice_nothing_is_searched(random_walk):
    game = load("scale_of_trex")
    only = next(p for seed in range(99) for p in random_walk(DICE, seed) if p.legal == 1)
    found = SearchAgent(DICE, FEW).findings(np.array([only.state], DICE.state), streams(1))
    assert found.actions.tolist() == [only.action]
    assert not found.visits.any()
    assert SearchAgent(game, FEW).findings(game.new_states(0), streams(0)).actions.shape == (0,)


def last_turn(own: int, other: int, dice: list[int], rolls_left: int) -> np.ndarray[Any, Any]:
    """Returns the position [1] of seat 1 in its last turn, which decides the game."""
    states = DICE.new_states(1)
    DICE.kernels.reset(states[0], np.uint64(1))
    state = states[0]
    state.score[:2] = other, own
    state.current_player, state.last_turns = 1, 2
    state.dice[:] = sorted(dice)
    state.in_play, state.rolls_left, state.to_eat, state.five_rexes = 5, rolls_left, 0, 0
    return states


@pytest.mark.parametrize("bot", ["random", "expected"])
def test_a_win_in_one_is_found(bot):
    states = last_turn(140, 155, [4, 4, 4, 5, 6], 2)  # 27 + 11 points
    found = SearchAgent(DICE, 400, DICE.bot(bot)).findings(states, streams(1))
    assert found.actions.tolist() == [STOP]


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_a_loss_in_one_is_avoided(bot):
    states = last_turn(120, 155, [1, 2, 4, 5, 6], 1)  # 18 points where 35 tie
    found = SearchAgent(DICE, 400, DICE.bot(bot)).findings(states, streams(1))
    assert found.actions[0] >= REROLL


# How well.


def losses(agent: SearchAgent, count: int) -> float:
    """Returns how much of the chance to win is lost in a last turn, on average, exactly."""
    rng = np.random.default_rng(3)
    values, worth = solver.new_values(), np.zeros(solver.WORTHS)
    lost = []
    for i in range(count):
        dice = sorted(rng.choice([1, 2, 4, 5, 6], 5).tolist())
        missing, rolls = int(rng.integers(15, 60)), int(rng.integers(1, 3))
        solver.last_turn_worth(missing, worth)
        solver.solve_turn(worth, solver.graph(), values)
        lie = solver.LIES.index(tuple(dice))
        states = last_turn(155 - missing, 155, dice, rolls)
        action = int(agent.findings(states, streams(1, i)).actions[0])
        if action == STOP:
            value = worth[solver.graph().points[lie]]
        else:
            throw = solver.graph().rerolls[lie, action - REROLL]
            value = values.throw[rolls - 1, throw, 0]
        lost.append(values.choose[rolls, lie] - value)
    assert min(lost) >= -1e-12
    return float(np.mean(lost))


def test_more_simulations_lose_less_against_the_exact_solution():
    lost = [losses(SearchAgent(DICE, n, RANDOM), 60) for n in (1, 100, 3000)]
    assert lost[0] > 2 * lost[1] > 4 * lost[2]
    assert lost[2] < 0.02


def test_it_beats_who_looks_one_step_ahead():
    result = evaluate(DICE, "mcts:simulations=60", "greedy", games=60, seed=1)
    assert result.ci95[0] > 0.5


@pytest.mark.slow
def test_strength_rises_with_simulations():
    scores = [
        evaluate(DICE, f"mcts:simulations={n},rollout=random", "greedy", games=400, seed=1).score
        for n in (1, 10, 60, 400)
    ]
    assert scores == sorted(scores)
    assert scores[-1] > 0.5


@pytest.mark.slow
def test_against_perfect_play_little_is_lost():
    result = evaluate(DICE, "mcts:simulations=800", "optimal", games=600, seed=1)
    assert result.score > 0.42


# How it is named.


def test_a_spec_says_how_it_searches(game: Game) -> None:
    plain, full = make_agent("mcts", game), make_agent(next(iter(built_in(game))), game)
    assert plain == full
    assert plain.bot.name == default_rollout(game)
    agent = make_agent("mcts:exploration=0.25, rollout=random,simulations=7", game)
    assert agent == SearchAgent(game, 7, RANDOM, 0.25)
    assert "mcts" not in agent_names(game)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("simulation=3", "did you mean 'simulations'"),
        ("depth=3", "it has simulations, rollout, exploration"),
        ("400", "write mcts:simulations=400"),
        ("simulations=3,,", "write mcts:simulations=400"),
        ("simulations=3,simulations=4", "simulations is 3 already"),
        ("simulations=0", "simulations=0: give a whole number, 1 to"),
        ("simulations=-5", "give a whole number"),
        ("simulations=1e3", "give a whole number"),
        ("simulations=9999999999", "give a whole number"),
        ("simulations=", "give a whole number"),
        ("exploration=nan", "exploration=nan: give a number, 0 to 100"),
        ("exploration=-1", "give a number"),
        ("exploration=inf", "give a number"),
        ("exploration=x", "give a number"),
        ("rollout=gredy", "rollout=gredy: choose one of random, greedy, herder, expected, optimal"),
        ("rollout=optimal", "'optimal' plays with num_players=2 alone, not 3"),
    ],
)
def test_a_wrong_spec_is_refused(argument, message):
    with pytest.raises(UnknownAgentError) as error:
        make_agent(f"mcts:{argument}", DICE, {"num_players": 3})
    assert message in str(error.value)


@pytest.mark.parametrize(
    "wrong",
    [{"simulations": 0}, {"simulations": 2_000_000}, {"threads": 0}, {"threads": -1},
     {"exploration": -1.0}, {"exploration": float("nan")}],
    ids=str,
)  # fmt: skip
def test_numbers_out_of_bounds_are_refused(wrong):
    with pytest.raises(ArgumentError, match=f"{next(iter(wrong))}="):
        SearchAgent(DICE, **wrong)


def test_arrays_of_another_kind_are_refused(choices):
    agent, states = SearchAgent(DICE, 8), choices(DICE, 6)
    over = states.copy()
    over["ending"][2] = TERMINATED
    for wrong in (over, states[None], load("dino_days").new_states(6), np.zeros(6)):
        streams = game_seeds(1, 6)
        with pytest.raises(ArgumentError):
            agent.search(wrong, streams)
        assert (streams == game_seeds(1, 6)).all()
    for wrong in (game_seeds(1, 5), game_seeds(1, 12)[::2], np.zeros(6)):
        for take in (agent.search, lambda *given: forgotten(DICE, *given)):
            with pytest.raises(ArgumentError):
                take(states, wrong)
    found = agent.search(states[::2], game_seeds(1, 3))
    assert (found == agent.search(states[::2].copy(), game_seeds(1, 3))).all()
    whole = SearchAgent(DICE, np.int64(8), threads=np.int64(1))
    assert (whole.search(states[::2], game_seeds(1, 3)) == found).all()


def test_a_bot_that_does_not_play_these_options_plays_no_simulations():
    agent = make_agent("mcts:simulations=2,rollout=optimal", DICE)
    with pytest.raises(UnknownAgentError, match="optimal"):
        evaluate(DICE, agent, "random", games=3, options={"num_players": 3})


def test_unknown_agents_are_told_of_it():
    with pytest.raises(UnknownAgentError, match="mcts"):
        make_agent("nobody_at_all", DICE)


# Where it plays.


def test_it_is_an_opponent_everywhere(game: Game) -> None:
    spec = "mcts:simulations=3,rollout=random"
    learner = LearnerGames(game, 2, [spec, "random"])
    learner.seed([1, 2])
    learner.start()
    while not learner.step(learner.masks.argmax(axis=1)).done.all():
        if learner.batch.steps.max() > 60:
            break
    assert (learner.batch.illegal == 0).all()
    env_id = next(i for i in gymnasium.registry if i.startswith("dino_envs/") and _of(i, game))
    env = gymnasium.make(env_id, opponent=spec)
    _, info = env.reset(seed=3)
    for _ in range(3):
        *_, over, cut, info = env.step(int(info["action_mask"].argmax()))
        if over or cut:
            break


def _of(env_id: str, game: Game) -> bool:
    from dino_envs.views.registration import gymnasium_id

    return env_id == gymnasium_id(game.id, game.version)


def test_the_program_knows_it(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")

    def run(line: str, stdin: str = "") -> str:
        result = CliRunner().invoke(app, line.split(), input=stdin, prog_name="dino-envs")
        assert result.exit_code == 0, result.stderr
        return result.stdout

    assert next(iter(built_in(game))) in run(f"inspect {game.id}")
    spec = "mcts:simulations=2,rollout=random"
    told = run(f"play {game.id} --opponent {spec} --seed 3", "1\n" * 9 + "q\n")
    # Where all act at once others are not told one by one, but rounds are, when they are over.
    assert ("mcts" if game.view.round_text is None else "Tick 2: ") in told


def test_the_program_scores_and_shows_it() -> None:
    def run(line: str) -> Any:
        return CliRunner().invoke(app, line.split(), prog_name="dino-envs")

    spec = "mcts:simulations=2,rollout=greedy"
    scored = run(f"evaluate dino_dice --agent {spec} --against random,{spec} --games 4 --json -")
    assert scored.exit_code == 0, scored.stderr
    assert scored.stdout.count(spec) >= 2
    watched = run(f"watch dino_dice --agents {spec},greedy --seed 3 --actions-only")
    assert watched.exit_code == 0
    assert "The end." in watched.stdout


def test_a_simultaneous_game_of_another_distribution_is_searched(toy, choices):
    for players in range(toy.min_players, toy.max_players + 1):
        states = choices(toy, 5, num_players=players)
        agent = SearchAgent(toy, 200, toy.bots["obedient"])
        variants = [states, forgotten(toy, states, streams(5, 1))]
        found = [agent.findings(variant, streams(5)) for variant in variants]
        assert same(*found)
    running = itertools.takewhile(lambda state: state.ending == RUNNING, states)
    assert len(list(running)) == 5
