"""The boxes under the carp streamer of T-Rex's Holiday, from drawn sheets.

Quoted sentences are the rulebook's; A18 and the like number the points that it leaves open.
"""

import pytest


def reveal(table):
    """Lets all others fill what they like, up to the T-Rex die."""
    while not table.exposed:
        table.play("decline" if "decline" in table.legal else table.legal[0])
    return table


def test_the_t_rex_die_is_written_into_the_box(position):
    """ "on this round, the revealed dice are "5" and "3". Player A decides to place a "5" into the
    first carp streamer box. This round's T-Rex die is a "4". A "4" is written into the box
    underneath. Player A will receive 4 points at the end of the game."
    """
    table = position(dice="5 3", trex=4).play("fill 5 streamer")
    assert table["streamer"] == "5:? . . . . ."
    assert table.points("streamer") == 0, "nobody but the roller knows the die yet"
    table.play("fill 3 area_1")
    reveal(table)
    assert table["streamer"] == "5:4 . . . . ."
    assert table.points("streamer") == 4
    assert table.scores[0] == 4


def test_the_t_rex_die_must_be_filled_in_as_well(position):
    """ "You still need to fill T-Rex die in a space that corresponds to a room"."""
    table = reveal(position(dice="5 3", trex=4).play("fill 5 streamer", "fill 3 area_1"))
    assert (table.phase, table.mover) == ("trex", 0)
    assert table.targets == [f"area_{area}" for area in range(1, 7)]


def test_a18_both_dice_of_a_round_may_lie_over_boxes(position):
    sheet = {"streamer": ["box", "box", "box"]}
    table = position(sheet=sheet, dice="5 3", trex=6).play("fill 5 streamer", "fill 3 streamer")
    assert table["streamer"] == "5:? 3:? ."
    reveal(table)
    assert table["streamer"] == "5:6 3:6 ."
    assert table.scores[0] == 12


def test_a18_two_boxes_with_a_biscuit_between_take_two_rounds(position):
    table = position(dice="5 3", trex=6).play("fill 5 streamer", "fill 3 streamer", "decline")
    assert reveal(table)["streamer"] == "5:6 3 . . . ."


def test_a18_the_t_rex_die_itself_over_a_box_brings_its_own_number(position):
    table = position(streamer="6:2 5", phase="trex", trex=1).play("fill 1 streamer")
    assert table["streamer"] == "6:2 5 1:1 . . ."
    assert table.points("streamer") == 3
    assert (table.phase, table.mover) == ("trex", 1)


def test_a18_the_t_rex_die_over_a_box_after_a_revealed_die_in_the_same_round(position):
    """Both boxes get its number."""
    sheet = {"streamer": ["box", "box"]}
    table = reveal(position(sheet=sheet, dice="5 3", trex=1).play("fill 5 streamer", "fill 3 cans"))
    table.play("fill 1 streamer")
    assert table["streamer"] == "5:1 1:1"
    table.finish_round()
    assert table.scores[0] == 2


@pytest.mark.parametrize("number", [4, 5, 6])
def test_the_box_under_a_violator_is_crossed_out(position, number):
    """ "If a number that violates the descending rule has a scoring box underneath it, cross out
    the scoring box."
    """
    table = position(streamer="5:2 4", dice=f"{number} 1", trex=6).play(f"fill {number} streamer")
    assert table["streamer"] == f"5:2 4 {number}:x . . ."
    reveal(table.play("fill 1 area_1"))
    assert table["streamer"] == f"5:2 4 {number}:x . . ."
    assert table.scores[0] == 2


def test_a_violating_t_rex_die_crosses_the_box_out_too(position):
    table = position(streamer="5:2 4", phase="trex", trex=6).play("fill 6 streamer")
    assert table["streamer"] == "5:2 4 6:x . . ."
    assert table.points("streamer") == 2


@pytest.mark.parametrize("place", [1, 2, 3])
def test_a19_a_crossed_box_stays_crossed(position, place):
    """ "Even if you use a biscuit to nullify the number, it still will not score." Nor if an
    earlier number is shaded, so that the violator becomes legal.
    """
    table = position(streamer="4:2 3 5:x", dice="6 2", trex=6)
    table.play("fill 6 cars_1", f"shade streamer {place}", "fill 2 cans")
    reveal(table)
    assert table["streamer"].split()[2].endswith(":x")
    assert table.scores[0] == 2


def test_a19_the_violator_of_the_round_stays_crossed_when_it_is_shaded_before_the_reveal(position):
    table = position(streamer="4:2 3", dice="5 6", trex=6).play("fill 5 streamer", "fill 6 cars_1")
    table.play("shade streamer 2")
    assert table["streamer"] == "4:2 (3) 5:x . . ."
    assert reveal(table)["streamer"] == "4:2 (3) 5:x . . ."


def test_the_streamer_goes_on_behind_a_shaded_violator(position):
    table = position(streamer="4:2 3 (5):x", area_1="1", dice="2 1", trex=6)
    table.play("fill 2 streamer")
    assert table.phase == "biscuit", "a legal number over a biscuit"
    table.play("decline", "fill 1 streamer")
    assert reveal(table)["streamer"] == "4:2 3 (5):x 2 1:6 ."


def test_a19_a_number_shaded_later_keeps_its_points(position):
    """It was earned "for legally filling"."""
    table = position(streamer="5:4 3", dice="6 1").play("fill 6 cars_1", "shade streamer 1")
    assert table["streamer"] == "(5):4 3 . . . ."
    assert table.points("streamer") == 4


def test_a19_a_number_shaded_before_the_reveal_gets_its_points(position):
    table = position(dice="5 6", trex=3).play("fill 5 streamer", "fill 6 cars_1")
    table.play("shade streamer 1")
    assert table["streamer"] == "(5):? . . . . ."
    assert reveal(table)["streamer"] == "(5):3 . . . . ."
    assert table.scores[0] == 3


def test_every_player_writes_the_same_t_rex_number(position):
    table = position(players=3, dice="5 3", trex=2, roller=2)
    for seat in (2, 0, 1):
        assert table.mover == seat
        table.play("fill 5 streamer", "fill 3 cans")
    assert [table["streamer", seat] for seat in range(3)] == ["5:2 . . . . ."] * 3
    assert table.scores == [2, 2, 2]


def test_boxes_of_earlier_rounds_do_not_change(position):
    table = position(streamer="6:3 5", dice="4 1", trex=6).play("fill 4 streamer", "fill 1 area_1")
    assert reveal(table)["streamer"] == "6:3 5 4:6 . . ."


def test_nothing_is_written_under_spaces_without_a_box(position):
    sheet = {"streamer": ["nothing", "biscuit", "box"]}
    table = position(sheet=sheet, dice="5 4", trex=6)
    table.play("fill 5 streamer", "fill 4 streamer", "decline")
    assert reveal(table)["streamer"] == "5 4 ."
    assert table.scores[0] == 0
