"""Which line of the script brought the failure about, and which rule would have seen it."""

from __future__ import annotations

from dataclasses import replace

from sbatchlint.diagnose.diagnosis import Diagnosis, State
from sbatchlint.lint.deadline import OutOfTime, clock
from sbatchlint.lint.engine import FileResult, InternalError, lint_source
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.fixing import with_fixes_that_hold
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.lint.registry import RuleSet
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Source, Span

_SHELL_LINE = regex(r"(?:^|[\s/])(?P<file>slurm_script|[\w.+-]+): line (?P<line>\d{1,7}): ")
_STEP = regex(r"\b(?:StepId=|STEP )\d+(?:_\d+)?\.(\d{1,5})\b")


@dataclass(frozen=True, slots=True)
class Blame:
    """What the script has to do with the failure."""

    source: Source
    findings: tuple[Finding, ...] = ()
    """What the rules find that see causes like this one."""
    silenced: frozenset[Finding] = frozenset()
    """Those of them that a comment in the script silences."""
    result: FileResult | None = None
    span: Span | None = None
    """Where the failing command is written, if no rule finds anything."""
    why: str = ""
    """What ties :attr:`span` to the failure."""
    internal_errors: tuple[InternalError, ...] = ()


def blame(source: Source, rules: RuleSet, options: LintOptions, diagnosis: Diagnosis) -> Blame:
    """Return which lines of the script *source* brought about what *diagnosis* tells of."""
    if diagnosis.state is not State.FAILED:
        return Blame(source)
    everything = replace(options, pedantic=True, ask=None, sieve=None)
    codes = diagnosis.cause.rules if diagnosis.cause is not None else ()
    result = lint_source(source, rules, everything)
    silenced = frozenset(one.finding for one in result.suppressed if one.finding.code in codes)
    found = [one for one in result.findings if one.code in codes]
    if found:
        result = with_fixes_that_hold(result, rules, everything)
        found = [one for one in result.findings if one.code in codes]
    found += silenced
    found.sort(key=lambda one: (one.severity.rank, codes.index(one.code), one.span))
    span, why, errors = None, "", result.internal_errors
    if not found:
        try:
            span, why = _command(source, everything, diagnosis)
        except (Exception, OutOfTime) as error:  # told; what the logs say stands without a line of the script
            clock().stop()
            errors = (*errors, InternalError.caught(error))
    return Blame(source, tuple(found), silenced, result, span, why, errors)


def _command(source: Source, options: LintOptions, diagnosis: Diagnosis) -> tuple[Span | None, str]:
    line = _told_by_shell(source, diagnosis)
    if line is not None:
        return _span_of_line(source, line), "bash names this line"
    if diagnosis.cause is not None and not diagnosis.where.known:
        return None, ""
    steps = [step for step in Job(source, options).plan.steps if not step.nested]
    number = _step_number(diagnosis)
    if number is not None and number < len(steps) and not any(one.doubtful for one in steps[: number + 1]):
        return steps[number].line_span, f"step {number} of the job was started here"
    if len(steps) == 1:
        return steps[0].line_span, "the only step of the job was started here"
    return None, ""


def _told_by_shell(source: Source, diagnosis: Diagnosis) -> int | None:
    """Return the line that bash names in its complaint about the script itself."""
    seen = diagnosis.cause.seen if diagnosis.cause is not None else None
    match = _SHELL_LINE.search(seen.text) if seen is not None else None
    if match is None:
        return None
    name = source.path.replace("\\", "/").rpartition("/")[2]
    number = int(match["line"])
    in_script = match["file"] in ("slurm_script", name)
    return number if in_script and 1 <= number <= source.text.count("\n") + 1 else None


def _span_of_line(source: Source, number: int) -> Span:
    lines = source.text.split("\n")
    start = sum(len(line) + 1 for line in lines[: number - 1])
    text = lines[number - 1]
    indent = len(text) - len(text.lstrip())
    return Span(start + indent, start + max(len(text.rstrip()), indent))


def _step_number(diagnosis: Diagnosis) -> int | None:
    """Return the number of the step that the lines of Slurm name, if it is one alone."""
    texts = [group.seen.text for group in diagnosis.cascade if group.seen is not None]
    if diagnosis.cause is not None and diagnosis.cause.seen is not None:
        texts.append(diagnosis.cause.seen.text)
    numbers = {int(match[1]) for text in texts for match in _STEP.finditer(text)}
    return numbers.pop() if len(numbers) == 1 else None
