"""SB119 abbreviated-option."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import ComplaintKind, Finding, Job, Rule, Severity, complaints


class AbbreviatedOption(Rule):
    """A name is taken for the beginning of another option than it looks like.

    ## Why
    The beginning of an option's name will do if no other begins the same way.  There is no `--tasks`, so
    `--tasks=8` is `--tasks-per-node=8`: with `--nodes=4` that makes 32 tasks.  In the same way `--cores` is
    `--cores-per-socket` and `--threads` is `--threads-per-core`.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --tasks=8  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks=8
    srun hostname
    ```

    ## What it can't know
    Which of the two was meant.

    ## References
    - getopt_long(3): abbreviations; the option table in Slurm's src/common/slurm_opt.c
    """

    code = "SB119"
    name = "abbreviated-option"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, ComplaintKind.ABBREVIATED):
            assert complaint.span is not None
            yield self.finding(
                complaint.span,
                complaint.detail,
                label="an abbreviation",
                help="write the option's whole name",
            )
