"""Words that stand for patterns: in ``case``, ``[[ ]]`` and ``${name%...}``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.patterns import Pattern
from sbatchlint.shell.syntax import DoubleQuoted, Literal, SingleQuoted, Word

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine


def pattern_of(machine: Machine, word: Word) -> tuple[Pattern | None, Certainty]:
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
