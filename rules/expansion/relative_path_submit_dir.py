"""SB415 relative-path-submit-dir."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Related, Rule, Severity, missing_logs


class RelativePathSubmitDir(Rule):
    """The job's own log is looked for where it is not.

    ## Why
    Slurm writes `slurm-<job id>.out` into the folder that the job was submitted from, and only where no
    `--output` says otherwise.  After a `cd`, or with another name given, `mv slurm-$SLURM_JOB_ID.out logs/`
    finds nothing: "mv: cannot stat 'slurm-4711.out': No such file or directory".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    set -e
    cd /scratch/run7
    srun python fit.py
    cp "slurm-$SLURM_JOB_ID.out" out/  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    set -e
    cd /scratch/run7
    srun python fit.py
    cp "$SLURM_SUBMIT_DIR/slurm-$SLURM_JOB_ID.out" out/
    ```

    ## What it can't know
    Where the script stands after a `cd` in a function or a branch; the last one in the text counts.

    ## References
    - sbatch(1), `--output`
    - https://github.com/niznik-dev/cruijff_kit/issues/272
    """

    code = "SB415"
    name = "relative-path-submit-dir"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        for log in () if job.interactive else missing_logs(job):
            if log.output is not None:
                spans = [log.output.span] if log.output.span is not None else []
                yield self.finding(
                    log.span,
                    f"there is no such log: the job writes to {log.output.value}",
                    related=[Related(span, "named here") for span in spans],
                    help="name the file as --output does",
                )
            elif log.moved is not None:
                yield self.finding(
                    log.span,
                    "the log is not here but in the folder of submission",
                    related=[Related(log.moved, "the script has gone elsewhere")],
                    help="write $SLURM_SUBMIT_DIR/ in front of it",
                )
