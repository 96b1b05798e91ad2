"""What dinosaurs of Dino Days do to others, from positions. Quoted sentences are the rulebook's.

D4 and the like number the points that the rulebook leaves open.
"""

import pytest

# GIGANOTOSAURUS: "completely removes ALL other dinosaurs on the whole board."


def test_d4_giganotosaurus_removes_whole_stacks_and_the_diplodocus(position):
    board = "tyra bary:micr . front rear spin:micr:micr giga"
    table = position(hands=["giga"], boards=["bary . . . . . .", board])
    table.play("giganotosaurus 1 wed")
    assert table.boards == ["bary . . . . . .", ". . giga . . . ."]
    assert table.discards == "giga front rear tyra spin bary micr micr micr"
    assert table.scores == [1, 10], "it scores for the player on whose board it lies"
    assert (table.hands[0], table.mover) == ("", 1)


def test_giganotosaurus_only_affects_the_board_it_is_played_on(position):
    """ "The giganotosaurus only affects the board it is played on"."""
    others = ["bary pter . . . . tric", "micr . . front rear . ."]
    boards = [others[0], "bary . steg . . . .", others[1]]
    table = position(hands=["", "giga"], boards=boards, mover=1)
    table.play("giganotosaurus 2 wed")
    assert table.boards == [". . giga . . . .", "bary . steg . . . .", others[1]]
    assert table.discards == "tric pter bary"
    assert table.scores == [10, 3, 12]


def test_d4_giganotosaurus_may_wipe_the_own_board(position):
    table = position(hands=["giga"], boards=["bary micr . . . . .", "bary . . . . . ."])
    table.play("giganotosaurus own sun")
    assert table.boards == [". . . . . . giga", "bary . . . . . ."]
    assert table.scores == [10, 1]


def test_giganotosaurus_on_an_empty_board_just_lies_there(position):
    table = position(hands=["giga"]).play("giganotosaurus own fri")
    assert table.boards[0] == ". . . . giga . ."
    assert table.discards == ""


@pytest.mark.parametrize("mover", [0, 1])
def test_d22_giganotosaurus_does_not_complete_a_board_of_six(position, mover):
    boards = ["bary bary bary bary bary bary .", ". . . . . . ."]
    table = position(hands=["giga", "giga"], boards=boards, mover=mover)
    table.play(f"giganotosaurus {'own' if mover == 0 else '1'} sun")
    assert table.ending == "running"
    assert table.boards[0] == ". . . . . . giga"
    assert table.scores == [10, 0]


# TYRANNOSAURUS: "scares away any adjacent dinosaurs."


@pytest.mark.parametrize("board", ["own", "1", "2"])
def test_tyrannosaurus_scares_both_neighbours_on_any_board(position, board):
    """ "Does "scare away" means goes to discard pile? Yes it does go to discard pile." """
    boards = ["bary pter bary . spin steg tric"] * 3
    table = position(hands=["tyra"], boards=boards)
    table.play(f"tyrannosaurus {board} thu")
    boards[0 if board == "own" else int(board)] = "bary pter . tyra . steg tric"
    assert table.boards == boards
    assert table.discards == "spin bary"


def test_tyrannosaurus_may_be_played_with_nothing_adjacent(position):
    """ "Can be played on your own board either with nothing adjacent or to scare away"."""
    table = position(hands=["tyra"], boards=["bary . . . bary . ."])
    table.play("tyrannosaurus own wed")
    assert table.boards[0] == "bary . tyra . bary . ."
    assert table.discards == ""
    assert table.scores == [9, 0]


@pytest.mark.parametrize(
    ("day", "before", "after"),
    [
        ("mon", ". giga bary . . . bary", "tyra . bary . . . bary"),
        ("sun", "bary . . . bary giga .", "bary . . . bary . tyra"),
    ],
)
def test_d2_the_ends_of_the_week_have_one_neighbour(position, day, before, after):
    table = position(hands=["tyra"], boards=["bary . . . . . .", before])
    table.play(f"tyrannosaurus 1 {day}")
    assert table.boards[1] == after
    assert table.discards == "giga", 'it scares "even a diplodocus or giganotosaurus"'


def test_d5_tyrannosaurus_scares_only_the_top_dinosaur(position):
    """ "The micro-raptor only scares off the top dino to the discard pile, so it does enable you to
    get your original dino back." D23: only the microraptor goes, and what it covered scores again.
    """
    table = position(hands=["tyra"], boards=["dilo:micr . bary:micr:micr . . . ."])
    assert table.scores == [0, 0]
    table.play("tyrannosaurus own tue")
    assert table.boards[0] == "dilo tyra bary:micr . . . ."
    assert table.discards == "micr micr"
    assert table.scores == [5 + 7 + 0, 0]


@pytest.mark.parametrize(
    ("day", "before", "after", "gone"),
    [
        ("wed", "front rear . . . . .", ". . tyra . . . .", "front rear"),
        ("mon", ". front rear . . . .", "tyra . . . . . .", "front rear"),
        ("wed", "front rear . front rear . .", ". . tyra . . . .", "front front rear rear"),
        ("wed", "front rear . bary:micr . . .", ". . tyra bary . . .", "front rear micr"),
        ("fri", "bary . front rear . bary pter", "bary . . . tyra . pter", "front rear bary"),
    ],
)
def test_d5_a_diplodocus_is_scared_as_a_whole(position, day, before, after, gone):
    """ "even a diplodocus": both halves go, even if only one is adjacent."""
    table = position(hands=["tyra"], boards=["bary . . . . . .", before])
    table.play(f"tyrannosaurus 1 {day}")
    assert table.boards == ["bary . . . . . .", after]
    assert table.discards == gone


def test_d5_tyrannosaurus_has_no_effect_on_later_neighbours(position):
    table = position(hands=["bary", "bary"], boards=[". tyra . . . . ."])
    table.play("baryonyx mon")
    assert table.boards[0] == "bary tyra . . . . ."
    assert table.discards == ""


def test_d19_neighbours_are_never_on_another_board(position):
    boards = ["bary . . . . . bary", ". . . . . . .", "bary . . . . . bary"]
    table = position(hands=["tyra"], boards=boards).play("tyrannosaurus 1 mon")
    assert table.boards == [boards[0], "tyra . . . . . .", boards[2]]


# SPINOSAURUS: "leaving the spinosaurus with them and stealing their dinosaur to any day on your
# board."


def test_spinosaurus_steals_the_dinosaur_and_stays_in_its_place(position):
    boards = ["bary . . . . . .", ". . giga . . . ."]
    table = position(hands=["spin", ""], boards=boards)
    table.play("spinosaurus 1 wed")
    assert (table.phase, table.mover) == ("own_day", 0)
    assert table.ways("own_day") == ["tue", "wed", "thu", "fri", "sat", "sun"]
    table.play("own_day fri")
    assert table.boards == ["bary . . . giga . .", ". . spin . . . ."]
    assert table.scores == [11, 5]
    assert (table.discards, table.hands[0], table.mover, table.turns) == ("", "", 1, 11)


def test_d8_what_lies_beneath_the_stolen_dinosaur_stays(position):
    table = position(hands=["spin"], boards=[". . . . . . .", "dilo:micr:tyra . . . . . ."])
    table.play("spinosaurus 1 mon", "own_day mon")
    assert table.boards == ["tyra . . . . . .", "dilo:micr:spin . . . . . ."]


def test_d8_spinosaurus_takes_no_more_room_on_a_stack_of_eight(position):
    eight = "bary" + ":micr" * 7
    table = position(hands=["spin"], boards=[". . . . . . .", f"{eight} . . . . . ."])
    table.play("spinosaurus 1 mon", "own_day tue")
    assert table.boards[0] == ". micr . . . . ."
    assert table.boards[1] == "bary" + ":micr" * 6 + ":spin . . . . . ."


@pytest.mark.parametrize(
    ("card", "day", "points"),
    [("tric", "mon", 3), ("steg", "mon", 2), ("pter", "sun", 2), ("dilo", "wed", 5)],
)
def test_d8_day_restrictions_do_not_apply_to_a_stolen_card(position, card, day, points):
    """ "Card placement rules only apply when first placed, not when stealing cards." """
    table = position(hands=["spin"], boards=[". . . . . . .", f". . . {card} . . ."])
    table.play("spinosaurus 1 thu", f"own_day {day}")
    assert table.scores == [points, 5]


def test_d8_a_microraptor_may_be_stolen_to_an_empty_day(position):
    table = position(hands=["spin"], boards=["bary . . . . . .", "giga:micr . . . . . ."])
    table.play("spinosaurus 1 mon")
    assert "mon" not in table.ways("own_day"), 'covering needs the words "ON TOP OF"'
    table.play("own_day sun")
    assert table.boards == ["bary . . . . . micr", "giga:spin . . . . . ."]


def test_d5_d8_a_stolen_dinosaur_has_no_effect(position):
    own, theirs = "bary . bary . bary . .", "giga tyra spin . . . ."
    for day, card in (("mon", "giga"), ("tue", "tyra"), ("wed", "spin")):
        table = position(hands=["spin"], boards=[own, theirs])
        table.play(f"spinosaurus 1 {day}", "own_day tue")
        assert table.boards[0] == f"bary {card} bary . bary . ."
        assert table.discards == ""


def test_spinosaurus_steals_from_the_player_who_is_named(position):
    boards = ["bary . . . . . .", ". . . . . . .", "pter . . . . . .", "tyra . . . . . ."]
    table = position(hands=["", "", "spin", ""], boards=boards, mover=2)
    table.play("spinosaurus 1 mon", "own_day sun")
    assert table.boards[2] == "pter . . . . . tyra"
    assert table.boards[3] == "spin . . . . . ."
    assert table.mover == 3


def test_an_own_day_is_not_asked_for_if_one_is_left(position):
    """The stolen dinosaur goes there, and the board is full."""
    own = "bary bary bary bary . bary bary"
    table = position(hands=["spin"], boards=[own, "tyra . . . . . ."])
    table.play("spinosaurus 1 mon")
    assert table.boards == ["bary bary bary bary tyra bary bary", "spin . . . . . ."]
    assert table.ending == "over"


# MICRORAPTOR: "A zero-point dinosaur that plays on top of any dinosaur".


@pytest.mark.parametrize(
    ("way", "boards", "scores"),
    [
        ("own mon", ["tyra:micr . . . . . .", "giga . . . . . ."], [0, 10]),
        ("1 mon", ["tyra . . . . . .", "giga:micr . . . . . ."], [7, 0]),
    ],
)
def test_microraptor_covers_the_score(position, way, boards, scores):
    """ "covering over its score". "Usually this will play on an opponent's high scoring dinosaur,
    but it can be played on your own board".
    """
    table = position(hands=["micr"], boards=["tyra . . . . . .", "giga . . . . . ."])
    table.play(f"microraptor {way}")
    assert table.boards == boards
    assert table.scores == scores


def test_d17_only_the_top_card_of_a_day_scores(position):
    table = position(hands=["micr"], boards=["tyra:giga dilo . . . . ."])
    assert table.scores == [15, 0]
    table.play("microraptor own tue")
    assert table.boards[0] == "tyra:giga dilo:micr . . . . ."
    assert table.scores == [10, 0]


def test_d23_meteor_on_a_microraptor_brings_the_dinosaur_back(position):
    """ "can you, for example, use meteor on a micro-raptor on your board to get your original dino
    back?"
    """
    table = position(hands=["meteor"], boards=["giga:micr . . . . . ."])
    table.play("meteor own mon", "remove 1")
    assert table.boards[0] == "giga . . . . . ."
    assert table.scores == [10, 0]


# The diplodocus: "many other cards do not affect it so much as other dinosaurs".


def test_d7_nothing_can_lie_on_a_diplodocus_or_take_it(position):
    hand = "spin micr nest volcano skeleton eggs"
    for board in ("front rear . front rear . .", ". front rear . . front rear"):
        table = position(hands=[hand, hand], boards=[board, board])
        assert table.legal == ["draw"]
        assert table.play("draw").legal == ["draw"]


def test_d7_diplodocus_goes_away_by_giganotosaurus_tyrannosaurus_and_meteor(position):
    boards = [". . . . . . .", "bary . front rear . . ."]
    for way, left in (
        ("giganotosaurus 1 sun", ". . . . . . giga"),
        ("tyrannosaurus 1 fri", "bary . . . tyra . ."),
        ("meteor 1 wed", "bary . . . . . ."),
    ):
        table = position(hands=["giga tyra meteor"], boards=boards)
        table.play(way)
        assert table.boards[1] == left
        assert "front rear" in table.discards
