"""Job arrays: ``--array``.

Sources: ``_parse_array_tok`` and ``_create_job_array`` of ``src/slurmctld/job_mgr.c``.
"""

from __future__ import annotations

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused, Stage
from sbatchlint.slurm.grammar.c_text import leading_integer, wrap
from sbatchlint.slurm.options import Release

GREATEST_INDEX = 4_000_000
"""MaxArraySize can be set to 4,000,001 and not higher; its default is 1001."""
_CHECKS_STEP = (22, 5)
"""From here on a step that is not below MaxArraySize is refused."""


@dataclass(frozen=True, slots=True)
class ArraySpec:
    """The indices of a job array."""

    ranges: tuple[tuple[int, int, int], ...]
    """First, last (both included) and step of each item."""
    throttle: int | None = None
    """How many tasks run at once at most; None for no limit, also where one was written in vain."""

    @property
    def max_index(self) -> int:
        """The greatest index of the array; -1 where it has none."""
        return max((first + (last - first) // step * step for first, last, step in self.ranges), default=-1)

    @property
    def greatest_written(self) -> int:
        """The greatest number that Slurm compares with MaxArraySize: the end of a range, reached or not."""
        return max((last for _, last, _ in self.ranges), default=-1)

    def count(self) -> int:
        """Count the different indices."""
        return sum(self._marks())

    def indices(self, most: int) -> tuple[int, ...]:
        """Give the first *most* indices in their order, each once."""
        found: list[int] = []
        marks = self._marks()
        at = marks.find(1)
        while at >= 0 and len(found) < most:
            found.append(at)
            at = marks.find(1, at + 1)
        return tuple(found)

    def _marks(self) -> bytearray:
        """Give a byte for each number up to the greatest, 1 for an index."""
        marks = bytearray(self.max_index + 1)
        for first, last, step in self.ranges:
            marks[first : last + 1 : step] = b"\1" * len(range(first, last + 1, step))
        return marks


def _array(text: str, context: Context) -> ArraySpec:
    ranges = tuple(_range(item, context.release) for item in text.split(",") if item)
    return ArraySpec(ranges, _throttle(text))


def _throttle(text: str) -> int | None:
    """Read the number behind the first ``%``; what is not above zero is ignored without a word."""
    limit = wrap(leading_integer(text.partition("%")[2])[0], 32)
    return limit if limit > 0 else None


def _range(item: str, release: Release) -> tuple[int, int, int]:
    first, rest = _number(item[1:] if item.startswith("[") else item)
    last, step = first, 1
    if rest.startswith("-"):
        last, rest = _number(rest[1:])
        if rest.startswith(":"):
            step, rest = _number(rest[1:])
    if rest and not rest.startswith("%"):
        raise _refusal(f"{item} is no index and no range")
    if first < 0 or last < first:
        raise _refusal(f"the range {item} runs backwards")
    if step <= 0 or (step > GREATEST_INDEX and release >= _CHECKS_STEP):
        raise _refusal("a step is above zero and below MaxArraySize")
    if last > GREATEST_INDEX:
        raise _refusal(f"no cluster has indices above {GREATEST_INDEX}")
    return first, last, step


def _number(text: str) -> tuple[int, str]:
    number, rest = leading_integer(text)
    return number, rest[1:] if rest.startswith("]") else rest


def _refusal(detail: str) -> Refused:
    return Refused("Invalid job array specification", detail, stage=Stage.CONTROLLER)


ARRAY = Grammar(
    "array",
    "indices of a job array",
    (
        ("N", "one index"),
        ("N-M", "all from N to M"),
        ("N-M:STEP", "every STEPth from N on"),
        ("ITEM,ITEM", "all of them, each once"),
        ("ITEMS%MAX", "no more than MAX at once"),
    ),
    ("0", "0-15", "0-15:4", "1,3,5", "0-15%4", "[1-3]", "1,,2", "1,1", "%2", "0-9%x", ""),
    ("5-1", "1-", "1-3:0", "abc", "1.5", "1;2", "$N", "1:2", "-1", "0-4000001"),
    _array,
    (
        "Indices must be below MaxArraySize, 1001 by default: 1-1000 fits, 1-1001 does not.",
        "A limit that is no number above zero (`%0`, `%`, `%x`) is ignored without a word.",
    ),
)
