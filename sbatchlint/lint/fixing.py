"""Fixing one file with the rules of a run."""

from __future__ import annotations

from dataclasses import dataclass

from sbatchlint.fix.converge import Converged, converge
from sbatchlint.fix.guards import Guards
from sbatchlint.lint.builtin import UNUSED_SUPPRESSION
from sbatchlint.lint.engine import FileResult, lint_source
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.registry import RuleSet
from sbatchlint.source import Source


@dataclass(frozen=True, slots=True)
class FixResult:
    """What became of one file: :attr:`converged` tells of the fixes, :attr:`after` of what is left."""

    before: FileResult
    after: FileResult
    converged: Converged[Finding]


def fix_source(
    source: Source,
    rules: RuleSet,
    options: LintOptions | None = None,
    *,
    unsafe: bool = False,
    guards: Guards | None = None,
) -> FixResult:
    """Lint and fix *source* until nothing changes; nothing is written anywhere.

    Without *unsafe* only safe fixes are applied.  Pass one :class:`Guards` for many files to share it.
    """
    results: dict[Source, FileResult] = {}

    def lint(text: Source) -> tuple[Finding, ...]:
        if text not in results:
            results[text] = lint_source(text, rules, options)
        result = results[text]
        broken = {error.code for error in result.internal_errors}
        if not broken <= {error.code for error in results[source].internal_errors}:
            raise RuntimeError(f"rules break on the fixed text: {', '.join(sorted(broken))}")
        return result.findings

    converged = converge(source, lint, unsafe=unsafe, bookkeeping=(UNUSED_SUPPRESSION,), guards=guards)
    return FixResult(results[source], results[converged.source], converged)
