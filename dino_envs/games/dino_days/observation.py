"""What one seat sees in Dino Days: all boards and discards, but only its own hand."""

from __future__ import annotations

import numpy as np

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import Field, ObservationLayout
from dino_envs.games.dino_days.cards import DINOSAURS, KINDS, POINTS, SCIENTIST, WEEK
from dino_envs.games.dino_days.layout import (
    LOOKED_AT,
    MAX_DECK,
    MAX_PLAYERS,
    MAX_STACK,
    PHASES,
    THEIR_CARD,
)
from dino_envs.games.dino_days.legal import at_table

CARD_POINTS = 12.0
"""The unit of one card's points: the best card."""
BOARD_POINTS = 20.0
"""The unit of a board's points: about half of a good week."""
SOME_CARDS = 4.0
"""The unit of numbers of cards of one kind."""
HAND_CARDS = 8.0
"""The unit of hand sizes."""
PILE_CARDS = 30.0
"""The unit of pile sizes: a pile of two players after the deal."""
_CARDS = 2 * MAX_DECK
_BEST_BOARD = 70.0
_LEAD_FROM, _LEAD_WIDTH, _LEAD_STEPS = -15, 3, 10
_BEHIND, _LEVEL, _AHEAD = 0, 1, 2

_SOME = np.float32(1 / SOME_CARDS)
_POINTS = POINTS / CARD_POINTS
_RANKS = np.array([(DINOSAURS - kind) / DINOSAURS for kind in range(DINOSAURS)])
"""The code of each dinosaur [kind]: 1 for the giganotosaurus, down to 1/11 for the microraptor."""

OBSERVATION = ObservationLayout(
    Field("phase", (len(PHASES),), 0, 1, f"what is decided, one-hot: {', '.join(PHASES)}"),
    Field(
        "mover",
        (MAX_PLAYERS,),
        0,
        1,
        "who decides, one-hot; 0 is this seat, 1 the next",
        first_seat=0,
    ),
    Field("active", (MAX_PLAYERS,), 0, 1, "whose turn it is, one-hot", first_seat=0),
    Field("playing", (len(KINDS),), 0, 1, "the card that lies on the table, one-hot by kind"),
    Field(
        "target",
        (MAX_PLAYERS, WEEK),
        0,
        1,
        "the board and day it is played on, one-hot",
        first_seat=0,
    ),
    Field("picked", (MAX_STACK,), 0, 1, "the card picked of the active stack, one-hot, 0 on top"),
    Field("hand", (len(KINDS),), 0, _CARDS / SOME_CARDS, "cards in the own hand, by kind / 4"),
    Field("held", (len(KINDS),), 0, 1, "which kinds are in the own hand"),
    Field("drawn", (len(KINDS),), 0, 1, "the three cards the own scientist looked at, by kind / 3"),
    Field(
        "top",
        (MAX_PLAYERS, WEEK, DINOSAURS),
        0,
        1,
        "the dinosaur on top of each day, one-hot",
        first_seat=0,
    ),
    Field(
        "beneath",
        (MAX_PLAYERS, WEEK, MAX_STACK - 1),
        0,
        1,
        "the cards beneath it, from above: (11 - kind) / 11, or 0 for none",
        first_seat=0,
    ),
    Field("points", (MAX_PLAYERS, WEEK), 0, 1, "points of the card on top / 12", first_seat=0),
    Field(
        "revealed", (MAX_PLAYERS, WEEK), 0, 1, "points of the card beneath it / 12", first_seat=0
    ),
    Field("empty", (MAX_PLAYERS, WEEK), 0, 1, "which days are empty", first_seat=0),
    Field(
        "to_fill",
        (MAX_PLAYERS, WEEK),
        0,
        1,
        "1 empty day or more, 2 or more, ... 7, per board",
        first_seat=0,
    ),
    Field(
        "score",
        (MAX_PLAYERS,),
        0,
        _BEST_BOARD / BOARD_POINTS,
        "points of each board / 20",
        first_seat=0,
    ),
    Field("seated", (MAX_PLAYERS,), 0, 1, "which seats play", first_seat=0),
    Field(
        "hand_size", (MAX_PLAYERS,), 0, _CARDS / HAND_CARDS, "cards in each hand / 8", first_seat=0
    ),
    Field(
        "known",
        (MAX_PLAYERS, len(KINDS)),
        0,
        _CARDS / SOME_CARDS,
        "cards that all players know to be in each hand, by kind / 4",
        first_seat=0,
    ),
    Field("discards", (len(KINDS),), 0, _CARDS / SOME_CARDS, "cards in the discards, by kind / 4"),
    Field(
        "unseen",
        (len(KINDS),),
        0,
        _CARDS / SOME_CARDS,
        "cards that are in the pile or unknown in other hands, by kind / 4",
    ),
    Field("pile_size", (1,), 0, _CARDS / PILE_CARDS, "cards in the pile / 30"),
    Field("lead", (1,), -3.5, 3.5, "own points less the best other's / 20"),
    Field("lead_ramp", (_LEAD_STEPS,), 0, 1, "`lead` as a ramp from -15 points in steps of 3"),
    Field("standing", (3,), 0, 1, "behind, level with, ahead of the best other, one-hot"),
    Field("turns_left", (1,), 0, 1, "share of the turns left before the cap"),
)


@kernel
def observe(state, seat, observation):
    """Writes the view from `seat`: boards and hands in seat order from here, its own first."""
    observe_decision(state, seat, observation)
    best = 0
    for place in range(state.num_players):
        owner = at_table(state, seat, place)
        observe_board(state, owner, place, observation)
        observation.seated[place] = 1.0
        observation.hand_size[place] = state.hand_size[owner] / HAND_CARDS
        observation.score[place] = state.score[owner] / BOARD_POINTS
        if place > 0:
            best = max(best, state.score[owner])
    observe_cards(state, seat, observation)
    observe_lead(state.score[seat] - best, observation)
    cap = state.max_turns * state.num_players
    observation.turns_left[0] = (cap - state.turns) / cap


@kernel
def place_of(state, seat, other):
    """Returns how many places after a seat another one sits."""
    place = other - seat
    return place + state.num_players if place < 0 else place


@kernel
def observe_decision(state, seat, observation):
    """Writes who decides what, with what lies on the table."""
    observation.phase[state.phase] = 1.0
    observation.mover[place_of(state, seat, state.current_player)] = 1.0
    observation.active[place_of(state, seat, state.active)] = 1.0
    if state.playing < 0:
        return
    observation.playing[state.playing] = 1.0
    if state.playing != SCIENTIST:
        observation.target[place_of(state, seat, state.target), state.day] = 1.0
    if state.phase == THEIR_CARD:
        observation.picked[state.picked] = 1.0


@kernel
def observe_board(state, owner, place, observation):
    """Writes one board, with whole stacks; without a branch on which days are empty."""
    empty_days = 0
    for day in range(WEEK):
        height = int(state.height[owner, day])
        occupied = int(height > 0)
        kind = state.boards[owner, day, height - occupied]
        observation.top[place, day, kind] = occupied
        observation.points[place, day] = _POINTS[kind] * occupied
        observation.empty[place, day] = 1 - occupied
        empty_days += 1 - occupied
        if height > 1:
            observe_beneath(state, owner, place, day, observation)
    for day in range(WEEK):
        observation.to_fill[place, day] = int(empty_days > day)


@kernel
def observe_beneath(state, owner, place, day, observation):
    """Writes the cards beneath the top of a stack."""
    height = int(state.height[owner, day])
    observation.revealed[place, day] = _POINTS[state.boards[owner, day, height - 2]]
    for depth in range(1, height):
        kind = state.boards[owner, day, height - 1 - depth]
        observation.beneath[place, day, depth - 1] = _RANKS[kind]


@kernel
def observe_cards(state, seat, observation):
    """Writes the own hand, what is known of the others, the discards and what is unseen."""
    for kind in range(len(KINDS)):
        own = state.hands[seat, kind]
        observation.hand[kind] = own * _SOME
        observation.held[kind] = min(own, 1)
        observation.discards[kind] = state.discards[kind] * _SOME
        observation.unseen[kind] = (state.hidden[kind] - own) * _SOME
    for kind in range(len(KINDS)):
        observation.known[0, kind] = state.known[seat, kind] * _SOME
    for place in range(1, state.num_players):
        other = at_table(state, seat, place)
        for kind in range(len(KINDS)):
            known = state.known[other, kind] * _SOME
            observation.known[place, kind] = known
            observation.unseen[kind] -= known
    if state.playing == SCIENTIST and seat == state.active:
        for kind in range(len(KINDS)):
            observation.drawn[kind] = state.drawn[kind] / LOOKED_AT
            observation.unseen[kind] -= state.drawn[kind] * _SOME
    observation.pile_size[0] = state.pile_size / PILE_CARDS


@kernel
def observe_lead(lead, observation):
    """Writes how far this seat is ahead of the best other."""
    observation.lead[0] = lead / BOARD_POINTS
    observation.standing[_AHEAD if lead > 0 else (_LEVEL if lead == 0 else _BEHIND)] = 1.0
    climbed = (lead - _LEAD_FROM) / _LEAD_WIDTH
    for i in range(_LEAD_STEPS):
        observation.lead_ramp[i] = min(max(climbed - i, 0.0), 1.0)
