"""Findings with their source lines, for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sbatchlint.lint.finding import Finding
from sbatchlint.report.cells import shown
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.report.snippet import gutter, gutter_width, marks, snippet
from sbatchlint.report.style import PLAIN, Style


def full(run: RunReport, style: Style = PLAIN) -> str:
    """Return every finding of *run* with the lines it speaks of; an empty line after each."""
    return "".join(
        f"{line}\n" for file, finding in run.findings() for line in (*_finding(run, file, finding, style), "")
    )


def _finding(run: RunReport, file: FileReport, finding: Finding, style: Style) -> Iterator[str]:
    places = marks(finding, file.mask)
    width = gutter_width(places)
    yield _title(file, finding, style)
    yield f"{' ' * width}{style.frame('-->')} {_place(file, finding, style)}"
    yield gutter(width, style)
    yield from snippet(file.mask.source, finding, places, style)
    remarks = list(_remarks(run, file, finding, style))
    if remarks:
        yield gutter(width, style)
    for remark in remarks:
        yield f"{' ' * width} {style.frame('=')} {remark}"


def _title(file: FileReport, finding: Finding, style: Style) -> str:
    head = style.severity(finding.severity, f"{finding.severity.value}[{finding.code}]")
    message = style.strong(shown(file.mask.text(finding.message)))
    name = "" if finding.name == finding.code else f"  ({finding.name})"  # a policy's name is its code
    return f"{head} {message}{name}"


def _place(file: FileReport, finding: Finding, style: Style) -> str:
    path = file.source.path
    line, column = file.source.position(finding.span.start)
    url = "" if path == "-" else Path(path).absolute().as_uri()
    return f"{style.link(shown(path), url)}:{line}:{column}"


def _remarks(run: RunReport, file: FileReport, finding: Finding, style: Style) -> Iterator[str]:
    help_text = finding.help or (finding.fix.title if finding.fix else "")
    if help_text:
        mark = f" {style.good('[*]')}" if run.fixable(finding) else ""
        yield f"{style.strong('help:')} {shown(file.mask.text(help_text))}{mark}"
    for note in finding.notes:
        yield f"{style.strong('note:')} {shown(file.mask.text(note))}"
