"""The cooperative game of two: they call MATCH or NO MATCH, win or lose together.

Quoted lines are the ruling's, which tells the other side of the rulebook's instructions.
"""

import pytest


def called(position, first: str, second: str, calls: str, **given):
    """Returns the table after both have called alike: `calls` is `match` or `no_match`."""
    table = position(f"{first}, {second}", pile="yellow 1 x 20", **given)
    return table.tick(f"call {calls}", f"call {calls}")


def test_fifteen_tokens_and_no_bad_ones(deal):
    """ "Cooperative; 15 tokens." """
    table = deal(num_players=2)
    assert table.piles == (15, 0)
    assert table.state.cooperative == 1


@pytest.mark.parametrize("first", range(1, 11))
def test_right_and_wrong_calls(position, first):
    """ "Right: exact -> 2 tokens into the Box Top, near -> 1, right NO MATCH -> 1. Wrong (either
    way) -> the game is lost at once." """
    for second in range(1, 11):
        moved = {0: 2, 1: 1}.get(abs(first - second), 0)
        table = called(position, f"orange {first}", f"blue {second}", "match")
        assert table.tokens == [(moved, 0)] * 2
        assert table.piles == (15 - moved, 0)
        assert table.ending == ("running" if moved else "over")
        table = called(position, f"orange {first}", f"blue {second}", "no_match")
        assert table.tokens == [(0, 0) if moved else (1, 0)] * 2
        assert table.piles == (15 if moved else 14, 0)
        assert table.ending == ("over" if moved else "running")


def test_a_wrong_call_loses_for_both(position):
    for first, calls in (("orange 9", "match"), ("orange 6", "no_match"), ("blue 5", "no_match")):
        table = called(position, first, "blue 6", calls, good_pile=1, tokens=[(14, 0)] * 2)
        assert table.ending == "over"
        assert table.state.lost == 1
        assert table.returns == [-1, -1]
        assert table.scores == [14, 14]
        assert table.hands == ["-", "-"], "turned over, but nobody draws"
        assert table.revealed == [first, "blue 6"]
        assert sorted(table.discards.split(", ")) == sorted([first, "blue 6"])
        assert [table.learnt(seat)["calibrated"] for seat in range(2)] == [2, 2]


def test_both_discard_and_draw(position):
    """ "Then both discard and draw." """
    table = called(position, "orange 6", "blue 6", "match")
    assert table.revealed == ["orange 6", "blue 6"]
    assert table.partners == [1, 0]
    assert table.discards == "orange 6, blue 6"
    assert table.hands == ["yellow 1", "yellow 1"]
    assert table.calls == ["-", "-"]
    assert table.levels == [0, 0]
    assert table.legal_of(0) == [f"perform {level}" for level in range(1, 11)]


def test_c15_players_who_disagree_keep_performing(position):
    """C15: "no reveal until equal"."""
    table = position("orange 6, blue 6").tick("call match", "call no_match")
    for _ in range(5):
        assert table.tick().calls == ["match", "no_match"]
        assert table.hands == ["orange 6", "blue 6"]
    table.tick("", "call match")
    assert table.tokens == [(2, 0), (2, 0)]


def test_one_call_alone_turns_over_nothing(position):
    table = position("orange 6, blue 6").tick("call match")
    assert table.tick().calls == ["match", "-"]
    assert table.hands == ["orange 6", "blue 6"]


def test_a_call_can_be_changed_and_withdrawn(position):
    table = position("orange 6, blue 6")
    assert {"call match", "call no_match"} <= set(table.legal_of(0))
    assert "withdraw" not in table.legal_of(0)
    table.tick("call match")
    assert "call match" not in table.legal_of(0), "that one stands"
    assert {"call no_match", "withdraw"} <= set(table.legal_of(0))
    assert "withdraw" not in table.legal_of(1)
    assert table.tick("call no_match").calls == ["no_match", "-"]
    assert table.tick("withdraw", "call no_match").calls == ["-", "no_match"]
    assert table.ending == "running"


def test_calls_of_one_tick_are_made_blind_and_seen_afterwards(position):
    table = position("orange 6, blue 6").play("call match")
    assert not table.see(1)["their_call"].any()
    table.play("perform 6")
    assert table.see(1)["their_call"].tolist() == [1, 0]
    assert table.see(0)["call"].tolist() == [1, 0]
    assert not table.see(0)["their_call"].any()


def test_there_are_no_offers_and_no_skips(lively_walk):
    """ "Skipping not allowed." """
    seen = set()
    for seed in range(5):
        for table, _ in lively_walk(seed, num_players=2, max_ticks=60):
            if table.ending == "running":
                seen |= set(table.legal)
    blocks = {name.split()[0] for name in seen}
    assert blocks == {"perform", "call", "withdraw"}


def test_c14_the_last_token_is_moved_by_an_exact_match_too(position):
    """C14: "1 token left and an exact match -> move 1 and win"."""
    table = called(position, "orange 6", "blue 6", "match", good_pile=1, tokens=[(14, 0)] * 2)
    assert table.ending == "over"
    assert table.piles == (0, 0)
    assert table.scores == [15, 15]
    assert table.returns == [1, 1]


@pytest.mark.parametrize(
    ("other", "calls", "pile"), [("blue 6", "match", 2), ("blue 7", "match", 1)]
)
def test_all_fifteen_tokens_moved_win(position, other, calls, pile):
    """ "Win when all 15 are moved." """
    moved = 15 - pile
    table = called(position, "orange 6", other, calls, good_pile=pile, tokens=[(moved, 0)] * 2)
    assert (table.ending, table.returns, table.scores) == ("over", [1, 1], [15, 15])


def test_the_last_token_may_go_with_no_match(position):
    table = called(position, "orange 6", "blue 1", "no_match", good_pile=1, tokens=[(14, 0)] * 2)
    assert (table.ending, table.returns) == ("over", [1, 1])


def test_c13_the_empty_pile_of_bad_tokens_ends_nothing(position):
    table = called(position, "orange 6", "blue 1", "no_match")
    assert (table.ending, table.piles) == ("running", (14, 0))


def test_when_the_ticks_run_out_both_have_lost(position):
    """C15: "Cap on ticks -> loss"."""
    table = position("orange 6, blue 6", tick=0, max_ticks=1, good_pile=1, tokens=[(14, 0)] * 2)
    table.tick("call match")
    assert table.ending == "cut"
    assert table.state.lost == 0
    assert table.returns == [-1, -1]


def test_a_game_won_in_its_last_tick_is_won(position):
    table = called(position, "orange 6", "blue 6", "match", good_pile=1, tick=0, max_ticks=1)
    assert (table.ending, table.returns) == ("over", [1, 1])


def test_swap_cards_as_usual(position):
    """ "Swap cards as usual." """
    table = position("swap any, blue 6", pile="blue 3 x 9", calls=["-", "match"])
    assert table.legal_of(0) == ["swap orange", "swap blue", "swap yellow"]
    before = table.in_play
    table.tick("swap yellow")
    assert table.in_play["yellow"] != before["yellow"]
    assert table.hands == ["blue 3", "blue 6"]
    assert table.calls == ["-", "match"], "the other one's call stands"


def test_performing_leaves_a_call_as_it_is(position):
    table = position("orange 6, blue 6", calls=["no_match", "-"]).tick("perform 3")
    assert table.calls == ["no_match", "-"]
    assert table.levels == [3, 6]
