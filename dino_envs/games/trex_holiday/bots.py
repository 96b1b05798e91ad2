"""Scripted players of T-Rex's Holiday."""

from __future__ import annotations

from dino_envs.engine.bot import Bot
from dino_envs.engine.kernel import kernel
from dino_envs.games.trex_holiday.layout import (
    ACTION_OF_DECLINE,
    ACTION_OF_FILL,
    ACTION_OF_HIDE,
    BISCUIT,
    FIRST_SHADE,
    HIDE,
    ROOM_OF_TARGET,
    TARGETS,
)
from dino_envs.games.trex_holiday.sheet import (
    CANS,
    FACES,
    FIRST_PLACE,
    FIRST_ROW,
    FIRST_SET,
    SETS,
    STREAMER,
)
from dino_envs.games.trex_holiday.worth import (
    fill_gain,
    group_of,
    group_worth,
    plain_weights,
    shade_gain,
    tuned_weights,
    written,
)

_PLAIN = plain_weights()
_TUNED = tuned_weights()
_NOWHERE = -1e9
"""Less than any gain."""


@kernel
def _best(observation, mask, weights):
    """Plays the action after which the sheet is worth most; of equal ones the first."""
    if observation.phase[HIDE] == 1.0:
        return _best_to_hide(observation, mask, weights)
    if observation.phase[BISCUIT] == 1.0:
        return _best_to_shade(observation, mask, weights)
    return _best_to_fill(observation, mask, weights)


@kernel
def _best_to_fill(observation, mask, weights):
    """Fills where that raises the worth of the sheet most."""
    best, chosen = _NOWHERE, 0
    for target in range(TARGETS):
        before, group = 0.0, -1
        for face in range(FACES):
            action = ACTION_OF_FILL + face * TARGETS + target
            if mask[action] == 0:
                continue
            if group < 0:
                group = group_of(observation, target)
                before = group_worth(observation, weights, group, 0, -1)
            gain = fill_gain(observation, weights, group, face + 1, before)
            if gain > best or (gain == best and action < chosen):
                best, chosen = gain, action
    return chosen


@kernel
def _best_to_shade(observation, mask, weights):
    """Shades the number without which the sheet is worth most, if it is worth more then."""
    best, chosen = _NOWHERE, 0
    for action in range(FIRST_SHADE[0], mask.shape[0]):
        if mask[action] == 0:
            continue
        gain = 0.0 if action == ACTION_OF_DECLINE else _gain_of_shade(observation, weights, action)
        if gain > best:
            best, chosen = gain, action
    return chosen


@kernel
def _gain_of_shade(observation, weights, action):
    """Returns what the action that shades a number brings."""
    group = 0
    while group < STREAMER and action >= FIRST_SHADE[group + 1]:
        group += 1
    index = action - FIRST_SHADE[group]
    if FIRST_ROW <= group < FIRST_SET or group == STREAMER:
        return shade_gain(observation, weights, group, index)
    i = 0
    while written(observation, FIRST_PLACE[group] + i) != index + 1:
        i += 1
    return shade_gain(observation, weights, group, i)


@kernel
def _is_open(observation, target):
    """Returns whether a number can be written into a target of the own sheet."""
    if target < FIRST_ROW:
        return observation.area_size[target] > 0.0 and observation.area_free[target, 0] == 0.0
    if target < FIRST_SET:
        return observation.cars_state[target - FIRST_ROW, 0] == 1.0
    if target == FIRST_SET:
        return written(observation, FIRST_PLACE[FIRST_SET + SETS - 1] + CANS - 1) == 0
    return observation.streamer_open[0] == 1.0


@kernel
def _loss_if_hidden(observation, weights, number):
    """Returns how much less a die brings at best as the T-Rex die than as a revealed one.

    Where it can go nowhere it brings 0.
    """
    revealed, hidden = _NOWHERE, _NOWHERE
    for target in range(TARGETS):
        if not _is_open(observation, target):
            continue
        group = group_of(observation, target)
        before = group_worth(observation, weights, group, 0, -1)
        gain = fill_gain(observation, weights, group, number, before)
        revealed = max(revealed, gain)
        if observation.rooms[ROOM_OF_TARGET[target], number - 1] == 1.0:
            hidden = max(hidden, gain)
    return _brought(revealed) - _brought(hidden)


@kernel
def _brought(gain):
    return 0.0 if gain == _NOWHERE else gain


@kernel
def _best_to_hide(observation, mask, weights):
    """Hides the die that is worth least more as a revealed one than as the T-Rex die."""
    least, chosen = 1e9, 0
    for face in range(FACES):
        if mask[ACTION_OF_HIDE + face] == 1:
            loss = _loss_if_hidden(observation, weights, face + 1)
            if loss < least:
                least, chosen = loss, ACTION_OF_HIDE + face
    return chosen


@kernel
def _greedy(observation, mask, stream, knowledge):
    return _best(observation, mask, _PLAIN)


@kernel
def _appraiser(observation, mask, stream, knowledge):
    return _best(observation, mask, _TUNED)


BOTS = {
    "greedy": Bot(_greedy, "raises the expected worth of its sheet most, by simple reckoning"),
    "appraiser": Bot(_appraiser, "does the same, with a finer sense of what spaces are worth"),
}
