"""SB354 pipe-hides-exit."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    HidingPipe,
    Job,
    PipeInTask,
    Related,
    Rule,
    Severity,
    Span,
    hiding_pipes,
    pipes_in_tasks,
    runs_in_bash,
)

_ORDER = frozenset("sort uniq wc column nl".split())
"""What short listings of every task are piped into, and no training."""


class PipeHidesExit(Rule):
    """The program's exit status is lost in a pipe: that of `tee` counts.

    ## Why
    The status of `srun ... | tee log` is that of `tee`, which succeeds whatever becomes of the training: the
    job ends as COMPLETED, `set -e` doesn't stop the script, and no FAIL mail is sent.  Behind `| grep` a good
    run ends as FAILED when no line matches.  `set -o pipefail` makes the pipe fail where any part of it
    fails.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python fit.py 2>&1 | tee "fit_$SLURM_JOB_ID.log"  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    set -o pipefail
    srun python fit.py 2>&1 | tee "fit_$SLURM_JOB_ID.log"
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    set -e
    srun python train.py | tee train.log  # finding here
    srun python evaluate.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    set -e
    set -o pipefail
    srun python train.py | tee train.log
    srun python evaluate.py
    ```

    A pipe inside the command of a step does the same to each of its tasks.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=4
    #SBATCH --gpus=4
    srun bash -c "python fit.py 2>&1 | tee fit.log"  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=4
    #SBATCH --gpus=4
    srun bash -c "set -o pipefail; python fit.py 2>&1 | tee fit.log"
    ```

    ## Fix
    `set -o pipefail` before the pipe.  It is safe where the pipe is the script's last command; before other
    commands it may stop the script at a pipe whose status nobody has looked at so far.

    ## What it can't know
    Whether a file that the script sources, and that does not stand beside it, switches `pipefail` on: that
    gives medium confidence, unless it is one of an environment, a login or a module system.  Nor whether the
    next round of a loop is meant to start although this one has failed, as with trials: in loops `set -e`
    alone gives medium confidence.  A program whose output is sorted or counted is likely to be a listing that
    nobody waits for: that gives medium confidence, too, as do more commands behind a pipe in the command of a
    step, which decide how it ends.

    ## References
    - bash(1), "The return status of a pipeline is the exit status of the last command, unless the pipefail
      option is enabled."
    """

    code = "SB354"
    name = "pipe-hides-exit"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for pipe in hiding_pipes(job):
            fix = _fix(job, pipe)
            unsure = pipe.in_round or pipe.file_decides or pipe.name in _ORDER
            yield self.finding(
                pipe.work,
                _message(job, pipe),
                related=[Related(pipe.last, f"the status is that of {pipe.name}")],
                help="put `set -o pipefail` before it" if runs_in_bash(job) else "use bash and its pipefail",
                fix=fix,
                confidence=Confidence.MEDIUM if unsure else Confidence.HIGH,
            )
        for piped in pipes_in_tasks(job):
            yield self._in_task(piped)

    def _in_task(self, piped: PipeInTask) -> Finding:
        related = [Related(piped.work, "how this ends is forgotten")]
        if piped.behind is None:
            return self.finding(
                piped.tee,
                f"the step ends as tee ends, not as {piped.name} has ended",
                related=related,
                help="write `set -o pipefail;` into the command, or pipe srun itself",
            )
        if piped.asked:
            return self.finding(
                piped.tee,
                f"$? is the status of tee, not of {piped.name}",
                related=[*related, Related(piped.behind, "asked for here")],
                help="write `set -o pipefail;` into the command",
            )
        return self.finding(
            piped.tee,
            f"each task goes on behind this pipe, however {piped.name} has ended",
            related=[*related, Related(piped.behind, "the task ends as what follows here")],
            help="write `set -eo pipefail;` into the command",
            confidence=Confidence.MEDIUM,
        )


def _message(job: Job, pipe: HidingPipe) -> str:
    work = job.source.slice(pipe.work).split()[0]
    if pipe.last_statement:
        return f"the job ends as {pipe.name} ends, not as {work} has ended"
    if pipe.alternative:
        return f"what follows || is not done where {work} fails: {pipe.name} decides"
    if pipe.errexit:
        return f"`set -e` does not stop the script where {work} fails: {pipe.name} decides"
    return f"$? is the status of {pipe.name}, not of {work}"


def _fix(job: Job, pipe: HidingPipe) -> Fix | None:
    start = job.source.line_around(pipe.span.start).start
    indent = job.source.text[start : pipe.span.start]
    if indent.strip() or not runs_in_bash(job):
        return None
    edit = Edit(Span(start, start), f"{indent}set -o pipefail\n")
    make = Fix.safe if pipe.last_statement and not pipe.errexit else Fix.unsafe
    return make("let the pipe fail where its program fails", edit)
