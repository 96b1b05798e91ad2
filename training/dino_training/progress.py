"""Shows how far a training run is."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from dino_envs.evaluation import Result


def say(console: Console, text: str) -> None:
    """Prints a line as it is: paths can hold what Rich takes for markup."""
    console.out(text, highlight=False)


class TrainingProgress:
    """A progress bar with the time left, steps a second and the score against the strongest.

    In games for one player it shows the mean points, where all play together the share of wins.

    Each evaluation is a line above it; where the output is no terminal there is no bar.
    """

    def __init__(self, console: Console, total: int, done: int) -> None:
        self.console = console
        self._since, self._before = time.monotonic(), done
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TextColumn("{task.percentage:>3.0f}%"),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[scores]}", markup=False),  # paths can hold brackets
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("training", total=total, completed=done, rate="", scores="")

    def __enter__(self) -> TrainingProgress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    @property
    def rate(self) -> float:
        """Returns the steps a second of this process, evaluations and saving included."""
        done = self._bar.tasks[0].completed - self._before
        return done / max(time.monotonic() - self._since, 1e-9)

    def advance(self, steps: int) -> None:
        """Shows that so many steps have been made in the whole run."""
        self._bar.update(self._task, completed=steps)
        self._bar.update(self._task, rate=f"{self.rate:,.0f} steps/s")

    def doing(self, what: str) -> None:
        """Shows what goes on now."""
        self._bar.update(self._task, description=what)

    def scores(self, steps: int, results: Sequence[Result]) -> None:
        """Shows the latest scores."""
        text = "  ".join(f"{result.opponent} {result.score:.3f}" for result in results)
        strongest = results[-1]
        short, text = f"{strongest.opponent} {strongest.score:.3f}", f"scores: {text}"
        if strongest.num_players == 1:
            short = f"{strongest.points:.2f} points"
            text = f"{short}  {text}"
        if strongest.win_rate is not None:
            short = f"wins {strongest.win_rate:.3f}"
            text = f"{short}  {text}"
        self._bar.update(self._task, scores=short)
        say(self.console, f"{steps:>12,} steps  {self.rate:>8,.0f} steps/s  {text}")
