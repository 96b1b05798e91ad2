"""What an action does to the boards, told from what a seat sees: foresight for scripted players."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.games.dino_days.cards import (
    DINOSAURS,
    DIPLODOCUS_FRONT,
    DIPLODOCUS_REAR,
    GIGANOTOSAURUS,
    METEOR,
    MICRORAPTOR,
    POINTS,
    SCIENTIST,
    SPINOSAURUS,
    TYRANNOSAURUS,
    WEEK,
)
from dino_envs.games.dino_days.layout import (
    FIRST_OWN_CARD,
    FIRST_REMOVE,
    FIRST_THEIR_CARD,
    MAX_STACK,
    NO_KIND,
    OWN_CARD,
    REMOVE,
    TARGETS,
    THEIR_CARD,
)
from dino_envs.games.dino_days.observation import BOARD_POINTS, CARD_POINTS

_ANY = -1


@kernel
def board_score(observation, board):
    """Returns the points of a board."""
    return round(observation.score[board] * BOARD_POINTS)


@kernel
def days_filled(observation, board):
    """Returns how many days of a board are occupied."""
    filled = WEEK
    for day in range(WEEK):
        filled -= int(observation.empty[board, day])
    return filled


@kernel
def top_points(observation, board, day):
    """Returns the points of the card on top of a day, 0 if it is empty."""
    return round(observation.points[board, day] * CARD_POINTS)


@kernel
def points_at(observation, board, day, depth):
    """Returns the points of the card at a depth of a stack (0 on top), or -1 if there is none."""
    if depth == 0:
        return top_points(observation, board, day)
    rank = round(observation.beneath[board, day, depth - 1] * DINOSAURS)
    return int(POINTS[DINOSAURS - rank]) if rank > 0 else -1


@kernel
def removal(observation, board, day):
    """Returns (points, days) that a board changes by when the top card of a day is removed."""
    if day < 0 or day >= WEEK or observation.empty[board, day] == 1.0:
        return 0, 0
    if (
        observation.top[board, day, DIPLODOCUS_FRONT] == 1.0
        or observation.top[board, day, DIPLODOCUS_REAR] == 1.0
    ):
        return -int(POINTS[DIPLODOCUS_FRONT]), -2
    beneath = points_at(observation, board, day, 1)
    if beneath < 0:
        return -top_points(observation, board, day), -1
    return beneath - top_points(observation, board, day), 0


@kernel
def placement(observation, kind, board, day):
    """Returns (points, days) that a board changes by when a dinosaur is placed on a day."""
    points = int(POINTS[kind])
    if kind == GIGANOTOSAURUS:
        return points - board_score(observation, board), 1 - days_filled(observation, board)
    if kind == MICRORAPTOR:
        return -top_points(observation, board, day), 0
    if kind == DIPLODOCUS_FRONT:
        return points, 2
    if kind == TYRANNOSAURUS:
        points_before, days_before = removal(observation, board, day - 1)
        points_after, days_after = removal(observation, board, day + 1)
        return points + points_before + points_after, 1 + days_before + days_after
    return points, 1


@kernel
def exchange(observation, board, day, own_depth, their_depth):
    """Returns (own points, their points) of the best swap; a depth of -1 is still to be chosen."""
    best_own, best_their = -100, 100
    for i in range(MAX_STACK):
        given = points_at(observation, 0, day, i)
        if given < 0:
            break
        if own_depth not in (_ANY, i):
            continue
        for j in range(MAX_STACK):
            taken = points_at(observation, board, day, j)
            if taken < 0:
                break
            if their_depth not in (_ANY, j):
                continue
            own = taken - given if i == 0 else 0
            their = given - taken if j == 0 else 0
            if own - their > best_own - best_their:
                best_own, best_their = own, their
    return best_own, best_their


@kernel
def strike(observation, board, day, depth):
    """Returns (points, days) that a board changes by when a meteor hits the card at a depth."""
    if depth > 0:
        return 0, 0
    return removal(observation, board, day)


@kernel
def _place_of_target(observation):
    """Returns (board, day) that the card on the table is played on."""
    for board in range(observation.target.shape[0]):
        for day in range(WEEK):
            if observation.target[board, day] == 1.0:
                return board, day
    return 0, 0


@kernel
def _picked(observation):
    """Returns which card of the own stack was picked for a swap."""
    for depth in range(MAX_STACK):
        if observation.picked[depth] == 1.0:
            return depth
    return 0


@kernel
def effect(observation, action):
    """Returns what a legal action changes: (own points, own days, board, its points, its days).

    `board` is the other board that the action changes, 0 if there is none. Choices that are still
    to be made count as made for the best change of points; draws and discards change nothing.
    """
    kind, board, day = TARGETS[action, 0], TARGETS[action, 1], TARGETS[action, 2]
    if kind != NO_KIND:
        return _effect_of_card(observation, kind, board, day)
    board, day = _place_of_target(observation)
    if observation.phase[OWN_CARD] == 1.0:
        own, their = exchange(observation, board, day, action - FIRST_OWN_CARD, _ANY)
        return own, 0, board, their, 0
    if observation.phase[THEIR_CARD] == 1.0:
        own, their = exchange(
            observation, board, day, _picked(observation), action - FIRST_THEIR_CARD
        )
        return own, 0, board, their, 0
    if observation.phase[REMOVE] == 1.0:
        points, days = strike(observation, board, day, action - FIRST_REMOVE)
        return _on_board(board, points, days)
    return 0, 0, 0, 0, 0


@kernel
def _on_board(board, points, days):
    """Returns the effect of a change to one board."""
    if board == 0:
        return points, days, 0, 0, 0
    return 0, 0, board, points, days


@kernel
def _effect_of_card(observation, kind, board, day):
    """Returns the effect of playing a card."""
    if kind == SCIENTIST:
        return 0, 0, 0, 0, 0
    if kind == SPINOSAURUS:
        stolen = top_points(observation, board, day)
        return stolen, 1, board, int(POINTS[SPINOSAURUS]) - stolen, 0
    if kind == METEOR:
        points, days = strike(observation, board, day, 0)
        return _on_board(board, points, days)
    if kind < DINOSAURS:
        points, days = placement(observation, kind, board, day)
        return _on_board(board, points, days)
    own, their = exchange(observation, board, day, _ANY, _ANY)
    return own, 0, board, their, 0
