"""What a rule reports: one problem at one place, with the places that explain it."""

from __future__ import annotations

from enum import Enum

from sbatchlint.fix.edit import Fix
from sbatchlint.records import dataclass
from sbatchlint.source import Span


class Severity(Enum):
    """How bad it is if the finding is right."""

    ERROR = "error"
    """The job will fail or do the wrong thing."""
    WARNING = "warning"
    """It will under some condition that is likely."""
    INFO = "info"
    """It costs time, money or clarity."""

    @property
    def rank(self) -> int:
        """0 for the worst; for sorting and for thresholds."""
        return _RANK[self]


_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


class Confidence(Enum):
    """How sure the rule is that the finding is right."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains the finding, with what is to be seen there."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem.  *message* says what will happen, *label* what is written at *span*, *help* what to do.

    All four texts start in lower case, have no full stop at the end and show values as written.
    A value that may be secret is never put in any of them.
    """

    code: str
    name: str
    severity: Severity
    message: str
    span: Span
    label: str = ""
    related: tuple[Related, ...] = ()
    help: str = ""
    notes: tuple[str, ...] = ()
    fix: Fix | None = None
    confidence: Confidence = Confidence.HIGH

    @property
    def prominent(self) -> bool:
        """Whether it is told without being asked for: an error or a warning that is surely right."""
        return self.severity is not Severity.INFO and self.confidence is Confidence.HIGH

    @property
    def serious(self) -> bool:
        """Whether it is an error or a warning; a fix may not bring about one of these."""
        return self.severity is not Severity.INFO
