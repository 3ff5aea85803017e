"""``--add-ignore``: answering what is found by comments in the scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.adopt.ignoring import add_ignores, is_about_comments
from sbatchlint.cli.checking import report_of
from sbatchlint.cli.console import Console
from sbatchlint.cli.inputs import Kind
from sbatchlint.cli.lateness import is_late
from sbatchlint.cli.saving import save_source
from sbatchlint.fix.guards import Guards
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.fixing import with_fixes_that_hold
from sbatchlint.report.mask import Mask
from sbatchlint.report.summary import count
from sbatchlint.source import Source
from sbatchlint.writing.trouble import reason_and_remedy

if TYPE_CHECKING:
    from sbatchlint.adopt.ignoring import Answered
    from sbatchlint.cli.checking import Checked


def write_ignores(
    reason: str, checked: Sequence[Checked], console: Console, *, write: bool
) -> Sequence[Checked]:
    """Answer the findings of *checked* by comments that give *reason*; return what is still found then.

    Standard input is never written, and nothing is where *write* is false.  A finding that no comment can
    answer is told of, and stays.
    """
    guards = Guards()
    done = [_answered(each, reason, console, guards, write) for each in checked]
    answered = sum(each.ignored for each in done)
    if write:
        files = sum(bool(each.ignored) for each in done)
        console.note(f"Answered {count(answered, 'finding')} by comments in {count(files, 'file')}.\n")
    return done


def _answered(each: Checked, reason: str, console: Console, guards: Guards, write: bool) -> Checked:
    if not each.result.findings:
        return each
    path = each.given.path
    if is_late(each.result):
        console.complain(path, "no comment written, since it was not checked to the end")
        return each
    if each.given.kind is Kind.MARKDOWN:
        console.remark(path, "no comment written: Markdown is left as it is")
        return each
    try:
        answered = add_ignores(
            each.result,
            lambda source: lint_source(source, each.rules, each.options),
            each.rules.registry,
            reason,
            guards,
        )
    except Exception as error:  # one file's trouble is not the others'
        console.complain(path, f"internal error: {type(error).__name__}; no comment written")
        return each
    _tell_left(answered, each, console)
    if not answered.count:
        return each
    if write and not each.given.from_stdin:
        try:
            save_source(each.given, each.result.source, answered.result.source)
        except OSError as error:
            console.complain(path, f"no comment written {reason_and_remedy(error)}")
            return each
    return _with(each, answered, guards)


def _with(each: Checked, answered: Answered, guards: Guards) -> Checked:
    result = with_fixes_that_hold(answered.result, each.rules, each.options, guards=guards)
    mask = Mask.of_job(result.source, each.options, each.before, *result.beside, *each.result.beside)
    report = report_of(result, mask, each.report.fixed)
    return replace(
        each,
        report=replace(report, rules=each.report.rules),
        result=result,
        after=result.source,
        ignored=answered.count,
    )


def _tell_left(answered: Answered, each: Checked, console: Console) -> None:
    source: Source = each.result.source
    for finding in answered.left:
        line = source.position(finding.span.start).line
        about_comment = is_about_comments(each.rules.registry, finding.code)
        why = "it is about such a comment: put that right" if about_comment else "no comment can stand there"
        console.remark(f"{each.given.path}:{line}", f"{finding.code} is not answered: {why}")
