"""What a value means, where no release is given: what all releases that take it agree on."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from sbatchlint.slurm.grammar.base import Context, Refused
from sbatchlint.slurm.grammar.registry import grammar_of
from sbatchlint.slurm.options import KNOWN_RELEASES, option_table

OLDEST = (20, 11)
"""The oldest release whose reading is asked for."""


@lru_cache(maxsize=4096)
def readings(option: str, text: str) -> tuple[object, ...]:
    """Give the different meanings of *text* as the value of an option; none where no release takes it."""
    spec = option_table().get(option)
    grammar = grammar_of(spec)
    found: dict[object, None] = {}
    for release in KNOWN_RELEASES:
        known = release >= OLDEST and any(spec.accepted(command, release) for command in spec.commands)
        if grammar is None or not known:
            continue
        try:
            found[grammar.read(text, Context(spec.long, release))] = None
        except Refused:
            continue  # it speaks for itself elsewhere
    return tuple(found)


def agreed(option: str, text: str, measure: Callable[[object], int | None]) -> int | None:
    """Give what *measure* makes of a value; None where releases differ in it or none takes the value."""
    measured = {measure(reading) for reading in readings(option, text)}
    return measured.pop() if len(measured) == 1 else None
