"""Colours and links of a terminal; the plain style sends neither."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sbatchlint.lint.finding import Severity
from sbatchlint.records import dataclass

_BOLD = "1"
_BLUE = "1;34"
_GREEN = "32"
_RED = "31"
_FAINT = "2"
_ITALIC = "3"
_FAINT_ITALIC = "2;3"
_GROUPS = ("32", "33", "34", "35", "36", "31")
"""Neighbours differ; the seventh group has the colour of the first."""
_SEVERITY = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}


@dataclass(frozen=True, slots=True)
class Style:
    """What the place that is written to understands."""

    colour: bool = False
    links: bool = False

    def severity(self, severity: Severity, text: str) -> str:
        """Return *text* in the colour of *severity*."""
        return self._paint(_SEVERITY[severity], text)

    def strong(self, text: str) -> str:
        """Return *text* as a heading."""
        return self._paint(_BOLD, text)

    def frame(self, text: str) -> str:
        """Return *text* as part of the frame around source lines."""
        return self._paint(_BLUE, text)

    def good(self, text: str) -> str:
        """Return *text* as something that helps."""
        return self._paint(_GREEN, text)

    def bad(self, text: str) -> str:
        """Return *text* as something that goes away."""
        return self._paint(_RED, text)

    def faint(self, text: str) -> str:
        """Return *text* as something said in passing."""
        return self._paint(_FAINT, text)

    def unknown(self, text: str) -> str:
        """Return *text* as standing for something that is not known."""
        return self._paint(_FAINT_ITALIC, text)

    def assumed(self, text: str) -> str:
        """Return *text* as holding only unless somebody says otherwise."""
        return self._paint(_ITALIC, text)

    def group(self, number: int) -> Callable[[str], str]:
        """Return what paints a text in the colour of group *number*."""
        return partial(self._paint, _GROUPS[number % len(_GROUPS)])

    def link(self, text: str, url: str) -> str:
        """Return *text*, which leads to *url* where the terminal can do that (OSC 8)."""
        if not self.links or not url.isascii() or not url.isprintable() or not url:
            return text
        return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


PLAIN = Style()
