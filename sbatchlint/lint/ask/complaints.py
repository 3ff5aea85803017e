"""What Slurm has against a script, in the words of a finding."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sbatchlint.lint.ask.dashes import dash_slips
from sbatchlint.lint.ask.expansions import expansions
from sbatchlint.lint.ask.odd_characters import odd_characters
from sbatchlint.lint.ask.once import asked_by_key, asked_once
from sbatchlint.lint.ask.placeholders import placeholders
from sbatchlint.lint.finding import Severity
from sbatchlint.lint.job import Job
from sbatchlint.slurm.grammar.base import Stage
from sbatchlint.slurm.options import Release, option_table, parse_release, spell_release
from sbatchlint.slurm.request import OptionUse, RequestProblem
from sbatchlint.slurm.verdict import Complaint, ComplaintKind, Effect
from sbatchlint.source import Span

_DASHED = frozenset(("comment", "wrap", "extra", "admin-comment"))
"""Options whose value may well begin with a hyphen."""
_IN_USE = 5
_FAILED = "Batch job submission failed: "
_FATAL = ("mutually exclusive", "Unmatched `", "Unexpected `")
"""What sbatch says as it gives up at once."""
_GETOPT = frozenset(
    (
        ComplaintKind.UNKNOWN_OPTION,
        ComplaintKind.AMBIGUOUS_OPTION,
        ComplaintKind.MISSING_ARGUMENT,
        ComplaintKind.ARGUMENT_NOT_ALLOWED,
        ComplaintKind.WRONG_COMMAND,
        ComplaintKind.WRONG_RELEASE,
    )
)
"""What the C library says, in sbatch's name but without its "error"."""


def complaints(job: Job, *kinds: ComplaintKind) -> Iterator[Complaint]:
    """Yield what Slurm has against the directives, of these kinds, in the order of the file.

    Left out is what the command line or the environment alone is to blame for, which has no place in the
    script, and what rests on a slip that a rule of its own tells of: a character that is not ASCII, wrong
    dashes, text that a shell would expand, a placeholder.  One cause gives one finding.  Left out is also
    what only releases do that are out of use, where no release is given, and lines that a program fills in
    before sbatch sees them.
    """
    filled_in = {place.line for place in placeholders(job) if place.template}
    for complaint in job.verdict.complaints:
        if complaint.kind not in kinds or complaint.span is None or _recent(job, complaint) == 0:
            continue
        if complaint.line in filled_in:
            continue
        if not any(slip.overlaps(complaint.span) for slip in _slips(job)):
            yield complaint


@asked_once
def _slips(job: Job) -> list[Span]:
    found = [odd.span for odd in odd_characters(job)]
    found += [slip.whole for slip in dash_slips(job)]
    found += [use.value_span for use in swallowed_options(job) if use.value_span is not None]
    found += [expansion.span for expansion in expansions(job, of_templates=True)]
    return found + [place.span for place in placeholders(job)]


def severity_of(job: Job, complaint: Complaint) -> Severity:
    """An error where every release asked refuses; else a warning, or *info* where few recent ones do."""
    if complaint.effect is Effect.REFUSED and _for_certain(job, complaint):
        return Severity.ERROR
    return Severity.WARNING if _recent(job, complaint) == len(_in_use(job)) else Severity.INFO


def _for_certain(job: Job, complaint: Complaint) -> bool:
    """Whether every release asked refuses what stands there, be it for different reasons."""
    alike = _refusals_by_line(job).get(complaint.line, ())
    refusing = {
        release
        for other in alike
        if other is complaint or _same_place(other, complaint)
        for release in other.releases
    }
    return refusing >= set(job.verdict.asked)


@asked_by_key
def _refusals_by_line(job: Job) -> Iterator[tuple[int | None, Complaint]]:
    return ((one.line, one) for one in job.verdict.refusals)


def _same_place(one: Complaint, other: Complaint) -> bool:
    return one.span is not None and other.span is not None and one.span.overlaps(other.span)


def _in_use(job: Job) -> tuple[Release, ...]:
    """The releases asked that clusters are likely to run: the last five, which span two years."""
    return job.verdict.asked[-_IN_USE:]


def _recent(job: Job, complaint: Complaint) -> int:
    """The number of releases in use for which *complaint* holds."""
    return len(set(complaint.releases) & set(_in_use(job)))


def who_does(job: Job, complaint: Complaint) -> str:
    """Name who does it: ``sbatch`` or the controller, and the releases of Slurm if not all do."""
    who = "the controller" if complaint.stage is Stage.CONTROLLER else "sbatch"
    releases = _releases_of(job, complaint)
    return f"{who} of {releases}" if releases else who


def in_releases(job: Job, complaint: Complaint) -> str:
    """Say where *complaint* holds, to follow a verb (`` in Slurm before 23.02``); empty for all releases."""
    releases = _releases_of(job, complaint)
    return f" in {releases}" if releases else ""


def _releases_of(job: Job, complaint: Complaint) -> str:
    """Name the releases of Slurm for which *complaint* holds (``Slurm before 23.02``); empty for all.

    All supported releases are looked at, be it that the job is judged by one of them alone.
    """
    verdict = job.verdict_of_all
    alike = _complaints_by_place(job).get((complaint.kind, complaint.span), ())
    some = sorted({*complaint.releases, *(release for other in alike for release in other.releases)})
    if set(some) >= set(verdict.asked):
        return ""
    known = sorted({*some, *verdict.asked})
    return f"Slurm {_release_range(some, known)}"


@asked_by_key
def _complaints_by_place(job: Job) -> Iterator[tuple[tuple[ComplaintKind, Span | None], Complaint]]:
    return (((one.kind, one.span), one) for one in job.verdict_of_all.complaints)


def _release_range(some: Sequence[Release], asked: Sequence[Release]) -> str:
    """Name some of the releases that were asked: ``before 23.02``, ``since 26.05``, ``22.05 to 23.11``.

    Both are sorted, oldest first; *some* is not empty.
    """
    first, last = asked.index(some[0]), asked.index(some[-1])
    whole = last - first + 1 == len(some)
    if not whole:
        return ", ".join(map(spell_release, some))
    if first == 0 and last + 1 < len(asked):
        return f"before {spell_release(asked[last + 1])}"
    if last + 1 == len(asked):
        return f"since {spell_release(some[0])}"
    if first == last:
        return spell_release(some[0])
    return f"{spell_release(some[0])} to {spell_release(some[-1])}"


def said(complaint: Complaint) -> tuple[str, ...]:
    """Slurm's own words as notes of a finding, for those who search for them."""
    lines = [line for line in complaint.said.splitlines() if line]
    if complaint.kind in _GETOPT:
        prefix = "sbatch: "
    elif complaint.effect is Effect.WARNED and complaint.kind is not ComplaintKind.OLD_PREFIX:
        prefix = "sbatch: warning: "
    elif any(words in complaint.said for words in _FATAL) and len(lines) == 1:
        prefix = "sbatch: fatal: "
    else:
        prefix = "sbatch: error: "
    if complaint.stage is Stage.CONTROLLER and lines and not lines[-1].startswith(_FAILED):
        lines[-1] = _FAILED + lines[-1]
    return tuple(prefix + line for line in lines)


def use_of(job: Job, complaint: Complaint) -> OptionUse | None:
    """The use of an option that *complaint* points at."""
    return next(iter(_uses_by_place(job).get(complaint.span, ())), None) if complaint.span else None


@asked_by_key
def _uses_by_place(job: Job) -> Iterator[tuple[Span | None, OptionUse]]:
    return ((use.span, use) for use in job.verdict.request.all_uses)


def bad_values(job: Job, *grammars: str) -> Iterator[tuple[Complaint, OptionUse]]:
    """Yield the values in directives that Slurm refuses, of options whose values have these grammars."""
    for complaint in complaints(job, ComplaintKind.BAD_VALUE):
        use = use_of(job, complaint)
        if use is not None and use.spec.value in grammars:
            yield complaint, use


def swallowed_options(job: Job) -> Iterator[OptionUse]:
    """Yield the options that have taken the option behind them for their value (``--nodes --time=10``)."""
    table, release = option_table(), parse_release(job.request.release)
    for use in job.request.all_uses:
        name = re.match(r"--([a-z][a-z-]+)(?:=|$)|-[A-Za-z](?=\d|$)", use.value or "")
        if name is None or use.value_span is None:
            continue
        if use.spec.long in _DASHED and not _reaches_on(job, use):
            continue
        if name[1] is None or name[1] in table.names("sbatch", release):
            yield use


def _reaches_on(job: Job, use: OptionUse) -> bool:
    """Whether the value stands on a later line than its option, which nobody means."""
    assert use.span is not None and use.value_span is not None
    return "\n" in job.source.text[use.span.start : use.value_span.start]


def problem_of(job: Job, complaint: Complaint) -> RequestProblem | None:
    """The problem with an option that *complaint* speaks of; None where only some releases have it."""
    return next(iter(_problems_by_place(job).get(complaint.span, ())), None)


@asked_by_key
def _problems_by_place(job: Job) -> Iterator[tuple[Span | None, RequestProblem]]:
    return ((problem.span, problem) for problem in job.request.problems)
