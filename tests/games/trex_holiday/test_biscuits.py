"""What a biscuit may shade in T-Rex's Holiday and what that does, from drawn sheets.

Quoted sentences are the rulebook's; A9 and the like number the points that it leaves open.
"""

import pytest


def shades(table):
    """Returns what the biscuit may shade, without the word."""
    assert table.phase == "biscuit"
    assert table.legal[-1] == "decline"
    return [name.removeprefix("shade ") for name in table.legal[:-1]]


def biscuit(position, **drawn):
    """Returns a sheet whose third row of cars has just brought a biscuit, with a 1 to fill next."""
    return position(dice="1 6", **drawn).play("fill 6 cars_3")


# "Biscuits are used to shade one filled space, nullifying the number in it."


def test_a12_any_filled_space_may_be_shaded(position):
    """ "You can only use biscuits on a space that has already been filled." Whether it scores or
    not, and the number just written as well; neither crossed-off boxes nor those of the streamer.
    """
    table = biscuit(
        position,
        area_1="5 5",
        area_2="3 1 .",
        cars_1="2 4 3",
        cars_2="6",
        cans_1="1 1 3 4",
        cans_2="6",
        streamer="6:4 2 1:3",
    )
    assert shades(table) == [
        "area_1 5",
        "area_2 1",
        "area_2 3",
        "cars_1 1",
        "cars_1 2",
        "cars_1 3",
        "cars_2 1",
        "cars_3 1",
        "cans_1 1",
        "cans_1 3",
        "cans_1 4",
        "cans_2 6",
        "streamer 1",
        "streamer 2",
        "streamer 3",
    ]


@pytest.mark.parametrize(
    ("area", "drawn", "words", "shaded"),
    [
        ("area_2", "3 1", "area_2 1", "3 (1) ."),
        ("area_3", "4 4 2", "area_3 4", "(4) 4 2 ."),
        ("cars_1", "2 4 3", "cars_1 3", "2 4 (3) . . ."),
        ("cans_1", "5 6", "cans_1 6", "5 (6) . ."),
        ("streamer", "6:4 2", "streamer 2", "6:4 (2) . . . ."),
    ],
)
def test_a_shaded_number_still_fills_its_space(position, area, drawn, words, shaded):
    table = biscuit(position, **{area: drawn}).play(f"shade {words}")
    assert table[area] == shaded
    assert (table.phase, table.mover) == ("fill", 0)
    assert {name.split()[1] for name in table.legal} == {"1"}, "then the other die is filled"


@pytest.mark.parametrize(
    ("area", "drawn", "words"),
    [
        ("area_1", "5 (2)", "area_1 5"),
        ("cars_1", "2 (4) 5", "cars_1 1"),
        ("cans_1", "2 (4) 5", "cans_1 2"),
        ("streamer", "6:1 (4) 2:1", "streamer 1"),
    ],
)
def test_a13_only_one_biscuit_in_each_scoring_area(position, area, drawn, words):
    """ "Only 1 biscuit can be used in each scoring area (e.g., 1 cat scratching post, 1 row of
    cars, 1 set of cans, or the bottom row of carp streamers)".
    """
    table = biscuit(position, **{area: drawn})
    assert not any(name.startswith(area) for name in shades(table))
    unshaded = drawn.replace("(", "").replace(")", "")
    if area != "cars_1":
        assert words in shades(biscuit(position, **{area: unshaded}))


def test_a13_each_stack_post_row_and_set_has_its_own_limit(position):
    table = biscuit(
        position,
        area_1="(2) 3",
        area_2="3",
        cars_1="(1) 2",
        cars_2="1 2",
        cans_1="(1) 1 1 1",
        cans_2="2",
    )
    assert shades(table) == ["area_2 3", "cars_2 1", "cars_2 2", "cars_3 1", "cans_2 2"]


def test_q5_a_biscuit_may_be_declined_but_not_saved(position):
    """ "Yes you may, but you cannot save it for later use." """
    table = biscuit(position, area_1="5 4")
    before = table["area_1"]
    table.play("decline")
    assert (table.phase, table["area_1"]) == ("fill", before)
    table.play("fill 1 area_2")
    assert (table.phase, table.mover) == ("fill", 1)
    table.finish_round()
    assert table["area_1"] == before


def test_a_biscuit_must_be_used_at_once(position):
    """ "Biscuits must be used immediately or wasted"."""
    table = biscuit(position, area_1="5 4")
    assert not any(name.startswith(("fill", "hide")) for name in table.legal)


def test_a12_a_biscuit_is_lost_when_nothing_can_be_shaded(position):
    """Only where every area with a number, that of the new number too, has had its biscuit."""
    table = position(area_1="5 (4)", cars_1="1 (3)", dice="2 6").play("fill 6 cars_1")
    assert table["cars_1"] == "1 (3) 6 - - -"
    assert (table.phase, table.mover) == ("fill", 0)


def test_a_biscuit_may_shade_the_number_just_written(position):
    table = position(streamer="6:1", dice="4 1", trex=3)
    table.play("fill 4 streamer", "shade streamer 2")
    assert table["streamer"] == "6:1 (4) . . . ."
    table = position(dice="6 6").play("fill 6 cars_1", "shade cars_1 1")
    assert table["cars_1"] == "(6) - - - - -"


def test_the_biscuit_of_the_first_die_comes_before_the_second_die(position):
    """A3: it may reopen a row in between for the second die."""
    table = position(cars_1="1 4 2", dice="5 6")
    assert "cars_1" not in table.targets
    table.play("fill 6 cars_2", "shade cars_1 3", "fill 5 cars_1")
    assert table["cars_1"] == "1 4 (2) 5 . ."
    assert table.points("cars") == 6


def test_two_biscuits_in_one_phase(position):
    table = position(area_2="5 5 3", area_5="2 1 2", dice="6 6", trex=2)
    table.play("fill 6 cars_1", "shade area_2 3", "fill 6 cars_2", "shade area_5 1")
    assert (table["area_2"], table["area_5"]) == ("5 5 (3)", "2 (1) 2")
    assert table.mover == 1
    table.finish_round()
    assert table.scores[0] == 7 + 4


# "the numbers are now all identical and you score 5 + 2 = 7 points!"


def test_a_biscuit_saves_a_mixed_area(position):
    table = biscuit(position, area_2="5 3 5")
    assert table.points("areas") == 0
    table.play("shade area_2 3")
    assert table.points("areas") == 7


def test_a_biscuit_saves_a_set_of_cans(position):
    table = biscuit(position, cans_1="4 5 6 4", cans_2="6 3 4 5")
    assert table.copy().play("shade cans_1 4").points("cans") == 2
    assert table.copy().play("shade cans_1 5").points("cans") == 5
    assert table.play("shade cans_2 4").points("cans") == 5


def test_a_biscuit_may_spoil_what_scores(position):
    """A12: legal, but pointless."""
    table = biscuit(position, cans_1="4 5 3 2", cars_1="1 2 3")
    assert table.copy().play("shade cans_1 2").points("cans") == 0
    assert table.play("shade cars_1 3").points("cars") == 1


def test_a_set_may_be_filled_on_after_a_biscuit(position):
    table = biscuit(position, cans_1="6 6 1").play("shade cans_1 1", "fill 1 cans")
    assert table["cans_1"] == "6 6 (1) 1"
    assert (
        "shade cans_1 6" not in position(cans_1="6 6 (1) 1", dice="6 1").play("fill 6 cars_1").legal
    )


# "Note using a biscuit can rectify this situation." A9: reopening a row.


@pytest.mark.parametrize(
    ("row", "position_shaded", "reopened"),
    [
        ("1 4 3", 3, True),  # the violating number
        ("1 4 3", 2, True),  # "either the violating number or an earlier one": 1, 3
        ("1 4 3", 1, False),  # 4, 3 is still out of order
        ("1 3 4 2", 3, False),  # 1, 3, 2
        ("1 3 4 2", 4, True),
        ("5 5", 1, True),  # equal numbers
        ("5 5", 2, True),
        ("2 1", 1, True),
        ("1 2 3 4 5 5", 6, False),  # in order again, but full
    ],
)
def test_a9_a_row_of_cars_reopens_when_it_ascends_again(position, row, position_shaded, reopened):
    table = biscuit(position, cars_1=row)
    assert f"cars_1 {position_shaded}" in shades(table)
    table.play(f"shade cars_1 {position_shaded}")
    assert ("cars_1" in table.targets) == reopened


def test_a9_a_row_that_was_open_stays_open(position):
    table = biscuit(position, cars_1="1 2 4").play("shade cars_1 2")
    assert "cars_1" in table.targets
    assert table.points("cars") == 3


def test_a9_a_row_may_close_again_and_then_has_had_its_biscuit(position):
    table = position(cars_1="1 4 (2)", dice="3 6", area_1="1").play("fill 3 cars_1")
    assert table["cars_1"] == "1 4 (2) 3 . ."
    assert "cars_1" not in table.targets
    table.play("fill 6 cars_2")
    assert shades(table) == ["area_1 1", "cars_2 1"]


def test_a9_a_later_number_is_compared_with_what_is_not_shaded(position):
    table = position(cars_1="1 (5)", dice="3 2").play("fill 3 cars_1")
    assert "cars_1" in table.targets
    assert table.points("cars") == 3
    table.play("fill 2 cars_1")
    assert table.points("cars") == 3
    assert "cars_1" not in position(cars_1=table["cars_1"]).targets


@pytest.mark.parametrize(
    ("numbers", "position_shaded", "reopened"),
    [
        ("5:2 3 4:x", 3, True),
        ("5:2 3 4:x", 2, True),  # 5, 4
        ("5:2 3 4:x", 1, False),
        ("4:2 4", 1, True),
        ("4:2 4", 2, True),
        ("6:2 5 4:1 3 2:3 2", 6, False),
    ],
)
def test_a9_the_streamer_reopens_when_it_descends_again(
    position, numbers, position_shaded, reopened
):
    table = biscuit(position, streamer=numbers)
    assert "streamer" not in biscuit(position, streamer=numbers).play("decline").targets
    table.play(f"shade streamer {position_shaded}")
    assert ("streamer" in table.targets) == reopened


# Where biscuits come from: a 6 in the cars, and "If the space you fill has a biscuit underneath,
# you will gain 1 biscuit to be used immediately."


@pytest.mark.parametrize(
    ("before", "number", "earned"),
    [
        ("", 5, False),  # over a box
        ("6:1", 5, True),
        ("6:1 5", 4, False),
        ("6:1 5 4:1", 2, True),
        ("6:1 5 4:1 3 2:1", 1, True),
    ],
)
def test_a_space_over_a_biscuit_brings_one(position, before, number, earned):
    table = position(streamer=before, dice=f"{number} 1").play(f"fill {number} streamer")
    assert (table.phase == "biscuit") == earned


@pytest.mark.parametrize("number", [3, 4, 6])
def test_a20_a_violating_number_over_a_biscuit_brings_none(position, number):
    """ "The numbers in violation of the rule (always descending) will not score nor provide any
    biscuits." Nor later, when a biscuit from elsewhere makes the number legal.
    """
    table = position(streamer="3:1", dice=f"{number} 6").play(f"fill {number} streamer")
    assert table.phase == "fill"
    table.play("fill 6 cars_1", "shade streamer 1")
    assert (table.phase, table.mover) == ("fill", 1)
    assert table["streamer"] == f"(3):1 {number} . . . ."


def test_the_streamer_may_lie_over_other_things(position):
    sheet = {"streamer": ["biscuit", "nothing", "biscuit"]}
    table = position(sheet=sheet, dice="5 3").play("fill 5 streamer")
    assert shades(table) == ["streamer 1"]
    table.play("decline", "fill 3 streamer")
    assert table.mover == 1


def test_a21_a_biscuit_of_the_t_rex_die_is_used_at_once(position):
    table = position(streamer="6:1", area_1="5 4", phase="trex", trex=1)
    table.play("fill 1 streamer")
    assert table["streamer"] == "6:1 1 . . . ."
    assert shades(table) == ["area_1 4", "area_1 5", "streamer 1", "streamer 2"]
    table.play("shade area_1 4")
    assert (table.phase, table.mover) == ("trex", 1)
    assert table.points("areas") == 5


def test_a21_of_the_last_player_it_ends_the_round(position):
    table = position(streamer="6:1", phase="trex", trex=1, roller=1, area_1="5 4")
    table.play("fill 1 area_1").play("fill 1 streamer")
    assert (table.phase, table.rounds) == ("biscuit", 4)
    table.play("shade streamer 2")
    assert (table.phase, table.rounds, table.mover) == ("hide", 5, 0)


def test_a_biscuit_is_used_on_the_own_sheet(position):
    table = position(
        others=[{"area_2": "1", "cars_3": "1 2"}], roller=1, dice="6 1", area_1="5 4", cars_1="3"
    ).play("fill 6 cars_3")
    assert shades(table) == ["area_2 1", "cars_3 1", "cars_3 2", "cars_3 3"]
    table.play("shade area_2 1")
    assert (table["area_2", 1], table["area_1"]) == ("(1) . .", "5 4")


def test_a_6_after_a_shaded_box_reaches_the_next_position(position):
    """The rulebook's example: "the 4th box has been shaded with a biscuit to allow "6" to stretch
    to the 5th position". It "receives 1 biscuit"; the row has had its own.
    """
    table = position(cars_1="1 2 4 (3)", dice="6 1", area_1="3 2").play("fill 6 cars_1")
    assert table["cars_1"] == "1 2 4 (3) 6 -"
    assert table.points("cars") == 10
    assert shades(table) == ["area_1 2", "area_1 3"]
