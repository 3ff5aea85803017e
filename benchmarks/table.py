"""The table that is printed: what was measured, the ratio, and what it shall be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.measure import Measure


@dataclass(frozen=True, slots=True)
class Target:
    """What a number shall be."""

    limit: float
    at_most: bool
    """Whether it shall be no more than *limit*; else it shall be no less."""

    def holds(self, number: float) -> bool:
        """Tell whether *number* is as it shall be."""
        return number <= self.limit if self.at_most else number >= self.limit

    def __str__(self) -> str:
        return f"{'at most' if self.at_most else 'at least'} {self.limit:g}"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    name: str
    ours: str
    theirs: str = ""
    number: float | None = None
    """What the target is for: a ratio, an exponent, megabytes; ``None`` where a run had to be stopped."""
    wall: float | None = None
    """The ratio by the clock, where *number* is one by the processor."""
    target: Target | None = None

    @property
    def verdict(self) -> str:
        """Say whether the target is reached; nothing where there is none."""
        if self.target is None:
            return ""
        return "reached" if self.number is not None and self.target.holds(self.number) else "NOT REACHED"


def times_as_long(name: str, ours: Measure, theirs: Measure, limit: float | None = None) -> Row:
    """Return how many times *theirs* ours takes, which shall be *limit* at most."""
    target = None if limit is None else Target(limit, at_most=True)
    number = ours.cpu / theirs.cpu if ours.ended and theirs.ended else None
    return Row(name, seconds(ours), seconds(theirs), number, ours.wall / theirs.wall, target)


def times_as_fast(name: str, ours: Measure, theirs: Measure, limit: float | None = None) -> Row:
    """Return how many times as fast as *theirs* ours is, which shall be *limit* at least."""
    target = None if limit is None else Target(limit, at_most=False)
    number = theirs.cpu / ours.cpu if ours.ended and theirs.ended else None
    return Row(name, seconds(ours), seconds(theirs), number, theirs.wall / ours.wall, target)


def peak_memory(name: str, ours: Measure, limit: float | None = None, theirs: Measure | None = None) -> Row:
    """Return the megabytes (of 10^6 bytes) of the largest process, which shall be *limit* at most."""
    target = None if limit is None else Target(limit, at_most=True)
    number = ours.memory / 1e6
    beside = "" if theirs is None else f"{theirs.memory / 1e6:.0f} MB"
    return Row(name, f"{number:.0f} MB", beside, round(number, 1) if ours.ended else None, None, target)


def seconds(measure: Measure) -> str:
    """Return the processor's seconds of *measure* as a short text."""
    if not measure.ended:
        return f"over {measure.cpu:.0f} s"
    return f"{measure.cpu * 1000:.0f} ms" if measure.cpu < 1 else f"{measure.cpu:.2f} s"


HEADINGS = ("", "sbatchlint", "beside", "number", "by the clock", "shall be", "")


def render(rows: Sequence[Row]) -> str:
    """Return *rows* as a table in plain text."""
    cells = [HEADINGS, *(_cells(row) for row in rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
    return "\n".join(line.rstrip() for line in lines)


def _cells(row: Row) -> tuple[str, ...]:
    number = "" if row.number is None else f"{row.number:.2f}" if row.number < 20 else f"{row.number:.0f}"
    wall = "" if row.wall is None else f"{row.wall:.2f}" if row.wall < 20 else f"{row.wall:.0f}"
    return row.name, row.ours, row.theirs, number, wall, str(row.target or ""), row.verdict
