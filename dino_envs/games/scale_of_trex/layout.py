"""What a game of On a Scale of One to T-Rex consists of: its actions and state."""

from __future__ import annotations

import numpy as np

from dino_envs.engine.layout import ActionTable, state_dtype
from dino_envs.games.scale_of_trex.deck import (
    COLOURS,
    KINDS,
    LEVELS,
    MAX_ACTION_CARDS,
    NUMBER_KINDS,
)

MAX_PLAYERS = 8
CARDS_SHOWN = ("hidden", "open")
HIDDEN, OPEN = range(2)

NO_CALL, MATCH, NO_MATCH = range(3)
CALLS = ("match", "no_match")

ACTIONS = ActionTable(
    perform=LEVELS,
    offer=MAX_PLAYERS - 1,
    withdraw=1,
    skip=1,
    swap=len(COLOURS),
    call=len(CALLS),
)
"""An offer goes to the player so many places further; calls belong to the game of two."""
N_ACTIONS = ACTIONS.size
FIRST_OFFER = ACTIONS.start("offer")
WITHDRAW = ACTIONS.start("withdraw")
SKIP = ACTIONS.start("skip")
FIRST_SWAP = ACTIONS.start("swap")
FIRST_CALL = ACTIONS.start("call")

NOBODY = -1

STATE = state_dtype(
    MAX_PLAYERS,
    [
        # The statistics of a seat's signals: those of its present card, and those of all revealed
        # ones, each less the card's value. Signals in hundredths, variances in hundredths too.
        ("total", np.int32, (MAX_PLAYERS,)),
        ("unrest", np.int32, (MAX_PLAYERS,)),  # changes from signal to signal, of all cards
        ("unrest_sigma", np.int32, (MAX_PLAYERS,)),  # the sum of sigmas there
        ("variance", np.int32, (MAX_PLAYERS,)),
        ("calibration", np.int32, (MAX_PLAYERS,)),
        ("calibration_variance", np.int32, (MAX_PLAYERS,)),
        ("pile_of_actions", np.int32, (len(COLOURS),)),  # bit sets of action cards not turned up
        ("max_ticks", np.int16),
        ("tick", np.int16),  # finished ones
        ("signal", np.int16, (MAX_PLAYERS,)),  # the last one on the present card
        ("signals", np.int16, (MAX_PLAYERS,)),
        ("levels", np.int32, (MAX_PLAYERS,)),  # the sum of the levels performed there
        ("changes", np.int16, (MAX_PLAYERS,)),  # how many these are
        ("calibrated", np.int16, (MAX_PLAYERS,)),
        ("drift", np.int32, (MAX_PLAYERS,)),  # levels performed less values, of revealed cards
        ("good", np.int16, (MAX_PLAYERS,)),  # tokens taken
        ("bad", np.int16, (MAX_PLAYERS,)),
        ("pile", np.int16, (KINDS,)),  # the draw pile, by kind
        ("discards", np.int16, (KINDS,)),  # the face-up ones
        ("copies", np.int8),
        ("swap_cards", np.int8),
        ("any_swaps", np.int8),
        ("action_cards", np.int8),
        ("bias_range", np.int8),
        ("sigma_low", np.int8),
        ("sigma_high", np.int8),
        ("cards", np.int8),
        ("lost", np.int8),  # the two players have called it wrong
        ("good_pile", np.int8),
        ("bad_pile", np.int8),
        ("acts", np.int8, (MAX_PLAYERS,)),  # committed in this tick, NOBODY where there is none yet
        ("hand", np.int8, (MAX_PLAYERS,)),  # the kind of each seat's card
        ("level", np.int8, (MAX_PLAYERS,)),  # performed, 0 for none yet with this card
        ("offer", np.int8, (MAX_PLAYERS,)),  # to which seat
        ("call", np.int8, (MAX_PLAYERS,)),
        ("bias", np.int8, (MAX_PLAYERS,)),
        ("skipped", np.int8, (MAX_PLAYERS, NUMBER_KINDS)),  # face-down discards, by who knows them
        ("in_play", np.int8, (len(COLOURS),)),  # the action cards
        ("sigma", np.int8, (len(COLOURS), MAX_ACTION_CARDS)),
        ("turned_up", np.int32, (len(COLOURS),)),  # bit sets of cards whose sigma is drawn
        # What the last tick showed, for who watches.
        ("partner", np.int8, (MAX_PLAYERS,)),  # with whom a card was revealed
        ("revealed", np.int8, (MAX_PLAYERS,)),  # the kind of that card, NO_CARD for none
    ],
)
