"""A diagnosis for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from sbatchlint.diagnose.blame import Blame
from sbatchlint.diagnose.diagnosis import Cause, Diagnosis, Group
from sbatchlint.diagnose.exit_codes import Exit
from sbatchlint.diagnose.facts import Seen
from sbatchlint.lint.finding import Finding
from sbatchlint.report.diagnose_model import DiagnosisReport

VERSION = 1
_LONGEST = 2000
"""Characters of a log's line that are given."""


def schema_text() -> str:
    """Return the schema that every document of ``diagnose --output-format json`` keeps to."""
    return files("sbatchlint.report").joinpath("schema/diagnose.schema.json").read_text("utf-8")


def diagnose_json(report: DiagnosisReport) -> str:
    """Return *report* as JSON."""
    text = json.dumps(_document(report), indent=2, ensure_ascii=True)
    return f"{text}\n"


def _document(report: DiagnosisReport) -> Mapping[str, Any]:
    diagnosis = report.diagnosis
    return {
        "version": VERSION,
        "logs": [_plain(path) for path in report.logs],
        "state": diagnosis.state.value,
        "confidence": diagnosis.confidence.value if diagnosis.confidence else None,
        "cause": None if diagnosis.cause is None else _cause(report, diagnosis.cause),
        "first": {
            "node": diagnosis.where.node,
            "task": diagnosis.where.task,
            "rank": diagnosis.where.rank,
            "local_rank": diagnosis.where.local_rank,
            "time": _time(diagnosis),
        },
        "exit": _exit(diagnosis.exit),
        "task_exits": [{**(_exit(ended) or {}), "tasks": count} for ended, count in diagnosis.task_exits],
        "missing_ranks": list(diagnosis.missing),
        "ranks_behind": list(diagnosis.behind),
        "world_size": diagnosis.world,
        "cascade": [_group(report, group) for group in diagnosis.cascade],
        "others": [_group(report, group) for group in diagnosis.others],
        "noise": [_group(report, group) for group in diagnosis.noise],
        "suspects": [_seen(report, seen) for seen in diagnosis.suspects],
        "notes": [report.hidden(note) for note in diagnosis.notes],
        "script": None if report.blame is None else _script(report, report.blame),
        "lines": diagnosis.lines,
        "at_least": sorted(diagnosis.at_least),
    }


def _cause(report: DiagnosisReport, cause: Cause) -> Mapping[str, Any]:
    return {
        "id": cause.id,
        "title": _plain(report.hidden(cause.title)),
        "cause": cause.cause,
        "help": cause.fix,
        "rules": [{"code": code, "name": report.names.get(code, "")} for code in cause.rules],
        "sources": [source for source in cause.sources if source.startswith("http")],
        "line": None if cause.seen is None else _seen(report, cause.seen),
        "alike": cause.alike,
    }


def _time(diagnosis: Diagnosis) -> Mapping[str, Any] | None:
    stamp = diagnosis.time
    if stamp is None:
        return None
    return {
        "text": stamp.text,
        "year_known": stamp.has_year,
        "relation": "after" if diagnosis.after else "at",
    }


def _exit(ended: Exit | None) -> Mapping[str, Any] | None:
    if ended is None:
        return None
    return {"code": ended.code, "signal": ended.signal or None, "meaning": ended.meaning}


def _group(report: DiagnosisReport, group: Group) -> Mapping[str, Any]:
    return {
        "id": group.id,
        "title": _plain(report.hidden(group.title))[:_LONGEST],
        "count": group.count,
        "line": None if group.seen is None else _seen(report, group.seen),
    }


def _seen(report: DiagnosisReport, seen: Seen) -> Mapping[str, Any]:
    return {
        "log": _plain(report.path(seen)),
        "line": seen.place.line,
        "text": _plain(report.hidden(seen.text))[:_LONGEST],
        "node": seen.label.node,
        "task": seen.label.task,
        "rank": seen.label.rank,
        "local_rank": seen.label.local,
        "time": None if seen.stamp is None else seen.stamp.text,
    }


def _script(report: DiagnosisReport, blame: Blame) -> Mapping[str, Any]:
    line = None if blame.span is None else blame.source.position(blame.span.start).line
    return {
        "path": _plain(blame.source.path),
        "findings": [_finding(report, blame, finding) for finding in blame.findings],
        "line": line,
        "why": blame.why,
    }


def _finding(report: DiagnosisReport, blame: Blame, finding: Finding) -> Mapping[str, Any]:
    line, column = blame.source.position(finding.span.start)
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "message": _plain(report.hidden(finding.message)),
        "line": line,
        "column": column,
        "help": _plain(report.hidden(finding.help or (finding.fix.title if finding.fix else ""))),
        "fix": None if finding.fix is None else finding.fix.safety.value,
        "silenced": finding in blame.silenced,
    }


def _plain(text: str) -> str:
    """Return *text* with bytes that are no UTF-8 replaced, which JSON can't hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
