"""The menu of a person's legal actions, kept short: what differs in a word shares its lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

_FEW = 3
"""From how many alike on they share their lines."""
_INDENT = " " * 6
_WORDS = re.compile(r"\w+|\W+")


def lines(meanings: Sequence[str], width: int) -> list[str]:
    """Returns the lines of a menu in which the meanings are numbered from 1."""
    words = [_WORDS.findall(meaning) for meaning in meanings]
    shown: list[str] = []
    first = 0
    while first < len(meanings):
        last, place = _alike(words, first)
        if last - first < _FEW:
            shown += _wrapped(f"{first + 1:4d}  {meanings[first]}", width)
            first += 1
            continue
        before, after = words[first][:place], words[first][place + 1 :]
        shown += _wrapped(_INDENT + "".join([*before, "...", *after]), width)
        numbered = _numbered(first, [words[index][place] for index in range(first, last)])
        shown += _wrapped(f"{_INDENT}  " + ", ".join(numbered), width)
        first = last
    return shown


def _numbered(first: int, words: Sequence[str]) -> list[str]:
    """Returns words with their numbers, from `first` + 1 on; each once where they are the same."""
    numbers = [str(first + 1 + index) for index in range(len(words))]
    if list(words) == numbers:
        return numbers
    return [f"{number}\0{word}" for number, word in zip(numbers, words, strict=True)]


def _alike(words: Sequence[list[str]], first: int) -> tuple[int, int]:
    """Returns up to which meaning, that one not included, all differ in one word, and which."""
    place = -1
    for index in range(first + 1, len(words)):
        if len(words[index]) != len(words[first]):
            return index, place
        pairs = enumerate(zip(words[first], words[index], strict=True))
        differing = [at for at, (one, other) in pairs if one != other]
        if place < 0 and len(differing) == 1 and words[first][differing[0]].isalnum():
            place = differing[0]
        if differing != [place]:
            return index, place
    return len(words), place


def _wrapped(text: str, width: int) -> list[str]:
    """Returns lines that keep a number and its word (with a NUL between) together."""
    indent = _INDENT + "  "
    found = textwrap.wrap(text, max(40, width), subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in found]
