"""Linting a text with the built-in rules, for the tests of rules."""

from __future__ import annotations

from functools import cache

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.fixing import FixResult, fix_source
from sbatchlint.lint.registry import Registry, RuleSet
from sbatchlint.source import Source

PATH = "job.sh"


@cache
def all_rules() -> RuleSet:
    return Registry.load().select()


def findings(text: str, code: str = "") -> list[Finding]:
    """What the rules (or the rule *code* alone) find in *text*; a broken rule fails the test."""
    result = lint_source(Source.from_text(text, PATH), all_rules())
    assert not result.internal_errors, result.internal_errors
    return [found for found in result.findings if code in ("", found.code)]


def lines(text: str, code: str) -> list[tuple[int, str]]:
    """Line and severity of each finding of *code*."""
    source = Source.from_text(text, PATH)
    return [(source.position(f.span.start).line, f.severity.value) for f in findings(text, code)]


@cache
def rules_of(code: str) -> RuleSet:
    return Registry.load().select((code,))


def fixed(text: str, *, unsafe: bool = False, code: str = "") -> FixResult:
    """Fix *text* with all rules, or with the rule *code* alone."""
    return fix_source(Source.from_text(text, PATH), rules_of(code) if code else all_rules(), unsafe=unsafe)


def job(*body: str, **options: object) -> str:
    """A batch script: keyword arguments are its long options, the rest its lines."""
    directives = [
        f"#SBATCH --{name.replace('_', '-')}" + ("" if value is True else f"={value}")
        for name, value in options.items()
    ]
    return "\n".join(["#!/bin/bash", *directives, *body, ""])
