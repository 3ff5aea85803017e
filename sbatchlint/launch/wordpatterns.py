"""Words that stand for patterns: in ``case``, ``[[ ]]`` and ``${name%...}``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.extglobs import extended_glob, is_extended
from sbatchlint.launch.patterns import Glob, Pattern, plain_glob
from sbatchlint.launch.regexes import regex_of
from sbatchlint.shell.syntax import DoubleQuoted, Literal, SingleQuoted, Word

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine


def glob_of(
    machine: Machine, word: Word, *, extended: bool = False, folds: bool = True
) -> tuple[Glob | None, Certainty]:
    """Expand *word* as a pattern, and tell how sure it is; None where it is not known, or read in two ways.

    *extended* says that extended globs are on even without ``shopt -s extglob``, as between ``[[``;
    *folds* that ``shopt -s nocasematch`` has a say here.
    """
    pattern, certainty = _pattern_of(machine, word)
    if pattern is None:
        return None, Certainty.UNKNOWN
    fold = folds and "nocasematch" in machine.state.options
    if not is_extended(pattern):
        return plain_glob(pattern, fold=fold), certainty
    known = (extended or "extglob" in machine.state.options) and not fold
    return (extended_glob(pattern) if known else None), certainty


def regex_in(machine: Machine, word: Word) -> tuple[re.Pattern[str] | None, Certainty]:
    """Expand *word* as a regular expression, and tell how sure it is; None where it is not known."""
    pattern, certainty = _pattern_of(machine, word)
    if pattern is None:
        return None, Certainty.UNKNOWN
    return regex_of(pattern, fold="nocasematch" in machine.state.options), certainty


def _pattern_of(machine: Machine, word: Word) -> tuple[Pattern | None, Certainty]:
    """Expand *word* as a pattern, quoted pieces apart; None where it is not known.  Give how sure it is."""
    pieces: list[tuple[str, bool]] = []
    worst = Certainty.KNOWN
    for part in word.parts:
        escaped = isinstance(part, Literal) and part.escaped
        value = machine.value(Word(part.span, (part,)))
        if value.text is None:
            return None, Certainty.UNKNOWN
        worst = max(worst, value.certainty)
        pieces.append((value.text, escaped or isinstance(part, (SingleQuoted, DoubleQuoted))))
    return tuple(pieces), worst
