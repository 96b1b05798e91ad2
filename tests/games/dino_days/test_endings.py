"""How Dino Days ends and who wins, from positions. Quoted sentences are the rulebook's.

D16 and the like number the points that the rulebook leaves open.
"""

import pytest

NO = ". . . . . . ."
SIX = "bary bary bary bary bary bary ."


def test_the_game_ends_at_once_when_a_board_is_full(position):
    """ "The game ends when one player has a dinosaur on every day of the week." """
    table = position(hands=["bary", "bary"], boards=[SIX, SIX])
    table.play("baryonyx sun")
    assert table.ending == "over", "without a last turn for the others"
    assert table.scores == [7, 6]
    assert table.returns == [1.0, -1.0]


@pytest.mark.parametrize(
    ("card", "way", "board"),
    [
        ("tric", "triceratops sun", SIX),
        ("pter", "pteranodon mon", ". bary bary bary bary bary bary"),
        ("steg", "stegosaurus sat", "bary bary bary bary bary . bary"),
        ("dilo", "dilophosaurus tue", "bary . bary bary bary bary bary"),
        ("front rear", "diplodocus thu", "bary bary bary . . bary bary"),
        ("spin", "spinosaurus 1 mon", "bary bary . bary bary bary bary"),
    ],
)
def test_any_dinosaur_may_complete_a_board(position, card, way, board):
    table = position(hands=[card], boards=[board, "pter . . . . . ."])
    table.play(way)
    assert table.ending == "over"


def test_d16_each_half_of_a_diplodocus_and_each_stack_fills_a_day(position):
    table = position(hands=["bary"], boards=["front rear front rear bary:micr micr ."])
    table.play("baryonyx sun")
    assert table.ending == "over"
    assert table.scores == [12 + 12 + 0 + 0 + 1, 0]


@pytest.mark.parametrize("cards", ["nest", "meteor", "micr"])
def test_other_cards_do_not_complete_a_board_of_six(position, cards):
    table = position(hands=[cards, ""], boards=[SIX, "bary bary . . . . ."])
    kind = {"nest": "nest", "meteor": "meteor", "micr": "microraptor"}[cards]
    for way in table.ways(kind):
        assert table.copy().play(f"{kind} {way}").ending == "running"


def test_d16_a_board_may_be_completed_by_another_player(position):
    """A tyrannosaurus on an opponent's last empty day scares only the tops of the stacks beside."""
    boards = [NO, "bary bary bary:micr . bary:micr bary bary"]
    table = position(hands=["tyra"], boards=boards)
    table.play("tyrannosaurus 1 thu")
    assert table.boards[1] == "bary bary bary tyra bary bary bary"
    assert table.ending == "over"
    assert table.scores == [0, 13]
    assert table.returns == [-1.0, 1.0]


def test_d16_a_player_may_win_by_completing_another_ones_board(position):
    boards = ["giga giga . . . . .", "bary bary bary:micr . bary:micr bary bary"]
    table = position(hands=["tyra"], boards=boards)
    table.play("tyrannosaurus 1 thu")
    assert table.scores == [20, 13]
    assert table.returns == [1.0, -1.0]


def test_d16_a_tyrannosaurus_that_empties_a_day_completes_nothing(position):
    boards = [NO, "bary bary bary:micr . bary bary bary"]
    table = position(hands=["tyra"], boards=boards)
    table.play("tyrannosaurus 1 thu")
    assert table.boards[1] == "bary bary bary tyra . bary bary"
    assert table.ending == "running"


# "You then add up the scores to see who wins."


@pytest.mark.parametrize(
    ("others", "returns"),
    [
        (["bary . . . . . ."], [1.0, -1.0]),
        (["giga . . . . . ."], [-1.0, 1.0]),
        (["spin pter . . . . ."], [0.0, 0.0]),
        ([NO, "bary . . . . . ."], [1.0, -0.5, -0.5]),
        (["giga . . . . . .", NO], [-0.5, 1.0, -0.5]),
        (["spin pter . . . . .", NO], [0.5, 0.5, -1.0]),
        (["giga . . . . . .", "spin spin . . . . ."], [-1.0, 0.5, 0.5]),
        (["spin pter . . . . .", "tyra . . . . . ."], [0.0, 0.0, 0.0]),
        ([NO, NO, NO], [1.0, -0.333333, -0.333333, -0.333333]),
        (["giga . . . . . .", NO, "tyra . . . . . ."], [-0.333333, 1.0, -0.333333, -0.333333]),
        ([NO, "tyra . . . . . .", NO], [0.5, -0.5, 0.5, -0.5]),
        (["tyra . . . . . ."] * 2 + [NO], [0.333333, 0.333333, 0.333333, -1.0]),
        (["tyra . . . . . ."] * 3, [0.0, 0.0, 0.0, 0.0]),
        (["tyra . . . . . .", "giga . . . . . .", "spin dilo . . . . ."], [-0.5, -0.5, 0.5, 0.5]),
    ],
)
def test_the_highest_score_wins_whoever_completed_the_board(position, others, returns):
    """D17: seat 0 completes its board with seven points, and may lose. Ties are shared."""
    table = position(hands=["bary"], boards=[SIX, *others])
    table.play("baryonyx sun")
    assert table.ending == "over"
    assert table.scores[0] == 7
    assert table.returns == returns


def test_covered_dinosaurs_do_not_count_at_the_end(position):
    table = position(hands=["bary"], boards=[SIX, "giga:micr . . . . . ."])
    table.play("baryonyx sun")
    assert table.scores == [7, 0]
    assert table.returns == [1.0, -1.0]


def test_cards_in_hand_do_not_count(position):
    table = position(hands=["bary giga", "giga tyra"], boards=[SIX, "bary . . . . . ."])
    table.play("baryonyx sun")
    assert table.returns == [1.0, -1.0]


def test_a_full_board_ends_the_game_for_any_mover(position):
    for mover in range(4):
        boards, hands = [NO] * 4, [""] * 4
        boards[mover], hands[mover] = SIX, "tric"
        table = position(hands=hands, boards=boards, mover=mover).play("triceratops sun")
        assert table.ending == "over"
        assert [value > 0 for value in table.returns] == [seat == mover for seat in range(4)]


# D24: the cap.


@pytest.mark.parametrize(
    ("boards", "returns"),
    [
        (["bary . . . . . .", "pter . . . . . ."], [-1.0, 1.0]),
        (["tyra . . . . . .", "pter . . . . . ."], [1.0, -1.0]),
        (["pter . . . . . .", "steg . . . . . ."], [0.0, 0.0]),
        ([NO, NO, "bary . . . . . ."], [-0.5, -0.5, 1.0]),
        ([NO, NO, NO, NO], [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_d24_endless_drawing_is_cut_and_scored_as_it_stands(position, boards, returns):
    players = len(boards)
    table = position(boards=boards, turns=100 * players - 2, mover=players - 2)
    table.play("draw")
    assert table.ending == "running"
    table.play("draw")
    assert table.turns == 100 * players
    assert table.ending == "cut"
    assert table.returns == returns


def test_d24_the_cap_is_an_option(position):
    table = position(players=3, turns=0, max_turns=1)
    table.play("draw", "draw", "draw")
    assert table.ending == "cut"


def test_d24_a_turn_of_several_choices_is_one_turn(position):
    table = position(hands=["scientist"], turns=199)
    table.play("scientist")
    assert table.ending == "running"
    table.play("discard baryonyx")
    assert table.ending == "cut"


def test_a_game_that_ends_by_the_rules_at_the_cap_is_not_cut(position):
    table = position(hands=["tric"], boards=[SIX], turns=199).play("triceratops sun")
    assert table.ending == "over"


def test_the_turn_stays_where_the_game_ended(position):
    table = position(hands=["tric"], boards=[SIX]).play("triceratops sun")
    assert (table.phase, table.turns) == ("choose", 11)
    assert table.scores == [9, 0]
