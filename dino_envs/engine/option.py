"""The options of a game: what values each takes, and what the state holds of them."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dino_envs.engine.errors import OptionError

_LONGEST = 80
"""Characters of a given value that a message repeats."""


class AnyOption(Protocol):
    """What every kind of option can do; a game may bring a kind of its own.

    Values are plain, as JSON and YAML hold them, so that they can be kept and compared.
    """

    @property
    def default(self) -> Any:
        """Returns the value where none is given; the caller may change it."""

    @property
    def doc(self) -> str:
        """Returns what the option does."""

    @property
    def values(self) -> str:
        """Returns which values are allowed, for tables: `1 to 1000`."""

    @property
    def extremes(self) -> Sequence[Any]:
        """Returns values at the edges of what is allowed, which tests try."""

    def complete(self, name: str, value: Any) -> Any:
        """Returns a value in full, as a new plain one; raises `OptionError` if not allowed."""

    def encode(self, name: str, value: Any) -> int | npt.NDArray[Any]:
        """Returns what the state's field holds for a value; raises as `complete`."""

    def parse(self, text: str) -> Any:
        """Returns the value typed on the command line, unchecked: `complete` refuses it better."""

    def text(self, value: Any) -> str:
        """Returns a value as it is typed on the command line, without spaces."""


@dataclass(frozen=True)
class Option:
    """A whole number in [low, high], or one of the names `choices`: the state holds its index."""

    default: int | str
    doc: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    @property
    def values(self) -> str:
        """Returns the range, or the names."""
        return ", ".join(self.choices) or f"{self.low} to {self.high}"

    @property
    def extremes(self) -> Sequence[int | str]:
        """Returns both ends of the range, or all names."""
        return self.choices or (self.low, self.high)

    def complete(self, name: str, value: Any) -> int | str:
        """Returns the value; raises `OptionError` if it is not allowed."""
        if not self.choices:
            return _whole_number(name, value, self.low, self.high)
        if isinstance(value, str) and value in self.choices:
            return str(value)
        raise OptionError(f"{name}={shown(value)}: choose one of {', '.join(self.choices)}")

    def encode(self, name: str, value: Any) -> int:
        """Returns the number, or the name's index; raises as `complete`."""
        known = self.complete(name, value)
        return known if isinstance(known, int) else self.choices.index(known)

    def parse(self, text: str) -> int | str:
        """Returns the number or the name that is typed."""
        return text if self.choices else _number_or_text(text)

    def text(self, value: Any) -> str:
        """Returns the value as it is typed."""
        return str(value)


class Counts:
    """A whole number in [low, high] for each of some names: {"meteor": 2, "scientist": 1}.

    The default names all of them, in the order in which the state's field holds their counts. A
    value is a mapping, or a text such as `meteor:2,scientist:1` or `{"meteor": 2}`; names it leaves
    out keep their default.
    """

    def __init__(self, default: Mapping[str, int], doc: str, *, low: int = 0, high: int) -> None:
        self._default = dict(default)
        self.doc, self.low, self.high = doc, low, high

    @property
    def default(self) -> dict[str, int]:
        """Returns a new dict of all counts."""
        return dict(self._default)

    @property
    def values(self) -> str:
        """Returns the range of a count."""
        return f"{self.low} to {self.high} of each"

    @property
    def extremes(self) -> Sequence[dict[str, int]]:
        """Returns all counts at either end of the range."""
        return [dict.fromkeys(self._default, count) for count in (self.low, self.high)]

    def complete(self, name: str, value: Any) -> dict[str, int]:
        """Returns a new dict of all counts, in the default's order.

        Raises:
            OptionError: a name is unknown, a count is out of range, or the value is no mapping.
        """
        given = self.parse(value) if isinstance(value, str) else value
        if not isinstance(given, Mapping):
            example = dict(list(self._default.items())[:2])
            raise OptionError(
                f"{name}={shown(value)}: give counts by name, each once: {example}, "
                f"or as text {name}={as_text(example)}"
            )
        for key in given:
            if key not in self._default:
                raise OptionError(f"{name} has no {shown(key)}; {nearest(str(key), self._default)}")
        return {
            key: _whole_number(f"{name}: {key}", given.get(key, count), self.low, self.high)
            for key, count in self._default.items()
        }

    def encode(self, name: str, value: Any) -> npt.NDArray[np.int64]:
        """Returns the counts in the default's order; raises as `complete`."""
        return np.array(list(self.complete(name, value).values()), np.int64)

    def parse(self, text: str) -> dict[str, Any] | str:
        """Returns the counts of `meteor:2,scientist:1` or of a JSON object, else the text."""
        if text.lstrip().startswith("{"):
            found: dict[str, Any] | str = json_or_text(text)
            return found
        parts = [part.partition(":") for part in text.split(",")]
        counts = {key.strip(): _number_or_text(count) for key, _, count in parts}
        return counts if len(counts) == len(parts) and all(part[1] for part in parts) else text

    def text(self, value: Any) -> str:
        """Returns counts as they are typed: `meteor:2,scientist:1`."""
        return as_text(value)


def as_text(value: Any) -> str:
    """Returns a plain value as it is typed: 60, `shared`, `meteor:2,scientist:1`."""
    if isinstance(value, Mapping):
        return ",".join(f"{key}:{count}" for key, count in value.items())
    return str(value)


def shown(value: Any) -> str:
    """Returns a value as Python writes it, cut short: for messages about what was given."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write out very large numbers
        text = "a huge number"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def nearest(name: str, known: Iterable[str]) -> str:
    """Returns what to say of an unknown name: the nearest known one, or all of them."""
    names = list(known)
    close = difflib.get_close_matches(name, names, 1)
    return f"did you mean {close[0]!r}?" if close else f"it has {', '.join(names)}"


def _whole_number(name: str, value: Any, low: int, high: int) -> int:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if whole and low <= value <= high:
        return int(value)
    raise OptionError(f"{name}={shown(value)}: give a whole number, {low} to {high}")


def _number_or_text(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def json_or_text(text: str) -> Any:
    """Returns what a JSON text holds, or the text if it is none or names a key twice."""
    twice = False

    def collected(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        twice |= len(dict(pairs)) < len(pairs)
        return dict(pairs)

    try:
        found = json.loads(text, object_pairs_hook=collected)
    except (ValueError, RecursionError):
        return text
    return text if twice else found
