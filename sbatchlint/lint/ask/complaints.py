"""What Slurm has against a script, in the words of a finding."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sbatchlint.lint.ask.dashes import dash_slips
from sbatchlint.lint.ask.expansions import expansions
from sbatchlint.lint.ask.lookalikes import one_slip
from sbatchlint.lint.ask.odd_characters import odd_characters
from sbatchlint.lint.ask.placeholders import placeholders
from sbatchlint.lint.finding import Severity
from sbatchlint.lint.job import Job
from sbatchlint.slurm.grammar.base import Stage
from sbatchlint.slurm.options import OptionSpec, Release, option_table, parse_release
from sbatchlint.slurm.request import OptionUse, RequestProblem
from sbatchlint.slurm.verdict import Complaint, ComplaintKind, Effect
from sbatchlint.source import Span

_DASHED = frozenset(("comment", "wrap", "extra", "admin-comment"))
"""Options whose value may well begin with a hyphen."""
_IN_USE = 5
_SHORTEST = 3
"""A name of so few letters is one slip away from too many words."""

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
    what only releases do that are out of use, where no release is given.
    """
    slips: list[Span] | None = None
    for complaint in job.verdict.complaints:
        if complaint.kind not in kinds or complaint.span is None or _recent(job, complaint) == 0:
            continue
        if slips is None:
            slips = _slips(job)
        if not any(slip.overlaps(complaint.span) for slip in slips):
            yield complaint


def _slips(job: Job) -> list[Span]:
    found = [odd.span for odd in odd_characters(job)]
    found += [slip.whole for slip in dash_slips(job)]
    found += [use.value_span for use in swallowed_options(job) if use.value_span is not None]
    found += [expansion.span for expansion in expansions(job)]
    return found + [place.span for place in placeholders(job)]


def severity_of(job: Job, complaint: Complaint) -> Severity:
    """An error where every release asked refuses; else a warning, or *info* where few recent ones do."""
    if complaint.effect is Effect.REFUSED and _for_certain(job, complaint):
        return Severity.ERROR
    return Severity.WARNING if _recent(job, complaint) == len(_in_use(job)) else Severity.INFO


def _for_certain(job: Job, complaint: Complaint) -> bool:
    """Whether every release asked refuses what stands there, be it for different reasons."""
    alike = (other for other in job.verdict.refusals if other.line == complaint.line)
    refusing = {
        release
        for other in alike
        if other is complaint or _same_place(other, complaint)
        for release in other.releases
    }
    return refusing >= set(job.verdict.asked)


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
    if job.verdict.everywhere(complaint):
        return who
    return f"{who} of Slurm {release_range(complaint.releases, job.verdict.asked)}"


def release_range(some: Sequence[Release], asked: Sequence[Release]) -> str:
    """Name some of the releases that were asked: ``before 23.02``, ``since 26.05``, ``22.05 to 23.11``.

    Both are sorted, oldest first; *some* is not empty.
    """
    first, last = asked.index(some[0]), asked.index(some[-1])
    whole = last - first + 1 == len(some)
    if not whole:
        return ", ".join(map(release_name, some))
    if first == 0 and last + 1 < len(asked):
        return f"before {release_name(asked[last + 1])}"
    if last + 1 == len(asked):
        return f"since {release_name(some[0])}"
    if first == last:
        return release_name(some[0])
    return f"{release_name(some[0])} to {release_name(some[-1])}"


def release_name(release: Release) -> str:
    """The release as Slurm writes it: ``24.05``."""
    return f"{release[0]}.{release[1]:02}"


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
    for request in job.verdict.request.components:
        for use in request.uses:
            if use.span is not None and use.span == complaint.span:
                return use
    return None


def bad_values(job: Job, *grammars: str) -> Iterator[tuple[Complaint, OptionUse]]:
    """Yield the values in directives that Slurm refuses, of options whose values have these grammars."""
    for complaint in complaints(job, ComplaintKind.BAD_VALUE):
        use = use_of(job, complaint)
        if use is not None and use.spec.value in grammars:
            yield complaint, use


def swallowed_options(job: Job) -> Iterator[OptionUse]:
    """Yield the options that have taken the option behind them for their value (``--nodes --time=10``)."""
    table, release = option_table(), parse_release(job.request.release)
    for request in job.request.components:
        for use in request.uses:
            name = re.match(r"--([a-z][a-z-]+)(?:=|$)|-[A-Za-z](?=\d|$)", use.value or "")
            if name is None or use.value_span is None or use.spec.long in _DASHED:
                continue
            if name[1] is None or name[1] in table.names("sbatch", release):
                yield use


def problem_of(job: Job, complaint: Complaint) -> RequestProblem | None:
    """The problem with an option that *complaint* speaks of; None where only some releases have it."""
    return next((problem for problem in job.request.problems if problem.span == complaint.span), None)


def sbatch_option(job: Job, name: str) -> OptionSpec | None:
    """The option of sbatch whose long name, without dashes, is *name*; None where there is none."""
    table = option_table()
    return table.get(name) if name in table.names("sbatch", parse_release(job.request.release)) else None


def meant_option(written: str, release: str | None) -> str | None:
    """The one option of sbatch that *written* (with its dashes) must be a slip for; None where none is clear.

    Hyphens and underscores, and capitals, count as alike; else one letter may be wrong, missing, too much,
    or have changed places with its neighbour; but a c is never wrong: CPUs are not GPUs.
    """
    if not written.startswith("--"):
        return None
    bare = written[2:].lower().replace("_", "-")
    longs = {name for name in option_table().names("sbatch", parse_release(release)) if len(name) > _SHORTEST}
    if bare in option_table().names("sbatch", parse_release(release)):
        return bare
    near = [name for name in longs if one_slip(bare, name) and bare.count("c") == name.count("c")]
    return near[0] if len(near) == 1 else None
