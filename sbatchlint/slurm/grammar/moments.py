"""Points in time: ``--begin``, ``--deadline``.

Source: ``parse_time``, ``_get_time``, ``_get_date`` and ``_get_delta`` in ``src/common/parse_time.c``.
Nothing here asks the clock: a moment is read into a form relative to a ``now`` that is given later.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused
from sbatchlint.slurm.grammar.clock_reader import ClockReader, NotATime

_GREATEST_SHIFT = 6 * 10**10
"""Seconds, 1900 years; a longer shift is cut, so that it stays within what datetime can hold."""


@dataclass(frozen=True, slots=True)
class Shift:
    """So many seconds from now."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the calendar.  Without a year it is the next such day."""

    month: int
    day: int
    """1 to 31; a day that the month lacks runs over into the next month."""
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day."""

    hour: int
    minute: int
    second: int = 0


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time as it was written.

    Without a clock it is midnight, without a day the next time the clock shows that.
    """

    day: Shift | Day | None
    """A shift stands for the day on which that moment falls: ``today``, ``tomorrow``."""
    clock: Shift | Clock | None
    epoch_seconds: int | None = None
    """For ``uts1700000000``: seconds since 1970; day and clock are None then."""

    def at(self, now: datetime) -> datetime:
        """Give the point in time that Slurm takes it for at *now*, both in the local time of the cluster."""
        if self.epoch_seconds is not None:
            return datetime.fromtimestamp(min(self.epoch_seconds, 2**35), tz=now.tzinfo)
        clock = _clock_at(self.clock, now)
        midnight = _midnight(self._day(now, clock), now, clock)
        return midnight + timedelta(hours=clock.hour, minutes=clock.minute, seconds=clock.second)

    def _day(self, now: datetime, clock: Clock) -> Shift | Day:
        if self.day is not None:
            return self.day
        today = (clock.hour, clock.minute) > (now.hour, now.minute)
        return Shift(0) if today else Shift(24 * 60 * 60)


def _clock_at(clock: Shift | Clock | None, now: datetime) -> Clock:
    if isinstance(clock, Shift):
        then = now + timedelta(seconds=clock.seconds)
        return Clock(then.hour, then.minute, then.second)
    return clock or Clock(0, 0)


def _midnight(day: Shift | Day, now: datetime, clock: Clock) -> datetime:
    if isinstance(day, Shift):
        then = now + timedelta(seconds=day.seconds)
        return then.replace(hour=0, minute=0, second=0, microsecond=0)
    year = day.year
    if year is None:
        later = (day.month, day.day, clock.hour, clock.minute) > (now.month, now.day, now.hour, now.minute)
        year = now.year if later else now.year + 1
    first = datetime(max(1, min(year, 9998)), day.month, 1, tzinfo=now.tzinfo)
    return first + timedelta(days=day.day - 1)


def _moment(text: str, context: Context) -> Moment:
    said = f"Invalid --{context.option} specification"
    try:
        reading = ClockReader(text, context.release).read()
    except NotATime as wrong:
        raise Refused(said, f"Invalid time specification (pos={wrong.position}): {text}") from None
    if reading.epoch_seconds is not None:
        return Moment(None, None, reading.epoch_seconds)
    if reading.day is None and reading.clock is None:
        raise Refused(said, "it names no time")
    return Moment(_day_of(reading.day), _clock_of(reading.clock))


def _day_of(day: int | tuple[int, int, int | None] | None) -> Shift | Day | None:
    return Day(*day) if isinstance(day, tuple) else _shift(day)


def _clock_of(clock: int | tuple[int, int, int] | None) -> Shift | Clock | None:
    return Clock(*clock) if isinstance(clock, tuple) else _shift(clock)


def _shift(seconds: int | None) -> Shift | None:
    return None if seconds is None else Shift(max(-_GREATEST_SHIFT, min(seconds, _GREATEST_SHIFT)))


GRAMMARS = (
    Grammar(
        "datetime",
        "a point in time",
        (
            ("now", "at once"),
            ("now+N", "N seconds from now; with minutes, hours, days or weeks behind N: so many of them"),
            ("HH:MM[:SS] [AM|PM]", "the next time the clock shows that"),
            ("YYYY-MM-DD[THH:MM[:SS]]", "a day, and a time of that day"),
            ("MM/DD[/YY] or MMDD[YY]", "a day"),
            ("today, tomorrow", "that day at midnight, or at the time that follows"),
            ("midnight, noon, fika, teatime", "0, 12, 15 and 16 o'clock; elevenses, 11, since 24.05"),
        ),
        (
            "now",
            "now+60",
            "now+1hour",
            "now+2days",
            "16:00",
            "4:00pm",
            "tomorrow",
            "noon",
            "teatime",
            "2030-01-20",
            "2030-01-20T12:34:00",
            "010230",
            "01/20",
        ),
        ("", "4pm", "yesterday", "10", "now+", "now+1x", "noon+1hour", "24:00", "2030-13-01", "1 hour"),
        _moment,
        (
            "A moment that is past counts as now.",
            "now+60 is 60 seconds, not minutes.",
        ),
    ),
)
