"""Linting of texts with all rules, or with those that look for plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from sbatchlint.adopt.baseline import Baseline, key_of
from sbatchlint.adopt.marks import Mark, marks
from sbatchlint.lint.engine import FileResult, lint_source
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.lint.registry import Registry, RuleSet
from sbatchlint.report.mask import Mask
from sbatchlint.source import Source

if TYPE_CHECKING:
    from sbatchlint.lint.job import Sieve


@cache
def all_rules() -> RuleSet:
    return Registry.load().select()


def source(text: str, path: str = "job.sh") -> Source:
    return Source.from_text(text, path)


def lint(text: str | Source, sieve: Sieve | None = None, options: LintOptions | None = None) -> FileResult:
    given = text if isinstance(text, Source) else source(text)
    return lint_source(given, all_rules(), replace(options or LintOptions(), sieve=sieve))


def marks_of(result: FileResult) -> list[Mark]:
    return marks(Job(result.source), result.findings, Mask.found_in)


def baseline_of(*results: FileResult, path: str = "baseline.json") -> Baseline:
    """Return the baseline that holds the findings of *results*."""
    counts: dict[str, dict[Mark, int]] = {}
    for result in results:
        entries = counts.setdefault(key_of(result.source.path, "."), {})
        for mark in marks_of(result):
            entries[mark] = entries.get(mark, 0) + 1
    return Baseline(path, counts)


def lint_with(baseline: Baseline, text: str | Source) -> FileResult:
    """Lint *text* with what *baseline* has held back."""
    return lint(text, lambda job, findings, _: baseline.sift(job, findings, Mask.found_in))


def said(result: FileResult) -> list[tuple[str, int]]:
    """Give code and line of each finding."""
    return [(one.code, result.source.position(one.span.start).line) for one in result.findings]


def lines(*texts: Sequence[str] | str) -> str:
    flat = [line for text in texts for line in ([text] if isinstance(text, str) else text)]
    return "".join(f"{line}\n" for line in flat)
