"""SB361 srun-wait-policy."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Fix, Fixable, Job, Rule, Severity, Span, add_to_srun, does_work


class SrunWaitPolicy(Rule):
    """Tasks that end later than the first one are killed on this cluster.

    ## Why
    Where `WaitTime` is set in slurm.conf, a step is ended so many seconds after its first task has ended:
    "srun: error: First task exited 60s ago".  Tasks with more to do than others, such as those that share out
    a list of files, are killed in the middle of it, and the step ends without a word of failure from them.

    ## Example
    ```toml cluster
    [settings]
    wait-time-seconds = 60
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks=16
    srun python tokenize_shard.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks=16
    srun --wait=0 python tokenize_shard.py
    ```

    ## Fix
    `--wait=0`, which waits for all tasks for as long as they take.

    ## What it can't know
    Whether the tasks end together, as the ranks of one training do.  Without a cluster profile nothing is
    reported.

    ## References
    - srun(1), `--wait`; slurm.conf(5), `WaitTime`
    """

    code = "SB361"
    name = "srun-wait-policy"
    severity = Severity.INFO
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seconds = job.cluster.settings.wait_time_seconds if job.cluster is not None else None
        if not seconds:
            return
        seen: set[Span] = set()
        for step in job.plan.steps:
            tasks = step.geometry.tasks
            if tasks is None or tasks.value < 2 or step.span in seen or not step.options_complete:
                continue
            if step.effective("wait") is not None or not does_work(step):
                continue
            seen.add(step.span)
            edit = add_to_srun(job, step, "--wait=0")
            yield self.finding(
                step.span,
                f"{seconds} seconds after its first task has ended, the step's other tasks are killed",
                help="srun --wait=0",
                fix=Fix.safe("wait for all tasks", edit) if edit is not None else None,
            )
