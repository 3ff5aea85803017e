"""SB117 foreign-directive."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Complaint,
    ComplaintKind,
    Finding,
    Job,
    Origin,
    Related,
    Rule,
    Severity,
    complaints,
    said,
    severity_of,
)


class ForeignDirective(Rule):
    """A line of another batch system counts, and may count for more than `#SBATCH`.

    ## Why
    sbatch reads `#PBS` and `#BSUB` lines too, after its own, so that they override them; and it looks for
    them in the whole file, below the first command as well.  A line left over from another cluster changes
    the job without a word, and an option in it that sbatch cannot translate makes it refuse the script.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --time=04:00:00
    #PBS -l walltime=00:30:00  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --time=04:00:00
    srun hostname
    ```

    ## What it can't know
    Whether the script is meant for both batch systems: `#SBATCH --ignore-pbs` keeps sbatch from reading the
    other one's lines.

    ## References
    - Slurm's src/sbatch/xlate.c; sbatch(1), `--ignore-pbs`
    """

    code = "SB117"
    name = "foreign-directive"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, ComplaintKind.FOREIGN_LINE):
            yield self._refused(job, complaint)
        yield from self._overriding(job)

    def _refused(self, job: Job, complaint: Complaint) -> Finding:
        assert complaint.span is not None
        return self.finding(
            complaint.span,
            "sbatch refuses the script: it reads this line and cannot translate it",
            label="of another batch system",
            help="take it out, or add #SBATCH --ignore-pbs",
            notes=said(complaint),
            severity=severity_of(job, complaint),
        )

    def _overriding(self, job: Job) -> Iterator[Finding]:
        own = {use.spec.long: use for use in job.request.uses if use.origin is Origin.DIRECTIVE}
        for use in job.request.uses:
            before = own.get(use.spec.long)
            if use.origin is not Origin.FOREIGN or use.span is None or before is None or before.span is None:
                continue
            if before.value != use.value:
                yield self.finding(
                    use.span,
                    f"this line overrides --{use.spec.long} of the #SBATCH lines",
                    label=f"means --{use.spec.long}={use.value}" if use.value else f"means --{use.spec.long}",
                    related=[Related(before.span, "overridden")],
                    help="take one of them out, or add #SBATCH --ignore-pbs",
                    severity=Severity.WARNING,
                )
