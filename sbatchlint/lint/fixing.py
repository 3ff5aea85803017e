"""Fixing one file with the rules of a run."""

from __future__ import annotations

from dataclasses import replace

from sbatchlint.fix.converge import Converged, converge
from sbatchlint.fix.guards import Guards
from sbatchlint.lint.builtin import UNUSED_SUPPRESSION
from sbatchlint.lint.engine import FileResult, in_full, lint_source
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.registry import RuleSet
from sbatchlint.records import dataclass
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
    before: FileResult | None = None,
) -> FixResult:
    """Lint and fix *source* until nothing changes; nothing is written anywhere.

    Without *unsafe* only safe fixes are applied.  Pass one :class:`Guards` for many files to share it, and
    *before* if *source* has been linted already.  Raises OutOfTime where the time of the file is over.
    """
    results: dict[Source, FileResult] = {} if before is None else {source: before}

    def lint(text: Source) -> tuple[Finding, ...]:
        if text not in results:
            results[text] = in_full(lint_source(text, rules, options))
        result = results[text]
        broken = {error.code for error in result.internal_errors}
        if not broken <= {error.code for error in results[source].internal_errors}:
            raise RuntimeError(f"rules break on the fixed text: {', '.join(sorted(broken))}")
        return result.findings

    converged = converge(source, lint, unsafe=unsafe, bookkeeping=(UNUSED_SUPPRESSION,), guards=guards)
    return FixResult(results[source], results[converged.source], converged)


def with_fixes_that_hold(
    result: FileResult, rules: RuleSet, options: LintOptions | None = None, *, guards: Guards | None = None
) -> FileResult:
    """Return *result* without the fixes that would be refused, so that none is promised in vain.

    They are tried on the text, safe and unsafe ones; nothing is written, and the cluster is not asked again.
    """
    if all(finding.fix is None for finding in result.findings):
        return result
    quiet = replace(options or LintOptions(), ask=None)
    tried = fix_source(result.source, rules, quiet, unsafe=True, guards=guards, before=result)
    return without_refused(result, tried.converged)


def without_refused(result: FileResult, converged: Converged[Finding]) -> FileResult:
    """Return *result* without the fixes that *converged* tells to have been refused."""
    if not converged.dropped:
        return result
    applied = {_key(one.finding) for one in converged.applied}
    places = {(*_key(one.finding), one.finding.span) for one in converged.dropped}
    refused = {_key(one.finding) for one in converged.dropped} - applied
    findings = (
        replace(finding, fix=None)
        if _key(finding) in refused or (*_key(finding), finding.span) in places
        else finding
        for finding in result.findings
    )
    return replace(result, findings=tuple(findings))


def _key(finding: Finding) -> tuple[str, str]:
    return finding.code, "" if finding.fix is None else finding.fix.title
