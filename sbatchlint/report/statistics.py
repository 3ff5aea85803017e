"""How often each rule found something."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict

from sbatchlint.lint.finding import Finding
from sbatchlint.records import dataclass
from sbatchlint.report.model import RunReport


@dataclass(frozen=True, slots=True)
class RuleCount:
    """How many findings of one rule there are, in how many files, and how many of them can be fixed."""

    code: str
    name: str
    severity: str
    """The worst of its findings."""
    count: int
    files: int
    fixable: int


def rule_counts(run: RunReport) -> list[RuleCount]:
    """Return the rules that found something, the most frequent first."""
    found: dict[tuple[str, str], list[Finding]] = {}
    files: Counter[str] = Counter()
    for file in run.files:
        files.update({finding.code for finding in file.findings})
        for finding in file.findings:
            found.setdefault((finding.code, finding.name), []).append(finding)
    rows = [
        RuleCount(
            code,
            name,
            min((finding.severity for finding in findings), key=lambda one: one.rank).value,
            len(findings),
            files[code],
            sum(map(run.fixable, findings)),
        )
        for (code, name), findings in found.items()
    ]
    return sorted(rows, key=lambda row: (-row.count, row.code))


def statistics(run: RunReport) -> str:
    """Return a table of the rules that found something; nothing where none did."""
    rows = rule_counts(run)
    if not rows:
        return ""
    head = ("count", "files", "fixable", "code", "worst", "rule")
    body = [
        (str(row.count), str(row.files), str(row.fixable), row.code, row.severity, row.name) for row in rows
    ]
    widths = [max(len(line[column]) for line in (head, *body)) for column in range(len(head))]
    return "".join(_line(line, widths) for line in (head, *body))


def json_statistics(run: RunReport) -> str:
    """Return the table as a JSON list of objects, empty without findings.

    ``schema/statistics.schema.json`` describes it.
    """
    return json.dumps([asdict(row) for row in rule_counts(run)], indent=2) + "\n"


def jsonl_statistics(run: RunReport) -> str:
    """Return the objects of that list, one a line; nothing without findings."""
    return "".join(f"{json.dumps(asdict(row))}\n" for row in rule_counts(run))


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    numbers = [cell.rjust(width) for cell, width in zip(cells[:3], widths, strict=False)]
    words = [cell.ljust(width) for cell, width in zip(cells[3:], widths[3:], strict=True)]
    return "  ".join((*numbers, *words)).rstrip() + "\n"
