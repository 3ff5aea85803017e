"""Values of a job's options, with what Slurm makes of them."""

from __future__ import annotations

from sbatchlint.slurm.grammar.arrays import ArraySpec
from sbatchlint.slurm.grammar.memory import Memory
from sbatchlint.slurm.grammar.times import Duration

_PARTS = (("day", 24 * 60), ("hour", 60), ("minute", 1))
_UNITS = (("T", 1024 * 1024), ("G", 1024), ("M", 1))


def meaning_of_time(limit: Duration) -> str:
    """Say a time limit in words: ``2 days 12 hours``."""
    minutes = limit.minutes
    if minutes is None:
        return "no limit"
    said = []
    for name, size in _PARTS:
        count, minutes = divmod(minutes, size)
        if count:
            said.append(f"{count} {name}{'s' * (count != 1)}")
    return " ".join(said)


def meaning_of_memory(memory: Memory) -> str:
    """Say an amount of memory in its largest whole unit: ``64G``."""
    for unit, size in _UNITS:
        if memory.mebibytes % size == 0 and memory.mebibytes >= size:
            return f"{memory.mebibytes // size}{unit}"
    return "0"


def meaning_of_array(array: ArraySpec) -> str:
    """Say how many tasks an array has, and how many of them run at once."""
    count = array.count()
    text = f"{count} task{'s' * (count != 1)}"
    return text if array.throttle is None else f"{text}, at most {array.throttle} at once"
