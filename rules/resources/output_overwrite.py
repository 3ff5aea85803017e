"""SB232 output-overwrite."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, OptionUse, Rule, Severity


class OutputOverwrite(Rule):
    """The log has the same name in every run, and each run cuts off what the last one wrote.

    ## Why
    Slurm opens the file of `--output` anew for each job.  The log of the run before is gone when the next
    begins, and two that run at the same time write over each other.  A run on many GPUs whose log says why it
    ended is expensive to repeat.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gpus-per-node=8
    #SBATCH --output=train.log  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gpus-per-node=8
    #SBATCH --output=train-%j.log
    srun python train.py
    ```

    ## Fix
    `-%j` is put before the suffix.  Whoever reads the log by its old name would not find it, so the fix is
    unsafe, and there is none where the script itself names the file.

    ## What it can't know
    Whether the last log is all that is ever wanted.  Only jobs with GPUs or on several nodes are reported, no
    array (SB217) and none that appends.

    ## References
    - sbatch(1), "filename pattern" and `--open-mode`
    """

    code = "SB232"
    name = "output-overwrite"
    severity = Severity.INFO
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        request = job.request
        large = request.asks_for_gpus or (request.nodes is not None and request.nodes.value > 1)
        if not large or request.get("array") is not None or request.get("open-mode") is not None:
            return
        use, pattern = request.get("output"), request.output
        if use is None or use.value_span is None or pattern is None or pattern.is_null:
            return
        value = use.value or ""
        if any(char in value for char in "%$`~\\{<") or value.startswith("/dev/"):
            return
        yield self.finding(
            use.value_span,
            f"the next run of this job overwrites {value}",
            label="the same name for each job",
            help="put %j, the job's id, into the name",
            fix=_fix(job, use, value),
        )


def _fix(job: Job, use: OptionUse, value: str) -> Fix | None:
    assert use.value_span is not None
    folder, slash, name = value.rpartition("/")
    uses = re.findall(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", job.source.text)
    if job.source.slice(use.value_span) != value or len(uses) > 1:
        return None
    stem, dot, suffix = name.rpartition(".")
    wanted = f"{folder}{slash}{stem}-%j{dot}{suffix}" if stem else f"{value}-%j"
    return Fix.unsafe(f"write {wanted}", Edit(use.value_span, wanted))
