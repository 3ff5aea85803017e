"""Findings for programs.  The document's shape is written down in ``schema/findings.schema.json``."""

from __future__ import annotations

import json
from typing import Any

from sbatchlint.fix.edit import Fix
from sbatchlint.lint.finding import Finding
from sbatchlint.regex import regex
from sbatchlint.report.model import Counts, FileReport, RunReport
from sbatchlint.source import Source, Span

VERSION = 1
"""Raised when a reader of the document would have to change."""

_SURROGATE = regex("[\ud800-\udfff]")


def json_report(run: RunReport) -> str:
    """Return the document for *run*."""
    document: dict[str, Any] = {
        "version": VERSION,
        "findings": [finding_data(file, finding) for file, finding in run.findings()],
        "summary": _summary(run.counts()),
    }
    return json.dumps(document, indent=2) + "\n"


def finding_data(file: FileReport, finding: Finding) -> dict[str, Any]:
    """Return one finding as the document has it."""
    return {
        "path": plain_text(file.source.path),
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "message": _quoted(file, finding.message),
        "label": _quoted(file, finding.label),
        "help": _quoted(file, finding.help),
        "notes": [_quoted(file, note) for note in finding.notes],
        **_range(file.source, finding.span),
        "related": [
            {"message": _quoted(file, related.message), **_range(file.source, related.span)}
            for related in finding.related
        ],
        "fix": None if finding.fix is None else _fix(file, finding.fix),
        "url": None,
    }


def _fix(file: FileReport, fix: Fix) -> dict[str, Any]:
    return {
        "title": _quoted(file, fix.title),
        "safety": fix.safety.value,
        "unix_line_ends": fix.unix_line_ends,
        "edits": [{**_range(file.source, edit.span), "text": _quoted(file, edit.text)} for edit in fix.edits],
    }


def _summary(counts: Counts) -> dict[str, int]:
    return {
        "files": counts.files,
        "files_with_findings": counts.files_with_findings,
        "findings": counts.findings,
        "errors": counts.errors,
        "warnings": counts.warnings,
        "infos": counts.infos,
        "suppressed": counts.suppressed,
        "excepted": counts.excepted,
        "fixable": counts.fixable,
        "fixable_unsafe": counts.fixable_unsafe,
        "fixed": counts.fixed,
        "hidden": counts.hidden,
        "baselined": counts.baselined,
    }


def _range(source: Source, span: Span) -> dict[str, dict[str, int]]:
    """Return where *span* starts, and the place just after its last character."""
    start, end = source.position(span.start), source.position(span.end)
    return {
        "start": {"line": start.line, "column": start.column},
        "end": {"line": end.line, "column": end.column},
    }


def _quoted(file: FileReport, text: str) -> str:
    return plain_text(file.mask.text(text))


def plain_text(text: str) -> str:
    """Return *text* without lone surrogates (bytes that are not UTF-8), which JSON readers refuse."""
    return _SURROGATE.sub("\ufffd", text)
