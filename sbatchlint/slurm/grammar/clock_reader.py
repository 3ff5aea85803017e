"""The reader of points in time, character by character as Slurm's own goes over them."""

from __future__ import annotations

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.c_text import BLANKS, LONG_MAX, leading_integer, lower
from sbatchlint.slurm.options import Release

_DIGITS = frozenset("0123456789")
_END = "\0"
_STOPS = frozenset("\0\n")
_LEAST_EPOCH = 1_000_000
_ELEVENSES = (24, 5)
_CLOCKS = {"midnight": 0, "noon": 12, "elevenses": 11, "fika": 15, "teatime": 16}
_DAYS = {"today": 0, "tomorrow": 24 * 60 * 60}
_UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 7 * 86400}
_LONGEST_COUNT = 12
"""Digits of a count after which it only grows beyond any calendar."""


class NotATime(ValueError):
    """The text is no point in time; ``position`` is the one that Slurm's message names."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


@dataclass(slots=True)
class Reading:
    """What was read: a plain number stands for seconds from now."""

    day: int | tuple[int, int, int | None] | None = None
    """Or month, day, year."""
    clock: int | tuple[int, int, int] | None = None
    """Or hour, minute, second."""
    epoch_seconds: int | None = None


class ClockReader:
    """Reads one text; parts may follow one another in any order, the later one wins."""

    def __init__(self, text: str, release: Release) -> None:
        self._text = text
        self._lowered = lower(text)
        self._release = release
        self._reading = Reading()

    def read(self) -> Reading:
        """Give all that the text says.  Raises NotATime."""
        if self._lowered.startswith("uts"):
            return self._epoch()
        position = 0
        while self._at(position) not in _STOPS:
            position = self._part(position)
        return self._reading

    def _at(self, position: int) -> str:
        return self._text[position] if position < len(self._text) else _END

    def _epoch(self) -> Reading:
        seconds, rest = leading_integer(self._text[3:])
        if rest or seconds < _LEAST_EPOCH or seconds == LONG_MAX:
            raise NotATime(0)
        return Reading(epoch_seconds=seconds)

    def _part(self, position: int) -> int:
        """Read one part and give the position after it."""
        if self._at(position) in " \t-T":
            return position + 1
        for word, shift in _DAYS.items():
            if self._lowered.startswith(word, position):
                self._reading.day = shift
                return position + len(word)
        for word, hour in _CLOCKS.items():
            if self._lowered.startswith(word, position) and self._knows(word):
                self._reading.clock = (hour, 0, 0)
                return position + len(word)
        if self._lowered.startswith("now", position):
            return self._now(position)
        if self._at(position) not in _DIGITS:
            raise NotATime(position)
        if ":" in (self._at(position + 1), self._at(position + 2)):
            return self._clock(position)
        return self._date(position)

    def _knows(self, word: str) -> bool:
        return word != "elevenses" or self._release >= _ELEVENSES

    def _now(self, start: int) -> int:
        position = start + 3
        while self._at(position) in (" ", "\t"):
            position += 1
        sign = self._at(position)
        # Slurm adds the position of what follows "now" to that of "now", so it looks behind the text
        # (and finds no end and no number there) unless "now" stands first.
        if sign in _STOPS and start == 0:
            shift = 0
        elif sign in ("+", "-"):
            shift, position = self._shift(start + position)
            shift = -shift if sign == "-" else shift
        else:
            raise NotATime(start + position)
        self._reading.day = self._reading.clock = shift
        return position

    def _shift(self, sign: int) -> tuple[int, int]:
        """Read a count and its unit after the sign."""
        position, digits = sign + 1, ""
        factor = 1
        while self._at(position) not in _STOPS:
            unit = next((unit for unit in _UNITS if self._lowered.startswith(unit, position)), None)
            if unit is not None:
                factor = _UNITS[unit]
                position += len(unit)
                position += self._lowered.startswith("s", position)
                break
            if self._at(position) in _DIGITS:
                digits += self._at(position)
            elif self._at(position) not in BLANKS:
                raise NotATime(position - 1)
            position += 1
        if not digits:
            raise NotATime(sign)
        return int(digits[:_LONGEST_COUNT]) * factor, position

    def _clock(self, position: int) -> int:
        hour, position = self._number(position, 1 if self._at(position + 1) == ":" else 2, 0, 23)
        position = self._expect_colon(position)
        minute, position = self._number(position, 2, 0, 59)
        second = 0
        if self._at(position) == ":":
            second, position = self._number(position + 1, 2, 0, 59)
        while self._at(position) in BLANKS:
            position += 1
        half = self._lowered[position : position + 2]
        if half in ("am", "pm"):
            hour = self._hour_of_day(hour, half, position)
            position += 2
        self._reading.clock = (hour, minute, second)
        return position

    def _expect_colon(self, position: int) -> int:
        if self._at(position) != ":":
            raise NotATime(position)
        return position + 1

    def _hour_of_day(self, hour: int, half: str, position: int) -> int:
        if hour > 12:
            raise NotATime(position)
        if half == "am":
            return 0 if hour == 12 else hour
        return 12 if hour == 12 else hour + 12

    def _date(self, position: int) -> int:
        if self._at(position + 4) == "-" == self._at(position + 7):
            return self._dashed_date(position)
        month, position = self._month(position)
        position += self._at(position) in "./"
        day, position = self._short_number(position, 31)
        position += self._at(position) in "./"
        earlier = self._reading.day
        year = earlier[2] if isinstance(earlier, tuple) else None
        if self._at(position) in _DIGITS:
            two_digits, position = self._number(position, 2, 0, 99)
            year = 2000 + two_digits if two_digits else year
        self._reading.day = (month, day, year)
        return position

    def _dashed_date(self, position: int) -> int:
        year, position = self._number(position, 4, 0, 9999)
        month, position = self._month(position + 1)
        day, position = self._short_number(position + 1, 31)
        self._reading.day = (month, day, year)
        return position

    def _month(self, position: int) -> tuple[int, int]:
        """Read a month of one or two characters; Slurm does not ask whether the first is a digit."""
        month = ord(self._at(position)) - ord("0")
        position += 1
        if self._at(position) in _DIGITS:
            month = month * 10 + int(self._at(position))
            position += 1
        if not 1 <= month <= 12:
            raise NotATime(position - 2)
        return month, position

    def _short_number(self, position: int, greatest: int) -> tuple[int, int]:
        """Read a number of one or two digits, at least 1."""
        return self._number(position, 2 if self._at(position + 1) in _DIGITS else 1, 1, greatest)

    def _number(self, position: int, size: int, least: int, greatest: int) -> tuple[int, int]:
        for place in range(position, position + size):
            if self._at(place) not in _DIGITS:
                raise NotATime(place)
        number = int(self._text[position : position + size])
        position += size
        if not least <= number <= greatest:
            raise NotATime(position - 2)
        return number, position
