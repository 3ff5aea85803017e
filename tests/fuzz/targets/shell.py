"""Reading a script, following it, and reading its suppressions."""

from __future__ import annotations

from sbatchlint.lint.job import Job
from sbatchlint.lint.scopes import find_suppressions
from sbatchlint.report.grid_text import grid_text
from sbatchlint.report.plan_json import plan_json
from sbatchlint.report.plan_model import planned
from sbatchlint.report.plan_text import plan_text
from sbatchlint.report.style import PLAIN
from sbatchlint.shell.reader import read_script
from sbatchlint.source import Source
from tests.shell.test_any_text import reads_to_the_end


def shell(data: bytes) -> None:
    """The bytes come back as they were, and every character of the text is in a statement or between them."""
    source = Source.from_bytes(data, "job.sh")
    assert source.to_bytes() == data
    assert read_script(source) == read_script(source)
    reads_to_the_end(source.text)


def plan(data: bytes) -> None:
    """The launch plan and its pictures."""
    source = Source.from_bytes(data, "job.sh")
    first, second = Job(source), Job(source)
    assert repr(first.plan) == repr(second.plan)
    shown = [
        plan_text(file, PLAIN, width=80) + grid_text(file, PLAIN, width=80) + plan_json([file])
        for file in (planned(first), planned(second))
    ]
    assert shown[0] == shown[1]


def suppressions(data: bytes) -> None:
    """What suppressions say and reach lies in the text."""
    source = Source.from_bytes(b"true  # sbatchlint: " + data, "job.sh")
    found = find_suppressions(source, Job(source).script, lambda key: [key] if key[:2] == "SB" else [])
    end = len(source.text)
    for scope in found.scopes:
        assert 0 <= scope.entry.span.start < scope.entry.span.end <= end
        assert source.slice(scope.entry.span) == scope.entry.key
        assert scope.entry.span in scope.suppression.span
        assert all(0 < lines.start <= lines.stop <= source.line_count + 2 for lines in scope.lines)
    for malformed in found.malformed:
        assert 0 <= malformed.span.start < malformed.span.end <= end
    assert found == find_suppressions(
        source, Job(source).script, lambda key: [key] if key[:2] == "SB" else []
    )
