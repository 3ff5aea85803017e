"""SB207 array-spec."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint_rules.resources._refused import refused_value

from sbatchlint.api import Finding, Job, Rule, Severity, bad_values


class ArraySpec(Rule):
    """The indices of a job array that Slurm can't read.

    ## Why
    `--array` takes numbers, ranges, and ranges with a step, parted by commas, with `%N` at the end for how
    many may run at once.  A range that runs backwards, a step of 0 or anything else is refused: "Batch job
    submission failed: Invalid job array specification".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --array=5-1  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --array=1-5
    srun hostname
    ```

    ## What it can't know
    The greatest index that the cluster allows (MaxArraySize, 1001 by default): a cluster profile tells.

    ## References
    - sbatch(1), `--array`; Slurm's src/slurmctld/job_mgr.c
    """

    code = "SB207"
    name = "array-spec"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint, use in bad_values(job, "array"):
            yield refused_value(
                self, job, complaint, use, help="write indices such as 0-9, 1,3,5 or 0-20:4%2"
            )
