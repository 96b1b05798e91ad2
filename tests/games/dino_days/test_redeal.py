"""A re-deal of Dino Days draws anew what a seat cannot know, and nothing else."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dino_envs.engine import RUNNING
from dino_envs.games.dino_days import GAME
from dino_envs.games.dino_days.cards import KINDS
from dino_envs.games.dino_days.layout import PHASES

_NONE = {kind: 0 for kind in KINDS if kind != "giganotosaurus"}
VARIANTS = [
    {"num_players": 2},
    {"num_players": 3},
    {"num_players": 4},
    {"num_players": 2, "deck": {"scientist": 10, "nest": 4, "eggs": 4, "microraptor": 8}},
    {"num_players": 3, "deck": _NONE | {"scientist": 4, "triceratops": 2, "stegosaurus": 1}},
    {"num_players": 2, "deck": _NONE | {"triceratops": 6, "scientist": 3, "spinosaurus": 2}},
]
HIDDEN = {"hands", "pile", "drawn", "stream"}
"""What a re-deal may change in a state."""


def observe(state: Any, seat: int) -> bytes:
    record = np.zeros(1, GAME.observation.dtype)
    GAME.kernels.observe(state, seat, record[0])
    return record.tobytes()


def legal(state: Any) -> list[int]:
    mask = np.zeros(GAME.actions.size, np.int8)
    GAME.kernels.legal_actions(state, mask)
    return np.flatnonzero(mask).tolist()


def decisions(position: Any, seed: int, every: int, **options: Any) -> Iterator[Any]:
    """Yields tables of one random game that draws often: one of `every`, and all rare ones."""
    state = GAME.new_states(1, **options)[0]
    GAME.kernels.reset(state, np.uint64(seed))
    rng = np.random.default_rng(seed)
    draws = (0.1, 0.5, 0.85)[seed % 3]
    while state.ending == RUNNING:
        choice = legal(state)
        if PHASES[state.phase] != "choose" or rng.integers(every) == 0:
            yield position.of(state)
        draw = choice[0] == 0 and rng.random() < draws
        GAME.kernels.step(state, 0 if draw else int(rng.choice(choice)))
    yield position.of(state)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_seat_sees_the_same_and_only_what_is_hidden_changes(position, variant):
    phases = Counter()
    for seed in range(6):
        for table in decisions(position, seed, 3, **variant):
            phases[table.phase] += 1
            for seat in range(table.players):
                other = table.redeal(seat, 1000 + seed)
                assert observe(other.state, seat) == observe(table.state, seat)
                changed = {
                    name
                    for name in GAME.state.names
                    if not np.array_equal(table.state[name], other.state[name])
                }
                assert changed <= HIDDEN
                assert other.hands[seat] == table.hands[seat]
                assert other.cards() == table.cards()
                assert (other.state.hands >= table.state.known).all(), "what is known stays there"
                held = other.state.hands.sum(axis=1)
                assert held.tolist() == table.state.hand_size.tolist()
                assert other.state.drawn.sum() == table.state.drawn.sum()
                if seat == table.active:
                    assert other.drawn == table.drawn
                if seat == table.mover and table.ending == "running":
                    assert legal(other.state) == legal(table.state)
    assert phases["choose"] > 20
    assert len(phases) > 1


def test_every_phase_is_met_in_those_games(position):
    seen = {
        table.phase
        for variant in VARIANTS
        for seed in range(6)
        for table in decisions(position, seed, 50, **variant)
    }
    assert seen == set(PHASES)


def test_texts_show_a_seat_nothing_hidden(position):
    """Neither to a seat nor to those who see only what all players see."""
    text = GAME.view.text
    for number, variant in enumerate(VARIANTS):
        for table in decisions(position, number, 12, **variant):
            for seat in range(table.players):
                other = table.redeal(seat, 77)
                assert text(other.state, seat) == text(table.state, seat)
                assert text(other.state, None) == text(table.state, None)


def test_pictures_show_a_seat_nothing_hidden(position):
    svg, met = GAME.view.svg, Counter()
    for number, variant in enumerate(VARIANTS):
        for table in decisions(position, number, 12, **variant):
            met[table.phase, table.ending] += 1
            if met[table.phase, table.ending] > 3:
                continue
            for seat in {table.active, (table.active + 1) % table.players}:
                other = table.redeal(seat, 77)
                assert svg(other.state, seat) == svg(table.state, seat)
            assert svg(other.state, None) == svg(table.state, None)
    assert len(met) > len(PHASES)


@pytest.mark.parametrize("variant", VARIANTS[:3])
def test_what_is_hidden_differs(position, deal, variant):
    table = deal(3, **variant).play("draw")
    for seat in range(table.players):
        others = [table.redeal(seat, seed) for seed in range(20)]
        assert len({other.pile for other in others}) == 20
        for opponent in set(range(table.players)) - {seat}:
            assert len({other.hands[opponent] for other in others}) > 15
            assert all("giga" in other.hands[opponent] for other in others)
        assert len({int(other.state.stream[0]) for other in others}) == 20
        assert table.redeal(seat, 5).state.tobytes() == others[5].state.tobytes()


def test_drawn_cards_are_hidden_from_the_others_only(position):
    table = position(hands=["scientist bary", "eggs"], pile="pter steg tric nest meteor")
    table.play("scientist")
    own = [table.redeal(0, seed) for seed in range(60)]
    assert {other.drawn for other in own} == {"tric pter steg"}
    assert {other.hands[1] for other in own} == {"nest", "eggs", "meteor"}
    theirs = [table.redeal(1, seed) for seed in range(60)]
    assert len({other.drawn for other in theirs}) > 10
    assert len({other.hands[0] for other in theirs}) > 4
    assert {other.hands[1] for other in theirs} == {"eggs"}


def test_the_opponents_hand_is_certain_when_there_is_no_deck(position):
    table = position(hands=["bary", "tric meteor"], pile="", discards="pter")
    for seed in range(10):
        assert table.redeal(0, seed).hands == table.hands


def test_two_players_keep_certain_what_they_saw_when_the_deck_ran_out(position):
    table = position(hands=["giga bary", "tric meteor"], pile="", discards="pter steg eggs nest")
    table.play("draw", "draw")
    hands = [table.redeal(0, seed).hands[1] for seed in range(60)]
    assert all("tric" in hand and "meteor" in hand for hand in hands)
    assert len(set(hands)) == 3, "the card drawn since may be any but the own one"


# All arrangements are equally likely.


def check_uniform(seen: Counter[Any], weights: dict[Any, int]) -> None:
    """Compares counts with what is expected of these weights by a chi-square test."""
    assert set(seen) == set(weights), "an arrangement never came about, or may not"
    total = sum(seen.values())
    expected = {key: total * weight / sum(weights.values()) for key, weight in weights.items()}
    assert min(expected.values()) >= 10
    order = list(weights)
    result = stats.chisquare([seen[key] for key in order], [expected[key] for key in order])
    assert result.pvalue > 0.001


def count(table: Any, seat: int, times: int, facts: Callable[[Any], Any]) -> Counter[Any]:
    return Counter(facts(table.redeal(seat, seed)) for seed in range(times))


def test_hands_and_the_order_of_the_pile_are_uniform(position):
    """Two unknown cards of five beside a known one, and the order of the rest: 60 cases."""
    table = position(hands=["bary", "giga tric nest"], pile="pter steg eggs")
    weights = {
        (names(("giga", *hand)), " ".join(pile)): 1
        for hand in itertools.combinations(("tric", "pter", "steg", "nest", "eggs"), 2)
        for pile in itertools.permutations({"tric", "pter", "steg", "nest", "eggs"} - set(hand))
    }
    assert len(weights) == 60
    check_uniform(count(table, 0, 6000, lambda t: (t.hands[1], t.pile)), weights)


def test_equal_cards_count_each(position):
    """Three baryonyx of five cards: hands with them are more likely, as dealt."""
    table = position(hands=["giga", "bary tric"], pile="bary nest bary")
    cards = ["bary", "bary", "bary", "tric", "nest"]
    weights: Counter[Any] = Counter(
        (names(order[:2]), " ".join(order[2:])) for order in itertools.permutations(cards)
    )
    check_uniform(count(table, 0, 4000, lambda t: (t.hands[1], t.pile)), weights)


def test_two_unknown_hands_and_drawn_cards_are_uniform(position):
    """The drawn cards of another seat, its hand, a third hand and the pile."""
    table = position(
        hands=["bary", "scientist eggs", "tric"], pile="pter steg nest meteor", mover=1
    )
    table.play("scientist")
    cards = ["tric", "pter", "steg", "nest", "eggs", "meteor"]
    weights: Counter[Any] = Counter(
        (order[0], order[1], names(order[2:5]), order[5]) for order in itertools.permutations(cards)
    )
    assert len(weights) == 120
    seen = count(table, 0, 6000, lambda t: (t.hands[1], t.hands[2], t.drawn, t.pile))
    check_uniform(seen, weights)


def names(cards: Any) -> str:
    """Returns cards as a hand tells them, in the order of the kinds."""
    order = ["giga", "tric", "pter", "steg", "bary", "nest", "eggs", "meteor"]
    return " ".join(sorted(cards, key=order.index))


# A game goes on from a re-dealt state.


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_can_be_played_on(position, random_walk, variant):
    for seed in range(3):
        for number, table in enumerate(decisions(position, seed, 12, **variant)):
            seat = number % table.players
            other = table.redeal(seat, seed)
            cards, steps = other.cards(), 0
            for played in random_walk(GAME, seed, state=other._states):
                assert played.legal == played.mask.sum()
                steps += 1
            assert played.state.ending != RUNNING
            assert position.of(played.state).cards() == cards
            assert steps > 1 or table.ending != "running"
