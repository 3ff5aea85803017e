"""The other formats, and the closing lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import sbatchlint.report
from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.lint.finding import Confidence, Finding, Severity
from sbatchlint.report.concise import concise
from sbatchlint.report.json import json_report
from sbatchlint.report.model import RunReport
from sbatchlint.report.statistics import json_statistics, statistics
from sbatchlint.report.summary import summary
from sbatchlint.source import Source, Span
from tests.report.builders import JOB, finding, report, torchrun_finding

SCHEMA = Path(sbatchlint.report.__file__).parent / "schema" / "findings.schema.json"


def valid(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)
    return document


def test_concise() -> None:
    source = Source.from_text(JOB, "jobs/a\x1b.sh")
    plain = finding(Span(12, 15), "odd\nthing", severity=Severity.INFO, code="SB999")
    assert concise(report(source, [plain, torchrun_finding(source)])) == (
        "jobs/a\\x1b.sh:2:1: SB999 odd\\nthing\n"
        "jobs/a\\x1b.sh:5:1: SB301 [*] torchrun is started 8 times on each node\n"
    )


def test_json_says_everything() -> None:
    source = Source.from_text(JOB, "job.sh")
    document = valid(json_report(report(source, [torchrun_finding(source)], suppressed=2)))
    value = {"start": {"line": 3, "column": 27}, "end": {"line": 3, "column": 28}}
    assert document["version"] == 1
    assert document["findings"] == [
        {
            "path": "job.sh",
            "code": "SB301",
            "name": "torchrun-tasks-per-node",
            "severity": "error",
            "confidence": "high",
            "message": "torchrun is started 8 times on each node",
            "label": "each of them runs torchrun --nproc_per_node=8: 64 processes for 8 GPUs",
            "help": "set --ntasks-per-node=1",
            "notes": [],
            "start": {"line": 5, "column": 1},
            "end": {"line": 5, "column": 5},
            "related": [{"message": "Slurm starts the step's command 8 times per node", **value}],
            "fix": {
                "title": "set --ntasks-per-node=1",
                "safety": "safe",
                "unix_line_ends": False,
                "edits": [{**value, "text": "1"}],
            },
            "url": None,
        }
    ]
    assert document["summary"] == {
        "files": 1,
        "files_with_findings": 1,
        "findings": 1,
        "errors": 1,
        "warnings": 0,
        "infos": 0,
        "suppressed": 2,
        "excepted": 0,
        "fixable": 1,
        "fixable_unsafe": 0,
        "hidden": 0,
        "fixed": 0,
        "baselined": 0,
    }


def test_json_of_nothing_and_of_bytes_that_are_no_text() -> None:
    assert valid(json_report(RunReport(())))["findings"] == []
    source = Source.from_bytes(b"\xffab\r\n\x1b", "caf\udce9.sh")
    document = valid(
        json_report(report(source, [finding(Span(0, 5), "\udcff\x1b", confidence=Confidence.LOW)]))
    )
    assert document["findings"][0]["path"] == "caf\ufffd.sh"
    assert document["findings"][0]["message"] == "\ufffd\x1b"
    assert document["findings"][0]["end"] == {"line": 2, "column": 2}


def test_json_statistics() -> None:
    source = Source.from_text(JOB, "job.sh")
    found = [torchrun_finding(source), finding(Span(0, 1)), finding(Span(0, 1), code="SB101", name="other")]
    document = json.loads(json_statistics(report(source, found)))
    schema = json.loads(SCHEMA.with_name("statistics.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)
    assert document == [
        {
            "code": "SB301",
            "name": "torchrun-tasks-per-node",
            "severity": "error",
            "count": 2,
            "files": 1,
            "fixable": 1,
        },
        {"code": "SB101", "name": "other", "severity": "error", "count": 1, "files": 1, "fixable": 0},
    ]


def test_json_statistics_of_nothing() -> None:
    assert json_statistics(RunReport(())) == "[]\n"


def test_statistics_table() -> None:
    source = Source.from_text(JOB, "job.sh")
    found = [torchrun_finding(source)] * 11 + [finding(Span(0, 1), code="SB101", name="other")]
    assert statistics(report(source, found)) == (
        "count  files  fixable  code   worst  rule\n"
        "   11      1       11  SB301  error  torchrun-tasks-per-node\n"
        "    1      1        0  SB101  error  other\n"
    )  # fmt: skip


def made(severity: Severity, fix: Fix | None = None) -> Finding:
    return finding(Span(0, 1), severity=severity, fix=fix)


SAFE = Fix.safe("x", Edit(Span(0, 1), "y"))
UNSAFE = Fix.unsafe("x", Edit(Span(0, 1), "y"))
E, W, I = Severity.ERROR, Severity.WARNING, Severity.INFO  # noqa: E741


@pytest.mark.parametrize(
    ("found", "more", "closing"),
    [
        ([], {}, "Found no problems in 1 file.\n"),
        ([], {"suppressed": 1}, "Found no problems in 1 file; 1 suppressed.\n"),
        (
            [],
            {"suppressed": 1, "baselined": 3, "hidden": 2},
            "Found no problems in 1 file; 1 suppressed; 3 known before; 2 more with --pedantic.\n",
        ),
        ([], {"fixed": 2}, "Fixed 2 problems.\nFound no problems in 1 file.\n"),
        (
            [made(E, SAFE), made(E, SAFE), made(W, UNSAFE)],
            {"suppressed": 1},
            "Found 3 problems (2 errors, 1 warning) in 1 of 1 file; 1 suppressed.\n"
            "[*] 2 fixable with --fix, 1 more with --unsafe-fixes.\n",
        ),
        ([made(I)], {}, "Found 1 problem (1 info) in 1 of 1 file.\n"),
        ([made(W, SAFE)], {}, "Found 1 problem (1 warning) in 1 of 1 file.\n[*] 1 fixable with --fix.\n"),
        (
            [made(W, UNSAFE)],
            {"fixed": 1},
            "Fixed 1 problem.\nFound 1 problem left (1 warning) in 1 of 1 file.\n"
            "1 fixable with --fix --unsafe-fixes.\n",
        ),
        (
            [made(W, UNSAFE), made(E, SAFE)],
            {"unsafe_fixes": True},
            "Found 2 problems (1 error, 1 warning) in 1 of 1 file.\n"
            "[*] 2 fixable with --fix --unsafe-fixes.\n",
        ),
    ],
)
def test_summary(found: list[Finding], more: dict[str, Any], closing: str) -> None:
    assert summary(report(Source.from_text("text"), found, **more)) == closing


def test_summary_of_a_run_that_left_something_out() -> None:
    said = summary(report(Source.from_text("text"), [], suppressed=1), incomplete=True)
    assert said == "Found no problems in 1 file; 1 suppressed; not everything could be checked.\n"


def test_summary_of_no_file_is_nothing() -> None:
    assert summary(RunReport(())) == ""
