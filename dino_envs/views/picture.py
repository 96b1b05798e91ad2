"""Turns a game's picture into pixels, and shows it in a window."""

from __future__ import annotations

import io
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dino_envs.engine.errors import MissingExtraError, NoDisplayError

FONTS = sorted(str(path) for path in (Path(__file__).parent / "fonts").glob("*.ttf"))
"""The fonts that ship with the package: a picture looks the same on every machine."""


def rasterise(svg: str) -> npt.NDArray[np.uint8]:
    """Returns the pixels of a picture, uint8 [height, width, 3].

    Raises:
        MissingExtraError: the packages that draw are not installed.
    """
    try:
        import resvg_py
    except ImportError as missing:
        raise _missing(missing) from missing
    pygame = _pygame()
    png = resvg_py.svg_to_bytes(
        svg_string=svg, background="white", skip_system_fonts=True, font_files=FONTS
    )
    picture = pygame.image.load(io.BytesIO(png), "picture.png")
    width, height = picture.get_size()
    pixels = np.frombuffer(pygame.image.tobytes(picture, "RGB"), np.uint8)
    return pixels.reshape(height, width, 3).copy()


class Window:
    """A window on the screen that shows one picture after the other.

    Args:
        title: what stands above the window.
        pictures_per_second: `show` waits so that no more are shown; 0 never waits.

    Someone may close the window while a game runs: the game goes on, and `show` does nothing more.
    """

    def __init__(self, title: str = "dino-envs", pictures_per_second: float = 0) -> None:
        self.title = title
        self.pictures_per_second = pictures_per_second
        self.is_open = True
        self._surface: Any = None
        self._shown_at = 0

    def show(self, svg: str) -> bool:
        """Shows a picture and returns whether the window is open still.

        Raises:
            MissingExtraError: the packages that draw are not installed.
            NoDisplayError: there is no screen.
        """
        if not self.is_open:
            return False
        pygame, pixels = _pygame(), rasterise(svg)
        size = (pixels.shape[1], pixels.shape[0])
        if not self._is_shown(pygame) or self._surface.get_size() != size:
            self._open(pygame, size)
        picture = pygame.image.frombuffer(pixels.tobytes(), size, "RGB")
        self._surface.blit(picture, (0, 0))
        pygame.display.flip()
        self._wait(pygame)
        return self.is_open

    def close(self) -> None:
        """Closes the window; closing twice is harmless."""
        if self._is_shown(_pygame()):
            _pygame().display.quit()
        self._surface, self.is_open = None, False

    def _is_shown(self, pygame: Any) -> bool:
        """Returns whether the one window that pygame has is this one, not another's or none."""
        if self._surface is None or not pygame.display.get_init():
            return False
        return pygame.display.get_surface() is self._surface

    def _open(self, pygame: Any, size: tuple[int, int]) -> None:
        try:
            pygame.display.init()
            driver = pygame.display.get_driver()
            # Where there is no screen SDL takes this driver unasked, and nobody sees anything.
            if driver == "offscreen" != os.environ.get("SDL_VIDEODRIVER"):
                pygame.display.quit()
                raise pygame.error("no screen was found")
            self._surface = pygame.display.set_mode(size)
        except pygame.error as error:
            raise NoDisplayError(
                f"no window can be opened here ({error}); use render_mode='rgb_array' or 'ansi', "
                "or set the environment variable SDL_VIDEODRIVER=dummy to draw into nothing"
            ) from error
        pygame.display.set_caption(self.title)
        self._shown_at = pygame.time.get_ticks()

    def _wait(self, pygame: Any) -> None:
        """Answers the screen's events until the next picture may be shown."""
        pause = 1000 / self.pictures_per_second if self.pictures_per_second else 0
        while True:
            if pygame.event.get(pygame.QUIT):
                self.close()
                return
            pygame.event.clear()
            left = self._shown_at + pause - pygame.time.get_ticks()
            if left <= 0:
                break
            pygame.time.wait(int(min(left, 20)) + 1)
        self._shown_at = pygame.time.get_ticks()


@cache
def _pygame() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError as missing:
        raise _missing(missing) from missing
    return pygame


def _missing(missing: ImportError) -> MissingExtraError:
    return MissingExtraError(
        f'drawing needs {missing.name}; install it: pip install "dino-envs[render]"',
        name=missing.name,
    )
