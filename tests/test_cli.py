"""The program `dino-envs`: most commands within this process, some as a user starts them."""

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from dino_envs.agents import Agent, make_agent, registry
from dino_envs.cli import app, catalogue, evaluating, menu, program, rules
from dino_envs.cli.arguments import parse_options, split_specs
from dino_envs.engine import Counts, Game, OptionError
from dino_envs.evaluation import evaluate, report
from dino_envs.games import load
from dino_envs.views.registration import camel_case, gymnasium_id

Run = Callable[..., Any]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Returns run("games"), which runs a command line in a wide terminal."""
    monkeypatch.setenv("COLUMNS", "200")

    def invoke(line: str, stdin: str = "") -> Any:
        return CliRunner().invoke(app, line.split(), input=stdin, prog_name="dino-envs")

    return invoke


def as_user(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from dino_envs.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **more)


# What there is


def test_games_lists_every_game(run: Run, game: Game) -> None:
    result = run("games")
    assert result.exit_code == 0
    row = next(line for line in result.stdout.splitlines() if line.split()[:1] == [game.id])
    for told in (game.title, game.actions.size, game.observation.size, game.state.itemsize):
        assert str(told) in row


def test_inspect_tells_what_the_declaration_says(run: Run, game: Game) -> None:
    result = run(f"inspect {game.id}")
    assert result.exit_code == 0
    names = [*game.actions.blocks, *game.options, *game.bots, "num_players", "random"]
    names += [field.name for field in game.observation.fields]
    rows = {line.split()[0] for line in result.stdout.splitlines() if line.split()}
    assert set(names) <= rows
    assert game.full_id in result.stdout
    assert f"Discrete({game.actions.size})" in result.stdout
    alone = f"dino_envs/{camel_case(game.id)}Solitaire-v{game.version}"
    assert gymnasium_id(game.id, game.version) in result.stdout
    assert (alone in result.stdout) == (game.min_players == 1)
    assert (f"{game.id}_solitaire_v{game.version}" in result.stdout) == (game.min_players == 1)


def test_inspect_shortens_defaults_with_parts_within_parts() -> None:
    page = StringIO()
    Console(file=page, width=80).print(catalogue._options(load("trex_holiday")))
    assert '{"areas":[{"size":2' in page.getvalue()
    assert "..." in page.getvalue()
    assert len(page.getvalue().splitlines()) < 25


@pytest.mark.parametrize("command", ["games", "inspect", "play", "watch", "evaluate"])
def test_every_command_has_help_with_an_example(run: Run, command: str) -> None:
    result = run(f"{command} --help")
    assert result.exit_code == 0
    assert f"Example: dino-envs {command}" in result.stdout


def test_version(run: Run) -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("dino-envs 0.")


# Playing


def test_a_person_plays_to_the_end(run: Run, game: Game) -> None:
    result = run(f"play {game.id} --opponent random --seed 3", stdin="1\n" * 2000)
    assert result.exit_code == 0, result.stderr
    assert "--seed 3" in result.stdout
    assert "The end." in result.stdout


def test_a_person_asks_errs_and_quits(run: Run) -> None:
    result = run("play dino_dice --seat 1 --seed 4 --num-players 3", stdin="?\n0\nx\n\n1\nq\n")
    assert result.exit_code == 0
    assert "Player 0 (greedy):" in result.stdout
    assert result.stdout.count("? explains the game, q quits.") == 2
    assert result.stdout.count("Nothing is chosen: type 1 to ") == 1
    assert "> >" not in result.stdout
    assert "'0' is none of them: type 1 to " in result.stdout
    assert "a name such as 'eat 2', q or ?" in result.stdout
    assert "'x' is none of them" in result.stdout
    assert "Player 1 (you):" in result.stdout
    assert result.stdout.endswith("Stopped.\n")


def test_a_question_mark_prints_the_rules_of_the_page_and_the_signs(
    run: Run, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = rules.rules(game)
    assert page.startswith("## The rules in a page\n")
    assert page.count("\n## ") == 0
    monkeypatch.setenv("COLUMNS", "80")
    told = run(f"play {game.id} --opponent random --seed 3", stdin="?\nq\n")
    plain = run(f"play {game.id} --opponent random --seed 3", stdin="q\n")
    assert told.exit_code == 0, told.stderr
    assert max(map(len, told.stdout.splitlines())) <= 80
    words = re.findall(r"\w+", re.sub(r"\|[-|]+\|", "", page))
    assert {*words} <= {*re.findall(r"\w+", told.stdout)}
    assert "The rules in a page" not in plain.stdout
    for sign, meaning in game.view.signs.items():
        assert meaning not in plain.stdout
        assert f"  {sign}  " in told.stdout


def test_a_game_without_a_page_is_still_played(run: Run) -> None:
    elsewhere = replace(load("dino_dice"), module="dino_envs.engine.game")
    assert rules.rules(elsewhere) == ""
    assert rules.rules(replace(elsewhere, module="no_such_module_at_all")) == ""


@pytest.mark.parametrize("players", ["fewest", "usual"])
def test_positions_fit_a_narrow_terminal(game: Game, players: str, random_walk: Any) -> None:
    count = game.min_players if players == "fewest" else game.default_players
    for position in random_walk(game, 1, num_players=count):
        for seat in (None, 0):
            shown = game.view.text(position.state, seat)
            assert max(map(len, shown.splitlines())) <= 80


def test_an_action_is_chosen_by_its_name_or_number(run: Run) -> None:
    names = "draw\nGiganotosaurus own Wed\nnest 1 mon\nq\n"
    result = run("play dino_days --opponent random --seed 4", stdin=names)
    assert "Player 0 (you): draw a card" in result.stdout
    assert "Player 0 (you): play Giganotosaurus on own Wednesday" in result.stdout
    assert "'nest 1 mon' is not legal now: type 1 to " in result.stdout
    result = run("play dino_days --opponent random --seed 4", stdin="4\nq\n")
    assert "Player 0 (you): play Giganotosaurus on own Wednesday" in result.stdout


def test_a_menu_is_short_and_numbers_every_action(run: Run) -> None:
    result = run("play dino_days --opponent random --seed 4", stdin="q\n")
    shown = result.stdout.partition("\n   1  ")[2].splitlines()
    assert shown[:3] == [
        "draw a card",
        "      play Giganotosaurus on own ...: 10 points, nothing else lies there",
        "        2 Monday, 3 Tuesday, 4 Wednesday, 5 Thursday, 6 Friday, 7 Saturday, 8 Sunday",
    ]
    assert len(shown) < 10


def test_what_differs_in_one_word_shares_a_line_of_the_menu() -> None:
    meanings = ["go", *(f"take the {what} (2)" for what in ("red", "blue", "old"))]
    meanings += ["put it on Monday", "put it on Friday", "stay here", "stay put"]
    told = menu.lines(meanings, 80)
    assert told == [
        "   1  go",
        "      take the ... (2)",
        "        2 red, 3 blue, 4 old",
        "   5  put it on Monday",
        "   6  put it on Friday",
        "   7  stay here",
        "   8  stay put",
    ]
    two = menu.lines(["a x 1", "a x 2", "b x 2", "c x 2", "d x 2"], 80)
    assert two == ["   1  a x 1", "      ... x 2", "        2 a, 3 b, 4 c, 5 d"]
    assert menu.lines([], 80) == []
    told = menu.lines([f"take level {n}" for n in range(1, 5)], 80)
    assert told == ["      take level ...", "        1, 2, 3, 4"]


def test_a_long_line_of_a_menu_goes_on_beneath() -> None:
    assert menu.lines(["re-roll " * 8], 50) == [
        "   1  re-roll re-roll re-roll re-roll re-roll",
        "        re-roll re-roll re-roll",
    ]


def test_a_narrow_menu_keeps_numbers_and_words_together() -> None:
    told = menu.lines([f"number {'x' * n}" for n in range(1, 30)], 40)
    assert max(map(len, told)) <= 40
    ends = [line.split(",")[0].split() for line in told[1:]]
    assert all(len(word) == int(number) for number, word in ends)


def test_the_end_of_the_input_ends_the_game_politely(run: Run) -> None:
    result = run("play dino_dice --seed 4", stdin="")
    assert result.exit_code == 0
    assert result.stdout.endswith("Stopped.\n")
    assert result.stderr == ""


def test_an_option_of_the_rules_is_played_by(run: Run) -> None:
    result = run("play dino_dice --opponent random --seed 1 --set target=5", stdin="1\n" * 200)
    assert "The end." in result.stdout
    assert "/5 [" in result.stdout


def test_watch_plays_the_same_game_for_the_same_seed(run: Run) -> None:
    first, again = (run("watch dino_dice --agents greedy,random --seed 7") for _ in range(2))
    assert first.exit_code == 0
    assert "Player 1 (random):" in first.stdout
    assert "The end." in first.stdout
    assert first.stdout == again.stdout


def test_watch_seats_one_agent_everywhere(run: Run) -> None:
    result = run("watch dino_dice --agents greedy --seed 7 --set num_players=3")
    assert "Player 2 (greedy):" in result.stdout
    assert run("watch dino_dice --agents greedy --seed 7 --num-players 3").stdout == result.stdout
    two = run("watch dino_dice --agents greedy,greedy --seed 7 --num-players 2")
    assert two.exit_code == 0


def test_watch_shows_what_all_see_turn_by_turn(run: Run, game: Game) -> None:
    line = f"watch {game.id} --agents random --seed 5"
    told, alone = run(line).stdout, run(f"{line} --actions-only").stdout
    assert "(you)" not in told
    if game.view.round_text is not None:
        rounds = told.count(" to move:")
        assert rounds > 5
        assert "(random): " not in told, "what one commits the others do not see"
        assert len([line for line in alone.splitlines() if line]) > rounds, "each round is told"
        return
    movers = [line[:8] for line in alone.splitlines() if "(random): " in line]
    turns = [mover for mover, before in zip(movers, ["", *movers], strict=False) if mover != before]
    assert told.count(" to move:") == len(turns)
    assert alone.count(" to move:") == 0
    assert told.count("(random): ") == len(movers)
    assert alone.count("\n\n") <= 5, "a position at the end"


def test_rounds_of_those_who_act_at_once_are_told_when_they_are_over(run: Run) -> None:
    told = run("watch scale_of_trex --agents honest --seed 5 --actions-only").stdout
    assert "\nTick 1: no offers\n" in told
    assert "\nTick 8: 0 offers to 3; 1 offers to 3\n" in told
    assert "1 and 3 turned over orange 2 and blue 4: no match, -1 each" in told
    played = run("play scale_of_trex --opponent honest --seed 5", stdin="1\n1\nq\n").stdout
    assert re.search(r"Player 0 \(you\): perform .* at level 1\.\nTick 1: no offers\n", played)
    assert "(honest): " not in played


def test_what_is_done_in_secret_is_told_once_and_without_the_secret(run: Run) -> None:
    """A die that is hidden, and writings with biscuits in between, of which nothing is told."""
    told = run("watch trex_holiday --agents greedy --seed 5 --actions-only").stdout.splitlines()
    said = [line for line in told if line.startswith("Player ")]
    assert any("hide a die as the T-Rex die, reveal " in line for line in said)
    assert not any("hide the " in line or "biscuit" in line or "shade" in line for line in said)
    assert all(one != other for one, other in itertools.pairwise(said))
    played = run("play trex_holiday --seed 5", stdin="1\n" * 300).stdout
    others = [line for line in played.splitlines() if line.startswith("Player 1 (greedy): ")]
    assert others
    assert not any("hide the " in line or " into " in line for line in others)


def test_of_one_player_alone_everything_is_told(run: Run) -> None:
    told = run("watch trex_holiday --agents greedy --num-players 1 --seed 5 --actions-only").stdout
    assert "Player 0 (greedy): hide the " in told
    assert ": write " in told


def test_watch_shows_every_position_in_a_window(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    closed: list[int] = []

    class Window:
        def __init__(self, title: str, pictures_per_second: float) -> None:
            assert title == "Dino Days"

        def show(self, svg: str) -> None:
            shown.append(svg)

        def close(self) -> None:
            closed.append(1)

    monkeypatch.setattr("dino_envs.views.picture.Window", Window)
    result = run("watch dino_days --agents greedy --seed 7 --render human")
    assert result.exit_code == 0, result.stderr
    assert len(shown) == result.stdout.count("(greedy): ") + 1
    assert not any("(you)" in svg for svg in shown)
    assert closed


def test_one_player_plays_alone(run: Run, solitaire: Game) -> None:
    result = run(f"play {solitaire.id} --num-players 1 --seed 3", stdin="1\n" * 2000)
    assert result.exit_code == 0, result.stderr
    assert "You are Player 0" in result.stdout
    assert "The end. Player 0 (you) " in result.stdout
    assert "win" not in result.stdout.rpartition("The end.")[2]
    refused = run(f"play {solitaire.id} --num-players 1 --opponent random")
    assert refused.exit_code == 2
    assert "against nobody" in refused.stderr


def test_one_agent_is_watched_alone(run: Run, solitaire: Game) -> None:
    result = run(f"watch {solitaire.id} --agents random --num-players 1 --seed 3")
    assert result.exit_code == 0, result.stderr
    assert "The end. Player 0 (random) " in result.stdout
    assert "Player 1" not in result.stdout
    assert result.stdout.count("Player 0 to move") > 10, "the position at every decision"
    refused = run(f"watch {solitaire.id} --agents random,random --num-players 1")
    assert refused.exit_code == 2
    assert "--num-players 1: --agents names 2" in refused.stderr


# Evaluating


def test_evaluate_prints_a_row_for_each_opponent(run: Run) -> None:
    result = run("evaluate dino_dice --agent greedy --against random,expected --games 20")
    assert result.exit_code == 0
    assert "greedy in Dino Dice, 2 players" in result.stdout
    rows = [line.split()[0] for line in result.stdout.splitlines() if line.split()]
    assert {"random", "expected"} <= {*rows}


def test_evaluate_names_a_long_agent_on_one_line() -> None:
    page = StringIO()
    agent = "checkpoint:runs/dino_days-20260101-120000/best"
    rivals = ("checkpoint:runs/mine", "appraiser")
    results = [
        evaluate(load("dino_dice"), "random", "greedy", games=10_000, names=(agent, rival))
        for rival in rivals
    ]
    Console(file=page, width=80).print(report.table(load("dino_dice"), results))
    assert {agent, *rivals} <= {*page.getvalue().split()}


def test_evaluate_climbs_the_ladder_by_default(run: Run) -> None:
    result = run("evaluate dino_dice --agent greedy --games 6 --num-players 3 --json -")
    told = json.loads(result.stdout)
    assert [entry["against"] for entry in told["results"]] == [
        "random",
        "greedy",
        "herder",
        "expected",
    ]
    assert told["num_players"] == 3


def test_evaluate_writes_json(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    result = run(f"evaluate dino_dice --agent greedy --against random --games 9 --json {path}")
    assert result.exit_code == 0
    assert "greedy" in result.stdout
    told = json.loads(path.read_text())
    assert told["agent"] == "greedy"
    assert told["results"][0]["games"] == 10
    assert list(tmp_path.iterdir()) == [path]


def test_evaluate_compares_points_of_games_for_one(run: Run, solitaire: Game) -> None:
    line = f"evaluate {solitaire.id} --agent random --against random --games 9 --num-players 1"
    result = run(line)
    assert result.exit_code == 0, result.stderr
    assert "points, sd" in result.stdout
    told = json.loads(run(f"{line} --json -").stdout)
    assert (told["num_players"], told["results"][0]["games"]) == (1, 9)


# Failures


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("", 2, "Missing command"),
        ("gamse", 2, "games"),
        ("games --frob", 2, "--frob"),
        ("inspect", 2, "GAME"),
        ("inspect dino_dise", 1, "did you mean 'dino_dice'?"),
        ("play dino_dice --opponent greddy", 1, "did you mean 'greedy'?"),
        ("play dino_dice --set targat=3", 1, "did you mean 'target'?"),
        ("play dino_dice --set target=many", 1, "whole number"),
        ("play dino_dice --set tie=never", 1, "shared, turn"),
        ("play dino_dice --set target", 2, "option=value"),
        ("play dino_dice --num-players 9", 1, "2 to 8"),
        ("play dino_dice --seat 2", 2, "0 to 1"),
        ("play dino_dice --seed -1", 2, "--seed"),
        ("play dino_dice --opponent optimal --num-players 3", 1, "num_players=2"),
        ("watch dino_dice", 2, "--agents"),
        ("watch dino_dice --agents ,", 2, "at least one"),
        ("watch dino_dice --agents greedy,greedy,greedy --set num_players=2", 2, "is 3 already"),
        ("watch dino_dice --agents greedy,greedy --num-players 3", 2, "--agents names 2"),
        ("watch dino_dice --agents greedy --render colours", 2, "human"),
        ("evaluate dino_dice --agent nowhere:nobody", 1, "nowhere"),
        ("evaluate dino_dice --agent greedy --games 0", 2, "--games"),
        ("evaluate dino_dice --agent greedy --json /nowhere/file", 2, "/nowhere"),
        ("evaluate dino_dice --agent greedy --against random --json /", 2, "folder"),
    ],
)
def test_a_failure_is_one_line_and_a_code(run: Run, line: str, code: int, told: str) -> None:
    result = run(line)
    assert result.exit_code == code
    assert result.stderr.startswith("dino-envs: ")
    assert result.stderr.count("\n") == 1
    assert told in result.stderr


def test_a_fault_of_the_program_is_one_line_too_and_debug_shows_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: Any) -> None:
        raise TypeError("two\nlines")

    monkeypatch.setattr(evaluating, "_scored", broken)
    line = "evaluate dino_dice --agent greedy"
    result = run(line)
    assert result.exit_code == 1
    assert result.stderr == "dino-envs: TypeError: two lines (--debug shows where)\n"
    assert isinstance(run(f"--debug {line}").exception, TypeError)


def test_numbers_of_players_contradict(run: Run) -> None:
    result = run("evaluate dino_dice --agent greedy --num-players 3 --set num_players=4")
    assert result.exit_code == 2
    assert "num_players is 3 already" in result.stderr


# Commands of other distributions


class Point:
    """An entry point whose load is a given function."""

    dist, module, attr = None, "nowhere_at_all", "greet"

    def __init__(self, load: Callable[[], Any], name: str = "extra") -> None:
        self.load, self.name = load, name


def test_a_command_from_elsewhere_is_listed_loaded_late_and_run(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = []

    def greet(name: str, loud: Annotated[bool, typer.Option(help="Shout.")] = False) -> None:
        """Greets."""
        typer.echo(f"hello {name}" + "!" * loud)

    def load() -> Any:
        loaded.append(1)
        return greet

    monkeypatch.setattr(program, "_plugins", lambda: {"extra": Point(load)})
    assert "From another distribution: see dino-envs extra --help" in run("--help").stdout
    assert run("games").exit_code == 0
    assert not loaded
    assert run("extra rex --loud").stdout == "hello rex!\n"
    assert "Shout." in run("extra --help").stdout
    assert run("extra").exit_code == 2


def test_a_command_from_elsewhere_is_described_unloaded(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = 'raise SystemExit\ndef greet():\n    """Greets [all]\n    of us.\n\n    Or not."""\n'
    (tmp_path / "dino_greetings.py").write_text(source)
    (tmp_path / "dino_broken.py").write_text("def greet(:\n")
    monkeypatch.syspath_prepend(tmp_path)
    point = Point(lambda: None)
    monkeypatch.setattr(program, "_plugins", lambda: {"extra": point})
    point.module = "dino_greetings"
    assert "Greets [all] of us. " in run("--help").stdout
    point.module = "dino_broken"
    assert "From another distribution" in run("--help").stdout


def test_a_missing_requirement_is_answered_with_its_extra(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load() -> Any:
        raise ModuleNotFoundError("No module named 'sb3_contrib.ppo'", name="sb3_contrib.ppo")

    monkeypatch.setattr(program, "_plugins", lambda: {"extra": Point(load)})
    result = run("extra dino_dice")
    assert result.exit_code == 1
    assert result.stderr == (
        "dino-envs: this needs sb3_contrib, which is not installed; "
        'run: pip install "dino-envs[train]"\n'
    )


@pytest.mark.parametrize("spec", ["learnt", "learnt:best"])
def test_an_agent_that_lacks_what_it_requires_names_the_extra(
    run: Run, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    def load() -> Any:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(registry, "entry_points", lambda group: [Point(load, "learnt")])
    result = run(f"play dino_dice --opponent {spec}")
    assert result.exit_code == 1
    assert result.stderr == (
        f"dino-envs: the agent '{spec}' needs torch; install it: pip install \"dino-envs[train]\"\n"
    )
    assert "from another distribution" in run("inspect dino_dice").stdout


def test_an_installed_agent_is_made_with_all_options(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def factory(game: Game, argument: str, options: dict[str, Any]) -> Agent:
        made.append((game.id, argument, options))
        return make_agent("greedy", game, options)

    monkeypatch.setattr(registry, "entry_points", lambda group: [Point(lambda: factory, "learnt")])
    for spec in ("learnt", "learnt:a=1"):
        done = run(f"watch dino_dice --agents {spec} --num-players 3 --set target=60 --seed 1")
        assert done.exit_code == 0, done.stderr
    options = load("dino_dice").complete({"num_players": 3, "target": 60})
    assert made[0] == ("dino_dice", "", options)
    assert made[-1] == ("dino_dice", "a=1", options)
    assert "did you mean 'learnt'?" in run("play dino_dice --opponent leernt").stderr


# Arguments


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


# As a user starts it


def test_the_program_starts_without_the_learning_libraries() -> None:
    script = (
        "import sys; from dino_envs.cli import app\n"
        "try: app(['games'], prog_name='dino-envs')\n"
        "except SystemExit as end: assert not end.code\n"
        "assert not {'torch', 'dino_training'} & set(sys.modules)\n"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "dino_dice" in result.stdout


def test_help_lists_the_installed_commands_and_starts_no_engine() -> None:
    script = (
        "import sys; from dino_envs.cli import app\n"
        "try: app(['--help'], prog_name='dino-envs')\n"
        "except SystemExit as end: assert not end.code\n"
        "assert not {'numba', 'torch', 'dino_training.command'} & set(sys.modules)\n"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "Trains a policy against bots" in result.stdout


def test_json_alone_on_standard_output() -> None:
    line = "evaluate dino_dice --agent greedy --against random --games 20 --json -"
    result = as_user(*line.split())
    assert result.returncode == 0
    assert json.loads(result.stdout)["game"] == "dino_dice"


def test_a_failing_command_as_a_user_sees_it() -> None:
    result = as_user("evaluate", "dino_dice", "--agent", "optiml")
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.splitlines()[-1] == (
        "dino-envs: there is no agent 'optiml'; did you mean 'optimal'?"
    )
    assert "Traceback" not in result.stderr


def test_a_person_plays_through_a_pipe() -> None:
    result = as_user("play", "dino_dice", "--seed", "2", input="1\nq\n")
    assert result.returncode == 0
    assert "Player 0 (you):" in result.stdout
