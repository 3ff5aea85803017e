"""Durations: ``--time``, ``--time-min``, ``--delay-boot``, ``--immediate``.

Source: ``time_str2secs``, ``time_str2mins`` and ``_is_valid_timespec`` in ``src/common/parse_time.c``,
the same in all releases from 20.11 to 26.05.
"""

from __future__ import annotations

import re

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused
from sbatchlint.slurm.grammar.c_text import divide, leading_integer, lower, wrap
from sbatchlint.slurm.grammar.integers import plain_integer

_UNLIMITED = frozenset({"-1", "infinite", "unlimited"})
_SHAPE = regex(r"[:-]*[0-9][0-9:-]*")
_DAY = 86400
_HOUR = 3600
_NO_VALUE = -2
"""Slurm's NO_VAL, as a C int: a sum that happens to be it counts as wrong."""
_INFINITE = -1


@dataclass(frozen=True, slots=True)
class Duration:
    """A span of time."""

    seconds: int | None
    """As written; None without a limit.  Below zero for days below zero."""
    form: str
    """``M``, ``M:S``, ``H:M:S``, ``D-H``, ``D-H:M``, ``D-H:M:S``, ``D-`` or ``unlimited``: as written."""

    @property
    def minutes(self) -> int | None:
        """Whole minutes, rounded up: what a time limit becomes.  None stands for no limit.

        Slurm keeps minutes without a sign, so that days below zero make thousands of years.
        """
        if self.seconds is None:
            return None
        rounded = wrap(divide(self.seconds + 59, 60), 32, signed=False)
        return rounded or None


def span_of_time(text: str) -> Duration | None:
    """Read a duration; None where Slurm does not know it as one."""
    if lower(text) in _UNLIMITED:
        return Duration(None, "unlimited")
    if not _well_formed(text):
        return None
    days, hours, minutes, seconds = _fields(text)
    total = wrap(days * _DAY + hours * _HOUR + minutes * 60 + seconds, 32)
    if total == _NO_VALUE:
        return None
    return Duration(None if total == _INFINITE else total, _form(text))


def _well_formed(text: str) -> bool:
    if not _SHAPE.fullmatch(text):
        return False
    numbers = len(re.findall("[0-9]+", text))
    dashes, colons = text.count("-"), text.count(":")
    if dashes > 1 or colons > 2 or (dashes and colons and text.index(":") < text.index("-")):
        return False
    return colons == 0 or numbers > colons + dashes


def _fields(text: str) -> tuple[int, int, int, int]:
    """Give days, hours, minutes and seconds as ``sscanf`` finds them: it stops where the shape ends."""
    if "-" in text:
        days, hours, minutes, seconds = _scan(text, "-::")
        return days, hours, minutes, seconds
    first, second, third = _scan(text, "::")
    if text.count(":") == 2:
        return 0, first, second, third
    return 0, 0, first, second


def _scan(text: str, separators: str) -> list[int]:
    found = [0] * (len(separators) + 1)
    for place, separator in enumerate(f"{separators} "):
        number, rest = leading_integer(text)
        if rest == text:
            break
        found[place] = wrap(number, 32)
        if not rest.startswith(separator):
            break
        text = rest[1:]
    return found


def _form(text: str) -> str:
    day, dash, clock = text.partition("-")
    if not dash:
        return ("M", "M:S", "H:M:S")[text.count(":")]
    if not day or not clock:
        return "D-"
    return "D-" + ("H", "H:M", "H:M:S")[clock.count(":")]


def _duration(text: str, context: Context) -> Duration:
    span = span_of_time(text)
    if span is None or (span.seconds is not None and span.minutes == wrap(_NO_VALUE, 32, signed=False)):
        raise Refused(
            f"Invalid --{context.option} specification",
            "a duration is minutes, minutes:seconds, hours:minutes:seconds, days-hours,"
            " days-hours:minutes or days-hours:minutes:seconds",
        )
    return span


def _delay(text: str, context: Context) -> Duration:
    span = span_of_time(text)
    if span is None:
        raise Refused(f"Invalid --{context.option} specification", "not a duration")
    return span


def _optional_seconds(text: str, context: Context) -> int | None:
    return plain_integer(text, context, positive=False) if text else None


_FORMS = (
    ("M", "minutes"),
    ("M:S", "minutes and seconds; 24:00 is 24 minutes"),
    ("H:M:S", "hours, minutes, seconds"),
    ("D-H", "days and hours"),
    ("D-H:M", "days, hours, minutes"),
    ("D-H:M:S", "days, hours, minutes, seconds"),
    ("UNLIMITED", "no limit; INFINITE, -1 and 0 are the same"),
)
_GOOD = ("60", "1:30", "24:00", "1:00:00", "1-0", "1-2:30", "1-12:30:15", "2-", "1:60", "UNLIMITED")
_BAD = ("", "1h", "60m", "1d", "1.5", "+5", "10:", "abc", "INF", "1-2-3", "1:2:3:4", " 5", "5 ", "2 hours")

GRAMMARS = (
    Grammar(
        "duration",
        "a span of time in minutes",
        _FORMS,
        _GOOD,
        _BAD,
        _duration,
        (
            "Seconds are rounded up to the next minute.",
            "A number with one colon is minutes and seconds, never hours and minutes.",
            "0 means no limit, which a partition with a limit of its own refuses.",
            "No field is checked against 59 or 23.",
            "A leading minus makes days below zero, which Slurm takes for thousands of years.",
        ),
    ),
    Grammar(
        "duration_min",
        "a span of time, a bare number being minutes",
        _FORMS,
        _GOOD,
        _BAD,
        _delay,
    ),
    Grammar(
        "optional_seconds",
        "a number of seconds, or nothing for the default",
        (("N", "seconds"),),
        ("", "0", "60"),
        ("-1", "x", "1m", "1.5"),
        _optional_seconds,
    ),
)
