"""Scripted players of On a Scale of One to T-Rex."""

from __future__ import annotations

from dino_envs.engine.bot import Bot
from dino_envs.engine.kernel import kernel
from dino_envs.engine.stream import below
from dino_envs.games.scale_of_trex.deck import COLOURS, EXACT_TOKENS, LEVELS, PENALTY
from dino_envs.games.scale_of_trex.guess import acts, chances, looks, own_value, steady
from dino_envs.games.scale_of_trex.layout import (
    FIRST_CALL,
    FIRST_OFFER,
    FIRST_SWAP,
    MATCH,
    MAX_PLAYERS,
    NO_MATCH,
    SKIP,
    WITHDRAW,
)
from dino_envs.games.scale_of_trex.observation import MOST_SIGNALS

_NOBODY = -1
_GO_ON = -1

# --- What all of them do -----------------------------------------------------------------------


@kernel
def _forced(observation, value):
    """Returns the act of who must swap or begin to perform, else _GO_ON.

    They swap away the action that looks the least clear, and perform what the card says.
    """
    if observation.swaps[0] == 1.0:
        worst = 0
        for colour in range(1, len(COLOURS)):
            if observation.sigma[colour] > observation.sigma[worst]:
                worst = colour
        return FIRST_SWAP + worst
    for level in range(LEVELS):
        if observation.level[level] == 1.0:
            return _GO_ON
    return value - 1


@kernel
def _watched(observation):
    """Returns for how many ticks the own card has been performed, at most 20."""
    return round(observation.watched[0] * MOST_SIGNALS)


@kernel
def _offer(observation, mask, row, value):
    """Offers the card to a player, or none to _NOBODY; goes on performing if that stands."""
    if row == _NOBODY:
        return WITHDRAW if mask[WITHDRAW] == 1 else value - 1
    return FIRST_OFFER + row if mask[FIRST_OFFER + row] == 1 else value - 1


@kernel
def _call(observation, mask, call, value):
    """Makes a call; goes on performing if it stands."""
    action = FIRST_CALL + call - MATCH
    return action if mask[action] == 1 else value - 1


@kernel
def _their_call(observation):
    """Returns what the other one of two calls, 0 for nothing."""
    for call in range(MATCH, NO_MATCH + 1):
        if observation.their_call[call - MATCH] == 1.0:
            return call
    return 0


# --- blind -------------------------------------------------------------------------------------


@kernel
def _blind(observation, mask, stream, knowledge):
    value = own_value(observation)
    act = _forced(observation, value)
    if act != _GO_ON:
        return act
    if observation.together[0] == 1.0:
        return _call(observation, mask, NO_MATCH, value)
    others = 0
    for row in range(MAX_PLAYERS - 1):
        others += int(observation.seated[row])
        if observation.offers[row, 0] == 1.0:
            return _offer(observation, mask, row, value)
    if mask[WITHDRAW] == 1:
        return value - 1
    return _offer(observation, mask, below(stream, others), value)


# --- honest ------------------------------------------------------------------------------------

_SEEN_ENOUGH = 3
_NEAR, _NEAR_ENOUGH = 1.0, 1.5
"""Who looks this close is offered the card, or answered."""
_PATIENCE = 10
"""Ticks after which a card that nobody seems to match is skipped."""
_SEEN_BY_TWO, _YIELDS_AFTER, _YIELDS = 6, 12, 4
"""Two players call after so many ticks; after so many they give in, one time in so many."""


@kernel
def _honest(observation, mask, stream, knowledge):
    value = own_value(observation)
    act = _forced(observation, value)
    if act != _GO_ON:
        return act
    if observation.together[0] == 1.0:
        return _honest_call(observation, mask, stream, value)
    best, nearest = _NOBODY, _NEAR_ENOUGH
    for row in range(MAX_PLAYERS - 1):
        if not acts(observation, row):
            continue
        gap = abs(looks(observation, row) - value)
        asked = observation.offers[row, 0] == 1.0
        if round(observation.signals[row] * MOST_SIGNALS) < _SEEN_ENOUGH:
            continue
        if gap > _NEAR and not asked:
            continue
        if gap <= nearest and steady(observation, row):
            best, nearest = row, gap
    if best == _NOBODY and _watched(observation) >= _PATIENCE:
        return SKIP
    return _offer(observation, mask, best, value)


@kernel
def _honest_call(observation, mask, stream, value):
    """Calls by what the other one looks like, and gives in at times when they disagree for long."""
    watched = _watched(observation)
    if not acts(observation, 0) or watched < _SEEN_BY_TWO:
        return value - 1
    theirs = _their_call(observation)
    if theirs != 0 and watched >= _YIELDS_AFTER and below(stream, _YIELDS) == 0:
        return _call(observation, mask, theirs, value)
    if watched >= _YIELDS_AFTER and mask[WITHDRAW] == 1:
        return value - 1
    near = abs(looks(observation, 0) - value) <= _NEAR_ENOUGH
    return _call(observation, mask, MATCH if near else NO_MATCH, value)


# --- bayes -------------------------------------------------------------------------------------

_WORTH_OFFERING, _WORTH_ANSWERING = 0.3, 0.1
"""Points expected of a match from which on the card is offered, or an offer answered."""
_HOPELESS = 4
"""Ticks after which a card is skipped if no match is worth offering."""


@kernel
def _points(observation, row, value):
    """Returns the points that a match with another player is expected to bring."""
    exact, near = chances(observation, row, value)
    return EXACT_TOKENS * exact + near - PENALTY * (1.0 - exact - near)


@kernel
def _bayes(observation, mask, stream, knowledge):
    value = own_value(observation)
    act = _forced(observation, value)
    if act != _GO_ON:
        return act
    if observation.together[0] == 1.0:
        return _bayes_call(observation, mask, value)
    best, most = _NOBODY, -10.0
    for row in range(MAX_PLAYERS - 1):
        if not acts(observation, row) or not steady(observation, row):
            continue
        points = _points(observation, row, value)
        asked = observation.offers[row, 0] == 1.0
        if points < (_WORTH_ANSWERING if asked else _WORTH_OFFERING):
            continue
        if asked:
            points += 1.0
        if points > most:
            best, most = row, points
    if best == _NOBODY and _watched(observation) >= _HOPELESS:
        return SKIP
    return _offer(observation, mask, best, value)


_THEIR_CALL = 6.0
"""By how much the other one's call changes the odds."""
_SURE, _LESS_SURE = 0.99, 0.02
"""How sure who calls must be at first, and by how much less each tick."""


@kernel
def _bayes_call(observation, mask, value):
    """Calls when sure enough, which takes the less the longer the cards have been performed."""
    if not acts(observation, 0):
        return value - 1
    exact, near = chances(observation, 0, value)
    chance = exact + near
    theirs = _their_call(observation)
    if theirs != 0:
        odds = chance / (1.0 - chance + 1e-9)
        odds *= _THEIR_CALL if theirs == MATCH else 1.0 / _THEIR_CALL
        chance = odds / (1.0 + odds)
    sure = max(_SURE - _LESS_SURE * _watched(observation), 0.5)
    if chance >= sure:
        return _call(observation, mask, MATCH, value)
    if 1.0 - chance >= sure:
        return _call(observation, mask, NO_MATCH, value)
    return WITHDRAW if mask[WITHDRAW] == 1 else value - 1


# --- oracle ------------------------------------------------------------------------------------


@kernel
def _oracle(observation, mask, stream, knowledge):
    value = own_value(observation)
    act = _forced(observation, value)
    if act != _GO_ON:
        return act
    best, nearest = _NOBODY, 2.0
    for row in range(MAX_PLAYERS - 1):
        for level in range(LEVELS):
            if observation.card[row, level] == 0.0:
                continue
            gap = abs(level + 1.0 - value)
            if observation.offers[row, 0] == 1.0:
                gap -= 0.5
            if gap < nearest:
                best, nearest = row, gap
    if observation.together[0] == 1.0:
        return _call(observation, mask, MATCH if best != _NOBODY else NO_MATCH, value)
    if best == _NOBODY:
        return SKIP
    return _offer(observation, mask, best, value)


BOTS = {
    "blind": Bot(_blind, "performs its card and offers it without looking at anybody"),
    "honest": Bot(_honest, "performs its card and takes what it sees of others for what they have"),
    "bayes": Bot(_bayes, "reckons by Bayes' rule what others have, and what a match would bring"),
    "oracle": Bot(_oracle, "sees all number cards; for reference", only={"cards": ("open",)}),
}
