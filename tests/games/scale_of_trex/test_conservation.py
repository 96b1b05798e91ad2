"""Every card and token of Scale of T-Rex is in one place, and what is told twice agrees.

Checked after every act of many random games by compiled code, with decks and numbers of all sorts.
"""

from typing import Any

import numpy as np
import pytest
from numba import njit

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.engine.stream import below, choose_legal
from dino_envs.games.scale_of_trex import GAME
from dino_envs.games.scale_of_trex.deck import ANY_SWAP, KINDS, NO_CARD, NUMBER_KINDS
from dino_envs.games.scale_of_trex.layout import (
    FIRST_CALL,
    FIRST_OFFER,
    FIRST_SWAP,
    MATCH,
    MAX_PLAYERS,
    NO_CALL,
    NOBODY,
    SKIP,
)

compiled = njit(error_model="numpy", _nrt=False)
"""Compiles as the rules are compiled, but keeps nothing on disk that could be of older rules."""

VARIANTS: dict[str, dict[str, Any]] = {
    "usual": {},
    "tiny": {"copies": 1, "swap_cards": 0, "any_swaps": 0, "action_cards": 1, "bias_range": 0},
    "swaps": {"copies": 1, "swap_cards": 10, "any_swaps": 10, "action_cards": 2},
    "big": {"copies": 4, "swap_cards": 1, "any_swaps": 9, "sigma_low": 0, "sigma_high": 50},
    "clear": {"copies": 1, "sigma_low": 0, "sigma_high": 0, "action_cards": 3, "cards": "open"},
    "short": {"copies": 1, "max_ticks": 7, "bias_range": 3, "sigma_low": 50, "sigma_high": 50},
}
PLAYERS = (2, 3, 4, 5, 8)
TICKS = 120

(
    FINE, CARDS_LOST, GOOD, BAD, SCORE, HAND, LEVEL, OFFER, CALL, ACTS, SIGNALS, LEARNT, ACTIONS,
    SIGMA, REVEALED, ENDING, NOBODYS, BIAS, MUTUAL, LEGAL,
) = range(20)  # fmt: skip
WRONG = (
    "", "the cards", "the good tokens", "the bad tokens", "score", "hand", "level", "offer", "call",
    "acts", "what signals add up to", "what was learnt", "the action pile", "sigma", "revealed",
    "ending", "a seat that nobody has", "bias", "an answered offer", "the number of legal actions",
)  # fmt: skip

SEEN = 8
"""How many things are counted: games, acts, reveals, skips, swaps, shuffles of the discards, games
that ended by themselves, box tokens."""


@compiled
def check_cards(state):
    """Checks that all cards of each kind are there."""
    for kind in range(KINDS):
        dealt = int(state.copies)
        if kind >= NUMBER_KINDS:
            dealt = int(state.any_swaps if kind == ANY_SWAP else state.swap_cards)
        total = int(state.pile[kind]) + int(state.discards[kind])
        if state.pile[kind] < 0 or state.discards[kind] < 0:
            return CARDS_LOST
        for seat in range(state.num_players):
            total += int(state.hand[seat] == kind)
            if kind < NUMBER_KINDS:
                total += int(state.skipped[seat, kind])
                if state.skipped[seat, kind] < 0:
                    return CARDS_LOST
        if total != dealt:
            return CARDS_LOST
    return FINE


@compiled
def check_tokens(state):
    """Checks that tokens are in the middle or with the players; a last match may bring two more."""
    players, good, bad = int(state.num_players), 0, 0
    for seat in range(players):
        good += int(state.good[seat])
        bad += int(state.bad[seat])
        if state.good[seat] < 0 or state.bad[seat] < 0:
            return SCORE
        if state.score[seat] != state.good[seat] - state.bad[seat]:
            return SCORE
    if state.good_pile < 0 or state.bad_pile < 0:
        return GOOD
    if players == 2:
        if state.good[0] != state.good[1] or state.good[0] + state.good_pile != 15:
            return GOOD
        return FINE if bad + state.bad_pile == 0 else BAD
    extra = good + int(state.good_pile) - 4 * (players + 1)
    if extra != 0 and (extra != 2 or state.good_pile != 0 or state.ending != TERMINATED):
        return GOOD
    return FINE if bad + state.bad_pile == 2 * (players + 1) else BAD


@compiled
def check_seat(state, seat):
    """Checks one player's card, and what depends on it."""
    hand, level = int(state.hand[seat]), int(state.level[seat])
    if hand < NO_CARD or (NUMBER_KINDS <= hand < ANY_SWAP) or hand > ANY_SWAP:
        return HAND
    if hand == NO_CARD and state.ending != TERMINATED:
        return HAND
    if level < 0 or level > 10 or (level > 0 and not 0 <= hand < NUMBER_KINDS):
        return LEVEL
    offer, call = int(state.offer[seat]), int(state.call[seat])
    together = state.cooperative != 0
    if offer != NOBODY and (
        offer < 0 or offer >= state.num_players or offer == seat or level == 0 or together
    ):
        return OFFER
    if offer != NOBODY and state.offer[offer] == seat and state.ending == RUNNING:
        return MUTUAL
    if call < NO_CALL or call > MATCH + 1 or (call != NO_CALL and (level == 0 or not together)):
        return CALL
    if together and call != NO_CALL and call == state.call[1 - seat]:
        return MUTUAL
    committed = state.acts[seat] != NOBODY
    if committed != (state.ending == RUNNING and seat < state.current_player):
        return ACTS
    return FINE if abs(int(state.bias[seat])) <= state.bias_range else BIAS


@compiled
def check_signals(state, seat):
    """Checks the bounds of all sums, which are 0 while nothing was seen."""
    signals, level = int(state.signals[seat]), int(state.level[seat])
    low, high = int(state.sigma_low), int(state.sigma_high)
    if signals < 0 or (signals > 0) != (level > 0) or signals > state.tick:
        return SIGNALS
    if not 0 <= state.signal[seat] <= 1100 or (signals == 0 and state.signal[seat] != 0):
        return SIGNALS
    others = 1100 * max(signals - 1, 0)
    if not 0 <= state.total[seat] - state.signal[seat] <= others:
        return SIGNALS
    if not signals * low**2 <= state.variance[seat] <= signals * high**2:
        return SIGNALS
    if not signals <= state.levels[seat] <= 10 * signals:
        return SIGNALS
    known = int(state.calibrated[seat])
    if known < 0 or known + signals > state.tick or abs(state.calibration[seat]) > 1000 * known:
        return LEARNT
    if not known * low**2 <= state.calibration_variance[seat] <= known * high**2:
        return LEARNT
    if abs(state.drift[seat]) > 9 * known:
        return LEARNT
    changes = int(state.changes[seat])
    if changes < max(signals - 1, 0) or changes > max(int(state.tick) - 1, 0):
        return SIGNALS
    if not 0 <= state.unrest[seat] <= 1100 * changes:
        return SIGNALS
    return FINE if changes * low <= state.unrest_sigma[seat] <= changes * high else SIGNALS


@compiled
def check_actions(state):
    """Checks the action cards of each colour."""
    everything = (1 << int(state.action_cards)) - 1
    for colour in range(3):
        pile, known = int(state.pile_of_actions[colour]), int(state.turned_up[colour])
        card = int(state.in_play[colour])
        if pile & ~everything or known & ~everything or not 0 <= card < state.action_cards:
            return ACTIONS
        if pile >> card & 1 == 1 or known >> card & 1 == 0:
            return ACTIONS
        if everything & ~pile & ~known:
            return ACTIONS
        for other in range(state.sigma.shape[1]):
            sigma = int(state.sigma[colour, other])
            if known >> other & 1 == 0 and sigma != 0:
                return SIGMA
            if known >> other & 1 == 1 and not state.sigma_low <= sigma <= state.sigma_high:
                return SIGMA
    return FINE


@compiled
def check_turn(state):
    """Checks what the last tick showed, and whether the game should be over."""
    for seat in range(state.num_players):
        other = int(state.partner[seat])
        shown = int(state.revealed[seat])
        if (other == NOBODY) != (shown == NO_CARD) or shown >= NUMBER_KINDS:
            return REVEALED
        if other != NOBODY and (other == seat or state.partner[other] != seat):
            return REVEALED
        if other != NOBODY and state.level[seat] != 0:
            return REVEALED
    if state.cooperative != 0:
        over = state.good_pile == 0 or state.lost != 0
    else:
        over = state.good_pile == 0 or state.bad_pile == 0
        if state.lost != 0:
            return ENDING
    if over != (state.ending == TERMINATED):
        return ENDING
    if (not over and state.tick >= state.max_ticks) != (state.ending == TRUNCATED):
        return ENDING
    for seat in range(state.num_players, MAX_PLAYERS):
        if state.score[seat] != 0 or state.hand[seat] != 0 or state.level[seat] != 0:
            return NOBODYS
        if state.bias[seat] != 0 or state.signals[seat] != 0 or state.calibrated[seat] != 0:
            return NOBODYS
    return FINE


@compiled
def check(state):
    """Returns what is wrong with a state, or FINE."""
    wrong = check_cards(state)
    if wrong == FINE:
        wrong = check_tokens(state)
    for seat in range(state.num_players):
        if wrong == FINE:
            wrong = check_seat(state, seat)
        if wrong == FINE:
            wrong = check_signals(state, seat)
    if wrong == FINE:
        wrong = check_actions(state)
    return check_turn(state) if wrong == FINE else wrong


@compiled
def answer(state, mask, stream):
    """Returns an act: the answer to an offer or a call where there is one, else any legal one."""
    seat = int(state.current_player)
    if state.cooperative != 0 and state.call[1 - seat] != NO_CALL:
        act = FIRST_CALL + int(state.call[1 - seat]) - MATCH
        if mask[act] == 1:
            return act
    first = below(stream, int(state.num_players))
    for place in range(state.num_players):
        other = (first + place) % int(state.num_players)
        act = FIRST_OFFER + (other - seat - 1) % int(state.num_players)
        if other != seat and state.offer[other] == seat and mask[act] == 1:
            return act
    return choose_legal(stream, mask)


reset, legal_actions, step = GAME.rules.reset, GAME.rules.legal_actions, GAME.rules.step


@compiled
def play_checked(templates, states, first, games, percent, mask, stream, seen):
    """Plays random games from seeds; returns what went wrong first, or FINE.

    Offers and calls are answered in `percent` of 100 cases, which ends games sooner. At a fault
    `states` [1] holds the game as it stands then, and `seen` [SEEN] says which it is.
    """
    for game in range(games):
        states[0] = templates[0]
        state = states[0]
        reset(state, np.uint64(first + game))
        stream[0] = np.uint64(first + game)
        wrong = check(state)
        while wrong == FINE and state.ending == RUNNING:
            mask[:] = 0
            legal, marked = legal_actions(state, mask), 0
            for action in range(mask.shape[0]):
                marked += int(mask[action])
            if legal != marked or legal < 1:
                return LEGAL
            action = choose_legal(stream, mask)
            if below(stream, 100) < percent:
                action = answer(state, mask, stream)
            cards, seat = 0, int(state.current_player)
            for kind in range(KINDS):
                cards += int(state.discards[kind])
            step(state, action)
            seen[1] += 1
            seen[3] += int(action == SKIP)
            seen[4] += int(FIRST_SWAP <= action < FIRST_CALL)
            if seat == state.num_players - 1:
                for kind in range(KINDS):
                    cards -= int(state.discards[kind])
                seen[5] += int(cards > 0)
                for other in range(state.num_players):
                    seen[2] += int(state.partner[other] > other)
            wrong = check(state)
        if wrong != FINE:
            return wrong
        seen[0] += 1
        seen[6] += int(state.ending == TERMINATED)
        if state.cooperative == 0:
            for other in range(state.num_players):
                seen[7] += int(state.good[other])
            seen[7] -= 4 * (int(state.num_players) + 1) - int(state.good_pile)
    return FINE


def play_all(games: int, first: int, players: tuple[int, ...]) -> dict[str, Any]:
    """Plays this many games in all; returns what was seen with each variant."""
    cases = [
        (name, seats, percent) for name in VARIANTS for seats in players for percent in (0, 50)
    ]
    counts = {name: np.zeros(SEEN, np.int64) for name in VARIANTS}
    mask, stream = np.zeros(GAME.actions.size, np.int8), np.zeros(1, np.uint64)
    each = -(-games // len(cases))
    for name, seats, percent in cases:
        options = {"max_ticks": TICKS, **VARIANTS[name]}
        template = GAME.new_states(1, num_players=seats, **options)
        states, seen = np.zeros(1, GAME.state), np.zeros(SEEN, np.int64)
        wrong = play_checked(template, states, first, each, percent, mask, stream, seen)
        assert wrong == FINE, (
            f"{WRONG[wrong]} is wrong: {seats} players, {name}, {percent} % answered, "
            f"seed {first + seen[0]}, tick {states[0].tick}\n{states[0]}"
        )
        counts[name] += seen
    return counts


def test_every_card_and_token_is_in_one_place_after_every_act():
    counts = play_all(3_000, 0, PLAYERS)
    games, _, reveals, skips, swaps, shuffles, over, box = sum(counts.values())
    assert games >= 3_000
    assert min(reveals, skips) > 5_000
    assert shuffles > 300
    assert swaps > 1_000
    assert games / 4 < over < games
    assert box > 0, "a last exact match never found the pile short"
    assert counts["short"][6] < counts["short"][0] / 2
    assert counts["tiny"][4] == 0, "without swap cards there are no swaps"


@pytest.mark.slow
def test_every_card_and_token_is_in_one_place_in_very_many_games():
    counts = play_all(100_000, 10**6, tuple(range(2, 9)))
    assert sum(counts.values())[0] >= 100_000


def test_a_lost_card_would_be_noticed(position):
    """The checker itself is checked: whatever is changed in a state, it complains."""
    table = position("orange 6, blue 6, yellow 9, swap any", offers={0: 2}, ticks=3)
    table.tick("", "skip").play("perform 3")
    assert check(table.state) == FINE

    def changed(field: str, index: Any, by: int) -> int:
        copy = table.copy()
        if index is None:
            copy.state[field] += by
        else:
            copy.state[field][index] += by
        return check(copy.state)

    assert changed("pile", 3, 1) == CARDS_LOST
    assert changed("discards", 33, -1) == CARDS_LOST
    assert changed("skipped", (1, 15), -1) == CARDS_LOST
    assert changed("hand", 0, 1) == CARDS_LOST
    assert changed("good_pile", None, -1) == GOOD
    assert changed("bad_pile", None, -1) == BAD
    assert changed("score", 2, 1) == SCORE
    assert changed("good", 2, 1) == SCORE
    assert changed("level", 0, -6) == OFFER
    assert changed("level", 1, 5) == SIGNALS
    assert changed("offer", 0, -2) == OFFER
    assert changed("offer", 2, 1) == MUTUAL
    assert changed("call", 0, 1) == CALL
    assert changed("acts", 1, 3) == ACTS
    assert changed("acts", 0, -3) == ACTS
    assert changed("bias", 2, 3) == BIAS
    assert changed("signals", 0, -4) == SIGNALS
    assert changed("total", 0, -2000) == SIGNALS
    assert changed("variance", 0, 10_000) == SIGNALS
    assert changed("levels", 0, 100) == SIGNALS
    assert changed("changes", 0, -3) == SIGNALS
    assert changed("calibrated", 0, 1) == LEARNT
    assert changed("calibration", 0, 1) == LEARNT
    assert changed("drift", 0, 1) == LEARNT
    assert changed("turned_up", 0, -(1 << int(table.state.in_play[0]))) == ACTIONS
    assert changed("sigma", (0, int(table.state.in_play[0])), 30) == SIGMA
    assert changed("partner", 0, 2) == REVEALED
    assert changed("revealed", 0, 2) == REVEALED
    assert changed("lost", None, 1) == ENDING
    assert changed("ending", None, TRUNCATED) == ACTS
    assert changed("score", 6, 1) == NOBODYS
