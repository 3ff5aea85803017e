"""Findings as commands to GitHub Actions, which shows them beside the lines of a pull request.

The form is documented at https://docs.github.com/actions/reference/workflow-commands-for-github-actions;
of the escapes, ``%25``, ``%0D`` and ``%0A`` hold everywhere, ``%3A`` and ``%2C`` in properties alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.finding import Finding, Severity
from sbatchlint.report.cells import shown
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.report.words import message, remarks

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github(run: RunReport) -> str:
    """Return a command for each finding of *run*, and for all that could not be checked."""
    lines = [_line(run, file, finding) for file, finding in run.findings()]
    lines += [
        _command("error", [("title", "sbatchlint")], f"{shown(trouble.subject)}: {shown(trouble.message)}")
        for trouble in run.troubles
    ]
    return "".join(f"{line}\n" for line in lines)


def _line(run: RunReport, file: FileReport, finding: Finding) -> str:
    path = shown(run.home.path(file.source.path))
    line, column = file.source.position(finding.span.start)
    # The log shows the message without the place, so it is said there once more.
    text = "\n".join((f"{path}:{line}:{column}: {message(file, finding)}", *remarks(file, finding)))
    title = finding.code if finding.name == finding.code else f"{finding.code} {finding.name}"
    properties = [("file", path), *_place(file, finding), ("title", title)]
    return _command(_COMMANDS[finding.severity], properties, text)


def _place(file: FileReport, finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield the lines and columns; GitHub takes no columns with a range of several lines."""
    start, end = file.source.position(finding.span.start), file.source.position(finding.span.end)
    yield "line", str(start.line)
    if end.line > start.line:
        yield "endLine", str(end.line)
    else:
        yield "col", str(start.column)
        yield "endColumn", str(end.column)


def _command(name: str, properties: list[tuple[str, str]], text: str) -> str:
    given = ",".join(f"{key}={_property(value)}" for key, value in properties)
    return f"::{name} {given}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
