"""What a seat cannot know in Dino Days, drawn anew."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.engine.stream import shuffle
from dino_envs.games.dino_days.cards import KINDS
from dino_envs.games.dino_days.rules import take_from_pile


@kernel
def redeal(state, seat, seed):
    """Draws anew the pile, and of the other hands and drawn cards all that is not known.

    Every arrangement of the cards that the seat cannot place is equally likely. They are counted
    from what is public, so that of two positions that look alike to the seat the same seed makes
    the same one.
    """
    state.stream[0] = seed
    drawn = 0
    if seat != state.active:
        for kind in range(len(KINDS)):
            drawn += int(state.drawn[kind])
            state.drawn[kind] = 0
    size = 0
    for kind in range(len(KINDS)):
        unknown = state.hidden[kind] - state.drawn[kind]
        for other in range(state.num_players):
            if other != seat:
                state.hands[other, kind] = state.known[other, kind]
            unknown -= state.hands[other, kind]
        for _ in range(unknown):
            state.pile[size] = kind
            size += 1
    state.pile_size = size
    shuffle(state.stream, state.pile, size)
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
