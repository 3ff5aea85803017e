"""SB222 array-requeue-id."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, Related, Rule, Severity, regex, slurm_mentions

_REQUEUES = regex(r"\bscontrol\s+(?:-\S+\s+){0,9}requeue(?:hold)?\s+(?:-\S+\s+){0,9}\"?$")
_NAMES = ("SLURM_JOB_ID", "SLURM_JOBID", "SLURM_ARRAY_JOB_ID")
_ELEMENT = "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"


class ArrayRequeueId(Rule):
    """One task of an array asks for its own requeue, and may requeue all of them.

    ## Why
    The tasks of an array have job ids of their own, but the task that is started last keeps the id of the
    whole array.  `scontrol requeue` takes that id for all tasks: those that are running are killed
    ("CANCELLED ... DUE TO JOB REQUEUE") and those that have ended run again.  `SLURM_ARRAY_JOB_ID` is the id
    of all tasks from the start.  With the task's index behind it, it means this task alone.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --array=0-9
    #SBATCH --signal=B:USR1@120
    trap 'scontrol requeue $SLURM_JOB_ID' USR1  # finding here
    srun python train.py --fold "$SLURM_ARRAY_TASK_ID" &
    wait
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --array=0-9
    #SBATCH --signal=B:USR1@120
    trap 'scontrol requeue ${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}' USR1
    srun python train.py --fold "$SLURM_ARRAY_TASK_ID" &
    wait
    ```

    ## Fix
    The id is written as `ARRAY_TASK`, which scontrol has always understood.

    ## What it can't know
    An array that is asked for on sbatch's command line, unless it is given to sbatchlint too.

    ## References
    - Slurm's src/slurmctld/job_mgr.c (`job_requeue2`), tried with Slurm 22.05.8
    - sbatch(1), "Job Array Support"
    - https://github.com/Lightning-AI/pytorch-lightning/issues/15022
    """

    code = "SB222"
    name = "array-requeue-id"
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS

    def check(self, job: Job) -> Iterator[Finding]:
        array, use = job.request.array, job.request.get("array")
        if array is None or use is None or array.count() < 2:
            return
        text = job.source.text
        for mention in slurm_mentions(job):
            line = job.source.line_around(mention.span.start).start
            before, behind = text[line : mention.span.start], text[mention.span.end : mention.span.end + 1]
            if mention.name not in _NAMES or not mention.plain or behind == "_":
                continue
            if not _REQUEUES.search(before) or text[mention.span.start] == "\\":
                continue
            which = "requeues" if mention.name == "SLURM_ARRAY_JOB_ID" else "may requeue"
            yield self.finding(
                mention.span,
                f"each task of the array {which} all {array.count()} of them",
                label="also the id of the whole array",
                related=[Related(use.span, "an array")] if use.span is not None else (),
                help=f"name the task: {_ELEMENT}",
                fix=Fix.safe("name the task", Edit(mention.span, _ELEMENT)),
            )
