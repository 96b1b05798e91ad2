"""What people see of a game of Dino Days."""

import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from dino_envs.engine import RUNNING, TERMINATED, TRUNCATED
from dino_envs.games import drawing as draw
from dino_envs.games.dino_days import GAME, faces, layout, picture, render
from dino_envs.games.dino_days.cards import GIGANOTOSAURUS, KINDS
from dino_envs.games.dino_days.words import HINTS, NAMES, SPECIES

EMPTY = ". . . . . . ."
EIGHT = "giga:micr:spin:dilo:pter:tyra:bary:micr"
FULL = ":".join(["giga", *["micr"] * 7])


def words(svg):
    """Returns the texts of a picture."""
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.text]


def hand_shown(state, seat, title="Your hand"):
    """Returns what the text says of each card of a hand: `Baryonyx x2 1 point any own day`."""
    found = re.search(rf"^{title}:((?:\n  .*)*)", render.text(state, seat), re.MULTILINE)
    return [" ".join(line.split()) for line in found[1].splitlines()[1:]] if found else None


def unwrapped(state):
    """Returns the text as one line."""
    return " ".join(render.text(state).split())


def meaning(table, name):
    assert name in table.legal, table.legal
    return render.action_text(table.state, GAME.view.action_number(name))


# --- The actions -------------------------------------------------------------------------------


def test_names_are_readable_and_lead_back():
    names = [GAME.view.action_name(action) for action in range(GAME.actions.size)]
    assert {"draw", "diplodocus tue", "meteor own sun", "nest 1 mon", "own_card 1"} <= {*names}
    assert [GAME.view.action_number(name) for name in names] == list(range(GAME.actions.size))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_legal_action_has_a_meaning_of_its_own(players, random_walk):
    for seed in range(4):
        for position in random_walk(GAME, seed, num_players=players):
            legal = [int(action) for action in np.flatnonzero(position.mask)]
            meanings = [render.action_text(position.state, action) for action in legal]
            assert len({*meanings}) == len(legal)
            assert max(map(len, meanings), default=0) <= 150
            assert not any(re.search(r"\byour?\b", said) for said in meanings)
            for action, said in zip(legal, meanings, strict=True):
                kind = layout.TARGETS[action, 0]
                assert kind < 0 or SPECIES[kind] in said


@pytest.mark.parametrize(
    ("hand", "boards", "name", "said"),
    [
        ("", [], "draw", "draw a card"),
        ("bary", [], "baryonyx fri", "play Baryonyx on own Friday: 1 point"),
        (
            "front rear",
            [],
            "diplodocus tue",
            "play Diplodocus on own Tuesday and Wednesday: 12 points",
        ),
        (
            "giga",
            [EMPTY, "bary:micr tyra . . . . steg"],
            "giganotosaurus 1 fri",
            "play Giganotosaurus on player 1's Friday: 10 points for player 1, wipes out 4 cards "
            "(9 points)",
        ),
        (
            "giga",
            [],
            "giganotosaurus own mon",
            "play Giganotosaurus on own Monday: 10 points, nothing else lies there",
        ),
        (
            "tyra",
            [EMPTY, ". bary . tric:micr . . ."],
            "tyrannosaurus 1 wed",
            "play Tyrannosaurus on player 1's Wednesday: 7 points for player 1, scares "
            "Baryonyx (1) and Microraptor (0) off Triceratops (3)",
        ),
        (
            "tyra",
            ["front rear . . . . ."],
            "tyrannosaurus own wed",
            "play Tyrannosaurus on own Wednesday: 7 points, scares Diplodocus (12)",
        ),
        (
            "tyra",
            [],
            "tyrannosaurus own sun",
            "play Tyrannosaurus on own Sunday: 7 points, scares nobody",
        ),
        (
            "micr",
            [EMPTY, ". giga . . . . ."],
            "microraptor 1 tue",
            "play Microraptor on player 1's Tuesday: covers Giganotosaurus (10 points)",
        ),
        (
            "spin",
            [EMPTY, ". tyra . . . . ."],
            "spinosaurus 1 tue",
            "play Spinosaurus on player 1's Tuesday: 5 points for player 1, takes Tyrannosaurus "
            "(7 points) to player 0's board",
        ),
        (
            "spin",
            ["bary bary . bary bary bary bary", ". micr:giga . . . . ."],
            "spinosaurus 1 tue",
            "play Spinosaurus on player 1's Tuesday: 5 points for player 1, takes Giganotosaurus "
            "(10 points) to player 0's Wednesday",
        ),
        ("scientist", [], "scientist", "play Scientist: look at three cards and keep two"),
        (
            "nest",
            ["bary . . . . . .", EMPTY, "giga . . . . . ."],
            "nest 2 mon",
            "play Nest: swap own Monday Baryonyx (1 point) for player 2's Giganotosaurus "
            "(10 points)",
        ),
        (
            "eggs",
            [". . . . . . bary:micr", ". . . . . . tric:micr"],
            "eggs 1 sun",
            "play Eggs: swap a card of own Sunday for a card of player 1's",
        ),
        (
            "meteor",
            [EMPTY, "front rear . . . . ."],
            "meteor 1 tue",
            "play Meteor on player 1's Tuesday: removes Diplodocus (12 points)",
        ),
        (
            "meteor",
            [EMPTY, "bary:micr . . . . . ."],
            "meteor 1 mon",
            "play Meteor on player 1's Monday: removes Microraptor (0 points) or a card beneath it",
        ),
    ],
)
def test_an_action_is_told_in_the_words_of_the_position(hand, boards, name, said, position):
    table = position(hands=[hand], boards=boards)
    assert meaning(table, name) == said


HOARD = "bary bary steg steg nest eggs micr"


@pytest.mark.parametrize(
    ("hands", "discards", "once"),
    [
        (["", HOARD], "steg steg steg", "3 discards are shuffled"),
        (["bary", "bary"], "steg", "1 discard is shuffled"),
        (["", HOARD], "steg steg", "player 1 discards 2"),
        ([f"bary {HOARD}", "", HOARD], "", "players 2 and 0 discard 2 and 3"),
    ],
)
def test_what_comes_before_drawing_is_told(hands, discards, once, position):
    mover = 1 if len(hands) == 3 else 0
    table = position(hands=hands, pile="", discards=discards, mover=mover)
    assert meaning(table, "draw") == f"draw a card, once {once}"
    assert f": draw a card (once {once}) or play one (turn 11)" in unwrapped(table.state)
    table.stack_pile("bary")
    assert meaning(table, "draw") == "draw a card"
    assert ": draw a card or play one (turn 11)" in render.text(table.state)


def test_drawing_is_not_offered_where_it_is_impossible(position):
    table = position(hands=["bary", "bary"], pile="")
    assert "draw" not in table.legal
    assert ": play a card, as there is none to draw (turn 11)" in render.text(table.state)


@pytest.mark.parametrize(
    ("hand", "pile", "discards", "said"),
    [
        ("", "bary bary bary", "", "look at three cards and keep two"),
        ("", "bary", "", "take the 1 card that can be drawn"),
        ("", "bary", "steg", "take the 2 cards that can be drawn, once 1 discard is shuffled"),
        ("", "bary", "steg steg", "look at three cards and keep two, once 2 discards are shuffled"),
        (HOARD, "bary", "", "look at three cards and keep two, once player 0 discards 2"),
    ],
)
def test_what_a_scientist_finds_is_told_and_done(hand, pile, discards, said, position):
    table = position(hands=[f"scientist {hand}", ""], pile=pile, discards=discards)
    assert meaning(table, "scientist") == f"play Scientist: {said}"
    table.play("scientist")
    assert table.phase == ("discard" if hand else "return" if "three" in said else "choose")


def test_passing_says_why(position):
    table = position(hands=["tric"], boards=[". . . . . . bary"], pile="")
    assert meaning(table, "pass") == "pass, as nothing can be drawn or played"


def test_the_choices_of_a_swap_are_told(position):
    boards = [". . . . . . bary:micr", ". . . . . . tric:spin:micr"]
    table = position(hands=["eggs"], boards=boards).play("eggs 1 sun")
    assert "Eggs on Sunday with player 1: choose the own card to swap" in unwrapped(table.state)
    assert meaning(table, "own_card 2") == (
        "swap own Sunday Baryonyx (1 point, 2nd from the top) for a card of player 1's"
    )
    table.play("own_card 2")
    assert "choose the card to get for Baryonyx" in unwrapped(table.state)
    assert meaning(table, "their_card 3") == (
        "swap own Sunday Baryonyx (1 point, 2nd from the top) for player 1's Triceratops "
        "(3 points, 3rd from the top)"
    )


def test_the_choices_of_meteor_and_spinosaurus_are_told(position):
    board = ". . " + EIGHT + " . . . ."
    table = position(hands=["meteor spin"], boards=[EMPTY, board]).play("meteor 1 wed")
    assert meaning(table, "remove 8") == (
        "remove Giganotosaurus (10 points, 8th from the top) from player 1's Wednesday"
    )
    assert meaning(table, "remove 1") == (
        "remove Microraptor (0 points, on top) from player 1's Wednesday, baring Baryonyx (1 point)"
    )
    assert "Meteor on player 1's Wednesday: choose the card" in unwrapped(table.state)
    table = position(hands=["spin"], boards=[EMPTY, board]).play("spinosaurus 1 wed")
    assert meaning(table, "own_day sat") == (
        "put the stolen Microraptor (0 points) on player 0's Saturday"
    )
    assert "takes player 1's Wednesday Microraptor: choose a day" in unwrapped(table.state)


def test_what_a_scientist_keeps_is_not_told(position):
    table = position(hands=["scientist bary"], pile="nest eggs meteor bary").play("scientist")
    assert meaning(table, "discard nest") == "discard Nest, keep the other two"
    assert hand_shown(table.state, 0, "Your scientist looks at") == [
        "Nest swap with theirs on Mon or Tue",
        "Eggs swap with theirs on Sunday",
        "Meteor removes any dinosaur",
    ]
    assert hand_shown(table.state, 1, "Your scientist looks at") is None
    assert hand_shown(table.state, None, "Your scientist looks at") is None
    assert "Your scientist looks at" in words(render.svg(table.state, 0))
    assert "Your scientist looks at" not in words(render.svg(table.state, 1))


# --- What is hidden ----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_shown_depends_on_what_is_hidden(players, random_walk):
    for position in itertools.islice(random_walk(GAME, players, num_players=players), 0, None, 5):
        state = position.state
        for seat in (None, *range(players)):
            dealt = np.array([state.tolist()], GAME.state)
            GAME.kernels.redeal(dealt[0], -1 if seat is None else seat, np.uint64(5))
            assert render.text(dealt[0], seat) == render.text(state, seat)
            assert render.svg(dealt[0], seat) == render.svg(state, seat)
            if state.ending == RUNNING:
                actions = [int(action) for action in np.flatnonzero(position.mask)]
                told = [render.action_text(state, action) for action in actions]
                assert told == [render.action_text(dealt[0], action) for action in actions]


def test_only_the_own_hand_is_shown(position):
    table = position(hands=["giga nest nest", "giga volcano steg"], known=["giga", "giga"])
    assert hand_shown(table.state, 0) == [
        "Giganotosaurus 10 points any board: all others there go",
        "Nest x2 swap with theirs on Mon or Tue",
    ]
    shown = hand_shown(table.state, 1)
    assert [card.split()[0] for card in shown] == ["Giganotosaurus", "Stegosaurus", "Volcano"]
    assert hand_shown(table.state, None) is None
    hints = {seat: words(render.svg(table.state, seat)) for seat in (0, 1, None)}
    assert [HINTS[KINDS.index("nest")][1] in hints[seat] for seat in (0, 1, None)] == [
        True,
        False,
        False,
    ]
    assert "Hand of player 1" in hints[None]
    assert hints[None].count("2") >= 2, "two cards of each hand lie face down"
    assert "x2" in hints[0]


def test_what_all_know_of_a_hand_is_shown(position):
    table = position(hands=["giga nest", "giga steg steg"], known=["giga", "giga steg steg"])
    shown = render.text(table.state, 0)
    assert re.search(r"^hand +2 cards, all know: +3 cards, all know:$", shown, re.MULTILINE)
    assert re.search(r"^ +Giganotosaurus +Giganotosaurus\n +Stegosaurus x2$", shown, re.MULTILINE)
    tiny = faces.miniature(GIGANOTOSAURUS, 21.4, 15)
    assert render.svg(table.state, 0).count(tiny) == 2
    table.state.known[:] = 0
    assert tiny not in render.svg(table.state, 0)


def test_half_a_diplodocus_is_called_useless(position):
    def said(hand):
        return hand_shown(position(hands=[hand]).state, 0)

    assert said("front") == [
        "Diplodocus front 12 points with its rear on two own days; useless alone"
    ]
    assert said("rear") == ["Diplodocus rear with its front on two own days; useless alone"]
    assert not any("useless" in card for card in said("front rear"))
    assert said("") == []


# --- The text ----------------------------------------------------------------------------------


def test_the_text_shows_boards_and_what_lies_beside(position):
    table = position(
        players=3,
        hands=["bary", "giga steg"],
        boards=["bary:micr . . front rear . .", EMPTY, ". tyra . . . . ."],
        pile="bary bary",
        discards="nest eggs eggs",
        mover=1,
    )
    shown = render.text(table.state, 1)
    assert shown.startswith("Player 1 (you) to move: draw a card or play one (turn 11)")
    assert re.search(r"^Mon +Microraptor 0 +- +-\n +on Baryonyx 1$", shown, re.MULTILINE)
    assert re.search(r"^Thu +Diplodocus front 12 +- +-$", shown, re.MULTILINE)
    assert re.search(r"^Fri +Diplodocus rear +- +-$", shown, re.MULTILINE)
    assert re.search(r"^points +12 +0 +7$", shown, re.MULTILINE)
    assert re.search(r"^to fill +4 days +7 days +6 days$", shown, re.MULTILINE)
    assert re.search(r"^hand +1 card +2 cards, all know: +0 cards$", shown, re.MULTILINE)
    assert "Pile: 2 cards. Discards: Nest, Eggs x2" in shown
    assert re.findall(r"> (Player \d)", shown) == ["Player 1"]
    assert max(len(line) for line in shown.splitlines()) <= 100


def test_the_card_on_the_table_is_shown(position):
    table = position(hands=["meteor"], boards=[EMPTY, "bary:micr . . . . . ."])
    assert "On the table:" not in render.text(table.state)
    table.play("meteor 1 mon")
    assert "On the table: Meteor" in render.text(table.state)


def test_who_hoards_is_told_what_to_discard(position):
    table = position(hands=["bary", HOARD], pile="", discards="pter pter").play("draw")
    assert table.mover == 1
    assert "too few cards to shuffle: discard 2, so that 5 are left" in render.text(table.state)
    assert meaning(table, "discard nest") == "discard Nest"
    frame = f'stroke="{picture._CHOICE}"'
    assert render.svg(table.state, 1).count(frame) == 5, "each kind can be discarded"
    assert frame not in render.svg(table.state, 0)


def test_winners_are_told(position):
    board = "bary bary bary bary bary bary tric"
    table = position(hands=["", "giga"], boards=[board, "tyra tyra . . . . ."])
    table.state.ending, table.state.turns = TERMINATED, 31
    shown = render.text(table.state, 1)
    assert shown.startswith("Player 1 (you) wins with 14 points: the game is over after 31 turns")
    assert "player 0 filled the week" in unwrapped(table.state)
    assert re.search(r"^points +9 +14 winner$", shown, re.MULTILINE)
    table.state.ending, table.state.score[0] = TRUNCATED, 14
    shown = render.text(table.state)
    assert shown.startswith("Players 0 and 1 share the win with 14 points: the game was cut after")


# --- The picture -------------------------------------------------------------------------------


def test_the_picture_says_the_same(position):
    table = position(
        hands=["nest", "giga giga steg"],
        boards=[". front rear . . . .", "bary:micr . . . . . ."],
        pile="bary bary bary",
        discards="pter pter",
    )
    shown = words(render.svg(table.state, 0))
    assert {"Player 0 (you) to move", "draw a card or play one (turn 11)"} <= {*shown}
    assert {"Player 1", "12", "5 days to fill", "6 days to fill", "hand: 3 cards"} <= {*shown}
    assert shown.count("Diplodocus") == 1, "both halves are one dinosaur"
    assert {"Baryonyx", "Microraptor", "Nest", "swap with theirs"} <= {*shown}
    assert {"3 cards", "Discards", "2"} <= {*shown}
    assert shown.count("Wednesday") == 2


def test_the_picture_frames_target_and_choices(position):
    def frames(table):
        svg = render.svg(table.state, table.mover)
        return [svg.count(f'stroke="{c}"') for c in (picture._TARGET, picture._CHOICE)]

    boards = ["bary:micr . . . . . .", "giga:micr . . . . . ."]
    table = position(hands=["nest meteor spin"], boards=boards)
    assert frames(table) == [0, 0]
    assert frames(table.copy().play("meteor 1 mon")) == [0, 1]
    assert frames(table.copy().play("spinosaurus 1 mon")) == [1, 6], "its target and six days"
    assert frames(table.play("nest 1 mon")) == [1, 1], "their stack and the own"
    assert frames(table.play("own_card 2")) == [1, 1], "the picked card and their stack"


def test_the_cards_to_choose_from_are_numbered(position):
    table = position(hands=["meteor"], boards=[EMPTY, f"{FULL} . . . . . ."])
    table.play("meteor 1 mon")
    numbers = [word for word in words(render.svg(table.state, 0)) if word in "12345678"]
    assert {*numbers} >= {*"12345678"}


def test_winners_get_a_star_and_colour(position):
    table = position(hands=["", ""], boards=["tyra . . . . . .", "bary . . . . . ."])
    assert draw.GOLD not in render.svg(table.state)
    table.state.ending = TERMINATED
    assert render.svg(table.state).count(draw.GOLD) == 2, "the headline and the winner"
    table.state.score[:2] = 7
    assert render.svg(table.state).count(draw.GOLD) == 3


@pytest.mark.parametrize("stack", ["bary", "bary:micr", EIGHT, FULL])
def test_a_stack_of_eight_is_as_high_as_one_card(stack, position):
    drawn = picture._day(position(boards=[f"{stack} . . . . . ."]).state, 0, 0)
    cards = ElementTree.fromstring(drawn).findall("g")
    tops = [
        float(re.search(r"translate\(0 ([\d.]+)\)", card.get("transform"))[1]) for card in cards
    ]
    assert tops[0] == picture._DAY_TOP
    assert all(below - above >= 11 for above, below in itertools.pairwise(tops))
    height = max(float(rect.get("height")) for rect in cards[-1].iter("rect"))
    assert height >= picture._LOWEST
    assert tops[-1] + height == pytest.approx(picture._DAY_TOP + picture._DAY, abs=0.1)
    names = [text for text in words(drawn) if text in NAMES]
    assert [name.lower()[:4] for name in names] == stack.split(":")


# --- Pixels ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rasterise():
    """Returns the function that turns a picture into pixels."""
    return pytest.importorskip("dino_envs.views.picture").rasterise


def margin_is_empty(rasterise, svg, margin=40):
    root = ElementTree.fromstring(svg)
    width, height = int(root.get("width")), int(root.get("height"))
    root.set("width", str(width + 2 * margin))
    root.set("height", str(height + 2 * margin))
    root.set("viewBox", f"{-margin} {-margin} {width + 2 * margin} {height + 2 * margin}")
    pixels = rasterise(ElementTree.tostring(root, encoding="unicode"))
    pixels[margin:-margin, margin:-margin] = 255
    return bool((pixels == 255).all())


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize("players", [2, 4])
def test_everything_is_drawn_within_the_picture(players, seat, position, rasterise):
    everything = "giga front rear tyra spin dilo tric pter steg bary micr scientist nest volcano "
    everything += "skeleton eggs meteor bary bary bary "
    table = position(
        players=players,
        hands=[everything] * players,
        boards=[f"{FULL} {EIGHT} front rear {EIGHT} front rear"] * players,
        known=[everything if players == 2 else "giga"] * players,
        discards=everything * 2,
    )
    assert margin_is_empty(rasterise, render.svg(table.state, seat))
    table.state.ending = TERMINATED
    table.state.score[:] = 69
    assert margin_is_empty(rasterise, render.svg(table.state, seat))


def test_name_and_points_fit_on_every_card(rasterise):
    """Draws the strips of all cards without and with their points, which may not touch."""

    def ends(kind, height):
        light = re.findall(r"<text.*?</text>", faces._strip(kind, faces.WIDTH, height))
        columns = []
        for text in light:
            svg = draw.document(faces.WIDTH, 20, "", text.replace(draw.CARD, "#000000"))
            dark = (rasterise(svg) < 128).any(axis=(0, 2)).nonzero()[0]
            columns.append((dark.min(), dark.max()) if len(dark) else (faces.WIDTH, 0))
        return columns

    for kind in range(len(KINDS)):
        name, points = ends(kind, faces.STRIP)
        assert name[0] >= 4
        assert name[1] + 2 < points[0], KINDS[kind]
        assert points[1] < faces.WIDTH - 3


def test_all_kinds_look_different(rasterise):
    seen = {
        rasterise(draw.document(60, 40, "", faces.shape(kind, 5, 5, 50, 30))).tobytes()
        for kind in range(len(KINDS))
    }
    assert len(seen) == len(KINDS)
