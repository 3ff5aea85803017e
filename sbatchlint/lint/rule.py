"""The shape of a rule.  Rules live outside this package and see it through :mod:`sbatchlint.api`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from sbatchlint.lint.finding import Confidence, Finding, Related, Severity

if TYPE_CHECKING:
    from sbatchlint.fix.edit import Fix
    from sbatchlint.lint.job import Job
    from sbatchlint.source import Span


API_VERSION = 1
"""The version of the rule API, :mod:`sbatchlint.api`: raised when a name that docs/plugins.md calls stable
goes or changes its meaning, and by nothing else.  A package may ask for one: ``SBATCHLINT_API = 1``."""


class Fixable(Enum):
    """Whether a rule's findings carry a fix."""

    ALWAYS = "always"
    SOMETIMES = "sometimes"
    NEVER = "never"


class Rule(ABC):
    """One thing that goes wrong.  The docstring is the rule's page and its examples are its tests.

    A rule is made once per run and asked once per file; it keeps no state between files.
    """

    code: ClassVar[str]
    """``SB`` and three digits, the first of which is the family; a third party's own capitals and three
    digits; a policy's name.  Never reused."""
    name: ClassVar[str]
    """Lower case with hyphens; reads well after "allow"."""
    severity: ClassVar[Severity]
    """The worst severity that the rule reports."""
    fixable: ClassVar[Fixable] = Fixable.NEVER
    group: ClassVar[str] = ""
    """A word that selects all rules which bear it, beside their prefix; ``policy`` for policies."""

    @abstractmethod
    def check(self, job: Job) -> Iterator[Finding]:
        """Yield what is wrong with *job*."""

    def excepted(self, job: Job) -> str:
        """Return who lets what is found in *job* be, and why; empty where nobody does.

        Such findings are counted and told to programs, but they make no run fail.
        """
        return ""

    def finding(
        self,
        span: Span,
        message: str,
        *,
        label: str = "",
        related: Iterable[Related] = (),
        help: str = "",
        notes: Iterable[str] = (),
        fix: Fix | None = None,
        severity: Severity | None = None,
        confidence: Confidence = Confidence.HIGH,
    ) -> Finding:
        """Make a finding of this rule; *severity* may lower the rule's own."""
        return Finding(
            code=self.code,
            name=self.name,
            severity=severity or self.severity,
            message=message,
            span=span,
            label=label,
            related=tuple(related),
            help=help,
            notes=tuple(notes),
            fix=fix,
            confidence=confidence,
        )
