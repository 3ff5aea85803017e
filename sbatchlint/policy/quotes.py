r"""Texts in an expression that have no end, found before celpy's parser looks for one.

Its expression for a text tries every escape in two ways before it gives up, so a quote and forty times
``\\`` without another quote would keep it busy for days.
"""

from __future__ import annotations

from sbatchlint.regex import regex

_SOUGHT = regex(r"//[^\n]*|'''|\"\"\"|['\"]")
_MOST = 10
"""So many escapes are tried in a moment."""


def endless_text(text: str) -> int | None:
    """Return where a text begins in *text* for whose end celpy would look too long; None without one."""
    at = 0
    while (found := _SOUGHT.search(text, at)) is not None:
        mark = found[0]
        if mark.startswith("//"):
            at = found.end()
            continue
        line = text.find("\n", found.end()) if len(mark) == 1 else -1
        stop = len(text) if line < 0 else line
        end = _end(text, mark, found.end(), stop)
        if end is None:
            # celpy goes back to a mark that it has taken for escaped, if there is one.
            last = text.rfind(mark, found.end(), stop)
            if text.count("\\", max(last, found.end()), stop) > _MOST:
                return found.start()
            end = last + len(mark) if last >= 0 else found.end()
        at = end
    return None


def _end(text: str, mark: str, start: int, stop: int) -> int | None:
    """Return where the text that *mark* opens ends, of which the inside begins at *start*."""
    at = start
    while at < stop:
        if text.startswith(mark, at):
            return at + len(mark)
        at += 2 if text[at] == "\\" else 1
    return None
