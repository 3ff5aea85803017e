"""Findings for programs that read line by line: the objects of the JSON report, one a line."""

from __future__ import annotations

import json

from sbatchlint.report.json import finding_data
from sbatchlint.report.model import RunReport


def jsonl(run: RunReport) -> str:
    """Return a line for each finding of *run*; nothing if there is none."""
    return "".join(f"{json.dumps(finding_data(file, finding))}\n" for file, finding in run.findings())
