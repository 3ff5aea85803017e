"""The grammar of each option's value."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from sbatchlint.slurm.grammar.base import Grammar
from sbatchlint.slurm.options import OptionSpec

PACKAGE = __name__.rpartition(".")[0]

MODULES = (
    "binding",
    "containers",
    "counts",
    "features",
    "filenames",
    "generic_resources",
    "hosts",
    "jobs",
    "mail",
    "memory",
    "moments",
    "sampling",
    "signals",
    "texts",
    "times",
    "words",
)
"""Each holds a tuple ``GRAMMARS``."""

FREE_TEXT = frozenset({"flag", "group", "optional_string", "path_list"})
"""Kinds of values without a grammar: Slurm takes any text, or there is none."""


@cache
def grammars() -> Mapping[str, Grammar]:
    """Return all grammars by their names: the values of ``value`` in the option table."""
    found = (grammar for name in MODULES for grammar in import_module(f"{PACKAGE}.{name}").GRAMMARS)
    return {grammar.name: grammar for grammar in found}


def grammar_of(spec: OptionSpec) -> Grammar | None:
    """Return the grammar of an option's value; None for a value that Slurm takes as it is."""
    return grammars().get(spec.value)
