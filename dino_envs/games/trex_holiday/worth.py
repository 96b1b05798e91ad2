"""What a sheet is worth to a scripted player: its points, and what they may still become.

Every part of a sheet is weighed by itself: `weights` [WEIGHTS] says how much of an area's points it
has while spaces are missing, what a row of cars is worth by its last number and length, and so on.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dino_envs.engine.kernel import kernel
from dino_envs.games.trex_holiday.layout import CANS_TARGET, STREAMER_TARGET
from dino_envs.games.trex_holiday.sheet import (
    BENEATH,
    CAN_POINTS,
    CANS,
    CAR_POINTS,
    CARS,
    FACES,
    FIRST_PLACE,
    FIRST_ROW,
    FIRST_SET,
    MAX_AREA,
    MAX_STREAMER,
    STREAMER,
)

_BOX, _BISCUIT = BENEATH.index("box"), BENEATH.index("biscuit")
_MEAN_FACE = (1 + FACES) / 2

# The parts of the weights.
PURE = 0
"""Share of an area's points while so many spaces are free and all numbers are alike [free]."""
MIXED = PURE + MAX_AREA + 1
"""The same while one number is in the way that a biscuit could shade [free]."""
DUMP = MIXED + MAX_AREA + 1
"""Points a free space of a lost area is worth: something can be put there without harm."""
EMPTY = DUMP + 1
"""The number that an empty area is expected to be filled with."""
ROW = EMPTY + 1
"""Points an open row of cars is worth [filled boxes, last number]."""
CLOSED = ROW + (CARS + 1) * (FACES + 1)
"""Points a row closed by a violation is worth more than it has, while a biscuit could open it
[filled boxes]."""
SET = CLOSED + CARS + 1
"""Factor of what an open set of cans is worth by its sum."""
LATER_SET = SET + 1
"""Points an empty set of cans is worth."""
CARP = LATER_SET + 1
"""Share of the boxes and biscuits ahead in the streamer that will be reached [last number]."""
TREAT = CARP + FACES + 1
"""Points a biscuit is worth."""
WEIGHTS = TREAT + 1


def plain_weights() -> npt.NDArray[np.float64]:
    """Returns weights by simple reckoning: a wanted number comes with a chance of 0.7."""
    comes = 0.7
    weights = np.zeros(WEIGHTS)
    weights[PURE : PURE + MAX_AREA + 1] = 0.8 ** np.arange(MAX_AREA + 1)
    weights[MIXED : MIXED + MAX_AREA + 1] = 0.35 * 0.8 ** np.arange(MAX_AREA + 1)
    weights[DUMP] = 0.2
    weights[EMPTY] = 4.0
    worth = np.zeros((CARS + 1, FACES + 1))
    for filled in range(CARS, -1, -1):
        for last in range(FACES, -1, -1):
            stays = CAR_POINTS[filled] if last else 0
            if filled == CARS or last == FACES:
                worth[filled, last] = stays
                continue
            goes_on = worth[filled + 1, last + 1]
            skips = worth[filled, last + 1] if last + 1 < FACES else stays
            worth[filled, last] = comes * goes_on + (1 - comes) * max(skips, stays)
    weights[ROW:CLOSED] = worth.ravel()
    weights[CLOSED : CLOSED + CARS + 1] = 1.0
    weights[SET], weights[LATER_SET] = 1.0, 2.0
    weights[CARP : CARP + FACES + 1] = 0.1 * np.arange(FACES + 1)
    weights[CARP] = 0.6
    weights[TREAT] = 2.0
    return weights


def tuned_weights() -> npt.NDArray[np.float64]:
    """Returns weights found by an evolution strategy that started at the plain ones.

    It raised the mean score of games played alone on the usual sheet, which has no area of five
    spaces: the last numbers of `pure` and `mixed` go on as those before.
    """
    pure = [1.10, 0.79, 0.54, 0.35, 0.13, 0.05]
    mixed = [0.33, 0.18, 0.08, 0.22, 0.11, 0.05]
    dump, empty = 0.53, 6.43
    row = [
        [5.66, 4.63, 4.62, 0.60, 1.63, -0.52, 0.62],
        [10.21, 7.79, 4.66, 3.77, 1.97, 1.63, 0.49],
        [14.08, 12.17, 8.87, 5.92, 4.50, 2.13, 0.56],
        [14.19, 13.82, 13.23, 11.54, 9.14, 5.13, 2.83],
        [15.02, 15.51, 14.52, 15.39, 14.38, 10.49, 5.90],
        [14.36, 15.53, 16.02, 15.67, 16.35, 15.68, 10.77],
        [0.39, 14.07, 15.07, 15.19, 14.92, 15.56, 15.40],
    ]
    closed = [1.08, 1.35, 1.41, 1.36, 1.96, 0.12, 2.02]
    open_set, later_set = 1.31, 2.22
    carp = [0.94, 0.06, 0.37, 0.58, 0.70, 0.73, 0.72]
    treat = 3.34
    rest = [*closed, open_set, later_set, *carp, treat]
    return np.array([*pure, *mixed, dump, empty, *(worth for line in row for worth in line), *rest])


def _set_worth() -> npt.NDArray[np.float64]:
    """Returns the expected points of a set [filled, sum], always the better of two faces taken."""
    worth = np.zeros((CANS + 1, CANS * FACES + 1))
    for total, points in CAN_POINTS.items():
        worth[CANS, total] = points
    for filled in range(CANS - 1, -1, -1):
        for total in range(FACES * filled + 1):
            following = sorted(worth[filled + 1, total + 1 : total + FACES + 1])
            best_of_two = [(2 * rank + 1) / FACES**2 for rank in range(FACES)]
            worth[filled, total] = float(np.dot(following, best_of_two))
    return worth


_SET_WORTH = _set_worth()


@kernel
def written(observation, place):
    """Returns the number at a place of the own sheet, negative if shaded, 0 for none."""
    return round(observation.numbers[place] * FACES)


@kernel
def size_of(observation, group):
    """Returns how many spaces a scoring area has."""
    if group < FIRST_ROW:
        return round(observation.area_size[group] * MAX_AREA)
    if group < FIRST_SET:
        return CARS
    if group < STREAMER:
        return CANS
    size = 0
    for i in range(MAX_STREAMER):
        for beneath in range(len(BENEATH)):
            size += int(observation.under[i, beneath])
    return size


@kernel
def group_worth(observation, weights, group, number, shaded):
    """Returns the worth of an area with `number` (or 0) written and a space (or -1) shaded."""
    if group < FIRST_ROW:
        return area_worth(observation, weights, group, number, shaded)
    if group < FIRST_SET:
        return row_worth(observation, weights, group, number, shaded)
    if group < STREAMER:
        return set_worth(observation, weights, group, number, shaded)
    return streamer_worth(observation, weights, number, shaded)


@kernel
def area_worth(observation, weights, group, number, shaded):
    """Returns the worth of a stack, post or cat house; see `group_worth`."""
    first, size = FIRST_PLACE[group], size_of(observation, group)
    one, ones, other, others, more, filled = 0, 0, 0, 0, 0, 0
    used = shaded >= 0
    for i in range(size):
        value = written(observation, first + i)
        if value == 0:
            value, number = number, 0
        if value == 0:
            break
        filled += 1
        if value < 0 or i == shaded:
            used = True
        elif one in (0, value):
            one = value
            ones += 1
        elif other in (0, value):
            other = value
            others += 1
        else:
            more += 1
    free = size - filled
    times = observation.area_times[group] * 5.0
    plus = observation.area_plus[group] * 5.0
    if one == 0:
        return (weights[EMPTY] * times + plus) * weights[PURE + free] if free > 0 else 0.0
    if other == 0:
        return (one * times + plus) * weights[PURE + free]
    if more == 0 and not used and min(ones, others) == 1:
        kept = max(one, other)
        if ones != others:
            kept = one if ones > others else other
        return (kept * times + plus) * weights[MIXED + free]
    return weights[DUMP] * free


@kernel
def row_worth(observation, weights, group, number, shaded):
    """Returns the worth of a row of cars; see `group_worth`."""
    first, last, position, filled = FIRST_PLACE[group], 0, 0, 0
    ordered, ended = True, False
    used = shaded >= 0
    for i in range(CARS):
        value = written(observation, first + i)
        if value == 0:
            value, number = number, 0
        if value == 0:
            break
        filled += 1
        ended = ended or abs(value) == FACES
        if value < 0 or i == shaded:
            used = True
        elif ordered and value > last:
            last, position = value, filled
        else:
            ordered = False
    points = float(CAR_POINTS[position])
    if ended or filled == CARS:
        return points
    if ordered:
        return max(points, weights[ROW + filled * (FACES + 1) + last])
    return points if used else points + weights[CLOSED + filled]


@kernel
def set_worth(observation, weights, group, number, shaded):
    """Returns the worth of a set of cans; see `group_worth`."""
    first, total, filled = FIRST_PLACE[group], 0, 0
    for i in range(CANS):
        value = written(observation, first + i)
        if value == 0:
            value, number = number, 0
        if value == 0:
            break
        filled += 1
        total += 0 if value < 0 or i == shaded else value
    if filled == 0:
        return weights[LATER_SET]
    if filled == CANS:
        return float(_SET_WORTH[CANS, total])
    return weights[SET] * _SET_WORTH[filled, total]


@kernel
def streamer_worth(observation, weights, number, shaded):
    """Returns the worth of the carp streamer; see `group_worth`."""
    first, last, filled, worth = FIRST_PLACE[STREAMER], 0, 0, 0.0
    ordered = True
    size = size_of(observation, STREAMER)
    for i in range(size):
        worth += observation.boxes[i] * FACES
        worth += observation.awaiting[i] * expected_trex(observation)
        value = written(observation, first + i)
        if value == 0 and number > 0:
            value, number = number, 0
            if ordered and (last == 0 or value < last) and observation.under[i, _BOX] == 1.0:
                worth += value if observation.exposed[0] == 1.0 else expected_trex(observation)
        if value == 0:
            break
        filled += 1
        if value > 0 and i != shaded:
            ordered = ordered and (last == 0 or value < last)
            last = value
    if not ordered:
        return worth
    share = weights[CARP + last]
    for i in range(filled, size):
        ahead = (
            observation.under[i, _BOX] * _MEAN_FACE
            + observation.under[i, _BISCUIT] * weights[TREAT]
        )
        worth += ahead * share
        share *= weights[CARP + FACES]
    return worth


@kernel
def expected_trex(observation):
    """Returns the T-Rex die, or its mean for who has not seen it."""
    for face in range(FACES):
        if observation.trex[face] == 1.0:
            return face + 1.0
    return _MEAN_FACE


@kernel
def brings_biscuit(observation, group, number):
    """Returns whether writing a number brings a biscuit."""
    if FIRST_ROW <= group < FIRST_SET:
        return number == FACES
    if group != STREAMER:
        return False
    first, last = FIRST_PLACE[STREAMER], 0
    for i in range(size_of(observation, STREAMER)):
        value = written(observation, first + i)
        if value == 0:
            return observation.under[i, _BISCUIT] == 1.0 and (last == 0 or number < last)
        last = value if value > 0 else last
    return False


@kernel
def group_of(observation, target):
    """Returns the scoring area that an open target writes into."""
    if target == STREAMER_TARGET:
        return STREAMER
    if target != CANS_TARGET:
        return target
    group = FIRST_SET
    while written(observation, FIRST_PLACE[group] + CANS - 1) != 0:
        group += 1
    return group


@kernel
def fill_gain(observation, weights, group, number, before):
    """Returns how much more than `before` an area is worth with a number written into it."""
    gain = group_worth(observation, weights, group, number, -1) - before
    return gain + weights[TREAT] if brings_biscuit(observation, group, number) else gain


@kernel
def shade_gain(observation, weights, group, i):
    """Returns how much more the sheet is worth with the number of the i-th space shaded."""
    gain = group_worth(observation, weights, group, 0, i)
    return gain - group_worth(observation, weights, group, 0, -1)
