"""How a training run's config is read: the defaults, a file's differences, settings over both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from dino_envs.engine import Game, OptionError
from dino_envs.engine.option import nearest
from dino_training.config_schema import Config, Section, readers
from dino_training.config_text import ConfigError, describe, parse

__all__ = ["Config", "ConfigError", "config_path", "load_config", "readers"]

_LARGEST = 1_000_000
"""Bytes of a config file."""


def config_path(game_id: str) -> Path | None:
    """Returns the file with the differences for a game, None if there is none.

    It lies beside the installed package, or at the root of the repository.
    """
    here = Path(__file__).parent
    for folder in (here / "configs", here.parents[1] / "configs"):
        if (folder / f"{game_id}.yaml").is_file():
            return folder / f"{game_id}.yaml"
    return None


def load_config(
    file: Path | None = None,
    settings: Sequence[str] = (),
    base: Config | None = None,
    game: Game | None = None,
) -> Config:
    """Returns a config: `base` (the defaults), then a file, then settings `a.b=value`.

    A file's value replaces that of its key; the sections need not be complete. It may hold keys for
    other algorithms than the one chosen; settings may not. The game, if it is given, judges the
    options.

    Raises:
        ConfigError: one line a fault, naming the key, where it stands and the nearest valid key.
    """
    merged = (base or Config()).model_dump()
    if file is not None:
        found = _read(file)
        _validated(found, str(file), game)
        for key, value in found.items():
            merged[key] = {**merged[key], **value} if _is_section(key) else value
        _judge(merged, str(file), game)
    for setting in settings:
        _set(merged, setting, game)
    _judge_together(merged, game)
    config = _validated(merged, "config", game)
    for setting in settings:
        _judge_use(setting, config.algorithm)
    return _fitting(config)


def _set(merged: dict[str, Any], setting: str, game: Game | None) -> None:
    """Changes a key of a whole config as a setting `a.b=value` says."""
    where = f"--set {setting}"
    path, equals, text = setting.partition("=")
    keys = path.strip().split(".")
    if not equals or not all(keys):
        raise ConfigError(f"{where}: write it as key=value, such as total_steps=1e6")
    value = parse(text, where)
    nested = value
    for key in reversed(keys):
        nested = {key: nested}
    _validated(nested, where, game)
    tree = merged
    for key in keys[:-1]:
        tree = tree.setdefault(key, {})
        if not isinstance(tree, dict):
            raise ConfigError(f"{where}: {key} is {tree!r} already, not a mapping")
    tree[keys[-1]] = {**tree[keys[-1]], **value} if _is_section(path.strip()) else value
    _judge(merged, where, game)


def _judge(merged: dict[str, Any], where: str, game: Game | None) -> None:
    """Raises `ConfigError`, with a line a fault, if the game does not allow an option's value."""
    if game is None:
        return
    known, faults = game.all_options, []
    for place, given, _ in _all_options(merged):
        for name, value in given.items():
            key = f"{place}.{name}"
            if name not in known:
                faults.append(f"{key}: unknown key; {nearest(name, known)}")
            elif value is not None:
                try:
                    known[name].complete(key, value)
                except OptionError as error:
                    faults.append(str(error))
    if faults:
        raise ConfigError("\n".join(f"{where}: {fault}" for fault in faults))


def _judge_together(merged: dict[str, Any], game: Game | None) -> None:
    """Raises `ConfigError` if options, each allowed by itself, do not go together."""
    if game is None:
        return
    for place, _, whole in _all_options(merged):
        try:
            game.complete(whole)
        except OptionError as error:
            raise ConfigError(f"config: {place}: {error}") from error


def _all_options(merged: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yields where options are given, those, and the whole that they make up."""
    usual = merged["options"]
    yield "options", usual, usual
    for i, given in enumerate(merged["variants"]):
        yield f"variants.{i}", given, {**usual, **given}


def _judge_use(setting: str, algorithm: str) -> None:
    """Raises `ConfigError` if the algorithm does not read what is set."""
    key = setting.partition("=")[0].strip()
    if readers(key) and algorithm not in readers(key):
        raise ConfigError(
            f"--set {setting}: {key} is for {' and '.join(readers(key))}, and algorithm is "
            f"{algorithm}: leave it out, or set the algorithm too"
        )


def _fitting(config: Config) -> Config:
    """Returns the config, or raises `ConfigError` if its numbers do not go together."""
    games, dqn = config.num_envs, config.dqn
    if config.algorithm == "dqn":
        for key, least, what in (
            ("buffer_size", 2 * games, "2 x num_envs"),
            ("target_update_interval", games, "num_envs"),
        ):
            if getattr(dqn, key) < least:
                raise ConfigError(
                    f"config: dqn.{key}: {getattr(dqn, key)} does not fit: at least {what} = "
                    f"{least} is wanted"
                )
        return config
    decisions, batch = config.update, config.ppo.batch_size
    if decisions < 2 or (decisions > batch and decisions % batch):
        raise ConfigError(
            f"config: ppo.batch_size: {batch} does not fit: it must divide num_envs x ppo.n_steps "
            f"= {decisions}, or the last gradient step would be on fewer decisions"
        )
    return config


def _is_section(key: str) -> bool:
    kind = Config.model_fields[key].annotation if key in Config.model_fields else None
    return isinstance(kind, type) and issubclass(kind, Section)


def _read(file: Path) -> dict[str, Any]:
    try:
        with open(file, "rb") as stream:
            data = stream.read(_LARGEST + 1)
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot read the config: {error}") from error
    if len(data) > _LARGEST:
        raise ConfigError(f"{file}: a config has at most {_LARGEST:,} bytes")
    found = parse(text, str(file))
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ConfigError(f"{file}: a config is a mapping of keys to values")
    return found


def _validated(values: dict[str, Any], where: str, game: Game | None) -> Config:
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        known = game.all_options if game else ()
        # The cause is left out: pydantic would write the whole value out, which can be endless.
        raise ConfigError("\n".join(describe(error, Config, where, known))) from None
