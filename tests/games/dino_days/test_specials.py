"""The special cards of Dino Days, from positions. Quoted sentences are the rulebook's.

Where they may be played stands in test_placement.py. D11 and the like number the points that the
rulebook leaves open.
"""

import pytest

# NEST, VOLCANO, SKELETON and EGGS: "Swap" "your" "dinosaur with another dinosaur on the same day of
# another player. It does not have to be the top dinosaur".


@pytest.mark.parametrize(
    ("way", "own", "theirs"),
    [
        ("nest 1 mon", "giga . . . . . .", "bary . . . . . ."),
        ("nest 1 tue", ". giga . . . . .", ". bary . . . . ."),
        ("volcano 1 wed", ". . giga . . . .", ". . bary . . . ."),
        ("volcano 1 thu", ". . . giga . . .", ". . . bary . . ."),
        ("skeleton 1 fri", ". . . . giga . .", ". . . . bary . ."),
        ("skeleton 1 sat", ". . . . . giga .", ". . . . . bary ."),
        ("eggs 1 sun", ". . . . . . giga", ". . . . . . bary"),
    ],
)
def test_swap_cards_exchange_the_dinosaurs_of_a_day(position, way, own, theirs):
    card = way.split()[0]
    table = position(hands=[card], boards=[theirs, own])
    table.play(way)
    assert table.boards == [own, theirs]
    assert table.scores == [10, 1]
    assert table.discards == card, '"The card is put on the discard pile after taking the action."'
    assert (table.hands[0], table.mover, table.turns) == ("", 1, 11)


def test_a_swap_is_with_the_player_who_is_named(position):
    boards = ["bary . . . . . .", "pter . . . . . .", "tyra . . . . . .", "spin . . . . . ."]
    table = position(hands=["", "", "", "nest"], boards=boards, mover=3)
    table.play("nest 2 mon")
    assert table.boards == [boards[0], "spin . . . . . .", boards[2], "pter . . . . . ."]


@pytest.mark.parametrize(
    ("picks", "own", "theirs"),
    [
        (["own_card 1", "their_card 1"], "dilo:tyra:steg", "giga:micr"),
        (["own_card 1", "their_card 2"], "dilo:tyra:giga", "micr:steg"),
        (["own_card 2", "their_card 1"], "dilo:steg:micr", "giga:tyra"),
        (["own_card 2", "their_card 2"], "dilo:giga:micr", "tyra:steg"),
        (["own_card 3", "their_card 1"], "steg:tyra:micr", "giga:dilo"),
        (["own_card 3", "their_card 2"], "giga:tyra:micr", "dilo:steg"),
    ],
)
def test_d11_any_card_of_both_stacks_can_be_swapped(position, picks, own, theirs):
    """ "It does not have to be the top dinosaur": the two exchange positions."""
    boards = [". . . dilo:tyra:micr . . .", ". . . giga:steg . . ."]
    table = position(hands=["volcano"], boards=boards)
    table.play("volcano 1 thu")
    assert (table.phase, table.legal) == ("own_card", ["own_card 1", "own_card 2", "own_card 3"])
    table.play(picks[0])
    assert (table.phase, table.legal) == ("their_card", ["their_card 1", "their_card 2"])
    table.play(picks[1])
    assert table.boards == [f". . . {own} . . .", f". . . {theirs} . . ."]
    assert table.discards == "volcano"


def test_single_cards_are_not_asked_for(position):
    own_stack = position(hands=["nest"], boards=["bary:micr . . . . . .", "tyra . . . . . ."])
    own_stack.play("nest 1 mon")
    assert own_stack.legal == ["own_card 1", "own_card 2"]
    own_stack.play("own_card 1")
    assert own_stack.boards == ["bary:tyra . . . . . .", "micr . . . . . ."]
    their_stack = position(hands=["nest"], boards=["bary . . . . . .", "tyra:micr . . . . . ."])
    their_stack.play("nest 1 mon")
    assert their_stack.legal == ["their_card 1", "their_card 2"]
    their_stack.play("their_card 2")
    assert their_stack.boards == ["tyra . . . . . .", "bary:micr . . . . . ."]


def test_a_covered_microraptor_can_be_swapped_to_an_opponent(position):
    """ "it can be played on your own board and then swapped to an opponent using other cards." """
    table = position(hands=["eggs"], boards=[". . . . . . tric:micr", ". . . . . . giga"])
    table.play("eggs 1 sun", "own_card 1")
    assert table.boards == [". . . . . . tric:giga", ". . . . . . micr"]
    assert table.scores == [10, 0]


def test_d5_a_swapped_dinosaur_has_no_effect_and_no_restriction(position):
    """ "Card placement rules only apply when first placed"."""
    own, theirs = "bary bary bary . . . tric", "giga tyra . . . . steg"
    for way, boards in (
        ("nest 1 mon", ["giga bary bary . . . tric", "bary tyra . . . . steg"]),
        ("nest 1 tue", ["bary tyra bary . . . tric", "giga bary . . . . steg"]),
        ("eggs 1 sun", ["bary bary bary . . . steg", "giga tyra . . . . tric"]),
    ):
        table = position(hands=["nest eggs"], boards=[own, theirs])
        table.play(way)
        assert table.boards == boards


# METEOR: "removes any dinosaur from any board. It does not have to be the top dinosaur".


@pytest.mark.parametrize(
    ("pick", "left", "gone", "points"),
    [(1, "dilo:tyra", "micr", 7), (2, "dilo:micr", "tyra", 0), (3, "tyra:micr", "dilo", 0)],
)
@pytest.mark.parametrize("board", ["own", "1"])
def test_d12_meteor_removes_any_card_of_a_stack(position, board, pick, left, gone, points):
    """The cards above drop down."""
    table = position(hands=["meteor"], boards=["dilo:tyra:micr . . . . . ."] * 2)
    table.play(f"meteor {board} mon")
    assert (table.phase, table.legal) == ("remove", ["remove 1", "remove 2", "remove 3"])
    table.play(f"remove {pick}")
    hit = 0 if board == "own" else 1
    assert table.boards[hit] == f"{left} . . . . . ."
    assert table.boards[1 - hit] == "dilo:tyra:micr . . . . . ."
    assert table.scores[hit] == points
    assert table.discards == f"{gone} meteor"
    assert table.mover == 1


def test_meteor_on_a_single_dinosaur_asks_nothing(position):
    """ "put the meteor card onto the discard pile." """
    table = position(hands=["meteor"], boards=["bary . . . . . .", ". . . giga . . ."])
    table.play("meteor 1 thu")
    assert table.boards[1] == ". . . . . . ."
    assert table.discards == "giga meteor"
    assert (table.scores, table.mover, table.turns) == ([1, 0], 1, 11)


@pytest.mark.parametrize("day", ["wed", "thu"])
@pytest.mark.parametrize("board", ["own", "1"])
def test_d6_meteor_removes_both_halves_of_a_diplodocus(position, board, day):
    """ "The meteor can still remove a diplodocus"."""
    week = "front rear front rear . bary:micr ."
    table = position(hands=["meteor"], boards=[week, week])
    table.play(f"meteor {board} {day}")
    hit = 0 if board == "own" else 1
    assert table.boards[hit] == "front rear . . . bary:micr ."
    assert table.boards[1 - hit] == week
    assert table.scores[hit] == 12
    assert table.discards == "front rear meteor"


# The scientist: "Draw three cards and keep two of them in your hand."


@pytest.mark.parametrize("card", ["meteor", "tric", "bary"])
def test_scientist_draws_three_and_keeps_two(position, card):
    """ "The non-selected card and this card go onto the discard pile." """
    table = position(hands=["scientist bary", "bary"], pile="bary meteor tric nest eggs")
    table.play("scientist")
    assert (table.phase, table.mover, table.drawn) == ("return", 0, "tric bary meteor")
    assert table.legal == ["discard triceratops", "discard baryonyx", "discard meteor"]
    assert (table.hands[0], table.discards, table.pile) == ("bary", "", "nest eggs")
    full_name = {"tric": "triceratops", "bary": "baryonyx", "meteor": "meteor"}[card]
    table.play(f"discard {full_name}")
    kept = ["tric", "bary", "meteor"]
    kept.remove(card)
    assert sorted(table.hands[0].split()) == sorted([*kept, "bary"])
    assert sorted(table.discards.split()) == sorted([card, "scientist"])
    assert (table.drawn, table.mover, table.turns) == ("", 1, 11)


def test_scientist_may_return_one_of_two_equal_cards(position):
    table = position(hands=["scientist"], pile="bary pter bary")
    table.play("scientist")
    assert table.legal == ["discard pteranodon", "discard baryonyx"]
    table.play("discard baryonyx")
    assert table.hands[0] == "pter bary"
    assert table.discards == "bary scientist"


def test_scientist_that_finds_three_equal_cards_still_asks(position):
    table = position(hands=["scientist"], pile="bary bary bary")
    table.play("scientist")
    assert table.legal == ["discard baryonyx"]
    table.play("discard baryonyx")
    assert table.hands[0] == "bary bary"


@pytest.mark.parametrize(
    ("pile", "discards", "kept"),
    [("bary pter", "", "pter bary"), ("tric", "", "tric"), ("tric", "eggs", "tric eggs")],
)
def test_d13_fewer_than_three_cards_to_draw_are_all_kept(position, pile, discards, kept):
    table = position(hands=["scientist"], pile=pile, discards=discards)
    table.play("scientist")
    assert table.hands[0] == kept
    assert table.discards == "scientist"
    assert (table.pile, table.drawn, table.mover) == ("", "", 1)


def test_d13_a_reshuffle_in_the_middle_does_not_yet_find_the_scientist(position):
    """The scientist goes to the discards afterwards, so it cannot be drawn by itself."""
    for seed in range(30):
        table = position(
            hands=["scientist"], pile="bary", discards="tric pter steg", seed=seed, known=["", ""]
        )
        table.play("scientist")
        assert table.phase == "return"
        assert "bary" in table.drawn
        together = f"{table.drawn} {table.pile}".split()
        assert sorted(together) == ["bary", "pter", "steg", "tric"]
        assert table.discards == ""
        table.play("discard baryonyx")
        assert table.discards == "bary scientist"
        assert len(table.pile.split()) == 1


def test_d13_a_scientist_needs_a_card_to_draw(position):
    assert position(hands=["scientist"], pile="").legal == ["pass"]
    assert "scientist" in position(hands=["scientist"], pile="bary").legal
    assert "scientist" in position(hands=["scientist"], pile="", discards="bary").legal


def test_scientist_helps_to_the_other_half_of_the_diplodocus(position):
    """ "Useful especially when trying to get the other half of the diplodocus"."""
    table = position(hands=["scientist front", "bary"], pile="rear bary bary bary")
    table.play("scientist", "discard baryonyx", "draw")
    assert "mon" in table.ways("diplodocus")


def test_scientist_may_find_a_giganotosaurus_among_the_reshuffled(position):
    """ "or if the deck has been emptied and the discards reshuffled if this includes a
    giganotosaurus."
    """
    table = position(hands=["scientist"], pile="", discards="giga bary bary")
    table.play("scientist", "discard baryonyx")
    assert table.hands[0] == "giga bary"


# Nothing is committed to the board before the last choice of a turn.


@pytest.mark.parametrize(
    ("way", "choices"),
    [
        ("nest 1 mon", ["own_card 2", "their_card 2"]),
        ("meteor 1 mon", ["remove 2"]),
        ("meteor own mon", ["remove 1"]),
        ("spinosaurus 1 mon", ["own_day sun"]),
        ("scientist", ["discard baryonyx"]),
    ],
)
def test_boards_scores_and_discards_stay_until_the_last_choice(position, way, choices):
    hand = "spin scientist nest meteor"
    boards = ["bary:micr . . . . . .", "tyra:dilo . . . . . ."]
    table = position(hands=[hand], boards=boards, discards="tric")
    table.play(way)
    for choice in choices:
        assert table.boards == boards
        assert table.scores == [0, 5]
        assert table.discards == "tric"
        assert (table.mover, table.active, table.turns) == (0, 0, 10)
        card = way.split()[0]
        assert card[:4] not in [word[:4] for word in table.hands[0].split()], "it is on the table"
        table.play(choice)
    assert (table.phase, table.mover, table.turns) == ("choose", 1, 11)
