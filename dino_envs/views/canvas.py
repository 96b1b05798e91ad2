"""Shows a position in the ways that environments know: text, SVG, an array, a window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium

from dino_envs.engine import Game, OptionError
from dino_envs.engine.game import Record

if TYPE_CHECKING:
    from dino_envs.views.picture import Window

MODES = ("human", "rgb_array", "svg", "ansi")
"""A window, an array uint8 [H, W, 3], SVG as text, plain text."""

PICTURES_PER_SECOND = 2
"""How fast a window follows a game."""

METADATA = {"render_modes": list(MODES), "render_fps": PICTURES_PER_SECOND}
"""What environments say about their rendering."""


class Canvas:
    """Renders one game in one mode (None: not at all).

    The position is drawn as the seat sees it that is given, or the seat to move.
    """

    def __init__(self, game: Game, mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise OptionError(f"render_mode={mode!r}: choose one of {', '.join(MODES)}, or None")
        self.game = game
        self.mode = mode
        self._window: Window | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Returns everything but the window: a copy opens its own."""
        return {**self.__dict__, "_window": None}

    def svg(self, state: Record, seat: int | None = None) -> str:
        """Returns the picture of a position as SVG."""
        return self.game.view.svg(state, int(state.current_player) if seat is None else seat)

    def changed(self, state: Record, seat: int | None = None) -> None:
        """Brings the window up to date, in the mode `human`."""
        if self.mode == "human":
            self._show(self.svg(state, seat))

    def render(self, state: Record, seat: int | None = None) -> Any:
        """Returns the position in this mode: an array, SVG, text, or None for a window."""
        if self.mode is None:
            gymnasium.logger.warn(
                f"render() needs a render mode: give render_mode, one of {', '.join(MODES)}, "
                "when making the environment"
            )
            return None
        if self.mode == "ansi":
            looker = int(state.current_player) if seat is None else seat
            return self.game.view.text(state, looker)
        picture = self.svg(state, seat)
        if self.mode == "svg":
            return picture
        if self.mode == "human":
            self._show(picture)
            return None
        from dino_envs.views.picture import rasterise  # needs the extra [render]

        return rasterise(picture)

    def _show(self, picture: str) -> None:
        from dino_envs.views.picture import Window  # needs the extra [render]

        if self._window is None:
            self._window = Window(self.game.title, PICTURES_PER_SECOND)
        self._window.show(picture)

    def close(self) -> None:
        """Closes the window, if one is open."""
        if self._window is not None:
            self._window.close()
            self._window = None
