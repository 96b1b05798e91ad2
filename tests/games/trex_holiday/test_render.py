"""What people see of a game of T-Rex's Holiday."""

import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from dino_envs.engine import FORFEITED, TERMINATED, TRUNCATED
from dino_envs.games import drawing as draw
from dino_envs.games import standing
from dino_envs.games.trex_holiday import GAME, large, render, shapes, small, words
from dino_envs.games.trex_holiday.sheet import MAX_AREA, MAX_AREAS, MAX_STREAMER, SHEET

LARGEST = {
    "areas": [{"size": MAX_AREA, "plus": 20, "times": 5}] * MAX_AREAS,
    "streamer": ["box"] * MAX_STREAMER,
}
SMALLEST = {"areas": [{"size": 1}], "streamer": ["nothing"]}
MIXED = {
    "areas": [{"size": 1, "plus": 3}, {"size": 5, "plus": 2, "times": 3}, {"size": 2}],
    "streamer": ["biscuit", "nothing", "box"],
}
OWN = {
    "area_1": "5 5",
    "area_2": "3 3 (4)",
    "cars_1": "2 4 (5) 6",
    "cars_2": "3 4 2",
    "cans_1": "4 5 6 4",
    "cans_2": "1 2",
    "streamer": "5:4 4 6:x",
}


def texts(svg):
    """Returns the texts of a picture."""
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.text]


def meaning(table, name):
    assert name in table.legal, table.legal
    return told(table, name, int(table.state.current_player))


def told(table, name, seat):
    return render.action_text(table.state, GAME.view.action_number(name), seat)


def line(table, room, seat=0, player=0):
    """Returns what the text lists in a room of a player's sheet, after its grey numbers."""
    sheet = render.text(table.state, seat).split("\n\n")[1 + player]
    found = re.search(rf"^ +{room} +\d+  T-Rex [\d ]+?  (.*(?:\n {{30,}}.*)*)", sheet, re.MULTILINE)
    return " ".join(found[1].split())


# --- The actions -------------------------------------------------------------------------------


def test_names_are_readable_and_lead_back():
    names = [GAME.view.action_name(action) for action in range(GAME.actions.size)]
    assert {"hide 5", "fill 5 area_1", "fill 2 cans", "shade cars_2 3", "decline"} <= {*names}
    assert [GAME.view.action_number(name) for name in names] == list(range(GAME.actions.size))


@pytest.mark.parametrize("options", [{}, {"sheet": LARGEST}, {"sheet": MIXED, "grey": "personal"}])
@pytest.mark.parametrize("players", [1, 3])
def test_every_legal_action_has_a_meaning_of_its_own(players, options, random_walk):
    for seed in range(2):
        for position in random_walk(GAME, seed, num_players=players, **options):
            legal = [int(action) for action in np.flatnonzero(position.mask)]
            mover = int(position.state.current_player)
            meanings = [render.action_text(position.state, action, mover) for action in legal]
            assert len({*meanings}) == len(legal)
            assert max(map(len, meanings), default=0) <= 120


def test_hiding_a_die_says_what_is_revealed(position):
    table = position(dice="2 5 5", phase="hide")
    assert meaning(table, "hide 5") == "hide the 5 as the T-Rex die, reveal 2 and 5"
    assert meaning(table, "hide 2") == "hide the 2 as the T-Rex die, reveal 5 and 5"


@pytest.mark.parametrize(
    ("sheet", "name", "said"),
    [
        ({}, "fill 5 area_3", "write 5 into stack C (empty)"),
        ({"area_2": "5"}, "fill 5 area_2", "write 5 into stack B (1 of 3 filled, a 5)"),
        ({"area_6": "5 5"}, "fill 5 area_6", "write 5 into the cat house (2 of 4 filled, both 5)"),
        ({"area_6": "3 3 3"}, "fill 5 area_6",
         "write 5 into the cat house (3 of 4 filled, all 3): spoils it"),
        ({"area_6": "3 1"}, "fill 5 area_6", "write 5 into the cat house (2 of 4 filled: 3 1)"),
        ({"area_5": "5 (3)"}, "fill 5 area_5", "write 5 into post B (2 of 3 filled: 5 (3))"),
        ({"cans_1": "4 5 6 4", "cans_2": "1"}, "fill 3 cans",
         "write 3 into the middle set of cans: 1 + 3 = 4, 2 of 4"),
        ({}, "fill 3 cans", "write 3 into the left set of cans: sum 3, 1 of 4"),
        ({"cans_1": "4 5 (2)"}, "fill 5 cans",
         "write 5 into the left set of cans: 9 + 5 = 14, 4 of 4, scores 5 points"),
        ({"cans_1": "4 5 3"}, "fill 5 cans",
         "write 5 into the left set of cans: 12 + 5 = 17, 4 of 4, scores 0 points"),
        ({"cars_2": "3"}, "fill 5 cars_2",
         "write 5 into the second row of cars (1 of 6 filled: 3)"),
        ({"cars_2": "2 5"}, "fill 5 cars_2",
         "write 5 into the second row of cars (2 of 6 filled: 2 5): out of order, closes the row"),
        ({}, "fill 3 streamer",
         "write 3 into the carp streamer (empty): the T-Rex die goes into the box"),
        ({"streamer": "6:2"}, "fill 3 streamer",
         "write 3 into the carp streamer (1 of 6 filled: 6): brings a biscuit"),
        ({"streamer": "4:2 3"}, "fill 5 streamer",
         "write 5 into the carp streamer (2 of 6 filled: 4 3): out of order, closes the streamer "
         "and crosses out the box"),
        ({"streamer": "4:2"}, "fill 5 streamer",
         "write 5 into the carp streamer (1 of 6 filled: 4): out of order, closes the streamer"),
    ],
)  # fmt: skip
def test_a_fill_is_told_in_the_words_of_the_position(sheet, name, said, position):
    assert meaning(position(dice="5 3", trex=4, **sheet), name) == said


def test_the_trex_die_and_a_6_are_told(position):
    table = position(phase="trex", trex=6)
    assert meaning(table, "fill 6 streamer") == (
        "write 6 into the carp streamer (empty): 6 into the box"
    )
    table = position(dice="6 6", cars_1="2")
    assert meaning(table, "fill 6 cars_1") == (
        "write 6 into the first row of cars (1 of 6 filled: 2): ends the row and brings a biscuit"
    )


def test_shades_are_told(position):
    table = position(dice="6 1", cars_3="4 4", area_6="5 3", cans_1="2", streamer="5:1")
    table.play("fill 6 cars_1")
    assert meaning(table, "shade cars_3 2") == (
        "shade the 4 in position 2 of the third row of cars (4 4!)"
    )
    assert meaning(table, "shade cars_1 1") == "shade the 6 of the first row of cars (6)"
    assert meaning(table, "shade area_6 3") == "shade a 3 in the cat house (2 of 4 filled: 5 3)"
    assert meaning(table, "shade cans_1 2") == (
        "shade a 2 in the left set of cans (1 of 4 filled, a 2)"
    )
    assert meaning(table, "shade streamer 1") == "shade the 5 of the carp streamer (5)"
    assert meaning(table, "decline") == "use no biscuit"


def test_areas_of_another_sheet_are_numbered(position):
    table = position(sheet=MIXED, dice="5 3", trex=1)
    assert meaning(table, "fill 5 area_2") == "write 5 into area 2 (empty)"
    assert "area 2 . . . . . x3 +2" in line(table, "Stacks and posts")


# --- What is hidden ----------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "grey"), [(1, "printed"), (2, "shared"), (4, "personal")])
def test_nothing_shown_depends_on_what_is_hidden(players, grey, random_walk):
    walk = random_walk(GAME, players, num_players=players, grey=grey)
    for position in itertools.islice(walk, 0, None, 3 * players):
        state = position.state
        for seat in (None, *range(players)):
            dealt = np.array([state.tolist()], GAME.state)
            nobody = -1 if players > 1 else 0
            GAME.kernels.redeal(dealt[0], nobody if seat is None else seat, np.uint64(5))
            assert render.text(dealt[0], seat) == render.text(state, seat)
            assert render.svg(dealt[0], seat) == render.svg(state, seat)


@pytest.mark.parametrize("players", [2, 5])
def test_the_points_of_others_are_those_of_the_phase_s_start(players, random_walk):
    for position in itertools.islice(random_walk(GAME, 1, num_players=players), 0, None, 7):
        state = position.state
        known = words.seen(state, None)
        totals = [words.page(known, player, None).total for player in range(players)]
        assert totals == state.score[:players].tolist()


def test_what_others_write_is_not_shown_before_the_phase_ends(position):
    table = position(dice="5 3", trex=4).play("fill 5 area_1", "fill 3 streamer")
    assert table.mover == 1
    assert line(table, "Stacks and posts").startswith("stack A 5 .")
    assert line(table, "Carp streamer").startswith("3 [?]")
    for seat in (1, None):
        assert line(table, "Stacks and posts", seat).startswith("stack A . .")
        assert line(table, "Carp streamer", seat).startswith(". [ ]")


def test_a_biscuit_of_another_is_not_shown(position):
    table = position(dice="6 3", trex=4, area_1="5 2").play("fill 6 cars_1")
    assert table.phase == "biscuit"
    assert "use the biscuit" in render.text(table.state, 0)
    assert "write 3 and 6 into any rooms" in render.text(table.state, 1)
    table.play("shade area_1 2")
    assert "stack A 5 (2) = 5" in line(table, "Stacks and posts")
    assert "stack A 5 2 = 0" in line(table, "Stacks and posts", 1)
    assert "to fill: 3 and 6" in render.text(table.state, 1)
    assert "to fill: 3." in render.text(table.state, 0)


def test_the_trex_die_is_seen_by_the_roller_until_it_is_revealed(position):
    face_up, face_down = (shapes.die(face, 146, 24, 52, trex=True) for face in (4, 0))
    table = position(dice="5 3", trex=4)
    for seat, seen in ((0, True), (1, False), (None, False)):
        shown = render.text(table.state, seat)
        assert ("T-Rex die: a 4, hidden from the others" in shown) == seen
        assert ("T-Rex die: hidden" in shown) != seen
        assert (face_up in render.svg(table.state, seat)) == seen
        assert (face_down in render.svg(table.state, seat)) != seen
    table = position(dice="5 3", trex=4, phase="trex")
    assert all("T-Rex die: a 4\n" in render.text(table.state, seat) for seat in (0, 1, None))
    assert all(face_up in render.svg(table.state, seat) for seat in (0, 1, None))


def test_only_the_roller_sees_what_it_has_rolled(position):
    table = position(dice="2 5 6", phase="hide")
    assert "Dice: 2, 5 and 6" in render.text(table.state, 0)
    assert "Dice: three, rolled in secret" in render.text(table.state, 1)
    assert shapes.die(0, 16, 24, 52) in render.svg(table.state, 1)
    assert shapes.die(2, 16, 24, 52) in render.svg(table.state, 0)


def test_who_cannot_fill_both_dice_is_not_told_before_the_reveal(position):
    table = position(dice="5 3", trex=4, full=True)
    assert table.state.ends
    assert all("last one" not in render.text(table.state, seat) for seat in (0, 1, None))
    table = position(dice="5 3", trex=4, phase="trex", ends=True)
    assert "round 5, the last one:" in render.text(table.state, 1)


def test_what_others_do_is_told_without_what_is_hidden(position):
    table = position(dice="2 5 6", phase="hide")
    for seat in (1, None):
        assert told(table, "hide 2", seat) == "hide a die as the T-Rex die, reveal 5 and 6"
    table = position(dice="6 3", trex=4, area_1="5 2")
    written = {told(table, "fill 3 cans", 1), told(table, "fill 6 area_2", None)}
    table.play("fill 6 cars_1")
    written |= {told(table, name, 1) for name in ("shade area_1 2", "decline")}
    assert written == {"write 3 and 6"}
    table = position(phase="trex", trex=6)
    assert told(table, "fill 6 streamer", 1) == "write the T-Rex die, a 6"


def test_of_one_player_s_game_all_is_seen(position):
    table = position(players=1, dice="5 3", trex=4).play("fill 5 area_1")
    shown = render.text(table.state)
    assert "Dice: 3 and 5, to fill: 3. T-Rex die: a 4" in shown
    assert "stack A 5 ." in shown
    assert told(table, "fill 3 area_2", None) == "write 3 into stack B (empty)"


# --- The text ----------------------------------------------------------------------------------


def test_the_text_shows_a_sheet(position):
    table = position(dice="5 3", trex=4, players=3, **OWN)
    shown = render.text(table.state, 0)
    assert shown.startswith("Player 0 (you) to move: round 5: write 3 and 5 into any rooms\n")
    assert "> Player 0 (you): 21 points, rolls" in shown
    assert line(table, "Stacks and posts") == (
        "stack A 5 5 = 5 | stack B 3 3 (4) +2 = 5 | stack C . . . . x2 | post A . . | "
        "post B . . . +2 | cat house . . . . x2"
    )
    assert line(table, "Rows of cars") == "2 4 (5) 6 / / = 6 | 3 4 2! - - - = 1 | . . . . . . = 0"
    assert line(table, "Sets of cans") == "4 5 6 4 = 0 | 1 2 . . | - - - -"
    assert line(table, "Carp streamer") == "5 [4] | 4 b | 6! [x] | - B | - [ ] | - B"
    assert "Rows of cars       7  T-Rex 2 5  " in shown
    assert "In turn: 0 1 2. Done: nobody" in shown
    assert max(len(row) for row in shown.splitlines()) <= 80


def test_winners_are_told(position):
    table = position(area_1="5 5", others=[{"area_1": "6 6"}])
    table.state.ending, table.state.rounds = TERMINATED, 17
    shown = render.text(table.state, 1)
    assert shown.startswith("Player 1 (you) wins with 6 points: the game is over after 17 rounds")
    assert "Player 1 (you): 6 points, winner" in shown
    table.state.ending, table.state.score[0] = TRUNCATED, 6
    shown = render.text(table.state)
    assert shown.startswith("Players 0 and 1 share the win with 6 points: the game was cut after")
    alone = position(players=1, area_1="5 5")
    alone.state.ending = TERMINATED
    alone.state.rounds = 17
    shown = " ".join(render.text(alone.state, 0).split())
    told_to_all = " ".join(render.text(alone.state).split())
    over = "5 points: the game is over after 17 rounds:"
    assert shown.startswith(f"Player 0 (you): {over} you could not fill both dice")
    assert told_to_all.startswith(f"Player 0: {over} the player could not fill both dice")
    assert words.situation(table.state, 1).startswith("the game was cut")
    table.state.ending = TERMINATED
    assert words.situation(table.state, 1).endswith("17 rounds: somebody could not fill both dice")


def test_nothing_is_hidden_from_others_where_there_are_none(position):
    shown = render.text(position(players=1, dice="5 3", trex=4).state, 0)
    assert "T-Rex die: a 4\n" in shown
    assert "others" not in shown


def test_the_signs_of_the_text_are_explained_aside(position):
    shown = render.text(position(dice="5 3", trex=4, players=3, **OWN).state, 0)
    assert "Signs" not in shown
    assert GAME.view.signs is render.SIGNS
    signs = {sign for named in render.SIGNS for sign in re.findall(r"\[.\]|\S+", named)}
    for sign in ("T-Rex", "= 0", "x2", "+2", ".", "/", "-", "[x]", "[ ]", "4!", "B", "b", ">"):
        assert {*sign.split()} <= signs or sign in signs
        assert sign in shown or sign == "4!"


# --- The picture -------------------------------------------------------------------------------


def test_the_picture_says_the_same(position):
    table = position(dice="5 3", trex=4, players=3, **OWN)
    svg = render.svg(table.state, 0)
    shown = texts(svg)
    assert {"Player 0 (you) to move", "Player 0 (you)", "Player 1", "Player 2"} <= {*shown}
    assert {*words.ROOM_NAMES, *words.AREA_NAMES, "21", "sum 19", "sum 3"} <= {*shown}
    assert {"round 5: write 3 and 5 into any rooms", "T-Rex, hidden", "rolls"} <= {*shown}
    assert svg.count(f'stroke="{shapes.CHOICE}"') == 6, "four areas, a row of cars, the cans"
    assert svg.count(f'fill="{shapes.CHOICE}"') == 4, "the points of two areas and two rows"


@pytest.mark.parametrize("players", range(1, 9))
def test_every_sheet_is_drawn_in_its_own_place(players, position):
    table = position(players=players)
    for seat in (players - 1, None):
        svg = render.svg(table.state, seat)
        root = ElementTree.fromstring(svg)
        names = [standing.player_name(player, seat) for player in range(players)]
        assert all(texts(svg).count(name) == 1 for name in names)
        size = {"width": str(small.WIDTH), "height": str(small.HEIGHT)}
        panels = [
            group.get("transform")
            for group in root.findall("g")
            if any(size.items() <= {*r.attrib.items()} for r in group.findall("g/rect"))
        ]
        assert len({*panels}) == len(panels)


def test_what_is_new_is_marked_for_its_writer(position):
    table = position(dice="5 3", trex=4).play("fill 5 area_1")
    marked = [render.svg(table.state, seat).count(f'fill="{shapes.FRESH}"') for seat in (0, 1)]
    legend = render.svg(position().state, 1).count(f'fill="{shapes.FRESH}"')
    assert marked == [legend + 1, legend]


def test_winners_get_a_star_and_colour(position):
    table = position(area_1="5 5", others=[{"area_1": "6 6"}])
    assert draw.GOLD not in render.svg(table.state)
    table.state.ending = TERMINATED
    assert render.svg(table.state).count(draw.GOLD) == 2, "the headline and the winner"
    table.state.score[:2] = 6
    assert render.svg(table.state).count(draw.GOLD) == 3


# --- Pixels ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rasterise():
    """Returns the function that turns a picture into pixels."""
    return pytest.importorskip("dino_envs.views.picture").rasterise


def outside_is_empty(rasterise, parts, width, height, margin=20):
    """Draws parts with a margin around them, on which nothing may show."""
    svg = draw.document(
        width + 2 * margin,
        height + 2 * margin,
        "",
        draw.rect(0, 0, width + 2 * margin, height + 2 * margin, "#ffffff"),
        draw.group(parts, x=margin, y=margin),
    )
    pixels = rasterise(svg)
    pixels[margin - 2 : margin + height + 2, margin - 2 : margin + width + 2] = 255
    return bool((pixels == 255).all())


@pytest.mark.parametrize("sheet", [SHEET, SMALLEST, LARGEST, MIXED])
def test_extreme_sheets_fit(sheet, position, rasterise):
    table = position(players=8, sheet=sheet)
    state = table.state
    for player, area in itertools.product(range(8), range(len(sheet["areas"]))):
        size = sheet["areas"][area]["size"]
        state.numbers[player, MAX_AREA * area : MAX_AREA * area + size] = 6
        state.filled[player, area] = size
    state.ending, state.score[:] = TERMINATED, 414
    for seat in (0, None):
        page = words.page(words.seen(state, seat), 0, seat)
        drawn = large.sheet(state, page, seat)
        assert outside_is_empty(rasterise, drawn, large.WIDTH, large.HEIGHT)
        drawn = small.sheet(state, page, seat)
        assert outside_is_empty(rasterise, drawn, small.WIDTH, small.HEIGHT)


@pytest.mark.parametrize("what", range(6))
def test_all_spaces_look_different(what, rasterise):
    def drawn(look):
        space = words.Space(4 if look in (words.WRITTEN, words.SHADED, words.WRONG) else 0, look)
        return rasterise(draw.document(30, 30, "", shapes.space(space, 3, 3, 24, 22, "#888888")))

    assert all((drawn(what) != drawn(other)).any() for other in range(6) if other != what)


def test_random_games_are_drawn(random_walk):
    for position in itertools.islice(random_walk(GAME, 3, num_players=2), 0, None, 9):
        state = position.state
        shown = texts(render.svg(state, 1))
        assert f"T-Rex's Holiday: {standing.headline(words.seen(state, 1), 1)}" in shown
        totals = [words.page(words.seen(state, 1), player, 1).total for player in (0, 1)]
        assert {str(total) for total in totals} <= {*shown}


def test_after_an_illegal_action_no_other_reason_is_given():
    for players in (1, 2):
        state = GAME.new_states(1, num_players=players)[0]
        GAME.kernels.reset(state, np.uint64(1))
        state.ending = FORFEITED
        assert "is over after 0 rounds" in GAME.view.text(state, 0)
        assert "could not fill" not in GAME.view.text(state, 0)
