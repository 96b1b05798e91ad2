"""Writes HTML: a page that needs no other file."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; margin: .6rem 0 1rem; font-size: .9rem; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #e4e4e4;
         vertical-align: top; overflow-wrap: anywhere; }
th { border-bottom: 1px solid #888; } td.number { font-variant-numeric: tabular-nums; }
figure { margin: .8rem 0; } figure img { max-width: 100%; }
figcaption, .remark { color: #555; font-size: .9rem; }
pre { background: #f6f6f6; padding: .8rem; overflow-x: auto; font-size: .85rem; }
""".strip()


def page(title: str, parts: Iterable[str]) -> str:
    """Returns a whole page."""
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{_STYLE}\n</style>",
            "</head>",
            "<body>",
            f"<h1>{escape(title)}</h1>",
            *parts,
            "</body>",
            "</html>",
            "",
        ]
    )


def section(title: str, *parts: str) -> str:
    """Returns a section with a heading."""
    return "\n".join(["<section>", f"<h2>{escape(title)}</h2>", *parts, "</section>"])


def paragraph(text: str) -> str:
    """Returns a paragraph."""
    return f"<p>{escape(text)}</p>"


def remark(text: str) -> str:
    """Returns a paragraph in small type."""
    return f'<p class="remark">{escape(text)}</p>'


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a table; values are shown as `str` has them."""
    lines = ["<table>", _row("th", headings)]
    lines += [_row("td", list(map(str, row))) for row in rows]
    return "\n".join([*lines, "</table>"])


def _row(kind: str, cells: Sequence[str]) -> str:
    inside = "".join(_cell(kind, cell) for cell in cells)
    return f"<tr>{inside}</tr>"


def _cell(kind: str, text: str) -> str:
    number = ' class="number"' if kind == "td" and text[:1].isdecimal() else ""
    return f"<{kind}{number}>{escape(text)}</{kind}>"


def interval(ends: Sequence[float]) -> str:
    """Returns an interval as text."""
    return f"{ends[0]:.4f} to {ends[1]:.4f}"


def figure(svg: bytes, caption: str) -> str:
    """Returns a picture that is part of the page."""
    data = base64.b64encode(svg).decode("ascii")
    picture = f'<img alt="{escape(caption)}" src="data:image/svg+xml;base64,{data}">'
    return f"<figure>\n{picture}\n<figcaption>{escape(caption)}</figcaption>\n</figure>"


def verbatim(text: str) -> str:
    """Returns a text as it stands."""
    return f"<pre>{escape(text)}</pre>"
