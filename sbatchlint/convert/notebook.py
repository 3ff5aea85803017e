"""Commands as they stand in a cell of a notebook: ``!torchrun train.py``."""

from __future__ import annotations

import re

from sbatchlint.regex import regex
from sbatchlint.source import Source

_FIRST = regex(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*!(?=[A-Za-z./~$])")
_MARK = regex(r"^([ \t]*)!(?=[A-Za-z./~$])", re.M)
_CELL = regex(r"(?:[ \t]*\n)*%%(?:bash|sh|script[ \t]+\S)[^\n]*\n")


def without_marks(source: Source) -> Source:
    """Return *source* without the marks by which a notebook knows shell lines from Python."""
    cell = _CELL.match(source.text)
    text = source.text[cell.end() :] if cell else source.text
    if _FIRST.match(text) is not None:
        text = _MARK.sub(r"\1", text)
    return source if text == source.text else Source.from_text(text, source.path)
