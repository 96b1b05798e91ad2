"""What is watched of an agent's play, and chances of its actions."""

from typing import Any

import numpy as np
import pytest

from dino_envs.agents import (
    Agent,
    UnknownChancesError,
    action_chances,
    make_agent,
)
from dino_envs.agents.table import AgentAnswerError
from dino_envs.engine import ArgumentError, Game
from dino_envs.evaluation import baselines, evaluate
from dino_envs.evaluation.behaviour import Behaviour, watch_games
from dino_envs.games import load

DICE = load("dino_dice")


def watched(game: Game, *names: str, **arguments: Any) -> list[Behaviour]:
    agents: dict[str, Agent] = {
        name: make_agent(name, game, arguments.get("options")) for name in names
    }
    return watch_games(game, agents, **arguments)


def test_the_games_are_those_of_an_evaluation(game: Game) -> None:
    for players in {game.min_players, game.default_players}:
        options = {"num_players": players}
        first, *_, last = baselines(game, options)
        told = watched(game, first, last, games=12, seed=3, options=options)
        result = evaluate(game, first, last, games=12, seed=3, options=options)
        assert told[0].points.mean() == pytest.approx(result.points)
        assert told[1].points.mean() == pytest.approx(result.opponent_points)
        rows = len(told[0].points) + len(told[1].points)
        actions = int(told[0].actions.sum() + told[1].actions.sum())
        assert actions == pytest.approx(result.length * rows / players)
        for each in told:
            assert each.turn_lengths.sum() == each.actions.sum()
            assert (each.turn_lengths >= 1).all()
            assert (each.actions <= each.legal).all()
            assert sum(each.block_shares(game).values()) == pytest.approx(1.0)
            assert each.seats_played == len(each.points)


def test_two_are_watched_in_a_game_at_least() -> None:
    for names, games in (("greedy", 4), ("greedy random optimal", 4), ("greedy random", 0)):
        with pytest.raises(ArgumentError, match="two agents and at least one game"):
            watched(DICE, *names.split(), games=games)


def test_greedy_takes_what_lies_there() -> None:
    """It stops in every turn once, and re-rolls only where there are no points."""
    greedy, _ = watched(DICE, "greedy", "random", games=50)
    shares = greedy.block_shares(DICE)
    assert shares["stop"] * greedy.actions.sum() == len(greedy.turn_lengths)
    assert shares["reroll"] < 0.05
    assert greedy.actions_a_game == pytest.approx(greedy.actions.sum() / 50)


# Chances


def seen(count: int = 3) -> tuple[Any, Any]:
    masks = np.zeros((count, DICE.actions.size), np.int8)
    masks[:, :2] = 1
    return np.zeros((count, DICE.observation.size), np.float32), masks


class Plays:
    """Plays one action everywhere; with `draws` it moves the random streams on."""

    def __init__(self, action: int, draws: bool = False) -> None:
        self._action, self._draws = action, draws

    def act(self, observations: Any, masks: Any, streams: Any) -> Any:
        streams += np.uint64(self._draws)
        return np.full(len(masks), self._action)


def test_who_draws_nothing_plays_one_action_for_certain() -> None:
    assert action_chances(Plays(1), *seen())[:, :2].tolist() == [[0, 1]] * 3


def test_random_plays_every_legal_action_alike() -> None:
    assert (
        action_chances(make_agent("random", DICE), *seen())[:, :3].tolist() == [[0.5, 0.5, 0]] * 3
    )


def test_who_draws_must_tell_its_chances() -> None:
    with pytest.raises(UnknownChancesError, match="no method chances"):
        action_chances(Plays(1, draws=True), *seen())


@pytest.mark.parametrize("action", [2, -1, 99])
def test_an_illegal_action_has_no_chance(action: int) -> None:
    with pytest.raises(AgentAnswerError, match="plays illegal actions"):
        action_chances(Plays(action), *seen())


@pytest.mark.parametrize("worth", [0.5, 1.1, np.nan])
def test_chances_that_are_told_are_checked(worth: float) -> None:
    class Tells(Plays):
        def chances(self, observations: Any, masks: Any) -> Any:
            return np.eye(masks.shape[1])[np.zeros(len(masks), int)] * worth

    with pytest.raises(AgentAnswerError, match="do not add to 1"):
        action_chances(Tells(0), *seen())
