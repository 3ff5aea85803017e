"""What no fix may do to a script, whatever its rule believes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from sbatchlint.fix.bash import BashCheck
from sbatchlint.fix.comments import comment_texts
from sbatchlint.source import Source, Span

if TYPE_CHECKING:
    from sbatchlint.shell.syntax import Script

    Reader = Callable[[Source], Script]


def _read(source: Source) -> Script:
    from sbatchlint.shell.reader import read_script

    return read_script(source)


class Guards:
    """The checks of a script's text before and after an edit."""

    def __init__(self, bash: BashCheck | None = None, read: Reader = _read) -> None:
        """Take the judge of shell syntax and the reader that stands in where bash gives no verdict."""
        self._bash = bash or BashCheck()
        self._reader = read
        self._last: list[tuple[str, Script]] = []

    def breaks_syntax(self, before: Source, after: Source) -> str | None:
        """Return why *after* is worse shell text than *before*, or None if it is not."""
        was, now = self._bash.reading(before), self._bash.reading(after)
        if was and now is not None:  # a text that bash rejects already tells nothing by being rejected again
            return "bash would no longer read the script" if now < was else None
        more = len(self._script(after).unparsed) - len(self._script(before).unparsed)
        return "a part of the script could no longer be read" if more > 0 else None

    def loses_comment(self, before: Source, after: Source, revived: Collection[Span] = ()) -> str | None:
        """Return which comment of *before* is not in *after*, or None if all are.

        Comments that touch a span of *revived* are no longer meant to be comments.
        """
        kept = comment_texts(after, self._script(after))
        lost = comment_texts(before, self._script(before), revived) - kept
        return f"it would lose the comment {next(iter(lost))!r}" if lost else None

    def _script(self, source: Source) -> Script:
        """Read *source*, remembering the two latest readings."""
        for text, script in self._last:
            if text == source.text:
                return script
        script = self._reader(source)
        self._last = [*self._last[-1:], (source.text, script)]
        return script
