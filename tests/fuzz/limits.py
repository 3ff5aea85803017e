"""A limit of processor time for one input: what goes on for ever fails instead of holding up the run."""

from __future__ import annotations

import faulthandler
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LIMIT = 20.0
"""Seconds of processor time for one input of some thousand bytes; hardly one takes a tenth of a second."""
_WALL = 15
"""So many times longer by the clock, and Python ends with a traceback: it waits, or hangs in a library."""


class TooLong(Exception):
    """An input takes longer than any input may."""


class _Over(KeyboardInterrupt):
    """The same while it is on its way: the engine goes on after whatever else a rule raises."""


@contextmanager
def limited(seconds: float = LIMIT) -> Iterator[None]:
    """Raise TooLong where the body takes more than *seconds* of processor time.  In the main thread alone."""

    def over(_number: int, _frame: FrameType | None) -> None:
        raise _Over

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    faulthandler.dump_traceback_later(seconds * _WALL, exit=True)
    try:
        yield
    except _Over as error:
        raise TooLong(f"more than {seconds} s of processor time").with_traceback(
            error.__traceback__
        ) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGPROF, before)
