"""SB363 srun-reads-loop-input."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, Related, Rule, Severity, loops_that_srun_starves


class SrunReadsLoopInput(Rule):
    """srun reads the lines that the loop around it should read: the loop runs once.

    ## Why
    In `while read line; do srun ...; done < file` both share one standard input.  srun hands it to its tasks
    and takes all that is left of the file, whether the program reads it or not: `read` finds nothing more,
    and the loop ends after the first line without an error.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    while read -r config; do
      srun python evaluate.py --config "$config"  # finding here
    done < configs.txt
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    while read -r config; do
      srun python evaluate.py --config "$config" </dev/null
    done < configs.txt
    ```

    ## Fix
    The step gets an empty standard input.

    ## What it can't know
    Nothing is reported of steps in the background, whose input bash empties itself, nor of those with
    `--input` or a redirection of their own, nor of a loop that has one line to read (`head -n 1 FILE | ...`).

    ## References
    - srun(1), `--input`: "By default, standard input is broadcast to all tasks"
    - tried with Slurm 22.05.8: one of three lines ran
    """

    code = "SB363"
    name = "srun-reads-loop-input"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for loop in loops_that_srun_starves(job):
            fix = None
            if loop.end is not None:
                fix = Fix.safe("give srun an empty input", Edit(loop.end, " </dev/null"))
            yield self.finding(
                loop.srun,
                "srun reads the rest of the loop's input: the loop ends after its first line",
                related=[Related(loop.read, "this reads the same input")],
                help="srun ... </dev/null",
                fix=fix,
            )
