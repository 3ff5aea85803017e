"""The typed value of an option, read once for each release."""

from __future__ import annotations

from functools import lru_cache

from sbatchlint.slurm.grammar.base import Context, Refused
from sbatchlint.slurm.grammar.registry import grammar_of
from sbatchlint.slurm.options import Release, option_table


@lru_cache(maxsize=4096)
def read_value(name: str, text: str, release: Release) -> object | Refused:
    """Return the typed value that *release* reads in *text* for option *name*, or its refusal (not raised).

    Raises KeyError for a name that no command has.
    """
    grammar = grammar_of(option_table().get(name))
    if grammar is None:
        return text
    try:
        return grammar.read(text, Context(name, release))
    except Refused as refused:
        return refused
