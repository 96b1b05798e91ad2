"""Pictures of every game: pixels on any machine, and a window."""

import os
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from dino_envs.engine import FORFEITED, MissingExtraError, NoDisplayError
from dino_envs.games import drawing

pytest.importorskip("pygame")
pytest.importorskip("resvg_py")

from dino_envs.views import picture

SQUARE = drawing.document(30, 20, "a red square", drawing.rect(0, 0, 10, 10, "#ff0000"))


def dealt(game, **options):
    state = game.new_states(1, **options)[0]
    game.kernels.reset(state, np.uint64(7))
    return state


def play(game, state):
    mask = np.zeros(game.actions.size, np.int8)
    game.kernels.legal_actions(state, mask)
    game.kernels.step(state, int(np.flatnonzero(mask)[0]))


@pytest.fixture
def dummy_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def test_pixels_are_rows_of_red_green_and_blue():
    pixels = picture.rasterise(SQUARE)
    assert pixels.shape == (20, 30, 3)
    assert pixels.dtype == np.uint8
    assert pixels[5, 5].tolist() == [255, 0, 0]
    assert pixels[15, 25].tolist() == [0xF4, 0xF1, 0xEA]


def test_pixels_belong_to_the_caller():
    first, second = picture.rasterise(SQUARE), picture.rasterise(SQUARE)
    first[:] = 0
    assert second.any()


def test_a_picture_changes_with_the_position(game):
    state = dealt(game)
    before = picture.rasterise(game.view.svg(state, 0))
    play(game, state)
    after = picture.rasterise(game.view.svg(state, 0))
    assert before.shape == after.shape
    assert (before != after).any()


def test_looking_changes_nothing(game):
    state = dealt(game)
    before = state.tobytes()
    for seat in (None, *range(int(state.num_players))):
        game.view.svg(state, seat)
        game.view.text(state, seat)
    mask = np.zeros(game.actions.size, np.int8)
    game.kernels.legal_actions(state, mask)
    for action in np.flatnonzero(mask):
        for seat in (None, *range(int(state.num_players))):
            game.view.action_text(state, int(action), seat)
    assert state.tobytes() == before


def test_the_same_position_is_the_same_picture(game):
    assert game.view.svg(dealt(game), 0) == game.view.svg(dealt(game), 0)


def test_every_action_has_a_name_of_its_own_and_back(game):
    actions = range(game.actions.size)
    assert [game.view.action_number(game.view.action_name(action)) for action in actions] == [
        *actions
    ]


def test_all_texts_stay_within_the_picture(game):
    """Draws the picture with a margin around it, on which nothing may show."""
    state = dealt(game, num_players=game.max_players)
    assert margin_is_empty(game.view.svg(state, game.max_players - 1))


def margin_is_empty(svg, margin=40):
    root = ElementTree.fromstring(svg)
    width, height = int(root.get("width")), int(root.get("height"))
    root.set("width", str(width + 2 * margin))
    root.set("height", str(height + 2 * margin))
    root.set("viewBox", f"{-margin} {-margin} {width + 2 * margin} {height + 2 * margin}")
    pixels = picture.rasterise(ElementTree.tostring(root, encoding="unicode"))
    outside = np.ones(pixels.shape[:2], bool)
    outside[margin:-margin, margin:-margin] = False
    return bool((pixels[outside] == 255).all())


def test_a_text_beyond_the_edge_is_found():
    assert not margin_is_empty(drawing.document(60, 20, "", drawing.text(40, 15, "too long")))


def test_markup_in_a_text_is_only_text():
    svg = drawing.document(60, 20, "<&>", drawing.text(5, 15, "a < b & c"))
    assert "a < b & c" in list(ElementTree.fromstring(svg).itertext())


LONELY = """
import hashlib
from dino_envs.games import drawing
from dino_envs.views.picture import rasterise
svg = drawing.document(90, 20, "", drawing.text(5, 15, "Dino 123"))
print(hashlib.sha256(rasterise(svg).tobytes()).hexdigest(), (rasterise(svg) < 100).sum() > 50)
"""


def test_no_screen_and_no_system_fonts_are_needed():
    bare = {key: value for key, value in os.environ.items() if "DISPLAY" not in key}
    bare.pop("SDL_VIDEODRIVER", None)
    answers = [
        subprocess.run(
            [sys.executable, "-c", LONELY], env=env, capture_output=True, text=True, check=True
        ).stdout.split()
        for env in (bare | {"FONTCONFIG_FILE": "/dev/null", "HOME": "/nonexistent"}, os.environ)
    ]
    assert answers[0][1] == "True", "the text was not drawn"
    assert answers[0] == answers[1]


@pytest.mark.parametrize("package", ["pygame", "resvg_py"])
def test_a_missing_package_names_the_command_that_brings_it(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    picture._pygame.cache_clear()
    with pytest.raises(MissingExtraError, match=r'pip install "dino-envs\[render\]"') as refused:
        picture.rasterise(SQUARE)
    assert package in str(refused.value)
    assert isinstance(refused.value, ImportError)


@pytest.mark.usefixtures("dummy_screen")
def test_a_window_shows_pictures_of_changing_size():
    import pygame

    window = picture.Window("title")
    assert window.show(SQUARE)
    assert pygame.display.get_surface().get_size() == (30, 20)
    assert pygame.display.get_surface().get_at((5, 5))[:3] == (255, 0, 0)
    assert pygame.display.get_caption()[0] == "title"
    assert window.show(drawing.document(50, 40, "larger"))
    assert pygame.display.get_surface().get_size() == (50, 40)
    window.close()
    window.close()
    assert not window.show(SQUARE)


@pytest.mark.usefixtures("dummy_screen")
def test_someone_may_close_the_window_while_the_game_goes_on():
    import pygame

    window = picture.Window()
    window.show(SQUARE)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert not window.show(SQUARE)
    assert not window.show(SQUARE)
    assert not pygame.display.get_init()


@pytest.mark.usefixtures("dummy_screen")
def test_a_window_waits_between_pictures():
    import pygame

    window = picture.Window(pictures_per_second=20)
    window.show(SQUARE)
    start = pygame.time.get_ticks()
    window.show(SQUARE)
    window.show(SQUARE)
    assert pygame.time.get_ticks() - start >= 90
    window.close()


def test_without_a_screen_the_message_says_what_to_do(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    with pytest.raises(NoDisplayError, match="SDL_VIDEODRIVER=dummy"):
        picture.Window().show(SQUARE)


def test_nobody_is_called_the_winner_after_an_illegal_action(game):
    state = dealt(game)
    state.ending = FORFEITED
    for shown in (game.view.text(state, 0), game.view.svg(state, 0)):
        assert "loses by an illegal action" in shown
        assert "wins" not in shown
        assert "share the win" not in shown
