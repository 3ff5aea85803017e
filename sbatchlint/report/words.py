"""The texts of a finding as they may be shown anywhere: no secret in them, nothing that a terminal obeys."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.finding import Finding
from sbatchlint.report.cells import shown
from sbatchlint.report.model import FileReport


def said(file: FileReport, text: str) -> str:
    """Return *text*, which may quote *file*, on one line."""
    return shown(file.mask.text(text))


def message(file: FileReport, finding: Finding) -> str:
    """Return what will happen."""
    return said(file, finding.message)


def help_of(finding: Finding) -> str:
    """Return what to do, as it stands in the finding or in the title of its fix; may be empty."""
    return finding.help or (finding.fix.title if finding.fix else "")


def remarks(file: FileReport, finding: Finding) -> Iterator[str]:
    """Yield what else there is to say, a line each: the label, the help and the notes."""
    if finding.label:
        yield said(file, finding.label)
    if help_of(finding):
        yield f"help: {said(file, help_of(finding))}"
    for note in finding.notes:
        yield f"note: {said(file, note)}"
