"""How often each rule found something."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sbatchlint.report.model import RunReport


@dataclass(frozen=True, slots=True)
class RuleCount:
    """How many findings of one rule there are, and how many of them can be fixed."""

    code: str
    name: str
    count: int
    fixable: int


def rule_counts(run: RunReport) -> list[RuleCount]:
    """Return the rules that found something, the most frequent first."""
    found = Counter((finding.code, finding.name) for _, finding in run.findings())
    fixable = Counter(finding.code for _, finding in run.findings() if run.fixable(finding))
    rows = [RuleCount(code, name, count, fixable[code]) for (code, name), count in found.items()]
    return sorted(rows, key=lambda row: (-row.count, row.code))


def statistics(run: RunReport) -> str:
    """Return a table of the rules that found something; ``[*]`` if all of its findings can be fixed."""
    rows = rule_counts(run)
    wide = max((len(str(row.count)) for row in rows), default=0)
    return "".join(
        f"{row.count:>{wide}}  {row.code}  {'[*]' if row.fixable == row.count else '[ ]'}  {row.name}\n"
        for row in rows
    )
