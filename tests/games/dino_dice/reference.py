"""Plays Dino Dice slowly and plainly, written from the rulebook only, for lock-step tests.

Quotes in double quotation marks are the rulebook's (dino_dice.txt); "B5" and the like name the
rulings (dino_dice.md). Faces are ints 1..6; 3 is the Rex, the others are herbivores.
"""

from collections.abc import Callable

REX = 3
HERBIVORES = [1, 2, 4, 5, 6]
DICE = 5
ROLLS = 3

STOP = 0
REROLLS = range(1, 32)
EATS = {32: 1, 33: 2, 34: 4, 35: 5, 36: 6}

HERD_BONUS = {1: 0, 2: 5, 3: 15, 4: 30}
HERD_OF_FIVE = 75


def score_dice(dice: list[int], five_rexes: bool) -> int:
    """Scores the dice left in play at the end of a turn.

    "Only those dice remaining in play at the end of a player's turn may be counted." "Herd of
    2 = face value + 5 points bonus", "3 = face value + 15", "4 = face value + 30", "5 (including
    Rex) = 75 points bonus (disregard face value)". "You may also keep single dice, but no bonus
    is given". "Except in the case of a herd of 5, the Rexes always count as 0." `five_rexes`
    says that five Rexes were "rolled on a single roll" (B5); without it they are worth 0.
    """
    if five_rexes:
        return HERD_OF_FIVE
    score = 0
    for face in HERBIVORES:
        herd = dice.count(face)
        if herd == DICE:
            score += HERD_OF_FIVE
        elif herd > 0:
            score += face * herd + HERD_BONUS[herd]
    return score


class Reference:
    """Holds one game."""

    def __init__(
        self, num_players: int, draw: Callable[[int], int], target: int = 150,
        max_turns: int = 200, tie: str = "shared",
    ) -> None:  # fmt: skip
        """Starts the game: seat 0 rolls all five dice at once.

        `draw(n)` gives a uniform int in 0..n-1 and is called with 6, once for every die rolled.
        Raises ValueError for a `tie` that is neither "shared" nor "turn".
        """
        if tie not in ("shared", "turn"):
            raise ValueError(f"tie must be 'shared' or 'turn', not {tie!r}")
        self.num_players, self.draw = num_players, draw
        self.target, self.max_turns, self.tie = target, max_turns, tie
        self.scores = [0] * num_players
        self.turns = 0
        self.final_stage = "none"  # then "extra turns", then perhaps "tie-break turns"
        self.last_turns: list[int] = []  # seats in the order they play; the first is playing
        self.terminated = False
        self.truncated = False
        self.begin_turn(0)

    def legal_actions(self) -> set[int]:
        """Lists what the current player may do; nothing once the game is over."""
        if self.is_over():
            return set()
        if self.phase() == "eat":
            return {action for action, face in EATS.items() if face in self.dice}
        legal = {STOP}
        if self.rolls_left > 0:
            legal |= {action for action in REROLLS if self.may_reroll(self.chosen(action))}
        return legal

    def step(self, action: int) -> None:
        """Plays one action. Raises ValueError if it is not legal now."""
        if action not in self.legal_actions():
            raise ValueError(f"action {action} is not legal; legal: {sorted(self.legal_actions())}")
        if action in EATS:
            self.eat(EATS[action])
            self.eat_what_is_forced()
        elif action == STOP:
            self.end_turn()
        else:
            self.reroll(self.chosen(action))

    def chosen(self, action: int) -> list[int]:
        """Lists the positions a re-roll action names: bit i is position i."""
        return [position for position in range(DICE) if action & (1 << position)]

    def may_reroll(self, positions: list[int]) -> bool:
        """Tells whether these positions may be re-rolled.

        "reroll any or all of the dice remaining in play, including any Rexes. The dice 'eaten'
        by the Rex may not be rolled again." Of equal dice the leftmost are re-rolled first, so a
        die is not chosen while an equal one to its left is kept.
        """
        for position in positions:
            if position >= len(self.dice):
                return False
            for left in range(position):
                if self.dice[left] == self.dice[position] and left not in positions:
                    return False
        return True

    def begin_turn(self, seat: int) -> None:
        """Rolls the first roll: "On his turn, a player rolls all five Dino Dice." """
        self.current_player = seat
        self.dice: list[int] = []  # in play, sorted
        self.eaten: list[int] = []  # sorted
        self.to_eat = 0
        self.five_rexes = False
        self.rolls_left = ROLLS  # "a maximum of 3 rolls per player"
        self.roll(kept=[], number=DICE)

    def reroll(self, positions: list[int]) -> None:
        """Rolls the dice at these positions again and keeps the rest in play."""
        kept = [self.dice[i] for i in range(len(self.dice)) if i not in positions]
        self.roll(kept, number=len(positions))

    def roll(self, kept: list[int], number: int) -> None:
        """Rolls `number` dice beside those kept; each Rex among the rolled ones eats (B2).

        "For EACH 3 (Tyrannosaurus Rex or Rex) showing, one herbivore is 'eaten'". Five Rexes
        count only if "5 are rolled on a single roll" (B5).
        """
        rolled = [self.draw(6) + 1 for _ in range(number)]
        self.rolls_left -= 1
        self.dice = sorted(kept + rolled)
        self.five_rexes = rolled == [REX] * DICE
        self.to_eat = rolled.count(REX)
        self.eat_what_is_forced()

    def herbivores_in_play(self) -> list[int]:
        """Lists the dice in play that are not Rexes."""
        return [face for face in self.dice if face != REX]

    def eat(self, face: int) -> None:
        """Removes one herbivore from play "for the duration of that player's turn"."""
        self.dice.remove(face)
        self.eaten = sorted([*self.eaten, face])
        self.to_eat -= 1

    def eat_what_is_forced(self) -> None:
        """Eats while there is nothing to choose: one face only, or all herbivores get eaten.

        "one herbivore die must be removed for each (limited to the number of herbivore dice in
        play, even if it must be taken from an already established herd" (B1, B4).
        """
        while self.to_eat > 0:
            herbivores = self.herbivores_in_play()
            if not herbivores:
                self.to_eat = 0
            elif len(set(herbivores)) == 1 or self.to_eat >= len(herbivores):
                self.eat(herbivores[0])
            else:
                return

    def end_turn(self) -> None:
        """Records the turn's score and hands on: "record the score ... and pass the dice to the
        next player".
        """
        self.scores[self.current_player] += score_dice(self.dice, self.five_rexes)
        self.turns += 1
        if self.final_stage == "none":
            self.call_extra_turns()
        else:
            self.last_turns.pop(0)
        if self.final_stage == "extra turns" and not self.last_turns:
            self.call_tie_break_turns()
        self.end_game_or_go_on()

    def call_extra_turns(self) -> None:
        """Gives every other seat one turn if the current player has reached the target.

        "When one player reaches a score of 150 or more, each of the other players has one
        additional turn" (B12), in seat order going round from the seat after this one.
        """
        seat = self.current_player
        if self.scores[seat] >= self.target:
            self.final_stage = "extra turns"
            order = range(seat + 1, seat + self.num_players)
            self.last_turns = [other % self.num_players for other in order]

    def call_tie_break_turns(self) -> None:
        """Gives each leader one more turn, lowest seat first, if they tie and B13's option is on.

        A tie that is left after those is shared.
        """
        if self.tie == "turn" and len(self.leaders()) > 1:
            self.final_stage = "tie-break turns"
            self.last_turns = self.leaders()

    def end_game_or_go_on(self) -> None:
        """Ends the game by the rules, else by the cap on turns, else begins the next turn."""
        if self.final_stage != "none" and not self.last_turns:
            self.terminated = True
        elif self.turns >= self.max_turns:
            self.truncated = True
        elif self.last_turns:
            self.begin_turn(self.last_turns[0])
        else:
            self.begin_turn((self.current_player + 1) % self.num_players)

    def is_over(self) -> bool:
        """Tells whether the game has ended, by the rules or by the cap."""
        return self.terminated or self.truncated

    def phase(self) -> str:
        """Names the present decision: "eat" or "choose"."""
        return "eat" if self.to_eat > 0 else "choose"

    def leaders(self) -> list[int]:
        """Lists the seats with the highest score, lowest seat first."""
        return [seat for seat in range(self.num_players) if self.scores[seat] == max(self.scores)]

    def facts(self) -> dict[str, object]:
        """Copies the position out; `last_turns` includes the seat now playing such a turn.

        Once the game is over only scores, turns, terminated and truncated mean anything.
        """
        return {
            "current_player": self.current_player, "phase": self.phase(),
            "dice": list(self.dice), "eaten": list(self.eaten),
            "rolls_left": self.rolls_left, "to_eat": self.to_eat, "five_rexes": self.five_rexes,
            "scores": list(self.scores), "turns": self.turns,
            "last_turns": sorted(self.last_turns),
            "terminated": self.terminated, "truncated": self.truncated,
        }  # fmt: skip

    def returns(self) -> list[float]:
        """Shares +1 among the winners and -1 among the losers; all tied is 0 each.

        "The player with the highest score after this additional turn is the winner." Raises
        RuntimeError before the end.
        """
        if not self.is_over():
            raise RuntimeError("returns exist once the game is over")
        winners = self.leaders()
        losers = self.num_players - len(winners)
        returns = [0.0] * self.num_players
        if losers > 0:
            for seat in range(self.num_players):
                returns[seat] = 1.0 / len(winners) if seat in winners else -1.0 / losers
        return returns
