"""Places and fixes as SARIF has them: by line and column, and by the addresses of files."""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any

from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.report.model import FileReport
from sbatchlint.report.places import Home, percent_encoded
from sbatchlint.report.words import said
from sbatchlint.source import Span

ROOT = "%SRCROOT%"
"""The name under which the log tells the folder that relative addresses begin at."""
_BOM = "\ufeff"
_SURROGATE = regex("[\ud800-\udfff]")


def root_address(home: Home) -> str:
    """Return the address of the folder that paths are told from; it ends in ``/`` as it has to."""
    return f"file://{percent_encoded(home.root.rstrip('/'))}/"


@dataclass(frozen=True)
class Artifact:
    """One checked file of the log."""

    file: FileReport
    home: Home
    index: int
    """Its number among the log's ``artifacts``."""

    @cached_property
    def address(self) -> dict[str, Any]:
        """Where it stands (``artifactLocation``), relative to :data:`ROOT` if it is in there."""
        seen = self.home.path(self.file.source.path)
        if seen == "-":
            return {"uri": "-", "index": self.index, "description": {"text": "standard input"}}
        if os.path.isabs(seen):
            return {"uri": f"file://{percent_encoded(seen)}", "index": self.index}
        return {"uri": percent_encoded(seen), "uriBaseId": ROOT, "index": self.index}

    def location(self, span: Span, **more: Any) -> dict[str, Any]:
        """Return the ``location`` of *span*."""
        place = {"artifactLocation": self.address, "region": self.region(span)}
        return {"physicalLocation": place, **more}

    def region(self, span: Span) -> dict[str, int]:
        """Return where *span* begins, and the place just after it; a byte order mark has no column."""
        source = self.file.source
        start, end = source.position(span.start), source.position(span.end)
        return {
            "startLine": start.line,
            "startColumn": self._column(start.line, start.column),
            "endLine": end.line,
            "endColumn": self._column(end.line, end.column),
        }

    def fix(self, fix: Fix) -> dict[str, Any] | None:
        """Return *fix*, or ``None`` where a reader of the log could not carry it out to the letter."""
        changes = self._line_ends() if fix.unix_line_ends else []
        for edit in fix.edits:
            if self._is_unsayable(edit):
                return None
            changes.append(self._replacement(edit))
        if not changes:
            return None
        return {
            "description": {"text": said(self.file, fix.title)},
            "artifactChanges": [{"artifactLocation": self.address, "replacements": changes}],
            "properties": {"safety": fix.safety.value},
        }

    def _column(self, line: int, column: int) -> int:
        marked = line == 1 and self.file.source.text.startswith(_BOM)
        return max(1, column - 1) if marked else column

    def _is_unsayable(self, edit: Edit) -> bool:
        """Tell whether *edit* writes a secret or bytes that are not UTF-8, or removes a byte order mark."""
        text = edit.text
        secret = self.file.mask.text(text) != text
        removed = edit.span.start == 0 < len(edit.span) and self.file.source.text.startswith(_BOM)
        return secret or removed or _SURROGATE.search(text) is not None

    def _replacement(self, edit: Edit) -> dict[str, Any]:
        source = self.file.source
        text = edit.text
        if source.position(edit.span.start).line in source.crlf_lines:
            text = text.replace("\n", "\r\n")
        change: dict[str, Any] = {"deletedRegion": self.region(edit.span)}
        if text:
            change["insertedContent"] = {"text": text}
        return change

    def _line_ends(self) -> list[dict[str, Any]]:
        r"""Return what makes every ``\r\n`` a ``\n``, be there several ``\r``.

        Columns end before the break, so that is replaced.
        """
        source = self.file.source
        changes = []
        for line in sorted(source.crlf_lines):
            whole = source.line_span(line)
            end = whole.start + len(source.slice(whole).rstrip("\r"))
            changes.append(
                {"deletedRegion": self.region(Span(end, whole.end + 1)), "insertedContent": {"text": "\n"}}
            )
        return changes
