"""How specs of agents and options of the rules are read."""

from dataclasses import replace
from io import StringIO

import pytest
import typer
from rich.console import Console

from dino_envs.cli import catalogue
from dino_envs.cli.arguments import parse_options, split_specs
from dino_envs.engine import Counts, OptionError
from dino_envs.games import load


def test_specs_are_split_at_commas_between_them() -> None:
    assert split_specs("random, greedy") == ["random", "greedy"]
    assert split_specs("mcts:simulations=9,depth=3,greedy") == [
        "mcts:simulations=9,depth=3",
        "greedy",
    ]
    assert split_specs("checkpoint:a=b,checkpoint:c=d") == ["checkpoint:a=b", "checkpoint:c=d"]


def test_options_are_read_as_declared() -> None:
    game = load("dino_dice")
    options = parse_options(game, ["target=60", "tie=turn"], 4)
    assert (options["target"], options["tie"], options["num_players"]) == (60, "turn", 4)
    with pytest.raises(OptionError):
        parse_options(game, ["target=6.5"], None)


def test_counts_are_typed_by_name_and_shown_so() -> None:
    default = {f"kind_{number}": 4 for number in range(17)}
    deck = Counts(default, "cards of each kind", high=60)
    game = replace(load("dino_dice"), options={"deck": deck})
    options = parse_options(game, ["deck=kind_3:1,kind_0:60"], None)
    assert options == {"num_players": 2, "deck": {**default, "kind_3": 1, "kind_0": 60}}
    assert parse_options(game, ['deck={"kind_3": 1, "kind_0": 60}'], None) == options
    assert deck.complete("deck", ' {"kind_3": 1} ') == deck.complete("deck", {"kind_3": 1})
    for wrong in ("4", "[4]", '{"kind_0": 1, "kind_0": 2}', '{"kind_0"', '{"a":' * 100_000):
        with pytest.raises(OptionError, match="deck=kind_0:4,kind_1:4"):
            parse_options(game, [f"deck={wrong}"], None)
    with pytest.raises(OptionError, match="did you mean 'kind_1'"):
        parse_options(game, ['deck={"kid_1": 1}'], None)
    with pytest.raises(OptionError, match="whole number"):
        parse_options(game, ['deck={"kind_1": [1]}'], None)
    with pytest.raises(typer.BadParameter, match="deck is kind_3:1 already"):
        parse_options(game, ["deck=kind_3:1", "deck=kind_4:1"], None)
    shown = StringIO()
    Console(file=shown, width=80).print(catalogue._options(game))
    words = shown.getvalue().split()
    assert {"kind_0:4,", "kind_15:4,", "kind_16:4"} <= set(words), "no name is cut in two"
