"""Findings as a Code Quality report of GitLab, which a merge request shows.

The form is documented at https://docs.gitlab.com/ci/testing/code_quality/ and written down in
``schema/gitlab.schema.json``.
"""

from __future__ import annotations

import json
from typing import Any

from sbatchlint.lint.finding import Finding, Severity
from sbatchlint.report.fingerprints import fingerprints
from sbatchlint.report.json import plain_text
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.report.words import message

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


def gitlab(run: RunReport) -> str:
    """Return the document for *run*."""
    issues = [issue for file in run.files for issue in _issues(run, file)]
    return json.dumps(issues, indent=2) + "\n"


def _issues(run: RunReport, file: FileReport) -> list[dict[str, Any]]:
    path = run.home.path(file.source.path)
    names = fingerprints(file, file.findings, path)
    return [
        _issue(file, finding, plain_text(path), name)
        for finding, name in zip(file.findings, names, strict=True)
    ]


def _issue(file: FileReport, finding: Finding, path: str, fingerprint: str) -> dict[str, Any]:
    return {
        "description": f"{finding.code}: {message(file, finding)}",
        "check_name": finding.name,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": path, "lines": {"begin": file.source.position(finding.span.start).line}},
    }
