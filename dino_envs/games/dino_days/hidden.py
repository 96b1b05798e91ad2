"""What a seat cannot know in Dino Days, drawn anew."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.engine.stream import shuffle
from dino_envs.games.dino_days.cards import KINDS
from dino_envs.games.dino_days.rules import take_from_pile


@kernel
def redeal(state, seat, seed):
    """Draws anew the pile, and of the other hands and drawn cards all that is not known.

    Every arrangement of the cards that the seat cannot place is equally likely.
    """
    state.stream[0] = seed
    size = int(state.pile_size)
    unknown = size
    for other in range(state.num_players):
        if other == seat:
            continue
        for kind in range(len(KINDS)):
            unknown = heap(
                state, kind, state.hands[other, kind] - state.known[other, kind], unknown
            )
            state.hands[other, kind] = state.known[other, kind]
    drawn = 0
    if seat != state.active:
        for kind in range(len(KINDS)):
            drawn += int(state.drawn[kind])
            unknown = heap(state, kind, state.drawn[kind], unknown)
            state.drawn[kind] = 0
    state.pile_size = unknown
    shuffle(state.stream, state.pile, unknown)
    for other in range(state.num_players):
        if other == seat:
            continue
        missing = int(state.hand_size[other])
        for kind in range(len(KINDS)):
            missing -= int(state.hands[other, kind])
        for _ in range(missing):
            state.hands[other, take_from_pile(state)] += 1
    for _ in range(drawn):
        state.drawn[take_from_pile(state)] += 1


@kernel
def heap(state, kind, count, size):
    """Puts cards of a kind behind the first `size` of the pile; returns how many lie there now."""
    for _ in range(count):
        state.pile[size] = kind
        size += 1
    return size
