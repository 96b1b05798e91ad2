"""The rules of Dino Days, compiled: the deal, what actions do, the end. Quotes: the rulebook's."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import TERMINATED, TRUNCATED
from dino_envs.engine.stream import shuffle
from dino_envs.games.dino_days.boards import clear, lift, put, remove, top
from dino_envs.games.dino_days.cards import (
    DINOSAURS,
    DIPLODOCUS_FRONT,
    DIPLODOCUS_REAR,
    GIGANOTOSAURUS,
    KINDS,
    METEOR,
    POINTS,
    SCIENTIST,
    SPINOSAURUS,
    TYRANNOSAURUS,
    WEEK,
)
from dino_envs.games.dino_days.layout import (
    CHOOSE,
    DISCARD,
    DRAW,
    FEW_DISCARDS,
    FIRST_DISCARD,
    FIRST_OWN_CARD,
    FIRST_OWN_DAY,
    FIRST_REMOVE,
    FIRST_THEIR_CARD,
    HOARD,
    LOOKED_AT,
    NO_KIND,
    OWN_CARD,
    OWN_DAY,
    REMOVE,
    RETURN,
    START_CARDS,
    TARGETS,
    THEIR_CARD,
)
from dino_envs.games.dino_days.legal import at_table

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


# --- What happens ------------------------------------------------------------------------------


@kernel
def step(state, action):
    """Plays one decision: the action of a turn, or one of the choices that a card brings."""
    phase = state.phase
    if phase == CHOOSE:
        choose(state, action)
    elif phase == OWN_CARD:
        state.picked = action - FIRST_OWN_CARD
        choose_their_card(state)
    elif phase == THEIR_CARD:
        swap(state, action - FIRST_THEIR_CARD)
    elif phase == REMOVE:
        strike(state, action - FIRST_REMOVE)
    elif phase == OWN_DAY:
        steal(state, action - FIRST_OWN_DAY)
    elif phase == RETURN:
        give_back(state, action - FIRST_DISCARD)
    else:
        discard(state, state.current_player, action - FIRST_DISCARD)
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
        clear(state, owner)
    elif kind == TYRANNOSAURUS:
        # "scares away any adjacent dinosaurs"
        remove(state, owner, day - 1, 0)
        remove(state, owner, day + 1, 0)
    elif kind == DIPLODOCUS_FRONT:
        # "you must play both front and rear together at the same time as a single turn"
        take_from_hand(state, seat, DIPLODOCUS_REAR)
        put(state, owner, day + 1, DIPLODOCUS_REAR)
    put(state, owner, day, kind)


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
