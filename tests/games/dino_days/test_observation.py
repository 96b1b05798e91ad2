"""What a seat sees of Dino Days, read back into the position by a decoder that only tests have."""

from typing import Any

import numpy as np
import pytest

from dino_envs.engine import RUNNING
from dino_envs.games.dino_days import GAME
from dino_envs.games.dino_days.cards import DAYS, KINDS, POINTS
from dino_envs.games.dino_days.layout import (
    LOOKED_AT,
    MAX_PLAYERS,
    NO_KIND,
    PHASES,
)
from dino_envs.games.dino_days.observation import (
    BOARD_POINTS,
    CARD_POINTS,
    HAND_CARDS,
    PILE_CARDS,
    SOME_CARDS,
)

DINOSAURS = KINDS[:11]
POINTS_OF = dict(zip(KINDS, POINTS.tolist(), strict=True))

_NONE = {kind: 0 for kind in KINDS if kind != "giganotosaurus"}
VARIANTS = [
    {"num_players": 2},
    {"num_players": 3},
    {"num_players": 4},
    {"num_players": 2, "max_turns": 7},
    {"num_players": 2, "deck": {"microraptor": 11, "nest": 4, "volcano": 4, "meteor": 4}},
    {
        "num_players": 3,
        "deck": _NONE | {"scientist": 5, "triceratops": 3, "spinosaurus": 4},
        "max_turns": 25,
    },
    {"num_players": 4, "deck": _NONE | {"triceratops": 6, "scientist": 3}, "max_turns": 15},
]
EXTREMES = [
    {"num_players": 4, "deck": _NONE | {"giganotosaurus": 2, "tyrannosaurus": 58}},
    {"num_players": 4, "deck": _NONE | {"giganotosaurus": 52, "diplodocus_rear": 8}},
    {"num_players": 4, "deck": _NONE | {"triceratops": 58}, "max_turns": 40},
    {"num_players": 2, "deck": _NONE | {"diplodocus_front": 29, "diplodocus_rear": 29}},
    {"num_players": 2, "deck": _NONE | {"microraptor": 8}, "max_turns": 1},
    {"num_players": 3, "deck": _NONE | {"scientist": 58}},
    {"num_players": 2, "deck": _NONE | {"microraptor": 40, "baryonyx": 5, "spinosaurus": 13}},
]


def observe(state: Any, seat: int) -> np.ndarray[Any, Any]:
    record = np.zeros(1, GAME.observation.dtype)
    GAME.kernels.observe(state, seat, record[0])
    return record.view(np.float32)


def one_hot(values: np.ndarray[Any, Any]) -> int | None:
    """Returns which value is 1; None where all are 0."""
    where = np.flatnonzero(values)
    assert values.ravel()[where].tolist() in ([], [1.0])
    return int(where[0]) if where.size else None


def whole(value: float) -> int:
    assert abs(value - round(value)) < 1e-3
    return round(value)


def cards(values: np.ndarray[Any, Any], unit: float) -> dict[str, int]:
    counts = [whole(unit * float(value)) for value in values]
    return {kind: count for kind, count in zip(KINDS, counts, strict=True) if count}


def up_the_ramp(steps: np.ndarray[Any, Any], start: int, width: int) -> int:
    """Returns the points, within its range, that a ramp tells: no step begins before the last."""
    assert ((steps > 0) & (steps < 1)).sum() <= 1
    assert (np.diff(steps) <= 0).all()
    return start + whole(width * steps.sum(dtype=np.float64))


def decode_board(seen: dict[str, np.ndarray[Any, Any]], place: int) -> list[list[str]]:
    """Returns the stacks of one board, each from the bottom; checks what is told twice."""
    board = []
    for day in range(len(DAYS)):
        top, beneath = one_hot(seen["top"][place, day]), seen["beneath"][place, day]
        stack = [] if top is None else [DINOSAURS[top]]
        depth = int((beneath > 0).sum())
        assert (beneath[depth:] == 0).all()
        stack += [DINOSAURS[11 - whole(11 * float(code))] for code in beneath[:depth]]
        assert top is not None or depth == 0
        points = [POINTS_OF[card] for card in stack] + [0, 0]
        assert whole(CARD_POINTS * seen["points"][place, day]) == points[0]
        assert whole(CARD_POINTS * seen["revealed"][place, day]) == points[1]
        assert seen["empty"][place, day] == (not stack)
        board.append(stack[::-1])
    empty = sum(not stack for stack in board)
    assert seen["to_fill"][place].tolist() == [1.0] * empty + [0.0] * (7 - empty)
    return board


def decode(vector: np.ndarray[Any, Any], seat: int, cap: int) -> dict[str, Any]:
    """Rebuilds all that the observation tells of the position, in the seats' own numbers."""
    seen = GAME.observation.decode(vector)
    players = int(seen["seated"].sum())
    assert seen["seated"].tolist() == [1.0] * players + [0.0] * (MAX_PLAYERS - players)
    for name in ("top", "beneath", "points", "empty", "to_fill", "score", "hand_size", "known"):
        assert (seen[name][players:] == 0).all(), "of seats that nobody has"

    def seat_at(place: int | None) -> int | None:
        return None if place is None else (seat + place) % players

    def by_seat(values: list[Any]) -> list[Any]:
        return [values[(other - seat) % players] for other in range(players)]

    playing, target = one_hot(seen["playing"]), one_hot(seen["target"])
    hand = cards(seen["hand"], SOME_CARDS)
    assert {KINDS[kind] for kind in np.flatnonzero(seen["held"])} == set(hand)
    assert set(seen["held"].tolist()) <= {0.0, 1.0}
    lead = whole(BOARD_POINTS * seen["lead"][0])
    assert up_the_ramp(seen["lead_ramp"], -15, 3) == min(max(lead, -15), 15)
    assert one_hot(seen["standing"]) == 1 + np.sign(lead)
    known = [cards(seen["known"][place], SOME_CARDS) for place in range(players)]
    boards = [decode_board(seen, place) for place in range(players)]
    return {
        "num_players": players,
        "phase": PHASES[one_hot(seen["phase"])],
        "mover": seat_at(one_hot(seen["mover"])),
        "active": seat_at(one_hot(seen["active"])),
        "playing": None if playing is None else KINDS[playing],
        "target": None if target is None else (seat_at(target // 7), DAYS[target % 7]),
        "picked": one_hot(seen["picked"]),
        "hand": hand,
        "drawn": cards(seen["drawn"], LOOKED_AT),
        "boards": by_seat(boards),
        "scores": by_seat([whole(BOARD_POINTS * seen["score"][p]) for p in range(players)]),
        "hand_sizes": by_seat([whole(HAND_CARDS * seen["hand_size"][p]) for p in range(players)]),
        "known": by_seat(known),
        "discards": cards(seen["discards"], SOME_CARDS),
        "unseen": cards(seen["unseen"], SOME_CARDS),
        "pile_size": whole(PILE_CARDS * seen["pile_size"][0]),
        "lead": lead,
        "turns": cap - whole(cap * float(seen["turns_left"][0])),
    }


def counted(counts: Any) -> dict[str, int]:
    return {KINDS[kind]: int(counts[kind]) for kind in np.flatnonzero(counts)}


def told(state: Any, seat: int) -> dict[str, Any]:
    """Returns the same facts from the state, and no other hand."""
    players = int(state.num_players)
    others = [other for other in range(players) if other != seat]
    unseen = np.bincount(state.pile[: state.pile_size], minlength=len(KINDS))
    for other in others:
        unseen = unseen + state.hands[other] - state.known[other]
    looks = seat == state.active
    playing = state.playing != NO_KIND
    has_target = playing and KINDS[state.playing] != "scientist"
    scores = state.score[:players].tolist()
    return {
        "num_players": players,
        "phase": PHASES[state.phase],
        "mover": int(state.current_player),
        "active": int(state.active),
        "playing": KINDS[state.playing] if playing else None,
        "target": (int(state.target), DAYS[state.day]) if has_target else None,
        "picked": int(state.picked) if PHASES[state.phase] == "their_card" else None,
        "hand": counted(state.hands[seat]),
        "drawn": counted(state.drawn) if looks else {},
        "boards": [
            [[KINDS[k] for k in state.boards[s, d, : state.height[s, d]]] for d in range(7)]
            for s in range(players)
        ],
        "scores": scores,
        "hand_sizes": state.hands[:players].sum(axis=1).tolist(),
        "known": [counted(state.known[s]) for s in range(players)],
        "discards": counted(state.discards),
        "unseen": counted(unseen if looks else unseen + state.drawn),
        "pile_size": int(state.pile_size),
        "lead": scores[seat] - max(scores[other] for other in others),
        "turns": int(state.turns),
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_seat_sees_the_position_at_every_decision(random_walk, variant):
    for seed in range(4):
        for position in random_walk(GAME, seed, **variant):
            state = position.state
            cap = int(state.max_turns) * int(state.num_players)
            for seat in range(state.num_players):
                assert decode(observe(state, seat), seat, cap) == told(state, seat)


def test_all_choices_are_among_those_positions(random_walk):
    seen = {
        PHASES[position.state.phase]
        for variant in VARIANTS
        for seed in range(4)
        for position in random_walk(GAME, seed, **variant)
    }
    assert seen >= set(PHASES) - {"discard"}, "discarding down is seen in a test of its own"


def see(table: Any, seat: int) -> dict[str, Any]:
    seen = decode(observe(table.state, seat), seat, 100 * table.players)
    assert seen == told(table.state, seat)
    return seen


def test_all_choices_of_the_others_are_seen_but_not_the_drawn_cards(position):
    board = "bary:micr . . . . . ."
    table = position(
        hands=["nest scientist", "", "eggs"], boards=[board] * 3, pile="tric pter nest"
    )
    swap = table.copy().play("nest 2 mon", "own_card 2")
    for seat in range(3):
        seen = see(swap, seat)
        assert seen["phase"] == "their_card"
        assert (seen["playing"], seen["target"], seen["picked"]) == ("nest", (2, "mon"), 1)
        assert (seen["mover"], seen["active"]) == (0, 0)
    table.play("scientist")
    assert see(table, 0)["drawn"] == {"triceratops": 1, "pteranodon": 1, "nest": 1}
    assert see(table, 0)["unseen"] == {"eggs": 1}
    assert see(table, 1)["drawn"] == {}
    assert see(table, 1)["unseen"] == {"triceratops": 1, "pteranodon": 1, "nest": 2, "eggs": 1}


def test_who_must_discard_is_seen(position):
    many = "tric tric tric tric tric tric"
    table = position(hands=["bary", "", many, ""], pile="", discards="meteor")
    table.play("draw")
    for seat in range(4):
        seen = see(table, seat)
        assert (seen["phase"], seen["mover"], seen["active"]) == ("discard", 2, 0)
        assert seen["hand_sizes"] == [1, 0, 6, 0]


def test_after_the_deck_ran_out_two_players_see_each_others_hands(position):
    table = position(hands=["giga bary", "tric meteor"], pile="", discards="pter steg eggs")
    table.play("draw")
    assert see(table, 0)["known"] == [
        {"giganotosaurus": 1, "baryonyx": 1},
        {"triceratops": 1, "meteor": 1},
    ]
    assert sum(see(table, 0)["unseen"].values()) == 2
    assert sum(see(table, 1)["unseen"].values()) == 3


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_position_looks_the_same_whatever_the_seats_are_numbered(random_walk, variant):
    players = variant["num_players"]
    for number, position in enumerate(random_walk(GAME, 3, **variant)):
        if number % 3:
            continue
        turned = np.array([position.state]).view(GAME.state)
        state = turned[0]
        for name in ("score", "hand_size", "hands", "known", "boards", "height"):
            state[name][:players] = np.roll(position.state[name][:players], 1, axis=0)
        for name in ("current_player", "active", "target"):
            if name != "target" or state.playing != NO_KIND:
                state[name] = (position.state[name] + 1) % players
        for seat in range(players):
            there = observe(state, (seat + 1) % players)
            assert (observe(position.state, seat) == there).all()


# The bounds.


def check_bounds(vector: np.ndarray[Any, Any]) -> None:
    layout = GAME.observation
    assert np.isfinite(vector).all()
    inside = (vector >= layout.low) & (vector <= layout.high)
    names = np.repeat([f.name for f in layout.fields], [f.size for f in layout.fields])
    assert inside.all(), sorted(set(names[~inside]))


@pytest.mark.parametrize("variant", [*VARIANTS, *EXTREMES])
def test_values_stay_within_their_bounds(random_walk, variant):
    for seed in range(2):
        for number, position in enumerate(random_walk(GAME, seed, **variant)):
            if number % 2 == 0 or position.state.ending != RUNNING:
                for seat in range(position.state.num_players):
                    check_bounds(observe(position.state, seat))


@pytest.mark.parametrize("place", ["hands", "pile", "discards"])
@pytest.mark.parametrize("card", ["tric", "spin", "micr", "meteor"])
def test_all_cards_may_be_in_one_place(position, place, card):
    everything = " ".join([card] * 116)
    for seat in range(4):
        table = position(
            players=4,
            hands=["giga"] * seat + [f"giga {everything}" if place == "hands" else "giga"],
            pile=everything if place == "pile" else "",
            discards=everything if place == "discards" else "",
        )
        for looking in range(4):
            see(table, looking)
            check_bounds(observe(table.state, looking))


@pytest.mark.parametrize(
    "board",
    [
        "giga giga giga giga tyra tyra tyra",
        "giga giga giga giga front rear tyra",
        " ".join(["giga" + ":micr" * 7] * 7),
        " ".join(["micr" + ":giga" * 7] * 7),
    ],
)
def test_no_board_is_too_good_or_too_high(position, board):
    for seat in range(2):
        boards = [". . . . . . ."] * seat + [board]
        table = position(boards=boards)
        for looking in range(2):
            see(table, looking)
            check_bounds(observe(table.state, looking))


def test_the_best_board_of_any_deck_is_within_the_bounds(position):
    """There are at most four giganotosaurs; a diplodocus scores less a day than tyrannosaurs."""
    table = position(boards=["giga giga giga giga tyra tyra tyra"])
    assert table.scores == [61, 0]
    assert see(table, 0)["lead"] == 61
    assert see(table, 1)["lead"] == -61
