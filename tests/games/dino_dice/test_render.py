"""What people see of a game of Dino Dice."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from dino_envs.engine import TERMINATED, TRUNCATED, DinoEnvsError, UnknownActionError
from dino_envs.games import load
from dino_envs.games.dino_dice import render, rules

GAME = load("dino_dice")


def position(dice=(2, 2, 4, 6, 6), eaten=(), scores=(24, 61), **fields):
    """Returns a game in which these dice lie; the first player moves."""
    state = GAME.new_states(1, num_players=len(scores))[0]
    state.dice[:] = [*dice, *eaten]
    state.in_play = len(dice)
    state.rolls_left = 2
    state.score[: len(scores)] = scores
    for name, value in fields.items():
        state[name] = value
    return state


def words(svg):
    """Returns the texts of a picture."""
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.text]


def test_names_are_readable_and_lead_back():
    names = [render.action_name(action) for action in range(37)]
    assert names[0] == "stop"
    assert names[rules.REROLL + 0b00101 - 1] == "reroll 1,3"
    assert names[rules.EAT :] == ["eat 1", "eat 2", "eat 4", "eat 5", "eat 6"]
    assert [render.action_number(name) for name in names] == list(range(37))


@pytest.mark.parametrize(
    ("name", "hint"), [("rerol 1,3", "'reroll 1,3'"), ("eat 3", "'eat "), ("", "'stop'")]
)
def test_an_unknown_name_is_answered_with_the_nearest(name, hint):
    with pytest.raises(UnknownActionError, match=re.escape(hint)) as refused:
        render.action_number(name)
    assert isinstance(refused.value, DinoEnvsError)


@pytest.mark.parametrize(
    ("state", "name", "meaning"),
    [
        (position(), "stop", "stop and take 30 points"),
        (position((1,), (2, 2, 4, 6)), "stop", "stop and take 1 point"),
        (position((3,) * 5, five_rexes=1), "stop", "stop and take 75 points"),
        (position((3,) * 5), "stop", "stop and take 0 points"),
        (position(), "reroll 3", "re-roll the 4 (Stegosaurus)"),
        (position(), "reroll 1", "re-roll one 2 (Ankylosaurus)"),
        (position(), "reroll 1,2,3", "re-roll both 2s (Ankylosaurus) and the 4 (Stegosaurus)"),
        (position(), "reroll 1,2,3,4,5", "re-roll all five dice"),
        (
            position((1, 2, 3, 3, 6)),
            "reroll 1,2,3,4",
            "re-roll the 1 (Triceratops), the 2 (Ankylosaurus) and both Rexes",
        ),
        (position((2, 3), (4, 4, 6)), "reroll 2", "re-roll the Rex"),
        (position((2, 3, 3, 3), (6,)), "reroll 2,3", "re-roll two of the three Rexes"),
        (position((5, 5, 5, 5, 6)), "reroll 1,2,3,4", "re-roll all four 5s (Edmontosaurus)"),
        (position((2, 2, 3, 4, 6), to_eat=1), "eat 4", "feed the 4 (Stegosaurus) to Rex"),
        (position((2, 2, 3, 4, 6), to_eat=1), "eat 2", "feed one 2 (Ankylosaurus) to Rex"),
    ],
)
def test_an_action_is_told_in_the_words_of_the_position(state, name, meaning):
    assert render.action_text(state, render.action_number(name)) == meaning


def test_stopping_is_worth_what_the_rules_pay():
    rng = np.random.default_rng(3)
    for _ in range(200):
        in_play = int(rng.integers(1, 6))
        dice, eaten = rng.integers(1, 7, in_play), rng.integers(1, 7, 5 - in_play)
        state = position(sorted(dice), sorted(eaten), scores=(0, 0))
        said = re.search(r"take (\d+) point", render.action_text(state, rules.STOP))
        GAME.kernels.step(state, rules.STOP)
        assert int(said[1]) == state.score[0]


def test_the_text_shows_dice_points_and_scores():
    shown = render.text(position((3, 6, 6), (1, 4), scores=(24, 61, 140), current_player=1), 1)
    assert shown.startswith("Player 1 (you) to move: stop or re-roll (2 more rolls left)")
    assert re.search(r"die 1: 3 Rex +no points", shown)
    assert re.search(r"die 2: 6 Brachiosaurus +herd: 12 \+ 5 = 17", shown)
    assert "eaten: 1 Triceratops\n  eaten: 4 Stegosaurus" in shown
    assert "Stopping now brings 17 points" in shown
    assert re.findall(r"(\d+)/150", shown) == ["24", "61", "140"]
    assert re.findall(r"^> (.{14})", shown, re.MULTILINE) == ["Player 1 (you)"]


def test_the_text_tells_what_rex_wants():
    shown = render.text(position((1, 2, 3, 3, 6), to_eat=2), None)
    assert "choose who is eaten" in shown
    assert "Rex is hungry for 2 herbivores" in shown
    assert "(you)" not in shown


def test_last_turns_and_winners_are_told():
    state = position(scores=(120, 163, 88), last_turns=0b101)
    assert "last turn, 163 points lead" in " ".join(render.text(state).split())
    assert render.text(state).count("has a last turn") == 2
    state.ending = TERMINATED
    assert "Player 1 wins with 163 points: the game is over" in render.text(state)
    assert "has a last turn" not in render.text(state)
    state.score[0] = 163
    state.ending, state.turns = TRUNCATED, 200
    assert "Players 0 and 1 share the win with 163 points" in render.text(state)
    assert "the game was cut after 200 turns" in render.text(state)


def test_the_picture_says_the_same():
    state = position((3, 6, 6), (1, 4), scores=(24, 61, 140), current_player=1, rolls_left=1)
    shown = words(render.svg(state, 1))
    assert {"Player 1 (you) to move", "Stopping now brings 17 points.", "roll 2 of 3"} <= {*shown}
    assert {"die 1", "die 2", "die 3", "herd: 12 + 5 = 17", "| target 150"} <= {*shown}
    assert "die 4" not in shown
    assert sorted(word for word in shown if len(word) == 1) == ["1", "3", "4", "6", "6"]
    assert {"24", "61", "140"} <= {*shown}


def test_the_picture_keeps_a_place_for_who_will_be_eaten():
    assert words(render.svg(position((1, 2, 3, 3, 6), to_eat=2))).count("?") == 2
    assert words(render.svg(position())).count("?") == 0


def test_the_picture_flags_who_has_a_last_turn():
    state = position(scores=(120, 163, 88))
    plain = render.svg(state).count(render._FLAG)
    state.last_turns = 0b101
    assert plain == 0
    assert render.svg(state).count(render._FLAG) == 2 + 1, "two players and the legend"


@pytest.mark.parametrize("ending", [0, TERMINATED, TRUNCATED])
@pytest.mark.parametrize("scores", [(0, 0), (220, 163, 163, 1, 5, 163, 77, 131), (1075,) * 8])
@pytest.mark.parametrize(
    "dice", [((1, 2, 4, 5, 6), ()), ((3,), (1, 2, 4, 5)), ((1, 1, 1, 1, 1), ())]
)
def test_everything_is_drawn_within_the_picture(dice, scores, ending):
    rasterise = pytest.importorskip("dino_envs.views.picture").rasterise
    state = position(*dice, scores=scores, ending=ending, last_turns=1, tie_broken=1)
    margin, wide, high = 40, render.WIDTH, render.HEIGHT
    root = ElementTree.fromstring(render.svg(state, 0))
    root.set("width", str(wide + 2 * margin))
    root.set("height", str(high + 2 * margin))
    root.set("viewBox", f"{-margin} {-margin} {wide + 2 * margin} {high + 2 * margin}")
    pixels = rasterise(ElementTree.tostring(root, encoding="unicode"))
    assert (pixels[margin:-margin, margin:-margin] != 255).any()
    pixels[margin:-margin, margin:-margin] = 255
    assert (pixels == 255).all()
