"""What is told of a file that took more time than it may."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sbatchlint.cache.witness import spoil
from sbatchlint.fix.converge import Converged
from sbatchlint.lint.deadline import OutOfTime, clock
from sbatchlint.lint.engine import LEFT_OUT, FileResult, InternalError
from sbatchlint.lint.fixing import FixResult

TIME_LIMIT = 60.0
"""Seconds that a file may take where nobody says otherwise."""
ADVICE = "; --time-limit gives more"
_MOST_NAMED = 3


def sayings(errors: Sequence[InternalError], *, advice: str = ADVICE) -> list[str]:
    """Return what is to be said of the rules that were not done in time: a sentence for each cause.

    Each ends in *advice*.
    """
    rules: dict[str, list[str]] = {}
    for error in errors:
        if error.late:
            rules.setdefault(error.message, []).append(error.code)
    left = rules.pop(LEFT_OUT, [])
    if left and not rules:  # a rule went on where it should have ended
        rules["it takes longer than the time limit"] = []
    told = [_saying(why, codes) for why, codes in rules.items()]
    if left:
        told[-1] += f", and {len(left)} more rules were not asked"
    return [text + advice for text in told]


def _saying(why: str, codes: list[str]) -> str:
    if len(codes) == 1 and codes[0] and why.startswith("it "):
        return f"not checked to the end: {why.replace('it', f'rule {codes[0]}', 1)}"
    without = ", ".join(codes[:_MOST_NAMED]) if len(codes) <= _MOST_NAMED else f"{len(codes)} rules"
    return f"not checked to the end: {why}" + (f" (without {without})" if any(codes) else "")


def without_fixes(result: FileResult, late: OutOfTime | None = None) -> FileResult:
    """Return *result* with no fix, since none was tried in time; *late* tells what ended the trial."""
    spoil()
    clock().stop()
    errors = result.internal_errors
    if late is not None:
        late.doing = "trying the fixes"
        errors = (*errors, InternalError.caught(late))
    bare = tuple(
        finding if finding.fix is None else replace(finding, fix=None) for finding in result.findings
    )
    return replace(result, findings=bare, internal_errors=errors)


def is_late(result: FileResult) -> bool:
    """Tell whether *result* is only what was found in time."""
    return any(error.late for error in result.internal_errors)


def fixed_in_time(before: FileResult, fix: Callable[[], FixResult]) -> FixResult:
    """Return what *fix* makes of the file with the findings *before*; where it is late, the file as it is."""
    if is_late(before):
        return _unfixed(without_fixes(before))
    try:
        return fix()
    except OutOfTime as late:
        return _unfixed(without_fixes(before, late))


def _unfixed(result: FileResult) -> FixResult:
    source = result.source
    return FixResult(result, result, Converged(source, source, (), result.findings, (), stable=False))
