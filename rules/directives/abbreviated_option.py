"""SB119 abbreviated-option."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import ComplaintKind, Finding, Job, Rule, Severity, complaints

_LOOKS_LIKE = {
    "--task": "--ntasks",
    "--tasks": "--ntasks",
    "--cores": "--cpus-per-task",
    "--threads": "--cpus-per-task",
}


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
            written = job.source.slice(complaint.span).partition("=")[0].split()[0]
            whole = f"--{complaint.options[0]}"
            other = _LOOKS_LIKE.get(written)
            yield self.finding(
                complaint.span,
                f"sbatch takes {written} for {whole}",
                label="an abbreviation",
                help=f"write {whole}, or {other} if that is meant" if other else f"write {whole}",
            )
