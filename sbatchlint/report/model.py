"""What a run has to tell: one entry for each file that was checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from sbatchlint.fix.edit import Safety
from sbatchlint.lint.finding import Finding, Severity
from sbatchlint.records import dataclass
from sbatchlint.report.places import Home

if TYPE_CHECKING:
    from sbatchlint.lint.rule import Rule
    from sbatchlint.lint.scopes import Suppressed
    from sbatchlint.report.mask import Mask
    from sbatchlint.source import Source


@dataclass(frozen=True)
class FileReport:
    """The findings on one file, in the order of their places."""

    source: Source
    """The version that the findings' spans count in: the fixed one after ``--fix``."""
    mask: Mask
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    """The findings that a comment in the script silenced, and those that an exception sets aside."""
    fixed: int = 0
    """How many findings were fixed."""
    hidden: int = 0
    """How many findings are only told with ``--pedantic``."""
    baselined: int = 0
    """How many findings are left out because the baseline, or the revision compared with, has them."""
    rules: tuple[Rule, ...] = ()
    """The rules that were asked, for the formats that say what a rule is about."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that could not be done, so that not everything was checked."""

    subject: str
    """A path, or what else it is about."""
    message: str
    """With the secrets of a file hidden already."""


@dataclass(frozen=True)
class RunReport:
    """All files of one run, in the order in which they are shown."""

    files: tuple[FileReport, ...]
    unsafe_fixes: bool = False
    """Whether unsafe fixes count as applicable."""
    troubles: tuple[Trouble, ...] = ()
    """What could not be checked or done."""
    home: Home = field(default_factory=Home)
    """Where paths are told from in the formats that other programs read."""

    def findings(self) -> Iterator[tuple[FileReport, Finding]]:
        """Yield every finding with the file that it is in."""
        for file in self.files:
            for finding in file.findings:
                yield file, finding

    def fixable(self, finding: Finding) -> bool:
        """Tell whether ``--fix``, with the other options as they are, would fix *finding*."""
        return finding.fix is not None and (self.unsafe_fixes or finding.fix.safety is Safety.SAFE)

    def counts(self) -> Counts:
        """Count everything that a summary tells."""
        found = [finding for _, finding in self.findings()]
        severities = Counter(finding.severity for finding in found)
        fixable = sum(self.fixable(finding) for finding in found)
        return Counts(
            files=len(self.files),
            files_with_findings=sum(bool(file.findings) for file in self.files),
            errors=severities[Severity.ERROR],
            warnings=severities[Severity.WARNING],
            infos=severities[Severity.INFO],
            suppressed=sum(one.by is not None for file in self.files for one in file.suppressed),
            excepted=sum(one.by is None for file in self.files for one in file.suppressed),
            fixable=fixable,
            fixable_unsafe=sum(finding.fix is not None for finding in found) - fixable,
            fixed=sum(file.fixed for file in self.files),
            hidden=sum(file.hidden for file in self.files),
            baselined=sum(file.baselined for file in self.files),
        )


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of a run."""

    files: int
    files_with_findings: int
    errors: int
    warnings: int
    infos: int
    suppressed: int
    excepted: int
    """Findings that an exception from a policy sets aside."""
    fixable: int
    """Findings that ``--fix`` would fix, with the other options as they are."""
    fixable_unsafe: int
    """Further findings that it would fix with ``--unsafe-fixes``."""
    fixed: int
    hidden: int
    baselined: int

    @property
    def findings(self) -> int:
        """Number of findings of every severity."""
        return self.errors + self.warnings + self.infos
