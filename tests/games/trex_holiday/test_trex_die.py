"""Where the T-Rex die goes in T-Rex's Holiday, and its grey numbers. Quotes are the rulebook's.

A7 and the like number the points that the rulebook leaves open.
"""

from collections import Counter

import pytest
from scipy import stats

from dino_envs.games.trex_holiday.sheet import ROOMS, SHEET

AREAS = [f"area_{i + 1}" for i in range(6)]
CARS = ["cars_1", "cars_2", "cars_3"]

# "All players will fill the T-Rex die in a space that corresponds to a room that can accommodate
# the number on the die (shown in grey to the right of each room)."


@pytest.mark.parametrize(
    ("number", "targets"),
    [
        (1, [*AREAS, "streamer"]),
        (2, CARS),
        (3, ["cans"]),
        (4, AREAS),
        (5, CARS),
        (6, ["cans", "streamer"]),
    ],
)
def test_the_grey_numbers_say_which_rooms_take_the_die(position, number, targets):
    """ "(Example: the hidden die (T-Rex die) is 1. The "1" must go into a space in a room that can
    take a "1".)"
    """
    table = position(phase="trex", trex=number)
    assert table.legal == [f"fill {number} {target}" for target in targets]


def test_a6_all_players_place_it_from_the_roller_on(position):
    table = position(players=4, phase="trex", trex=3, roller=2)
    for seat in (2, 3, 0, 1):
        assert (table.phase, table.mover) == ("trex", seat)
        table.play("fill 3 cans")
        assert table["cans_1", seat] == "3 . . ."
    assert (table.phase, table.roller, table.rounds) == ("hide", 3, 5)


def test_it_is_placed_once_by_each(position):
    table = position(phase="trex", trex=5).play("fill 5 cars_1")
    assert table.mover == 1


# "Tips: If you cannot legally fill in a space using the T-Rex die, skip this step. However, if you
# can legally fill in a space, you must do so."


def test_who_can_place_it_must(position):
    table = position(phase="trex", trex=3, cans_1="6 4 3")
    assert table.legal == ["fill 3 cans"]


def test_who_cannot_place_it_is_skipped(position):
    """No room with a grey 2 has an open space, though other rooms have."""
    closed = {"cars_1": "6", "cars_2": "2 1", "cars_3": "1 2 3 4 5 6"}
    table = position(phase="trex", trex=2, others=[closed, {}, closed])
    assert table.mover == 0
    table.play("fill 2 cars_1")
    assert table.mover == 2
    table.play("fill 2 cars_2")
    assert (table.phase, table.mover, table.roller, table.rounds) == ("hide", 1, 1, 5)
    assert table["cars_2", 1] == "2 1 . . . ."


def test_a_round_ends_at_once_when_nobody_can_place_it(position):
    full = dict.fromkeys(("cans_1", "cans_2", "cans_3"), "1 1 1 1")
    table = position(dice="2 5", trex=3, others=[full], **full)
    table.play("fill 2 area_1", "fill 5 area_1", "fill 2 area_1", "fill 5 area_1")
    assert (table.phase, table.roller, table.mover, table.rounds) == ("hide", 1, 1, 5)
    assert table.ending == "running", '"Inability to fill in T-Rex die will not end the game!"'


def test_what_was_filled_with_the_revealed_dice_counts(position):
    """A room that the revealed dice have filled up takes no T-Rex die any more."""
    table = position(dice="6 5", trex=3, cans_1="1 1 1 1", cans_2="1 1 1 1", cans_3="1 1 .")
    table.play("fill 6 cans", "fill 5 cans", "fill 5 area_1", "fill 6 area_1")
    assert table.mover == 1


def test_q2_a_violation_must_be_filled_in_if_there_is_nothing_else(position):
    """ "I have a space that can be filled by the T-Rex die. Do I have to fill it in? A: Yes. If
    this results in a violation of the scoring rules, that area will not score or provide biscuits."
    """
    table = position(full=True, cars_2="1 4 5", phase="trex", trex=2)
    assert table.legal == ["fill 2 cars_2"]
    table.play("fill 2 cars_2")
    assert table["cars_2"] == "1 4 5 2 . ."
    assert table.points("cars") == 3, '"Score only up to the segment that meets the rule"'
    assert "cars_2" not in position(cars_2="1 4 5 2").targets


def test_q2_in_the_streamer(position):
    table = position(full=True, streamer="5:2 4 3:1", phase="trex", trex=6)
    assert table.legal == ["fill 6 streamer"]
    table.play("fill 6 streamer")
    assert table["streamer"] == "5:2 4 3:1 6 . ."
    assert (table.phase, table.mover) == ("trex", 1), "no biscuit"


def test_a7_a_violation_may_be_chosen(position):
    table = position(cars_1="4", cars_2="", phase="trex", trex=2)
    assert "fill 2 cars_1" in table.legal
    table.play("fill 2 cars_1")
    assert table["cars_1"] == "4 2 . . . ."


def test_a4_the_roller_chooses_any_die(position):
    """ "They will pick 2 of the 3 dice to reveal": that is the choice of the T-Rex die."""
    for hidden, revealed in ((1, "3 6"), (3, "1 6"), (6, "1 3")):
        table = position(phase="hide", dice="1 3 6").play(f"hide {hidden}")
        assert {name.split()[1] for name in table.legal} == set(revealed.split())
        assert not table.exposed


def test_the_die_is_revealed_after_all_have_filled_their_score_sheets(position):
    table = position(players=3, dice="2 5", trex=4)
    for _ in range(3):
        assert not table.exposed
        table.play("fill 2 area_1", "fill 5 area_1")
    assert table.exposed
    assert table.legal[0] == "fill 4 area_2"


# The grey numbers.


def test_printed_grey_numbers_are_those_of_the_sheet(deal):
    table = deal(3, num_players=3)
    for seat in range(3):
        assert {room: table.grey(room, seat) for room in ROOMS} == SHEET["grey"]
    grey = {"areas": [5, 6], "cars": [1, 2], "cans": [1, 6], "streamer": [3, 4]}
    table = deal(3, sheet={"grey": grey})
    assert {room: table.grey(room) for room in ROOMS} == grey


def test_grey_numbers_are_two_a_room_and_each_number_somewhere():
    """ "which two numbers are possible in each room", "every number is in at least 1 room"."""
    assert all(len(pair) == 2 for pair in SHEET["grey"].values())
    assert {number for pair in SHEET["grey"].values() for number in pair} == set(range(1, 7))


# Advanced rules: "Before the game starts, roll dice to determine which two numbers are possible in
# each room. Roll until every number has changed, and every number is in at least 1 room."


def drawn(deal, seed, **options):
    table = deal(seed, **options)
    return [tuple(tuple(table.grey(room, seat)) for room in ROOMS) for seat in range(table.players)]


PRINTED = [
    SHEET["grey"],
    {"areas": [1, 2], "cars": [1, 2], "cans": [1, 2], "streamer": [3, 4]},
    {"areas": [1, 2], "cars": [3, 4], "cans": [5, 6], "streamer": [1, 6]},
]


@pytest.mark.parametrize("printed", PRINTED)
@pytest.mark.parametrize("kind", ["shared", "personal"])
def test_a25_every_number_has_changed_and_is_in_a_room(deal, kind, printed):
    for seed in range(300):
        for rooms in drawn(deal, seed, num_players=3, grey=kind, sheet={"grey": printed}):
            assert all(len(set(pair)) == 2 for pair in rooms)
            assert {number for pair in rooms for number in pair} == set(range(1, 7))
            for room, pair in zip(ROOMS, rooms, strict=True):
                assert not set(pair) & set(printed[room]), "no printed number stays in its room"


def test_a25_shared_numbers_are_the_same_for_all(deal):
    """ "Everyone can also decide whether to use the same setting, or for everyone to have their
    own custom set of numbers for each room."
    """
    for seed in range(50):
        assert len(set(drawn(deal, seed, num_players=8, grey="shared"))) == 1


def test_a25_personal_numbers_are_everyones_own(deal):
    different = 0
    for seed in range(50):
        rooms = drawn(deal, seed, num_players=3, grey="personal")
        different += len(set(rooms)) == 3
    assert different > 40


def allowed_settings(printed):
    """Lists every setting that the advanced rules allow."""
    pairs = [(low, high) for low in range(1, 7) for high in range(low + 1, 7)]
    choices = [[pair for pair in pairs if not set(pair) & set(printed[room])] for room in ROOMS]
    return [
        (a, b, c, d)
        for a in choices[0]
        for b in choices[1]
        for c in choices[2]
        for d in choices[3]
        if set(a + b + c + d) == set(range(1, 7))
    ]


@pytest.mark.parametrize("kind", ["shared", "personal"])
def test_a25_all_allowed_settings_are_equally_likely(deal, kind):
    settings = allowed_settings(SHEET["grey"])
    seen = Counter()
    for seed in range(12 * len(settings) // (8 if kind == "personal" else 1)):
        rooms = drawn(deal, seed, num_players=8, grey=kind)
        seen.update(rooms if kind == "personal" else rooms[:1])
    assert set(seen) <= set(settings)
    assert len(seen) > 0.99 * len(settings)
    assert stats.chisquare([seen[setting] for setting in settings]).pvalue > 0.001


def test_a25_the_game_is_played_with_the_drawn_numbers(deal):
    """The T-Rex die goes into the rooms of the player's own numbers."""
    for seed in range(30):
        table = deal(seed, num_players=3, grey="personal")
        while table.phase != "trex" and table.rounds == 0:
            table.play(table.legal[0])
        placed = 0
        while table.phase == "trex":
            room = {"area": "areas", "cars": "cars", "cans": "cans", "streamer": "streamer"}
            number = int(table.legal[0].split()[1])
            rooms = {room[target.split("_")[0]] for target in table.targets}
            assert rooms == {name for name in ROOMS if number in table.grey(name, table.mover)}
            table.play(table.legal[0])
            placed += 1
        assert placed == 3


def test_other_grey_numbers_for_each_seat(position):
    greys = [{"areas": [1, 2], "cars": [3, 4]}, {"areas": [5, 6], "cans": [2, 3]}]
    table = position(phase="trex", trex=2, greys=greys)
    assert table.targets == AREAS
    assert table.play("fill 2 area_1").targets == [*CARS, "cans"]
