"""Ticks: all act at once, nobody knows of the others, and a new card is performed first."""

import numpy as np
import pytest

from dino_envs.games.scale_of_trex import GAME

PERFORM = [f"perform {level}" for level in range(1, 11)]
EXTREMES = [{"num_players": players} for players in (2, 3, 8)]


@pytest.mark.parametrize("players", range(2, 9))
def test_a_new_card_is_performed_first(deal, players):
    """ "The value on your Number Card [...] indicates the level to which you must perform your
    action": nobody offers, calls or skips before anything was seen."""
    table = deal(1, num_players=players)
    assert all(table.legal_of(seat) == PERFORM for seat in range(players))
    table.tick()
    rest = ["call match", "call no_match"]
    if players > 2:
        rest = [*(f"offer +{places}" for places in range(1, players)), "skip"]
    assert all(table.legal_of(seat) == PERFORM + rest for seat in range(players))


def test_the_card_after_a_match_or_a_skip_is_performed_first(position):
    table = position("orange 6, blue 6, yellow 9, blue 1", pile="blue 3 x 20")
    table.tick("offer +1", "offer +3", "skip")
    assert [table.legal_of(seat) == PERFORM for seat in range(4)] == [True, True, True, False]


def test_any_level_may_be_performed_and_changed(position):
    """ "How you interpret this is entirely up to you." """
    table = position("orange 6, blue 6, yellow 9", levels=[0, 6, 9])
    for level in (6, 1, 10, 10):
        assert table.tick(f"perform {level}").levels == [level, 6, 9]
    assert table.statistics(0)["levels"] == 27
    assert table.statistics(0)["signals"] == 4


def test_c1_everyone_performs_simultaneously(position):
    """ "There are no turns in this game. Everyone will be performing their actions
    simultaneously": the seats commit in order, and nothing happens until the last one has."""
    table = position("orange 6, blue 6, yellow 9, blue 1", offers={2: 3})
    before = [table.observe(seat).tobytes() for seat in range(4)]
    facts = (table.levels, table.offers, table.hands, table.piles, table.ticks)
    for seat, act in enumerate(["offer +1", "offer +3", "skip"]):
        assert table.mover == seat
        table.play(act)
        assert [table.observe(other).tobytes() for other in range(4)] == before
        assert (table.levels, table.offers, table.hands, table.piles, table.ticks) == facts
    table.play("perform 2")
    assert table.mover == 0
    assert table.partners == [1, 0, -1, -1]
    assert table.levels == [0, 0, 0, 2]
    assert table.ticks == 11


@pytest.mark.parametrize("variant", EXTREMES)
def test_what_may_be_done_does_not_depend_on_what_others_have_committed(lively_walk, variant):
    for seed in range(3):
        masks, seen = {}, {}
        for table, _ in lively_walk(seed, max_ticks=40, **variant):
            if table.ending != "running":
                break
            seats = range(table.players)
            if table.mover == 0:
                masks = {seat: table.legal_of(seat) for seat in seats}
                seen = {seat: table.observe(seat).tobytes() for seat in seats}
            assert table.legal == masks[table.mover]
            assert table.observe(table.mover).tobytes() == seen[table.mover]


def test_an_act_changes_nothing_for_those_after_it(position):
    """Whatever the first seat commits, the others see and may do the same."""
    start = position("orange 6, blue 6, yellow 9, blue 1", offers={0: 2, 1: 0})
    told = set()
    for act in start.legal:
        table = start.copy().play(act)
        told.add(tuple(table.observe(seat).tobytes() for seat in range(4)))
        assert table.legal == start.legal_of(1)
    assert len(told) == 1


def test_offers_made_in_one_tick_meet(position):
    table = position("orange 6, blue 6, yellow 9").tick("offer +1", "offer +2")
    assert table.partners == [1, 0, -1]


def test_chance_is_drawn_when_the_tick_ends(position):
    """Not before: a copy of the game in the middle of a tick knows no more than its start."""
    table = position("orange 6, blue 6, yellow 9")
    stream = int(table.state.stream[0])
    table.play("perform 6", "skip")
    assert int(table.state.stream[0]) == stream
    table.play("perform 9")
    assert int(table.state.stream[0]) != stream


def test_illegal_swaps_and_calls_are_never_offered(lively_walk):
    for table, _ in lively_walk(3, num_players=4, max_ticks=60):
        if table.ending == "running":
            names = table.legal
            assert not any(name.startswith("call") for name in names)
            swaps = [name for name in names if name.startswith("swap")]
            assert swaps in ([], names)
            assert (names == swaps) == (table.hands[table.mover] == "swap any")


def test_the_actions_names_are_read_back():
    names = [GAME.view.action_name(action) for action in range(GAME.actions.size)]
    assert len(set(names)) == len(names)
    assert [GAME.view.action_number(name) for name in names] == list(range(len(names)))
    assert np.count_nonzero([name.startswith("perform") for name in names]) == 10
