"""Any text as a part of a Markdown document that says just that text."""

from __future__ import annotations

import html
import re

from sbatchlint.regex import regex

_BREAK = "\u200b"
"""A blank without width, behind which a name is no mention and a number no reference."""
_MARKS = regex(r"[\\`*_{}\[\]()<>#+.!|~:$=^&-]")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_CALLED = regex(r"@(?=\w)|(?:[#!]|\bGH-)(?=\d)", re.IGNORECASE)
"""What GitHub and GitLab take for people (``@name``) and for issues, merge requests and the like (``#1``)."""


def markdown_text(text: str) -> str:
    """Return *text*, one line, so that it is shown as it is: no markup, no HTML, no link, nobody called.

    Renderers look for mentions and references after they have undone the escapes, so these are broken by
    a blank that cannot be seen.
    """
    broken = _CALLED.sub(lambda match: match.group() + _BREAK, text)
    return _MARKS.sub(lambda match: _ENTITIES.get(match.group(), f"\\{match.group()}"), broken)


def code_span(text: str) -> str:
    """Return *text*, one line and not empty, as code."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    blank = " " if text[:1] in "` " or text[-1:] in "` " else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def html_code(text: str) -> str:
    """Return *text* as code inside a line of HTML."""
    return f"<code>{html.escape(text)}</code>"
