"""The sheet of T-Rex's Holiday as an option: what it takes, what it says to what it does not."""

import json
import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from typer.testing import CliRunner

import dino_envs
from dino_envs.cli import app
from dino_envs.engine import OptionError
from dino_envs.games.trex_holiday import GAME
from dino_envs.games.trex_holiday.sheet import MAX_AREA, MAX_AREAS, MAX_STREAMER, ROOMS, SHEET

OPTION = GAME.options["sheet"]
AREA = {"size": 2}
MANY_ONES = {room: [1, 2 + i] for i, room in enumerate(ROOMS)}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Returns run("watch ..."), which runs a command line in a wide terminal."""
    monkeypatch.setenv("COLUMNS", "200")
    return lambda line: CliRunner().invoke(app, line.split(), prog_name="dino-envs")


def whole(sheet: Any) -> Any:
    return GAME.complete({"sheet": sheet})["sheet"]


# Parts that are left out.


def test_none_and_nothing_are_the_usual_sheet():
    assert GAME.complete({})["sheet"] == GAME.complete({"sheet": None})["sheet"] == SHEET
    assert whole({}) == SHEET


def test_the_usual_sheet_has_54_spaces_in_the_proportions_of_the_examples():
    """ "+ 2" and "x 2" areas, boxes and biscuits under the streamer; the first is a box."""
    sizes = [area["size"] for area in SHEET["areas"]]
    assert sum(sizes) + 18 + 12 + len(SHEET["streamer"]) == 54
    assert {(area["plus"], area["times"]) for area in SHEET["areas"]} == {(0, 1), (2, 1), (0, 2)}
    assert SHEET["streamer"][0] == "box"
    assert set(SHEET["streamer"]) == {"box", "biscuit"}


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ({"areas": [{"size": 3}]}, {"areas": [{"size": 3, "plus": 0, "times": 1}]}),
        (
            {"areas": ({"size": 1, "times": 3}, {"size": 2, "plus": 5})},
            {"areas": [{"size": 1, "plus": 0, "times": 3}, {"size": 2, "plus": 5, "times": 1}]},
        ),
        ({"streamer": ["nothing", "box"]}, {"streamer": ["nothing", "box"]}),
        ({"grey": {"cars": [6, 1]}}, {"grey": {**SHEET["grey"], "cars": [1, 6]}}),
        ({"grey": {}}, {}),
        (
            {"areas": [{"size": np.int64(2)}], "grey": {"cans": (np.int8(5), 2)}},
            {
                "areas": [{"size": 2, "plus": 0, "times": 1}],
                "grey": {**SHEET["grey"], "cans": [2, 5]},
            },
        ),
    ],
)
def test_parts_that_are_left_out_are_the_usual_ones(given, changed):
    assert whole(given) == {**SHEET, **changed}
    json.dumps(whole(given))


def test_the_given_sheet_is_not_changed_and_not_kept():
    given = {"areas": [{"size": 2}], "grey": {"cans": [5, 4]}}
    sheet = whole(given)
    assert given == {"areas": [{"size": 2}], "grey": {"cans": [5, 4]}}
    sheet["areas"].clear()
    sheet["grey"]["cans"].clear()
    assert whole({}) == OPTION.default == SHEET
    OPTION.default["areas"].clear()
    OPTION.extremes[0]["grey"].clear()
    assert whole({}) == OPTION.default == SHEET
    assert set(OPTION.extremes[0]["grey"]) == set(ROOMS)


def test_a_sheet_as_text_is_json_without_spaces():
    for sheet in (OPTION.default, *OPTION.extremes):
        text = OPTION.text(sheet)
        assert " " not in text
        assert OPTION.parse(text) == sheet
        assert OPTION.complete("sheet", text) == OPTION.complete("sheet", sheet)


def test_a_declared_sheet_is_played_on(deal):
    sheet = {
        "areas": [{"size": 1, "plus": 4}, {"size": MAX_AREA}],
        "streamer": ["biscuit"],
        "grey": {"areas": [2, 3]},
    }
    table = deal(1, sheet=sheet)
    assert table.sheet(0) == {
        "area_1": ".",
        "area_2": " ".join("." * MAX_AREA),
        **dict.fromkeys(("cars_1", "cars_2", "cars_3"), ". . . . . ."),
        **dict.fromkeys(("cans_1", "cans_2", "cans_3"), ". . . ."),
        "streamer": ".",
    }
    table.play(table.legal[0])
    assert table.targets == ["area_1", "area_2", "cars_1", "cars_2", "cars_3", "cans", "streamer"]
    assert table.grey("areas") == [2, 3]
    table.play(table.legal[0])
    assert "area_1" not in table.targets


# Extreme sheets.


def test_the_extremes_are_the_smallest_and_the_largest():
    small, large = OPTION.extremes
    assert [area["size"] for area in small["areas"]] == [1]
    assert len(small["streamer"]) == 1
    assert [area["size"] for area in large["areas"]] == [MAX_AREA] * MAX_AREAS
    assert len(large["streamer"]) == MAX_STREAMER
    assert str(MAX_AREAS) in OPTION.values
    assert str(MAX_STREAMER) in OPTION.values


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("players", [1, 2, 8])
def test_games_on_extreme_sheets_end(deal, which, players):
    for seed in range(3):
        table = deal(seed, num_players=players, sheet=OPTION.extremes[which])
        rng = np.random.default_rng(seed)
        while table.ending == "running":
            table.play(str(rng.choice(table.legal)))
        assert table.ending == "over"


def test_the_largest_sheet_can_be_filled(position):
    """No score is cut off: 5 times 6 and 20 more in every area."""
    large = OPTION.extremes[1]
    areas = {f"area_{i + 1}": "6 " * MAX_AREA for i in range(MAX_AREAS)}
    assert position(sheet=large, **areas).scores[0] == MAX_AREAS * 50


# What cannot be.


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        (3, "sheet=3: give a mapping with areas, streamer, grey"),
        ("large", "sheet='large': give a mapping with areas, streamer, grey"),
        ([AREA], "give a mapping with areas, streamer, grey"),
        ({"area": [AREA]}, "sheet has no 'area'; did you mean 'areas'?"),
        ({"cars": 3}, "sheet has no 'cars'; "),
        ({"areas": []}, rf"sheet: areas=\[\]: give a list of 1 to {MAX_AREAS}"),
        ({"areas": [AREA] * (MAX_AREAS + 1)}, f"give a list of 1 to {MAX_AREAS}"),
        ({"areas": None}, f"sheet: areas=None: give a list of 1 to {MAX_AREAS}"),
        ({"areas": {"size": 2}}, f"give a list of 1 to {MAX_AREAS}"),
        ({"areas": [2, 3]}, "sheet: area 1: 2: give a mapping with size, plus, times"),
        ({"areas": [AREA, {"plus": 2}]}, "sheet: area 2 has no size: say how many spaces it has"),
        ({"areas": [{"sise": 2}]}, "sheet: area 1 has no 'sise'; did you mean 'size'?"),
        (
            {"areas": [AREA, {"size": 0}]},
            f"sheet: area 2: size=0: give a whole number, 1 to {MAX_AREA}",
        ),
        ({"areas": [{"size": MAX_AREA + 1}]}, f"give a whole number, 1 to {MAX_AREA}"),
        ({"areas": [{"size": 2.0}]}, r"size=2\.0: give a whole number"),
        ({"areas": [{"size": True}]}, "size=True: give a whole number"),
        ({"areas": [{"size": "2"}]}, "size='2': give a whole number"),
        ({"areas": [{"size": 2, "plus": -1}]}, "sheet: area 1: plus=-1: give a whole .*, 0 to 20"),
        ({"areas": [{"size": 2, "plus": 21}]}, "plus=21: give a whole number, 0 to 20"),
        ({"areas": [{"size": 2, "times": 0}]}, "times=0: give a whole number, 1 to 5"),
        ({"areas": [{"size": 2, "times": 6}]}, "times=6: give a whole number, 1 to 5"),
        ({"streamer": []}, f"sheet: streamer=.*: give a list of 1 to {MAX_STREAMER}"),
        ({"streamer": ["box"] * (MAX_STREAMER + 1)}, f"give a list of 1 to {MAX_STREAMER}"),
        ({"streamer": "box"}, f"sheet: streamer='box': give a list of 1 to {MAX_STREAMER}"),
        (
            {"streamer": ["box", "fish"]},
            "sheet: 'fish' under the streamer: choose of nothing, box, biscuit",
        ),
        ({"streamer": [1]}, "sheet: 1 under the streamer: choose of nothing, box, biscuit"),
        ({"streamer": [["box"]]}, "under the streamer: choose of nothing, box, biscuit"),
        ({"grey": [1, 2]}, r"sheet: grey=\[1, 2\]: give two numbers for each room"),
        ({"grey": {"can": [1, 2]}}, "sheet: grey has no 'can'; did you mean 'cans'?"),
        ({"grey": {"cans": [4, 4]}}, r"sheet: grey cans=\[4, 4\]: give two different numbers"),
        ({"grey": {"cans": [1, 2, 3]}}, r"sheet: grey cans=\[1, 2, 3\]: give "),
        ({"grey": {"cans": 4}}, "sheet: grey cans=4: give "),
        ({"grey": {"cans": "14"}}, "sheet: grey cans='14': give "),
        ({"grey": {"cans": [0, 2]}}, "sheet: grey cans=0: give a whole number, 1 to 6"),
        ({"grey": {"cans": [1, 7]}}, "sheet: grey cans=7: give a whole number, 1 to 6"),
        ({"grey": {"cans": ["1", "2"]}}, "sheet: grey cans='1': give a whole number, 1 to 6"),
        ({"grey": {"cans": [True, 2]}}, "sheet: grey cans=True: give a whole number, 1 to 6"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(sheet, told):
    with pytest.raises(OptionError, match=told) as refused:
        dino_envs.make("trex_holiday", sheet=sheet)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("pair", "told"),
    [
        ([1], r"sheet: grey cans=\[1\]: give a list of two numbers"),
        ([None, 2], "sheet: grey cans=None: give a whole number, 1 to 6"),
        ([2, "3"], "sheet: grey cans='3': give a whole number, 1 to 6"),
        ([[1], 2], r"sheet: grey cans=\[1\]: give a whole number, 1 to 6"),
    ],
)
def test_grey_numbers_that_are_no_pair_of_numbers_are_refused(pair, told):
    with pytest.raises(OptionError, match=told):
        dino_envs.make("trex_holiday", sheet={"grey": {"cans": pair}})


@pytest.mark.parametrize("grey", ["shared", "personal"])
def test_a_number_that_is_printed_everywhere_cannot_change(grey):
    """ "Roll until every number has changed, and every number is in at least 1 room": never."""
    sheet = {"grey": MANY_ONES}
    told = 'every room has 1 printed in grey.*leave it out of one room, or play with grey="printed"'
    with pytest.raises(OptionError, match=told):
        dino_envs.make("trex_holiday", sheet=sheet, grey=grey)
    dino_envs.make("trex_holiday", sheet=sheet, grey="printed")
    three = {"grey": {**MANY_ONES, "cars": [2, 3]}}
    dino_envs.make("trex_holiday", sheet=three, grey=grey).reset(seed=1)


@pytest.mark.parametrize(
    "printed",
    [
        {"areas": [1, 2], "cars": [1, 2], "cans": [1, 2], "streamer": [3, 4]},
        {"areas": [1, 2], "cars": [1, 2], "cans": [3, 4], "streamer": [3, 4]},
        {"areas": [1, 2], "cars": [1, 3], "cans": [1, 4], "streamer": [2, 3]},
    ],
)
def test_all_other_printed_numbers_can_change(deal, printed):
    """There are always new numbers to be found, however few ways there are."""
    for seed in range(20):
        table = deal(seed, sheet={"grey": printed}, grey="personal", num_players=8)
        for seat in range(8):
            for room in ROOMS:
                assert not set(table.grey(room, seat)) & set(printed[room])


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("grey", "own", "grey='own': choose one of printed, shared, personal"),
        ("carp_equal", True, "carp_equal=True: choose one of forbidden, allowed"),
        ("max_rounds", 0, "max_rounds=0: give a whole number, 1 to 1000"),
        ("num_players", 9, "num_players=9: give a whole number, 1 to 8"),
        ("num_players", 0, "num_players=0: give a whole number, 1 to 8"),
    ],
)
def test_other_options_that_cannot_be(option, value, told):
    with pytest.raises(OptionError, match=told):
        dino_envs.make("trex_holiday", **{option: value})


# From outside.


def test_a_sheet_for_pettingzoo():
    env = dino_envs.make("trex_holiday", sheet={"areas": [{"size": 3, "times": 5}]})
    env.reset(seed=3)
    seen = GAME.observation.decode(env.observe("player_0")["observation"])
    assert (seen["area_size"] > 0).tolist() == [True] + [False] * (MAX_AREAS - 1)
    assert seen["area_times"][0] == 1
    assert seen["under"][:, 1:].sum() == len(SHEET["streamer"])


def test_a_sheet_for_gymnasium():
    name, sheet = "dino_envs/TRexHoliday-v0", {"streamer": ["biscuit", "box"]}
    env = gymnasium.make(name, opponent="random", sheet=sheet)
    seen = GAME.observation.decode(env.reset(seed=3)[0])
    assert seen["under"].sum() == 2
    with pytest.raises(OptionError, match="did you mean 'streamer'"):
        gymnasium.make(name, sheet={"steamer": ["box"]})


def test_a_sheet_from_the_command_line(run):
    text = '{"areas":[{"size":2}],"streamer":["box"]}'
    line = f"watch trex_holiday --agents random --seed 1 --set sheet={text} --set max_rounds=2"
    result = run(line)
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("sheet=large", "give a mapping with areas, streamer, grey"),
        ("sheet={streamer:[box]}", 'as text a JSON object such as \'{"streamer": '),
        ('sheet={"streamer":["box"],"streamer":["box"]}', "as text a JSON object"),
        (f"sheet={'[' * 99_999}", "as text a JSON object"),
        ('sheet={"areas":', "give a mapping with areas, streamer, grey"),
        ('sheet={"areas":[{"size":9}]}', "size=9: give a whole number, 1 to"),
        ('sheet={"streamers":["box"]}', "did you mean 'streamer'?"),
        ("grey=own", "choose one of printed, shared, personal"),
    ],
)
def test_a_wrong_sheet_on_the_command_line_is_one_line(run, setting, told):
    result = run(f"watch trex_holiday --agents random --set {setting}")
    assert result.exit_code == 1
    assert re.match(r"dino-envs: .*\n\Z", result.stderr)
    assert told in result.stderr
