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
    Rule,
    Severity,
    Span,
    complaints,
    problem_of,
    said,
    severity_of,
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
    #SBATCH --time  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --contiguous
    #SBATCH --time=01:00:00
    srun hostname
    ```

    ## Fix
    A value that only says "yes" is taken off a flag.

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
            yield self._report(job, complaint)

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


def _fix(job: Job, complaint: Complaint) -> Fix | None:
    problem = problem_of(job, complaint)
    if problem is None or complaint.span is None:
        return None
    name, equals, value = problem.text.partition("=")
    if not equals or value.lower() not in _HARMLESS or job.source.slice(complaint.span) != problem.text:
        return None
    start = complaint.span.start + len(name)
    return Fix.safe("take the value off", Edit(Span(start, complaint.span.end), ""))
