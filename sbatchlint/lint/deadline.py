"""The time that one file may take.

A clock is set where a file is begun, by who checks files for somebody who waits (the command line); the
engine tells it of each rule that it begins.  It rings by raising :class:`OutOfTime` wherever the program is.
Nothing here makes what is found depend on a machine's speed but the notice that something is missing: a file
that was over its time is told to be, and is kept in no cache.

Signals reach the main thread alone and are seen between two steps of Python: a thread has no clock, and one
long step of a library in C (a regular expression) is waited for; tree-sitter is made to look in between.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

SHARE = 3
"""One rule, and one view of the job such as its launch plan, may take this part of the time: one third."""
BY_CLOCK = 4
"""Seconds by the clock that count as one of the processor: others may be at work on the machine as well."""
_TICKS = 60
"""How often within its time a clock looks, and so how long it takes to ring again."""
_SHORTEST_TICK = 0.02
"""Seconds: time enough between two alarms to put the clock away."""


class OutOfTime(BaseException):
    """The time is over; no error of a rule, so that nothing goes on as after one."""

    def __init__(self, took: str, doing: str = "it") -> None:
        """*took* says how long: ``longer than 60 s``."""
        super().__init__(took)
        self.took = took
        self.doing = doing
        """What takes so long, as the subject of a sentence."""

    def __str__(self) -> str:
        return f"{self.doing} takes {self.took}"


class Clock:
    """Counts the time of one file; this one lets it take as long as it likes."""

    def begin(self) -> None:
        """Give the next part of the work its share of the time."""

    def stop(self) -> None:
        """Ring no more: what is left to do is short, or must not be interrupted."""

    @property
    def over(self) -> bool:
        """True once the whole time is used up, as the last tick has seen."""
        return False


class _Ticking(Clock):
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._start = _now()
        self._part: tuple[float, float] | None = self._start
        self._over = False
        self._rings = True

    def begin(self) -> None:
        self._part = None  # parts are many, and to ask for the time is slow: the next tick does

    def stop(self) -> None:
        self._rings = False

    @property
    def over(self) -> bool:
        return self._over

    def tick(self, _number: int, _frame: FrameType | None) -> None:
        """Raise OutOfTime if it is time; again and again, for somebody may swallow it."""
        self._over = self._over or _spent(self._start) >= self._seconds
        if not self._rings:
            return
        if self._over:
            raise OutOfTime(f"longer than {self._seconds:g} s")
        if self._part is None:
            self._part = _now()
        elif _spent(self._part) >= self._seconds / SHARE:
            self.begin()
            raise OutOfTime(f"longer than {self._seconds / SHARE:.2g} s, a third of the time limit")


def _now() -> tuple[float, float]:
    return time.process_time(), time.monotonic()


def _spent(since: tuple[float, float]) -> float:
    """Return how many seconds were used: of the processor, or of so many times more by the clock."""
    processor, by_clock = (now - then for now, then in zip(_now(), since, strict=True))
    return max(processor, by_clock / BY_CLOCK)


_FREE = Clock()
_clock = _FREE


def clock() -> Clock:
    """Return the clock of the file that is being looked at."""
    return _clock


@contextmanager
def limited(seconds: float) -> Iterator[Clock]:
    """Raise OutOfTime where the body takes more than *seconds*, or one part of it a third of them.

    They are seconds of the processor, so that a busy machine gives the same as an idle one; what waits
    without working ends after four times as many by the clock.  0 means no limit.  There is none either
    outside the main thread, where there are no such signals, and where an alarm is set already: by a clock
    around this one, or by whoever started the program (``alarm 60; exec``).
    """
    global _clock
    ticking = _Ticking(seconds)
    before = _listen(ticking) if seconds else None
    if before is None:
        yield _clock
        return
    _clock = ticking
    try:
        tick = max(seconds / _TICKS, _SHORTEST_TICK)
        signal.setitimer(signal.ITIMER_REAL, tick, tick)
        try:
            yield ticking
        finally:
            ticking.stop()
    finally:
        ticking.stop()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # one that is under way finds nobody
        signal.signal(signal.SIGALRM, before)
        _clock = _FREE


def _listen(ticking: _Ticking) -> Any:
    """Let alarms come to *ticking*; return who had them before, None where that can't be."""
    if not hasattr(signal, "setitimer") or signal.getitimer(signal.ITIMER_REAL)[0]:
        return None
    if signal.getsignal(signal.SIGALRM) is None:
        return None  # somebody else's, in C
    try:
        return signal.signal(signal.SIGALRM, ticking.tick)
    except ValueError:  # not the main thread
        return None


def in_time(late: dict[object, OutOfTime], key: object, work: Callable[[], T], doing: str = "") -> T:
    """Return what *work* gives in its share of the time; one that was *late* once is not tried again.

    *doing* says what it does, as the subject of a sentence.
    """
    if key in late:
        raise late[key].with_traceback(None)
    _clock.begin()
    try:
        return work()
    except OutOfTime as over:
        if over.doing == "it" and doing:
            over.doing = doing
        late[key] = over
        raise
    finally:
        _clock.begin()
