"""Draws results as pictures, with matplotlib, which the extra `train` brings."""

from __future__ import annotations

import importlib
import io
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dino_envs.evaluation.interval import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dino_envs.evaluation.tournament import Tournament

_STYLE: Any = {
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "legend.frameon": False,
    "svg.hashsalt": "dino-envs",
}
_COLOURS = ("#3a6ea5", "#c8553d", "#588157", "#8d6a9f", "#d4a017", "#4a9c9c", "#7f5539", "#777777")
_LONGEST = 28
"""Characters of an agent's name on a picture."""

Curve = tuple[Sequence[float], Sequence[float], Sequence[Interval] | None]
"""Places, values, and the interval of each value."""


def check() -> None:
    """Raises `ModuleNotFoundError` if matplotlib is not installed."""
    importlib.import_module("matplotlib")


def heat_map(title: str, played: Tournament) -> Figure:
    """Draws the score of every agent against every other."""
    names, scores = [_short(name) for name in played.agents], played.payoff()
    size = 2.6 + 0.62 * len(names)
    figure, axes = _figure(size + 0.8, size)
    image = axes.imshow(scores, cmap="RdBu", vmin=0.0, vmax=1.0)
    places = np.arange(len(names))
    axes.set_xticks(places, names, rotation=40, ha="right")
    axes.set_yticks(places, names)
    for i, j in np.argwhere(~np.isnan(scores)).tolist():
        colour = "white" if abs(scores[i, j] - 0.5) > 0.3 else "black"
        axes.text(j, i, f"{scores[i, j]:.3f}", ha="center", va="center", color=colour, size=8)
    axes.spines[:].set_visible(False)
    axes.set_title(f"{title}: score of the row against the column")
    figure.colorbar(image, ax=axes, shrink=0.8)
    return figure


def rating_plot(title: str, played: Tournament) -> Figure:
    """Draws the ratings with their 95% intervals, the strongest on top."""
    ranked = played.ratings.ranked()[::-1]
    figure, axes = _figure(6.4, 1.4 + 0.36 * len(ranked))
    for place, each in enumerate(ranked):
        low, high = each.ci95
        axes.plot([low, high], [place, place], color=_COLOURS[0], linewidth=2.0)
        axes.plot([each.rating], [place], "o", color=_COLOURS[0], markersize=5)
        axes.annotate(
            f"{each.rating + 0.0:.0f}",
            (each.rating, place),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            size=8,
        )
    axes.set_yticks(range(len(ranked)), [_short(each.agent) for each in ranked])
    axes.set_ylim(-0.6, len(ranked) - 0.3)
    axes.grid(axis="x")
    axes.set_xlabel(f"Elo points above {played.ratings.anchor}, 95% intervals")
    axes.set_title(f"{title}: ratings")
    return figure


def curves(
    title: str, across: str, up: str, told: Mapping[str, Curve], level: float | None = None
) -> Figure:
    """Draws curves by name, with a band for their intervals, and a level to compare with."""
    figure, axes = _figure(6.4, 3.4)
    if level is not None:
        axes.axhline(level, color="#999999", linewidth=0.8, linestyle="--")
    for number, (name, (places, values, intervals)) in enumerate(told.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        axes.plot(places, values, ".-", color=colour, label=_short(name), linewidth=1.4)
        if intervals is not None:
            low, high = zip(*intervals, strict=True)
            axes.fill_between(places, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.grid()
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.set_title(title)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def bars(title: str, up: str, places: Sequence[Any], told: Mapping[str, Sequence[float]]) -> Figure:
    """Draws bars side by side: at each place one for each name."""
    figure, axes = _figure(6.4, 3.0)
    width = 0.8 / len(told)
    for number, (name, values) in enumerate(told.items()):
        left = np.arange(len(places)) + (number - (len(told) - 1) / 2) * width
        axes.bar(left, values, width, color=_COLOURS[number % len(_COLOURS)], label=_short(name))
    axes.set_xticks(range(len(places)), [str(place) for place in places])
    if sum(len(str(place)) for place in places) > 60:
        axes.tick_params(axis="x", labelrotation=40)
    axes.grid(axis="y")
    axes.set_ylabel(up)
    axes.set_title(title)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def histogram(title: str, across: str, told: Mapping[str, Sequence[float]]) -> Figure:
    """Draws how often values occur, as shares, on the same bins for each name."""
    figure, axes = _figure(6.4, 3.0)
    everything = np.concatenate([np.asarray(values, float) for values in told.values()])
    low, high = float(everything.min()), float(everything.max())
    step = max(1, int(np.ceil((high - low + 1) / 40)))  # whole numbers fall into equal bins
    edges = np.arange(low, high + step + 1, step) - 0.5
    for number, (name, values) in enumerate(told.items()):
        shares = np.full(len(values), 1.0 / max(1, len(values)))
        colour = _COLOURS[number % len(_COLOURS)]
        axes.hist(
            values, edges.tolist(), weights=shares, color=colour, alpha=0.55, label=_short(name)
        )
    axes.grid(axis="y")
    axes.set_xlabel(across)
    axes.set_ylabel("share")
    axes.set_title(title)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def png(figure: Figure) -> bytes:
    """Returns a picture as a PNG file."""
    page = io.BytesIO()
    figure.savefig(page, format="png", dpi=150, bbox_inches="tight")
    return page.getvalue()


def svg(figure: Figure) -> bytes:
    """Returns a picture as an SVG file, the same bytes for the same picture."""
    import matplotlib

    page = io.BytesIO()
    with matplotlib.rc_context(_STYLE):
        figure.savefig(page, format="svg", bbox_inches="tight", metadata={"Date": None})
    return page.getvalue()


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    """Returns a figure that belongs to no window, and its axes."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout=None)
        return figure, figure.add_subplot()


def _short(name: str) -> str:
    return textwrap.shorten(name, _LONGEST, placeholder="...") if " " in name else _end(name)


def _end(name: str) -> str:
    """Returns a name whose start is cut off: the end of a path tells more."""
    return name if len(name) <= _LONGEST else "..." + name[3 - _LONGEST :]
