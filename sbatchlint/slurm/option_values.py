"""The typed value of an option: in one release, or what all releases that take it agree on."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from sbatchlint.slurm.grammar.base import Context, Refused
from sbatchlint.slurm.grammar.registry import grammar_of
from sbatchlint.slurm.options import SUPPORTED_RELEASES, Release, option_table


@lru_cache(maxsize=4096)
def read_value(name: str, text: str, release: Release, command: str = "sbatch") -> object | Refused:
    """Return the typed value that *command* of *release* reads in *text* for option *name*, or its refusal.

    The refusal is not raised.

    Raises KeyError for a name that no command has.
    """
    grammar = grammar_of(option_table().get(name))
    if grammar is None:
        return text
    try:
        return grammar.read(text, Context(name, release, command))
    except Refused as refused:
        return refused


@lru_cache(maxsize=4096)
def readings(name: str, text: str) -> tuple[object, ...]:
    """Return the different meanings of *text* as the value of an option; none where no release takes it.

    Raises KeyError for a name that no command has.
    """
    spec = option_table().get(name)
    found: dict[object, None] = {}
    for release in SUPPORTED_RELEASES:
        if any(spec.accepted(command, release) for command in spec.commands):
            found[read_value(spec.long, text, release)] = None
    return tuple(value for value in found if not isinstance(value, Refused))


def agreed(name: str, text: str, measure: Callable[[object], int | None]) -> int | None:
    """Return what *measure* makes of a value; None where releases differ in it or none takes the value."""
    measured = {measure(reading) for reading in readings(name, text)}
    return measured.pop() if len(measured) == 1 else None
