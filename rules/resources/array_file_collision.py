"""SB236 array-file-collision."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Related, Rule, Severity, files_of_all_tasks


class ArrayFileCollision(Rule):
    """All tasks of a job array send what a program prints to one file.

    ## Why
    The tasks of an array run the same script, several at a time.  With `> train.log` each of them cuts off
    what the others have written so far, and then they write over one another: the log holds pieces of some
    tasks, and nothing tells of it.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --array=0-9
    #SBATCH --output=logs/%A_%a.out
    srun python train.py --fold "$SLURM_ARRAY_TASK_ID" > train.log  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --array=0-9
    #SBATCH --output=logs/%A_%a.out
    srun python train.py --fold "$SLURM_ARRAY_TASK_ID" > "train.$SLURM_ARRAY_TASK_ID.log"
    ```

    ## What it can't know
    Whether the tasks run at the same time: an array with `%1` is left in peace, and so are files of a node
    (`/tmp`), additions (`>>`), and relative names where the script goes to a folder that each task may
    have for itself.

    ## References
    - sbatch(1), "Job Array Support"; bash(1), REDIRECTION
    """

    code = "SB236"
    name = "array-file-collision"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        array, use = job.request.array, job.request.get("array")
        if array is None or use is None or array.count() < 2 or array.throttle == 1:
            return
        for span, name in files_of_all_tasks(job):
            yield self.finding(
                span,
                f"all {array.count()} tasks of the array overwrite {name}",
                label="the same file in each task",
                related=[Related(use.span, "an array")] if use.span is not None else (),
                help="put $SLURM_ARRAY_TASK_ID into the name",
            )
