"""The exact score against perfect play: computed, and compared with games that are played."""

from typing import Any

import numpy as np
import pytest

from dino_envs.agents import UnknownChancesError
from dino_envs.engine import OptionError
from dino_envs.evaluation import evaluate
from dino_envs.evaluation.exact import exact_score, is_exact
from dino_envs.games.dino_dice import GAME, exact, solver

SHORT = {"target": 4}


class Looks:
    """Plays by what it sees of the turns left: another action at the same scores."""

    def act(self, observations: Any, masks: Any, streams: Any) -> Any:
        left = GAME.observation.decode(observations)["turns_left"][:, 0]
        parity = np.rint(left * 200).astype(int) % 4 < 2
        first, last = masks.argmax(axis=1), masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return np.where(parity, first, last)


def test_a_turn_is_followed_over_all_throws():
    """The chance of points of the best turn in points has its known mean."""
    row = solver.expected_turn()[1]

    def decide(turns: Any, which: Any, lies: Any, rerolls: int, to_eat: int) -> Any:
        chances = np.zeros((len(lies), GAME.actions.size))
        for k, lie in enumerate(lies):
            if to_eat:
                place = solver.REROLLS * solver.CHOOSE_SIZE + rerolls * solver.MEAL_SIZE
                action = 32 + row[place + solver.MEAL_NUMBER[lie, to_eat]]
            else:
                action = row[(rerolls - 1) * solver.CHOOSE_SIZE + lie]
            chances[k, action] = 1.0
        return chances

    start = exact.Turns(np.zeros(1, np.int32), np.zeros(1, np.int32), 0, False)
    points = exact.points_of_turns(decide, start)
    assert points.sum() == pytest.approx(1.0, abs=1e-12)
    mean = float((points[0] * np.arange(solver.WORTHS)).sum())
    assert mean == pytest.approx(26.46682668, abs=5e-9)


def test_perfect_play_loses_nothing():
    found = exact_score(GAME, "optimal", options=SHORT, tolerance=0.0)
    assert found.loss == pytest.approx(0.0, abs=1e-9)
    assert found.by_seat == pytest.approx(found.perfect, abs=1e-9)
    assert found.uncertainty < 1e-9


@pytest.mark.filterwarnings("ignore:only .* games are distinct")
@pytest.mark.parametrize("spec", ["random", "greedy", "expected"])
def test_the_sampled_score_agrees(spec: str):
    found = exact_score(GAME, spec, options=SHORT, tolerance=1e-3)
    result = evaluate(GAME, spec, "optimal", games=40_000, seed=1, options=SHORT)
    margin = (result.ci95[1] - result.ci95[0]) / 2 * 1.5
    assert found.score == pytest.approx(result.score, abs=margin)
    assert margin < 0.02
    assert found.loss > 0.0
    for record, exactly in zip(result.by_seat, found.by_seat, strict=True):
        sampled = (record.wins + record.draws / 2) / 20_000
        assert sampled == pytest.approx(exactly, abs=4 * 0.5 / np.sqrt(20_000))


@pytest.mark.filterwarnings("ignore:only .* games are distinct")
def test_who_looks_at_the_turns_left_is_asked_at_every_turn():
    found = exact_score(GAME, Looks(), options=SHORT, tolerance=1e-3)
    result = evaluate(GAME, Looks(), "optimal", games=20_000, seed=1, options=SHORT)
    assert found.score == pytest.approx(result.score, abs=(result.ci95[1] - result.ci95[0]) * 0.75)


def test_what_is_left_out_is_told():
    whole = exact_score(GAME, "greedy", options=SHORT, tolerance=0.0)
    part = exact_score(GAME, "greedy", options=SHORT, tolerance=0.05)
    assert part.positions < whole.positions
    assert 0.0 < part.uncertainty <= 0.05
    assert part.loss <= whole.loss <= part.loss + part.uncertainty


@pytest.mark.filterwarnings("ignore:only .* games are distinct")
def test_random_in_a_game_to_one_point():
    found = exact_score(GAME, "random", options={"target": 1}, tolerance=0.0)
    chance = solver.two_player_values()[solver.HOPELESS + 1 + 149 * solver.TARGET + 149]
    assert found.perfect == pytest.approx((chance, 1 - chance))
    result = evaluate(GAME, "random", "optimal", games=40_000, options={"target": 1})
    assert found.score == pytest.approx(result.score, abs=0.01)


@pytest.mark.parametrize(
    "options", [{"num_players": 3}, {"tie": "turn"}, {"target": 151}, {"max_turns": 20}]
)
def test_what_is_not_solved_is_refused(options: Any):
    assert not is_exact(GAME, options)
    with pytest.raises(OptionError, match="not solved"):
        exact_score(GAME, "random", options=options)


def test_who_hides_its_chances_is_refused():
    class Draws:
        def act(self, observations: Any, masks: Any, streams: Any) -> Any:
            streams += np.uint64(1)
            return masks.argmax(axis=1)

    with pytest.raises(UnknownChancesError):
        exact_score(GAME, Draws(), options=SHORT)


@pytest.mark.slow
def test_the_exact_loss_of_random_in_the_whole_game():
    found = exact_score(GAME, "random", tolerance=1e-2)
    result = evaluate(GAME, "random", "optimal", games=200_000, seed=1)
    assert found.score == pytest.approx(result.score, abs=0.0006 + found.uncertainty)
