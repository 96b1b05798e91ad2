"""What is legal in Dino Days, compiled. Quoted lines are the rulebook's."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.games.dino_days.cards import (
    BARYONYX,
    DILOPHOSAURUS,
    DIPLODOCUS_FRONT,
    DIPLODOCUS_REAR,
    EGGS,
    GIGANOTOSAURUS,
    KINDS,
    METEOR,
    MICRORAPTOR,
    NEST,
    PTERANODON,
    SCIENTIST,
    SKELETON,
    SPINOSAURUS,
    STEGOSAURUS,
    TRICERATOPS,
    TYRANNOSAURUS,
    VOLCANO,
    WEEK,
)
from dino_envs.games.dino_days.layout import (
    ACTIONS,
    CHOOSE,
    DRAW,
    FIRST_DISCARD,
    FIRST_OWN_CARD,
    FIRST_OWN_DAY,
    FIRST_REMOVE,
    FIRST_THEIR_CARD,
    HOARD,
    MAX_STACK,
    OWN_CARD,
    OWN_DAY,
    PASS,
    REMOVE,
    RETURN,
    THEIR_CARD,
)

_GIGANOTOSAURUS = ACTIONS.start("giganotosaurus")
_DIPLODOCUS = ACTIONS.start("diplodocus")
_TYRANNOSAURUS = ACTIONS.start("tyrannosaurus")
_SPINOSAURUS = ACTIONS.start("spinosaurus")
_DILOPHOSAURUS = ACTIONS.start("dilophosaurus")
_TRICERATOPS = ACTIONS.start("triceratops")
_PTERANODON = ACTIONS.start("pteranodon")
_STEGOSAURUS = ACTIONS.start("stegosaurus")
_BARYONYX = ACTIONS.start("baryonyx")
_MICRORAPTOR = ACTIONS.start("microraptor")
_SCIENTIST = ACTIONS.start("scientist")
_METEOR = ACTIONS.start("meteor")
_NEST = ACTIONS.start("nest")
_VOLCANO = ACTIONS.start("volcano")
_SKELETON = ACTIONS.start("skeleton")
_EGGS = ACTIONS.start("eggs")


@kernel
def legal_actions(state, mask):
    """Writes the legal actions of the decision that is due."""
    seat, phase = state.current_player, state.phase
    if phase == CHOOSE:
        return legal_plays(state, seat, mask)
    if phase == OWN_CARD:
        return mark(mask, FIRST_OWN_CARD, state.height[seat, state.day])
    if phase == THEIR_CARD:
        return mark(mask, FIRST_THEIR_CARD, state.height[state.target, state.day])
    if phase == REMOVE:
        return mark(mask, FIRST_REMOVE, state.height[state.target, state.day])
    if phase == OWN_DAY:
        return mark_empty_days(state, seat, mask)
    if phase == RETURN:
        return mark_kinds(mask, state.drawn)
    return mark_kinds(mask, state.hands[seat])


@kernel
def mark(mask, first, count):
    """Marks `count` actions from `first` on."""
    for index in range(count):
        mask[first + index] = 1
    return int(count)


@kernel
def mark_empty_days(state, seat, mask):
    """Marks the own days that a stolen dinosaur can go to."""
    count = 0
    for day in range(WEEK):
        empty = int(state.height[seat, day] == 0)
        mask[FIRST_OWN_DAY + day] = empty
        count += empty
    return count


@kernel
def mark_kinds(mask, cards):
    """Marks the kinds of which there are cards."""
    count = 0
    for kind in range(len(KINDS)):
        there = int(cards[kind] > 0)
        mask[FIRST_DISCARD + kind] = there
        count += there
    return count


@kernel
def legal_plays(state, seat, mask):
    """Writes what a turn may do: "Draw a card OR Play a card"."""
    count = 0
    if can_draw(state, seat, 0):
        mask[DRAW] = 1
        count += 1
    if state.hands[seat, SCIENTIST] > 0 and can_draw(state, seat, 1):
        mask[_SCIENTIST] = 1
        count += 1
    hand = state.hands[seat]
    empty, coverable, full = days_of(state, seat)
    count += legal_on_own_board(hand, empty, mask)
    count += legal_on_any_board(hand, 0, empty, coverable & ~full, mask)
    for board in range(1, state.num_players):
        owner = at_table(state, seat, board)
        their_empty, theirs, their_full = days_of(state, owner)
        count += legal_on_any_board(hand, board, their_empty, theirs & ~their_full, mask)
        count += legal_on_opponents(hand, board, theirs, coverable & theirs, mask)
    if count == 0:
        mask[PASS] = 1
        count = 1
    return count


@kernel
def at_table(state, seat, board):
    """Returns the seat that sits `board` places after a seat."""
    owner = seat + board
    return owner - state.num_players if owner >= state.num_players else owner


@kernel
def can_draw(state, seat, played):
    """Returns whether a card can be had: from the pile, the discards, or a hoarder's hand.

    `played` cards of the seat's hand are on the table by then.
    """
    if state.pile_size > 0:
        return True
    for kind in range(len(KINDS)):
        if state.discards[kind] > 0:
            return True
    for other in range(state.num_players):
        if state.hand_size[other] - (played if other == seat else 0) > HOARD:
            return True
    return False


@kernel
def days_of(state, seat):
    """Returns bit sets of a board's days: the empty, the coverable, those with a full stack.

    A day can be covered that holds a dinosaur "other than the diplodocus".
    """
    empty, coverable, full = 0, 0, 0
    for day in range(WEEK):
        height = int(state.height[seat, day])
        base = state.boards[seat, day, 0]  # a diplodocus never lies on or under another card
        diplodocus = int(base == DIPLODOCUS_FRONT) | int(base == DIPLODOCUS_REAR)
        empty |= int(height == 0) << day
        coverable |= (int(height > 0) & (1 - diplodocus)) << day
        full |= int(height == MAX_STACK) << day
    return empty, coverable, full


@kernel
def mark_days(mask, first, days, count):
    """Marks the actions from `first` on whose days, `count` of them, are in a bit set."""
    marked = 0
    for day in range(count):
        there = days >> day & 1
        mask[first + day] = there
        marked += there
    return marked


@kernel
def legal_on_own_board(hand, empty, mask):
    """Writes the plays of "usually": "on your own board and on an empty day"."""
    count = 0
    if hand[DIPLODOCUS_FRONT] > 0 and hand[DIPLODOCUS_REAR] > 0:
        count += mark_days(mask, _DIPLODOCUS, empty & empty >> 1, WEEK - 1)
    if hand[DILOPHOSAURUS] > 0:
        # "to the immediate right of any other dinosaur on your own board"
        count += mark_days(mask, _DILOPHOSAURUS, empty >> 1 & ~empty, WEEK - 1)
    if hand[TRICERATOPS] > 0:
        count += mark_days(mask, _TRICERATOPS, empty >> 6, 1)
    if hand[PTERANODON] > 0:
        count += mark_days(mask, _PTERANODON, empty, 3)
    if hand[STEGOSAURUS] > 0:
        count += mark_days(mask, _STEGOSAURUS, empty >> 3, 3)
    if hand[BARYONYX] > 0:
        count += mark_days(mask, _BARYONYX, empty, WEEK)
    return count


@kernel
def legal_on_any_board(hand, board, empty, coverable, mask):
    """Writes the plays on one board of the cards that say ON ANY BOARD."""
    first, count = board * WEEK, 0
    if hand[GIGANOTOSAURUS] > 0:
        count += mark_days(mask, _GIGANOTOSAURUS + first, empty, WEEK)
    if hand[TYRANNOSAURUS] > 0:
        count += mark_days(mask, _TYRANNOSAURUS + first, empty, WEEK)
    if hand[MICRORAPTOR] > 0:
        count += mark_days(mask, _MICRORAPTOR + first, coverable, WEEK)
    if hand[METEOR] > 0:
        count += mark_days(mask, _METEOR + first, ~empty, WEEK)
    return count


@kernel
def legal_on_opponents(hand, board, coverable, swappable, mask):
    """Writes the plays of the spinosaurus and the swap cards on one opponent's board.

    A swap needs that "both days have to be occupied" and "Cannot be used on diplodocus".
    """
    place, count = board - 1, 0
    if hand[SPINOSAURUS] > 0:
        count += mark_days(mask, _SPINOSAURUS + place * WEEK, coverable, WEEK)
    if hand[NEST] > 0:
        count += mark_days(mask, _NEST + place * 2, swappable, 2)
    if hand[VOLCANO] > 0:
        count += mark_days(mask, _VOLCANO + place * 2, swappable >> 2, 2)
    if hand[SKELETON] > 0:
        count += mark_days(mask, _SKELETON + place * 2, swappable >> 4, 2)
    if hand[EGGS] > 0:
        count += mark_days(mask, _EGGS + place, swappable >> 6, 1)
    return count
