"""Findings for a comment on a pull request: short, by file, and never longer than a comment may be."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.finding import Finding, Severity
from sbatchlint.records import dataclass
from sbatchlint.report.cells import shown
from sbatchlint.report.markdown_text import code_span, html_code, markdown_text
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.report.summary import count, summary
from sbatchlint.report.words import help_of, said

LIMIT = 65_536
"""What GitHub takes in a comment; it counts characters, and other servers take more."""
_ROOM = LIMIT - 4_096
"""What findings may fill: the rest is for the lines around them, and for those who put a text before."""
_LONGEST = 2_000
"""Of one text of a finding."""
_MOST_TROUBLES = 10
MARK = "<!-- sbatchlint -->"
"""The first line, which is not shown, by which a bot finds its own comment again."""


@dataclass(frozen=True, slots=True)
class _Item:
    """One finding as it is written."""

    file: int
    """The number of its file in the run."""
    severity: Severity
    text: str


def markdown(run: RunReport) -> str:
    """Return the document for *run*; where it has no room for all findings, the worst are in it."""
    items = [
        _Item(number, finding.severity, _finding(run, file, finding))
        for number, file in enumerate(run.files)
        for finding in file.findings
    ]
    troubles = list(_troubles(run))
    kept = _fitting(run, items, _ROOM - sum(map(_length, troubles)))
    parts = [MARK, "", "### sbatchlint", "", _summary(run)]
    parts += troubles
    for number, file in enumerate(run.files):
        own = [item for item in kept if item.file == number]
        if own:
            parts += ["", _head(run, file), "", *(item.text for item in own), "", "</details>"]
    if len(kept) < len(items):
        left = len(items) - len(kept)
        parts += ["", f"{count(left, 'more problem')} left out: a comment has no room for more."]
    return "\n".join(parts) + "\n"


def _fitting(run: RunReport, items: list[_Item], room: int) -> list[_Item]:
    """Return the worst of *items* that have room together in *room* UTF-16 units, in their order."""
    kept: set[int] = set()
    files: set[int] = set()
    for index in sorted(range(len(items)), key=lambda index: (items[index].severity.rank, index)):
        item = items[index]
        head = 0 if item.file in files else _length(_head(run, run.files[item.file])) + 16
        room -= _length(item.text) + 1 + head
        if room < 0:
            break
        kept.add(index)
        files.add(item.file)
    return [items[index] for index in sorted(kept)]


def _length(text: str) -> int:
    """Return the length in UTF-16 units, which no server's count exceeds."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _summary(run: RunReport) -> str:
    lines = summary(run, incomplete=bool(run.troubles)).splitlines()
    told = " ".join(line.removeprefix("[*] ") for line in lines)  # no finding has the mark here
    return markdown_text(told) if told else "No batch script was checked\\."


def _troubles(run: RunReport) -> Iterator[str]:
    if not run.troubles:
        return
    yield ""
    for trouble in run.troubles[:_MOST_TROUBLES]:
        text = _cut(f"{shown(trouble.subject)}: {shown(trouble.message)}", 200)
        yield f"- **not checked:** {markdown_text(text)}"
    if len(run.troubles) > _MOST_TROUBLES:
        yield f"- and {len(run.troubles) - _MOST_TROUBLES} more"


def _head(run: RunReport, file: FileReport) -> str:
    path = _cut(shown(run.home.path(file.source.path)), 500)
    kinds = [
        count(number, severity.value)
        for severity in Severity
        if (number := sum(finding.severity is severity for finding in file.findings))
    ]
    return f"<details open>\n<summary>{html_code(path)}: {', '.join(kinds)}</summary>"


def _finding(run: RunReport, file: FileReport, finding: Finding) -> str:
    texts = [_text(file, finding.message)]
    texts += [_text(file, finding.label)] if finding.label else []
    texts += [f"*help:* {_text(file, help_of(finding))}"] if help_of(finding) else []
    texts += [f"*note:* {_text(file, note)}" for note in finding.notes]
    where = _where(run, file, finding)
    head = f"- **{finding.severity.value}** {code_span(finding.code)} {where}: "
    return head + "\\\n  ".join(texts)


def _where(run: RunReport, file: FileReport, finding: Finding) -> str:
    first = file.source.position(finding.span.start).line
    page = run.home.page(file.source.path, first, first)
    return f"[line {first}](<{page}>)" if page else f"line {first}"


def _text(file: FileReport, text: str) -> str:
    return markdown_text(_cut(said(file, text), _LONGEST))


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}..."
