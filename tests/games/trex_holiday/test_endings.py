"""How T-Rex's Holiday ends and who wins, from drawn sheets. Quoted sentences are the rulebook's.

A1 and the like number the points that the rulebook leaves open. A full sheet has 3 points, see
`conftest.FULL`; with a set of cans that adds up to 14 it has 8, to 15 it has 5.
"""

import pytest

FULL = {"full": True}
EIGHT = {"full": True, "cans_2": "2 3 4 5"}
FIVE = {"full": True, "cans_2": "3 3 4 5"}

# "When filling in the 2 revealed dice (not T-Rex die), if any player cannot legally fill both dice,
# the game ends at the end of the round."


def test_a1_one_die_that_cannot_be_filled_ends_the_game(position):
    """The other one is filled all the same."""
    table = position(full=True, area_1="5 .", dice="5 3", trex=2)
    table.play("fill 5 area_1")
    assert table["area_1"] == "5 5"
    assert (table.mover, table.ending) == (1, "running"), "the round is finished"
    table.finish_round()
    assert table.ending == "over"
    assert (table.rounds, table.scores) == (5, [8, 0])
    assert table.returns == [1.0, -1.0]


def test_a1_the_player_chooses_which_die_is_filled(position):
    table = position(full=True, area_1="5 .", dice="5 3", trex=2)
    assert table.legal == ["fill 3 area_1", "fill 5 area_1"]
    table.play("fill 3 area_1").finish_round()
    assert (table.ending, table.scores[0]) == ("over", 3)


def test_no_die_that_can_be_filled_ends_the_game_too(position):
    """ "There are no more empty spaces to fill". The stuck player is passed over."""
    table = position(full=True, dice="5 3", trex=2)
    assert table.mover == 1
    table.finish_round()
    assert table.ending == "over"


def test_who_fills_the_last_two_spaces_does_not_end_the_game_yet(position):
    table = position(full=True, area_1="", dice="5 5", trex=2)
    table.play("fill 5 area_1", "fill 5 area_1").finish_round()
    assert (table.ending, table.rounds, table.roller) == ("running", 5, 1)
    table.finish_round()
    assert (table.ending, table.rounds) == ("over", 6), "but in the next round"


@pytest.mark.parametrize(
    ("first", "ends"),
    [("fill 4 cars_1", False), ("fill 2 cars_1", True)],
)
def test_rows_that_are_closed_by_a_violation_take_no_number(position, first, ends):
    """ "There are no more empty spaces to fill in the "Stacks and Posts" and "Sets of Cans" areas,
    and no more numbers can legally be placed into the rows of cars (due to a "6" or the ascending
    rule) and the carp streamer (descending rule)."
    """
    table = position(full=True, cars_1="3", dice="2 4", trex=3)
    table.play(first)
    assert (table.mover == 0) != ends
    table.finish_round()
    assert (table.ending == "over") == ends


@pytest.mark.parametrize("streamer", ["3:1 4", "6:1 5 4:1 3 2:1 1", "(2):1 1 3:x"])
@pytest.mark.parametrize("row", ["6", "4 4", "1 2 3 4 5 5"])
def test_every_way_in_which_nothing_more_can_be_filled(position, row, streamer):
    rows = dict.fromkeys(("cars_1", "cars_2", "cars_3"), row)
    table = position(full=True, streamer=streamer, dice="5 3", **rows)
    assert table.finish_round().ending == "over"


@pytest.mark.parametrize(
    ("area", "drawn", "fills"),
    [
        ("area_3", "1 2", ["fill 2 area_3", "fill 3 area_3"]),
        ("cars_2", "1", ["fill 2 cars_2", "fill 3 cars_2"]),
        ("cans_3", "1 1", ["fill 2 cans", "fill 3 cans"]),
        ("streamer", "5:1 4", ["fill 3 streamer", "fill 2 streamer", "decline"]),
    ],
)
def test_two_spaces_in_any_room_keep_the_game_going(position, area, drawn, fills):
    table = position(full=True, dice="3 2", trex=2, **{area: drawn})
    assert table.play(*fills).finish_round().ending == "running"


def test_a_6_may_be_what_ends_the_game(position):
    table = position(full=True, cars_1="1 2", dice="6 4", trex=3)
    table.play("fill 6 cars_1", "decline")
    assert table.mover == 1
    assert table.finish_round().ending == "over"


def test_a3_a_biscuit_may_open_a_row_for_the_second_die(position):
    """It is used "immediately", before it is settled whether the second die can be filled."""
    table = position(full=True, cars_1="1 2", cars_2="3 1", dice="6 4", trex=3)
    saved = table.copy().play("fill 6 cars_1", "shade cars_2 2", "fill 4 cars_2")
    assert saved.mover == 1
    assert saved.finish_round().ending == "running"
    wasted = table.play("fill 6 cars_1", "shade cars_1 1")
    assert wasted.mover == 1
    assert wasted.finish_round().ending == "over"


# A22: the round is finished, with the T-Rex die for everybody.


def test_a22_all_others_finish_the_round(position):
    table = position(players=3, full=True, dice="5 3", trex=4, area_1="5 .", roller=2)
    table.play("fill 3 area_2", "fill 5 area_2", "fill 5 area_1")
    assert (table.mover, table.ending) == (1, "running")
    table.play("fill 5 cars_1", "fill 3 cans")
    assert (table.phase, table.exposed, table.mover) == ("trex", True, 2)
    table.play("fill 4 area_2")
    assert (table.mover, table.ending) == (1, "running"), "seat 0 cannot place it"
    table.play("fill 4 area_4")
    assert table.ending == "over"
    assert table["area_2", 2] == "3 5 4"
    assert table["area_4", 1] == "4 ."


def test_a22_the_t_rex_die_still_fills_the_box_of_the_stuck_player(position):
    table = position(full=True, sheet={"streamer": ["box"]}, streamer="", dice="5 3", trex=6)
    table.play("fill 5 streamer").finish_round()
    assert table.ending == "over"
    assert table["streamer"] == "5:6"
    assert table.scores[0] == 6


def test_a22_the_t_rex_die_may_still_score(position):
    """Of a player who is not stuck."""
    table = position(full=True, dice="2 3", trex=4, others=[{"area_2": "4 4"}])
    table.play("fill 2 area_1", "fill 3 area_1", "fill 4 area_2")
    assert (table.ending, table.scores) == ("over", [3, 6])
    assert table.returns == [-1.0, 1.0]


def test_a22_several_players_may_end_the_game_together(position):
    table = position(full=True, others=[FULL, EIGHT], dice="5 3", trex=2)
    assert table.ending == "over", "all are passed over"
    assert (table.rounds, table.scores) == (5, [3, 3, 8])
    assert table.returns == [-0.5, -0.5, 1.0]


@pytest.mark.parametrize("roller", range(3))
@pytest.mark.parametrize("stuck", range(3))
def test_any_player_may_end_the_game(position, roller, stuck):
    sheets = [FULL if seat == stuck else {} for seat in range(3)]
    table = position(others=sheets[1:], roller=roller, dice="2 3", trex=1, **sheets[0])
    table.finish_round()
    assert table.ending == "over"
    assert table.scores == [3 if seat == stuck else 0 for seat in range(3)]
    assert table.returns == [1.0 if seat == stuck else -0.5 for seat in range(3)]


def test_inability_to_fill_the_t_rex_die_does_not_end_the_game(position):
    """ "Special Note: Inability to fill in T-Rex die will not end the game!" Even where it leaves
    no empty space.
    """
    table = position(full=True, area_1="", dice="1 2", trex=3)
    table.play("fill 1 area_1", "fill 2 area_1")
    table.finish_round()
    assert table.ending == "running"
    table = position(full=True, phase="trex", trex=3).finish_round()
    assert table.ending == "running"


def test_the_t_rex_die_may_take_the_last_space(position):
    """The game ends in the next round only, by the revealed dice."""
    table = position(full=True, area_1="4", phase="trex", trex=4)
    table.play("fill 4 area_1").finish_round()
    assert (table.ending, table.rounds) == ("running", 5)
    assert table.finish_round().ending == "over"


# "At that point, the player with the highest score wins." A23: ties are shared.


@pytest.mark.parametrize(
    ("own", "others", "returns"),
    [
        (EIGHT, [FIVE], [1.0, -1.0]),
        (FULL, [FIVE], [-1.0, 1.0]),
        (FIVE, [FIVE], [0.0, 0.0]),
        (EIGHT, [FIVE, FULL], [1.0, -0.5, -0.5]),
        (FIVE, [FIVE, EIGHT], [-0.5, -0.5, 1.0]),
        (EIGHT, [FULL, EIGHT], [0.5, -1.0, 0.5]),
        (FULL, [FULL, FULL], [0.0, 0.0, 0.0]),
        (FULL, [EIGHT, *[FIVE] * 6], [-0.142857, 1.0, *[-0.142857] * 6]),
        (EIGHT, [FIVE] * 4 + [EIGHT] * 3, [0.25, *[-0.25] * 4, *[0.25] * 3]),
        (EIGHT, [EIGHT] * 6 + [FULL], [*[0.142857] * 7, -1.0]),
        (FIVE, [FIVE] * 7, [0.0] * 8),
    ],
)
def test_the_highest_score_wins_and_ties_are_shared(position, own, others, returns):
    table = position(others=others, dice="5 3", **own)
    assert table.ending == "over"
    assert table.returns == returns


def test_who_ends_the_game_may_lose(position):
    table = position(full=True, others=[{"cars_1": "1 2 3 4"}], dice="2 3", trex=1)
    table.finish_round()
    assert (table.scores, table.returns) == ([3, 6], [-1.0, 1.0])


def test_one_player_plays_alone_for_the_score(position):
    table = position(players=1, dice="5 3", **EIGHT)
    assert (table.ending, table.scores, table.returns) == ("over", [8], [8.0])
    table = position(players=1, dice="5 3", trex=4).play("fill 5 area_1", "fill 3 cans")
    assert (table.phase, table.mover) == ("trex", 0)
    table.play("fill 4 area_2")
    assert (table.phase, table.roller, table.rounds) == ("hide", 0, 5), "and rolls every round"


# The cap.


def test_the_cap_cuts_the_game_and_scores_it_as_it_stands(position):
    table = position(max_rounds=6, area_4="3 3", others=[{"cars_1": "1 2"}], dice="2 3", trex=1)
    table.finish_round()
    assert (table.ending, table.rounds) == ("running", 5)
    table.finish_round()
    assert (table.ending, table.rounds) == ("cut", 6)
    assert table.scores[0] > table.scores[1]
    assert table.returns == [1.0, -1.0]


def test_the_cap_cuts_a_draw(position):
    table = position(players=3, max_rounds=5, dice="2 3", trex=5).finish_round()
    assert (table.ending, table.scores, table.returns) == ("cut", [0] * 3, [0.0] * 3)


def test_a_game_that_ends_by_the_rules_at_the_cap_is_not_cut(position):
    table = position(full=True, max_rounds=5, dice="2 3", trex=1).finish_round()
    assert (table.ending, table.rounds) == ("over", 5)
