"""SB356 background-without-wait."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, Related, Rule, Severity, unawaited_steps


class BackgroundWithoutWait(Rule):
    """The script ends while its steps still run in the background: Slurm kills them.

    ## Why
    A job ends when its script does.  Behind `srun ... &` as the last line nothing holds the script, so it
    ends within a second, the steps are killed and their work is lost; `sacct` says COMPLETED with exit code
    0:0.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks=2
    srun -n1 --exact ./part a &  # finding here
    srun -n1 --exact ./part b &
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks=2
    srun -n1 --exact ./part a &
    srun -n1 --exact ./part b &
    wait
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks=3
    for seed in 1 2 3; do
      srun -n1 --exact python run.py --seed $seed &  # finding here
    done
    echo "all started"
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks=3
    for seed in 1 2 3; do
      srun -n1 --exact python run.py --seed $seed &
    done
    wait
    echo "all started"
    ```

    ## Fix
    `wait` behind the last of them.

    ## What it can't know
    A step that should die with the script, such as a monitor: nothing is reported where anything but small
    commands follows, or where the step's name tells of it.

    ## References
    - bash(1), `wait`
    - tried with Slurm 22.05.8
    - https://github.com/RobertsLab/resources/issues/858
    """

    code = "SB356"
    name = "background-without-wait"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        found = None if job.interactive else unawaited_steps(job)
        if found is None:
            return
        first, *others = found.steps
        fix = None
        if found.end is not None:
            fix = Fix.safe("wait for the steps", Edit(found.end, "\nwait"))
        yield self.finding(
            first,
            "the script ends here and the step in the background is killed",
            related=[Related(other, "this one too") for other in others],
            help="end with `wait`",
            fix=fix,
        )
