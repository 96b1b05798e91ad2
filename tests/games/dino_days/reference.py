"""Plays Dino Days slowly and plainly, written from the rulebook only, for lock-step tests.

Quotes in double quotation marks are the rulebook's (dino_days.txt); "D5" and the like name the
rulings (dino_days.md). A card is the name of its kind. In a stack the last card is the top one;
in the deck too.
"""

from collections.abc import Callable

DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

KINDS = [
    "giganotosaurus", "diplodocus_front", "diplodocus_rear", "tyrannosaurus", "spinosaurus",
    "dilophosaurus", "triceratops", "pteranodon", "stegosaurus", "baryonyx", "microraptor",
    "scientist", "nest", "volcano", "skeleton", "eggs", "meteor",
]  # fmt: skip

DECK = {
    "giganotosaurus": 2, "diplodocus_front": 2, "diplodocus_rear": 2, "tyrannosaurus": 2,
    "spinosaurus": 3, "dilophosaurus": 3, "triceratops": 3, "pteranodon": 4, "stegosaurus": 4,
    "baryonyx": 4, "microraptor": 3, "scientist": 2, "nest": 1, "volcano": 1, "skeleton": 1,
    "eggs": 1, "meteor": 2,
}  # fmt: skip

# "A twelve-point dinosaur" is for both halves together (D6).
POINTS = {
    "giganotosaurus": 10, "diplodocus_front": 12, "diplodocus_rear": 0, "tyrannosaurus": 7,
    "spinosaurus": 5, "dilophosaurus": 5, "triceratops": 3, "pteranodon": 2, "stegosaurus": 2,
    "baryonyx": 1, "microraptor": 0,
}  # fmt: skip

DIPLODOCUS = ["diplodocus_front", "diplodocus_rear"]

# Dinosaurs that go on an empty day of one's own board, and the days they may go on.
OWN_DAYS = {
    "dilophosaurus": ["tue", "wed", "thu", "fri", "sat", "sun"],
    "triceratops": ["sun"],
    "pteranodon": ["mon", "tue", "wed"],
    "stegosaurus": ["thu", "fri", "sat"],
    "baryonyx": DAYS,
}

SWAP_DAYS = {
    "nest": ["mon", "tue"],
    "volcano": ["wed", "thu"],
    "skeleton": ["fri", "sat"],
    "eggs": ["sun"],
}

CARDS_DEALT = 4
SCIENTIST_DRAWS = 3
SCARCE_DISCARDS = 3  # "less than 3 cards to shuffle"
HOARD = 5  # "everyone must immediately discard to a hand of 5"
MAX_STACK = 8  # our own limit


def in_kinds_order(cards: list[str]) -> list[str]:
    """Sorts cards by the order of KINDS."""
    return sorted(cards, key=KINDS.index)


def neighbours(day: str) -> list[str]:
    """Lists the days beside this one: the week is a line, Sunday is not beside Monday (D2)."""
    index = DAYS.index(day)
    return [DAYS[i] for i in (index - 1, index + 1) if 0 <= i < len(DAYS)]


def day_after(day: str) -> str:
    """Names the next day of the week. The day must not be Sunday."""
    return DAYS[DAYS.index(day) + 1]


def day_before(day: str) -> str:
    """Names the previous day of the week. The day must not be Monday."""
    return DAYS[DAYS.index(day) - 1]


class Reference:
    """Holds one game."""

    # Of the turn now being played.
    playing: str | None
    target_seat: int  # this and the day mean something only while playing a card
    target_day: str
    own_number: int | None  # counted from the top of the stack, which is 1
    their_number: int | None
    drawn: list[str]
    draws_left: int
    hoarding: bool  # whether all must discard down to five before the deck is made anew

    def __init__(
        self, num_players: int, shuffle: Callable[[list[str]], list[str]],
        composition: dict[str, int] = DECK, max_turns: int = 100,
    ) -> None:  # fmt: skip
        """Deals the cards and lets seat 0 begin.

        `shuffle(cards)` gives the same cards in a random order and is the only chance.
        `composition` counts the cards of one deck. `max_turns` is for each player. Raises
        ValueError if there are not 2 to 4 players, or not enough cards to deal.
        """
        if num_players not in (2, 3, 4):
            raise ValueError(f"num_players must be 2, 3 or 4, not {num_players}")
        self.num_players, self.shuffle = num_players, shuffle
        self.max_turns = max_turns
        self.boards: list[dict[str, list[str]]] = [
            {day: [] for day in DAYS} for _ in range(num_players)
        ]
        self.discards: list[str] = []
        self.deal(composition)
        self.scores = [0] * num_players
        self.turns = 0
        self.terminated = False
        self.truncated = False
        self.begin_turn(0)

    def deal(self, composition: dict[str, int]) -> None:
        """Deals "a Giganotosaurus card and 4 play cards to each player".

        "using 1 deck for 2 players, more if you have more players": one for every two seats,
        rounded up; "Separate out the Giganotosaurus cards": the spare ones are out of the game
        (D19).
        """
        decks = (self.num_players + 1) // 2
        cards = [kind for kind in KINDS for _ in range(decks * composition.get(kind, 0))]
        play_cards = [card for card in cards if card != "giganotosaurus"]
        if cards.count("giganotosaurus") < self.num_players:
            raise ValueError("there is not a giganotosaurus for every seat")
        if len(play_cards) < CARDS_DEALT * self.num_players:
            raise ValueError("there are not four play cards for every seat")
        self.deck = list(self.shuffle(play_cards))
        self.hands = [["giganotosaurus"] for _ in range(self.num_players)]
        for hand in self.hands:
            for _ in range(CARDS_DEALT):
                hand.append(self.deck.pop())

    # What may be done.

    def legal_actions(self) -> set[str]:
        """Lists what the current player may do; nothing once the game is over."""
        phase = self.phase()
        if phase == "over":
            return set()
        if phase == "discard down":
            return {f"discard {kind}" for kind in self.hands[self.current_player]}
        if phase == "choose":
            return self.choices()
        if phase == "discard drawn":
            return {f"discard {kind}" for kind in self.drawn}
        if phase == "own_day":
            return {f"own_day {day}" for day in self.empty_days(self.active)}
        # What is left is to pick a card of one stack: "own_card", "their_card" or "remove".
        seat = self.active if phase == "own_card" else self.target_seat
        stack = self.boards[seat][self.target_day]
        return {f"{phase} {number}" for number in range(1, len(stack) + 1)}

    def phase(self) -> str:
        """Names the present decision."""
        if self.terminated or self.truncated:
            return "over"
        if self.hoarders():
            return "discard down"
        if self.playing is None:
            return "choose"
        if self.playing == "scientist":
            return "discard drawn"
        if self.playing == "spinosaurus":
            return "own_day"
        if self.playing == "meteor":
            return "remove"
        return "own_card" if self.own_number is None else "their_card"

    def choices(self) -> set[str]:
        """Lists what the active player may do with a turn: "Draw a card OR Play a card".

        A card needs a legal target (D21). One passes only if there is nothing else (D1).
        """
        hand = self.hands[self.active]
        choices: set[str] = set()
        if self.cards_can_be_had(self.hands):
            choices.add("draw")
        for kind in set(hand):
            choices |= self.ways_to_play(kind)
        return choices or {"pass"}

    def cards_can_be_had(self, hands: list[list[str]]) -> bool:
        """Tells whether a draw would find a card: in the deck, the discards or a hoard (D15)."""
        hoarded = any(len(hand) > HOARD for hand in hands)
        return len(self.deck) > 0 or len(self.discards) > 0 or hoarded

    def ways_to_play(self, kind: str) -> set[str]:
        """Lists the actions that play this card out of the active player's hand."""
        if kind in ("giganotosaurus", "tyrannosaurus"):
            return self.ways_on_any_board(kind, self.is_empty)
        if kind == "microraptor":
            return self.ways_on_any_board(kind, self.may_be_covered)
        if kind == "meteor":
            return self.ways_on_any_board(kind, self.is_occupied)
        if kind == "spinosaurus":
            return self.ways_on_opponents(kind, DAYS, self.may_be_stolen)
        if kind in SWAP_DAYS:
            return self.ways_on_opponents(kind, SWAP_DAYS[kind], self.may_be_swapped)
        if kind in DIPLODOCUS:
            return self.ways_to_play_diplodocus()
        if kind == "scientist":
            return self.ways_to_play_scientist()
        return {f"{kind} {day}" for day in OWN_DAYS[kind] if self.may_be_put(kind, day)}

    def ways_on_any_board(self, kind: str, allowed: Callable[[int, str], bool]) -> set[str]:
        """Names the allowed days of all boards: "ANY BOARD means yours or an opponents' board"."""
        own = {f"{kind} own {day}" for day in DAYS if allowed(self.active, day)}
        return own | self.ways_on_opponents(kind, DAYS, allowed)

    def ways_on_opponents(
        self, kind: str, days: list[str], allowed: Callable[[int, str], bool]
    ) -> set[str]:
        """Names the allowed ones of these days on the opponents' boards."""
        return {
            f"{kind} {onward} {day}"
            for onward in range(1, self.num_players)
            for day in days
            if allowed(self.seat_of(str(onward)), day)
        }

    def ways_to_play_diplodocus(self) -> set[str]:
        """Names the days for the front: "you must play both front and rear together", "filling
        two adjacent days on your own board" (D6).
        """
        if not all(half in self.hands[self.active] for half in DIPLODOCUS):
            return set()
        empty = self.empty_days(self.active)
        return {
            f"diplodocus {day}" for day in DAYS[:-1] if day in empty and day_after(day) in empty
        }

    def ways_to_play_scientist(self) -> set[str]:
        """Tells that the scientist can be played if there will be a card to draw.

        By then the scientist itself lies on the table, not in its owner's hand (D13).
        """
        hands = [list(hand) for hand in self.hands]
        hands[self.active].remove("scientist")
        return {"scientist"} if self.cards_can_be_had(hands) else set()

    def may_be_put(self, kind: str, day: str) -> bool:
        """Tells whether this day of one's own board takes this dinosaur: it must be empty.

        The dilophosaurus "has to be played to the immediate right of any other dinosaur on your
        own board" (D9).
        """
        if not self.is_empty(self.active, day):
            return False
        if kind == "dilophosaurus":
            return self.is_occupied(self.active, day_before(day))
        return True

    def may_be_covered(self, seat: int, day: str) -> bool:
        """Tells whether a microraptor may go here: "on top of any dinosaur on any board other
        than the diplodocus" (D10), on a stack that is not at our limit.
        """
        return self.has_other_than_diplodocus(seat, day) and len(self.boards[seat][day]) < MAX_STACK

    def may_be_stolen(self, seat: int, day: str) -> bool:
        """Tells whether a spinosaurus may go here: "any opponent's dinosaur other then
        diplodocus", for which there must be an empty day on one's own board (D8).
        """
        return self.has_other_than_diplodocus(seat, day) and len(self.empty_days(self.active)) > 0

    def may_be_swapped(self, seat: int, day: str) -> bool:
        """Tells whether this day can be swapped with one's own: "both days have to be occupied.
        Cannot be used on diplodocus" (D11).
        """
        return self.has_other_than_diplodocus(seat, day) and self.has_other_than_diplodocus(
            self.active, day
        )

    def has_other_than_diplodocus(self, seat: int, day: str) -> bool:
        """Tells whether the top card of this day is a dinosaur but no diplodocus.

        Nothing lies on or beneath a diplodocus (D7), so the top card tells for the whole stack.
        """
        return self.is_occupied(seat, day) and self.boards[seat][day][-1] not in DIPLODOCUS

    def is_empty(self, seat: int, day: str) -> bool:
        """Tells whether no card lies on this day."""
        return len(self.boards[seat][day]) == 0

    def is_occupied(self, seat: int, day: str) -> bool:
        """Tells whether a card lies on this day."""
        return not self.is_empty(seat, day)

    def empty_days(self, seat: int) -> list[str]:
        """Lists the days of this seat's board that no card lies on."""
        return [day for day in DAYS if self.is_empty(seat, day)]

    def seat_of(self, board: str) -> int:
        """Finds the seat that "own" or a number of seats onward from the active one names."""
        onward = 0 if board == "own" else int(board)
        return (self.active + onward) % self.num_players

    # Doing it.

    def step(self, name: str) -> None:
        """Plays one action. Raises ValueError if it is not legal now."""
        if name not in self.legal_actions():
            raise ValueError(f"{name!r} is not legal; legal: {sorted(self.legal_actions())}")
        phase = self.phase()
        words = name.split()
        if phase == "discard down":
            self.discard_down(words[1])
        elif phase == "choose":
            self.choose(words)
        elif phase == "discard drawn":
            self.discard_drawn(words[1])
        elif phase == "own_day":
            self.steal_to(words[1])
        elif phase == "remove":
            self.remove(int(words[1]))
        elif phase == "own_card":
            self.own_number = int(words[1])
            self.go_on_swapping()
        else:
            self.their_number = int(words[1])
            self.go_on_swapping()
        self.scores = [self.score(seat) for seat in range(self.num_players)]

    def choose(self, words: list[str]) -> None:
        """Begins the action of a turn; the ones without further choices end it too."""
        kind = words[0]
        if kind == "pass":
            self.end_turn()
        elif kind == "draw":
            self.draws_left = 1
            self.go_on_drawing()
        elif kind == "diplodocus":
            self.play_diplodocus(words[1])
        elif kind in OWN_DAYS:
            self.play_dinosaur(kind, self.active, words[1])
        elif kind in ("giganotosaurus", "tyrannosaurus", "microraptor"):
            self.play_dinosaur(kind, self.seat_of(words[1]), words[2])
        elif kind == "scientist":
            self.lay_on_table(kind)
            self.draws_left = SCIENTIST_DRAWS
            self.go_on_drawing()
        else:
            self.lay_on_table(kind)
            self.target_seat, self.target_day = self.seat_of(words[1]), words[2]
            self.go_on_playing()

    def lay_on_table(self, kind: str) -> None:
        """Takes the card from the hand until its further choices are made."""
        self.hands[self.active].remove(kind)
        self.playing = kind

    def go_on_playing(self) -> None:
        """Does without the first further choice where there is only one way."""
        if self.playing == "spinosaurus":
            empty = self.empty_days(self.active)
            if len(empty) == 1:
                self.steal_to(empty[0])
        elif self.playing == "meteor":
            if len(self.boards[self.target_seat][self.target_day]) == 1:
                self.remove(1)
        else:
            self.go_on_swapping()

    def play_dinosaur(self, kind: str, seat: int, day: str) -> None:
        """Puts a dinosaur from the hand on a day, with what it does to the others there."""
        self.hands[self.active].remove(kind)
        if kind == "giganotosaurus":
            self.remove_all(seat)
        if kind == "tyrannosaurus":
            self.scare_neighbours(seat, day)
        self.boards[seat][day].append(kind)
        self.end_turn()

    def play_diplodocus(self, day: str) -> None:
        """Puts the front on this day and the rear on the next, "as a single turn" (D6)."""
        for half, half_day in [("diplodocus_front", day), ("diplodocus_rear", day_after(day))]:
            self.hands[self.active].remove(half)
            self.boards[self.active][half_day].append(half)
        self.end_turn()

    def remove_all(self, seat: int) -> None:
        """Discards whole stacks, diplodocus too: the giganotosaurus "completely removes ALL
        other dinosaurs on the whole board" (D4).
        """
        for day in DAYS:
            self.discards += self.boards[seat][day]
            self.boards[seat][day] = []

    def scare_neighbours(self, seat: int, day: str) -> None:
        """Discards the top card of each day beside: the tyrannosaurus "scares away any adjacent
        dinosaurs", "even a diplodocus or giganotosaurus" (D5).
        """
        for beside in neighbours(day):
            if self.is_occupied(seat, beside):
                self.discard_from_board(seat, beside, 1)

    def discard_from_board(self, seat: int, day: str, number: int) -> None:
        """Discards the number-th card from the top of a stack; a diplodocus goes as a whole."""
        stack = self.boards[seat][day]
        card = stack.pop(len(stack) - number)
        self.discards.append(card)
        if card == "diplodocus_front":
            self.discards.append(self.boards[seat][day_after(day)].pop())
        if card == "diplodocus_rear":
            self.discards.append(self.boards[seat][day_before(day)].pop())

    def remove(self, number: int) -> None:
        """Lets the meteor remove "any dinosaur from any board. It does not have to be the top
        dinosaur and it can be a diplodocus" (D12).
        """
        self.discard_from_board(self.target_seat, self.target_day, number)
        self.end_special_card()

    def steal_to(self, day: str) -> None:
        """Takes the target's top card to this own day, "leaving the spinosaurus with them" (D8).

        Nothing is triggered: "Card placement rules only apply when first placed, not when
        stealing cards."
        """
        stack = self.boards[self.target_seat][self.target_day]
        self.boards[self.active][day].append(stack.pop())
        stack.append("spinosaurus")
        self.end_turn()

    def go_on_swapping(self) -> None:
        """Swaps once both cards are known; a stack of one card leaves no choice (D11).

        "Swap either your Monday or Tuesday dinosaur with another dinosaur on the same day of
        another player. It does not have to be the top dinosaur": the two exchange positions.
        """
        mine = self.boards[self.active][self.target_day]
        theirs = self.boards[self.target_seat][self.target_day]
        if self.own_number is None and len(mine) == 1:
            self.own_number = 1
        if self.own_number is None:
            return
        if self.their_number is None and len(theirs) == 1:
            self.their_number = 1
        if self.their_number is None:
            return
        my_index = len(mine) - self.own_number
        their_index = len(theirs) - self.their_number
        my_card, their_card = mine[my_index], theirs[their_index]
        mine[my_index], theirs[their_index] = their_card, my_card
        self.end_special_card()

    def end_special_card(self) -> None:
        """Discards the card just played, "after taking the action", and ends the turn."""
        assert self.playing is not None
        self.discards.append(self.playing)
        self.end_turn()

    # Drawing.

    def go_on_drawing(self) -> None:
        """Draws what is still to draw, unless others must decide what they discard first.

        "If the deck runs out, shuffle the discards and keep going", when a card must be drawn
        from an empty deck (D14). "If cards are being hoarded and there are less than 3 cards to
        shuffle here, everyone must immediately discard to a hand of 5, shuffle the discards and
        continue" (D15).
        """
        while self.draws_left > 0:
            if not self.deck and len(self.discards) < SCARCE_DISCARDS:
                self.hoarding = True
                if self.hoarders():
                    self.current_player = self.hoarders()[0]
                    return
                self.hoarding = False
            if not self.deck and self.discards:
                self.deck = list(self.shuffle(in_kinds_order(self.discards)))
                self.discards = []
            if self.deck:
                self.drawn.append(self.deck.pop())
                self.draws_left -= 1
            else:
                self.draws_left = 0
        self.keep_drawn()

    def hoarders(self) -> list[int]:
        """Lists the seats that must discard now, in their order: the active one first."""
        if not self.hoarding:
            return []
        order = [(self.active + onward) % self.num_players for onward in range(self.num_players)]
        return [seat for seat in order if len(self.hands[seat]) > HOARD]

    def discard_down(self, kind: str) -> None:
        """Discards one hoarded card; after the last one the drawing goes on.

        The discards may still be less than 3 then, but nobody hoards any more.
        """
        self.hands[self.current_player].remove(kind)
        self.discards.append(kind)
        if self.hoarders():
            self.current_player = self.hoarders()[0]
        else:
            self.hoarding = False
            self.current_player = self.active
            self.go_on_drawing()

    def keep_drawn(self) -> None:
        """Takes the drawn cards into the hand, unless the scientist found three (D13)."""
        if len(self.drawn) == SCIENTIST_DRAWS:
            return
        self.hands[self.active] += self.drawn
        self.drawn = []
        if self.playing == "scientist":
            self.end_special_card()
        else:
            self.end_turn()

    def discard_drawn(self, kind: str) -> None:
        """Keeps two of the three: "The non-selected card and this card go onto the discard
        pile".
        """
        self.drawn.remove(kind)
        self.discards.append(kind)
        self.keep_drawn()

    # Turns and the end.

    def begin_turn(self, seat: int) -> None:
        """Gives the turn to this seat."""
        self.active = seat
        self.current_player = seat
        self.clear_table()

    def clear_table(self) -> None:
        """Forgets the choices of a turn."""
        self.playing = None
        self.target_seat, self.target_day = 0, ""
        self.own_number, self.their_number = None, None
        self.drawn = []
        self.draws_left = 0
        self.hoarding = False

    def end_turn(self) -> None:
        """Ends the game by the rules, else by the cap on turns (D24), else goes to the next seat.

        "The game ends when one player has a dinosaur on every day of the week", whoever filled
        that board (D16).
        """
        self.clear_table()
        self.turns += 1
        if any(not self.empty_days(seat) for seat in range(self.num_players)):
            self.terminated = True
        elif self.turns >= self.max_turns * self.num_players:
            self.truncated = True
        else:
            self.begin_turn((self.active + 1) % self.num_players)

    def score(self, seat: int) -> int:
        """Adds up the top cards of a board: a card on top is "covering over its score" (D17)."""
        tops = [self.boards[seat][day][-1] for day in DAYS if self.is_occupied(seat, day)]
        return sum(POINTS[card] for card in tops)

    def returns(self) -> list[float]:
        """Shares +1 among the winners and -1 among the losers; all tied is 0 each.

        "You then add up the scores to see who wins." Raises RuntimeError before the end.
        """
        if not (self.terminated or self.truncated):
            raise RuntimeError("returns exist once the game is over")
        seats = range(self.num_players)
        winners = [seat for seat in seats if self.scores[seat] == max(self.scores)]
        losers = self.num_players - len(winners)
        if losers == 0:
            return [0.0] * self.num_players
        return [1.0 / len(winners) if seat in winners else -1.0 / losers for seat in seats]
