"""Scripted players of Dino Dice."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from dino_envs.engine.bot import Bot
from dino_envs.engine.kernel import kernel
from dino_envs.games.dino_dice.observation import GAME_POINTS, TURN_POINTS
from dino_envs.games.dino_dice.rules import (
    DICE,
    EAT,
    HERBIVORES,
    REROLL,
    REROLLS,
    REX,
    STOP,
)
from dino_envs.games.dino_dice.solver import (
    CHOOSE_SIZE,
    FIVE_REXES,
    HOPELESS,
    LIE_OF_CODE,
    MEAL_NUMBER,
    MEAL_SIZE,
    ROW,
    TARGET,
    expected_turn,
    two_player_actions,
)

_ENOUGH = 30
"""Points at which `herder` stops: a little more than the best turn brings on average."""


@kernel
def _face(observation, position):
    """Returns the face 1 to 6 of a die, 0 for an eaten one."""
    for face in range(1, 7):
        if observation.dice[position, face - 1] == 1.0:
            return face
    return 0


@kernel
def _number_of(observation, face):
    """Counts the dice of a face in play."""
    count = 0
    for position in range(DICE):
        if _face(observation, position) == face:
            count += 1
    return count


@kernel
def _cheapest_meal(observation, mask):
    """Returns the action that feeds Rex the lowest face of those whose herds are smallest."""
    cheapest, meal = 1000, 0
    for kind in range(len(HERBIVORES)):
        if mask[EAT + kind]:
            face = HERBIVORES[kind]
            cost = face + 10 * (_number_of(observation, face) - 1)
            if cost < cheapest:
                cheapest, meal = cost, EAT + kind
    return meal


@kernel
def _greedy(observation, mask, stream, knowledge):
    """Takes the points that lie there; rolls all dice again if there are none."""
    if mask[STOP] == 0:
        return _cheapest_meal(observation, mask)
    if observation.stop_points[0] > 0.0:
        return STOP
    everything = 0
    for position in range(DICE):
        if _face(observation, position) != 0:
            everything |= 1 << position
    return _reroll_if_legal(mask, everything)


@kernel
def _herder(observation, mask, stream, knowledge):
    """Keeps herds and lone sixes and fives, rolls the rest; feeds Rex the cheapest lone die."""
    if mask[STOP] == 0:
        return _cheapest_meal(observation, mask)
    if round(observation.stop_points[0] * TURN_POINTS) >= _ENOUGH:
        return STOP
    chosen = 0
    for position in range(DICE):
        face = _face(observation, position)
        lone = _number_of(observation, face) == 1
        if face == REX or (0 < face < 5 and lone):
            chosen |= 1 << position
    return _reroll_if_legal(mask, chosen)


@kernel
def _reroll_if_legal(mask, chosen):
    """Returns the re-roll of the positions in a bit set, or stopping where there is none."""
    if chosen == 0 or mask[REROLL + chosen - 1] == 0:
        return STOP
    return REROLL + chosen - 1


@kernel
def _look_up(observation, mask, table, row):
    """Returns the action that a row of best actions (see `solver.best_actions`) names."""
    code = 0
    digit = 1
    eaten = 0
    for position in range(DICE):  # the lie has its eaten dice first
        if _face(observation, position) == 0:
            eaten += 1
    for place in range(DICE):
        code += digit * _face(observation, (place - eaten) % DICE)
        digit *= 7
    lie = int(LIE_OF_CODE[code])
    rerolls = 0
    for left in range(REROLLS + 1):
        if observation.rolls_left[left] == 1.0:
            rerolls = left
    if mask[STOP]:
        if rerolls == 0:
            return STOP
        if observation.five_rexes[0] == 1.0:
            lie = FIVE_REXES
        subset = int(table[row + (rerolls - 1) * CHOOSE_SIZE + lie])
        return STOP if subset == 0 else REROLL + subset - 1
    to_eat = 1
    while observation.to_eat[to_eat - 1] != 1.0:
        to_eat += 1
    meal = int(MEAL_NUMBER[lie, to_eat])
    return EAT + int(table[row + REROLLS * CHOOSE_SIZE + rerolls * MEAL_SIZE + meal])


@kernel
def _expected(observation, mask, stream, knowledge):
    return _look_up(observation, mask, knowledge, 0)


@kernel
def _optimal(observation, mask, stream, knowledge):
    # A game to fewer points is the end of a longer one: only what is missing counts.
    ahead = TARGET - round(observation.target[0] * GAME_POINTS)
    own = ahead + round(observation.score[0] * GAME_POINTS)
    other = ahead + round(observation.others[0] * GAME_POINTS)
    if observation.last_turns[0] == 1.0:
        turn = min(other - own, HOPELESS)
    else:
        turn = HOPELESS + 1 + own * TARGET + other
    return _look_up(observation, mask, knowledge, turn * ROW)


@cache
def _expected_knowledge() -> npt.NDArray[np.uint8]:
    return expected_turn()[1]


BOTS = {
    "greedy": Bot(_greedy, "takes the points of the first roll that has any"),
    "herder": Bot(_herder, "keeps herds, fives and sixes, and stops at 30 points"),
    "expected": Bot(
        _expected, "plays the turn with the most expected points, exactly", _expected_knowledge
    ),
    "optimal": Bot(
        _optimal,
        "plays the two-player game perfectly: the exact solution",
        two_player_actions,
        only={"num_players": (2,), "target": range(1, TARGET + 1), "tie": ("shared",)},
    ),
}
