"""All rules on one text, every format of what they say, and all fixes."""

from __future__ import annotations

from sbatchlint.fix.guards import Guards
from sbatchlint.lint.engine import FileResult, lint_source
from sbatchlint.lint.fixing import fix_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.markdown import lint_markdown
from sbatchlint.lint.registry import Registry
from sbatchlint.report.formats import FORMATS, render
from sbatchlint.report.mask import Mask
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.source import Source

RULES = Registry.load().select()
_EVERYTHING = LintOptions(pedantic=True)
_GUARDS = Guards()


def check(data: bytes) -> None:
    """What ``check --pedantic`` with every rule says, in every format."""
    source = Source.from_bytes(data, "job.sh")
    first = sound(lint_source(source, RULES, _EVERYTHING))
    assert first == lint_source(source, RULES, _EVERYTHING)
    show(first)


def markdown(data: bytes) -> None:
    """The same for the scripts in a page."""
    source = Source.from_bytes(data, "page.md")
    first = sound(lint_markdown(source, RULES, _EVERYTHING))
    assert first == lint_markdown(source, RULES, _EVERYTHING)
    show(first)


def fix(data: bytes) -> None:
    """The fixed text is a file like any other, and what was fixed is not found again."""
    source = Source.from_bytes(data, "job.sh")
    first = fix_source(source, RULES, _EVERYTHING, unsafe=True, guards=_GUARDS)
    second = fix_source(source, RULES, _EVERYTHING, unsafe=True, guards=_GUARDS)
    assert first.converged.source == second.converged.source
    for dropped in first.converged.dropped:
        assert "could not be checked" not in dropped.reason, dropped.reason
    sound(first.before)
    after = first.converged.source
    written = after.to_bytes()
    again = Source.from_bytes(written, after.path)
    assert again == after
    assert lint_source(again, RULES, _EVERYTHING).findings == sound(first.after).findings
    safe = fix_source(source, RULES, _EVERYTHING, guards=_GUARDS)
    assert all(one.fix.safety.value == "safe" for one in safe.converged.applied)


def sound(result: FileResult) -> FileResult:
    """Return *result* if no rule broke."""
    assert not result.internal_errors, "\n".join(error.traceback for error in result.internal_errors)
    return result


def show(result: FileResult) -> None:
    """Show *result* in every format."""
    mask = Mask.found_in(result.source)
    run = RunReport((FileReport(result.source, mask, result.findings, result.suppressed),))
    for name in FORMATS:
        render(name, run)
