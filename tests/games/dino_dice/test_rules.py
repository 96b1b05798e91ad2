"""The rules of Dino Dice, from positions. Quoted sentences are the rulebook's.

Faces are written as numbers: 3 is the Rex, the others are herbivores. A test says how the dice land
(`lands=`): the position's random stream is set to a word that lets them land so.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.games.dino_dice import GAME
from dino_envs.games.dino_dice.rules import EAT, HERBIVORES, REROLL, STOP, turn_points

REX = 3


@cache
def landings() -> dict[tuple[int, ...], int]:
    """Returns a stream word for every way in which the next five dice can land."""
    words = np.arange(300_000, dtype=np.uint64)
    state, faces = words.copy(), []
    for _ in range(5):
        state += np.uint64(0x9E3779B97F4A7C15)
        word = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        word ^= word >> np.uint64(31)
        faces.append((word >> np.uint64(32)) * np.uint64(6) >> np.uint64(32))
    rows = (np.array(faces).T + 1).tolist()
    return {tuple(row): word for word, row in enumerate(rows)}


class Table:
    """A position, and what players do in it."""

    def __init__(
        self,
        in_play: Sequence[int] = (1, 2, 4, 5, 6),
        *,
        eaten: Sequence[int] = (),
        rolls_left: int = 2,
        to_eat: int = 0,
        five_rexes: bool = False,
        scores: Sequence[int] = (0, 0),
        mover: int = 0,
        turns: int = 10,
        last_turns: Iterable[int] = (),
        tie_broken: bool = False,
        **options: Any,
    ) -> None:
        self._states = GAME.new_states(1, num_players=len(scores), **options)
        state = self.state
        state.dice[:] = [*sorted(in_play), *sorted(eaten)]
        state.in_play = len(in_play)
        state.rolls_left, state.to_eat, state.five_rexes = rolls_left, to_eat, five_rexes
        state.score[: len(scores)] = scores
        state.current_player, state.turns = mover, turns
        state.last_turns = sum(1 << seat for seat in last_turns)
        state.tie_broken = tie_broken

    @classmethod
    def first_roll(cls, *lands: int, **position: Any) -> "Table":
        """Returns the position after the first roll of a turn landed so."""
        table = cls(mover=1, rolls_left=0, **position)
        return table.stop(lands=lands)

    @property
    def state(self) -> Any:
        return self._states[0]

    @property
    def dice(self) -> list[int]:
        """Returns the dice in play."""
        return self.state.dice[: self.state.in_play].tolist()

    @property
    def eaten(self) -> list[int]:
        return self.state.dice[self.state.in_play :].tolist()

    @property
    def scores(self) -> list[int]:
        return self.state.score[: self.state.num_players].tolist()

    @property
    def mover(self) -> int:
        return int(self.state.current_player)

    @property
    def points(self) -> int:
        """Returns what stopping now scores."""
        return int(turn_points(self.state))

    @property
    def returns(self) -> list[float]:
        assert self.state.ending != RUNNING
        returns = np.zeros(self.state.num_players, np.float32)
        GAME.kernels.outcome(self.state, returns)
        return returns.tolist()

    @property
    def legal(self) -> list[int]:
        mask = np.zeros(GAME.actions.size, np.int8)
        count = GAME.kernels.legal_actions(self.state, mask)
        assert count == mask.sum()
        return np.flatnonzero(mask).tolist()

    @property
    def menu(self) -> list[int]:
        """Returns the herbivores one of which must be fed to a Rex; empty if none must."""
        return [HERBIVORES[action - EAT] for action in self.legal if action >= EAT]

    @property
    def rerolls(self) -> list[list[int]]:
        """Returns the faces of the dice in each legal re-roll."""
        chosen = [action - REROLL + 1 for action in self.legal if REROLL <= action < EAT]
        return [[f for i, f in enumerate(self.dice) if subset >> i & 1] for subset in chosen]

    def stop(self, lands: Sequence[int] = (2, 2, 2, 2, 2)) -> "Table":
        """Ends the turn; the next player's dice land so."""
        return self._play(STOP, lands)

    def reroll(self, *faces: int, lands: Sequence[int]) -> "Table":
        """Rolls these dice again, of equal ones the leftmost."""
        assert len(faces) == len(lands)
        subset = 0
        for face in faces:
            subset |= 1 << next(
                i for i, f in enumerate(self.dice) if f == face and not subset >> i & 1
            )
        return self._play(REROLL + subset - 1, lands)

    def feed(self, face: int) -> "Table":
        return self._play(EAT + HERBIVORES.index(face))

    def _play(self, action: int, lands: Sequence[int] = ()) -> "Table":
        assert action in self.legal, f"{action} is not legal"
        if lands:
            self.state.stream[0] = landings()[(*lands, *[1] * (5 - len(lands)))]
        GAME.kernels.step(self.state, action)
        return self


# The dice and the turn.


def test_the_game_starts_with_seat_0_rolling_all_five_dice():
    """ "On his turn, a player rolls all five Dino Dice." """
    states = GAME.new_states(1, num_players=3)
    GAME.kernels.reset(states[0], np.uint64(landings()[6, 1, 5, 2, 4]))
    state = states[0]
    assert state.dice.tolist() == [1, 2, 4, 5, 6]
    assert (state.in_play, state.current_player, state.turns) == (5, 0, 0)
    assert state.score.tolist() == [0] * 8
    assert state.rolls_left == 2


def test_five_dice_with_five_kinds_of_herbivores_and_one_rex():
    """ "5 dice, each with 6 different dinosaurs. Five of these are herbivores" and one is Rex."""
    assert HERBIVORES == (1, 2, 4, 5, 6)
    states = GAME.new_states(1)
    faces = set()
    for seed in range(200):
        GAME.kernels.reset(states[0], np.uint64(seed))
        assert len(states[0].dice) == 5
        faces |= set(states[0].dice.tolist())
    assert faces == {1, 2, REX, 4, 5, 6}


def test_dice_in_play_lie_sorted_and_the_eaten_ones_last():
    table = Table.first_roll(6, 3, 1, 5, 1).feed(5)
    assert table.dice == [1, 1, 3, 6]
    assert table.eaten == [5]
    table.reroll(1, 1, lands=[6, 2])
    assert table.dice == [2, 3, 6, 6]
    assert table.eaten == [5]


def test_a_player_may_stop_after_the_first_second_or_third_roll():
    """ "A player may choose to stop after the first or second roll, but cannot roll more than
    three times."
    """
    table = Table.first_roll(1, 2, 4, 5, 6)
    for rolls_left in (2, 1):
        assert table.state.rolls_left == rolls_left
        assert STOP in table.legal
        assert table.rerolls
        table.reroll(1, lands=[1])
    assert table.state.rolls_left == 0
    assert table.legal == [STOP]


def test_the_next_player_has_all_five_dice_and_three_rolls_again():
    """A die is eaten only "for the duration of that player's turn"."""
    table = Table([3, 6], eaten=[1, 2, 4], rolls_left=0).stop(lands=[1, 2, 4, 5, 6])
    assert table.mover == 1
    assert table.dice == [1, 2, 4, 5, 6]
    assert table.eaten == []
    assert table.state.rolls_left == 2


def test_seats_play_in_order_going_round():
    table = Table(scores=(0, 0, 0), turns=0)
    movers = []
    for _ in range(7):
        movers.append(table.mover)
        table.stop()
    assert movers == [0, 1, 2, 0, 1, 2, 0]
    assert table.state.turns == 7


# What dice score.


@pytest.mark.parametrize("face", HERBIVORES)
@pytest.mark.parametrize(("number", "bonus"), [(1, 0), (2, 5), (3, 15), (4, 30)])
def test_a_herd_scores_its_face_value_and_a_bonus(face, number, bonus):
    """ "Herd of 2 = face value + 5 points bonus", of 3 "+ 15", of 4 "+ 30"; singles "are scored at
    face value only". The face value of a herd is the sum of its dice.
    """
    assert Table([face] * number, eaten=[face] * (5 - number)).points == face * number + bonus


@pytest.mark.parametrize("face", HERBIVORES)
def test_a_herd_of_five_scores_75_whatever_its_faces(face):
    """ "Herd of 5 (including Rex) = 75 points bonus (disregard face value)" """
    table = Table([face] * 5)
    assert table.points == 75
    assert table.stop().scores == [75, 0]


def test_a_player_may_have_more_than_one_herd():
    """ "you may have more than one 'herd'" """
    assert Table([2, 2, 6, 6, 4]).points == (4 + 5) + (12 + 5) + 4
    assert Table([1, 1, 5, 5, 5]).points == (2 + 5) + (15 + 15)


def test_single_dice_score_their_face_value_without_bonus():
    """ "You may also keep single dice, but no bonus is given for these" """
    assert Table([1, 2, 4, 5, 6]).points == 18


def test_rexes_count_as_nothing():
    """ "Except in the case of a herd of 5, the Rexes always count as 0." """
    assert Table([3, 6], eaten=[1, 1, 1]).points == 6
    assert Table([3, 3, 3, 5], eaten=[1]).points == 5
    assert Table([3, 3, 3, 3], eaten=[1]).points == 0


def test_only_dice_in_play_count():
    """ "Only those dice remaining in play at the end of a player's turn may be counted." """
    assert Table([3, 6, 6], eaten=[6, 6]).points == 17


def test_the_points_are_recorded_when_the_player_stops():
    """ "record the score ... and pass the dice to the next player" """
    table = Table([4, 4, 4, 1, 2], scores=(20, 33), mover=1).stop()
    assert table.scores == [20, 33 + 27 + 3]
    assert table.mover == 0


# Rex eats.


def test_b1_the_player_chooses_who_is_eaten_among_the_different_herbivores():
    """ "For EACH 3 (Tyrannosaurus Rex or Rex) showing, one herbivore is 'eaten'". B1: the player
    whose turn it is picks it.
    """
    table = Table.first_roll(3, 2, 2, 5, 6)
    assert table.mover == 0
    assert table.menu == [2, 5, 6]
    assert table.legal == [EAT + HERBIVORES.index(face) for face in (2, 5, 6)]
    table.feed(5)
    assert table.mover == 0
    assert table.dice == [2, 2, 3, 6]
    assert table.eaten == [5]


def test_b1_a_die_may_be_taken_from_an_established_herd():
    """ "even if it must be taken from an already established herd" """
    table = Table([6, 6, 6, 6, 1], rolls_left=1).reroll(1, lands=[3])
    assert table.eaten == [6]
    assert table.dice == [3, 6, 6, 6]
    table = Table([2, 2, 6, 6, 4], rolls_left=1).reroll(4, lands=[3])
    assert table.menu == [2, 6]
    assert table.feed(2).points == 2 + 17


def test_each_rex_eats_one_herbivore():
    table = Table.first_roll(3, 3, 1, 5, 6)
    assert table.state.to_eat == 2
    assert table.menu == [1, 5, 6]
    table.feed(1)
    assert table.state.to_eat == 1
    assert table.menu == [5, 6]
    table.feed(5)
    assert table.menu == []
    assert table.dice == [3, 3, 6]
    assert table.eaten == [1, 5]


def test_b2_a_rex_that_was_kept_does_not_eat_again():
    """ "If one or more Rexes (3) show on any roll": B2: those which that roll brought."""
    table = Table([3, 1, 2, 6], eaten=[5]).reroll(1, lands=[4])
    assert table.menu == []
    assert table.dice == [2, 3, 4, 6]
    assert table.eaten == [5]


def test_b2_a_rex_that_is_rolled_again_and_lands_on_rex_eats_again():
    table = Table([3, 1, 2, 6], eaten=[5]).reroll(3, lands=[3])
    assert table.menu == [1, 2, 6]
    table = Table([3, 1, 2, 6], eaten=[5]).reroll(3, 1, lands=[3, 3])
    assert table.dice == [3, 3]
    assert table.eaten == [2, 5, 6]


def test_b3_a_rex_may_be_kept_or_rolled_again():
    """ "reroll any or all of the dice remaining in play, including any Rexes" """
    table = Table([3, 1, 6], eaten=[2, 5])
    assert [3] in table.rerolls
    assert [1] in table.rerolls
    assert [1, 3, 6] in table.rerolls
    table.reroll(3, lands=[6])
    assert table.points == 1 + 17


def test_b3_a_rex_is_never_eaten():
    for lands in combinations_with_replacement([1, 3, 6], 5):
        table = Table.first_roll(*lands)
        while table.menu:
            assert REX not in table.menu
            table.feed(table.menu[0])
        assert REX not in table.eaten
        assert table.dice.count(REX) == lands.count(REX)


@pytest.mark.parametrize(("lands", "eaten"), [((3, 3, 3, 1, 6), [1, 6]), ((3, 3, 3, 3, 5), [5])])
def test_b4_more_rexes_than_herbivores_eat_them_all_and_no_more(lands, eaten):
    """ "limited to the number of herbivore dice in play" """
    table = Table.first_roll(*lands)
    assert table.menu == []
    assert table.eaten == eaten
    assert table.state.to_eat == 0
    assert set(table.dice) == {REX}


def test_b4_the_turn_goes_on_with_the_rexes_alone():
    table = Table.first_roll(3, 3, 3, 1, 6)
    assert table.rerolls == [[3], [3, 3], [3, 3, 3]]
    table.reroll(3, 3, 3, lands=[5, 5, 5])
    assert table.points == 15 + 15


def test_b8_rex_eats_before_the_player_may_stop_or_roll_again():
    table = Table.first_roll(3, 1, 2, 5, 6)
    assert STOP not in table.legal
    assert table.rerolls == []
    table.feed(1)
    assert STOP in table.legal
    assert table.rerolls


def test_b8_rex_eats_after_the_third_roll_too():
    """ "any roll" """
    table = Table([1, 2, 4, 6, 6], rolls_left=1).reroll(1, lands=[3])
    assert table.state.rolls_left == 0
    assert table.menu == [2, 4, 6]
    table.feed(2)
    assert table.legal == [STOP]
    assert table.stop().scores[0] == 4 + 17


def test_eating_is_forced_where_all_herbivores_are_of_one_kind():
    table = Table.first_roll(3, 5, 5, 5, 5)
    assert table.menu == []
    assert table.dice == [3, 5, 5, 5]
    table = Table.first_roll(3, 3, 5, 5, 5)
    assert table.dice == [3, 3, 5]


def test_eating_is_forced_where_every_herbivore_is_eaten():
    table = Table([3, 3, 4, 6], eaten=[1], rolls_left=1).reroll(3, 3, lands=[3, 3])
    assert table.menu == []
    assert table.dice == [3, 3]
    assert table.eaten == [1, 4, 6]


def test_eating_becomes_forced_once_one_kind_is_left():
    table = Table.first_roll(3, 3, 1, 6, 6)
    assert table.menu == [1, 6]
    table.feed(1)
    assert table.menu == []
    assert table.dice == [3, 3, 6]
    assert table.eaten == [1, 6]


def test_an_eaten_die_may_not_be_rolled_again():
    """ "The dice 'eaten' by the Rex may not be rolled again." """
    table = Table([3, 6], eaten=[1, 2, 5])
    assert table.rerolls == [[3], [6], [3, 6]]
    table.reroll(3, 6, lands=[4, 4])
    assert table.eaten == [1, 2, 5]
    assert table.dice == [4, 4]


# Five Rexes.


@pytest.mark.parametrize("rolls_left", [2, 1, 0])
def test_b5_five_rexes_on_a_single_roll_score_75_and_eat_nobody(rolls_left):
    """ "Rexes cannot form herds, unless 5 are rolled on a single roll." """
    if rolls_left == 2:
        table = Table.first_roll(3, 3, 3, 3, 3)
    else:
        table = Table([1, 2, 4, 5, 6], rolls_left=rolls_left + 1)
        table.reroll(1, 2, 4, 5, 6, lands=[3, 3, 3, 3, 3])
    assert table.menu == []
    assert table.eaten == []
    assert table.points == 75
    assert STOP in table.legal
    mover, before = table.mover, table.scores
    table.stop()
    assert table.scores[mover] == before[mover] + 75


def test_b5_five_rexes_may_be_rolled_again():
    """ "record ... or reroll" """
    table = Table.first_roll(3, 3, 3, 3, 3)
    assert table.rerolls == [[3] * number for number in range(1, 6)]


def test_b5_five_rexes_of_two_rolls_are_worth_nothing():
    table = Table.first_roll(3, 3, 3, 3, 3).reroll(3, lands=[3])
    assert table.dice == [3] * 5
    assert table.points == 0
    assert table.stop().scores[0] == 0


def test_b5_five_rexes_rolled_all_again_and_all_rexes_are_worth_75():
    table = Table.first_roll(3, 3, 3, 3, 3).reroll(*[3] * 5, lands=[3] * 5)
    assert table.points == 75


def test_b5_four_rexes_of_one_roll_are_no_herd():
    table = Table([3], eaten=[1, 2, 4, 5], rolls_left=1)
    assert table.reroll(3, lands=[3]).points == 0
    assert Table.first_roll(3, 3, 3, 3, 6).points == 0


def test_b6_a_rex_is_no_joker():
    """ "Rexes cannot form herds": four alike and a Rex are a herd of four."""
    assert Table([6, 6, 6, 6, 3]).points == 24 + 30
    assert Table([6, 6, 6, 3], eaten=[6]).points == 18 + 15


def test_b7_five_herbivores_alike_need_not_be_one_roll():
    """Only Rexes must be "rolled on a single roll"."""
    table = Table([6, 6, 6, 1, 2]).reroll(1, 2, lands=[6, 4]).reroll(4, lands=[6])
    assert table.points == 75


# Re-rolls.


def test_b9_a_reroll_takes_at_least_one_die():
    """ "reroll any or all of the dice": with none to roll the player stops instead."""
    for dice in combinations_with_replacement(range(1, 7), 5):
        rerolls = Table(dice).rerolls
        assert [] not in rerolls
        assert list(dice) in rerolls


def test_b10_dice_of_a_herd_may_be_rolled_again():
    """ "All dice not 'eaten' are considered in play, even those that have already been grouped
    into a herd."
    """
    table = Table([2, 2, 6, 6, 4], rolls_left=2).reroll(4, lands=[2])
    assert table.dice == [2, 2, 2, 6, 6]
    assert [2] in table.rerolls
    assert [6, 6] in table.rerolls
    table.reroll(2, 2, 2, lands=[6, 6, 1])
    assert table.points == 24 + 30 + 1


def test_b11_herds_are_grouped_by_themselves_in_the_best_way():
    """No action groups dice: no other way to part them into herds and singles scores more."""
    bonus = (0, 0, 5, 15, 30, 75)

    def best(face: int, number: int) -> int:
        herd = 75 if number == 5 else face * number + bonus[number]
        parted = [best(face, one) + best(face, number - one) for one in range(1, number)]
        return max([herd, *parted])

    for dice in combinations_with_replacement(HERBIVORES, 5):
        assert Table(dice).points == sum(best(face, dice.count(face)) for face in set(dice))


def test_of_equal_dice_the_leftmost_are_rolled_first():
    table = Table([2, 2, 4, 6, 6])
    expected = [a + b + c for a in ([], [2], [2, 2]) for b in ([], [4]) for c in ([], [6], [6, 6])]
    assert sorted(table.rerolls) == sorted(expected[1:])
    left_two, right_two = REROLL + 0b00001 - 1, REROLL + 0b00010 - 1
    assert left_two in table.legal
    assert right_two not in table.legal


@pytest.mark.parametrize(("dice", "different"), [
    ([1, 2, 4, 5, 6], 31), ([1, 1, 4, 5, 6], 23), ([2, 2, 4, 6, 6], 17), ([6, 6, 6, 6, 6], 5),
])  # fmt: skip
def test_every_different_reroll_is_there_once(dice, different):
    table = Table(dice)
    assert len(table.rerolls) == different
    assert len({tuple(faces) for faces in table.rerolls}) == different
    assert len(table.legal) == different + 1


def test_there_are_37_actions():
    assert GAME.actions.size == 1 + 31 + 5
    assert (STOP, REROLL, EAT) == (0, 1, 32)


# "Example: A player has chosen to keep two 2's and one 6 on the first roll, then rolled an
# additional 6 and a 4 on the second roll."


@pytest.fixture
def example() -> Table:
    table = Table.first_roll(2, 2, 6, 1, 5).reroll(1, 5, lands=[6, 4])
    assert table.dice == [2, 2, 4, 6, 6]
    return table


def test_example_a_taking_the_score(example):
    """ "taking the score for the two herds (2's and 6's) and the single 4, ending his turn with 30
    points"
    """
    assert example.stop().scores == [30, 18]
    assert example.mover == 1


def test_example_b_keeping_one_herd(example):
    """ "keeping one herd (probably the 6's), and rerolling the 2's and the 4" """
    assert example.reroll(2, 2, 4, lands=[6, 5, 1]).points == 18 + 15 + 5 + 1


@pytest.mark.parametrize(("rolled", "points"), [([2, 2], 17 + 4 + 1 + 5), ([6, 6], 9 + 4 + 1 + 5)])
def test_example_c_keeping_the_herd_and_the_4(example, rolled, points):
    """ "keeping the herd and the 4, and rerolling the 2's" """
    assert example.reroll(*rolled, lands=[1, 5]).points == points


def test_example_d_rerolling_only_the_4(example):
    """ "rerolling only the 4" """
    assert example.reroll(4, lands=[6]).points == 9 + 18 + 15
    assert example.legal == [STOP]


# The end.


def test_the_target_is_150():
    assert Table().state.target == 150


@pytest.mark.parametrize(("score", "ends"), [(149, False), (150, True), (151, True)])
def test_b12_the_last_turns_begin_at_150_or_more(score, ends):
    """ "When one player reaches a score of 150 or more, each of the other players has one
    additional turn"
    """
    table = Table(scores=(score - 18, 0)).stop()
    assert table.scores[0] == score
    assert (table.state.last_turns != 0) == ends
    assert table.mover == 1
    table.stop()
    assert (table.state.ending == TERMINATED) == ends


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_b12_each_other_player_has_one_more_turn_going_round(first):
    table = Table(scores=(140, 140, 140, 140), mover=first).stop(lands=[1, 2, 3, 3, 3])
    order = []
    while table.state.ending == RUNNING:
        order.append(table.mover)
        table.stop(lands=[3, 3, 3, 1, 2])
    assert order == [(first + step) % 4 for step in (1, 2, 3)]
    assert table.state.ending == TERMINATED


def test_b12_the_last_turn_comes_even_to_seats_with_as_many_turns():
    """B12: "each of the other players", whether or not they had as many turns."""
    table = Table(scores=(100, 140), mover=1, turns=11).stop()
    assert table.state.turns == 12
    assert table.state.ending == RUNNING
    assert table.mover == 0


def test_b12_reaching_150_in_a_last_turn_brings_no_further_turns():
    table = Table([6] * 5, scores=(100, 140, 120), mover=0).stop(lands=[6] * 5)
    assert table.mover == 1
    table.stop(lands=[5] * 5)
    assert table.scores == [175, 215, 120]
    assert table.mover == 2
    table.stop()
    assert table.state.ending == TERMINATED
    assert table.scores == [175, 215, 195]
    assert table.returns == [-0.5, 1.0, -0.5]


def test_the_highest_score_after_the_last_turns_wins():
    """ "The player with the highest score after this additional turn is the winner." """
    overtaken = Table([6] * 5, scores=(151, 100), mover=1, last_turns=[1]).stop()
    assert overtaken.scores == [151, 175]
    assert overtaken.returns == [-1.0, 1.0]
    failed = Table([1, 2], eaten=[1, 1, 1], scores=(151, 100), mover=1, last_turns=[1]).stop()
    assert failed.returns == [1.0, -1.0]


def test_another_target_may_be_chosen():
    table = Table(scores=(22, 0), target=40).stop()
    assert table.state.last_turns == 0b10
    assert Table(scores=(21, 0), target=40).stop().state.last_turns == 0


def test_b13_two_tied_players_share():
    table = Table(scores=(150, 132), mover=1, last_turns=[1]).stop()
    assert table.scores == [150, 150]
    assert table.state.ending == TERMINATED
    assert table.returns == [0.0, 0.0]


def test_b13_two_tied_of_three_share_the_win():
    table = Table(scores=(150, 90, 132), mover=2, last_turns=[2]).stop()
    assert table.state.ending == TERMINATED
    assert table.returns == [0.5, -1.0, 0.5]


def test_b13_three_tied_players_share():
    table = Table(scores=(150, 150, 132), mover=2, last_turns=[2]).stop()
    assert table.returns == [0.0, 0.0, 0.0]


def test_b13_a_tie_turn_gives_each_leader_one_more_turn():
    table = Table(scores=(150, 90, 132), mover=2, last_turns=[2], tie="turn")
    table.stop(lands=[1, 2, 4, 5, 6])
    assert table.state.ending == RUNNING
    assert table.mover == 0
    table.stop(lands=[6, 6, 6, 6, 6])
    assert table.mover == 2, "who is not tied for the lead does not play"
    table.stop()
    assert table.state.ending == TERMINATED
    assert table.scores == [168, 90, 225]
    assert table.returns == [-0.5, -0.5, 1.0]


def test_b13_a_tie_that_is_left_after_the_tie_turns_is_shared():
    table = Table(scores=(150, 132), mover=1, last_turns=[1], tie="turn")
    table.stop(lands=[1, 2, 4, 5, 6]).stop(lands=[1, 2, 4, 5, 6]).stop()
    assert table.scores == [168, 168]
    assert table.state.ending == TERMINATED
    assert table.returns == [0.0, 0.0]


def test_b13_without_a_tie_there_is_no_tie_turn():
    table = Table(scores=(151, 132), mover=1, last_turns=[1], tie="turn").stop()
    assert table.state.ending == TERMINATED
    assert table.returns == [1.0, -1.0]


def test_b14_a_turn_may_score_nothing_and_any_score_is_recorded():
    """No minimum is needed to enter."""
    nothing = Table([3, 3, 3], eaten=[1, 6]).stop()
    assert nothing.scores == [0, 0]
    assert nothing.mover == 1
    little = Table([3, 3, 1], eaten=[6, 6]).stop()
    assert little.scores == [1, 0]


@pytest.mark.parametrize("scores", [(151, 150), (225, 3)])
def test_b15_only_winning_counts_not_the_margin(scores):
    dice = {"in_play": [3, 3, 3], "eaten": [1, 1]}
    assert Table(**dice, scores=scores, mover=1, last_turns=[1]).stop().returns == [1.0, -1.0]


# The cap.


def test_a_game_is_cut_after_max_turns_and_scored_as_it_stands():
    table = Table(scores=(30, 31), turns=198).stop()
    assert table.state.ending == RUNNING
    table.stop()
    assert table.state.turns == 200
    assert table.state.ending == TRUNCATED
    assert table.scores == [48, 106]
    assert table.returns == [-1.0, 1.0]


def test_the_cap_cuts_last_turns_off_as_well():
    table = Table([6] * 5, scores=(100, 140, 0), turns=4, max_turns=5).stop()
    assert table.state.ending == TRUNCATED
    assert table.scores == [175, 140, 0]
    assert table.returns == [1.0, -0.5, -0.5]


def test_a_game_that_ends_by_the_rules_at_the_cap_is_not_cut():
    table = Table(scores=(160, 0), mover=1, last_turns=[1], turns=199).stop()
    assert table.state.turns == 200
    assert table.state.ending == TERMINATED


def test_no_dice_are_rolled_after_the_end():
    table = Table(scores=(160, 0), mover=1, last_turns=[1])
    table.state.stream[0] = 5
    GAME.kernels.step(table.state, STOP)
    assert table.state.stream[0] == 5


def test_a_state_takes_less_than_128_bytes():
    assert GAME.state.itemsize < 128
