"""Giving up on work that takes too long."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfPatience(KeyboardInterrupt):
    """The time is over.  Who goes on after whatever a rule raises ends for an interruption."""


_AGAIN = 1.0
"""Seconds until it is raised once more, for a rule may have swallowed it."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise OutOfPatience where the body takes more than *seconds*.  For the main thread alone.

    An alarm that was set before this process became ours (``alarm 60; exec ...``) is left as it is.
    """
    if signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    waiting = True

    def over(_number: int, _frame: FrameType | None) -> None:
        if waiting:
            raise OutOfPatience

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        waiting = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
