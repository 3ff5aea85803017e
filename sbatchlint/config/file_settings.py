"""What holds for one checked file, after all has been counted together."""

from __future__ import annotations

from sbatchlint.lint.finding import Severity
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.registry import RuleSet
from sbatchlint.records import dataclass


@dataclass(frozen=True, slots=True)
class FileSettings:
    """How one file is to be checked, and what makes the run fail."""

    rules: RuleSet
    options: LintOptions
    """All but what the caller alone knows: the script's arguments, its folder, whom to ask."""
    fail_on: Severity = Severity.INFO
    """The mildest finding that makes a run fail."""
    unsafe_fixes: bool = False
    follow: bool = True
    """Whether the files that a script sources may be read."""

    def fails(self, severity: Severity) -> bool:
        """Tell whether a finding of *severity* makes the run fail."""
        return severity.rank <= self.fail_on.rank
