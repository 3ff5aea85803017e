"""How the time of a match grows with the length of the text."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from tests.fuzz.regexes.attacks import Attack, attacks
from tests.fuzz.regexes.collecting import Use

SHORT, LONG = 12_000, 36_000
_WORTH = 0.02
"""Seconds: what takes less for the short text is quick, whatever a coarse clock makes of it."""
_RATIO = 6
"""Three times the text takes three times as long, and nine times where it is quadratic."""
_MOST = 1.0
"""Seconds after which a match is given up."""


class _Over(Exception):
    pass


def superlinear(use: Use) -> Attack | None:
    """Return an attack on which the time of *use* grows faster than the text; None where none was found."""
    pattern = re.compile(use.pattern, use.flags)
    ask = _asking(pattern, use.ways)
    for attack in attacks(use.pattern, use.flags, use.at_start):
        short = _seconds(ask, _text(pattern, attack, SHORT))
        if short < _WORTH:
            continue
        if short >= _MOST:
            return attack
        short = min(short, _seconds(ask, _text(pattern, attack, SHORT)))
        long = min(_seconds(ask, _text(pattern, attack, LONG)) for _ in range(2))
        if long >= _MOST or long > _RATIO * max(short, _WORTH):
            return attack
    return None


def _text(pattern: re.Pattern[Any], attack: Attack, size: int) -> Any:
    text = attack.text(size)
    return text if isinstance(pattern.pattern, str) else text.encode("latin-1", "replace")


def _asking(pattern: re.Pattern[Any], ways: frozenset[str]) -> Callable[[Any], object]:
    if ways == {"match"}:
        return pattern.match
    if ways == {"fullmatch"}:
        return pattern.fullmatch
    if ways == {"match", "fullmatch"}:
        return lambda text: (pattern.match(text), pattern.fullmatch(text))
    return lambda text: sum(1 for _ in pattern.finditer(text))


def _seconds(ask: Callable[[Any], object], text: Any) -> float:
    """Return the processor time of a match, at most `_MOST`."""

    def over(_number: int, _frame: FrameType | None) -> None:
        raise _Over

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, _MOST)
    begin = time.process_time()
    try:
        ask(text)
    except _Over:
        return _MOST
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return time.process_time() - begin
