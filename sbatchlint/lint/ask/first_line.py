"""First lines that were meant to begin with ``#!``."""

from __future__ import annotations

from sbatchlint.regex import regex

_MISSPELT = regex(r"!#?(?=[ \t]*/(?:\S*/)?(?:env|(?:ba|da|k|z)?sh|python[\d.]*)(?:\s|$))")
"""The ``#`` missing, or behind the ``!``, and then an interpreter."""


def misspelt_shebang(text: str) -> str:
    """Return what stands for ``#!`` at the start of *text* (``!`` or ``!#``), empty where nothing does.

    To the shell such a line is a command, behind which sbatch would read no directive.
    """
    found = _MISSPELT.match(text)
    return found.group() if found else ""
