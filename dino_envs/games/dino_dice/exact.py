"""Computes what a policy scores against perfect play in the game of two, over all throws.

A turn is followed forward: how likely is each throw, each lie and each decision of the policy, and
so how many points it brings. The game is followed from turn to turn over all pairs of scores. The
policy sees how many turns are left before the cap, so the same scores at another turn are another
position. Pairs of scores that are too unlikely are not played on: there the policy is given what
perfect play is worth, so it can be worse than computed, by no more than their chance, and never
better.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dino_envs.engine.exact import Exact, ExactScore, Policy
from dino_envs.engine.kernel import kernel
from dino_envs.games.dino_dice.observation import OBSERVATION, observe
from dino_envs.games.dino_dice.rules import (
    ACTIONS,
    DICE,
    EAT,
    REROLL,
    REROLLS,
    REX,
    STATE,
    STOP,
    TIES,
    legal_actions,
)
from dino_envs.games.dino_dice.solver import (
    CHOOSE_SIZE,
    FIVE_REXES,
    HOPELESS,
    LIES,
    MEAL_NUMBER,
    MEAL_SIZE,
    ROW,
    TARGET,
    WORTHS,
    graph,
    two_player_actions,
    two_player_values,
)

_TOGETHER = 512
"""Turns that are followed at a time."""
_ASKED = 1 << 12
"""Positions that the policy is asked at a time: few enough to stay in the processor's cache."""
_SHARE = 1 / 40
"""Of the tolerance, what a single turn may leave out."""
_NOTHING = 1e-13
"""A chance that is none."""

_IN_PLAY = np.array([DICE - lie.count(0) for lie in LIES] + [DICE], np.int8)
_DICE = np.array(
    [[*(value for value in lie if value), *[1] * lie.count(0)] for lie in LIES] + [[REX] * DICE],
    np.int8,
)
"""[lies, 5]: the dice of a lie in the rules' order; which ones are eaten is the same to all."""


class Turns(NamedTuple):
    """Where N turns start."""

    own: Any
    """int32 [N]: the score of the seat whose turn it is."""
    other: Any
    """int32 [N]."""
    turns: int
    """Turns finished before."""
    last: bool
    """Whether it is the last turn: the other has reached the target."""


Decide = Callable[[Turns, Any, Any, int, int], npt.NDArray[np.float64]]
"""decide(turns, which, lies, rerolls, to_eat): the chance of each action, float64 [K, A]."""


@kernel
def lay_out(state, turns, which, lies, rerolls, to_eat, records, masks):
    """Writes what the seat to move sees and may do; records [K] and masks int8 [K, A], zeroed."""
    for k in range(lies.shape[0]):
        for place in range(DICE):
            state[0].dice[place] = _DICE[lies[k], place]
        state[0].in_play = _IN_PLAY[lies[k]]
        state[0].rolls_left = rerolls
        state[0].to_eat = to_eat
        state[0].five_rexes = lies[k] == FIVE_REXES
        state[0].score[0] = turns.own[which[k]]
        state[0].score[1] = turns.other[which[k]]
        state[0].turns = turns.turns
        state[0].last_turns = turns.last
        observe(state[0], 0, records[k])
        legal_actions(state[0], masks[k])


@kernel
def land(graph, throw, eating):
    """Lets dice fall: from the chance of throws [N, throws, 6] to that of lies [N, lies, 6].

    The last axis counts the Rexes that the roll has brought, then the herbivores still to be eaten.
    """
    for i in range(throw.shape[0]):
        for place in range(graph.throws.shape[0] - 1, -1, -1):  # most dice in the air first
            number = graph.throws[place]
            for new in range(DICE + 1):
                chance = throw[i, number, new] / 6.0
                if chance > 0.0:
                    for face in range(1, 7):
                        rexes = new + 1 if face == REX else new
                        throw[i, graph.landings[number, face - 1], rexes] += chance
        for number in range(graph.number_of_lie.shape[0]):
            lie = graph.number_of_lie[number]
            if lie >= 0:
                for new in range(DICE):
                    eating[i, lie, new] += throw[i, number, new]
                eating[i, FIVE_REXES, 0] += throw[i, number, DICE]


@kernel
def eat_unasked(graph, to_eat, eating):
    """Lets Rex eat where the player has no choice."""
    for i in range(eating.shape[0]):
        for lie in range(FIVE_REXES):
            chance = eating[i, lie, to_eat]
            if chance > 0.0 and MEAL_NUMBER[lie, to_eat] < 0:
                left = -1
                for kind in range(graph.meals.shape[1]):
                    left = max(left, graph.meals[lie, kind])
                if left < 0:
                    eating[i, lie, 0] += chance
                else:
                    eating[i, left, to_eat - 1] += chance


@kernel
def eat_chosen(graph, to_eat, which, lies, chances, eating):
    """Lets Rex eat what the player chooses, with the chances of all actions float64 [K, A]."""
    for k in range(lies.shape[0]):
        for kind in range(graph.meals.shape[1]):
            left = graph.meals[lies[k], kind]
            if left >= 0:
                chance = eating[which[k], lies[k], to_eat] * chances[k, EAT + kind]
                eating[which[k], left, to_eat - 1] += chance


@kernel
def stop_or_roll(graph, which, lies, chances, eating, points, throw):
    """Adds to the chance of points [N, 76] or of the next roll's throws [N, throws, 6]."""
    for k in range(lies.shape[0]):
        i, lie = which[k], lies[k]
        chance = eating[i, lie, 0]
        points[i, graph.points[lie]] += chance * chances[k, STOP]
        for subset in range(graph.rerolls.shape[1]):
            number = graph.rerolls[lie, subset]
            if number >= 0:
                throw[i, number, 0] += chance * chances[k, REROLL + subset]


@kernel
def stop(graph, eating, points):
    """Adds what lies there after the last roll to the chance of points [N, 76]."""
    for i in range(eating.shape[0]):
        for lie in range(eating.shape[1]):
            points[i, graph.points[lie]] += eating[i, lie, 0]


def points_of_turns(decide: Decide, turns: Turns) -> npt.NDArray[np.float64]:
    """Returns the chance of 0 to 75 points in each of N turns, float64 [N, 76]."""
    parts = [
        _points_together(decide, turns._replace(own=turns.own[part], other=turns.other[part]))
        for first in range(0, len(turns.own), _TOGETHER)
        for part in [slice(first, first + _TOGETHER)]
    ]
    return np.concatenate([np.zeros((0, WORTHS)), *parts])


def _points_together(decide: Decide, turns: Turns) -> npt.NDArray[np.float64]:
    known, count = graph(), len(turns.own)
    points = np.zeros((count, WORTHS))
    throw = np.zeros((count, len(known.rexes), DICE + 1))
    throw[:, known.throws[-1], 0] = 1.0  # all five dice in the air
    for rerolls in range(REROLLS, -1, -1):
        eating = np.zeros((count, CHOOSE_SIZE, DICE + 1))
        land(known, throw, eating)
        for to_eat in range(DICE - 1, 0, -1):
            eat_unasked(known, to_eat, eating)
            asked = (eating[:, :FIVE_REXES, to_eat] > 0.0) & (MEAL_NUMBER[:, to_eat] >= 0)
            which, lies = np.nonzero(asked)
            if len(lies):
                chances = decide(turns, which, lies, rerolls, to_eat)
                eat_chosen(known, to_eat, which, lies, chances, eating)
        if rerolls == 0:
            stop(known, eating, points)
            break
        which, lies = np.nonzero(eating[:, :, 0] > 0.0)
        throw = np.zeros_like(throw)
        chances = decide(turns, which, lies, rerolls, 0)
        stop_or_roll(known, which, lies, chances, eating, points, throw)
    return points


class _Asked:
    """Decides as a policy does that is asked in every position."""

    def __init__(
        self, policy: Policy, options: Mapping[str, Any], progress: Callable[[int], None]
    ) -> None:
        self._policy, self._progress, self.positions = policy, progress, 0
        self._state = np.zeros(1, STATE)
        for name in ("num_players", "target", "max_turns"):
            self._state[name] = options[name]
        self._state["tie"] = TIES.index(options["tie"])

    def __call__(
        self, turns: Turns, which: Any, lies: Any, rerolls: int, to_eat: int
    ) -> npt.NDArray[np.float64]:
        parts = [np.zeros((0, ACTIONS.size))]
        for first in range(0, len(lies), _ASKED):
            part = slice(first, first + _ASKED)
            count = len(lies[part])
            records = np.zeros(count, OBSERVATION.dtype)
            masks = np.zeros((count, ACTIONS.size), np.int8)
            where = (turns, which[part], lies[part], rerolls, to_eat)
            lay_out(self._state, *where, records, masks)
            seen = records.view(np.float32).reshape(count, OBSERVATION.size)
            parts.append(self._policy(seen, masks))
            self._progress(count)
        self.positions += len(lies)
        return np.concatenate(parts)


class _Perfect:
    """Decides as the solution does, of which a game to fewer points is the end."""

    def __init__(self, target: int) -> None:
        self._ahead = TARGET - target
        self._rows = two_player_actions().reshape(-1, ROW)

    def __call__(
        self, turns: Turns, which: Any, lies: Any, rerolls: int, to_eat: int
    ) -> npt.NDArray[np.float64]:
        rows = HOPELESS + 1 + (turns.own + self._ahead) * TARGET + turns.other + self._ahead
        if to_eat:
            places = REROLLS * CHOOSE_SIZE + rerolls * MEAL_SIZE + MEAL_NUMBER[lies, to_eat]
            actions = EAT + self._rows[rows[which], places].astype(np.int64)
        else:
            places = (rerolls - 1) * CHOOSE_SIZE + lies
            subsets = self._rows[rows[which], places].astype(np.int64)
            actions = np.where(subsets == 0, STOP, REROLL + subsets - 1)
        chances = np.zeros((len(lies), ACTIONS.size))
        chances[np.arange(len(lies)), actions] = 1.0
        return chances


class _Followed:
    """The games of one seat against perfect play, followed from turn to turn.

    Scores beyond the target are counted from it: `beyond` 0 to 75.
    """

    def __init__(self, asked: _Asked, options: Mapping[str, Any], tolerance: float) -> None:
        self._asked = asked
        self._target, self._most_turns = options["target"], options["max_turns"]
        self._budget = max(tolerance * _SHARE, _NOTHING)
        values, ahead = two_player_values(), TARGET - self._target
        self._last_turn = values[: HOPELESS + 1]
        self.start = values[HOPELESS + 1 :].reshape(TARGET, TARGET)[ahead:, ahead:]
        own, other = np.indices(self.start.shape, np.int32).reshape(2, -1)
        perfect = points_of_turns(_Perfect(self._target), Turns(own, other, 0, False))
        self._perfect = perfect.reshape(self._target, self._target, WORTHS)

    def score(self, seat: int) -> tuple[float, float]:
        """Returns the policy's score from a seat, and the chance of what was left out."""
        self._score = self._left_out = 0.0
        chance = np.zeros((self._target, self._target))  # by the mover's score and the other's
        chance[0, 0] = 1.0
        for turn in range(self._most_turns):
            mine = turn % 2 == seat
            following, beyond = self._turn(turn, chance, mine)
            if turn + 1 == self._most_turns:  # cut: scored as it stands
                self._stop(following, beyond, mine)
                break
            self._last(turn + 1, beyond, not mine)
            chance = following
            if not chance.any():
                break
        return self._score, self._left_out

    def _turn(self, turn: int, chance: Any, mine: bool) -> tuple[Any, Any]:
        """Plays a turn of everybody's; returns chances [other, own] and [other, beyond]."""
        if mine:
            chance = self._likely(chance, self.start)
        own, other = np.nonzero(chance)
        if mine:
            points = points_of_turns(self._asked, _starts(own, other, turn, False))
        else:
            points = self._perfect[own, other]
        reached = own[:, None] + np.arange(WORTHS)
        places = other[:, None] * (self._target + WORTHS) + reached
        weights = chance[own, other][:, None] * points
        size = self._target * (self._target + WORTHS)
        after = np.bincount(places.ravel(), weights.ravel(), size)
        after = after.reshape(self._target, self._target + WORTHS)
        return after[:, : self._target], after[:, self._target :]

    def _last(self, turn: int, beyond: Any, mine: bool) -> None:
        """Plays the last turns from chances [own, beyond] to the end."""
        own, other = np.indices(beyond.shape)
        missing = np.minimum(self._target + other - own, HOPELESS)
        worth = self._last_turn[missing]
        if not mine:
            self._score += float((beyond * (1.0 - worth)).sum())
            return
        beyond = self._likely(beyond, worth)
        own, other = np.nonzero(beyond)
        other = other + self._target
        points = points_of_turns(self._asked, _starts(own, other, turn, True))
        lead = own[:, None] + np.arange(WORTHS) - other[:, None]
        won = (points * np.heaviside(lead, 0.5)).sum(axis=1)
        self._score += float((beyond[own, other - self._target] * won).sum())

    def _likely(self, chance: Any, worth: Any) -> Any:
        """Leaves out the least likely places; the policy is given what they are worth."""
        flat = chance.ravel()
        order = np.argsort(flat, kind="stable")
        unlikely = order[: np.searchsorted(np.cumsum(flat[order]), self._budget, "right")]
        given = float((flat[unlikely] * worth.ravel()[unlikely]).sum())
        self._score += given
        self._left_out += given
        kept = flat.copy()
        kept[unlikely] = 0.0
        return kept.reshape(chance.shape)

    def _stop(self, following: Any, beyond: Any, mine: bool) -> None:
        """Scores games [other, own] and [other, beyond] in which no turn is left."""
        after = np.concatenate([following, beyond], axis=1)
        other, own = np.indices(after.shape)
        lead = np.heaviside(own - other, 0.5)
        self._score += float((after * (lead if mine else 1.0 - lead)).sum())


def _starts(own: Any, other: Any, turn: int, last: bool) -> Turns:
    return Turns(own.astype(np.int32), other.astype(np.int32), turn, last)


def compute(
    policy: Policy,
    options: Mapping[str, Any],
    tolerance: float,
    progress: Callable[[int], None],
) -> ExactScore:
    """Computes what a policy scores against perfect play; see `Exact`."""
    asked = _Asked(policy, options, progress)
    followed = _Followed(asked, options, tolerance)
    (first, left_out), (second, also) = followed.score(0), followed.score(1)
    begins = float(followed.start[0, 0])
    return ExactScore(
        by_seat=(first, second),
        perfect=(begins, 1.0 - begins),
        uncertainty=(left_out + also) / 2,
        positions=asked.positions,
    )


EXACT = Exact(
    against="optimal",
    compute=compute,
    only={
        "num_players": (2,),
        "target": range(1, TARGET + 1),
        "tie": ("shared",),
        "max_turns": range(100, 100_001),  # the solution knows no cap: it must be out of reach
    },
)
