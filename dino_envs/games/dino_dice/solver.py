"""Solves Dino Dice exactly: the best turn in points, and the whole game of two.

A turn is a walk over *lies*: what lies on the table after a roll, as five values sorted ascending,
each a face 1 to 6 or 0 for an eaten die. There are 462 of them, and one more for five Rexes of one
roll. A *throw* is a lie in which some dice are still in the air (value 7). Given what it is worth
to end a turn with 0, 1, ... 75 points, `solve_turn` finds the value of every lie with no, one and
two re-rolls left.

The game of two is solved by value iteration on V(own, other): the chance (a tie counts half) of the
seat that starts a turn with these scores while nobody has reached the target. A last turn depends
on the missing points alone. A turn can end with 0 points, so V(a, b) and V(b, a) depend on each
other: such a pair is iterated to its fixed point. Pairs are taken by falling sum.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dino_envs.engine.disk import cached_table
from dino_envs.engine.kernel import kernel
from dino_envs.games.dino_dice import rules
from dino_envs.games.dino_dice.rules import (
    DICE,
    HERBIVORES,
    HERD_OF_FIVE,
    REROLLS,
    REX,
    herd_points,
)

TARGET = 150
"""The target that is solved: the rulebook's."""
WORTHS = HERD_OF_FIVE + 1
"""A turn ends with 0 to 75 points."""
HOPELESS = HERD_OF_FIVE + 1
"""In a last turn more missing points than a turn can bring are all the same."""

_EATEN, _IN_AIR = 0, DICE + 2
_KINDS = len(HERBIVORES)
_NEVER = -1.0
_CLOSE = 1e-13

LIES = list(combinations_with_replacement(range(_IN_AIR), DICE))
FIVE_REXES = len(LIES)
"""The lie of five Rexes thrown in one roll, after all the others."""


def _code(lie: tuple[int, ...]) -> int:
    return sum(value * _IN_AIR**place for place, value in enumerate(lie))


LIE_OF_CODE = np.full(_IN_AIR**DICE, -1, np.int16)
"""The number of a lie, by its values read as digits of base 7, the first the lowest."""
for _number, _lie in enumerate(LIES):
    LIE_OF_CODE[_code(_lie)] = _number


def _is_choice(lie: tuple[int, ...], meals: int) -> bool:
    herbivores = [value for value in lie if value not in (_EATEN, REX)]
    return meals <= lie.count(REX) and meals < len(herbivores) and len(set(herbivores)) > 1


MEAL_NUMBER = np.full((FIVE_REXES, DICE), -1, np.int16)
"""The number of each position in which the player chooses who is eaten: [lie, to_eat]."""
_choices = [(n, m) for n, lie in enumerate(LIES) for m in range(1, DICE) if _is_choice(lie, m)]
for _number, (_lie_number, _meals) in enumerate(_choices):
    MEAL_NUMBER[_lie_number, _meals] = _number

CHOOSE_SIZE = FIVE_REXES + 1
MEAL_SIZE = len(_choices)
ROW = REROLLS * CHOOSE_SIZE + (REROLLS + 1) * MEAL_SIZE
"""Bytes of one turn's best actions: what to re-roll, then whom to eat, see `best_actions`."""


class Graph(NamedTuple):
    """How lies and throws follow each other. -1: there is none."""

    points: Any
    """int32 [lies]: points of stopping."""
    rexes: Any
    """int32 [throws]: Rexes lying."""
    rerolls: Any
    """int32 [lies, 31]: the throw after re-rolling subset number i + 1."""
    meals: Any
    """int32 [lies, 5]: the lie after one herbivore of a kind is eaten."""
    landings: Any
    """int32 [throws, 6]: the throw after one die lands on face 1 to 6."""
    throws: Any
    """int32: the throws that are no lies, those with fewer dice in the air first."""
    number_of_lie: Any
    """int32 [throws]: the lie of a throw with no dice in the air."""


def _points(lie: tuple[int, ...]) -> int:
    return sum(int(herd_points(f, lie.count(f))) for f in HERBIVORES if f in lie)


def _reroll(lie: tuple[int, ...], subset: int) -> tuple[int, ...] | None:
    """Returns the throw after re-rolling positions of the dice in play, in the rules' order."""
    in_play = [value for value in lie if value != _EATEN]
    if subset >= 1 << len(in_play):
        return None
    chosen = [subset >> position & 1 for position in range(len(in_play))]
    for left, right in zip(range(DICE), range(1, len(in_play)), strict=False):
        if in_play[left] == in_play[right] and chosen[right] > chosen[left]:
            return None
    lying = [_IN_AIR if roll else value for roll, value in zip(chosen, in_play, strict=True)]
    return tuple(sorted([_EATEN] * lie.count(_EATEN) + lying))


def _replaced(lie: tuple[int, ...], old: int, new: int) -> tuple[int, ...]:
    left = list(lie)
    left.remove(old)
    return tuple(sorted([*left, new]))


@cache
def graph() -> Graph:
    """Builds the graph of one turn."""
    throws = list(combinations_with_replacement(range(_IN_AIR + 1), DICE))
    number = {throw: i for i, throw in enumerate(throws)}
    lie_number = {lie: i for i, lie in enumerate(LIES)}
    all_lies = [*LIES, (REX,) * DICE]
    rerolls = np.full((len(all_lies), 2**DICE - 1), -1, np.int32)
    meals = np.full((len(all_lies), _KINDS), -1, np.int32)
    for i, lie in enumerate(all_lies):
        for subset in range(1, 2**DICE):
            throw = _reroll(lie, subset)
            if throw is not None:
                rerolls[i, subset - 1] = number[throw]
        for kind, face in enumerate(HERBIVORES):
            if face in lie:
                meals[i, kind] = lie_number[_replaced(lie, face, _EATEN)]
    landings = np.full((len(throws), 6), -1, np.int32)
    for i, throw in enumerate(throws):
        if _IN_AIR in throw:
            landings[i] = [number[_replaced(throw, _IN_AIR, face)] for face in range(1, 7)]
    in_air = sorted((t for t in throws if _IN_AIR in t), key=lambda t: t.count(_IN_AIR))
    return Graph(
        points=np.array([*map(_points, LIES), HERD_OF_FIVE], np.int32),
        rexes=np.array([throw.count(REX) for throw in throws], np.int32),
        rerolls=rerolls,
        meals=meals,
        landings=landings,
        throws=np.array([number[throw] for throw in in_air], np.int32),
        number_of_lie=np.array([lie_number.get(throw, -1) for throw in throws], np.int32),
    )


class Values(NamedTuple):
    """The value of everything in one turn, by re-rolls left (filled by `solve_turn`)."""

    choose: Any
    """float64 [3, lies]: a lie with nothing to be eaten."""
    eating: Any
    """float64 [3, lies, 6]: a lie in which 0 to 5 herbivores are still to be eaten."""
    throw: Any
    """float64 [3, throws, 6]: a throw whose landed dice brought 0 to 5 new Rexes."""


def new_values() -> Values:
    """Returns room for the values of a turn."""
    levels, throws = REROLLS + 1, len(graph().rexes)
    return Values(
        np.zeros((levels, CHOOSE_SIZE)),
        np.zeros((levels, CHOOSE_SIZE, DICE + 1)),
        np.zeros((levels, throws, DICE + 1)),
    )


@kernel
def solve_turn(worth, graph, values):
    """Fills the values of a turn that pays worth[points], float64 [76]; returns its start's."""
    for rerolls in range(REROLLS + 1):
        value_lies(worth, graph, values, rerolls)
        value_meals(graph, values, rerolls)
        value_throws(graph, values, rerolls)
    start = graph.throws[graph.throws.shape[0] - 1]  # all five dice in the air
    return values.throw[REROLLS, start, 0]


@kernel
def value_lies(worth, graph, values, rerolls):
    """Values stopping against every re-roll."""
    for lie in range(graph.points.shape[0]):
        best = worth[graph.points[lie]]
        if rerolls > 0:
            for subset in range(graph.rerolls.shape[1]):
                throw = graph.rerolls[lie, subset]
                if throw >= 0:
                    best = max(best, values.throw[rerolls - 1, throw, 0])
        values.choose[rerolls, lie] = best


@kernel
def value_meals(graph, values, rerolls):
    """Values the best choice of who is eaten; where no herbivore is left, nobody is."""
    for to_eat in range(DICE + 1):
        for lie in range(graph.points.shape[0]):
            best = _NEVER
            if to_eat > 0:
                for kind in range(graph.meals.shape[1]):
                    left = graph.meals[lie, kind]
                    if left >= 0:
                        best = max(best, values.eating[rerolls, left, to_eat - 1])
            if best == _NEVER:
                best = values.choose[rerolls, lie]
            values.eating[rerolls, lie, to_eat] = best


@kernel
def value_throws(graph, values, rerolls):
    """Values the dice in the air: the mean over the six faces of one die after the other."""
    for throw in range(graph.number_of_lie.shape[0]):
        lie = graph.number_of_lie[throw]
        if lie >= 0:
            for new in range(graph.rexes[throw] + 1):
                values.throw[rerolls, throw, new] = values.eating[rerolls, lie, new]
            if graph.rexes[throw] == DICE:
                values.throw[rerolls, throw, DICE] = values.choose[rerolls, FIVE_REXES]
    for i in range(graph.throws.shape[0]):
        throw = graph.throws[i]
        for new in range(graph.rexes[throw] + 1):
            total = 0.0
            for face in range(1, 7):
                rexes = new + 1 if face == REX else new
                total += values.throw[rerolls, graph.landings[throw, face - 1], rexes]
            values.throw[rerolls, throw, new] = total / 6.0


@kernel
def best_actions(worth, graph, values, row):
    """Writes the best actions of a solved turn into uint8 [ROW].

    First [2, lies]: with one and two re-rolls left, 0 to stop or the subset to re-roll. Then
    [3, meals]: with no, one and two re-rolls left, the kind of herbivore to be eaten.
    """
    for rerolls in range(1, REROLLS + 1):
        for lie in range(CHOOSE_SIZE):
            best, action = worth[graph.points[lie]], 0
            for subset in range(graph.rerolls.shape[1]):
                throw = graph.rerolls[lie, subset]
                if throw >= 0 and values.throw[rerolls - 1, throw, 0] > best + _CLOSE:
                    best, action = values.throw[rerolls - 1, throw, 0], subset + 1
            row[(rerolls - 1) * CHOOSE_SIZE + lie] = action
    for lie in range(FIVE_REXES):
        for to_eat in range(1, DICE):
            number = MEAL_NUMBER[lie, to_eat]
            if number < 0:
                continue
            for rerolls in range(REROLLS + 1):
                best, action = _NEVER, 0
                for kind in range(graph.meals.shape[1]):
                    left = graph.meals[lie, kind]
                    if left >= 0 and values.eating[rerolls, left, to_eat - 1] > best + _CLOSE:
                        best, action = values.eating[rerolls, left, to_eat - 1], kind
                row[REROLLS * CHOOSE_SIZE + rerolls * MEAL_SIZE + number] = action


@kernel
def last_turn_worth(missing, worth):
    """Writes what points are worth in a last turn that ties with `missing` points."""
    for points in range(WORTHS):
        if points > missing:
            worth[points] = 1.0
        elif points == missing:
            worth[points] = 0.5
        else:
            worth[points] = 0.0


@kernel
def turn_worth(own, other, last_turn, start, worth):
    """Writes what points are worth to the seat at (own, other), from the values found so far."""
    for points in range(WORTHS):
        reached = own + points
        if reached >= TARGET:
            worth[points] = 1.0 - last_turn[min(reached - other, HOPELESS)]
        else:
            worth[points] = 1.0 - start[other, reached]


@kernel
def solve_pair(own, other, graph, values, worth, last_turn, start, rows):
    """Solves the turns at (own, other) and (other, own), which depend on each other."""
    change = 1.0
    while change > 0.0:
        change = 0.0
        for turn in range(2):
            a, b = (own, other) if turn == 0 else (other, own)
            turn_worth(a, b, last_turn, start, worth)
            value = solve_turn(worth, graph, values)
            change = max(change, abs(value - start[a, b]))
            start[a, b] = value
            if change <= _CLOSE:
                best_actions(worth, graph, values, rows[HOPELESS + 1 + a * TARGET + b])
                if turn == 1:
                    return


@kernel
def solve_game(graph, values, worth, last_turn, start, rows):
    """Solves the game of two: `last_turn` [77], `start` [150, 150] and the best actions, `rows`.

    Row m is the last turn with m missing points (76: more), row 77 + 150 a + b the turn at (a, b).
    """
    for missing in range(HOPELESS + 1):
        last_turn_worth(missing, worth)
        last_turn[missing] = solve_turn(worth, graph, values)
        best_actions(worth, graph, values, rows[missing])
    for total in range(2 * TARGET - 2, -1, -1):
        for own in range(max(0, total - TARGET + 1), total // 2 + 1):
            solve_pair(own, total - own, graph, values, worth, last_turn, start, rows)


class Solution(NamedTuple):
    """The solved game of two."""

    last_turn: npt.NDArray[np.float64]
    """[77]: the chance of a last turn by missing points."""
    start: npt.NDArray[np.float64]
    """[150, 150]: the chance of the seat that starts a turn, by its own and the other's score."""
    rows: npt.NDArray[np.uint8]
    """[77 + 22500, ROW]: the best actions."""


@cache
def solve_two_players() -> Solution:
    """Solves the game of two players (about ten seconds)."""
    last_turn, start = np.zeros(HOPELESS + 1), np.full((TARGET, TARGET), 0.5)
    rows = np.zeros((HOPELESS + 1 + TARGET * TARGET, ROW), np.uint8)
    solve_game(graph(), new_values(), np.zeros(WORTHS), last_turn, start, rows)
    return Solution(last_turn, start, rows)


@cache
def two_player_actions() -> npt.NDArray[np.uint8]:
    """Returns the best actions of the game of two, flat uint8, from the disk if solved before."""

    def solve() -> npt.NDArray[np.uint8]:
        return solve_two_players().rows

    sources = [rules.__file__, __file__]
    shape = (HOPELESS + 1 + TARGET * TARGET, ROW)
    return cached_table("dino_dice-two_players", sources, shape, np.uint8, solve).reshape(-1)


@cache
def two_player_values() -> npt.NDArray[np.float64]:
    """Returns `last_turn`, then `start` flat, float64 [77 + 22500], as `two_player_actions`."""

    def solve() -> npt.NDArray[np.float64]:
        solution = solve_two_players()
        return np.concatenate([solution.last_turn, solution.start.reshape(-1)])

    sources = [rules.__file__, __file__]
    shape = (HOPELESS + 1 + TARGET * TARGET,)
    return cached_table("dino_dice-two_player_values", sources, shape, np.float64, solve)


def expected_turn() -> tuple[float, npt.NDArray[np.uint8]]:
    """Returns the expected points of the best turn, and its best actions [ROW]."""
    values, row = new_values(), np.zeros(ROW, np.uint8)
    worth = np.arange(WORTHS, dtype=np.float64)
    points = float(solve_turn(worth, graph(), values))
    best_actions(worth, graph(), values, row)
    return points, row
