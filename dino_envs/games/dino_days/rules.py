"""The rules of Dino Days, compiled. Quoted lines are the rulebook's."""

from __future__ import annotations

import numpy as np

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import TERMINATED, TRUNCATED, ActionTable, state_dtype
from dino_envs.engine.stream import shuffle
from dino_envs.games.dino_days.cards import (
    BARYONYX,
    DILOPHOSAURUS,
    DINOSAURS,
    DIPLODOCUS_FRONT,
    DIPLODOCUS_REAR,
    EGGS,
    GIGANOTOSAURUS,
    KINDS,
    METEOR,
    MICRORAPTOR,
    NEST,
    POINTS,
    PTERANODON,
    SCIENTIST,
    SKELETON,
    SPINOSAURUS,
    STEGOSAURUS,
    SWAPS,
    TRICERATOPS,
    TYRANNOSAURUS,
    VOLCANO,
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
_OWN_CARD = ACTIONS.start("own_card")
_THEIR_CARD = ACTIONS.start("their_card")
_REMOVE = ACTIONS.start("remove")
_OWN_DAY = ACTIONS.start("own_day")
_DISCARD = ACTIONS.start("discard")
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


# --- The deal ----------------------------------------------------------------------------------


@kernel
def reset(state, seed):
    """Deals "a Giganotosaurus card and 4 play cards to each player"; seat 0 begins.

    "using 1 deck for 2 players, more if you have more players". Giganotosaurs that are left over
    are out of the game.
    """
    state.stream[0] = seed
    state.playing = NO_KIND
    players = state.num_players
    decks = (players + 1) // 2
    for kind in range(len(KINDS)):
        state.discards[kind] = 0 if kind == GIGANOTOSAURUS else decks * int(state.deck[kind])
    shuffle_discards(state)
    for seat in range(players):
        state.hands[seat, GIGANOTOSAURUS] = 1
        state.known[seat, GIGANOTOSAURUS] = 1
        for _ in range(START_CARDS):
            state.hands[seat, take_from_pile(state)] += 1
        state.hand_size[seat] = START_CARDS + 1
    state.hidden[GIGANOTOSAURUS] = players


@kernel
def shuffle_discards(state):
    """Makes all discards, sorted and then shuffled, the new pile."""
    size = 0
    for kind in range(len(KINDS)):
        for _ in range(state.discards[kind]):
            state.pile[size] = kind
            size += 1
        state.hidden[kind] += state.discards[kind]
        state.discards[kind] = 0
    state.pile_size = size
    shuffle(state.stream, state.pile, size)


@kernel
def take_from_pile(state):
    """Takes the top card of the pile and returns its kind."""
    top = state.pile_size - 1
    kind = int(state.pile[top])
    state.pile[top] = 0
    state.pile_size = top
    return kind


# --- What is legal -----------------------------------------------------------------------------


@kernel
def legal_actions(state, mask):
    """Writes the legal actions of the decision that is due."""
    seat, phase = state.current_player, state.phase
    if phase == CHOOSE:
        return legal_plays(state, seat, mask)
    if phase == OWN_CARD:
        return mark(mask, _OWN_CARD, state.height[seat, state.day])
    if phase == THEIR_CARD:
        return mark(mask, _THEIR_CARD, state.height[state.target, state.day])
    if phase == REMOVE:
        return mark(mask, _REMOVE, state.height[state.target, state.day])
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
        mask[_OWN_DAY + day] = empty
        count += empty
    return count


@kernel
def mark_kinds(mask, cards):
    """Marks the kinds of which there are cards."""
    count = 0
    for kind in range(len(KINDS)):
        there = int(cards[kind] > 0)
        mask[_DISCARD + kind] = there
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
    empty, coverable, _ = days_of(state, seat)
    count += legal_on_own_board(state.hands[seat], empty, mask)
    for board in range(state.num_players):
        owner = at_table(state, seat, board)
        their_empty, their_coverable, full = days_of(state, owner)
        low = their_coverable & ~full
        count += legal_on_any_board(state.hands[seat], board, their_empty, low, mask)
        if board > 0:
            swappable = coverable & their_coverable
            count += legal_on_opponents(state.hands[seat], board, their_coverable, swappable, mask)
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


@kernel
def top(state, seat, day):
    """Returns the kind on top of an occupied day."""
    return int(state.boards[seat, day, state.height[seat, day] - 1])


# --- What happens ------------------------------------------------------------------------------


@kernel
def step(state, action):
    """Plays one decision: the action of a turn, or one of the choices that a card brings."""
    phase = state.phase
    if phase == CHOOSE:
        choose(state, action)
    elif phase == OWN_CARD:
        state.picked = action - _OWN_CARD
        choose_their_card(state)
    elif phase == THEIR_CARD:
        swap(state, action - _THEIR_CARD)
    elif phase == REMOVE:
        strike(state, action - _REMOVE)
    elif phase == OWN_DAY:
        steal(state, action - _OWN_DAY)
    elif phase == RETURN:
        give_back(state, action - _DISCARD)
    else:
        discard(state, state.current_player, action - _DISCARD)
        draw_cards(state)


@kernel
def choose(state, action):
    """Plays the action of a turn."""
    seat, kind = state.current_player, TARGETS[action, 0]
    if action == DRAW:
        state.to_draw = 1
        draw_cards(state)
    elif kind == NO_KIND:
        end_turn(state)
    else:
        owner, day = at_table(state, seat, TARGETS[action, 1]), TARGETS[action, 2]
        take_from_hand(state, seat, kind)
        if kind == SPINOSAURUS or kind >= DINOSAURS:
            lay_on_table(state, kind, owner, day)
        else:
            place(state, seat, kind, owner, day)
            end_turn(state)


@kernel
def take_from_hand(state, seat, kind):
    """Takes a card out of a hand, for all to see."""
    state.hands[seat, kind] -= 1
    state.hand_size[seat] -= 1
    state.hidden[kind] -= 1
    state.known[seat, kind] = max(0, int(state.known[seat, kind]) - 1)


@kernel
def place(state, seat, kind, owner, day):
    """Places a dinosaur that needs no further choice, with what it does to its board."""
    if kind == GIGANOTOSAURUS:
        # "completely removes ALL other dinosaurs on the whole board"
        for other in range(WEEK):
            while state.height[owner, other] > 0:
                state.discards[lift(state, owner, other, 0)] += 1
    elif kind == TYRANNOSAURUS:
        # "scares away any adjacent dinosaurs"
        if day > 0:
            remove(state, owner, day - 1, 0)
        if day < WEEK - 1:
            remove(state, owner, day + 1, 0)
    elif kind == DIPLODOCUS_FRONT:
        # "you must play both front and rear together at the same time as a single turn"
        take_from_hand(state, seat, DIPLODOCUS_REAR)
        put(state, owner, day + 1, DIPLODOCUS_REAR)
    put(state, owner, day, kind)


@kernel
def put(state, seat, day, kind):
    """Puts a card on top of a day."""
    state.boards[seat, day, state.height[seat, day]] = kind
    state.height[seat, day] += 1


@kernel
def lift(state, seat, day, depth):
    """Takes the card at a depth (0 on top) out of a stack and returns its kind."""
    last = state.height[seat, day] - 1
    kind = int(state.boards[seat, day, last - depth])
    for level in range(last - depth, last):
        state.boards[seat, day, level] = state.boards[seat, day, level + 1]
    state.boards[seat, day, last] = 0
    state.height[seat, day] = last
    return kind


@kernel
def remove(state, seat, day, depth):
    """Discards the card at a depth of a day, if there is one; a diplodocus goes as a whole."""
    if state.height[seat, day] == 0:
        return
    kind = lift(state, seat, day, depth)
    state.discards[kind] += 1
    if kind == DIPLODOCUS_FRONT:
        state.discards[lift(state, seat, day + 1, 0)] += 1
    elif kind == DIPLODOCUS_REAR:
        state.discards[lift(state, seat, day - 1, 0)] += 1


@kernel
def lay_on_table(state, kind, owner, day):
    """Lays down a card that does something before it leaves the table, and asks how."""
    state.playing = kind
    state.target = owner
    state.day = day
    if kind == SCIENTIST:
        state.to_draw = LOOKED_AT
        draw_cards(state)
    elif kind == SPINOSAURUS:
        choose_own_day(state)
    elif kind == METEOR:
        if state.height[owner, day] > 1:
            state.phase = REMOVE
        else:
            strike(state, 0)
    elif state.height[state.active, day] > 1:
        state.phase = OWN_CARD
    else:
        choose_their_card(state)


@kernel
def choose_own_day(state):
    """Asks which "day on your board" a stolen dinosaur goes to, if more than one is empty."""
    empty_days, first = 0, 0
    for day in range(WEEK - 1, -1, -1):
        if state.height[state.active, day] == 0:
            empty_days += 1
            first = day
    if empty_days > 1:
        state.phase = OWN_DAY
    else:
        steal(state, first)


@kernel
def steal(state, own_day):
    """Leaves the spinosaurus in the place of the card on top, which goes to an own day."""
    stolen = lift(state, state.target, state.day, 0)
    put(state, state.target, state.day, SPINOSAURUS)
    put(state, state.active, own_day, stolen)
    leave_table(state)


@kernel
def strike(state, depth):
    """Lets the meteor hit: it "removes any dinosaur from any board"."""
    remove(state, state.target, state.day, depth)
    state.discards[METEOR] += 1
    leave_table(state)


@kernel
def choose_their_card(state):
    """Asks which card of the other stack is swapped, if it has more than one."""
    if state.height[state.target, state.day] > 1:
        state.phase = THEIR_CARD
    else:
        swap(state, 0)


@kernel
def swap(state, depth):
    """Exchanges the picked card with the one at a depth of the other stack, place for place."""
    seat, other, day = state.active, state.target, state.day
    own_level = state.height[seat, day] - 1 - state.picked
    level = state.height[other, day] - 1 - depth
    held = state.boards[seat, day, own_level]
    state.boards[seat, day, own_level] = state.boards[other, day, level]
    state.boards[other, day, level] = held
    state.discards[state.playing] += 1
    leave_table(state)


@kernel
def leave_table(state):
    """Ends the turn of a card that lay on the table."""
    state.playing = NO_KIND
    state.target = 0
    state.day = 0
    state.picked = 0
    end_turn(state)


# --- Drawing -----------------------------------------------------------------------------------


@kernel
def draw_cards(state):
    """Draws what is still to be drawn, unless somebody has to discard first."""
    seat = state.active
    while state.to_draw > 0:
        if state.pile_size == 0 and not refill(state):
            if state.phase == DISCARD:
                return
            break
        kind = take_from_pile(state)
        state.to_draw -= 1
        if state.playing == SCIENTIST:
            state.drawn[kind] += 1
        else:
            state.hands[seat, kind] += 1
            state.hand_size[seat] += 1
    looked_at = LOOKED_AT - state.to_draw
    state.to_draw = 0
    if state.playing != SCIENTIST:
        end_turn(state)
    elif looked_at == LOOKED_AT:
        state.phase = RETURN
    else:
        keep(state)


@kernel
def refill(state):
    """Shuffles the discards into the empty pile; False if that has to wait or there are none.

    "If cards are being hoarded and there are less than 3 cards to shuffle here, everyone must
    immediately discard to a hand of 5, shuffle the discards and continue": then the phase is
    DISCARD and the next hoarder, from the active seat on, is to decide.
    """
    count = 0
    for kind in range(len(KINDS)):
        count += state.discards[kind]
    if state.phase == DISCARD or count < FEW_DISCARDS:
        for place in range(state.num_players):
            seat = at_table(state, state.active, place)
            if state.hand_size[seat] > HOARD:
                state.phase = DISCARD
                state.current_player = seat
                return False
    state.phase = CHOOSE
    state.current_player = state.active
    if count == 0:
        return False
    learn_hands(state)
    shuffle_discards(state)
    return True


@kernel
def learn_hands(state):
    """Notes that two players know each other's hands when the pile is empty.

    Each sees all cards but the other's. The scientist's drawn cards would be mixed up with the
    hand of the player who drew them.
    """
    if state.num_players != 2:
        return
    drawn = 0
    for kind in range(len(KINDS)):
        drawn += state.drawn[kind]
    for seat in range(2):
        if drawn == 0 or seat != state.active:
            for kind in range(len(KINDS)):
                state.known[seat, kind] = state.hands[seat, kind]


@kernel
def discard(state, seat, kind):
    """Moves a card from a hand to the discards."""
    take_from_hand(state, seat, kind)
    state.discards[kind] += 1


@kernel
def give_back(state, kind):
    """Discards the drawn card that was not selected, and keeps the others."""
    state.drawn[kind] -= 1
    state.hidden[kind] -= 1
    state.discards[kind] += 1
    keep(state)


@kernel
def keep(state):
    """Takes the drawn cards into the hand; "this card" goes "onto the discard pile"."""
    seat = state.active
    for kind in range(len(KINDS)):
        state.hands[seat, kind] += state.drawn[kind]
        state.hand_size[seat] += state.drawn[kind]
        state.drawn[kind] = 0
    state.discards[SCIENTIST] += 1
    leave_table(state)


# --- The end -----------------------------------------------------------------------------------


@kernel
def end_turn(state):
    """Counts the points; the game ends "when one player has a dinosaur on every day"."""
    players = state.num_players
    state.phase = CHOOSE
    state.turns += 1
    for seat in range(players):
        points, filled = 0, 0
        for day in range(WEEK):
            if state.height[seat, day] > 0:
                points += POINTS[top(state, seat, day)]
                filled += 1
        state.score[seat] = points
        if filled == WEEK:
            state.ending = TERMINATED
    if state.ending == TERMINATED:
        return
    if state.turns >= state.max_turns * players:
        state.ending = TRUNCATED
        return
    state.active = at_table(state, state.active, 1)
    state.current_player = state.active


# --- What is hidden ----------------------------------------------------------------------------


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
