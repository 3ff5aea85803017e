"""SB205 mem-suspicious."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sbatchlint.api import (
    Confidence,
    Finding,
    Job,
    JobRequest,
    Rule,
    Severity,
    Span,
    line_values,
    regex,
    whole_number,
)

_FEW = regex(r"[1-9][0-9]{0,2}")
"""What is below 1000."""
_CPUS = 4
_GPUS = regex(r"gpus(?:-per-\w+)?=(?!0$)|gres=(?:gres[:/])?gpu(?!.*[:=]0$)")


class MemSuspicious(Rule):
    """A memory request without a unit is megabytes, and looks like gigabytes.

    ## Why
    A number without a unit is megabytes.  `--mem=100` gives each node 100 MB, which is not enough to start
    Python with PyTorch: the job ends with "oom_kill event" or "Killed" in its first seconds.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --cpus-per-task=16
    #SBATCH --mem=100  # finding here
    srun python preprocess.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --cpus-per-task=16
    #SBATCH --mem=100G
    srun python preprocess.py
    ```

    So it is on the lines of salloc, sbatch and srun:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    sbatch --gpus-per-node=8 --mem=100 train.sbatch  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    sbatch --gpus-per-node=8 --mem=100G train.sbatch
    ```

    ## What it can't know
    What the program needs.  Only jobs that ask for GPUs or for more than four CPUs a node are looked at, and
    lines of commands that do so themselves.

    ## References
    - sbatch(1), `--mem`
    - https://github.com/RobertsLab/resources/issues/512
    """

    code = "SB205"
    name = "mem-suspicious"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        for request in job.request.components:
            use = request.get("mem")
            value = "" if use is None else use.value or ""
            if use is None or use.value_span is None or not _FEW.fullmatch(value):
                continue
            if _is_large(request) and not _has_unit_behind(job, use.value_span):
                yield self._report(value, use.value_span, known=True)
        for one in line_values(job):
            if one.long == "mem" and _FEW.fullmatch(one.value) and _asks_for_much(one.line_options):
                yield self._report(one.value, one.span, known=one.known)

    def _report(self, value: str, span: Span, *, known: bool) -> Finding:
        return self.finding(
            span,
            f"--mem={value} is {value} MB for each node",
            label="no unit: megabytes",
            help=f"write {value}G for gigabytes, or {value}M if megabytes are meant",
            confidence=Confidence.HIGH if known else Confidence.MEDIUM,
        )


def _asks_for_much(options: Mapping[str, str]) -> bool:
    """Whether the line of a command itself asks for GPUs, or for many CPUs on a node."""
    if any(_GPUS.match(f"{name}={value}") for name, value in options.items()):
        return True
    cpus, tasks = (whole_number(options.get(name, "1")) or 1 for name in ("cpus-per-task", "ntasks-per-node"))
    return cpus * tasks > _CPUS


def _is_large(request: JobRequest) -> bool:
    cpus, tasks = request.cpus_per_task, request.ntasks_per_node
    each_node = (cpus.value if cpus else 1) * (tasks.value if tasks else 1)
    return request.asks_for_gpus or each_node > _CPUS


def _has_unit_behind(job: Job, value: Span) -> bool:
    """Whether a stray word follows, which is most likely the unit: that is SB104's to tell."""
    behind = job.source.text[value.end :].lstrip(" \t\"'")
    return any(behind.startswith(problem.text) for problem in job.request.problems if problem.text)
