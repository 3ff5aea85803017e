"""Which rank the others waited for, from what NCCL's watchdogs say."""

from __future__ import annotations

from sbatchlint.diagnose.facts import Facts

_FEW = 16
"""More ranks than this are no hint."""


def ranks_missing(facts: Facts) -> tuple[int, ...]:
    """Return the ranks that reported no timeout although most did; none where that tells nothing.

    Without a known number of ranks, only gaps below the highest rank that reported count.
    """
    reporting = facts.timed_out
    if len(reporting) < 2:
        return ()
    world = max(facts.world or 0, max(reporting) + 1)
    if world - len(reporting) > min(_FEW, len(reporting)):
        return ()
    return tuple(rank for rank in range(world) if rank not in reporting)


def ranks_behind(facts: Facts) -> tuple[int, ...]:
    """Return the ranks whose last collective has the lowest number, where the numbers differ."""
    numbers = facts.enqueued
    if not numbers or min(numbers.values()) == max(numbers.values()):
        return ()
    lowest = min(numbers.values())
    found = tuple(sorted(rank for rank, number in numbers.items() if number == lowest))
    return found if len(found) <= _FEW and len(found) < len(numbers) else ()
