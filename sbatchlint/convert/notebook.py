"""Commands as they stand in a cell of a notebook: ``!torchrun train.py``."""

from __future__ import annotations

import re

from sbatchlint.source import Source

_FIRST = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*!(?=[A-Za-z./~$])")
_MARK = re.compile(r"^([ \t]*)!(?=[A-Za-z./~$])", re.M)
_CELL = re.compile(r"(?:[ \t]*\n)*%%(?:bash|sh|script[ \t]+\S+)[^\n]*\n")


def without_marks(source: Source) -> Source:
    """Return *source* without the marks by which a notebook knows shell lines from Python."""
    text = _CELL.sub("", source.text, count=1) if _CELL.match(source.text) else source.text
    if _FIRST.match(text) is not None:
        text = _MARK.sub(r"\1", text)
    return source if text == source.text else Source.from_text(text, source.path)
