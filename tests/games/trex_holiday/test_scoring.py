"""What a sheet of T-Rex's Holiday is worth. Quoted sentences are the rulebook's.

A14 and the like number the points that the rulebook leaves open.
"""

import pytest

AREAS = {"area_1": 2, "area_2": 3, "area_3": 4, "area_4": 2, "area_5": 3, "area_6": 4}
PLUS = {"area_2": 2, "area_5": 2}
TIMES = {"area_3": 2, "area_6": 2}


def test_an_empty_sheet_scores_nothing(position):
    table = position()
    assert table.scores == [0, 0]
    assert [table.points(room) for room in ("areas", "cars", "cans", "streamer")] == [0] * 4


# The scoring example, number by number.


def test_the_scoring_example_adds_up(position):
    """ "Total Score." The eight examples below on one sheet: 5 + 10 + 3 + 3 + 0 + 2 + 4 + 0."""
    table = position(
        area_2="3 3 3",
        area_3="5 5 5 5",
        cars_1="2 4 5 3",
        cars_2="1 4 6",
        cans_1="4 5 6 4",
        cans_2="4 (3) 6 5",
        streamer="5:4 4 5:x",
    )
    assert table.points("areas") == 15
    assert table.points("cars") == 6
    assert table.points("cans") == 2
    assert table.points("streamer") == 4
    assert table.scores[0] == 27


@pytest.mark.parametrize(
    ("area", "numbers", "points"),
    [
        ("area_2", "3 3 3", 5),  # "3" (number filled) + 2 = 5 points.
        ("area_3", "5 5 5 5", 10),  # "5" (number filled) x 2 = 10 points.
        ("cars_1", "2 4 5 3", 3),  # "only legally filled to the 3rd position ("5")"
        ("cars_1", "1 4 6", 3),  # "As soon as the 6 is filled, cross off the remaining boxes"
        ("cans_1", "4 5 6 4", 0),  # "4+5+6+4 = 19, so it does not score"
        ("cans_1", "4 (3) 6 5", 2),  # "Shaded out 1 number, so the remaining total is 4+6+5 = 15"
        ("streamer", "5:4", 4),  # "4 points. Follows the descending rule"
        ("streamer", "4:2 5", 2),
        ("streamer", "6:4 4 5:x", 4),  # "Does not follow the descending rule (5 > 4)"
    ],
)
def test_each_example_scores_as_the_rulebook_says(position, area, numbers, points):
    assert position(**{area: numbers}).scores[0] == points


# "If a scoring area is filled with all the same number (ignoring any shaded numbers due to
# biscuits), score the number of points equal to the number filled plus any bonus points or
# multipliers."


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("number", range(1, 7))
def test_every_stack_and_post_scores_its_number_with_its_bonus(position, area, number):
    table = position(**{area: f"{number} " * AREAS[area]})
    assert table.points("areas") == number * TIMES.get(area, 1) + PLUS.get(area, 0)


def test_all_fives_with_two_more_score_seven(position):
    """ "the numbers in the scoring area are now all identical, so you score 5 + 2 = 7 points!" """
    assert position(area_2="5 5 5").scores[0] == 7
    assert position(area_2="5 5 3").scores[0] == 0, '"not all the same, so it does not score"'
    assert position(area_2="5 5 (3)").scores[0] == 7, "the same after a biscuit"


@pytest.mark.parametrize("area", AREAS)
def test_a15_an_area_must_be_full(position, area):
    """ "filled with all the same number"."""
    for filled in range(AREAS[area]):
        assert position(**{area: "4 " * filled}).scores[0] == 0


@pytest.mark.parametrize("area", AREAS)
def test_one_number_that_differs_spoils_an_area(position, area):
    for odd in range(AREAS[area]):
        numbers = ["4"] * AREAS[area]
        numbers[odd] = "6"
        shaded = [*numbers]
        shaded[odd] = "(6)"
        wrong = [*numbers]
        wrong[odd - 1] = "(4)"
        assert position(**{area: " ".join(numbers)}).scores[0] == 0
        expected = 4 * TIMES.get(area, 1) + PLUS.get(area, 0)
        assert position(**{area: " ".join(shaded)}).scores[0] == expected, "ignoring shaded ones"
        if AREAS[area] > 2:
            assert position(**{area: " ".join(wrong)}).scores[0] == 0, "two kinds are left"


def test_a14_one_number_alone_is_all_the_same(position):
    """A shaded number still occupies its space."""
    assert position(area_1="5 (2)").scores[0] == 5
    assert position(area_1="(5) 2").scores[0] == 2
    assert position(area_1="(5)").scores[0] == 0, "not full"


def test_a15_a_multiplier_and_a_plus_in_one_area(position):
    sheet = {"areas": [{"size": 2, "times": 2, "plus": 3}, {"size": 1}]}
    assert position(sheet=sheet, area_1="4 4").scores[0] == 4 * 2 + 3
    assert position(sheet=sheet, area_2="6").scores[0] == 6


def test_an_area_whose_only_number_is_shaded_has_no_number_to_score(position):
    sheet = {"areas": [{"size": 1, "plus": 5}]}
    assert position(sheet=sheet, area_1="6").scores[0] == 11
    assert position(sheet=sheet, area_1="(6)").scores[0] == 0


# Rows of cars: "the scoring boxes under the cars are 0, 1, 3, 6, 10, 15 for positions 1 to 6".


@pytest.mark.parametrize("row", ["cars_1", "cars_2", "cars_3"])
@pytest.mark.parametrize(
    ("numbers", "points"),
    [
        ("", 0),
        ("3", 0),
        ("1 2", 1),
        ("1 2 5", 3),
        ("1 2 3 4", 6),
        ("1 2 3 4 5", 10),
        ("1 2 3 4 5 6", 15),
    ],
)
def test_the_last_box_of_the_run_says_the_points(position, row, numbers, points):
    """ "Wherever the row of ascending numbers legally ends, use that last box"."""
    assert position(**{row: numbers}).scores[0] == points


@pytest.mark.parametrize(
    ("numbers", "points"),
    [
        ("1 2 3 4 3", 6),  # the example: "4" is in the 4th position and will score 6 points
        ("2 2", 0),  # "numbers cannot be identical"
        ("1 5 5", 1),
        ("5 4", 0),
        ("1 2 3 4 5 5", 10),
        ("6", 0),
        ("5 6", 1),
        ("1 2 3 (3) 6", 10),  # the example: shaded "to allow "6" to stretch to the 5th position"
        ("(6)", 0),
        ("2 4 (6)", 1),
    ],
)
def test_what_breaks_the_order_does_not_score(position, numbers, points):
    """ "Because "3" is filled after the "4", it will neither score nor allow the player to
    continue to fill this row."
    """
    assert position(cars_1=numbers).scores[0] == points


@pytest.mark.parametrize(
    ("numbers", "points"),
    [
        ("2 4 (3)", 1),  # the run ends with the 4
        ("2 (4)", 0),  # with the 2
        ("2 4 (3) 5", 6),  # the 5 stands in the fourth box
        ("(2) 4", 1),
        ("(2)", 0),
        ("(5) 1 2 3 4 6", 15),
    ],
)
def test_a10_shaded_numbers_are_no_end_but_take_a_position(position, numbers, points):
    assert position(cars_1=numbers).scores[0] == points


def test_the_three_rows_add_up(position):
    assert position(cars_1="1 2 3", cars_2="3 4", cars_3="1 2 4 5 6").scores[0] == 3 + 1 + 10


# Sets of cans: "Score 5 points if the 4 numbers add up to 14; else score 2 points if they add up to
# 15. Any other sum will not score."


@pytest.mark.parametrize("total", range(4, 25))
def test_cans_that_add_up_to_14_or_15_score(position, total):
    low, more = divmod(total, 4)
    numbers = " ".join([str(low)] * (4 - more) + [str(low + 1)] * more)
    assert position(cans_1=numbers).scores[0] == {14: 5, 15: 2}.get(total, 0)


@pytest.mark.parametrize("numbers", ["2 3 4 5", "5 4 3 2", "3 5 2 4", "6 6 1 1"])
def test_a16_the_order_within_a_set_does_not_matter(position, numbers):
    assert position(cans_1=numbers).scores[0] == 5


@pytest.mark.parametrize("numbers", ["6 6 2", "5 5 5", "6 (1) 6", "5 5 4"])
def test_a16_a_set_must_be_full(position, numbers):
    """ "if the 4 numbers add up"."""
    assert position(cans_1=numbers).scores[0] == 0


@pytest.mark.parametrize(
    ("numbers", "points"),
    [("4 (6) 5 5", 5), ("(1) 5 5 5", 2), ("6 6 (2) 2", 5), ("(3) 2 4 5", 0), ("(4) 5 6 4", 2)],
)
def test_a16_a_shaded_can_is_filled_but_not_counted(position, numbers, points):
    assert position(cans_1=numbers).scores[0] == points


def test_all_three_sets_score_alike(position):
    assert position(cans_1="2 3 4 5", cans_2="3 3 4 5", cans_3="6 6 1 1").scores[0] == 5 + 2 + 5


# The carp streamer: "that is the number of points you will score for legally filling".


@pytest.mark.parametrize(
    ("numbers", "points"),
    [
        ("6:1", 1),
        ("6:1 5 4:6", 7),
        ("6:6 5 4:6 3 2:6 1", 18),
        ("3:5 3", 5),
        ("3:5 2 4:x", 5),
        ("(3):5 2", 5),  # A19: earned "for legally filling", and kept
        ("3:2 2 (4):x", 2),  # "Even if you use a biscuit to nullify the number"
        ("(3):2 2 4:x", 2),
    ],
)
def test_the_boxes_under_the_streamer_add_up(position, numbers, points):
    table = position(streamer=numbers)
    assert table.points("streamer") == points
    assert table.scores[0] == points


def test_the_numbers_of_the_streamer_themselves_do_not_score(position):
    sheet = {"streamer": ["nothing", "biscuit", "nothing"]}
    assert position(sheet=sheet, streamer="6 5 4").scores[0] == 0


# The sheet as a whole.


def test_no_sheet_is_worth_more_than_130_points(position):
    table = position(
        **{area: "6 " * size for area, size in AREAS.items()},
        **dict.fromkeys(("cars_1", "cars_2", "cars_3"), "1 2 3 4 5 6"),
        **dict.fromkeys(("cans_1", "cans_2", "cans_3"), "2 3 4 5"),
        streamer="6:6 5 4:6 3 2:6 1",
    )
    rooms = [table.points(room) for room in ("areas", "cars", "cans", "streamer")]
    assert rooms == [6 + 8 + 12 + 6 + 8 + 12, 45, 15, 18]
    assert table.scores[0] == 130
