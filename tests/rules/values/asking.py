"""Asking for one finding about directives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sbatchlint.cluster.load import load_profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules

PROFILE = Path(__file__).parents[1] / "cases" / "cluster.toml"
CLUSTER = load_profile(str(PROFILE))


def one(text: str, code: str, **options: Any) -> Finding:
    """The only finding of *code* in *text*."""
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), LintOptions(**options))
    assert not result.internal_errors
    (finding,) = [finding for finding in result.findings if finding.code == code]
    return finding


def none(text: str, code: str, **options: Any) -> bool:
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), LintOptions(**options))
    return code not in [finding.code for finding in result.findings]


def directives(*lines: str) -> str:
    return "\n".join(["#!/bin/bash", *(f"#SBATCH {line}" for line in lines), "srun hostname", ""])
