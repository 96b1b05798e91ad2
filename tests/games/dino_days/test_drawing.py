"""Drawing, shuffling and the rule against hoarding in Dino Days, from positions.

Quoted sentences are the rulebook's; D14 and the like number the points that it leaves open.
"""

import pytest

SIX = "bary bary bary bary bary meteor"
FIVE = "tric tric tric tric tric"


def test_a_card_is_drawn_from_the_top_of_the_deck(position):
    """ "The card is drawn from the top of the deck." """
    table = position(hands=["bary", ""], pile="meteor nest tric")
    table.play("draw")
    assert table.hands[0] == "bary meteor"
    assert table.pile == "nest tric"


def test_if_the_deck_runs_out_the_discards_are_shuffled(position):
    """ "If the deck runs out, shuffle the discards and keep going." """
    drawn = set()
    for seed in range(40):
        table = position(hands=["giga", "giga"], pile="", discards="tric pter steg", seed=seed)
        table.play("draw")
        assert table.discards == ""
        left = [*table.hands[0].split(), *table.pile.split()]
        assert sorted(left) == ["giga", "pter", "steg", "tric"]
        assert table.mover == 1
        drawn.add((table.hands[0], table.pile))
    assert len(drawn) == 6, "in any order"


def test_d14_the_discards_are_shuffled_only_when_a_card_must_be_drawn(position):
    table = position(hands=["", "bary", ""], pile="meteor", discards="tric pter steg")
    table.play("draw")
    assert (table.pile, table.discards) == ("", "tric pter steg")
    table.play("baryonyx mon")
    assert (table.pile, table.discards) == ("", "tric pter steg")
    table.play("draw")
    assert len(table.pile.split()) == 2
    assert table.discards == ""


@pytest.mark.parametrize("discards", ["tric", "tric pter"])
def test_few_discards_are_shuffled_if_nobody_hoards(position, discards):
    table = position(hands=[FIVE, FIVE], pile="", discards=discards)
    table.play("draw")
    assert (table.phase, table.mover, table.discards) == ("choose", 1, "")
    assert len(table.hands[0].split()) == 6


@pytest.mark.parametrize("discards", ["", "tric", "tric pter"])
def test_hoarding_is_not_allowed_with_less_than_three_discards(position, discards):
    """ "less than 3 cards to shuffle"."""
    table = position(hands=[SIX, FIVE], pile="", discards=discards)
    assert table.play("draw").phase == "discard"


def test_hoarding_is_allowed_while_there_are_three_discards(position):
    """Only "less than 3 cards to shuffle" bring the rule, not a big hand."""
    table = position(hands=[SIX, SIX], pile="", discards="tric pter steg")
    table.play("draw")
    assert (table.phase, table.mover) == ("choose", 1)
    assert len(table.hands[0].split()) == 7


def test_hoarding_is_allowed_while_the_deck_lasts(position):
    table = position(hands=[SIX, SIX], pile="tric", discards="")
    table.play("draw")
    assert table.phase == "choose"
    assert table.hands[0] == "tric " + SIX


def test_d15_the_hoarder_discards_to_a_hand_of_5_and_the_drawing_goes_on(position):
    """ "If cards are being hoarded and there are less than 3 cards to shuffle here, everyone must
    immediately discard to a hand of 5, shuffle the discards and continue."
    """
    table = position(hands=[SIX, FIVE], pile="", discards="nest")
    table.play("draw")
    assert (table.phase, table.mover, table.active, table.turns) == ("discard", 0, 0, 10)
    assert table.legal == ["discard baryonyx", "discard meteor"], "the own choice"
    table.play("discard meteor")
    assert (table.phase, table.mover, table.turns) == ("choose", 1, 11)
    assert len(table.hands[0].split()) == 6
    assert table.hands[1] == FIVE
    assert table.discards == ""
    assert sorted([*table.hands[0].split()[5:], *table.pile.split()]) == ["meteor", "nest"]


def test_d15_the_other_players_discard_as_well_in_the_order_of_seats(position):
    """ "everyone must immediately discard": who draws first, then the next ones; others wait."""
    hands = ["pter pter " + FIVE, FIVE, "steg " + FIVE, "bary bary bary " + FIVE]
    table = position(hands=hands, pile="", discards="", mover=2)
    table.play("draw")
    order = []
    while table.phase == "discard":
        assert table.active == 2
        order.append(table.mover)
        first = table.legal[-1]
        assert len(table.hands[table.mover].split()) > 5
        table.play(first)
    assert order == [2, 3, 3, 3, 0, 0]
    assert [len(hand.split()) for hand in table.hands] == [5, 5, 6, 5]
    assert table.mover == 3
    assert table.turns == 11
    assert len(table.pile.split()) == 5
    assert table.discards == ""


def test_d15_one_who_hoards_nothing_makes_the_others_discard(position):
    """Even with nothing to shuffle before."""
    table = position(hands=["", SIX], pile="", discards="")
    assert table.legal == ["draw"]
    table.play("draw")
    assert (table.phase, table.mover, table.active) == ("discard", 1, 0)
    table.play("discard meteor")
    assert table.hands == ["meteor", "bary bary bary bary bary"]
    assert (table.pile, table.mover, table.turns) == ("", 1, 11)


def test_d15_the_scientist_discards_too_and_then_draws_on(position):
    """The scientist itself lies on the table, neither in the hand nor in the discards."""
    hand = "scientist " + SIX
    table = position(hands=[hand, "eggs eggs " + FIVE], pile="tric", discards="nest")
    table.play("scientist")
    assert (table.phase, table.mover, table.drawn) == ("discard", 0, "tric")
    table.play("discard meteor")
    assert (table.phase, table.mover, table.active) == ("discard", 1, 0)
    table.play("discard eggs", "discard eggs")
    assert (table.phase, table.mover) == ("return", 0)
    assert len(table.drawn.split()) == 3
    assert "tric" in table.drawn
    rest = f"{table.drawn} {table.pile}".split()
    assert sorted(rest) == ["eggs", "eggs", "meteor", "nest", "tric"]
    table.play("discard triceratops")
    assert len(table.hands[0].split()) == 7
    assert table.discards == "tric scientist"
    assert table.turns == 11


def test_d15_a_scientist_that_still_finds_too_few_keeps_them_all(position):
    table = position(hands=["scientist " + FIVE, SIX], pile="", discards="nest")
    table.play("scientist")
    assert (table.phase, table.mover) == ("discard", 1)
    table.play("discard meteor")
    assert table.hands[0] == FIVE + " nest meteor"
    assert table.discards == "scientist"
    assert table.mover == 1


def test_d15_a_scientist_out_of_a_hand_of_six_is_no_hoard(position):
    """It can be played only if there will be a card to draw."""
    hand = "scientist " + FIVE
    assert "scientist" not in position(hands=[hand], pile="").legal
    assert "draw" in position(hands=[hand], pile="").legal
    assert "scientist" in position(hands=[hand + " tric"], pile="").legal


def test_d15_is_no_permanent_hand_limit(position):
    table = position(hands=[SIX, FIVE], pile="", discards="nest")
    table.play("draw", "discard baryonyx", "draw")
    assert [len(hand.split()) for hand in table.hands] == [6, 6]
    assert table.phase == "choose"


def test_a_hoard_stays_while_nobody_draws(position):
    table = position(hands=[SIX, SIX], pile="", discards="")
    table.play("baryonyx mon", "baryonyx mon")
    assert [len(hand.split()) for hand in table.hands] == [5, 5]
    assert table.pile == ""


def test_with_no_card_anywhere_nobody_can_draw(position):
    table = position(hands=[FIVE, FIVE], boards=["bary . . . . . bary"], pile="")
    assert "draw" not in table.legal
    assert table.legal == ["pass"]


# What all players know of hands.


def test_all_know_who_still_has_the_giganotosaurus(deal):
    """ "it makes it important to know when every other player has played their giganotosaurus"."""
    table = deal(3, num_players=3)
    assert table.known == ["giga"] * 3
    table.play("draw", "giganotosaurus own wed")
    assert table.known == ["giga", "", "giga"]


def test_a_played_card_is_known_no_longer(position):
    """What is known is the least that is there: a card that leaves may be the known one."""
    table = position(hands=["bary bary giga", ""], known=["bary giga", ""])
    table.play("baryonyx mon")
    assert table.hands[0] == "giga bary"
    assert table.known == ["giga", ""]
    both = position(hands=["bary bary giga", ""], known=["bary bary giga", ""])
    assert both.play("baryonyx mon").known == ["giga bary", ""]
    other = position(hands=["bary pter giga", ""], known=["bary giga", ""])
    assert other.play("pteranodon mon").known == ["giga bary", ""]


def test_a_card_from_the_pile_is_not_known(position):
    table = position(hands=["giga", "giga"], pile="giga meteor bary bary bary")
    table.play("draw")
    assert (table.hands[0], table.known[0]) == ("giga giga", "giga")


def test_a_discarded_giganotosaurus_is_known_no_longer(position):
    table = position(hands=["giga " + FIVE, FIVE], pile="", discards="", players=3)
    table.play("draw", "discard giganotosaurus")
    assert table.known == ["", "", ""]
    assert table.hands[0] == "giga " + FIVE, "it was the only card to draw"


def test_two_players_know_both_hands_when_the_deck_runs_out(position):
    """Each then sees all cards but the other's hand. What is drawn afterwards is not known."""
    table = position(hands=["giga bary", "meteor tric"], pile="", discards="pter steg eggs")
    table.play("draw")
    assert table.known == ["giga bary", "tric meteor"]
    table.play("triceratops sun")
    assert table.known == ["giga bary", "meteor"]


def test_a_scientist_hides_what_it_drew_before_the_deck_ran_out(position):
    table = position(
        hands=["giga scientist bary", "meteor"], pile="tric", discards="pter steg eggs"
    )
    table.play("scientist")
    assert table.known == ["giga", "meteor"], "tric and bary could be either way round"
    at_once = position(hands=["giga scientist bary", "meteor"], pile="", discards="pter steg eggs")
    at_once.play("scientist")
    assert at_once.known == ["giga bary", "meteor"]


def test_three_players_do_not_know_hands_when_the_deck_runs_out(position):
    table = position(hands=["giga bary", "tric", "meteor"], pile="", discards="pter steg eggs")
    table.play("draw")
    assert table.known == ["giga", "", ""]
