"""Plays T-Rex's Holiday slowly and plainly, written from the rulebook only, for lock-step tests.

Quotes in double quotation marks are the rulebook's (trex_holiday.txt); "A5" and the like name the
rulings (trex_holiday.md). Faces are ints 1..6. A filled space is a pair: its number and whether
a biscuit has shaded it. In the names of actions everything is counted from 1.
"""

from collections.abc import Callable
from typing import Any

Spaces = list[tuple[int, bool]]

ROOMS = ["areas", "cars", "cans", "streamer"]

SHEET: dict[str, Any] = {
    "areas": [
        {"size": 2, "plus": 0, "times": 1},  # stack A
        {"size": 3, "plus": 2, "times": 1},  # stack B
        {"size": 4, "plus": 0, "times": 2},  # stack C
        {"size": 2, "plus": 0, "times": 1},  # post A
        {"size": 3, "plus": 2, "times": 1},  # post B
        {"size": 4, "plus": 0, "times": 2},  # cat-house
    ],
    "streamer": ["box", "biscuit", "box", "biscuit", "box", "biscuit"],
    "grey": {"areas": [1, 4], "cars": [2, 5], "cans": [3, 6], "streamer": [1, 6]},
}

FACES = [1, 2, 3, 4, 5, 6]
DICE = 3
ROWS = 3
CARS = 6
SETS = 3
CANS = 4
CAR_POINTS = [0, 1, 3, 6, 10, 15]  # "0, 1, 3, 6, 10, 15 for positions 1 to 6"
CAN_POINTS = {14: 5, 15: 2}  # "5 points if ... 14; else ... 2 points if they add up to 15"


def active_numbers(spaces: Spaces) -> list[int]:
    """Lists the numbers that are not shaded: shading is "nullifying the number in it"."""
    return [number for number, shaded in spaces if not shaded]


def has_shaded(spaces: Spaces) -> bool:
    """Tells whether a biscuit was used here."""
    return any(shaded for _, shaded in spaces)


def ascend(numbers: list[int]) -> bool:
    """Tells whether numbers are "in ascending order (numbers cannot be identical)"."""
    return all(numbers[i] < numbers[i + 1] for i in range(len(numbers) - 1))


def descend(numbers: list[int], allow_equal: bool) -> bool:
    """Tells whether numbers are "in descending order (large to small)".

    Equal ones are a violation unless the option allows them (A8).
    """
    for i in range(len(numbers) - 1):
        if numbers[i] < numbers[i + 1]:
            return False
        if numbers[i] == numbers[i + 1] and not allow_equal:
            return False
    return True


def score_area(area: Spaces, size: int, plus: int, times: int) -> int:
    """Scores a stack, a post or a cat-house set.

    "If a scoring area is filled with all the same number (ignoring any shaded numbers due to
    biscuits), score the number of points equal to the number filled plus any bonus points or
    multipliers." It must be full (A15); a shaded number fills its space (A14). If the only
    number is shaded, there is no number to score.
    """
    numbers = active_numbers(area)
    if len(area) < size or len(set(numbers)) != 1:
        return 0
    return numbers[0] * times + plus


def score_cars(row: Spaces) -> int:
    """Scores a row of cars: "Wherever the row of ascending numbers legally ends, use that last
    box to look up the number of points".

    Shaded boxes are no end of a run, but they count as positions (A10).
    """
    points = 0
    last = 0
    for index in range(len(row)):
        number, shaded = row[index]
        if shaded:
            continue
        if number <= last:
            break
        last = number
        points = CAR_POINTS[index]
    return points


def score_cans(cans: Spaces) -> int:
    """Scores a set of cans: "If the total numbers within a set of cans adds up to 14 or 15".

    It must be full; a shaded can counts as filled, its number does not count (A16).
    """
    if len(cans) < CANS:
        return 0
    return CAN_POINTS.get(sum(active_numbers(cans)), 0)


class Sheet:
    """Holds what one seat has written."""

    def __init__(self, layout: dict[str, Any], carp_allow_equal: bool) -> None:
        """Begins with nothing filled."""
        self.layout, self.carp_allow_equal = layout, carp_allow_equal
        self.areas: list[Spaces] = [[] for _ in layout["areas"]]
        self.cars: list[Spaces] = [[] for _ in range(ROWS)]
        self.crossed = [False] * ROWS  # rows of cars that a 6 has ended
        self.cans: list[Spaces] = [[] for _ in range(SETS)]
        self.streamer: Spaces = []
        # Beneath the streamer; None also where there is no box, or nothing in it yet.
        self.boxes: list[int | str | None] = [None for _ in layout["streamer"]]

    # Which spaces are open.

    def open_targets(self) -> dict[str, str]:
        """Names the targets that can be filled, each with its room.

        Which they are never depends on the number: one that breaks the order may be filled in,
        "deliberately" too (A2).
        """
        targets = {}
        for index in range(len(self.areas)):
            if len(self.areas[index]) < self.layout["areas"][index]["size"]:
                targets[f"area_{index + 1}"] = "areas"
        for index in range(ROWS):
            if self.cars_open(index):
                targets[f"cars_{index + 1}"] = "cars"
        if self.open_set() is not None:
            targets["cans"] = "cans"
        if self.streamer_open():
            targets["streamer"] = "streamer"
        return targets

    def cars_open(self, index: int) -> bool:
        """Tells whether a row of cars takes another number.

        "If a number filled is equal to or less than a number in the same row, no more subsequent
        numbers can be filled in that row. Note using a biscuit can rectify this": the active
        numbers must ascend (A9). After a 6, which "You cannot use a biscuit to undo", it never
        does.
        """
        row = self.cars[index]
        return len(row) < CARS and not self.crossed[index] and ascend(active_numbers(row))

    def open_set(self) -> int | None:
        """Finds the one open set of cans (A17): "The left set must be filled before starting on
        the middle set, which must be filled before starting on the right set."
        """
        for index in range(SETS):
            if len(self.cans[index]) < CANS:
                return index
        return None

    def streamer_open(self) -> bool:
        """Tells whether the streamer takes another number.

        "If the numbers in the carp streamer are no longer descending after filling, no more
        numbers can be filled into that row", until a biscuit makes them descend again (A9).
        """
        return len(self.streamer) < len(self.boxes) and self.streamer_descends()

    def streamer_descends(self) -> bool:
        """Tells whether the active numbers of the streamer are in order."""
        return descend(active_numbers(self.streamer), self.carp_allow_equal)

    # Filling them.

    def fill(self, number: int, target: str) -> bool:
        """Writes a number in the leftmost empty space of an open target.

        Tells whether that brings a biscuit.
        """
        if target == "streamer":
            return self.fill_streamer(number)
        if target == "cans":
            index = self.open_set()
            assert index is not None
            self.cans[index].append((number, False))
            return False
        kind, place = target.split("_")
        if kind == "cars":
            return self.fill_cars(number, int(place) - 1)
        self.areas[int(place) - 1].append((number, False))
        return False

    def fill_cars(self, number: int, index: int) -> bool:
        """Writes a number in a row of cars.

        "If a player fills a "6", they must cross off the rest of the spaces in that row and will
        receive a biscuit", in the sixth box too (A11).
        """
        self.cars[index].append((number, False))
        if number == 6:
            self.crossed[index] = True
        return number == 6

    def fill_streamer(self, number: int) -> bool:
        """Writes a number in the streamer.

        "The numbers in violation of the rule (always descending) will not score nor provide any
        biscuits" (A20). "If a number that violates the descending rule has a scoring box
        underneath it, cross out the scoring box", for ever (A19). An open streamer was in order
        before this number.
        """
        index = len(self.streamer)
        beneath = self.layout["streamer"][index]
        self.streamer.append((number, False))
        if self.streamer_descends():
            return bool(beneath == "biscuit")
        if beneath == "box":
            self.boxes[index] = "crossed"
        return False

    def write_boxes(self, trex: int) -> None:
        """Writes the T-Rex number in the boxes that wait for it.

        "If the space you fill has an empty space underneath, that empty space will be filled by
        the number from that round's T-Rex die" (A18). One waits if the number above is filled and
        was no violator, even if it has been shaded since (A19).
        """
        for index in range(len(self.streamer)):
            if self.layout["streamer"][index] == "box" and self.boxes[index] is None:
                self.boxes[index] = trex

    # Biscuits.

    def shadeable(self) -> set[str]:
        """Names the numbers a biscuit may shade.

        "You can only use biscuits on a space that has already been filled." "Only 1 biscuit can
        be used in each scoring area (e.g., 1 cat scratching post, 1 row of cars, 1 set of cans,
        or the bottom row of carp streamers)" (A12, A13).
        """
        names = set()
        for kind, groups in [("area", self.areas), ("cans", self.cans)]:
            for index in range(len(groups)):
                if not has_shaded(groups[index]):
                    for number in active_numbers(groups[index]):
                        names.add(f"shade {kind}_{index + 1} {number}")
        for index in range(ROWS):
            if not has_shaded(self.cars[index]):
                for position in range(len(self.cars[index])):
                    names.add(f"shade cars_{index + 1} {position + 1}")
        if not has_shaded(self.streamer):
            for position in range(len(self.streamer)):
                names.add(f"shade streamer {position + 1}")
        return names

    def shade(self, target: str, which: int) -> None:
        """Shades a number: by its position in a row, else by the number itself.

        Of equal numbers in an area or a set it is the one filled first; that makes no difference.
        """
        if target == "streamer":
            spaces, index = self.streamer, which - 1
        else:
            kind, place = target.split("_")
            groups = {"area": self.areas, "cars": self.cars, "cans": self.cans}[kind]
            spaces = groups[int(place) - 1]
            index = which - 1 if kind == "cars" else spaces.index((which, False))
        spaces[index] = (spaces[index][0], True)

    # Points.

    def scores_by_room(self) -> dict[str, int]:
        """Adds up the points of each room as the sheet stands."""
        areas = zip(self.areas, self.layout["areas"], strict=True)
        return {
            "areas": sum(score_area(a, x["size"], x["plus"], x["times"]) for a, x in areas),
            "cars": sum(score_cars(row) for row in self.cars),
            "cans": sum(score_cans(cans) for cans in self.cans),
            "streamer": sum(box for box in self.boxes if isinstance(box, int)),
        }


class Reference:
    """Holds one game."""

    def __init__(
        self, num_players: int, draw: Callable[[int], int], sheet: dict[str, Any] = SHEET,
        grey: str = "printed", carp_allow_equal: bool = False, max_rounds: int = 60,
    ) -> None:  # fmt: skip
        """Makes the grey numbers and lets seat 0 roll.

        `draw(n)` gives a uniform int in 0..n-1 and is the only chance. Raises ValueError if there
        are not 1 to 8 players, or `grey` is not "printed", "shared" or "personal", or a number is
        printed in every room and the grey numbers are to be drawn.
        """
        if num_players not in range(1, 9):
            raise ValueError(f"num_players must be 1 to 8, not {num_players}")
        self.num_players, self.draw = num_players, draw
        self.max_rounds = max_rounds
        self.sheets = [Sheet(sheet, carp_allow_equal) for _ in range(num_players)]
        self.grey = self.make_grey(grey, sheet["grey"])
        self.rounds = 0
        self.end_triggered = False
        self.terminated = False
        self.truncated = False
        self.begin_round(0)

    # Grey numbers.

    def make_grey(self, grey: str, printed: dict[str, list[int]]) -> list[dict[str, list[int]]]:
        """Gives each seat the two numbers of each room.

        "Everyone can also decide whether to use the same setting, or for everyone to have their
        own custom set of numbers for each room."
        """
        if grey not in ("printed", "shared", "personal"):
            raise ValueError(f"grey must be 'printed', 'shared' or 'personal', not {grey!r}")
        seats = range(self.num_players)
        if grey == "printed":
            return [{room: sorted(printed[room]) for room in ROOMS} for _ in seats]
        if any(all(face in printed[room] for room in ROOMS) for face in FACES):
            raise ValueError("a number printed in every room cannot be changed in all of them")
        if grey == "shared":
            shared = self.draw_grey(printed)
            return [{room: list(shared[room]) for room in ROOMS} for _ in seats]
        return [self.draw_grey(printed) for _ in seats]

    def draw_grey(self, printed: dict[str, list[int]]) -> dict[str, list[int]]:
        """Rolls "until every number has changed, and every number is in at least 1 room" (A25)."""
        while True:
            drawn = {room: self.draw_pair() for room in ROOMS}
            changed = all(face not in printed[room] for room in ROOMS for face in drawn[room])
            present = {face for room in ROOMS for face in drawn[room]}
            if changed and present == set(FACES):
                return drawn

    def draw_pair(self) -> list[int]:
        """Rolls two different numbers."""
        first = self.draw(6) + 1
        k = self.draw(5) + 1
        second = k if k < first else k + 1
        return sorted([first, second])

    # What may be done.

    @property
    def phase(self) -> str:
        """Names the present decision: "hide", "fill", "trex" or "biscuit"; or "over"."""
        return "biscuit" if self.has_biscuit else self.stage

    def legal_actions(self) -> set[str]:
        """Lists what the current player may do; nothing once the game is over."""
        if self.phase == "over":
            return set()
        if self.phase == "hide":
            return {f"hide {face}" for face in self.dice}
        if self.phase == "biscuit":
            return self.sheets[self.current_player].shadeable() | {"decline"}
        if self.phase == "fill":
            targets = self.sheets[self.current_player].open_targets()
            return {f"fill {face} {target}" for face in self.left for target in targets}
        return {f"fill {self.trex} {target}" for target in self.trex_targets()}

    def trex_targets(self) -> list[str]:
        """Names the open targets of the current player's rooms that take the T-Rex die.

        "All players will fill the T-Rex die in a space that corresponds to a room that can
        accommodate the number on the die"; a violation need not be avoided (A7).
        """
        grey = self.grey[self.current_player]
        targets = self.sheets[self.current_player].open_targets()
        return [target for target, room in targets.items() if self.trex in grey[room]]

    # Doing it.

    def step(self, name: str) -> None:
        """Plays one action. Raises ValueError if it is not legal now."""
        if name not in self.legal_actions():
            raise ValueError(f"{name!r} is not legal; legal: {sorted(self.legal_actions())}")
        words = name.split()
        if words[0] == "hide":
            self.hide(int(words[1]))
        elif words[0] == "fill":
            self.fill(int(words[1]), words[2])
        else:
            if words[0] == "shade":
                self.sheets[self.current_player].shade(words[1], int(words[2]))
            self.has_biscuit = False
            self.go_on()

    def begin_round(self, roller: int) -> None:
        """Rolls the dice: "The player with 3 dice rolls them secretly"."""
        self.roller = roller
        self.current_player = roller
        self.dice = sorted(self.draw(6) + 1 for _ in range(DICE))
        self.trex: int | None = None
        self.revealed: list[int] = []
        self.left: list[int] = []  # the current player's revealed dice still to fill
        self.waiting: list[int] = []  # the seats after the current player in this stage
        self.has_biscuit = False
        self.stage = "hide"

    def seats_from_roller(self) -> list[int]:
        """Lists all seats, going round from the roller, who fills too (A6)."""
        return [(self.roller + onward) % self.num_players for onward in range(self.num_players)]

    def hide(self, face: int) -> None:
        """Hides the T-Rex die: "They will pick 2 of the 3 dice to reveal to all players"."""
        self.trex = face
        self.revealed = list(self.dice)
        self.revealed.remove(face)
        self.stage = "fill"
        self.waiting = self.seats_from_roller()
        self.next_to_fill()

    def fill(self, number: int, target: str) -> None:
        """Fills one die in; the biscuit it may bring "must be used immediately or wasted"."""
        sheet = self.sheets[self.current_player]
        earned = sheet.fill(number, target)
        if self.stage == "fill":
            self.left.remove(number)
        elif target == "streamer":
            sheet.write_boxes(number)  # the T-Rex number is known by now (A18)
        if earned and sheet.shadeable():
            self.has_biscuit = True
        else:
            self.go_on()

    def go_on(self) -> None:
        """Goes on after a die and its biscuit."""
        if self.stage == "fill":
            self.go_on_filling()
        else:
            self.next_to_fill_trex()

    def next_to_fill(self) -> None:
        """Lets the next seat fill the revealed dice, or reveals the T-Rex die after the last."""
        if self.waiting:
            self.current_player = self.waiting.pop(0)
            self.left = list(self.revealed)
            self.go_on_filling()
        else:
            self.reveal()

    def go_on_filling(self) -> None:
        """Waits for a die to be filled in, if there is one and a space for it.

        "When filling in the 2 revealed dice (not T-Rex die), if any player cannot legally fill
        both dice, the game ends at the end of the round": one die left is enough (A1).
        """
        stuck = not self.sheets[self.current_player].open_targets()
        if self.left and not stuck:
            return
        if self.left:
            self.end_triggered = True
            self.left = []
        self.next_to_fill()

    def reveal(self) -> None:
        """Reveals the T-Rex die "After all players have filled their score sheets"."""
        assert self.trex is not None
        for sheet in self.sheets:
            sheet.write_boxes(self.trex)
        self.stage = "trex"
        self.waiting = self.seats_from_roller()
        self.next_to_fill_trex()

    def next_to_fill_trex(self) -> None:
        """Lets the next seat that can fill in the T-Rex die, or ends the round after the last.

        "If you cannot legally fill in a space using the T-Rex die, skip this step. However, if
        you can legally fill in a space, you must do so."
        """
        while self.waiting:
            self.current_player = self.waiting.pop(0)
            if self.trex_targets():
                return
        self.end_round()

    def end_round(self) -> None:
        """Ends the game by the rules (A22), else by the cap on rounds, else passes the dice on.

        "Inability to fill in T-Rex die will not end the game!" "Play will proceed clockwise until
        the game ends."
        """
        self.rounds += 1
        if self.end_triggered:
            self.terminated = True
            self.stage = "over"
        elif self.rounds == self.max_rounds:
            self.truncated = True
            self.stage = "over"
        else:
            self.begin_round((self.roller + 1) % self.num_players)

    # Points.

    def scores_by_room(self, seat: int) -> dict[str, int]:
        """Gives the present points of each room of a seat."""
        return self.sheets[seat].scores_by_room()

    def score(self, seat: int) -> int:
        """Gives the present points of a seat."""
        return sum(self.scores_by_room(seat).values())

    def returns(self) -> list[float]:
        """Shares +1 among the winners and -1 among the losers; all tied is 0 each (A23).

        "At that point, the player with the highest score wins." Raises RuntimeError before the
        end.
        """
        if not (self.terminated or self.truncated):
            raise RuntimeError("returns exist once the game is over")
        seats = range(self.num_players)
        scores = [self.score(seat) for seat in seats]
        winners = [seat for seat in seats if scores[seat] == max(scores)]
        losers = self.num_players - len(winners)
        if losers == 0:
            return [0.0] * self.num_players
        return [1.0 / len(winners) if seat in winners else -1.0 / losers for seat in seats]
