"""SB367 requeue-policy."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Mention, Related, Rule, Severity, regex, slurm_mentions

_REQUEUES = regex(r"\bscontrol\s+(?:-\S+\s+){0,9}requeue(?:hold)?\s+(?:-\S+\s+){0,9}\"?$")
_IDS = ("SLURM_JOB_ID", "SLURM_JOBID", "SLURM_ARRAY_JOB_ID")


class RequeuePolicy(Rule):
    """The script asks for its own requeue, and Slurm will not requeue this job.

    ## Why
    `scontrol requeue` works for jobs that may be requeued and for no others: those with `--requeue`, and
    those of clusters with `JobRequeue=1`, which is Slurm's default.  `--no-requeue` takes it away, and
    scontrol answers "Requested operation is presently disabled for job 1234".  The job then ends at its time
    limit, and the training that was to go on by itself stands still until somebody looks.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --no-requeue
    #SBATCH --signal=B:USR1@120
    trap 'scontrol requeue "$SLURM_JOB_ID"' USR1  # finding here
    srun python train.py --resume auto &
    wait
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --requeue
    #SBATCH --open-mode=append
    #SBATCH --signal=B:USR1@120
    trap 'scontrol requeue "$SLURM_JOB_ID"' USR1
    srun python train.py --resume auto &
    wait
    ```

    ## What it can't know
    A site where `JobRequeue=0`, unless a cluster profile says so (`job-requeue = false`).  Nor which exit
    codes a site requeues by itself (`RequeueExit`): a script that counts on them is right on some clusters
    only.

    ## References
    - Slurm's src/slurmctld/job_mgr.c (`_job_requeue_op`)
    - slurm.conf(5), `JobRequeue`, `RequeueExit`; sbatch(1), `--no-requeue`
    """

    code = "SB367"
    name = "requeue-policy"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        if job.interactive or job.request.requeue is True:
            return
        by_option = job.request.requeue is False
        by_site = job.cluster is not None and job.cluster.settings.job_requeue is False
        if not (by_option or by_site):
            return
        use = job.request.get("no-requeue")
        for mention in slurm_mentions(job):
            if mention.name in _IDS and _is_requeued(job, mention):
                yield self.finding(
                    mention.span,
                    "Slurm refuses to requeue the job: "
                    + ("it was submitted with --no-requeue" if by_option else "the cluster has JobRequeue=0"),
                    label="requested operation is presently disabled",
                    related=[Related(use.span, "forbids it")] if use is not None and use.span else (),
                    help="submit the job with --requeue",
                    severity=Severity.ERROR if by_option else Severity.WARNING,
                )
                return


def _is_requeued(job: Job, mention: Mention) -> bool:
    """Whether ``scontrol requeue`` stands before it."""
    before = job.source.text[job.source.line_around(mention.span.start).start : mention.span.start]
    return _REQUEUES.search(before) is not None
