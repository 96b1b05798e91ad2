"""Scripted players of Dino Days."""

from __future__ import annotations

import numpy as np

from dino_envs.engine.bot import Bot
from dino_envs.engine.kernel import kernel
from dino_envs.games.dino_days.cards import (
    DIPLODOCUS_FRONT,
    DIPLODOCUS_REAR,
    GIGANOTOSAURUS,
    KINDS,
    POINTS,
    WEEK,
)
from dino_envs.games.dino_days.effects import board_score, days_filled, effect
from dino_envs.games.dino_days.layout import (
    DRAW,
    FIRST_DISCARD,
    NO_KIND,
    TARGETS,
)
from dino_envs.games.dino_days.observation import HAND_CARDS

_AFTER_DISCARD = FIRST_DISCARD + len(KINDS)


@kernel
def _greedy(observation, mask, stream, knowledge):
    """Takes the most points over the mean of the others; draws if there are none to be had."""
    others = 0
    for place in range(1, observation.seated.shape[0]):
        others += int(observation.seated[place])
    best, chosen = -1000.0, 0
    for action in range(mask.shape[0]):
        if mask[action] == 0:
            continue
        if FIRST_DISCARD <= action < _AFTER_DISCARD:
            gain = -float(POINTS[action - FIRST_DISCARD])
        else:
            own, _, _, their, _ = effect(observation, action)
            gain = own - their / others
            if mask[DRAW] == 1 and action != DRAW and gain <= 0.0:
                continue
        if gain > best:
            best, chosen = gain, action
    return chosen


# What `appraiser` adds to the lead, in points. Found by an evolution strategy in games of two
# against `greedy` and against its own predecessors, then rounded to halves.

_AHEAD = np.array([-0.5, -1.0, -0.5, 1.0, 1.0, 1.5, 3.5])
"""The worth of having filled so many days when ahead [days]."""
_NOT_AHEAD = np.array([2.0, 1.0, 1.5, 2.0, 2.0, 1.0, 0.0])
"""The same when not ahead."""
_THEIRS = np.array([-1.0, 0.5, 0.0, -0.5, 0.0, -2.5, -10.5])
"""The worth of an opponent's having filled so many days [days]."""
_HELD = np.array(
    [9.5, 3.0, 3.5, 2.5, 4.5, 2.5, -0.5, -2.0, -1.0, -0.5, 6.0, -3.5, 2.5, 2.0, 1.0, 0.5, 5.0]
)
"""The worth of a card in the hand [kind]."""
_DRAWN = np.array([1.0, 2.5, 3.0, 3.0, 3.5, 2.0, 1.0, 0.5])
"""The worth of one more card in a hand of so many [cards, 7 for more]."""
_AT_RISK = np.array([-0.5, 1.5, 0.5, 1.0, 0.5, 1.0, 4.5])
"""What ten own points on so many days [days] lose while an opponent's giganotosaurus is known."""
_WON = 1000.0


@kernel
def _appraisal(observation, action):
    """Returns what the position after an action is worth, in points."""
    own, own_days, board, their, their_days = effect(observation, action)
    score = board_score(observation, 0) + own
    filled = days_filled(observation, 0) + own_days
    best, most_filled, threatened = -100, 0, False
    for other in range(1, observation.seated.shape[0]):
        if observation.seated[other] == 1.0:
            changed = int(other == board)
            best = max(best, board_score(observation, other) + changed * their)
            days = days_filled(observation, other) + changed * their_days
            most_filled = max(most_filled, days)
            threatened |= observation.known[other, GIGANOTOSAURUS] > 0.0
    lead = score - best
    if max(filled, most_filled) == WEEK:
        return _WON if lead > 0 else -_WON - (lead < 0)
    worth = lead + (_AHEAD[filled] if lead > 0 else _NOT_AHEAD[filled]) + _THEIRS[most_filled]
    if threatened:
        worth -= _AT_RISK[filled] * score / 10.0
    return worth + _hand_gain(observation, action)


@kernel
def _hand_gain(observation, action):
    """Returns what an action changes in the worth of the hand."""
    if action == DRAW:
        return _DRAWN[min(round(observation.hand_size[0] * HAND_CARDS), _DRAWN.shape[0] - 1)]
    if FIRST_DISCARD <= action < _AFTER_DISCARD:
        return -_HELD[action - FIRST_DISCARD]
    kind = TARGETS[action, 0]
    if kind == NO_KIND:
        return 0.0
    if kind == DIPLODOCUS_FRONT:
        return -_HELD[DIPLODOCUS_FRONT] - _HELD[DIPLODOCUS_REAR]
    return -_HELD[kind]


@kernel
def _appraiser(observation, mask, stream, knowledge):
    """Plays for the best position after the action."""
    best, chosen = -1e9, 0
    for action in range(mask.shape[0]):
        if mask[action] == 1:
            worth = _appraisal(observation, action)
            if worth > best:
                best, chosen = worth, action
    return chosen


BOTS = {
    "greedy": Bot(
        _greedy, "takes the most points over the others that one action brings, or draws"
    ),
    "appraiser": Bot(
        _appraiser, "weighs lead, filled days and the cards it keeps after each possible action"
    ),
}
