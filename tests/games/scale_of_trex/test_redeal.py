"""A re-deal of On a Scale of One to T-Rex draws anew what a seat cannot know, and nothing else."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dino_envs.games.scale_of_trex import GAME

VARIANTS = [
    {"num_players": 2},
    {"num_players": 3, "bias_range": 3, "sigma_high": 50},
    {"num_players": 4},
    {"num_players": 8, "copies": 1, "swap_cards": 10, "any_swaps": 10, "action_cards": 2},
    {"num_players": 3, "copies": 1, "swap_cards": 0, "any_swaps": 0, "sigma_low": 0,
     "sigma_high": 0, "bias_range": 0},
    {"num_players": 4, "cards": "open"},
]  # fmt: skip
OTHERS_HIDDEN = {"bias", "hand", "level", "levels", "drift", "skipped", "acts"}
"""What a re-deal may change of the other seats."""
OWN_HIDDEN = {"bias", "signal", "total", "unrest", "calibration"}
"""What it may change of the seat itself: how it looked."""
BY_SEAT = [name for name in GAME.state.names if GAME.state[name].shape[:1] == (8,)]


def decisions(lively_walk: Any, seed: int, every: int, **options: Any) -> Iterator[Any]:
    """Yields tables of one lively random game: one of `every` acts, and the end."""
    rng = np.random.default_rng(seed)
    for table, _ in lively_walk(seed, **{"max_ticks": 80, **options}):
        if table.ending != "running" or rng.integers(every) == 0:
            yield table.copy()


def colours(table: Any, seat: int) -> Counter[str]:
    """Returns the colours of a seat's skipped cards."""
    skipped = table.state.skipped[seat].reshape(3, 10).sum(axis=1)
    return Counter(dict(zip(("orange", "blue", "yellow"), skipped.tolist(), strict=True)))


def check_others(table: Any, again: Any, seat: int) -> None:
    """Checks that what all know of the others' cards is still so."""
    for other in range(table.players):
        if other == seat:
            continue
        assert (again.levels[other] > 0) == (table.levels[other] > 0)
        card, new = table.hands[other], again.hands[other]
        if table.levels[other] > 0:
            assert new.split()[0] == card.split()[0], "the colour performed"
            assert again.levels[other] == int(new.split()[1]), "it is performed as it says"
        else:
            assert new == card or not {"-", "swap any"} & {card, new}
        assert colours(again, other) == colours(table, other)
        assert abs(int(again.state.bias[other])) <= table.state.bias_range


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_seat_sees_the_same_and_public_facts_stay(lively_walk, variant):
    seen = 0
    for seed in range(4):
        for table in decisions(lively_walk, seed, 3 * variant["num_players"], **variant):
            for seat in range(table.players):
                again = table.redeal(seat, 1000 + seed)
                seen += 1
                assert again.observe(seat).tobytes() == table.observe(seat).tobytes()
                assert again.cards == table.cards
                for name in GAME.state.names:
                    was, now = table.state[name].tolist(), again.state[name].tolist()
                    if name in BY_SEAT:
                        own = name in OWN_HIDDEN
                        assert own or now[seat] == was[seat], f"the own {name}"
                        for other in set(range(8)) - {seat}:
                            same = now[other] == was[other]
                            assert same or name in OTHERS_HIDDEN, f"another's {name}"
                    else:
                        assert now == was or name in ("stream", "pile"), name
                check_others(table, again, seat)
                if table.ending == "running":
                    assert again.legal == table.legal
                    for other in range(table.players):
                        assert again.legal_of(other) == table.legal_of(other)
                for other in range(table.mover):
                    act = GAME.view.action_name(int(again.state.acts[other]))
                    assert act in again.legal_of(other)
    assert seen > 30


def watched(table: Any, seat: int) -> Any:
    """Returns a re-dealt table in which the seat looks as it did: the same to who only watches."""
    again = table.redeal(seat, 77)
    for name in OWN_HIDDEN - {"bias"}:
        again.state[name][seat] = table.state[name][seat]
    return again


def test_texts_show_nothing_hidden(lively_walk):
    """Neither to a seat nor to those who watch, who see how everybody looks, but no cards."""
    text = GAME.view.text
    for number, variant in enumerate(VARIANTS):
        for table in decisions(lively_walk, number, 12 * variant["num_players"], **variant):
            for seat in range(table.players):
                again = table.redeal(seat, 77)
                assert text(again.state, seat) == text(table.state, seat)
                assert text(watched(table, seat).state, None) == text(table.state, None)


def test_what_an_action_means_shows_nothing_hidden(lively_walk):
    means = GAME.view.action_text
    for number, variant in enumerate(VARIANTS):
        for table in decisions(lively_walk, number, 12 * variant["num_players"], **variant):
            for seat in [*range(table.players), None]:
                again = table.redeal(table.mover if seat is None else seat, 77)
                for action in np.flatnonzero(table.mask):
                    told = means(table.state, int(action), seat)
                    assert told == means(again.state, int(action), seat)


def test_pictures_show_nothing_hidden(lively_walk):
    svg, shown = GAME.view.svg, 0
    for number, variant in enumerate(VARIANTS):
        tables = list(decisions(lively_walk, number, 25 * variant["num_players"], **variant))
        for table in [*tables[:3], tables[-1]]:
            for seat in {table.mover, table.players - 1}:
                again = table.redeal(seat, 77)
                assert svg(again.state, seat) == svg(table.state, seat)
                assert svg(watched(table, seat).state, None) == svg(table.state, None)
                shown += 1
    assert shown > 2 * len(VARIANTS)


# What is hidden differs.


@pytest.mark.parametrize("players", [3, 4, 8])
def test_all_that_is_hidden_varies(position, players):
    """Others look unclear; one has a new card, one has skipped, some have committed."""
    hands = ["orange 6", "blue 6", "yellow 6", "blue 1", "orange 2", "yellow 9", "blue 9", "blue 3"]
    table = position(
        ", ".join(hands[:players]), levels=[6, 6, 0, 4, 2, 9, 9, 3][:players], ticks=2,
        sigma=[20, 20, 20], skipped={0: "orange 1", 1: "yellow 8, blue 4"}, discards="blue 7",
    )  # fmt: skip
    table.state.calibration[0], table.state.calibrated[0] = 300, 5
    table.state.calibration_variance[0] = 2000
    table.play("perform 6", "skip")
    seat = players - 1
    if table.mover < seat:
        table.play(*["perform 5"] * (seat - table.mover))
    agains = [table.redeal(0, seed) for seed in range(100)]
    assert len({again.hands[1] for again in agains}) > 4
    assert len({again.hands[2] for again in agains}) > 15
    assert len({again.skipped(1) for again in agains}) > 15
    assert {again.skipped(0) for again in agains} == {"orange 1"}
    assert len({again.pile for again in agains}) > 95
    for other in range(players):
        assert {int(again.state.bias[other]) for again in agains} == {-2, -1, 0, 1, 2}
        low = 1 if other == 0 or other >= table.mover else 3
        acts = {int(again.state.acts[other]) for again in agains}
        assert (len(acts) == 1) if low == 1 else (len(acts) >= low)
    for name, least in (("signal", 40), ("total", 40), ("calibration", 50)):
        assert len({int(again.state[name][0]) for again in agains}) > least
    assert len({int(again.state.stream[0]) for again in agains}) == 100
    looks = [{again.observe(1).tobytes() for again in agains}, {table.observe(0).tobytes()}]
    assert len(looks[0]) > 90, "to another seat, these positions look different"


def test_two_players_hide_a_card_a_bias_and_their_own_looks(position):
    table = position("orange 6, blue 6", ticks=3, sigma=[20, 20, 20], calls=["-", "match"])
    agains = [table.redeal(0, seed) for seed in range(100)]
    assert len({again.hands[1] for again in agains}) > 4
    assert {again.calls[1] for again in agains} == {"match"}
    assert len({again.statistics(0)["total"] for again in agains}) > 50


def test_the_unrest_of_the_own_acting_varies(position):
    """The seat has not seen its signals; their changes are hidden from it as well."""
    table = position("orange 6, blue 6, yellow 1", ticks=6, sigma=[20, 20, 20])
    assert len({int(table.redeal(0, seed).state.unrest[0]) for seed in range(40)}) > 10


def test_open_cards_stay(position):
    table = position("orange 6, blue 6, yellow 6, blue 1", cards="open", skipped={1: "blue 4"})
    agains = [table.redeal(0, seed) for seed in range(50)]
    assert {tuple(again.hands) for again in agains} == {tuple(table.hands)}
    assert {again.pile for again in agains} == {table.pile}
    assert {again.skipped(1) for again in agains} == {"blue 4"}
    assert {int(again.state.bias[1]) for again in agains} == {-2, -1, 0, 1, 2}


def test_what_a_player_committed_itself_stays(position):
    table = position("orange 6, blue 6, yellow 6").play("offer +2")
    assert {int(table.redeal(0, seed).state.acts[0]) for seed in range(30)} == {11}
    assert len({int(table.redeal(1, seed).state.acts[0]) for seed in range(60)}) > 8


# Nothing of what is true shows through.


def tampered(table: Any, seat: int, rng: Any, fields: set[str]) -> Any:
    """Returns a copy in which all that is hidden from the seat is something else.

    `fields` are those of `OTHERS_HIDDEN` and `OWN_HIDDEN` that change; cards as well.
    """
    other_one, state = table.redeal(seat, 10**6), table.state
    copy = other_one.state
    copy.stream[0] = 12345
    for other in range(table.players):
        performs = table.levels[other] > 0 and other != seat
        if "level" in fields and performs:
            copy.level[other] = rng.integers(1, 11)
        if "levels" in fields and performs:
            copy.levels[other] = rng.integers(1, 11) * int(state.signals[other])
        if "drift" in fields and other != seat:
            copy.drift[other] = rng.integers(-9, 10) * int(state.calibrated[other])
    if table.state.signals[seat]:
        copy.total[seat] = rng.integers(0, 1101) * int(state.signals[seat])
        copy.signal[seat] = rng.integers(0, 1101)
    copy.unrest[seat] = rng.integers(0, 1101) * int(state.changes[seat])
    copy.calibration[seat] = rng.integers(-1000, 1001) * int(state.calibrated[seat])
    return other_one


def drawn(table: Any, seat: int, but: tuple[str, ...] = ()) -> dict[str, Any]:
    """Returns the fields of a re-dealt state."""
    again = table.redeal(seat, 5).state
    return {name: again[name].tolist() for name in GAME.state.names if name not in but}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_redeal_does_not_depend_on_what_is_true(lively_walk, variant):
    """Positions that differ in hidden things alone are re-dealt alike; the levels that others
    have performed, of which only sums are kept, are looked at below."""
    rng, compared = np.random.default_rng(1), 0
    for seed in range(4):
        for table in decisions(lively_walk, seed, 5 * variant["num_players"], **variant):
            for seat in range(table.players):
                other_one = tampered(table, seat, rng, {"level"})
                assert drawn(other_one, seat) == drawn(table, seat)
                compared += other_one.state.tobytes() != table.state.tobytes()
    assert compared > 20


@pytest.mark.parametrize("variant", VARIANTS[:4])
def test_nor_on_the_levels_that_others_have_performed(lively_walk, variant):
    """Nobody sees `levels` and `drift` of others: they tell their true levels and biases."""
    rng = np.random.default_rng(1)
    for seed in range(2):
        for table in decisions(lively_walk, seed, 5 * variant["num_players"], **variant):
            for seat in range(table.players):
                other_one = tampered(table, seat, rng, {"level", "levels", "drift"})
                assert drawn(other_one, seat) == drawn(table, seat)


def test_the_seed_decides_and_the_future_is_drawn_too(position):
    table = position("orange 6, blue 6, yellow 6", ticks=2)
    for seat in range(3):
        one, same, other = (table.redeal(seat, seed) for seed in (5, 5, 6))
        assert one.state.tobytes() == same.state.tobytes()
        assert one.state.stream[0] != other.state.stream[0]
        assert one.state.stream[0] != table.state.stream[0]


# A re-dealt position could have come about, and the game goes on from it.


@pytest.mark.parametrize("variant", VARIANTS)
def test_sums_are_possible_after_a_redeal(lively_walk, variant):
    """The last signal is one of those that add up; others see nothing beyond the bounds."""
    layout = GAME.observation
    for seed in range(4):
        for table in decisions(lively_walk, seed, 3 * variant["num_players"], **variant):
            for seat in range(table.players):
                again = table.redeal(seat, seed)
                sums = again.statistics(seat)
                rest = sums["total"] - sums["signal"]
                assert 0 <= rest <= 1100 * max(sums["signals"] - 1, 0), "of the signals before"
                learnt = again.learnt(seat)
                assert abs(learnt["calibration"]) <= 1000 * learnt["calibrated"]
                for other in range(table.players):
                    vector = again.observe(other)
                    assert ((vector >= layout.low) & (vector <= layout.high)).all()


def test_the_last_signal_is_the_sum_where_there_is_but_one(position):
    table = position("orange 6, blue 6, yellow 6", sigma=[20, 20, 20])
    for seed in range(20):
        sums = table.redeal(0, seed).statistics(0)
        assert sums["total"] == sums["signal"]


def test_who_overacted_by_far_stays_within_the_bounds(position):
    """A 1 acted at 10 looks at most ten levels too high, whatever the bias."""
    table = position(
        "orange 1, blue 1, yellow 6", levels=[10, 1, 6], bias=[3, 0, 0], ticks=5, bias_range=3
    )
    table.tick("offer +1", "offer +2")
    layout = GAME.observation
    for seed in range(40):
        again = table.redeal(0, seed)
        vector = again.observe(1)
        assert ((vector >= layout.low) & (vector <= layout.high)).all()
        assert abs(again.learnt(0)["calibration"]) <= 1000 * again.learnt(0)["calibrated"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_can_be_played_on(lively_walk, random_walk, variant):
    for seed in range(2):
        tables = decisions(lively_walk, seed, 20 * variant["num_players"], **variant)
        for number, table in enumerate(tables):
            seat = number % table.players
            again, steps = table.redeal(seat, seed), 0
            cards = again.cards
            for played in random_walk(GAME, seed, state=again._states):
                assert played.legal == played.mask.sum()
                steps += 1
            assert again.ending != "running"
            assert again.cards == cards
            assert steps > 1 or table.ending != "running"
