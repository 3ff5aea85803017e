"""SB233 time-missing."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Rule, Severity, default_minutes

_SHORT = 60


class TimeMissing(Rule):
    """No time limit is asked for, and the cluster's own is short.

    ## Why
    A job without `--time` gets the partition's DefaultTime.  On some clusters that is a few minutes, so that
    nobody forgets the option: the job is ended in the middle of its work, "CANCELLED AT ... DUE TO TIME
    LIMIT".

    ## Example
    On a cluster with this profile:

    ```toml cluster
    [[partitions]]
    name = "gpu"
    nodes = "gpu[01-16]"
    default = true
    default-time = "00:10:00"
    max-time = "2-00:00:00"
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2  # finding here
    #SBATCH --gpus-per-node=8
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gpus-per-node=8
    #SBATCH --time=12:00:00
    srun python train.py
    ```

    ## What it can't know
    How long the job takes.  Without a profile of the cluster nothing is reported: most sites have a default
    that people rely on.  With one, a default of an hour or less is reported where more may be asked for.

    ## References
    - slurm.conf(5), `DefaultTime`
    """

    code = "SB233"
    name = "time-missing"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        minutes = default_minutes(job)
        if minutes is None or minutes > _SHORT:
            return
        use = job.request.get("partition") or next(iter(job.request.uses), None)
        if use is not None and use.span is not None:
            unit = "minute" if minutes == 1 else "minutes"
            yield self.finding(
                use.span,
                f"the job ends after {minutes} {unit}, the default of its partition",
                label="no --time is asked for",
                help="add #SBATCH --time=...",
            )
