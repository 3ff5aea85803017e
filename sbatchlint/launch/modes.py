"""The options that a shell is started with (bash(1), OPTIONS and the ``set`` builtin)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sbatchlint.regex import regex

MODES = {
    "e": "errexit",
    "u": "nounset",
    "x": "xtrace",
    "a": "allexport",
    "f": "noglob",
    "n": "noexec",
    "E": "errtrace",
}
"""Long names by letter, of those that change what a script does."""
_SHELL_LINE = regex(r"#!\s*\S*(?:/|\benv\s+-S\s*)(?:ba|da|k)?sh[ \t]+(-[A-Za-z]+)[ \t]*(?:\n|$)")


def modes(words: Sequence[str]) -> frozenset[str]:
    """The long names of the options that *words* (``-eu``, ``-o``, ``pipefail``) switch on."""
    found: set[str] = set()
    for word, following in zip(words, [*words, ""][1:], strict=True):
        if not re.fullmatch(r"-[A-Za-z]+", word):
            continue
        found |= {MODES[letter] for letter in word if letter in MODES}
        if "o" in word:
            found.add(following)
    return frozenset(found)


def first_line_modes(text: str) -> frozenset[str]:
    """The options that the first line of a script gives its shell (``#!/bin/bash -e``)."""
    line = _SHELL_LINE.match(text)
    return modes([line[1]]) if line else frozenset()
