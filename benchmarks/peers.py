"""Random play of OpenSpiel's games from Python, for comparison; needs the extra `bench`."""

from __future__ import annotations

import random
import time

import pyspiel
from open_spiel.python.observation import make_observation

GAMES = {"backgammon": 20_000, "liars_dice": 100_000}  # steps of one measurement
VIEWS = {"legal actions, observation": True, "legal actions": False}
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


def sampled(outcomes: list[tuple[int, float]], left: float) -> int:
    """Returns the outcome in whose share of [0, 1) `left` falls; quicker than random.choices."""
    for outcome, probability in outcomes:
        left -= probability
        if left < 0:
            return outcome
    return outcomes[-1][0]


def openspiel_loop(name: str, observe: bool) -> float:
    """Returns the players' decisions a second; chance takes its time but is no step.

    Args:
        name: OpenSpiel's name of the game.
        observe: whether the mover's observation tensor is read at each decision, into an array
            that is used again, which is quicker than `state.observation_tensor()`.
    """
    game, draw, count = pyspiel.load_game(name), random.Random(0).random, 0
    observation = make_observation(game)
    start = time.perf_counter()
    while count < GAMES[name]:
        state = game.new_initial_state()
        while (player := state.current_player()) != TERMINAL:
            if player == CHANCE:
                state.apply_action(sampled(state.chance_outcomes(), draw()))
                continue
            legal = state.legal_actions()
            if observe:
                observation.set_from(state, player)
            state.apply_action(legal[int(draw() * len(legal))])
            count += 1
    return count / (time.perf_counter() - start)
