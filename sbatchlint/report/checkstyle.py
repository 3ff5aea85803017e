"""Findings in the form of Checkstyle's reports, which many servers and editors read."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from sbatchlint.lint.finding import Finding
from sbatchlint.report.cells import shown
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.report.words import message, remarks
from sbatchlint.report.xml_text import document

_VERSION = "4.3"
"""Of the form, not of sbatchlint: what readers expect."""


def checkstyle(run: RunReport) -> str:
    """Return the document for *run*; files without findings are named too."""
    root = Element("checkstyle", version=_VERSION)
    for file in run.files:
        element = SubElement(root, "file", name=shown(run.home.path(file.source.path)))
        for finding in file.findings:
            SubElement(element, "error", _attributes(file, finding))
    return document(root)


def _attributes(file: FileReport, finding: Finding) -> dict[str, str]:
    line, column = file.source.position(finding.span.start)
    return {
        "line": str(line),
        "column": str(column),
        "severity": finding.severity.value,
        "message": "; ".join((message(file, finding), *remarks(file, finding))),
        "source": f"sbatchlint.{finding.code}",
    }
