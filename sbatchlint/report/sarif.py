"""Findings as a SARIF 2.1.0 log, for code scanning and for viewers in editors.

What silences a finding, a comment of the script or an exception from a policy, is told with it
(``suppressions``); what a baseline holds back is not in the log.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sbatchlint import __version__
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.scopes import Suppressed
from sbatchlint.report.cells import shown
from sbatchlint.report.fingerprints import fingerprints
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.report.sarif_places import ROOT, Artifact, root_address
from sbatchlint.report.sarif_rules import LEVELS, rule_data
from sbatchlint.report.words import message, remarks, said

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "sbatchlint/v1"
"""What our fingerprints are called; another way of making them would need another name."""


def sarif(run: RunReport) -> str:
    """Return the log for *run*."""
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(run)]}, indent=2) + "\n"


def _run(run: RunReport) -> dict[str, Any]:
    rules = _rules(run)
    numbers = {rule["id"]: number for number, rule in enumerate(rules)}
    artifacts = [Artifact(file, run.home, index) for index, file in enumerate(run.files)]
    return {
        "tool": {
            "driver": {
                "name": "sbatchlint",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": rules,
            }
        },
        "invocations": [_invocation(run)],
        "originalUriBaseIds": {ROOT: {"uri": root_address(run.home)}},
        "artifacts": [_artifact(artifact) for artifact in artifacts],
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n"],
        "defaultEncoding": "utf-8",
        "results": [result for artifact in artifacts for result in _results(artifact, numbers)],
    }


def _rules(run: RunReport) -> list[dict[str, Any]]:
    """Return the rules that found something, in the order of their codes."""
    told: dict[str, dict[str, Any]] = {}
    for file in run.files:
        known = {rule.code: rule for rule in file.rules}
        for finding in _all(file):
            if finding.code not in told:
                told[finding.code] = rule_data(finding, known.get(finding.code))
    return [told[code] for code in sorted(told)]


def _all(file: FileReport) -> list[Finding]:
    return [*file.findings, *(one.finding for one in file.suppressed)]


def _invocation(run: RunReport) -> dict[str, Any]:
    data: dict[str, Any] = {"executionSuccessful": not run.troubles}
    if run.troubles:
        data["toolExecutionNotifications"] = [
            {"level": "error", "message": {"text": f"{shown(one.subject)}: {shown(one.message)}"}}
            for one in run.troubles
        ]
    return data


def _artifact(artifact: Artifact) -> dict[str, Any]:
    kind = "standardStream" if artifact.file.source.path == "-" else "analysisTarget"
    return {"location": artifact.address, "roles": [kind]}


def _results(artifact: Artifact, numbers: dict[str, int]) -> Iterator[dict[str, Any]]:
    file = artifact.file
    names = iter(fingerprints(file, _all(file)))
    for finding in file.findings:
        yield _result(artifact, finding, next(names), numbers)
    for one in file.suppressed:
        finding = replace(one.finding, fix=None)  # nobody wants it fixed
        result = _result(artifact, finding, next(names), numbers)
        yield {**result, "suppressions": [_suppression(artifact, one)]}


def _result(artifact: Artifact, finding: Finding, name: str, numbers: dict[str, int]) -> dict[str, Any]:
    file = artifact.file
    data: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": numbers[finding.code],
        "level": LEVELS[finding.severity],
        "message": {"text": "\n".join((message(file, finding), *remarks(file, finding)))},
        "locations": [artifact.location(finding.span)],
        "partialFingerprints": {FINGERPRINT: name},
        "properties": {"confidence": finding.confidence.value},
    }
    if finding.related:
        data["relatedLocations"] = [
            artifact.location(related.span, id=number, message={"text": said(file, related.message)})
            for number, related in enumerate(finding.related, 1)
        ]
    fix = artifact.fix(finding.fix) if finding.fix else None
    if fix is not None:
        data["fixes"] = [fix]
    return data


def _suppression(artifact: Artifact, one: Suppressed) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": "external"}
    if one.by is not None:
        data = {"kind": "inSource", "location": artifact.location(one.by.span)}
    if one.reason:
        data["justification"] = said(artifact.file, one.reason)
    return data
