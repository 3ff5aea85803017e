"""SB217 array-output-collision."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, JobRequest, OptionUse, Rule, Severity

_FILES = ("output", "error")


class ArrayOutputCollision(Rule):
    """All tasks of a job array write to the same file.

    ## Why
    Each task of an array is a job of its own, and each opens the file of `--output` anew and cuts it to
    nothing: what the others wrote is lost or mixed up.  `%A_%a` in the name (the array's id and the task's
    index), or `%j` (each task's own id), keeps them apart.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --array=0-9
    #SBATCH --output=logs/run.out  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --array=0-9
    #SBATCH --output=logs/run_%A_%a.out
    srun hostname
    ```

    ## Fix
    `%A_%a`, or what of it is missing, is put before the suffix.

    ## References
    - sbatch(1), "filename pattern" and "Job Array Support"
    """

    code = "SB217"
    name = "array-output-collision"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for request in job.request.components:
            array, mode = request.array, request.get("open-mode")
            several = array is not None and array.count() > 1
            if not several or (mode is not None and (mode.value or "").lower().startswith("a")):
                continue
            for name, pattern in (("output", request.output), ("error", request.error)):
                use = request.get(name)
                if use is None or use.value_span is None or pattern is None or pattern.is_null:
                    continue
                if pattern.is_the_same_for_all_tasks() and not pattern.unknown:
                    yield self._report(request, use)

    def _report(self, request: JobRequest, use: OptionUse) -> Finding:
        assert use.value_span is not None and request.array is not None
        return self.finding(
            use.value_span,
            f"all {request.array.count()} tasks of the array write to {use.value}",
            label="no %a and no %j in it",
            help="put %A_%a into the name",
            fix=_fix(use),
        )


def _fix(use: OptionUse) -> Fix | None:
    value = use.value or ""
    assert use.value_span is not None
    if len(value) != len(use.value_span) or "\\" in value:
        return None
    name = re.fullmatch(r"(?P<stem>.*?[^/.])(?P<suffix>\.[A-Za-z]+)?", value)
    if name is None:
        return None
    added = "_%a" if "%A" in value else "_%A_%a"
    wanted = f"{name['stem']}{added}{name['suffix'] or ''}"
    return Fix.safe(f"write {wanted}", Edit(use.value_span, wanted))
