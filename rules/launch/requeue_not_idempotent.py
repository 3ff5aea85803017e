"""SB364 requeue-not-idempotent."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    folders_made_anew,
    knows_of_restarts,
    repeated_deletions,
)


class RequeueNotIdempotent(Rule):
    """The job may be started again, and the script does something that it may do only once.

    ## Why
    With `--requeue` the whole script runs from its first line after a preemption or the failure of a node.
    `rm -rf "$CKPT"` then deletes the checkpoints of the first run, and training begins at step 0 without a
    word; `mkdir out` under `set -e` ends the second run at once: "mkdir: cannot create directory 'out': File
    exists".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=4
    #SBATCH --gpus=4
    #SBATCH --requeue
    #SBATCH --open-mode=append
    CKPT=/scratch/run7/checkpoints
    rm -rf "$CKPT"  # finding here
    srun python fit.py --save "$CKPT" --resume auto
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=4
    #SBATCH --gpus=4
    #SBATCH --requeue
    #SBATCH --open-mode=append
    CKPT=/scratch/run7/checkpoints
    if [ "${SLURM_RESTART_COUNT:-0}" -eq 0 ]; then rm -rf "$CKPT"; fi
    srun python fit.py --save "$CKPT" --resume auto
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --requeue
    #SBATCH --open-mode=append
    set -e
    mkdir "out_$SLURM_JOB_ID"  # finding here
    srun python fit.py --resume auto
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --requeue
    #SBATCH --open-mode=append
    set -e
    mkdir -p "out_$SLURM_JOB_ID"
    srun python fit.py --resume auto
    ```

    ## Fix
    `mkdir -p`.  When something may be deleted is left to you.

    ## What it can't know
    Whether the program writes what is deleted, or only reads it.  Nothing is reported without `--requeue`,
    although many clusters start jobs again by default, nor of a script that reads `SLURM_RESTART_COUNT`.

    ## References
    - sbatch(1), `--requeue`; `SLURM_RESTART_COUNT`
    """

    code = "SB364"
    name = "requeue-not-idempotent"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        if job.interactive or job.request.requeue is not True or knows_of_restarts(job):
            return
        for deletion in repeated_deletions(job):
            yield self.finding(
                deletion.span,
                f"each restart deletes what the job has written to {deletion.path}",
                related=[Related(deletion.program, "this program writes there")],
                help='delete it only where "${SLURM_RESTART_COUNT:-0}" is 0',
            )
        for folder in folders_made_anew(job):
            end = folder.command.end
            yield self.finding(
                folder.span,
                "a restart ends here under `set -e`: the folder is there by then",
                help="mkdir -p",
                fix=Fix.safe("take a folder that is there", Edit(Span(end, end), " -p")),
            )
