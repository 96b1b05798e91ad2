"""Reads the values of a config, and says in one line each what is wrong with them."""

from __future__ import annotations

import difflib
import math
import re
import reprlib
from collections.abc import Iterable
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from dino_envs.engine import DinoEnvsError

_MOST_PARTS, _DEEPEST = 10_000, 20
"""Parts of one option's value, and lists and mappings within one another."""


class ConfigError(DinoEnvsError, ValueError):
    """A training config cannot be used."""


class _Loader(yaml.SafeLoader):
    """Reads 1e-3 as the number it is (YAML 1.1 wants 1.0e-3), and refuses a key given twice."""

    def compose_mapping_node(self, anchor: Any) -> Any:
        node = super().compose_mapping_node(anchor)
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in seen:
                    told = f"the key {_short(key.value)} stands there twice"
                    raise yaml.composer.ComposerError(None, None, told, key.start_mark)
                seen.add((key.tag, key.value))
        return node


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?\d+(\.\d*)?[eE][-+]?\d+$"), list("-+0123456789")
)


def parse(text: str, where: str) -> Any:
    """Returns the value that a YAML text holds; `where` names it in errors.

    Raises:
        ConfigError: it is no YAML, or nested without end.
    """
    try:
        return yaml.load(text, _Loader)  # a SafeLoader: it makes plain values alone
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a date or number there cannot be
        raise ConfigError(f"{where}: not valid YAML: {' '.join(str(error).split())}") from error
    except RecursionError:
        raise ConfigError(f"{where}: not valid YAML: nested too deeply") from None


def plain(value: Any) -> Any:
    """Returns a value as JSON holds it, new: texts, finite numbers, lists, mappings of texts.

    Raises:
        ValueError: it is of another kind, or has more parts than anybody writes.
    """
    parts = 0

    def copied(part: Any, depth: int) -> Any:
        nonlocal parts
        parts += 1
        if parts > _MOST_PARTS or depth > _DEEPEST:
            raise ValueError(f"at most {_MOST_PARTS:,} parts, {_DEEPEST} deep, are wanted")
        if isinstance(part, list | tuple):
            return [copied(inner, depth + 1) for inner in part]
        if isinstance(part, dict) and all(isinstance(key, str) for key in part):
            return {key: copied(inner, depth + 1) for key, inner in part.items()}
        if part is None or isinstance(part, bool | int | str):
            return part
        if isinstance(part, float) and math.isfinite(part):
            return part
        raise ValueError("a text, a finite number, or lists and mappings of such are wanted")

    return copied(value, 0)


def describe(
    error: ValidationError, model: type[BaseModel], where: str, options: Iterable[str] = ()
) -> list[str]:
    """Returns one line a fault: where it stands, the key, what is wrong, the nearest valid key.

    `options` are the game's, which are keys too: `options.num_players`.
    """
    lines: dict[str, str] = {}
    for fault in error.errors():
        path = [str(part) for part in fault["loc"] if not _is_type(part)]
        key = ".".join(path)
        if fault["type"] == "extra_forbidden":
            line = f"unknown key; {_nearest(path, model, options)}"
        else:
            line = f"{_short(fault['input'])} does not fit: {_wanted(fault)}"
        lines.setdefault(key, f"{where}: {key}: {line}")
    # Of a value that may be a mapping, the fault within the mapping is told alone.
    return [line for key, line in lines.items() if not any(k.startswith(f"{key}.") for k in lines)]


def keys_of(model: type[BaseModel], above: str = "") -> list[str]:
    """Returns every key of a config with dots: `seed`, `ppo`, `ppo.n_steps`."""
    keys = []
    for name, field in model.model_fields.items():
        keys.append(above + name)
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            keys += keys_of(field.annotation, f"{above}{name}.")
    return keys


def explained(config: BaseModel, above: str = "") -> list[tuple[str, Any, Any, str]]:
    """Returns every key with a value: its name with dots, its value, its default, its meaning."""
    rows = []
    for name, field in type(config).model_fields.items():
        value = getattr(config, name)
        if isinstance(value, BaseModel):
            rows += explained(value, f"{above}{name}.")
        else:
            meaning = " ".join((field.description or "").split())
            rows.append((above + name, value, field.default, meaning))
    return rows


def as_typed(value: Any) -> str:
    """Returns a value as `--set` takes it: 512, [128, 128], {random: 0.2, snapshot: 0.8}."""
    text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=1e9)
    return text.removesuffix("\n").removesuffix("\n...")


def _nearest(path: list[str], model: type[BaseModel], options: Iterable[str]) -> str:
    known = [*keys_of(model), *(f"options.{name}" for name in options)]
    key = ".".join(path)
    if f"options.{key}" in known:
        return f"did you mean 'options.{key}'?"
    close = difflib.get_close_matches(key, known, 1, 0.6)
    if not close:  # the right word in the wrong section
        last = {name.rpartition(".")[2]: name for name in known}
        close = [last[name] for name in difflib.get_close_matches(path[-1], last, 1, 0.6)]
    if close:
        return f"did you mean {close[0]!r}?"
    siblings = [name for name in known if name.rpartition(".")[0] == ".".join(path[:-1])]
    return "the keys there are " + ", ".join(siblings or known)


def _wanted(fault: Any) -> str:
    wording = {
        "model_type": "a section of keys is wanted",
        "int_type": "a whole number is wanted",
        "float_type": "a number is wanted",
        "string_type": "a text is wanted",
        "dict_type": "a mapping of names to values is wanted, such as {name: 1}",
        "list_type": "a list is wanted",
    }
    told = str(fault["msg"]).removeprefix("Value error, ")
    return wording.get(fault["type"], told.removeprefix("Input should be "))


def _is_type(part: Any) -> bool:
    """Tells the name of a union's member, which pydantic adds to the path, from a key."""
    return part in ("int", "float", "str", "[key]") or str(part).startswith(("list[", "dict["))


def _short(value: Any) -> str:
    """Returns the start of a value's text, without writing out all that it refers to."""
    short = reprlib.Repr()
    short.maxlevel, short.maxstring, short.maxother, short.maxlong = 3, 80, 80, 80
    try:
        text = short.repr(value)
    except ValueError:  # Python writes out no number of thousands of digits
        text = "a number of thousands of digits"
    return text if len(text) <= 40 else text[:37] + "..."
