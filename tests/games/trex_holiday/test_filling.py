"""A round of T-Rex's Holiday and where numbers go, from drawn sheets. Quotes are the rulebook's.

A2 and the like number the points that the rulebook leaves open.
"""

import pytest

OPEN = [*(f"area_{i + 1}" for i in range(6)), "cars_1", "cars_2", "cars_3", "cans", "streamer"]

# How each round plays.


def test_a_game_starts_with_empty_sheets_and_seat_0_rolls(deal):
    """A23: who "has the most scars from animal scratches" is not known; seat 0 starts."""
    for players in (1, 2, 3, 8):
        table = deal(4, num_players=players)
        assert (table.phase, table.roller, table.mover, table.rounds) == ("hide", 0, 0, 0)
        assert table.scores == [0] * players
        assert set(table["area_1"]) == {".", " "}
        assert all(set("".join(table.sheet(s).values())) == {".", " "} for s in range(players))


def test_two_of_the_three_dice_are_revealed(position):
    """ "They will pick 2 of the 3 dice to reveal to all players." """
    table = position(phase="hide", dice="2 4 6")
    assert table.legal == ["hide 2", "hide 4", "hide 6"]
    table.play("hide 4")
    assert (table.phase, table.mover) == ("fill", 0)
    assert table.legal == [f"fill {number} {target}" for number in (2, 6) for target in OPEN]


def test_all_fill_two_spaces_anywhere_then_the_t_rex_die_then_the_dice_go_on(position):
    """ "All players will pick 2 spaces on their score sheet to fill using the numbers on the 2
    revealed dice. These 2 spaces can be anywhere (any room)". "the player who rolled the dice will
    pass them to the player on their left".
    """
    table = position(players=3, phase="hide", dice="2 3 5", roller=1)
    table.play("hide 2")
    assert not table.exposed
    table.play("fill 3 area_1", "fill 5 area_1")
    assert table.mover == 2
    table.play("fill 5 cars_1", "fill 3 cans")
    assert table.mover == 0
    table.play("fill 3 streamer")
    assert (table.phase, table.mover, table.exposed) == ("fill", 0, False)
    table.play("fill 5 cars_1")
    assert (table.phase, table.mover, table.exposed) == ("trex", 1, True)
    assert table.targets == ["cars_1", "cars_2", "cars_3"]
    table.play("fill 2 cars_1")
    table.play("fill 2 cars_2")
    assert (table.mover, table.rounds) == (0, 4)
    table.play("fill 2 cars_3")
    assert (table.phase, table.roller, table.mover, table.rounds) == ("hide", 2, 2, 5)
    assert (table["area_1", 1], table["cars_1", 1]) == ("3 5", "2 . . . . .")
    assert (table["cars_1", 2], table["cans_1", 2]) == ("5 . . . . .", "3 . . .")
    assert (table["streamer", 0], table["cars_1", 0]) == ("3:2 . . . . .", "5 . . . . .")
    table.play(table.legal[0])
    table.finish_round()
    assert table.roller == 0, '"Play will proceed clockwise"'


def test_each_round_has_three_new_dice(deal):
    rolled, table = set(), deal(1)
    while table.ending == "running":
        rolled.add(table.dice)
        assert table.dice == " ".join(sorted(table.dice.split()))
        table.play(table.legal[0]).finish_round()
    assert len(rolled) > 5


def test_a3_the_dice_are_filled_in_either_order(position):
    table = position(dice="4 6")
    ascending = table.copy().play("fill 4 cars_1", "fill 6 cars_1")
    assert (ascending.phase, ascending["cars_1"]) == ("biscuit", "4 6 - - - -")
    table.play("fill 6 cars_1", "decline")
    assert table["cars_1"] == "6 - - - - -"
    assert "cars_1" not in table.targets
    assert {name.split()[1] for name in table.legal} == {"4"}


def test_each_die_is_used_once(position):
    table = position(dice="2 5").play("fill 5 area_3")
    assert {name.split()[1] for name in table.legal} == {"2"}
    table.play("fill 2 area_3")
    assert (table["area_3"], table.mover) == ("5 2 . .", 1)


def test_a24_equal_dice_are_one_choice_but_two_dice(position):
    hide = position(phase="hide", dice="3 3 5")
    assert hide.legal == ["hide 3", "hide 5"]
    assert position(phase="hide", dice="4 4 4").legal == ["hide 4"]
    hide.play("hide 3")
    assert {name.split()[1] for name in hide.legal} == {"3", "5"}
    table = position(dice="3 3")
    assert table.legal == [f"fill 3 {target}" for target in OPEN]
    table.play("fill 3 area_2", "fill 3 area_2")
    assert (table["area_2"], table.mover) == ("3 3 .", 1)


def test_a2_where_numbers_can_go_does_not_depend_on_the_number(position):
    """A violation is legal: "You must fill in a space if you can" (Q1)."""
    expected = ["area_2", "area_3", "area_4", "area_5", "area_6", "cars_1", "cans"]
    for dice in ("1 2", "3 4", "5 6"):
        table = position(
            cars_1="3 5", cars_2="6", cars_3="2 1", streamer="3:1 4", area_1="1 2", dice=dice
        )
        assert table.legal == [f"fill {n} {t}" for n in dice.split() for t in expected]


# "Numbers may be filled in any empty space" of stacks and posts.


@pytest.mark.parametrize("number", range(1, 7))
def test_areas_take_any_number_while_there_is_a_space(position, number):
    table = position(area_1="1 .", area_2="2 5 .", area_4="3 3", area_5="4 4 4", dice=f"{number} 1")
    assert table.targets[:4] == ["area_1", "area_2", "area_3", "area_6"]
    table.play(f"fill {number} area_2")
    assert table["area_2"] == f"2 5 {number}"
    assert "area_2" not in table.targets


# "Every row of cars must be filled from left to right in ascending order".


def test_rows_of_cars_are_filled_from_left_to_right(position):
    """ "numbers may enter one row even when another row is incomplete."""
    table = position(cars_1="2 .", cars_2="1 3 .", dice="4 5")
    table.play("fill 4 cars_1", "fill 5 cars_2")
    assert (table["cars_1"], table["cars_2"]) == ("2 4 . . . .", "1 3 5 . . .")


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_an_equal_or_smaller_number_closes_a_row_of_cars(position, number):
    """ "If a number filled is equal to or less than a number in the same row, no more subsequent
    numbers can be filled in that row." A8: equal is a violation.
    """
    table = position(cars_1="1 4 .", dice=f"{number} 6").play(f"fill {number} cars_1")
    assert table["cars_1"] == f"1 4 {number} . . ."
    assert "cars_1" not in table.targets
    assert table.points("cars") == 1


def test_a_row_stays_closed_in_later_rounds_and_for_the_t_rex_die(position):
    table = position(cars_1="3 2", dice="5 6", trex=5, roller=1, players=2).finish_round()
    table.play(table.legal[0])
    assert (table.mover, table["cars_1"]) == (0, "3 2 . . . .")
    assert "cars_1" not in table.targets
    assert "cars_1" not in position(cars_1="3 2", phase="trex", trex=5).targets


@pytest.mark.parametrize("number", [5, 6])
def test_a_larger_number_goes_on_with_the_row(position, number):
    table = position(cars_1="1 4", dice=f"{number} 1").play(f"fill {number} cars_1")
    assert table.points("cars") == 3


# The 6: "they must cross off the rest of the spaces in that row and will receive a biscuit".


@pytest.mark.parametrize(
    ("before", "after", "points"),
    [
        ("", "6 - - - - -", 0),
        ("1", "1 6 - - - -", 1),
        ("2 5", "2 5 6 - - -", 3),  # section "Scoring Example": in the third position
        ("1 2 4 (3)", "1 2 4 (3) 6 -", 10),  # the rulebook's 6 in the fifth
        ("1 2 3 4 5", "1 2 3 4 5 6", 15),  # A11: in the sixth, there is nothing to cross off
    ],
)
def test_a_6_ends_a_row_and_brings_a_biscuit(position, before, after, points):
    table = position(cars_2=before, area_1="1", dice="6 1").play("fill 6 cars_2")
    assert table["cars_2"] == after
    assert table.points("cars") == points
    assert table.phase == "biscuit"
    table.play("shade area_1 1")
    assert "cars_2" not in table.targets


def test_a_6_by_the_t_rex_die_ends_a_row_as_well(position):
    """Grey numbers that let a 6 into the cars."""
    sheet = {"grey": {"cars": [2, 6]}}
    table = position(sheet=sheet, cars_1="1 2", phase="trex", trex=6)
    assert table.targets == ["cars_1", "cars_2", "cars_3", "cans", "streamer"]
    table.play("fill 6 cars_1")
    assert (table["cars_1"], table.phase, table.mover) == ("1 2 6 - - -", "biscuit", 0)
    table.play("shade cars_1 2")
    assert (table["cars_1"], table.points("cars")) == ("1 (2) 6 - - -", 3)
    assert (table.phase, table.mover) == ("trex", 1)


@pytest.mark.parametrize("row", ["1 2 (6)", "(1) 2 6", "(6)"])
def test_q3_a_biscuit_does_not_undo_a_6(position, row):
    """ "You cannot use a biscuit to undo this." A9: even if the 6 is shaded."""
    assert "cars_1" not in position(cars_1=row).targets
    table = position(cars_1="1 2", dice="6 6").play("fill 6 cars_1", "shade cars_1 3")
    assert table["cars_1"] == "1 2 (6) - - -"
    assert table.points("cars") == 1
    assert "cars_1" not in table.targets


def test_q3_no_more_numbers_after_a_6(position):
    """ "As soon as you put a 6 in a row of cars, put a slash through the remaining boxes"."""
    table = position(dice="6 6").play("fill 6 cars_1", "decline")
    assert table.targets == [target for target in OPEN if target != "cars_1"]


def test_a_6_elsewhere_brings_nothing(position):
    for target in ("area_1", "cans", "streamer"):
        table = position(dice="6 1", area_2="1").play(f"fill 6 {target}")
        assert table.phase == "fill"


# Sets of cans.


def test_a17_only_the_leftmost_set_that_is_not_full_is_open(position):
    """ "The left set must be filled before starting on the middle set, which must be filled before
    starting on the right set."
    """
    table = position(cans_1="4 5 6 .", dice="3 2").play("fill 3 cans")
    assert (table["cans_1"], table["cans_2"]) == ("4 5 6 3", ". . . .")
    table.play("fill 2 cans")
    assert table["cans_2"] == "2 . . ."
    table = position(cans_1="1 1 (1) 1", cans_2="2 2 2 2", dice="6 6").play("fill 6 cans")
    assert table["cans_3"] == "6 . . ."


def test_full_cans_take_nothing(position):
    full = dict.fromkeys(("cans_1", "cans_2", "cans_3"), "2 3 4 5")
    assert "cans" not in position(**full).targets


# Questions and answers.


def test_q1_a_player_who_can_fill_must_fill(position):
    """ "You must fill in a space if you can." There is no passing, not even of violations."""
    table = position(full=True, cars_1="4 5", dice="2 3")
    assert table.legal == ["fill 2 cars_1", "fill 3 cars_1"]


def test_q4_a_deliberate_violation_is_nullified_later(position):
    """ "Can I deliberately fill a space with a number in violation of the scoring rules, and then
    use a biscuit in the future to nullify that number? A: You got it!"
    """
    table = position(cars_1="1 4", dice="2 6", trex=3)
    table.play("fill 2 cars_1")
    assert "cars_1" not in table.targets
    table.play("fill 6 cars_2", "shade cars_1 3")
    assert table["cars_1"] == "1 4 (2) . . ."
    table.finish_round()
    assert "cars_1" in position(cars_1=table["cars_1"]).targets


def test_closed_rows_are_not_offered_and_open_ones_all_are(position):
    table = position(cars_1="1 1", cars_2="1 2 3 4 5 5", cars_3="1 3")
    assert table.targets[6:] == ["cars_3", "cans", "streamer"]


# The streamer as a row: "you must fill from left to right and the numbers must be in descending
# order (large to small)".


@pytest.mark.parametrize("number", range(1, 7))
def test_the_streamer_descends(position, number):
    table = position(streamer="6:1 4", dice=f"{number} 1").play(f"fill {number} streamer")
    legal = number < 4
    assert table["streamer"] == f"6:1 4 {number}:{'?' if legal else 'x'} . . ."
    assert ("streamer" in table.targets) == legal


@pytest.mark.parametrize(("carp_equal", "legal"), [("forbidden", False), ("allowed", True)])
def test_a8_equal_numbers_in_the_streamer_are_an_option(position, carp_equal, legal):
    table = position(streamer="5:1 4", dice="4 1", carp_equal=carp_equal).play("fill 4 streamer")
    assert table["streamer"] == f"5:1 4 4:{'?' if legal else 'x'} . . ."
    assert ("streamer" in table.targets) == legal
    table = position(streamer="5:1", dice="5 1", carp_equal=carp_equal).play("fill 5 streamer")
    assert (table.phase == "biscuit") == legal, "and they bring biscuits"


@pytest.mark.parametrize("carp_equal", ["forbidden", "allowed"])
def test_a8_cars_ascend_strictly_and_the_streamer_never_ascends_with_either(position, carp_equal):
    table = position(cars_1="3", streamer="3:1", carp_equal=carp_equal, dice="3 4")
    table.play("fill 3 cars_1")
    assert "cars_1" not in table.targets
    table.play("fill 4 streamer")
    assert (table["streamer"], table.phase, table.mover) == ("3:1 4 . . . .", "fill", 1)


def test_a_full_streamer_takes_nothing(position):
    assert "streamer" not in position(streamer="6:1 5 4:1 3 2:1 1").targets
    short = {"streamer": ["box"]}
    table = position(sheet=short, dice="3 3").play("fill 3 streamer")
    assert "streamer" not in table.targets
