"""What a seat sees of On a Scale of One to T-Rex, field by field, reckoned apart from the rules."""

from collections import Counter
from math import pi, sqrt
from typing import Any

import numpy as np
import pytest

from dino_envs.games.scale_of_trex import GAME

COLOURS = ["orange", "blue", "yellow"]
VARIANTS = [
    {"num_players": 2},
    {"num_players": 3, "bias_range": 3, "sigma_low": 0, "sigma_high": 50},
    {"num_players": 4, "cards": "open"},
    {"num_players": 8, "copies": 1, "swap_cards": 10, "any_swaps": 10, "action_cards": 2},
    {"num_players": 2, "copies": 4, "sigma_low": 0, "sigma_high": 0, "cards": "open"},
    {"num_players": 5, "copies": 1, "swap_cards": 0, "any_swaps": 0, "bias_range": 0},
]


def one_hot(size: int, index: int | None) -> list[float]:
    """Returns `size` zeros, with a 1 at the index unless it is None."""
    return [float(place == index) for place in range(size)]


def capped(count: float, unit: int) -> float:
    return min(count / unit, 1)


def counted(text: str) -> Counter[str]:
    """Returns how many cards a text of `Table` names."""
    cards = Counter()
    for words in filter(None, text.split(", ")):
        card, _, times = words.partition(" x ")
        cards[card] += int(times or 1)
    return cards


def number(card: str) -> tuple[str, int] | None:
    """Returns colour and value of a number card."""
    colour, _, value = card.partition(" ")
    return (colour, int(value)) if colour in COLOURS else None


def seen_of_own(table: Any, seat: int) -> dict[str, Any]:
    held, level = number(table.hands[seat]), table.levels[seat]
    offer = table.offers.get(seat)
    call = table.calls[seat]
    return {
        "value": one_hot(10, held[1] - 1 if held else None),
        "colour": one_hot(3, COLOURS.index(held[0]) if held else None),
        "swaps": [float(table.hands[seat] == "swap any")],
        "level": one_hot(10, level - 1 if level else None),
        "watched": [capped(table.statistics(seat)["signals"], 20)],
        "offer": one_hot(7, None if offer is None else (offer - seat) % table.players - 1),
        "call": [float(call == "match"), float(call == "no_match")],
    }


def seen_of_the_table(table: Any, seat: int, options: dict[str, Any]) -> dict[str, Any]:
    together = table.players == 2
    call = table.calls[1 - seat] if together else "-"
    good, bad = table.piles
    deck = 30 * options["copies"] + 3 * options["swap_cards"] + options["any_swaps"]
    known = counted(table.discards) + counted(table.skipped(seat)) + Counter([table.hands[seat]])
    order = [(seat + place) % table.players for place in range(table.players)]
    nobody = [0.0] * (8 - table.players)
    scores = [table.tokens[other][0] - table.tokens[other][1] for other in order]
    copies = options["copies"]
    return {
        "their_call": [float(call == "match"), float(call == "no_match")],
        "together": [float(together)],
        "bias_range": [options["bias_range"]],
        "ticks_left": [1 - table.ticks / options["max_ticks"]],
        "good_pile": [good / 40],
        "bad_pile": [bad / 40],
        "sigma": [sigma / 10 for sigma in table.sigma.values()],
        "unseen": [
            [1 - known[f"{colour} {value}"] / copies for value in range(1, 11)]
            for colour in COLOURS
        ],
        "draw_pile": [counted(table.pile).total() / deck],
        "good": [table.tokens[other][0] / 40 for other in order] + nobody,
        "bad": [table.tokens[other][1] / 40 for other in order] + nobody,
        "lead": [(scores[0] - max(scores[1:])) / 40],
    }


def seen_of_another(
    table: Any, seat: int, other: int, shows: bool, unseen: list[list[float]]
) -> dict[str, Any]:
    state, held, players = table.state, number(table.hands[other]), table.players
    performs = table.levels[other] > 0
    offer = table.offers.get(other)
    own, sums, learnt = number(table.hands[seat]), table.statistics(other), table.learnt(other)
    changes, known, signals = int(state.changes[other]), learnt["calibrated"], sums["signals"]
    unrest, off, looks = 0.0, 0.0, 0.0
    if changes:
        expected = 2 / sqrt(pi) * int(state.unrest_sigma[other]) / 10
        unrest = (int(state.unrest[other]) / 100 - expected) / changes
    if known:
        off = learnt["calibration"] / 100 / known
    if signals:
        looks = sums["total"] / 100 / signals
    gap = [0.0] * 9
    if performs and own:
        far = min(max(looks - off - own[1], -4), 4)
        gap = [max(0.0, 1 - abs(far - whole)) for whole in range(-4, 5)]
    around = [0.0] * 9
    if performs and own and held:
        of_colour = unseen[COLOURS.index(held[0])]
        values = range(own[1] - 4, own[1] + 5)
        around = [of_colour[value - 1] if 1 <= value <= 10 else 0.0 for value in values]
    return {
        "seated": 1.0,
        "performs": one_hot(3, COLOURS.index(held[0]) if held and performs else None),
        "swapping": float(table.hands[other] == "swap any"),
        "signal": sums["signal"] / 1100,
        "average": looks / 11,
        "signals": capped(signals, 20),
        "error": sqrt(sums["variance"]) / 10 / signals if signals else 0.0,
        "unrest": unrest,
        "changes": capped(changes, 20),
        "calibration": off,
        "calibrated": capped(known, 100),
        "calibration_error": sqrt(learnt["calibration_variance"]) / 10 / known if known else 0.0,
        "gap": gap,
        "around": around,
        "offers": one_hot(8, None if offer is None else (offer - seat) % players),
        "card": one_hot(10, held[1] - 1 if held and shows else None),
    }


def told(table: Any, seat: int, options: dict[str, Any]) -> dict[str, Any]:
    """Returns all that a seat should see, by field."""
    seen = {**seen_of_own(table, seat), **seen_of_the_table(table, seat, options)}
    shows = options["cards"] == "open"
    rows = [
        seen_of_another(table, seat, (seat + place) % table.players, shows, seen["unseen"])
        for place in range(1, table.players)
    ]
    for name in rows[0]:
        values = np.array([row[name] for row in rows])
        seen[name] = np.zeros((7, *values.shape[1:]))
        seen[name][: len(rows)] = values
    return seen


def check(table: Any, seat: int, options: dict[str, Any]) -> dict[str, Any]:
    seen, expected = table.see(seat), told(table, seat, options)
    assert set(seen) == set(expected)
    for name, values in expected.items():
        assert seen[name].shape == np.shape(values), name
        np.testing.assert_allclose(seen[name], values, rtol=2e-5, atol=2e-6, err_msg=name)
    return seen


def check_bounds(table: Any, seat: int) -> None:
    layout, vector = GAME.observation, table.observe(seat)
    assert np.isfinite(vector).all()
    inside = (vector >= layout.low) & (vector <= layout.high)
    names = np.repeat([field.name for field in layout.fields], [f.size for f in layout.fields])
    assert inside.all(), sorted(set(names[~inside]))


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_seat_sees_the_position_at_every_tick(lively_walk, variant):
    options = GAME.complete({"max_ticks": 60, **variant})
    used = Counter()
    for seed in range(6):
        for step, (table, _) in enumerate(lively_walk(seed, **options)):
            if step % (5 * table.players + 1) and table.ending == "running":
                continue
            for seat in {0, table.mover, table.players - 1, step % table.players}:
                seen = check(table, seat, options)
                check_bounds(table, seat)
                used.update(name for name, values in seen.items() if values.any())
    never = set(GAME.observation.dtype.names) - set(used)
    if variant["num_players"] == 2:
        allowed = {"offer", "offers", "bad", "bad_pile", "lead"}
    else:
        allowed = {"call", "their_call", "together"}
    allowed |= {"card"} if options["cards"] == "hidden" else set()
    allowed |= {"bias_range"} if options["bias_range"] == 0 else set()
    if options["sigma_high"] == 0:
        allowed |= {"sigma", "error", "calibration_error"}
    if options["any_swaps"] == 0:
        allowed |= {"swaps", "swapping"}
    assert never <= allowed | {"swaps", "swapping"}


def test_a_position_field_by_field(position):
    """A position seen by seat 1; the others in seat order from there."""
    table = position(
        "orange 6, blue 7, yellow 2, swap any",
        levels=[5, 8, 0, 0],
        ticks=4,
        bias=[2, 0, 0, 0],
        offers={0: 1, 1: 3},
        sigma=[10, 20, 30],
        tokens=[(5, 1), (3, 2), (0, 0), (0, 1)],
        good_pile=12,
        bad_pile=6,
        discards="blue 3 x 2, yellow 9",
        skipped={1: "orange 1", 2: "orange 2"},
        tick=75,
    )
    state = table.state
    state.calibration[0], state.calibrated[0], state.calibration_variance[0] = 750, 5, 1600
    seen = check(table, 1, GAME.complete({}))
    assert np.flatnonzero(seen["value"]).tolist() == [6]
    assert seen["colour"].tolist() == [0, 1, 0]
    assert np.flatnonzero(seen["level"]).tolist() == [7]
    assert seen["watched"] == pytest.approx([0.2])
    assert seen["offer"].tolist() == [0, 1, 0, 0, 0, 0, 0], "two places further"
    assert seen["ticks_left"] == pytest.approx([0.75])
    assert (seen["good_pile"], seen["bad_pile"]) == (pytest.approx([0.3]), pytest.approx([0.15]))
    assert seen["sigma"].tolist() == [1, 2, 3]
    assert seen["unseen"][0, :2].tolist() == [0.5, 1], "the own skipped card, not another's"
    assert seen["unseen"][1, [2, 6]].tolist() == [0, 0.5]
    assert seen["unseen"][2, [1, 8]].tolist() == [1, 0.5]
    assert seen["good"][:4] * 40 == pytest.approx([3, 0, 0, 5])
    assert seen["lead"] * 40 == pytest.approx([1 - 4])
    assert seen["seated"].tolist() == [1, 1, 1, 0, 0, 0, 0]
    assert seen["performs"][:3].tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert seen["swapping"].tolist() == [0, 1, 0, 0, 0, 0, 0]
    assert seen["signal"][:3] * 11 == pytest.approx([0, 0, 7])
    assert seen["average"][:3] * 11 == pytest.approx([0, 0, 7])
    assert seen["signals"][:3] == pytest.approx([0, 0, 0.2])
    assert seen["error"][:3] == pytest.approx([0, 0, 0.5])
    assert seen["calibration"][:3] == pytest.approx([0, 0, 1.5])
    assert seen["calibrated"][:3] == pytest.approx([0, 0, 0.05])
    assert seen["calibration_error"][:3] == pytest.approx([0, 0, 0.8])
    assert seen["gap"][2] == pytest.approx([0, 0, 0.5, 0.5, 0, 0, 0, 0, 0]), "7 - 1.5 - 7 = -1.5"
    assert seen["around"][2].tolist() == [*seen["unseen"][0, 2:], 0], "blue, from 3 to 11"
    assert seen["offers"][2].tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
    assert not seen["card"].any()


@pytest.mark.parametrize(
    ("looks", "gap"),
    [(1, {-4: 1}), (3, {-3: 1}), (5.5, {-1: 0.5, 0: 0.5}), (6, {0: 1}), (6.25, {0: 0.75, 1: 0.25}),
     (10, {4: 1}), (11, {4: 1}), (9.9, {3: 0.1, 4: 0.9})],
)  # fmt: skip
def test_the_gap_is_shared_by_the_two_nearest_whole_numbers(position, looks, gap):
    table = position("orange 6, blue 6, yellow 2", ticks=4)
    table.state.total[1] = round(400 * looks)
    seen = table.see(0)["gap"][0]
    assert seen == pytest.approx([gap.get(whole, 0) for whole in range(-4, 5)], abs=1e-5)


def test_the_own_acting_is_not_seen(position):
    """A player does not see its own signal, nor the bias, nor what reveals tell of it."""
    table = position("orange 6, blue 6, yellow 2", ticks=4)
    before = table.observe(0).tobytes()
    for name in ("signal", "total", "calibration", "unrest", "bias"):
        table.state[name][0] += 3
    assert table.observe(0).tobytes() == before
    assert table.observe(1).tobytes() != before


def test_levels_and_cards_of_others_are_not_seen(position):
    """C17: "do not expose the level in observations"."""
    table = position("orange 6, blue 6, yellow 2", ticks=4, skipped={1: "blue 1"})
    before = table.observe(0).tobytes()
    table.state.hand[1] += 3
    table.state.level[1] -= 4
    table.state.levels[1] -= 16
    table.state.drift[1] += 5
    table.state.bias[1:3] = [2, -1]
    table.state.skipped[1] = np.roll(table.state.skipped[1], 1)
    assert table.observe(0).tobytes() == before


def test_the_colour_is_seen_once_it_is_performed(position):
    """C20: "players see which action someone performs, thus the colour of the card"."""
    table = position("orange 6, blue 6, yellow 2", levels=[6, 0, 0])
    assert not table.see(0)["performs"].any()
    table.tick("", "perform 1", "perform 2")
    assert table.see(0)["performs"][:2].tolist() == [[0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize("variant", VARIANTS[:4])
def test_a_position_looks_the_same_whatever_the_seats_are_numbered(lively_walk, variant):
    players = variant["num_players"]
    by_seat = [
        name
        for name in GAME.state.names
        if GAME.state[name].shape[:1] == (8,) and name not in ("offer", "partner")
    ]
    for step, (table, _) in enumerate(lively_walk(3, max_ticks=40, **variant)):
        if step % 5:
            continue
        turned = table.copy()
        for name in by_seat:
            turned.state[name][:players] = np.roll(table.state[name][:players], 1, axis=0)
        offers = np.roll(table.state.offer[:players], 1)
        turned.state.offer[:players] = np.where(offers < 0, -1, (offers + 1) % players)
        for seat in range(players):
            there = turned.observe((seat + 1) % players)
            assert there.tobytes() == table.observe(seat).tobytes()


# The bounds.


@pytest.mark.parametrize("players", [2, 3, 8])
def test_the_extremes_of_acting_are_within_the_bounds(position, players):
    """Everybody acts as wrongly as can be, for long, and is revealed."""
    for value, level, bias in ((1, 10, 3), (10, 1, -3), (10, 10, 3), (1, 1, -3)):
        hands = ", ".join(f"{COLOURS[seat % 3]} {value}" for seat in range(players))
        table = position(
            hands, levels=[level] * players, bias=[bias] * players, sigma=[50, 50, 50],
            copies=4, bias_range=3, sigma_high=50,
        )  # fmt: skip
        for tick in range(60):
            swing = f"perform {level if tick % 2 else 11 - level}"
            table.tick(*[swing] * players)
            for seat in range(players):
                check_bounds(table, seat)
        table.tick(*["call match" if players == 2 else f"offer +{1 if s % 2 == 0 else players - 1}"
                     for s in range(players)])  # fmt: skip
        for seat in range(players):
            check_bounds(table, seat)
        assert table.learnt(0)["calibrated"] > 60


def test_the_highest_signals_and_tokens_are_within_the_bounds(position):
    for players in (3, 8):
        most = 2 * (players + 1) + 1
        hands = ", ".join(["blue 10"] * players)
        tokens = [(most, 0)] * 2 + [(0, players + 1)] * (players - 2)
        table = position(hands, bias=[3] * players, tokens=tokens, pile="", ticks=300)
        for seat in range(players):
            check_bounds(table, seat)
            seen = table.see(seat)
            assert seen["signal"][: players - 1] == pytest.approx(1)
