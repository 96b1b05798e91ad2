"""Where each card of Dino Days may be played, from positions. Quoted sentences are the rulebook's.

D6 and the like number the points that the rulebook leaves open.
"""

import pytest

from dino_envs.games.dino_days.cards import DAYS, DECK, KINDS, POINTS

BUSY = "tyra . dilo:micr giga . front rear"


# The deal and the turn.


def test_the_deck_holds_40_play_cards_of_17_kinds():
    """ "40 play cards." The diplodocus has two kinds, the other cards one each."""
    assert tuple(DECK) == KINDS
    assert len(KINDS) == 17
    assert sum(DECK.values()) == 40
    assert DECK["giganotosaurus"] == 2


def test_each_player_is_dealt_a_giganotosaurus_and_4_play_cards(deal):
    """ "Deal a Giganotosaurus card and 4 play cards to each player." """
    table = deal(5)
    for hand in table.hands:
        assert len(hand.split()) == 5
        assert hand.split().count("giga") == 1
    assert len(table.pile.split()) == 40 - 2 - 8
    assert "giga" not in table.pile
    assert table.boards == [". . . . . . ."] * 2
    assert (table.mover, table.turns, table.discards) == (0, 0, "")


@pytest.mark.parametrize(("players", "decks"), [(2, 1), (3, 2), (4, 2)])
def test_more_players_have_more_decks_with_one_giganotosaurus_each(deal, players, decks):
    """ "using 1 deck for 2 players, more if you have more players". D19: spare giganotosaurs are
    out of the game.
    """
    cards = deal(1, num_players=players).cards()
    expected = {kind: decks * count for kind, count in DECK.items()}
    assert cards == expected | {"giganotosaurus": players}


def test_hands_and_pile_are_shuffled(deal):
    tables = [deal(seed) for seed in range(20)]
    assert len({table.pile for table in tables}) == 20
    assert len({table.hands[0] for table in tables}) > 15


def test_a_turn_is_one_action_then_the_next_player_has_a_turn(position):
    """ "Each turn, you take one action: Draw a card OR Play a card"."""
    table = position(hands=["bary bary", "bary", "pter"], pile="meteor nest")
    table.play("draw")
    assert table.hands[0] == "bary bary meteor"
    assert table.mover == table.active == 1
    table.play("baryonyx sun")
    assert table.hands[1] == ""
    assert table.mover == 2
    table.play("pteranodon wed")
    assert table.mover == 0
    assert table.turns == 13


def test_there_is_no_hand_limit(position):
    """ "There is no hand limit." """
    table = position(hands=[" ".join(["bary"] * 20), ""], pile="pter steg")
    table.play("draw", "draw")
    assert table.hands[0] == " ".join(["pter"] + ["bary"] * 20)


def test_d1_a_player_who_can_draw_must_not_pass(position):
    assert position(hands=["tric"], boards=["bary . . . . . bary"]).legal == ["draw"]


def test_d1_a_player_who_can_neither_draw_nor_play_passes(position):
    table = position(hands=["tric", "bary"], boards=[". . . . . . tric"], pile="")
    assert table.legal == ["pass"]
    table.play("pass")
    assert (table.mover, table.turns) == (1, 11)
    assert "pass" not in table.legal


def test_d21_a_card_without_a_legal_target_cannot_be_played(position):
    hand = "spin dilo micr nest volcano skeleton eggs meteor front"
    assert position(hands=[hand]).legal == ["draw"]
    assert position(hands=["scientist"], pile="").legal == ["pass"]


# "A card is USUALLY played on your own board and on an empty day."


@pytest.mark.parametrize(
    ("card", "kind", "days"),
    [
        ("bary", "baryonyx", DAYS),
        ("pter", "pteranodon", ("mon", "tue", "wed")),
        ("steg", "stegosaurus", ("thu", "fri", "sat")),
        ("tric", "triceratops", ("sun",)),
    ],
)
def test_plain_dinosaurs_go_on_their_days_of_the_own_board(position, card, kind, days):
    """BARYONYX "plays on any day on your own board", PTERANODON "on Monday, Tuesday or Wednesday",
    STEGOSAURUS "on Thursday, Friday or Saturday", TRICERATOPS "on a Sunday".
    """
    table = position(hands=[card], players=3)
    assert table.ways(kind) == list(days)
    for day in days:
        played = table.copy().play(f"{kind} {day}")
        week = ["."] * 7
        week[DAYS.index(day)] = card
        assert played.boards == [" ".join(week), ". . . . . . .", ". . . . . . ."]
        assert played.scores == [int(POINTS[KINDS.index(kind)]), 0, 0]
        assert played.hands[0] == ""


@pytest.mark.parametrize("mover", [0, 1])
def test_days_must_be_empty(position, mover):
    """ "it must be placed on an eligible empty day." """
    boards = [". . . . . . .", ". . . . . . ."]
    boards[mover] = BUSY
    table = position(hands=["bary pter steg tric"] * 2, boards=boards, mover=mover)
    assert table.ways("baryonyx") == ["tue", "fri"]
    assert table.ways("pteranodon") == ["tue"]
    assert table.ways("stegosaurus") == ["fri"]
    assert table.ways("triceratops") == []


def test_points_are_those_of_the_cards(position):
    """Ten, twelve, seven, five, five, three, two, two, one and zero points."""
    assert dict(zip(KINDS, POINTS.tolist(), strict=True)) == {
        "giganotosaurus": 10,
        "diplodocus_front": 12,
        "diplodocus_rear": 0,
        "tyrannosaurus": 7,
        "spinosaurus": 5,
        "dilophosaurus": 5,
        "triceratops": 3,
        "pteranodon": 2,
        "stegosaurus": 2,
        "baryonyx": 1,
        "microraptor": 0,
        **dict.fromkeys(("scientist", "nest", "volcano", "skeleton", "eggs", "meteor"), 0),
    }


# DILOPHOSAURUS "has to be played to the immediate right of any other dinosaur on your own board."


@pytest.mark.parametrize(
    ("board", "days"),
    [
        (". . . . . . .", []),
        ("bary . . . . . .", ["tue"]),
        (". . bary . . . .", ["thu"]),
        (". . . . . . bary", []),
        ("bary . bary bary . . bary", ["tue", "fri"]),
        (". bary:micr . . . . .", ["wed"]),
        (". . . front rear . .", ["sat"]),
        (". . dilo . giga . .", ["thu", "sat"]),
    ],
)
def test_d9_dilophosaurus_goes_to_the_immediate_right(position, board, days):
    table = position(hands=["dilo"], boards=[board, "bary bary . . bary . ."])
    assert table.ways("dilophosaurus") == days


def test_d2_the_week_does_not_wrap_around(position):
    table = position(hands=["dilo tyra front rear"], boards=[". bary bary bary bary bary bary"])
    assert table.ways("dilophosaurus") == [], "Monday is not to the right of Sunday"
    table.play("tyrannosaurus own mon")
    assert table.boards[0] == "tyra . bary bary bary bary bary"
    ends = position(hands=["front rear"], boards=[". bary bary bary bary bary ."])
    assert ends.ways("diplodocus") == [], "Sunday and Monday are not adjacent"


def test_dilophosaurus_scores_five(position):
    table = position(hands=["dilo"], boards=[". pter . . . . ."])
    table.play("dilophosaurus wed")
    assert table.boards[0] == ". pter dilo . . . ."
    assert table.scores == [7, 0]


# DIPLODOCUS: "you must play both front and rear together at the same time as a single turn,
# filling two adjacent days on your own board."


def test_diplodocus_fills_two_adjacent_days_for_twelve_points(position):
    table = position(hands=["front rear rear", "bary"])
    assert table.ways("diplodocus") == ["mon", "tue", "wed", "thu", "fri", "sat"]
    table.play("diplodocus tue")
    assert table.boards[0] == ". front rear . . . ."
    assert table.scores == [12, 0]
    assert table.hands[0] == "rear"
    assert (table.mover, table.turns) == (1, 11), "one action for both halves"


@pytest.mark.parametrize("hand", ["front", "rear", "front front", "rear rear", "bary"])
def test_d6_diplodocus_needs_both_halves_in_hand(position, hand):
    assert position(hands=[hand, "front rear"]).ways("diplodocus") == []


@pytest.mark.parametrize(
    ("board", "days"),
    [
        ("bary . bary . bary . bary", []),
        (". . bary . bary . .", ["mon", "sat"]),
        ("bary . . . bary bary bary", ["tue", "wed"]),
        (". . front rear . . .", ["mon", "fri", "sat"]),
    ],
)
def test_d6_diplodocus_needs_two_adjacent_empty_days(position, board, days):
    assert position(hands=["front rear"], boards=[board]).ways("diplodocus") == days


# "Only when a card says ON ANY BOARD can it also be played on another player's board."


@pytest.mark.parametrize("kind", ["giganotosaurus", "tyrannosaurus"])
def test_d3_giganotosaurus_and_tyrannosaurus_go_on_any_empty_day_of_any_board(position, kind):
    """GIGANOTOSAURUS "plays on any empty day on any board"; it "has to be played on an empty
    day". TYRANNOSAURUS "Can be played on your own board" "or on an opponent's board".
    """
    boards = ["bary . bary bary . bary bary", BUSY, "micr:micr bary bary bary bary bary ."]
    table = position(hands=[kind[:4]], boards=boards)
    assert table.ways(kind) == ["own tue", "own fri", "1 tue", "1 fri", "2 sun"]
    as_last = position(hands=["", "", kind[:4]], boards=boards, mover=2)
    assert as_last.ways(kind) == ["own sun", "1 tue", "1 fri", "2 tue", "2 fri"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_any_board_means_yours_or_an_opponents(position, players):
    """ "ANY BOARD means yours or an opponents' board." """
    table = position(players=players, hands=["giga tyra"])
    boards = ["own", "1", "2", "3"][:players]
    assert table.ways("giganotosaurus") == [f"{board} {day}" for board in boards for day in DAYS]
    assert table.ways("tyrannosaurus") == table.ways("giganotosaurus")


def test_your_board_means_only_your_own_days(position):
    """ "YOUR BOARD means only your own days of the week." """
    hand = "dilo tric pter steg bary front rear"
    full = "bary bary bary bary bary bary ."
    for mover in range(3):
        boards = ["bary . . . . . ."] * 3
        boards[mover] = full
        hands = [""] * 3
        hands[mover] = hand
        table = position(hands=hands, boards=boards, mover=mover)
        assert table.legal == ["draw", "dilophosaurus sun", "triceratops sun", "baryonyx sun"]


# MICRORAPTOR: "on top of any dinosaur on any board other than the diplodocus."


def test_d10_microraptor_goes_on_top_of_any_dinosaur_but_the_diplodocus(position):
    boards = [BUSY, "spin tric pter . steg bary micr"]
    table = position(hands=["micr", "micr"], boards=boards)
    own = ["own mon", "own wed", "own thu"]
    theirs = ["1 mon", "1 tue", "1 wed", "1 fri", "1 sat", "1 sun"]
    assert table.ways("microraptor") == own + theirs
    as_second = position(hands=["", "micr"], boards=boards, mover=1)
    assert as_second.ways("microraptor") == [
        "own mon", "own tue", "own wed", "own fri", "own sat", "own sun", "1 mon", "1 wed", "1 thu",
    ]  # fmt: skip


def test_microraptor_must_be_on_top_of_another_card(position):
    """ "the card MUST be placed on top of another card"."""
    assert position(hands=["micr"]).ways("microraptor") == []


def test_only_microraptor_lands_on_an_occupied_day(position):
    """ "Only when a card says ON TOP OF is it played on top of another card." The spinosaurus takes
    the place of the card on top.
    """
    hand = "giga front rear tyra dilo tric pter steg bary micr"
    table = position(hands=[hand], boards=["bary bary bary bary bary bary ."] * 2)
    on_occupied = [n for n in table.legal if n != "draw" and not n.endswith("sun")]
    assert {name.split()[0] for name in on_occupied} == {"microraptor"}


def test_microraptor_lies_on_another_one_up_to_eight_cards(position):
    seven = "bary" + ":micr" * 6
    table = position(hands=["micr", "micr"], boards=[f"{seven} . . . . . ."])
    assert table.ways("microraptor") == ["own mon"]
    table.play("microraptor own mon")
    assert table.boards[0] == f"{seven}:micr . . . . . ."
    assert table.ways("microraptor") == []
    assert table.scores == [0, 0]


# SPINOSAURUS: "plays on any opponent's dinosaur other then diplodocus".


def test_d8_spinosaurus_goes_on_any_opponents_dinosaur_but_the_diplodocus(position):
    boards = [BUSY, "spin . giga:micr front rear bary .", ". . . . . . tric"]
    table = position(hands=["spin"], boards=boards)
    assert table.ways("spinosaurus") == ["1 mon", "1 wed", "1 sat", "2 sun"]
    as_second = position(hands=["", "spin"], boards=boards, mover=1)
    assert as_second.ways("spinosaurus") == ["1 sun", "2 mon", "2 wed", "2 thu"]


# The special cards: which days they may be played on; what they do stands in test_specials.py.

SWAPS = [
    ("nest", ["mon", "tue"]),
    ("volcano", ["wed", "thu"]),
    ("skeleton", ["fri", "sat"]),
    ("eggs", ["sun"]),
]


def nearly_full(days, **others):
    """Returns a board with one empty day, none of `days`; `mon="front"` lays another card."""
    week = ["bary"] * 7
    week[0 if "mon" not in days else 2] = "."
    for day, card in others.items():
        week[DAYS.index(day)] = card
    return " ".join(week)


@pytest.mark.parametrize(("card", "days"), SWAPS)
def test_swap_cards_serve_their_days(position, card, days):
    """NEST "your Monday or Tuesday dinosaur", VOLCANO "Wednesday or Thursday", SKELETON "Friday or
    Saturday", EGGS "your Sunday dinosaur", "with another dinosaur on the same day of another
    player".
    """
    table = position(hands=[card], boards=[nearly_full(days)] * 3)
    assert table.ways(card) == [f"{board} {day}" for board in (1, 2) for day in days]


@pytest.mark.parametrize(("card", "days"), SWAPS)
def test_swap_cards_need_both_days_occupied(position, card, days):
    """ "both days have to be occupied." """
    board, empty = nearly_full(days), ". . . . . . ."
    assert position(hands=[card], boards=[board, empty]).ways(card) == []
    assert position(hands=[card], boards=[empty, board]).ways(card) == []
    for day in days:
        week = ["."] * 7
        week[DAYS.index(day)] = "micr"
        table = position(hands=[card], boards=[board, empty, " ".join(week)])
        assert table.ways(card) == [f"2 {day}"]


@pytest.mark.parametrize(("card", "days"), SWAPS)
def test_d7_swap_cards_cannot_be_used_on_diplodocus(position, card, days):
    """ "Cannot be used on diplodocus." Neither on the own one nor on theirs."""
    board = nearly_full(days)
    for half in ("front", "rear"):
        for day in days:
            other, others = nearly_full(days, **{day: half}), [f"1 {d}" for d in days if d != day]
            assert position(hands=[card], boards=[other, board]).ways(card) == others
            assert position(hands=[card], boards=[board, other]).ways(card) == others


def test_d12_meteor_goes_to_any_occupied_day_of_any_board(position):
    """ "This card removes any dinosaur from any board." """
    table = position(hands=["meteor"], boards=[BUSY, ". . micr . . . .", ". . . . . . ."])
    own = ["own mon", "own wed", "own thu", "own sat", "own sun"]
    assert table.ways("meteor") == [*own, "1 wed"]


def test_boards_of_players_who_are_not_there_are_never_named(position):
    hand = "giga tyra spin micr nest volcano skeleton eggs meteor"
    for players in (2, 3, 4):
        table = position(players=players, hands=[hand], boards=[BUSY] * players)
        boards = {name.split()[1] for name in table.legal if len(name.split()) == 3}
        assert boards == {"own", *(str(board) for board in range(1, players))}
