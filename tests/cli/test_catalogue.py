"""What there is: the games, and what `inspect` tells of each."""

from io import StringIO

from rich.console import Console

from dino_envs.cli import catalogue
from dino_envs.engine import Game
from dino_envs.games import load
from dino_envs.views.registration import camel_case, gymnasium_id

from .conftest import Run


def test_games_lists_every_game(run: Run, game: Game) -> None:
    result = run("games")
    assert result.exit_code == 0
    row = next(line for line in result.stdout.splitlines() if line.split()[:1] == [game.id])
    for told in (game.title, game.actions.size, game.observation.size):
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
