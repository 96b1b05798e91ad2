"""What happens to the stacks of a board in Dino Days."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.games.dino_days.cards import DIPLODOCUS_FRONT, DIPLODOCUS_REAR, WEEK


@kernel
def put(state, seat, day, kind):
    """Puts a card on top of a day."""
    state.boards[seat, day, state.height[seat, day]] = kind
    state.height[seat, day] += 1


@kernel
def lift(state, seat, day, depth):
    """Takes the card at a depth (0 on top) out of a stack and returns its kind."""
    last = state.height[seat, day] - 1
    kind = int(state.boards[seat, day, last - depth])
    for level in range(last - depth, last):
        state.boards[seat, day, level] = state.boards[seat, day, level + 1]
    state.boards[seat, day, last] = 0
    state.height[seat, day] = last
    return kind


@kernel
def remove(state, seat, day, depth):
    """Discards the card at a depth of a day, if there is one; a diplodocus goes as a whole."""
    if day < 0 or day >= WEEK or state.height[seat, day] == 0:
        return
    kind = lift(state, seat, day, depth)
    state.discards[kind] += 1
    if kind == DIPLODOCUS_FRONT:
        state.discards[lift(state, seat, day + 1, 0)] += 1
    elif kind == DIPLODOCUS_REAR:
        state.discards[lift(state, seat, day - 1, 0)] += 1


@kernel
def top(state, seat, day):
    """Returns the kind on top of an occupied day."""
    return int(state.boards[seat, day, state.height[seat, day] - 1])


@kernel
def clear(state, seat):
    """Discards everything that lies on a board."""
    for day in range(WEEK):
        while state.height[seat, day] > 0:
            state.discards[lift(state, seat, day, 0)] += 1
