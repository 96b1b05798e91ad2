"""Scripted players of T-Rex's Holiday."""

from __future__ import annotations

from dino_envs.engine.bot import Bot
from dino_envs.engine.kernel import kernel
from dino_envs.games.trex_holiday.layout import (
    ACTION_OF_DECLINE,
    ACTION_OF_FILL,
    ACTION_OF_HIDE,
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
    plain_weights,
    shade_gain,
    tuned_weights,
    written,
)

_PLAIN = plain_weights()
_TUNED = tuned_weights()


@kernel
def _best(observation, mask, weights):
    """Plays the action after which the sheet is worth most."""
    if observation.phase[HIDE] == 1.0:
        return _best_to_hide(observation, mask, weights)
    best, chosen = -1e9, 0
    for action in range(mask.shape[0]):
        if mask[action] == 0:
            continue
        if action == ACTION_OF_DECLINE:
            gain = 0.0
        elif action < FIRST_SHADE[0]:
            number, target = divmod(action - ACTION_OF_FILL, TARGETS)
            gain = fill_gain(observation, weights, target, number + 1)
        else:
            gain = _gain_of_shade(observation, weights, action)
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
def _best_gain(observation, weights, number, is_trex):
    """Returns what a die brings at the best place it can go to; 0 where it can go nowhere."""
    best, found = -1e9, False
    for target in range(TARGETS):
        if is_trex and observation.rooms[ROOM_OF_TARGET[target], number - 1] == 0.0:
            continue
        if _is_open(observation, target):
            best, found = max(best, fill_gain(observation, weights, target, number)), True
    return best if found else 0.0


@kernel
def _best_to_hide(observation, mask, weights):
    """Hides the die that is worth least more as a revealed one than as the T-Rex die."""
    least, chosen = 1e9, 0
    for face in range(FACES):
        if mask[ACTION_OF_HIDE + face] == 1:
            revealed = _best_gain(observation, weights, face + 1, False)
            loss = revealed - _best_gain(observation, weights, face + 1, True)
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
