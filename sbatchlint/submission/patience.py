"""Giving up on work that takes too long."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfPatience(BaseException):
    """The time is over."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise OutOfPatience where the body takes more than *seconds*.  For the main thread alone.

    An alarm that was set before this process became ours (``alarm 60; exec ...``) is left as it is.
    """
    if signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def over(_number: int, _frame: FrameType | None) -> None:
        raise OutOfPatience

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
