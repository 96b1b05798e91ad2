"""Every card of Dino Days is in exactly one place, and what is counted twice agrees.

Checked after every decision of many random games by compiled code, on decks of all sorts.
"""

from typing import Any

import numpy as np
import pytest
from numba import njit

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.engine.stream import below, choose_legal
from dino_envs.games.dino_days import GAME
from dino_envs.games.dino_days.cards import (
    DINOSAURS,
    DIPLODOCUS_FRONT,
    DIPLODOCUS_REAR,
    GIGANOTOSAURUS,
    KINDS,
    POINTS,
    SCIENTIST,
    WEEK,
)
from dino_envs.games.dino_days.layout import (
    CHOOSE,
    DISCARD,
    DRAW,
    HOARD,
    LOOKED_AT,
    MAX_PLAYERS,
    MAX_STACK,
    NO_KIND,
    RETURN,
)

compiled = njit(error_model="numpy", _nrt=False)
"""Compiles as the rules are compiled, but keeps nothing on disk that could be of older rules."""

_NONE = {kind: 0 for kind in KINDS if kind != "giganotosaurus"}
DECKS: dict[str, dict[str, int]] = {
    "default": {},
    "one of each": dict.fromkeys(KINDS, 1) | {"giganotosaurus": 2},
    "stacks and swaps": {"microraptor": 11, "nest": 4, "volcano": 4, "skeleton": 4, "eggs": 4},
    "scientists": _NONE | {"scientist": 14, "spinosaurus": 3, "meteor": 3},
    "hoards": _NONE | {"triceratops": 6, "scientist": 4, "stegosaurus": 2},
    "hardly any": _NONE | {"diplodocus_rear": 5, "triceratops": 1, "scientist": 2},
    "big": {"giganotosaurus": 16, "diplodocus_front": 5, "diplodocus_rear": 5},
}

(
    FINE, CARDS_LOST, HIDDEN, HAND_SIZE, HEIGHT, STACK, SCORE, PILE, KNOWN, DIPLODOCUS, TABLE,
    PHASE, HOARDERS, ENDING, LEGAL,
) = range(15)  # fmt: skip
WRONG = (
    "", "the cards", "hidden", "hand_size", "height", "a card on a board", "score", "pile", "known",
    "a diplodocus", "the table", "phase", "who discards", "ending", "the number of legal actions",
)  # fmt: skip

SEEN = 4
"""How many things are counted: games, decisions, shuffles of the discards, hoarded discards."""


@compiled
def count_cards(state, total):
    """Writes how many cards of each kind there are, wherever they are."""
    total[:] = 0
    for index in range(state.pile_size):
        total[state.pile[index]] += 1
    for kind in range(len(KINDS)):
        total[kind] += state.discards[kind] + state.drawn[kind]
        for seat in range(MAX_PLAYERS):
            total[kind] += state.hands[seat, kind]
    for seat in range(MAX_PLAYERS):
        for day in range(WEEK):
            for level in range(state.height[seat, day]):
                total[state.boards[seat, day, level]] += 1
    if state.playing != NO_KIND:
        total[state.playing] += 1


@compiled
def check_cards(state, total):
    """Checks the cards as a whole: returns what is wrong, or FINE."""
    count_cards(state, total)
    decks = (state.num_players + 1) // 2
    for kind in range(len(KINDS)):
        dealt = state.num_players if kind == GIGANOTOSAURUS else decks * int(state.deck[kind])
        if total[kind] != dealt:
            return CARDS_LOST
        hidden = int(state.drawn[kind])
        for index in range(state.pile_size):
            hidden += int(state.pile[index] == kind)
        for seat in range(MAX_PLAYERS):
            hidden += state.hands[seat, kind]
        if state.hidden[kind] != hidden or state.discards[kind] < 0 or state.drawn[kind] < 0:
            return HIDDEN
    for index in range(state.pile_size, state.pile.shape[0]):
        if state.pile[index] != 0:
            return PILE
    return FINE


@compiled
def check_seat(state, seat):
    """Checks a hand, what is known of it, and a board."""
    there = seat < state.num_players
    size = 0
    for kind in range(len(KINDS)):
        held, known = state.hands[seat, kind], state.known[seat, kind]
        size += held
        if held < 0:
            return HAND_SIZE
        if known < 0 or known > held:
            return KNOWN
    if state.hand_size[seat] != size or (size > 0 and not there):
        return HAND_SIZE
    points = 0
    for day in range(WEEK):
        height = state.height[seat, day]
        if height < 0 or height > MAX_STACK or (height > 0 and not there):
            return HEIGHT
        for level in range(MAX_STACK):
            kind = state.boards[seat, day, level]
            if kind < 0 or kind >= DINOSAURS or (level >= height and kind != 0):
                return STACK
            half = kind in (DIPLODOCUS_FRONT, DIPLODOCUS_REAR)
            if half and not beside_its_half(state, seat, day, kind):
                return DIPLODOCUS
        if height > 0:
            points += POINTS[state.boards[seat, day, height - 1]]
    return FINE if state.score[seat] == points else SCORE


@compiled
def beside_its_half(state, seat, day, kind):
    """Returns whether a diplodocus lies front left, rear right, each half alone on its day."""
    step = 1 if kind == DIPLODOCUS_FRONT else -1
    other = DIPLODOCUS_FRONT + DIPLODOCUS_REAR - kind
    if day + step < 0 or day + step >= WEEK:
        return False
    alone = state.height[seat, day] == 1 and state.height[seat, day + step] == 1
    return alone and state.boards[seat, day + step, 0] == other


@compiled
def check_turn(state):
    """Checks what is decided, by whom, and whether the game should be over."""
    phase, drawn, discards = state.phase, 0, 0
    for kind in range(len(KINDS)):
        drawn += state.drawn[kind]
        discards += state.discards[kind]
    if (state.playing == NO_KIND) != (phase == CHOOSE) and phase != DISCARD:
        return TABLE
    if drawn > 0 and state.playing != SCIENTIST:
        return TABLE
    if (phase == RETURN) != (drawn == LOOKED_AT):
        return PHASE
    if (phase == DISCARD) != (state.to_draw > 0):
        return PHASE
    if phase == DISCARD:
        if state.pile_size > 0 or state.hand_size[state.current_player] <= HOARD:
            return HOARDERS
    elif state.current_player != state.active:
        return PHASE
    full = False
    for seat in range(state.num_players):
        days = 0
        for day in range(WEEK):
            days += int(state.height[seat, day] > 0)
        full = full or days == WEEK
    if full != (state.ending == TERMINATED):
        return ENDING
    capped = state.turns >= state.max_turns * state.num_players
    if (capped and not full) != (state.ending == TRUNCATED):
        return ENDING
    return FINE


@compiled
def check(state, total):
    """Returns what is wrong with a state, or FINE."""
    wrong = check_cards(state, total)
    for seat in range(MAX_PLAYERS):
        if wrong == FINE:
            wrong = check_seat(state, seat)
    return check_turn(state) if wrong == FINE else wrong


reset, legal_actions, step = GAME.rules.reset, GAME.rules.legal_actions, GAME.rules.step


@compiled
def play_checked(templates, states, first, games, percent, mask, stream, total, seen):
    """Plays random games from seeds; returns what went wrong first, or FINE.

    A turn draws a card in `percent` of 100 cases where it can. At a fault, `states` [1] holds the
    game as it stands then, and `seen` [SEEN] says which it is.
    """
    for game in range(games):
        states[0] = templates[0]
        state = states[0]
        reset(state, np.uint64(first + game))
        stream[0] = np.uint64(first + game)
        wrong = check(state, total)
        while wrong == FINE and state.ending == RUNNING:
            mask[:] = 0
            legal = legal_actions(state, mask)
            marked = 0
            for action in range(mask.shape[0]):
                marked += int(mask[action])
            if legal != marked or legal < 1:
                return LEGAL
            action = choose_legal(stream, mask)
            if mask[DRAW] == 1 and below(stream, 100) < percent:
                action = DRAW
            pile = state.pile_size
            seen[1] += 1
            seen[2] += int(action == DRAW and pile == 0)
            seen[3] += int(state.phase == DISCARD)
            step(state, action)
            wrong = check(state, total)
        if wrong != FINE:
            return wrong
        seen[0] += 1
    return FINE


def play_all(games: int, first: int) -> dict[str, np.ndarray[Any, Any]]:
    """Plays this many games in all; returns what was seen with each deck."""
    variants = [
        (deck, players, percent)
        for deck in DECKS
        for players in (2, 3, 4)
        for percent in (5, 30, 60, 90)
    ]
    counts = {deck: np.zeros(SEEN, np.int64) for deck in DECKS}
    mask, stream = np.zeros(GAME.actions.size, np.int8), np.zeros(1, np.uint64)
    for deck, players, percent in variants:
        template = GAME.new_states(1, num_players=players, deck=DECKS[deck])
        states, seen = np.zeros(1, GAME.state), np.zeros(SEEN, np.int64)
        total = np.zeros(len(KINDS), np.int64)
        each = -(-games // len(variants))
        wrong = play_checked(template, states, first, each, percent, mask, stream, total, seen)
        assert wrong == FINE, (
            f"{WRONG[wrong]} is wrong: {players} players, deck {deck}, {percent} % draws, "
            f"seed {first + seen[0]}, turn {states[0].turns}\n{states[0]}"
        )
        counts[deck] += seen
    return counts


def test_every_card_is_in_one_place_after_every_decision():
    counts = play_all(2_000, 0)
    seen = sum(counts.values())
    assert seen[0] >= 2_000
    assert seen[2] > 500, "the discards were shuffled too seldom"
    assert counts["hoards"][3] > 100, "nobody had to discard"


@pytest.mark.slow
def test_every_card_is_in_one_place_in_very_many_games():
    counts = play_all(100_000, 10**6)
    assert sum(counts.values())[0] >= 100_000


def test_a_lost_card_would_be_noticed(deal):
    """The checker itself is checked: whatever is changed in a state, it complains."""
    table = deal(4, num_players=3)
    table.play("giganotosaurus own wed", "draw", "draw")
    total = np.zeros(len(KINDS), np.int64)
    assert check(table.state, total) == FINE

    def changed(field: str, index: Any, by: int) -> int:
        copy = table.copy()
        if index is None:
            copy.state[field] += by
        else:
            copy.state[field][index] += by
        return check(copy.state, total)

    held = int(np.flatnonzero(table.state.hands[1])[1])
    assert changed("hands", (1, held), -1) == CARDS_LOST
    assert changed("discards", 5, 1) == CARDS_LOST
    assert changed("pile_size", None, -1) == CARDS_LOST
    assert changed("height", (0, 2), -1) == CARDS_LOST
    assert changed("playing", None, 1 + SCIENTIST) == CARDS_LOST
    assert changed("hidden", 3, 1) == HIDDEN
    assert changed("pile", 119, 1) == PILE
    assert changed("hand_size", 1, 1) == HAND_SIZE
    assert changed("known", (0, GIGANOTOSAURUS), 1) == KNOWN
    assert changed("boards", (0, 2, 1), 1) == STACK
    assert changed("score", 0, 1) == SCORE
    assert changed("phase", None, RETURN) == TABLE
    assert changed("to_draw", None, 1) == PHASE
    assert changed("current_player", None, 1) == PHASE
    assert changed("ending", None, TERMINATED) == ENDING
