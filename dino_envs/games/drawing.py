"""Draws: the few SVG elements, colours and fonts that the pictures of all games are made of.

Every function returns SVG as text; a picture is what they return, joined. Lengths are pixels.
"""

from __future__ import annotations

from html import escape
from math import cos, pi, sin

from dino_envs.games.silhouettes import EYES, OUTLINES, SYMBOLS

INK = "#23303d"
FAINT = "#6b7785"
LINE = "#d5d9de"
PAPER = "#f4f1ea"
CARD = "#ffffff"
ACCENT = "#1f6f8b"
GOLD = "#f2b632"

FONT = "'DejaVu Sans', sans-serif"
"""The font that ships with the package, then whatever the reader has."""


def number(value: float) -> str:
    """Returns a length as SVG writes it: at most two decimals, no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def element(name: str, *parts: str, **attributes: str | float | None) -> str:
    """Returns one element around the parts; `font_size` is `font-size`, None is left out."""
    written = "".join(
        f' {key.replace("_", "-")}="{escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(parts)}</{name}>" if parts else f"<{name}{written}/>"


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str = "none",
    *,
    radius: float = 0,
    stroke: str | None = None,
    stroke_width: float = 1,
    dash: str | None = None,
) -> str:
    """Returns a rectangle, with rounded corners if it has a radius."""
    return element(
        "rect",
        x=x,
        y=y,
        width=width,
        height=height,
        rx=radius or None,
        fill=fill,
        stroke=stroke,
        stroke_width=stroke_width if stroke else None,
        stroke_dasharray=dash,
    )


def circle(x: float, y: float, radius: float, fill: str, *, stroke: str | None = None) -> str:
    """Returns a circle around (x, y)."""
    return element("circle", cx=x, cy=y, r=radius, fill=fill, stroke=stroke)


def path(
    data: str, fill: str = "none", *, stroke: str | None = None, stroke_width: float = 1
) -> str:
    """Returns a path."""
    width = stroke_width if stroke else None
    return element(
        "path", d=data, fill=fill, stroke=stroke, stroke_width=width, stroke_linejoin="round"
    )


def text(
    x: float,
    y: float,
    content: object,
    size: float = 14,
    fill: str = INK,
    *,
    bold: bool = False,
    anchor: str = "start",
) -> str:
    """Returns one line of text on the base line y; `anchor` is start, middle or end."""
    return element(
        "text",
        escape(str(content)),
        x=x,
        y=y,
        font_size=size,
        fill=fill,
        font_weight="bold" if bold else None,
        text_anchor=None if anchor == "start" else anchor,
    )


def group(
    *parts: str, x: float = 0, y: float = 0, scale: float = 1, opacity: float | None = None
) -> str:
    """Returns the parts moved to (x, y), scaled and made translucent."""
    moved = f"translate({number(x)} {number(y)})" if x or y else ""
    scaled = f"scale({number(scale)})" if scale != 1 else ""
    return element("g", *parts, transform=f"{moved} {scaled}".strip() or None, opacity=opacity)


def document(width: int, height: int, title: str, *parts: str) -> str:
    """Returns a whole picture on a plain background; `title` is read out to who cannot see it."""
    return element(
        "svg",
        element("title", escape(title)),
        rect(0, 0, width, height, PAPER),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {width} {height}",
        font_family=FONT,
        role="img",
    )


def outline(points: str) -> str:
    """Returns the data of a closed curve through "x,y x,y ...", with a corner at every "x,y!"."""
    corners = [point.endswith("!") for point in points.split()]
    places = [
        (float(x), float(y)) for x, y in (point.rstrip("!").split(",") for point in points.split())
    ]
    count = len(places)
    tangents = []
    for i in range(count):
        (x0, y0), (x1, y1) = places[i - 1], places[(i + 1) % count]
        tangents.append((0.0, 0.0) if corners[i] else ((x1 - x0) / 6, (y1 - y0) / 6))
    data = [f"M{number(places[0][0])} {number(places[0][1])}"]
    for i in range(count):
        j = (i + 1) % count
        (x0, y0), (x1, y1) = places[i], places[j]
        (u0, v0), (u1, v1) = tangents[i], tangents[j]
        controls = (x0 + u0, y0 + v0, x1 - u1, y1 - v1, x1, y1)
        data.append("C" + " ".join(number(value) for value in controls))
    return "".join(data) + "Z"


def star(x: float, y: float, radius: float, fill: str) -> str:
    """Returns a star around (x, y): a winner."""
    points = []
    for i in range(10):
        reach = radius if i % 2 == 0 else radius * 0.45
        points.append((x + reach * sin(pi * i / 5), y - reach * cos(pi * i / 5)))
    return path("M" + "L".join(f"{number(px)} {number(py)}" for px, py in points) + "Z", fill)


def flag(x: float, y: float, fill: str) -> str:
    """Returns a little flag with its top left corner at (x, y)."""
    return group(
        path("M1 0V12", stroke=INK, stroke_width=1.6), path("M2 0H11L8 3.5L11 7H2Z", fill), x=x, y=y
    )


def dinosaur(
    species: str, x: float, y: float, scale: float, fill: str, *, looks_left: bool = False
) -> str:
    """Returns the silhouette of a dinosaur in a box of 100 by 64 (times scale) at (x, y)."""
    shape = path(outline(OUTLINES[species]), fill, stroke=fill, stroke_width=1.2)
    parts = shape + circle(*EYES[species], 2.2, CARD)
    if looks_left:
        parts = element("g", parts, transform="translate(100 0) scale(-1 1)")
    return group(parts, x=x, y=y, scale=scale)


def symbol(name: str, x: float, y: float, scale: float, fill: str) -> str:
    """Returns the symbol of what is no dinosaur in a box of 100 by 64 (times scale) at (x, y)."""
    parts = []
    for shape, is_hole in SYMBOLS[name]:
        colour = CARD if is_hole else fill
        if isinstance(shape, str):
            parts.append(path(outline(shape), colour))
        else:
            parts.append(circle(*shape, colour))
    return group(*parts, x=x, y=y, scale=scale)


def cut_out(
    x: float, y: float, width: float, height: float, *parts: str, box: tuple[float, ...]
) -> str:
    """Returns what of the parts lies in a box (x, y, width, height), fitted to another place."""
    view = " ".join(number(value) for value in box)
    return element("svg", *parts, x=x, y=y, width=width, height=height, viewBox=view)
