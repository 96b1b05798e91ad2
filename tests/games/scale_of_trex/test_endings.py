"""The end of the game: a pile runs out, or the ticks do; who wins, and ties."""

import pytest


def test_the_game_is_over_when_the_good_tokens_run_out(position):
    """ "The game is over when either pile of Tokens (Good or Bad) in the middle of the table runs
    out." """
    table = position("orange 6, blue 6, yellow 9", good_pile=4).tick("offer +1", "offer +2")
    assert table.ending == "over"
    assert table.piles == (0, 8)
    assert table.scores == [2, 2, 0]


def test_the_game_is_over_when_the_bad_tokens_run_out(position):
    table = position("orange 6, blue 1, yellow 9", bad_pile=2).tick("offer +1", "offer +2")
    assert table.ending == "over"
    assert table.piles == (16, 0)
    assert table.scores == [-1, -1, 0]


def test_the_last_near_match_ends_it_as_well(position):
    table = position("orange 6, blue 7, yellow 9", good_pile=2).tick("offer +1", "offer +2")
    assert (table.ending, table.piles) == ("over", (0, 8))


def test_the_game_goes_on_while_there_are_tokens(position):
    table = position("orange 6, blue 7, yellow 9", good_pile=4, bad_pile=2)
    table.tick("offer +1", "offer +2")
    assert (table.ending, table.piles) == ("running", (2, 2))


def test_missing_tokens_are_taken_from_the_box(position):
    """ "If the final match that depleted the pile requires extra Good or Bad Tokens to complete,
    take these Tokens from the box." """
    table = position("orange 6, blue 6, yellow 9", good_pile=2, tokens=[(3, 1), (0, 0), (9, 2)])
    table.tick("offer +1", "offer +2")
    assert table.ending == "over"
    assert table.piles == (0, 8)
    assert table.tokens == [(5, 1), (2, 0), (9, 2)]


def test_c12_later_matches_of_the_last_tick_are_void(position):
    """C12: "game over at once; matches later in the same tick are void"; nor does anybody skip,
    swap or draw."""
    table = position(
        "orange 6, blue 6, yellow 9, blue 9, blue 2, swap any", good_pile=4, pile="blue 1 x 50"
    )
    actions = table.in_play
    table.tick("offer +1", "offer +5", "offer +1", "offer +5", "skip", "swap blue")
    assert table.ending == "over"
    assert table.tokens == [(2, 0), (2, 0)] + [(0, 0)] * 4
    assert table.hands == ["-", "-", "yellow 9", "blue 9", "blue 2", "swap any"]
    assert table.partners == [1, 0, -1, -1, -1, -1]
    assert table.revealed[:2] == ["orange 6", "blue 6"]
    assert table.discards == "orange 6, blue 6"
    assert table.pile == "blue 1 x 50"
    assert table.in_play == actions
    assert table.offers == {2: 3, 3: 2}
    assert table.learnt(0)["calibrated"] == 2, "they learn what they saw all the same"
    assert (table.state.acts[:6] == -1).all()
    assert table.ticks == 11


def test_matches_are_turned_over_from_the_lowest_seat_on(position):
    """Seat 0 with 3 comes before 1 with 2, which is void: the good tokens are out."""
    table = position("orange 6, blue 9, yellow 9, blue 6", good_pile=4)
    table.tick("offer +3", "offer +1", "offer +3", "offer +1")
    assert table.partners == [3, -1, -1, 0]
    assert table.tokens == [(2, 0), (0, 0), (0, 0), (2, 0)]


def test_a_match_that_leaves_tokens_lets_the_next_one_be_paid(position):
    """One good and one bad match; the second ends the game."""
    table = position("orange 6, blue 6, yellow 9, blue 2", bad_pile=2)
    table.tick("offer +1", "offer +3", "offer +1", "offer +3")
    assert table.tokens == [(2, 0), (2, 0), (0, 1), (0, 1)]
    assert (table.ending, table.piles) == ("over", (16, 0))


@pytest.mark.parametrize("tokens", [[(5, 0), (3, 1), (0, 4)]])
def test_points_are_good_less_bad_tokens(position, tokens):
    """C19: "Score = good - bad, can be negative"."""
    table = position("orange 6, blue 6, yellow 9", tokens=tokens)
    assert table.scores == [5, 2, -4]
    table.tick("", "offer +1", "offer +2")
    assert table.scores == [5, 1, -5]


@pytest.mark.parametrize(
    ("scores", "returns"),
    [
        ([5, 2, -4], [1, -0.5, -0.5]),
        ([5, 5, -4], [0.5, 0.5, -1]),
        ([1, 1, 1], [0, 0, 0]),
        ([-1, -2, -2], [1, -0.5, -0.5]),
        ([3, 0, 3, 3, 1], [0.333333, -0.5, 0.333333, 0.333333, -0.5]),
        ([0, 0, 0, 7], [-0.333333, -0.333333, -0.333333, 1]),
    ],
)
def test_the_player_with_the_most_points_wins(position, scores, returns):
    """ "The player with the most points wins!" C18: tied players share."""
    hands = ", ".join(f"blue {1 + 2 * (seat % 5)}" for seat in range(len(scores)))
    tokens = [(max(score, 0) + 2, max(-score, 0) + 2) for score in scores]
    table = position(hands, tokens=tokens, max_ticks=11).tick()
    assert table.scores == scores
    assert table.returns == returns


def test_the_ticks_run_out(position):
    table = position("orange 6, blue 6, yellow 9", tick=0, max_ticks=2, tokens=[(1, 0), (0, 0)])
    assert table.tick().ending == "running"
    assert table.tick().ending == "cut"
    assert table.ticks == 2
    assert table.returns == [1, -0.5, -0.5], "scored as it stands"


def test_matches_of_the_last_tick_count(position):
    table = position("orange 6, blue 6, yellow 9", tick=0, max_ticks=1, pile="blue 1 x 9")
    table.tick("offer +1", "offer +2")
    assert table.ending == "cut"
    assert table.scores == [2, 2, 0]
    assert table.hands == ["blue 1", "blue 1", "yellow 9"]


def test_a_game_that_ends_in_its_last_tick_is_over_not_cut(position):
    table = position("orange 6, blue 6, yellow 9", tick=0, max_ticks=1, good_pile=4)
    assert table.tick("offer +1", "offer +2").ending == "over"
    assert table.ticks == 1


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("ticks", [1, 3])
def test_the_cap_is_the_number_of_ticks(lively_walk, players, ticks):
    walk = list(lively_walk(1, num_players=players, max_ticks=ticks))
    table, _ = walk[-1]
    assert table.ending in ("cut", "over")
    assert len(walk) - 1 == table.ticks * players
    assert table.ticks == ticks or table.ending == "over"
