"""Findings by file: the path once, and a line for each finding below it."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.report.cells import shown
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.report.style import PLAIN, Style
from sbatchlint.report.words import message


def grouped(run: RunReport, style: Style = PLAIN) -> str:
    """Return the findings of *run*, an empty line after those of each file."""
    return "".join(
        f"{line}\n" for file in run.files if file.findings for line in (*_lines(run, file, style), "")
    )


def _lines(run: RunReport, file: FileReport, style: Style) -> Iterator[str]:
    yield f"{style.strong(shown(file.source.path))}:"
    places = [file.source.position(finding.span.start) for finding in file.findings]
    line_width = max(len(str(place.line)) for place in places)
    column_width = max(len(str(place.column)) for place in places)
    for finding, place in zip(file.findings, places, strict=True):
        where = f"{place.line:>{line_width}}:{place.column:<{column_width}}"
        code = style.severity(finding.severity, finding.code)
        mark = f" {style.good('[*]')}" if run.fixable(finding) else ""
        yield f"  {style.frame(where)} {code}{mark} {message(file, finding)}"
