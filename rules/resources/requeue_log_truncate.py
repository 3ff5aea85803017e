"""SB218 requeue-log-truncate."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Fix, Fixable, Job, Rule, Severity, add_directive


class RequeueLogTruncate(Rule):
    """A job that is requeued loses the log of its earlier run.

    ## Why
    `--requeue` starts the job again, under the same id, when a node fails or it is preempted.  Its output
    file then has the same name, and is opened as at first: cut to nothing.  The reason why the first run
    ended is gone.  `--open-mode=append` keeps it.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --output=%j.log
    #SBATCH --requeue  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --output=%j.log
    #SBATCH --requeue
    #SBATCH --open-mode=append
    srun hostname
    ```

    ## Fix
    `#SBATCH --open-mode=append` is added behind the other directives.

    ## What it can't know
    Whether the cluster appends by itself (`JobFileAppend=1` in slurm.conf); jobs that are requeued because
    the cluster says so (`JobRequeue=1`) are not reported.

    ## References
    - sbatch(1), `--requeue` and `--open-mode`; slurm.conf(5), `JobFileAppend`
    """

    code = "SB218"
    name = "requeue-log-truncate"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        request = job.request
        use = request.get("requeue")
        if use is None or use.span is None or not request.requeue or request.get("open-mode") is not None:
            return
        output = request.output
        if output is not None and (output.is_null or "r" in output.specifiers):
            return
        edit = add_directive(job, "--open-mode=append")
        yield self.finding(
            use.span,
            "the log of the earlier run is lost when the job is requeued",
            label="starts again with the same output file",
            help="add --open-mode=append",
            fix=Fix.safe("add #SBATCH --open-mode=append", edit) if edit else None,
        )
