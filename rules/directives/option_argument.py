"""SB111 option-argument."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Complaint,
    ComplaintKind,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    OptionUse,
    ProblemKind,
    Related,
    RequestProblem,
    Rule,
    Severity,
    Span,
    complaints,
    said,
    severity_of,
    swallowed_options,
    who_does,
)

_HARMLESS = frozenset(("", "1", "yes", "true", "on"))
"""Values by which people say that a flag is on."""


class OptionArgument(Rule):
    """An option lacks its value, or has one that it does not take.

    ## Why
    sbatch refuses both: "option '--nodes' requires an argument" and "option '--hold' doesn't allow an
    argument".  All directives make one list of words, so an option at the end of a line takes the first word
    of the next directive as its value; an empty pair of quotes counts as nothing at all.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --contiguous=yes  # finding here
    #SBATCH --job-name --mem=4G  # finding here
    #SBATCH --time  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --contiguous
    #SBATCH --job-name=test --mem=4G
    #SBATCH --time=01:00:00
    srun hostname
    ```

    A flag that a plugin of the site adds, known from the cluster profile:

    ```toml cluster
    known-options = ["--flavour=", "--verify"]
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --flavour=large --verify=3  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --flavour=large --verify
    srun hostname
    ```

    ## Fix
    A value that only says "yes" is taken off a flag.

    ## What it can't know
    Whether an option that is known from `--known-option` alone takes a value.

    ## References
    - getopt_long(3); sbatch(1)
    """

    code = "SB111"
    name = "option-argument"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        kinds = (ComplaintKind.MISSING_ARGUMENT, ComplaintKind.ARGUMENT_NOT_ALLOWED)
        for complaint in complaints(job, *kinds):
            if not _line_is_lost(job, complaint):
                yield self._report(job, complaint)
        for problem in job.request.problems:
            if problem.kind is ProblemKind.UNKNOWN and _is_flag(job, problem):
                yield self._flag_of_site(problem)
        for use in swallowed_options(job):
            if use.line is None or not _ends_in_quotes(job, use.line):
                yield self._swallowed(job, use)

    def _flag_of_site(self, problem: RequestProblem) -> Finding:
        return self.finding(
            problem.span,
            f"sbatch refuses the script: {problem.name} takes no value",
            label="a flag, as the cluster profile says",
            help=f"write {problem.name} alone",
            notes=[f"sbatch: option '{problem.name}' doesn't allow an argument"],
        )

    def _swallowed(self, job: Job, use: OptionUse) -> Finding:
        assert use.span is not None and use.value_span is not None
        name = f"--{use.spec.long}"
        option = Span(use.span.start, min(use.span.end, job.source.line_span(use.line or 1).end))
        return self.finding(
            option,
            f"{name} takes the next option for its value: {use.value}",
            label="a value is missing",
            related=[Related(use.value_span, "not read as an option")],
            help=f"write {name}=VALUE",
        )

    def _report(self, job: Job, complaint: Complaint) -> Finding:
        assert complaint.span is not None
        name = f"--{complaint.options[0]}" if complaint.options else job.source.slice(complaint.span)
        missing = complaint.kind is ComplaintKind.MISSING_ARGUMENT
        what = "has no value" if missing else "takes no value"
        return self.finding(
            complaint.span,
            f"{who_does(job, complaint)} refuses the script: {name} {what}",
            label="a value is missing" if missing else "a flag",
            help=f"write {name}=VALUE" if missing else f"write {name} alone",
            notes=said(complaint),
            fix=None if missing else _fix(job, complaint),
            severity=severity_of(job, complaint),
        )


def _is_flag(job: Job, problem: RequestProblem) -> bool:
    """Whether it is an option of the site's own with a value that it does not take."""
    return problem.text.startswith(f"{problem.name}=") and problem.name.lstrip("-") in job.site_flags


def _line_is_lost(job: Job, complaint: Complaint) -> bool:
    """Whether an empty pair of quotes takes the value away, as SB116 says."""
    missing = complaint.kind is ComplaintKind.MISSING_ARGUMENT
    return missing and complaint.line is not None and _ends_in_quotes(job, complaint.line)


def _ends_in_quotes(job: Job, line: int) -> bool:
    return any(other.line == line for other in complaints(job, ComplaintKind.LOST_TEXT))


def _fix(job: Job, complaint: Complaint) -> Fix | None:
    assert complaint.span is not None
    name, equals, value = job.source.slice(complaint.span).partition("=")
    if not equals or value.lower() not in _HARMLESS or not name.startswith("--"):
        return None
    start = complaint.span.start + len(name)
    return Fix.safe("take the value off", Edit(Span(start, complaint.span.end), ""))
