"""One line for each finding: ``path:line:col: SB301 [*] message``."""

from __future__ import annotations

from sbatchlint.lint.finding import Finding
from sbatchlint.report.cells import shown
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.report.style import PLAIN, Style


def concise(run: RunReport, style: Style = PLAIN) -> str:
    """Return the findings of *run*, one a line."""
    return "".join(_line(run, file, finding, style) for file, finding in run.findings())


def _line(run: RunReport, file: FileReport, finding: Finding, style: Style) -> str:
    place = file.source.position(finding.span.start)
    path = style.strong(shown(file.source.path))
    code = style.severity(finding.severity, finding.code)
    mark = f" {style.good('[*]')}" if run.fixable(finding) else ""
    message = shown(file.mask.text(finding.message))
    return f"{path}:{place.line}:{place.column}: {code}{mark} {message}\n"
