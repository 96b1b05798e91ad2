"""Draws: the few SVG elements, colours and fonts that the pictures of all games are made of.

Every function returns SVG as text; a picture is what they return, joined. Lengths are pixels.
"""

from __future__ import annotations

from html import escape
from math import cos, pi, sin

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
    shape = path(outline(_OUTLINES[species]), fill, stroke=fill, stroke_width=1.2)
    parts = shape + circle(*_EYES[species], 2.2, CARD)
    if looks_left:
        parts = element("g", parts, transform="translate(100 0) scale(-1 1)")
    return group(parts, x=x, y=y, scale=scale)


_OUTLINES = {
    "Triceratops": (
        "2,41! 14,31 24,22 38,18 52,19 60,12 60,3! 66,8 72,7! 72,12 78,17 94,6! 84,22 90,28 "
        "97,24! 96,33 98,41! 90,42 80,43 72,42 70,48 70,60! 60,60! 59,49 46,51 36,49 36,60! "
        "26,60! 25,48 20,42 12,40"
    ),
    "Ankylosaurus": (
        "2,32 6,25 14,25 18,31 26,34 32,27! 36,29 40,20! 45,23 51,17! 56,21 63,17! 66,22 73,20! "
        "74,26 80,25! 84,30 92,32 97,39 94,46 84,48 76,47 75,60! 65,60! 64,50 52,53 42,51 41,60! "
        "31,60! 30,49 24,43 16,38 8,39"
    ),
    "Rex": (
        "1,27! 16,29 30,25 42,22 52,18 58,9 66,2 80,2 94,7 98,14 96,18! 80,19! 93,24! 82,27 73,27 "
        "69,33 76,37! 77,42! 71,41 66,42 60,46 63,51 59,55 60,59 68,62! 50,62! 51,54 46,49 41,54 "
        "40,59 47,62! 30,62! 33,53 31,44 26,38 14,34"
    ),
    "Stegosaurus": (
        "1,30! 10,33 8,26! 16,34 22,30! 18,22 20,15! 28,20 30,25! 28,14 33,5! 42,12 42,19! "
        "42,8 50,0! 58,9 58,18! 61,11 69,7! 74,15 72,24! 82,33 92,38 98,44 94,49 84,48 74,46 "
        "70,49 70,60! 61,60! 60,50 48,51 38,48 37,60! 27,60! 27,48 22,42 12,38"
    ),
    "Edmontosaurus": (
        "1,30! 14,33 28,26 42,22 54,22 62,17 66,8 74,4 82,5 88,11 98,15 98,19 88,20 78,20 74,27 "
        "71,34 74,42 72,50! 67,50! 67,44 63,39 58,42 56,47 54,52 56,60! 62,62! 45,62! 46,52 42,46 "
        "38,50 36,60! 42,62! 25,62! 28,50 26,42 14,38"
    ),
    "Brachiosaurus": (
        "1,50! 10,44 20,34 32,28 46,26 58,24 66,18 72,8 77,2 85,1 90,4 97,7 96,11 86,12 81,13 "
        "79,22 74,34 68,42 67,62! 58,62! 57,48 46,49 38,48 37,62! 28,62! 27,47 20,46 10,50"
    ),
}
"""The outlines of dinosaurs in a box of 100 by 64, looking right; see `outline`."""
_EYES = {
    "Triceratops": (82, 29),
    "Ankylosaurus": (89, 37),
    "Rex": (76, 8),
    "Stegosaurus": (91, 42.5),
    "Edmontosaurus": (79, 10),
    "Brachiosaurus": (84, 5.5),
}
