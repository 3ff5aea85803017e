"""SB113 duplicate-directive."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    ComplaintKind,
    Finding,
    Job,
    Origin,
    Related,
    Rule,
    Severity,
    complaints,
    in_releases,
)


class DuplicateDirective(Rule):
    """The same option is given twice, with different values.

    ## Why
    The last one counts and the others go without a word: values do not add up, neither those of `--gres` nor
    those of `--dependency`.  After an edit it is often the old line that is left below the new one.  Those of
    `--mail-type` did add up before release 25.05, and do so no longer.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gres=gpu:4  # finding here
    #SBATCH --gres=tmpdisk:100
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gres=gpu:4,tmpdisk:100
    srun hostname
    ```

    ## What it can't know
    Which of the two was meant.  A file of nothing but directives is a list to copy from and is passed over.

    ## References
    - sbatch(1); Slurm's src/sbatch/opt.c (one argument list over all directives)
    """

    code = "SB113"
    name = "duplicate-directive"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        if not job.script.body:
            return
        foreign = [use for use in job.request.uses if use.origin is Origin.FOREIGN]
        for complaint in complaints(job, ComplaintKind.OVERRIDDEN):
            assert complaint.span is not None
            if any(use.span in complaint.related for use in foreign):
                continue  # SB117 has its say
            name = f"--{complaint.options[0]}"
            yield self.finding(
                complaint.span,
                f"this {name} has no effect{in_releases(job, complaint)}: a later one overrides it",
                label="overridden",
                related=[Related(span, "this one counts") for span in complaint.related],
                help=f"keep one {name}",
                severity=None if job.verdict.everywhere(complaint) else Severity.INFO,
            )
