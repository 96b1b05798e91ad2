"""The piles of On a Scale of One to T-Rex, compiled. Quoted lines are the rulebook's.

Piles are counts by kind: a card is drawn at random when it is drawn, which is the same as from a
shuffled pile.
"""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.engine.stream import below
from dino_envs.games.scale_of_trex.deck import ANY_SWAP, COLOURS, KINDS, NUMBER_KINDS


@kernel
def deal(state):
    """Makes the deck and deals a number card each.

    "If you were dealt a Swap Card, shuffle it into the deck and draw again."
    """
    for kind in range(NUMBER_KINDS):
        state.pile[kind] = state.copies
    for colour in range(len(COLOURS)):
        state.pile[NUMBER_KINDS + colour] = state.swap_cards
    state.pile[ANY_SWAP] = state.any_swaps
    for seat in range(state.num_players):
        state.hand[seat] = take(state, NUMBER_KINDS)


@kernel
def count(pile, kinds):
    """Returns how many cards of the first `kinds` kinds there are."""
    cards = 0
    for kind in range(kinds):
        cards += int(pile[kind])
    return cards


@kernel
def take(state, kinds):
    """Draws a card of the first `kinds` kinds from the pile, and returns its kind."""
    left = below(state.stream, count(state.pile, kinds))
    kind = 0
    while left >= state.pile[kind]:
        left -= int(state.pile[kind])
        kind += 1
    state.pile[kind] -= 1
    return kind


@kernel
def draw_card(state, seat):
    """Draws until a seat has a number card, or a swap whose colour it has to choose.

    Swap cards: "discard your Swap Card, draw a new Number Card, and continue playing".
    """
    while True:
        if count(state.pile, KINDS) == 0:
            reshuffle(state)
        kind = take(state, KINDS)
        if kind < NUMBER_KINDS or kind == ANY_SWAP:
            state.hand[seat] = kind
            return
        state.discards[kind] += 1
        swap_action_card(state, kind - NUMBER_KINDS)


@kernel
def reshuffle(state):
    """Makes a new draw pile: "pause play, then reshuffle and continue playing"."""
    for kind in range(KINDS):
        state.pile[kind] = state.discards[kind]
        state.discards[kind] = 0
    for seat in range(state.num_players):
        for kind in range(NUMBER_KINDS):
            state.pile[kind] += state.skipped[seat, kind]
            state.skipped[seat, kind] = 0


@kernel
def swap_action_card(state, colour):
    """Puts "a new Action Card of the same color face up into the Play Area"."""
    if state.pile_of_actions[colour] == 0:
        state.pile_of_actions[colour] = (1 << int(state.action_cards)) - 1
    turn_up(state, colour)


@kernel
def turn_up(state, colour):
    """Turns up a random action card of a colour; how readable it is shows at its first time."""
    pile, cards = int(state.pile_of_actions[colour]), 0
    for card in range(state.action_cards):
        cards += pile >> card & 1
    left = below(state.stream, cards)
    card = 0
    while left > 0 or pile >> card & 1 == 0:
        left -= pile >> card & 1
        card += 1
    state.pile_of_actions[colour] = pile & ~(1 << card)
    state.in_play[colour] = card
    if int(state.turned_up[colour]) >> card & 1 == 0:
        state.turned_up[colour] = int(state.turned_up[colour]) | 1 << card
        spread = int(state.sigma_high) - int(state.sigma_low) + 1
        state.sigma[colour, card] = int(state.sigma_low) + below(state.stream, spread)
