"""What a seat sees of T-Rex's Holiday, read back into sheets by a decoder that only tests have."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dino_envs.games.trex_holiday import GAME
from dino_envs.games.trex_holiday.layout import (
    MAX_PLAYERS,
    PHASES,
    ROOM_OF_TARGET,
    TARGET_NAMES,
)
from dino_envs.games.trex_holiday.observation import CAN_POINTS, ROOM_POINTS, SHEET_POINTS
from dino_envs.games.trex_holiday.prospects import GAIN_POINTS
from dino_envs.games.trex_holiday.sheet import (
    BENEATH,
    CAR_POINTS,
    FIRST_PLACE,
    MAX_AREA,
    MAX_AREAS,
    MAX_STREAMER,
    PLACES,
    ROOMS,
    ROWS,
    SETS,
)

OPTIONS = GAME.options["sheet"]
SMALLEST, LARGEST = OPTIONS.extremes
MANY_BISCUITS = {
    "areas": [{"size": 2, "plus": 3}, {"size": 1, "times": 3}, {"size": MAX_AREA}],
    "streamer": ["biscuit", "nothing", "box", "biscuit"],
}
VARIANTS = [
    {"num_players": 1},
    {"num_players": 2},
    {"num_players": 3, "grey": "personal"},
    {"num_players": 8},
    {"num_players": 3, "sheet": MANY_BISCUITS, "carp_equal": "allowed", "grey": "shared"},
    {"num_players": 2, "sheet": LARGEST, "max_rounds": 9},
    {"num_players": 2, "sheet": SMALLEST, "max_rounds": 1},
]

GROUPS = [
    *(f"area_{i + 1}" for i in range(MAX_AREAS)),
    *(f"cars_{i + 1}" for i in range(ROWS)),
    *(f"cans_{i + 1}" for i in range(SETS)),
    "streamer",
]
CROSSED, AWAITING = "x", "?"


def observe(state: Any, seat: int) -> np.ndarray[Any, Any]:
    record = np.zeros(1, GAME.observation.dtype)
    GAME.kernels.observe(state, seat, record[0])
    return record.view(np.float32)


# The decoder.


def one_hot(values: np.ndarray[Any, Any]) -> int | None:
    """Returns which value is 1; None where all are 0."""
    where = np.flatnonzero(values)
    assert values.ravel()[where].tolist() in ([], [1.0])
    return int(where[0]) if where.size else None


def whole(value: Any) -> int:
    assert abs(value - round(float(value))) < 1e-3
    return round(float(value))


def flag(value: Any) -> bool:
    assert float(value) in (0.0, 1.0)
    return bool(value)


def dice(values: np.ndarray[Any, Any], count: int) -> list[int]:
    """Returns the faces of a field that tells how many of `count` dice show each."""
    return [face + 1 for face in range(6) for _ in range(whole(count * values[face]))]


def by_area(values: np.ndarray[Any, Any]) -> dict[str, list[int]]:
    """Returns the numbers of each scoring area, negative if shaded."""
    ends = [*FIRST_PLACE[1:], PLACES]
    numbers = [whole(6 * value) for value in values]
    areas = {}
    for name, first, last in zip(GROUPS, FIRST_PLACE, ends, strict=True):
        areas[name] = [n for n in numbers[first:last] if n]
        assert numbers[first : first + len(areas[name])] == areas[name], "the first spaces"
    return areas


def grey(values: np.ndarray[Any, Any]) -> dict[str, list[int]]:
    return {
        room: [face + 1 for face in range(6) if flag(values[i, face])]
        for i, room in enumerate(ROOMS)
    }


def follow(numbers: list[int], up: bool, equal: bool) -> bool:
    active = [n for n in numbers if n > 0]
    return all(a < b if up else a > b or (equal and a == b) for a, b in pairwise(active))


def area_number(numbers: list[int]) -> int:
    """Returns what an area is filled with: 0 nothing, one number, 7 one in the way, 8 lost."""
    counts = Counter(n for n in numbers if n > 0)
    if len(counts) < 2:
        return next(iter(counts), 0)
    shaded = any(n < 0 for n in numbers)
    return 7 if len(counts) == 2 and min(counts.values()) == 1 and not shaded else 8


def check_own_areas(seen: dict[str, Any], areas: dict[str, list[int]]) -> list[dict[str, int]]:
    """Checks what is told twice of the areas; returns what the sheet has."""
    declared = []
    for i in range(MAX_AREAS):
        size, numbers = whole(MAX_AREA * seen["area_size"][i]), areas[f"area_{i + 1}"]
        active = [n for n in numbers if n > 0]
        counts = Counter({f + 1: whole(MAX_AREA * seen["area_counts"][i, f]) for f in range(6)})
        assert +counts == Counter(active)
        assert one_hot(seen["area_free"][i]) == (size - len(numbers) if size else None)
        assert one_hot(seen["area_number"][i]) == (area_number(numbers) if size else None)
        times, plus = whole(5 * seen["area_times"][i]), whole(5 * seen["area_plus"][i])
        if size:
            declared.append({"size": size, "plus": plus, "times": times})
        else:
            assert (times, plus) == (0, 0)
    return declared


def check_own_rows(seen: dict[str, Any], areas: dict[str, list[int]], equal: bool) -> None:
    """Checks what is told twice of cars, cans and the streamer."""
    for i in range(ROWS):
        row = areas[f"cars_{i + 1}"]
        last = ([0] + [n for n in row if n > 0])[-1]
        assert one_hot(seen["cars"][i].ravel()) == 7 * len(row) + last
        closed, ended = not follow(row, True, False), len(row) == 6 or 6 in map(abs, row)
        state = one_hot(seen["cars_state"][i])
        assert state == (0 if not closed and not ended else 1 if closed else 2)
        runs = [k + 1 for k, n in enumerate(row) if n > 0 and follow(row[: k + 1], True, False)]
        assert whole(15 * seen["cars_points"][i]) == CAR_POINTS[max(runs, default=0)]
    sets = [areas[f"cans_{i + 1}"] for i in range(SETS)]
    sums = [sum(n for n in cans if n > 0) for cans in sets]
    assert [whole(CAN_POINTS * total) for total in seen["cans_sum"]] == sums
    left = [i for i in range(SETS) if len(sets[i]) < 4]
    assert one_hot(seen["sets_left"]) == len(left)
    at = seen["cans"].shape[1] * len(sets[left[0]]) + sums[left[0]] if left else None
    assert one_hot(seen["cans"].ravel()) == at
    streamer = areas["streamer"]
    length = whole(seen["under"].sum())
    ordered = follow(streamer, False, equal)
    last = ([0] + [n for n in streamer if n > 0])[-1]
    assert one_hot(seen["streamer"].ravel()) == 7 * len(streamer) + last
    assert flag(seen["streamer_ordered"][0]) == ordered
    assert flag(seen["streamer_open"][0]) == (ordered and len(streamer) < length)


def own_boxes(seen: dict[str, Any]) -> list[Any]:
    boxes: list[Any] = []
    for i in range(MAX_STREAMER):
        number = whole(6 * seen["boxes"][i])
        crossed, awaiting = flag(seen["crossed"][i]), flag(seen["awaiting"][i])
        assert (number > 0) + crossed + awaiting <= 1
        boxes.append(CROSSED if crossed else AWAITING if awaiting else number)
    return boxes


def other_boxes(values: np.ndarray[Any, Any]) -> list[Any]:
    return [CROSSED if value == -1 else whole(6 * value) for value in values]


def by_number_and_target(values: np.ndarray[Any, Any]) -> dict[tuple[int, str], float]:
    """Returns what is not 0 of a field of all numbers and targets."""
    found = zip(*np.nonzero(values), strict=True)
    return {(n + 1, TARGET_NAMES[target]): float(values[n, target]) for n, target in found}


def decode(vector: np.ndarray[Any, Any], seat: int, cap: int, equal: bool) -> dict[str, Any]:
    """Rebuilds all that the observation tells of the position, in the seats' own numbers.

    Neither the cap itself nor whether equal numbers may follow is told; all else is.
    """
    seen = GAME.observation.decode(vector)
    players = 1 + whole(seen["seated"].sum())
    assert seen["seated"].tolist() == [1.0] * (players - 1) + [0.0] * (MAX_PLAYERS - players)
    for name in ("others", "others_boxes", "others_rooms", "others_free"):
        assert (seen[name][players - 1 :] == 0).all(), "of seats that nobody has"
    for name in ("mover", "roller", "score"):
        assert (seen[name][players:] == 0).all(), "of seats that nobody has"
    areas = by_area(seen["numbers"])
    declared = check_own_areas(seen, areas)
    check_own_rows(seen, areas, equal)
    shaded = [name for i, name in enumerate(GROUPS) if flag(seen["shaded"][i])]
    assert shaded == [name for name in GROUPS if min(areas[name], default=1) < 0]
    trex, scores = one_hot(seen["trex"]), seen["score"] * SHEET_POINTS
    others = {}
    for place in range(1, players):
        numbers = by_area(seen["others"][place - 1])
        free = sum(area["size"] for area in declared) + 4 * SETS
        free -= sum(len(numbers[n]) for n in GROUPS if n.startswith(("area", "cans")))
        assert whole(20 * seen["others_free"][place - 1]) == free
        others[(seat + place) % players] = {
            "areas": numbers,
            "boxes": other_boxes(seen["others_boxes"][place - 1]),
            "grey": grey(seen["others_rooms"][place - 1]),
        }
    points = {room: whole(ROOM_POINTS * seen["points"][i]) for i, room in enumerate(ROOMS)}
    ranked = [whole(scores[place]) for place in range(players)]
    assert whole(SHEET_POINTS * seen["lead"][0]) == ranked[0] - max(ranked[1:], default=0)
    return {
        "players": players,
        "phase": PHASES[one_hot(seen["phase"])],
        "mover": (seat + one_hot(seen["mover"])) % players,
        "roller": (seat + one_hot(seen["roller"])) % players,
        "exposed": flag(seen["exposed"][0]),
        "rolled": dice(seen["rolled"], 3),
        "revealed": dice(seen["revealed"], 2),
        "left": dice(seen["left"], 2),
        "trex": None if trex is None else trex + 1,
        "fits": list(by_number_and_target(seen["fits"])),
        "gain": {
            key: whole(GAIN_POINTS * gain)
            for key, gain in by_number_and_target(seen["gain"]).items()
        },
        "grey": grey(seen["rooms"]),
        "areas": areas,
        "boxes": own_boxes(seen),
        "declared": declared,
        "beneath": [BENEATH[b] for b in map(one_hot, seen["under"]) if b is not None],
        "points": points,
        "rounds": whole(20 * seen["rounds_played"][0]),
        "rounds_left": whole(cap * seen["rounds_left"][0]),
        "ending": flag(seen["ending"][0]),
        "scores": [ranked[(other - seat) % players] for other in range(players)],
        "others": others,
    }


# The same facts from the state and from how it stood when the phase began.


def areas_of(state: Any, seat: int) -> dict[str, list[int]]:
    ends = [*FIRST_PLACE[1:], PLACES]
    return {
        name: [n for n in state.numbers[seat, first:last].tolist() if n]
        for name, first, last in zip(GROUPS, FIRST_PLACE, ends, strict=True)
    }


def boxes_of(state: Any, seat: int) -> list[Any]:
    return [{-1: AWAITING, -2: CROSSED}.get(int(b), int(b)) for b in state.boxes[seat]]


def at_hand(facts: dict[str, Any], seat: int) -> set[int]:
    """Returns the numbers that a seat has to write, or to hide one of, at its turn."""
    phase = facts["phase"]
    if facts["mover"] != seat or (phase == "biscuit" and facts["exposed"]):
        return set()
    if phase == "hide":
        return set(facts["rolled"])
    return {facts["trex"]} if phase == "trex" else set(facts["left"])


def is_open(facts: dict[str, Any], target: str, equal: bool) -> bool:
    """Returns whether a sheet takes a number at a target, whatever the number."""
    areas = facts["areas"]
    if target.startswith("area"):
        declared = facts["declared"][int(target[-1]) - 1 :][:1]
        return any(len(areas[target]) < area["size"] for area in declared)
    if target.startswith("cars"):
        row = areas[target]
        return follow(row, True, False) and len(row) < 6 and 6 not in map(abs, row)
    if target == "cans":
        return any(len(areas[f"cans_{i + 1}"]) < 4 for i in range(SETS))
    return follow(areas[target], False, equal) and len(areas[target]) < len(facts["beneath"])


def prospect(facts: dict[str, Any], target: str, number: int, equal: bool) -> tuple[bool, int]:
    """Returns whether a number fits at an open target, and the points that it brings at once.

    An area asks for the same number, rows for their order, cans for a sum that can still be 14.
    """
    areas = facts["areas"]
    if target.startswith("area"):
        declared = facts["declared"][int(target[-1]) - 1]
        fits = not {n for n in areas[target] if n > 0} - {number}
        full = len(areas[target]) + 1 == declared["size"]
        return fits, (fits and full) * (number * declared["times"] + declared["plus"])
    if target.startswith("cars"):
        row = [*areas[target], number]
        fits = follow(row, True, False)
        last = max((i + 1 for i, n in enumerate(row[:-1]) if n > 0), default=0)
        return fits, fits * int(CAR_POINTS[len(row)] - CAR_POINTS[last])
    if target == "streamer":
        streamer = areas["streamer"]
        fits = follow([*streamer, number], False, equal)
        return fits, (fits and facts["beneath"][len(streamer)] == "box") * (facts["trex"] or 0)
    cans = next(areas[f"cans_{i + 1}"] for i in range(SETS) if len(areas[f"cans_{i + 1}"]) < 4)
    total, free = sum(n for n in cans if n > 0) + number, 3 - len(cans)
    fits = any(total + more == 14 for more in range(free, 6 * free + 1))
    return fits, 0 if free else {14: 5, 15: 2}.get(total, 0)


def prospects(facts: dict[str, Any], seat: int, equal: bool) -> dict[str, Any]:
    """Returns what each number at hand would do at each target that takes it."""
    found = {}
    for number in sorted(at_hand(facts, seat)):
        for target in TARGET_NAMES:
            room = ROOMS[ROOM_OF_TARGET[TARGET_NAMES.index(target)]]
            taken = not facts["exposed"] or number in facts["grey"][room]
            if taken and is_open(facts, target, equal):
                found[number, target] = prospect(facts, target, number, equal)
    return {
        "fits": [key for key, (fits, _) in found.items() if fits],
        "gain": {key: points for key, (_, points) in found.items() if points},
    }


def told(table: Any, start: Any, seat: int) -> dict[str, Any]:
    state, players, moves = table.state, table.players, seat == table.mover
    phase = table.phase
    if phase == "biscuit" and not moves:
        phase = "trex" if table.exposed else "fill"
    rolled, trex = state.dice.tolist(), int(state.trex)
    knows = seat == table.roller or table.exposed
    revealed = [] if trex == 0 else list((Counter(rolled) - Counter([trex])).elements())
    return {
        "players": players,
        "phase": phase,
        "mover": table.mover,
        "roller": table.roller,
        "exposed": table.exposed,
        "rolled": rolled if seat == table.roller else [],
        "revealed": revealed,
        "left": sorted(d for d in state.left.tolist() if d and trex and moves),
        "trex": trex if knows and trex else None,
        "grey": {room: table.grey(room, seat) for room in ROOMS},
        "areas": areas_of(state, seat),
        "boxes": boxes_of(state, seat),
        "declared": GAME.complete({"sheet": table.declared})["sheet"]["areas"],
        "beneath": GAME.complete({"sheet": table.declared})["sheet"]["streamer"],
        "points": {room: table.points(room, seat) for room in ROOMS},
        "rounds": table.rounds,
        "rounds_left": int(state.max_rounds) - table.rounds,
        "ending": bool(state.ends) and table.exposed,
        "scores": table.scores,
        "others": {
            other: {
                "areas": areas_of(start.state, other),
                "boxes": boxes_of(start.state, other),
                "grey": {room: table.grey(room, other) for room in ROOMS},
            }
            for other in range(players)
            if other != seat
        },
    }


def walk(position: Any, seed: int, every: int = 1, **options: Any) -> Iterator[tuple[Any, Any]]:
    """Yields positions of a random game, each with how it stood when the phase began."""
    table = position.of(GAME.new_states(1, **options)[0])
    GAME.kernels.reset(table.state, np.uint64(seed))
    table.declared = options.get("sheet", {})
    rng, begun, start, number = np.random.default_rng(seed), None, table, 0
    while True:
        phase = (table.rounds, table.exposed, table.ending)
        if phase != begun:
            start, begun = table.copy(), phase
        if number % every == 0 or table.ending != "running":
            yield table, start
        if table.ending != "running":
            return
        table.play(str(rng.choice(table.legal)))
        number += 1


def see(table: Any, start: Any, seat: int) -> dict[str, Any]:
    equal = bool(table.state.carp_equal)
    seen = decode(observe(table.state, seat), seat, int(table.state.max_rounds), equal)
    facts = told(table, start, seat)
    assert seen == {**facts, **prospects(facts, seat, equal)}
    return seen


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_seat_sees_the_position_at_every_decision(position, variant):
    players, phases = variant["num_players"], Counter()
    for seed in range(2):
        for table, start in walk(position, seed, 1 + players, **variant):
            for seat in {table.mover, table.roller, seed % players, players - 1}:
                phases[see(table, start, seat)["phase"]] += 1
    assert set(phases) >= {"hide", "fill", "trex"}


# Who knows what.


def drawn(position: Any, **given: Any) -> tuple[Any, Any]:
    table = position(**given)
    table.declared = given.get("sheet", {})
    return table, table.copy()


def test_a4_only_the_roller_knows_the_t_rex_die_before_the_reveal(position):
    """ "The player with 3 dice rolls them secretly, using their hands to hide the results." """
    table, start = drawn(position, players=3, phase="hide", dice="2 4 4", roller=1)
    assert [see(table, start, seat)["rolled"] for seat in range(3)] == [[], [2, 4, 4], []]
    table.play("hide 4")
    assert [see(table, start, seat)["rolled"] for seat in range(3)] == [[], [2, 4, 4], []]
    assert [see(table, start, seat)["trex"] for seat in range(3)] == [None, 4, None]
    assert all(see(table, start, seat)["revealed"] == [2, 4] for seat in range(3))
    for seat in (1, 2, 0):
        assert table.mover == seat
        table.play("fill 2 area_1", "fill 4 area_2")
    assert table.exposed
    after = table.copy()
    assert [see(table, after, seat)["trex"] for seat in range(3)] == [4, 4, 4]


def test_a5_what_the_others_write_is_seen_when_the_phase_ends(position):
    """A5: earlier rounds' sheets are public, what is written now is not."""
    table, start = drawn(position, area_1="5", streamer="6:2 5", dice="4 6", trex=1)
    table.play("fill 6 cars_1", "shade area_1 5")
    seen = see(table, start, 1)
    assert seen["others"][0]["areas"]["cars_1"] == []
    assert seen["others"][0]["areas"]["area_1"] == [5]
    table.play("fill 4 streamer")
    assert see(table, start, 0)["boxes"][:3] == [2, 0, "?"]
    assert see(table, start, 1)["others"][0]["boxes"][:3] == [2, 0, 0]
    table.play("fill 4 cans", "fill 6 cans")
    after = table.copy()
    seen = see(table, after, 1)["others"][0]
    assert seen["areas"]["cars_1"] == [6]
    assert seen["areas"]["area_1"] == [-5]
    assert seen["boxes"][:3] == [2, 0, 1]
    table.play("fill 1 streamer")
    assert len(see(table, after, 1)["others"][0]["areas"]["streamer"]) == 3, "and so on"


def test_a_biscuit_of_another_is_not_seen(position):
    table, start = drawn(position, players=3, dice="4 6", trex=1)
    before = [observe(table.state, seat).tobytes() for seat in range(3)]
    table.play("fill 6 cars_1")
    assert table.phase == "biscuit"
    assert see(table, start, 0)["phase"] == "biscuit"
    assert [observe(table.state, seat).tobytes() for seat in (1, 2)] == before[1:]
    table.play("shade cars_1 1")
    assert [observe(table.state, seat).tobytes() for seat in (1, 2)] == before[1:]


def test_the_dice_left_are_the_movers(position):
    table, start = drawn(position, dice="4 6", trex=1)
    assert see(table, start, 0)["left"] == [4, 6]
    assert see(table, start, 1)["left"] == []
    table.play("fill 6 cans")
    assert see(table, start, 0)["left"] == [4]
    table.play("fill 4 cans")
    assert see(table, start, 1)["left"] == [4, 6]
    assert see(table, start, 0)["left"] == []


@pytest.mark.parametrize(
    ("numbers", "boxes"),
    [
        ("6:3 5 4:2", [3, 0, 2]),
        ("3:2 2 5:x", [2, 0, CROSSED]),
        ("(3):2 2 5:x", [2, 0, CROSSED]),
    ],
)
def test_boxes_of_all_kinds_are_seen_by_all(position, numbers, boxes):
    table, start = drawn(position, streamer=numbers)
    assert see(table, start, 0)["boxes"][:3] == boxes
    assert see(table, start, 1)["others"][0]["boxes"][:3] == boxes


@pytest.mark.parametrize("variant", [VARIANTS[2], VARIANTS[3]])
def test_a_position_looks_the_same_whatever_the_seats_are_numbered(position, variant):
    players = variant["num_players"]
    by_seat = [
        name
        for name in GAME.state.names
        if GAME.state[name].shape and GAME.state[name].shape[0] == MAX_PLAYERS
    ]
    for table, _ in walk(position, 3, 3 * players, **variant):
        turned = table.copy()
        for name in by_seat:
            rolled = np.roll(table.state[name][:players], 1, axis=0)
            turned.state[name][:players] = rolled
        for name in ("current_player", "roller"):
            turned.state[name] = (int(table.state[name]) + 1) % players
        for seat in range(players):
            there = observe(turned.state, (seat + 1) % players)
            assert (observe(table.state, seat) == there).all()


# The bounds.


def check_bounds(vector: np.ndarray[Any, Any]) -> None:
    layout = GAME.observation
    assert np.isfinite(vector).all()
    inside = (vector >= layout.low) & (vector <= layout.high)
    names = np.repeat([f.name for f in layout.fields], [f.size for f in layout.fields])
    assert inside.all(), sorted(set(names[~inside]))


@pytest.mark.parametrize("variant", VARIANTS)
def test_values_stay_within_their_bounds(position, variant):
    for seed in range(2):
        for table, _ in walk(position, 20 + seed, 2 * variant["num_players"], **variant):
            for seat in range(table.players):
                check_bounds(observe(table.state, seat))


def best(sheet: dict[str, Any]) -> dict[str, str]:
    """Draws the best sheet of a declaration."""
    streamer = [str(6 - i) for i in range(len(sheet["streamer"]))]
    return {
        **{f"area_{i + 1}": "6 " * area["size"] for i, area in enumerate(sheet["areas"])},
        **{f"cars_{row + 1}": "1 2 3 4 5 6" for row in range(ROWS)},
        **{f"cans_{cans + 1}": "2 3 4 5" for cans in range(SETS)},
        "streamer": " ".join(
            number + ":6" * (what == "box")
            for number, what in zip(streamer, sheet["streamer"], strict=True)
        ),
    }


@pytest.mark.parametrize("sheet", [{}, SMALLEST, LARGEST, MANY_BISCUITS])
def test_the_best_sheet_is_within_the_bounds(position, sheet):
    whole_sheet = GAME.complete({"sheet": sheet})["sheet"]
    for drawing in ({}, best(whole_sheet)):
        others = [best(whole_sheet) if not drawing else {}]
        table, start = drawn(
            position, sheet=sheet, phase="hide", dice="6 6 6", others=others, **drawing
        )
        for seat in range(2):
            check_bounds(observe(table.state, seat))
            see(table, start, seat)


@pytest.mark.parametrize("sheet", [SMALLEST, LARGEST])
def test_shaded_sixes_and_high_sums_are_within_the_bounds(position, sheet):
    drawing = {
        "area_1": "(6)",
        "cars_1": "(6)",
        "cans_1": "6 6 6 6",
        "cans_2": "6 (6) 6 6",
        "streamer": "(6)" + ":6" * (sheet["streamer"][0] == "box"),
    }
    table, start = drawn(position, sheet=sheet, others=[drawing], dice="6 6", trex=6, **drawing)
    for seat in range(2):
        check_bounds(observe(table.state, seat))
        see(table, start, seat)
