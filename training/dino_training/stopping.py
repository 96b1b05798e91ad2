"""Lets whoever stops a run, a person or a cluster's scheduler, wait for its next checkpoint."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and what schedulers send some time before they kill."""


class Stop:
    """Whether a run has been asked to stop."""

    asked = False

    def heed(self, number: int, frame: FrameType | None) -> None:
        """Takes down the first signal; ends the program with the second."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def heeded() -> Iterator[Stop]:
    """Takes signals to stop as long as it is entered, but for those that are ignored.

    Only the main thread gets any: another one is never asked.
    """
    stop, before = Stop(), {}
    if threading.current_thread() is threading.main_thread():
        before = {each: signal.getsignal(each) for each in SIGNALS}
    try:
        for each, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(each, stop.heed)
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
