"""Findings as failed tests, in the form that JUnit made common: a suite for each file."""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element, SubElement

from sbatchlint.lint.finding import Finding
from sbatchlint.report.cells import shown
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.report.words import message, remarks
from sbatchlint.report.xml_text import document

_TOOL = "sbatchlint"


def junit(run: RunReport) -> str:
    """Return the document for *run*.

    A finding is a failed test and a file without findings a test that passed.  What could not be checked is
    a test with an error, in a suite of its own.
    """
    root = Element("testsuites", name=_TOOL)
    for file in run.files:
        _add_file(root, run, file)
    if run.troubles:
        _add_troubles(root, run)
    suites = list(root)
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
    return document(root)


def _add_file(root: Element, run: RunReport, file: FileReport) -> None:
    path = shown(run.home.path(file.source.path))
    suite = _suite(root, path, tests=max(1, len(file.findings)), failures=len(file.findings))
    seen: Counter[str] = Counter()
    for finding in file.findings:
        seen[finding.code] += 1
        case = SubElement(suite, "testcase", _case(path, _name(finding, seen[finding.code])))
        case.set("line", str(file.source.position(finding.span.start).line))
        _add_failure(case, path, file, finding)
    if not file.findings:
        SubElement(suite, "testcase", _case(path, _TOOL))


def _add_failure(case: Element, path: str, file: FileReport, finding: Finding) -> None:
    line, column = file.source.position(finding.span.start)
    text = message(file, finding)
    failure = SubElement(case, "failure", message=text, type=finding.severity.value)
    failure.text = "\n".join((f"{path}:{line}:{column}: {finding.code} {text}", *remarks(file, finding)))


def _add_troubles(root: Element, run: RunReport) -> None:
    suite = _suite(root, _TOOL, tests=len(run.troubles), errors=len(run.troubles))
    for number, trouble in enumerate(run.troubles, 1):
        case = SubElement(suite, "testcase", classname=_TOOL, name=f"not checked ({number})")
        text = f"{shown(trouble.subject)}: {shown(trouble.message)}"
        SubElement(case, "error", message=text, type="error").text = text


def _suite(root: Element, name: str, *, tests: int, failures: int = 0, errors: int = 0) -> Element:
    counts = {"tests": tests, "failures": failures, "errors": errors}
    return SubElement(root, "testsuite", {"name": name, **{key: str(count) for key, count in counts.items()}})


def _case(path: str, name: str) -> dict[str, str]:
    return {"classname": path, "name": name, "file": path}


def _name(finding: Finding, number: int) -> str:
    """Return a name that no other finding of the file has: servers know a test again by it."""
    name = finding.code if finding.name == finding.code else f"{finding.code} {finding.name}"
    return name if number == 1 else f"{name} ({number})"
