"""Reads what an entry point says of itself, without running its module."""

from __future__ import annotations

import ast
import importlib.util
from importlib.metadata import EntryPoint
from typing import Any


def first_paragraph(point: EntryPoint) -> str:
    """Returns the first paragraph of a function's docstring as one line, empty if unknown."""
    try:
        spec = importlib.util.find_spec(point.module)
        loader: Any = spec and spec.loader
        body = ast.parse(loader.get_source(point.module)).body
    except Exception:  # whatever is wrong with one of them, the others are shown
        return ""
    for found in body:
        if isinstance(found, ast.FunctionDef) and found.name == point.attr:
            return " ".join((ast.get_docstring(found) or "").partition("\n\n")[0].split())
    return ""


def origin(point: EntryPoint) -> str:
    """Returns the name of the distribution that an entry point comes from."""
    return point.dist.name if point.dist else "another distribution"
