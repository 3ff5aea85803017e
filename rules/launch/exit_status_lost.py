"""SB353 exit-status-lost."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Edit,
    Ending,
    EndingKind,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    hiding_end,
    line_end,
    runs_in_bash,
)

_BESIDE_WORDS = " \t\n;&|()<>`\"'"


class ExitStatusLost(Rule):
    """The job's state is that of a small command behind the training, not that of the training.

    ## Why
    A job ends as its script ends, and the script ends as its last command.  Behind a failed `srun` stands an
    `echo "done"`, which succeeds: `sacct` says COMPLETED with exit code 0:0, no mail of type FAIL is sent,
    jobs that wait with `afterok` start on a checkpoint that is not there.  The other way round,
    `[ -f x ] && rm x` as the last line makes a good run FAILED whenever the test is false.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python fit.py --config large.yaml
    echo "finished at $(date)"  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python fit.py --config large.yaml
    rc=$?
    echo "finished at $(date)"
    exit "$rc"
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun python tune.py
    [ $? -eq 0 ] && mv results.json out/  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun python tune.py
    rc=$?
    if [ "$rc" -eq 0 ]; then mv results.json out/; fi
    exit "$rc"
    ```

    A look into the log:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python fit.py 2>&1 | tee run.log
    echo "losses:"
    grep -E "iteration +" run.log | head -25  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python fit.py 2>&1 | tee run.log
    rc=${PIPESTATUS[0]}
    echo "losses:"
    grep -E "iteration +" run.log | head -25
    exit "$rc"
    ```

    ## Fix
    The status is saved behind the program and given back at the end, where the program is the only one and is
    written as a plain command.

    ## What it can't know
    Whether a file that the script sources, and that does not stand beside it, switches `set -e` on: that
    gives medium confidence, unless it is one of an environment, a login or a module system.  A final `exit 0`
    may be meant: it is told of with medium confidence.  A search for a word that tells of success or failure,
    and a silent one (`grep -q`), may be meant to decide, and is left alone.

    ## References
    - sbatch(1), "the exit code of the job is the exit code of the batch script"
    - bash(1), EXIT STATUS
    """

    code = "SB353"
    name = "exit-status-lost"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        ending = None if job.interactive else hiding_end(job)
        if ending is None:
            return
        always = ending.kind is EndingKind.TEST and not ending.asks_status
        unsure = ending.kind is EndingKind.ZERO or (ending.file_decides and not always)
        yield self.finding(
            ending.span,
            _message(job, ending),
            related=[Related(ending.work, "how this ends is forgotten")],
            help=_help(ending),
            fix=_fix(job, ending),
            confidence=Confidence.MEDIUM if unsure else Confidence.HIGH,
        )


def _help(ending: Ending) -> str:
    if ending.kind is EndingKind.SEARCH and ending.errexit:
        return "put `|| true` behind it"
    return "save the status behind the program (rc=$?) and end with `exit $rc`, or use `set -e`"


def _message(job: Job, ending: Ending) -> str:
    work = _first_word(job, ending.work)
    if ending.kind is EndingKind.SEARCH:
        if ending.errexit:
            return f"the job ends as FAILED where {ending.name} finds nothing, however {work} has ended"
        return f"the job ends as {ending.name} ends, not as {work} has ended"
    if ending.kind is not EndingKind.TEST:
        last = ending.name if ending.name[0].isalpha() else f"`{ending.name}`"
        return f"the job ends as COMPLETED even where {work} has failed: {last} comes last"
    if ending.asks_status:
        return f"the job ends as {ending.name} ends, not as {work} has ended"
    return "the job ends as FAILED where this test is false, however the program has ended"


def _first_word(job: Job, span: Span) -> str:
    """The word as it is written that *span*, which may be a part of it, begins in."""
    text = job.source.text
    start = end = span.start
    while start > 0 and text[start - 1] not in _BESIDE_WORDS:
        start -= 1
    while end < len(text) and text[end] not in _BESIDE_WORDS:
        end += 1
    return text[start:end]


def _fix(job: Job, ending: Ending) -> Fix | None:
    """Save the status behind the only program and give it back at the end."""
    steps = [step for step in job.plan.steps if not step.nested]
    text = job.source.text
    if ending.save_at is None or ending.kind is EndingKind.TEST or len(steps) != 1:
        return None
    if re.search(r"\brc\b", text) or (ending.piped and not runs_in_bash(job)):
        return None
    saved = "${PIPESTATUS[0]}" if ending.piped else "$?"
    edits = [Edit(ending.save_at, f"\nrc={saved}")]
    if ending.kind is EndingKind.ZERO:
        edits.append(Edit(Span(ending.span.end - 1, ending.span.end), '"$rc"'))
    else:
        end = line_end(job, ending.span)
        edits.append(Edit(end, '\nexit "$rc"'))
    return Fix.safe("end as the program has ended", *edits)
