"""What SARIF tells of rules (``reportingDescriptor``): so much as a viewer shows beside a finding."""

from __future__ import annotations

from typing import Any

from sbatchlint.lint.docs import read_doc
from sbatchlint.lint.families import family_of
from sbatchlint.lint.finding import Finding, Severity
from sbatchlint.lint.rule import Rule

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_LONGEST = 1_024
"""What GitHub takes of a description."""


def rule_data(finding: Finding, rule: Rule | None) -> dict[str, Any]:
    """Return what is known of the rule of *finding*; *rule* is ``None`` where that is not at hand."""
    data: dict[str, Any] = {"id": finding.code}
    if finding.name != finding.code:
        data["name"] = finding.name
    if rule is not None:
        data |= _description(rule)
        data["defaultConfiguration"] = {"level": LEVELS[rule.severity]}
        family = family_of(rule.code)
        tags = [family.slug] if family else [rule.group] if rule.group else []
        data["properties"] = {"tags": tags}
    return data


def _description(rule: Rule) -> dict[str, Any]:
    from sbatchlint.report.rule_page import rule_page

    doc = read_doc(type(rule))
    if not doc.summary:
        return {}
    page = rule_page(type(rule))
    why = " ".join(doc.why.split()) or doc.summary
    return {
        "shortDescription": {"text": _cut(doc.summary)},
        "fullDescription": {"text": _cut(why)},
        "help": {"text": page, "markdown": page},
    }


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
