"""Scripted players of Dino Days."""

from __future__ import annotations

from dino_envs.engine.bot import Bot
from dino_envs.engine.kernel import kernel
from dino_envs.games.dino_days.cards import KINDS, POINTS
from dino_envs.games.dino_days.effects import effect
from dino_envs.games.dino_days.rules import ACTIONS, DRAW

_DISCARD = ACTIONS.start("discard")


@kernel
def _players(observation):
    """Returns how many seats play."""
    players = 0
    for place in range(observation.seated.shape[0]):
        players += int(observation.seated[place])
    return players


@kernel
def _greedy(observation, mask, stream, knowledge):
    """Plays for the most points over the mean of the others, at once; draws if none is to be had."""
    others = _players(observation) - 1
    best, chosen = -1000.0, 0
    for action in range(mask.shape[0]):
        if mask[action] == 0:
            continue
        own, _, _, their, _ = effect(observation, action)
        gain = own - their / others
        if action >= _DISCARD and action < _DISCARD + len(KINDS):
            gain = -float(POINTS[action - _DISCARD])
        elif action != DRAW and mask[DRAW] == 1 and gain <= 0.0:
            continue
        if gain > best:
            best, chosen = gain, action
    return chosen


BOTS = {
    "greedy": Bot(
        _greedy, "takes the most points over the others that one action brings, or draws"
    ),
}
