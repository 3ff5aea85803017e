"""Scripts that need not keep to a policy: who says so, why, and until when."""

from __future__ import annotations

import os.path
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from sbatchlint.glob_lines import compiled, seen_from
from sbatchlint.policy.models import ExceptionTable
from sbatchlint.records import dataclass
from sbatchlint.source import Source

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True)
class Waiver:
    """One ``[[exception]]`` with the folder that its paths count from."""

    table: ExceptionTable
    folder: str

    @classmethod
    def of(cls, table: ExceptionTable, source: Source) -> Waiver:
        """Take *table* from the file *source*."""
        return cls(table, os.path.dirname(os.path.abspath(source.path)))

    def covers(self, path: str) -> bool:
        """Tell whether the script at *path* is one of its; standard input never is."""
        if path in ("", "-"):
            return False
        return self._spec.match_file(seen_from(self.folder, os.path.abspath(path)))

    @cached_property
    def _spec(self) -> GitIgnoreSpec:
        return compiled(self.table.paths)

    def holds(self, today: date) -> bool:
        """Tell whether it still holds; its last day is one of them."""
        return today <= self.table.expires

    @property
    def said(self) -> str:
        """Who lets the script be, why, and until when."""
        table = self.table
        return f"{table.owner}: {table.reason} (until {table.expires.isoformat()})"

    @property
    def ended(self) -> str:
        """What is to be said of a finding that it held back once."""
        table = self.table
        return f"an exception for this ended on {table.expires.isoformat()} ({table.owner}: {table.reason})"
