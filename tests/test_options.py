"""The options of games: values, counts, and what goes together."""

import copy
import json
import pickle
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dino_envs.engine import (
    Batch,
    Bot,
    Counts,
    Option,
    OptionError,
    UnknownAgentError,
    state_dtype,
)
from dino_envs.games import load


def test_players_outside_the_range_or_not_whole_are_refused(game):
    for value in (game.min_players - 1, game.max_players + 1, 2.5, "2", True, [2]):
        with pytest.raises(OptionError, match="num_players"):
            Batch(game, 1, num_players=value)
    for value in range(game.min_players, game.max_players + 1):
        assert Batch(game, 1, num_players=value).num_players == value


def test_an_unknown_option_is_refused_with_the_nearest_name(game):
    with pytest.raises(OptionError, match=r"argument 'num_player'; did you mean 'num_players'"):
        Batch(game, 1, num_player=2)
    with pytest.raises(OptionError, match="it has num_players"):
        Batch(game, 1, zzz=2)


def test_options_are_written_into_the_state_and_checked(game):
    alone = replace(game, check=None)
    defaults = game.new_states(3)
    assert len(defaults) == 3
    assert (defaults["num_players"] == game.default_players).all()
    for name, option in game.options.items():
        assert (defaults[name] == option.encode(name, option.default)).all()
        bad = ["no such value", -1, 0.5, True]
        if isinstance(option, Option) and not option.choices:
            bad = [option.low - 1, option.high + 1, "1", True]
        for value in option.extremes:
            state = alone.new_states(1, **{name: value})[0]
            assert np.array_equal(state[name], option.encode(name, value))
        for value in [option.default, *option.extremes]:
            assert option.complete(name, value) == value
            assert option.complete(name, option.parse(option.text(value))) == value
            assert json.loads(json.dumps(value)) == value
        for value in bad:
            with pytest.raises(OptionError, match=name):
                game.new_states(1, **{name: value})


DECK = Counts({"meteor": 4, "scientist": 1, "fossil": 0}, "cards of each kind", high=9)


def test_counts_are_completed_in_order_and_never_shared() -> None:
    given = {"fossil": np.int8(2), "meteor": 0}
    whole = DECK.complete("deck", given)
    assert list(whole.items()) == [("meteor", 0), ("scientist", 1), ("fossil", 2)]
    assert json.loads(json.dumps(whole)) == whole
    assert DECK.encode("deck", given).tolist() == [0, 1, 2]
    for theirs in (whole, DECK.default, DECK.complete("deck", {})):
        theirs["meteor"] = 9
    assert DECK.default == {"meteor": 4, "scientist": 1, "fossil": 0}
    assert copy.deepcopy(DECK).default == pickle.loads(pickle.dumps(DECK)).default == DECK.default


def test_counts_are_read_and_written_as_text() -> None:
    assert DECK.parse("meteor:2, fossil:0") == {"meteor": 2, "fossil": 0}
    assert DECK.complete("deck", "meteor:2") == DECK.complete("deck", {"meteor": 2})
    assert DECK.text(DECK.default) == "meteor:4,scientist:1,fossil:0"
    assert DECK.values == "0 to 9 of each"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"meteors": 1}, "deck has no 'meteors'; did you mean 'meteor'?"),
        ({1: 1}, "deck has no 1; it has meteor, scientist, fossil"),
        ({"fossil": 10}, "deck: fossil=10: give a whole number, 0 to 9"),
        ({"fossil": True}, "deck: fossil=True: give a whole number, 0 to 9"),
        ("fossil:-1", "deck: fossil=-1: give a whole number, 0 to 9"),
        ("fossil:", "deck: fossil='': give a whole number, 0 to 9"),
        ("fossil:1,fossil:1", "deck='fossil:1,fossil:1': give counts by name, each once: "),
        ([4, 1, 0], "{'meteor': 4, 'scientist': 1}, or as text deck=meteor:4,scientist:1"),
    ],
)
def test_wrong_counts_are_refused_with_what_to_do(value: Any, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        DECK.complete("deck", value)


def enough_cards(options: Mapping[str, Any]) -> None:
    if sum(options["deck"].values()) < options["num_players"]:
        raise OptionError("deck: give a card for each of num_players, or more")


@pytest.mark.parametrize(
    "value", [{"meteor": 10**5000}, {"meteor": "9" * 5000}, {"x" * 5000: 1}, "meteor:1," * 5000]
)
def test_messages_repeat_no_more_than_the_beginning_of_a_value(value):
    with pytest.raises(OptionError) as refused:
        DECK.complete("deck", value)
    assert len(str(refused.value)) < 300


def test_options_of_a_game_are_checked_together() -> None:
    state = state_dtype(8, [("deck", np.int8, (3,))])
    game = replace(load("dino_dice"), options={"deck": DECK}, state=state, check=enough_cards)
    states = game.new_states(2, deck={"scientist": 3}, num_players=5)
    assert states["deck"].tolist() == [[4, 3, 0]] * 2
    assert game.complete({}) == {"num_players": 2, "deck": DECK.default}
    with pytest.raises(OptionError, match="a card for each of num_players"):
        game.new_states(1, deck={"scientist": 0}, num_players=5)
    with pytest.raises(OptionError, match="meteor=99"):
        game.complete({"deck": {"meteor": 99}})
    only = Bot(None, "plays one deck", only={"deck": ({"meteor": 4, "scientist": 1, "fossil": 0},)})
    only.check("solver", game.complete({"deck": "meteor:4"}))
    with pytest.raises(UnknownAgentError, match=r"not meteor:2,scientist:1,fossil:0$"):
        only.check("solver", game.complete({"deck": {"meteor": 2}}))
