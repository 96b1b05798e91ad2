"""The rules of On a Scale of One to T-Rex, compiled. Quoted lines are the rulebook's."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import RUNNING, TERMINATED, TRUNCATED
from dino_envs.engine.outcome import highest_score_wins
from dino_envs.engine.stream import below
from dino_envs.games.scale_of_trex.cards import deal, draw_card, swap_action_card, turn_up
from dino_envs.games.scale_of_trex.deck import (
    ANY_SWAP,
    COLOURS,
    EXACT_TOKENS,
    HIGHEST_SIGNAL,
    LEVELS,
    NEAR_TOKENS,
    NO_CARD,
    NOISE,
    NOISE_TO_SIGNAL,
    PENALTY,
    SIGNAL,
    TOGETHER_TOKENS,
)
from dino_envs.games.scale_of_trex.layout import (
    FIRST_CALL,
    FIRST_OFFER,
    FIRST_SWAP,
    MATCH,
    N_ACTIONS,
    NO_CALL,
    NOBODY,
    SKIP,
    WITHDRAW,
)

# --- The set-up --------------------------------------------------------------------------------


@kernel
def reset(state, seed):
    """Draws everybody's idea of the scale, turns up three action cards, deals and counts tokens."""
    state.stream[0] = seed
    for seat in range(state.num_players):
        state.bias[seat] = below(state.stream, 2 * state.bias_range + 1) - state.bias_range
    for colour in range(len(COLOURS)):
        state.pile_of_actions[colour] = (1 << int(state.action_cards)) - 1
        turn_up(state, colour)
    deal(state)
    if state.cooperative != 0:
        state.good_pile = TOGETHER_TOKENS
    else:
        state.good_pile = 4 * (state.num_players + 1)
        state.bad_pile = 2 * (state.num_players + 1)
    for seat in range(state.num_players):
        state.offer[seat] = NOBODY
        state.acts[seat] = NOBODY
        state.partner[seat] = NOBODY
        state.revealed[seat] = NO_CARD


# --- A tick ------------------------------------------------------------------------------------


@kernel
def legal_actions(state, mask):
    """Writes what the seat may commit, which no other act of the same tick changes."""
    seat, legal = int(state.current_player), 0
    for action in range(N_ACTIONS):
        if is_legal(state, seat, action):
            mask[action] = 1
            legal += 1
    return legal


@kernel
def is_legal(state, seat, action):
    """Returns whether a seat may commit an act: a new card has to be performed first."""
    swaps = FIRST_SWAP <= action < FIRST_CALL
    if state.hand[seat] == ANY_SWAP or swaps:
        return swaps and state.hand[seat] == ANY_SWAP
    if action < LEVELS:
        return True
    if state.level[seat] == 0:
        return False
    if action == WITHDRAW:
        return state.offer[seat] != NOBODY or state.call[seat] != NO_CALL
    if action >= FIRST_CALL:
        return state.cooperative != 0 and state.call[seat] != action - FIRST_CALL + MATCH
    if action == SKIP:
        return state.cooperative == 0
    places = action - FIRST_OFFER + 1
    if state.cooperative != 0 or places >= state.num_players:
        return False
    return state.offer[seat] != seat_after(state, seat, places)


@kernel
def seat_after(state, seat, places):
    """Returns the seat that sits so many places after a seat."""
    other = seat + places
    return other - int(state.num_players) if other >= state.num_players else other


@kernel
def places_to(state, seat, other):
    """Returns how many places after a seat another one sits; NOBODY for nobody."""
    if other == NOBODY:
        return NOBODY
    return other - seat if other >= seat else other - seat + int(state.num_players)


@kernel
def step(state, action):
    """Commits an act; when all have, the tick takes its course.

    "There are no turns in this game. Everyone will be performing their actions simultaneously."
    """
    state.acts[state.current_player] = action
    state.current_player += 1
    if state.current_player == state.num_players:
        end_tick(state)
        state.current_player = 0


@kernel
def end_tick(state):
    """Lets all acts take effect, all see all, and reveals, discards and draws."""
    for seat in range(state.num_players):
        state.partner[seat] = NOBODY
        state.revealed[seat] = NO_CARD
        take_effect(state, seat, int(state.acts[seat]))
    for seat in range(state.num_players):
        if state.level[seat] > 0:
            send_signal(state, seat)
    reveal_cards(state)
    if state.ending == RUNNING:
        discard(state)
        for seat in range(state.num_players):
            if state.hand[seat] == NO_CARD:
                draw_card(state, seat)
    for seat in range(state.num_players):
        state.acts[seat] = NOBODY
    state.tick += 1
    if state.ending == RUNNING and state.tick >= state.max_ticks:
        state.ending = TRUNCATED


@kernel
def take_effect(state, seat, act):
    """Changes what a seat performs, offers or calls; cards are put away later."""
    if act < LEVELS:
        state.level[seat] = act + 1
    elif act < WITHDRAW:
        state.offer[seat] = seat_after(state, seat, act - FIRST_OFFER + 1)
    elif act == WITHDRAW:
        state.offer[seat] = NOBODY
        state.call[seat] = NO_CALL
    elif act >= FIRST_CALL:
        state.call[seat] = act - FIRST_CALL + MATCH


@kernel
def send_signal(state, seat):
    """Shows all others how a seat's acting looks: the level, its bias, and noise."""
    colour = int(state.hand[seat]) // LEVELS
    sigma = int(state.sigma[colour, state.in_play[colour]])
    noise = sigma * NOISE[below(state.stream, len(NOISE))]
    signal = SIGNAL * (int(state.level[seat]) + int(state.bias[seat]))
    signal += (noise + NOISE_TO_SIGNAL // 2) // NOISE_TO_SIGNAL
    signal = min(max(signal, 0), HIGHEST_SIGNAL)
    if state.signals[seat] > 0:
        state.unrest[seat] += abs(signal - int(state.signal[seat]))
        state.unrest_sigma[seat] += sigma
        state.changes[seat] += 1
    state.signal[seat] = signal
    state.total[seat] += signal
    state.signals[seat] += 1
    state.variance[seat] += sigma * sigma
    state.levels[seat] += state.level[seat]


# --- Matches -----------------------------------------------------------------------------------


@kernel
def reveal_cards(state):
    """Has the cards turned over that are presented to one another, or called alike by two.

    The game is over "when either pile of Tokens (Good or Bad) in the middle of the table runs out".
    """
    if state.cooperative != 0:
        if state.call[0] != NO_CALL and state.call[0] == state.call[1]:
            move_tokens(state)
        return
    for seat in range(state.num_players):
        other = int(state.offer[seat])
        if other <= seat or state.offer[other] != seat:
            continue
        if state.acts[seat] == SKIP or state.acts[other] == SKIP:
            continue
        pay_match(state, seat, other)
        if state.good_pile == 0 or state.bad_pile == 0:
            state.ending = TERMINATED
            return


@kernel
def value_of(state, seat):
    """Returns the value of a seat's number card."""
    return int(state.hand[seat]) % LEVELS + 1


@kernel
def good_tokens(difference):
    """Returns what values so far apart bring each of the two: exact 2, near 1, else 0."""
    if difference == 0:
        return EXACT_TOKENS
    return NEAR_TOKENS if abs(difference) == 1 else 0


@kernel
def pay_match(state, seat, other):
    """Pays two competing players whose cards are turned over.

    "If the final match that depleted the pile requires extra Good or Bad Tokens to complete, take
    these Tokens from the box."
    """
    good = good_tokens(value_of(state, seat) - value_of(state, other))
    bad = PENALTY if good == 0 else 0
    state.good_pile = max(int(state.good_pile) - 2 * good, 0)
    state.bad_pile = max(int(state.bad_pile) - 2 * bad, 0)
    take_tokens(state, seat, good, bad)
    take_tokens(state, other, good, bad)
    reveal(state, seat, other)


@kernel
def take_tokens(state, seat, good, bad):
    """Adds tokens to a seat's "Personal Score Pile"."""
    state.good[seat] += good
    state.bad[seat] += bad
    state.score[seat] += good - bad


@kernel
def move_tokens(state):
    """Moves the tokens of two players who have called alike, or ends their game."""
    good = good_tokens(value_of(state, 0) - value_of(state, 1))
    if (good > 0) != (state.call[0] == MATCH):
        state.lost = 1
    else:
        moved = min(max(good, NEAR_TOKENS), int(state.good_pile))
        state.good_pile -= moved
        take_tokens(state, 0, moved, 0)
        take_tokens(state, 1, moved, 0)
    if state.lost != 0 or state.good_pile == 0:
        state.ending = TERMINATED
    reveal(state, 0, 1)


@kernel
def reveal(state, seat, other):
    """Turns over the cards of two players."""
    state.partner[seat] = other
    state.partner[other] = seat
    turn_over(state, seat)
    turn_over(state, other)


@kernel
def turn_over(state, seat):
    """Puts a card face up on the discards; all learn how its signals compared to its value."""
    state.revealed[seat] = state.hand[seat]
    state.discards[state.hand[seat]] += 1
    signals, value = int(state.signals[seat]), value_of(state, seat)
    state.calibration[seat] += state.total[seat] - SIGNAL * value * signals
    state.calibration_variance[seat] += state.variance[seat]
    state.calibrated[seat] += signals
    state.drift[seat] += state.levels[seat] - value * signals
    clear(state, seat)


@kernel
def clear(state, seat):
    """Ends what belonged to a card that is put away: the acting, the offer, the signals."""
    state.hand[seat] = NO_CARD
    state.level[seat] = 0
    state.offer[seat] = NOBODY
    state.call[seat] = NO_CALL
    state.signal[seat] = 0
    state.total[seat] = 0
    state.signals[seat] = 0
    state.variance[seat] = 0
    state.levels[seat] = 0


@kernel
def discard(state):
    """Puts skipped cards face down on the discards, then plays the swaps of any colour."""
    for seat in range(state.num_players):
        if state.acts[seat] == SKIP:
            state.skipped[seat, state.hand[seat]] += 1
            clear(state, seat)
    for seat in range(state.num_players):
        if FIRST_SWAP <= state.acts[seat] < FIRST_CALL:
            state.discards[ANY_SWAP] += 1
            swap_action_card(state, int(state.acts[seat]) - FIRST_SWAP)
            clear(state, seat)


# --- The end -----------------------------------------------------------------------------------


@kernel
def outcome(state, returns):
    """Writes returns float32 [P]: two players win or lose together, more compete for points."""
    if state.cooperative == 0:
        highest_score_wins(state, returns)
        return
    for seat in range(state.num_players):
        returns[seat] = 1.0 if state.lost == 0 and state.good_pile == 0 else -1.0
