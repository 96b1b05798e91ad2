"""What a game of Dino Days consists of: its actions, phases and state. Quotes: the rulebook's."""

from __future__ import annotations

import numpy as np

from dino_envs.engine.layout import ActionTable, state_dtype
from dino_envs.games.dino_days.cards import (
    BARYONYX,
    DILOPHOSAURUS,
    DIPLODOCUS_FRONT,
    GIGANOTOSAURUS,
    KINDS,
    METEOR,
    MICRORAPTOR,
    PTERANODON,
    SCIENTIST,
    SPINOSAURUS,
    STEGOSAURUS,
    SWAPS,
    TRICERATOPS,
    TYRANNOSAURUS,
    WEEK,
)

MAX_PLAYERS = 4
MAX_DECK = 60
"""The most cards of one deck; there are two for three and four players."""
MAX_STACK = 8
"""The most cards on one day: no microraptor lands on top of eight. Assumed."""

START_CARDS = 4
"""Cards dealt to each player beside a giganotosaurus."""
HOARD = 5
""""everyone must immediately discard to a hand of 5"."""
FEW_DISCARDS = 3
"""Fewer discards than this to shuffle bring the rule against hoarding."""
LOOKED_AT = 3
""""Draw three cards and keep two of them"."""

NO_KIND = -1

CHOOSE, OWN_CARD, THEIR_CARD, REMOVE, OWN_DAY, RETURN, DISCARD = range(7)
"""What is decided: the action of the turn; which card of the own and of the other stack are
swapped; which card of a stack the meteor hits; where a stolen dinosaur goes; which card of three
the scientist returns; which card is discarded so that the deck can be shuffled."""
PHASES = ("choose", "own_card", "their_card", "remove", "own_day", "return", "discard")

ACTIONS = ActionTable(
    draw=1,
    giganotosaurus=MAX_PLAYERS * WEEK,
    diplodocus=WEEK - 1,
    tyrannosaurus=MAX_PLAYERS * WEEK,
    spinosaurus=(MAX_PLAYERS - 1) * WEEK,
    dilophosaurus=WEEK - 1,
    triceratops=1,
    pteranodon=3,
    stegosaurus=3,
    baryonyx=WEEK,
    microraptor=MAX_PLAYERS * WEEK,
    scientist=1,
    nest=(MAX_PLAYERS - 1) * 2,
    volcano=(MAX_PLAYERS - 1) * 2,
    skeleton=(MAX_PLAYERS - 1) * 2,
    eggs=MAX_PLAYERS - 1,
    meteor=MAX_PLAYERS * WEEK,
    own_card=MAX_STACK,
    their_card=MAX_STACK,
    remove=MAX_STACK,
    own_day=WEEK,
    discard=len(KINDS),
    **{"pass": 1},
)


def _targets() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Returns what each action of a turn plays [action, (kind, board, day)].

    Boards count from the player's own, 0; an action that plays no card has the kind NO_KIND.
    """
    table = np.full((ACTIONS.size, 3), NO_KIND)

    def block(name: str, kind: int, boards: range, days: range) -> None:
        first = ACTIONS.start(name)
        for board in boards:
            for day in days:
                index = (board - boards[0]) * len(days) + day - days[0]
                table[first + index] = kind, board, day

    own, any_board, opponents = range(1), range(MAX_PLAYERS), range(1, MAX_PLAYERS)
    block("giganotosaurus", GIGANOTOSAURUS, any_board, range(WEEK))
    block("diplodocus", DIPLODOCUS_FRONT, own, range(WEEK - 1))
    block("tyrannosaurus", TYRANNOSAURUS, any_board, range(WEEK))
    block("spinosaurus", SPINOSAURUS, opponents, range(WEEK))
    block("dilophosaurus", DILOPHOSAURUS, own, range(1, WEEK))
    block("triceratops", TRICERATOPS, own, range(6, 7))
    block("pteranodon", PTERANODON, own, range(3))
    block("stegosaurus", STEGOSAURUS, own, range(3, 6))
    block("baryonyx", BARYONYX, own, range(WEEK))
    block("microraptor", MICRORAPTOR, any_board, range(WEEK))
    block("scientist", SCIENTIST, own, range(1))
    block("meteor", METEOR, any_board, range(WEEK))
    for kind, (first_day, days) in SWAPS.items():
        block(KINDS[kind], kind, opponents, range(first_day, first_day + days))
    return table


TARGETS = _targets()

DRAW = ACTIONS.start("draw")
PASS = ACTIONS.start("pass")
FIRST_OWN_CARD = ACTIONS.start("own_card")
FIRST_THEIR_CARD = ACTIONS.start("their_card")
FIRST_REMOVE = ACTIONS.start("remove")
FIRST_OWN_DAY = ACTIONS.start("own_day")
FIRST_DISCARD = ACTIONS.start("discard")
"""The first actions of the choices that cards bring."""

STATE = state_dtype(
    MAX_PLAYERS,
    [
        ("max_turns", np.int32),
        ("turns", np.int32),  # turns finished, all seats together
        ("pile_size", np.int16),
        ("hand_size", np.int16, (MAX_PLAYERS,)),
        ("deck", np.int8, (len(KINDS),)),  # the option: cards of one deck, by kind
        ("active", np.int8),  # whose turn it is; others may have to discard in between
        ("phase", np.int8),
        ("playing", np.int8),  # the kind that lies on the table until its choices are made
        ("target", np.int8),  # the seat it is played on
        ("day", np.int8),
        ("picked", np.int8),  # which card of the own stack is swapped, 0 on top
        ("to_draw", np.int8),
        ("drawn", np.int8, (len(KINDS),)),  # looked at by the scientist, by kind
        ("pile", np.int8, (2 * MAX_DECK,)),  # kinds; the last one is drawn next
        ("discards", np.int16, (len(KINDS),)),
        ("hidden", np.int16, (len(KINDS),)),  # in the pile, in hands and among the drawn
        ("hands", np.int8, (MAX_PLAYERS, len(KINDS))),
        ("known", np.int8, (MAX_PLAYERS, len(KINDS))),  # what all know to be in a hand, at least
        ("boards", np.int8, (MAX_PLAYERS, WEEK, MAX_STACK)),  # kinds, from the bottom
        ("height", np.int8, (MAX_PLAYERS, WEEK)),
    ],
)
