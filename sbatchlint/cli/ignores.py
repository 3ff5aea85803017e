"""``--add-ignore``: answering what is found by comments in the scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.adopt.ignoring import add_ignores, is_about_comments
from sbatchlint.cli.checking import report_of
from sbatchlint.cli.console import Console
from sbatchlint.cli.inputs import Kind
from sbatchlint.cli.lateness import ADVICE, is_late
from sbatchlint.cli.saving import save_source
from sbatchlint.fix.guards import Guards
from sbatchlint.lint.deadline import OutOfTime, limited
from sbatchlint.lint.engine import in_full, lint_source
from sbatchlint.lint.fixing import with_fixes_that_hold
from sbatchlint.report.mask import Mask
from sbatchlint.report.summary import count
from sbatchlint.source import Source
from sbatchlint.writing.trouble import reason_and_remedy

if TYPE_CHECKING:
    from sbatchlint.adopt.ignoring import Answered
    from sbatchlint.cli.adoption import Adoption
    from sbatchlint.cli.checking import Checked


def write_ignores(adoption: Adoption, checked: Sequence[Checked], console: Console) -> Sequence[Checked]:
    """Answer the findings of *checked* by comments; return what is still found then.

    Standard input is never written, and nothing is where *adoption* says so.  A finding that no comment can
    answer is told of, and stays.
    """
    guards, write = Guards(), not adoption.only_shows
    done = [_answered(each, adoption, console, guards) for each in checked]
    answered = sum(each.ignored for each in done)
    if write:
        files = sum(bool(each.ignored) for each in done)
        console.note(f"Answered {count(answered, 'finding')} by comments in {count(files, 'file')}.\n")
    return done


def _answered(each: Checked, adoption: Adoption, console: Console, guards: Guards) -> Checked:
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
        with limited(adoption.time_limit):
            answered = add_ignores(
                each.result,
                lambda source: in_full(lint_source(source, each.rules, each.options)),
                each.rules.registry,
                adoption.reason or "",
                guards,
            )
            after = _with(each, answered, guards) if answered.count else each
    except OutOfTime as late:
        console.complain(path, f"no comment written: {late}{ADVICE}")
        return each
    except Exception as error:  # one file's trouble is not the others'
        console.complain(path, f"internal error: {type(error).__name__}; no comment written")
        return each
    _tell_left(answered, each, console)
    if answered.count and not adoption.only_shows and not each.given.from_stdin:
        try:
            save_source(each.given, each.result.source, answered.result.source)
        except OSError as error:
            console.complain(path, f"no comment written {reason_and_remedy(error)}")
            return each
    return after


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
