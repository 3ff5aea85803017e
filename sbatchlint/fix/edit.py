"""Edits and fixes as plain data: what would change, and how safe that is."""

from __future__ import annotations

from enum import Enum

from sbatchlint.records import dataclass
from sbatchlint.source import Span


class Safety(Enum):
    """Whether a fix may be applied without being asked for by name."""

    SAFE = "safe"
    """One reading of what the author meant; allocates, deletes and assumes nothing new."""
    UNSAFE = "unsafe"
    """Everything else: applied with ``--unsafe-fixes`` only."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the text of *span* by *text*; an empty span inserts, an empty text deletes."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A titled set of edits that belong together: all of them are applied, or none."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety
    unix_line_ends: bool = False
    """Whether every line of the file ends in ``\\n`` alone afterwards: no edit can say that."""

    revives: bool = False
    """Whether the comments that the edits touch become part of a command or a directive: none is lost."""

    @classmethod
    def safe(cls, title: str, *edits: Edit) -> Fix:
        """Make a safe fix."""
        return cls(title, tuple(sorted(edits)), Safety.SAFE)

    @classmethod
    def reviving(cls, title: str, *edits: Edit, certain: bool = True) -> Fix:
        """Make a fix of text that is taken for a comment; safe where *certain* that it was meant to count."""
        safety = Safety.SAFE if certain else Safety.UNSAFE
        return cls(title, tuple(sorted(edits)), safety, revives=True)

    @classmethod
    def line_ends(cls, title: str) -> Fix:
        """Make the safe fix that takes the carriage returns off all line ends."""
        return cls(title, (), Safety.SAFE, unix_line_ends=True)

    @classmethod
    def unsafe(cls, title: str, *edits: Edit) -> Fix:
        """Make a fix that is only applied on request."""
        return cls(title, tuple(sorted(edits)), Safety.UNSAFE)
