"""How files are checked and what counts as failure, wherever it was said."""

from __future__ import annotations

from dataclasses import dataclass

from sbatchlint.lint.finding import Severity


@dataclass(frozen=True, slots=True)
class Settings:
    """The user's choices, with their defaults.  Selectors are codes, code prefixes, names and families."""

    select: tuple[str, ...] | None = None
    """What to look for; ``None`` is everything."""
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    unsafe_fixes: bool = False
    fail_on: Severity = Severity.INFO
    """The mildest finding that makes a run fail."""
    exit_zero: bool = False
    """Whether findings never make a run fail."""

    @property
    def selects(self) -> bool:
        """Whether any selector was given, which then has to be looked at."""
        return self.select is not None or bool(self.extend_select or self.ignore)

    def fails(self, severity: Severity) -> bool:
        """Tell whether a finding of *severity* makes the run fail."""
        return not self.exit_zero and severity.rank <= self.fail_on.rank
