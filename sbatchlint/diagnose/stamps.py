"""Times as logs write them, and which of them can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from sbatchlint.records import dataclass
from sbatchlint.regex import regex

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LEAP = 2000
"""Stands for a year that is not told; it has a 29 February."""
_CLOCK = r"(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)(?:[.,](?P<f>\d{1,9}))?"
ISO = regex(
    rf"(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d)[T _]{_CLOCK}(?P<zone>Z|[+-]\d\d:?\d\d)?(?![\d])"
)
GLOG = regex(rf"(?P<level>[IWEF])(?P<month>\d{{1,2}})(?P<day>\d\d) {_CLOCK}(?![\d])")
"""As glog and torch write it: ``E0304 10:16:00.204`` and ``E304 10:16:00.204``."""
SYSLOG = regex(rf"(?P<name>{'|'.join(_MONTHS)}) {{1,2}}(?P<day>\d{{1,2}}) {_CLOCK}(?![\d])")


@dataclass(frozen=True, slots=True)
class Stamp:
    """A point in time as it was written; the machine's own clock and zone unless it says another."""

    moment: datetime
    has_year: bool = True
    zoned: bool = False
    """Whether it is written with a zone; *moment* is what was written, not converted."""

    @property
    def text(self) -> str:
        """The time to the second, without the year where that is not known."""
        whole = self.moment.strftime("%Y-%m-%d %H:%M:%S")
        return whole if self.has_year else whole[5:]


def read_stamp(match: re.Match[str]) -> Stamp | None:
    """Return the time in a match of :data:`ISO`, :data:`GLOG` or :data:`SYSLOG`; None if it is no time."""
    parts = match.groupdict()
    month = _MONTHS.index(parts["name"]) + 1 if parts.get("name") else int(parts["month"])
    year = int(parts["year"]) if parts.get("year") else _LEAP
    micro = int(f"{parts['f'] or '0':0<6}"[:6])
    try:
        moment = datetime(
            year, month, int(parts["day"]), int(parts["h"]), int(parts["m"]), int(parts["s"]), micro
        )
    except ValueError:  # 99:99:99, a month 13
        return None
    return Stamp(moment, bool(parts.get("year")), bool(parts.get("zone")))


def find_stamp(text: str) -> Stamp | None:
    """Return the first time with a date that stands anywhere in *text*."""
    for form in (ISO, GLOG, SYSLOG):
        match = form.search(text)
        if match is not None:
            return read_stamp(match)
    return None


class Clock:
    """Puts times on one scale."""

    def __init__(self, stamps: Iterable[Stamp]) -> None:
        """*stamps* are all that are to be compared."""
        given = list(stamps)
        years = [stamp.moment.year for stamp in given if stamp.has_year]
        self._year = min(years) if years else _LEAP
        zoned = sum(stamp.zoned for stamp in given)
        self._zoned = zoned * 2 > len(given)

    def seconds(self, stamp: Stamp | None) -> float | None:
        """Return *stamp* in seconds; None without one, and where it can't be compared with most others."""
        if stamp is None or stamp.zoned is not self._zoned:
            return None
        moment = stamp.moment
        if not stamp.has_year:
            day = 28 if (moment.month, moment.day) == (2, 29) and self._year % 4 else moment.day
            moment = moment.replace(year=self._year, day=day)
        return (moment - datetime(1970, 1, 1)).total_seconds()
