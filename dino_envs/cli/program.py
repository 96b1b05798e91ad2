"""How the program behaves as a whole: its errors, and commands from other distributions."""

from __future__ import annotations

import functools
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points, requires
from typing import Any, NoReturn

import typer
from rich.markup import escape
from typer.core import TyperCommand, TyperGroup

from dino_envs.cli.docstring import first_paragraph, origin

GROUP = "dino_envs.commands"
"""Entry points: the name of a command, and a function as `typer.Typer.command` takes it."""


class Program(TyperGroup):
    """Tells every failure in one line, and finds the commands that are installed beside it."""

    debug = False

    def list_commands(self, ctx: Any) -> list[str]:
        """Returns the names of all commands, those of other distributions last."""
        return list(dict.fromkeys([*self.commands, *sorted(_plugins())]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Returns a command; one of another distribution is loaded only when it runs."""
        point = _plugins().get(cmd_name)
        if cmd_name in self.commands or point is None:
            return super().get_command(ctx, cmd_name)
        return PluginCommand(point)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Runs the program and exits: 0, or 1 after a failure, 2 after wrong usage."""
        self.debug = False
        try:
            with _plain_warnings():
                code = super().main(
                    args, prog_name, complete_var, False, windows_expand_args, **extra
                )
        except Exception as error:
            if self.debug:
                raise
            message, code = _told(error)
            typer.echo(f"dino-envs: {message}", err=True)
        sys.exit(code if isinstance(code, int) else 0)


class PluginCommand(TyperCommand):
    """Stands for a command of another distribution until it is run."""

    def __init__(self, point: EntryPoint) -> None:
        super().__init__(point.name, help=_summary(point))
        self._point = point

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        """Loads the command and hands over to it."""
        single = typer.Typer(add_completion=False, rich_markup_mode="rich")
        single.command(self._point.name)(self._point.load())
        return typer.main.get_command(single).make_context(info_name, args, parent, **extra)


@functools.cache
def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _summary(point: EntryPoint) -> str:
    """Returns what the help says of a command, without running its module."""
    told = escape(first_paragraph(point))
    return told or f"From {origin(point)}: see [bold]dino-envs {point.name} --help[/bold]."


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Has the package's own warnings told in one line, as its errors are, not with the code's."""
    usual = warnings.formatwarning

    def told(message: Any, category: type[Warning], *where: Any, **line: Any) -> str:
        from dino_envs.engine.errors import DinoEnvsWarning  # help does without the engine

        if issubclass(category, DinoEnvsWarning):
            return f"dino-envs: {_one_line(str(message))}\n"
        return usual(message, category, *where, **line)

    warnings.formatwarning = told
    try:
        yield
    finally:
        warnings.formatwarning = usual


def _told(error: Exception) -> tuple[str, int]:
    """Returns one line about an error, or one a fault, and the exit code."""
    from dino_envs.engine.errors import DinoEnvsError

    usage = getattr(error, "format_message", None)
    if usage is not None:
        context = getattr(error, "ctx", None)
        where = f" (see {context.command_path} --help)" if context else ""
        return _one_line(usage()) + where, int(getattr(error, "exit_code", 2))
    if isinstance(error, typer.Abort):
        return "stopped", 130
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}", 1
    if isinstance(error, DinoEnvsError):  # a config's error has a line a fault
        return "\n".join(_one_line(line) for line in str(error).split("\n") if line.strip()), 1
    if isinstance(error, OSError):
        return _one_line(str(error)), 1
    if isinstance(error, ModuleNotFoundError) and error.name:
        return _install(error.name.partition(".")[0]), 1
    return f"{type(error).__name__}: {_one_line(str(error))} (--debug shows where)", 1


def _install(module: str) -> str:
    """Says what installs a module: this package's extra that requires it, if there is one."""
    package = module.replace("_", "-").lower()
    for requirement in requires("dino-envs") or []:
        found = re.match(r"([\w.-]+).*extra == ['\"](\w+)['\"]", requirement)
        stubs = found is not None and found[1].startswith("types-")
        if found and not stubs and found[1].lower().endswith(package):  # pyyaml has yaml
            package = f"dino-envs[{found[2]}]"
            break
    return f'this needs {module}, which is not installed; run: pip install "{package}"'


def _one_line(text: str) -> str:
    return " ".join(text.split())
