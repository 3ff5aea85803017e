"""SB339 srun-mem-exclusive."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Confidence, Finding, Job, Related, Rule, Severity, Span

_MEMORY = ("mem", "mem-per-cpu", "mem-per-gpu")


class SrunMemExclusive(Rule):
    """An srun line asks for memory in two ways that exclude each other.

    ## Why
    "srun: fatal: --mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive." srun starts nothing, and
    without `set -e` the script goes on to its end.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=4
    srun --mem=32G --mem-per-cpu=4G hostname  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=4
    srun --mem-per-cpu=4G hostname
    ```

    ## What it can't know
    One option on the line is stronger than another one of the job's, and is not reported: Slurm compares only
    what stands on one line.  For two directives see SB206.

    ## References
    - Slurm's src/common/slurm_opt.c (`_validate_memory_options`)
    """

    code = "SB339"
    name = "srun-mem-exclusive"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            uses = [use for use in map(step.get, _MEMORY) if use is not None and use.certain]
            span = uses[0].arg.place if uses else None
            if len(uses) < 2 or span is None or span in seen:
                continue
            seen.add(span)
            others = [(use.arg.place, use.name) for use in uses[1:]]
            sure = not step.doubtful
            names = " and ".join(f"--{use.name}" for use in uses)
            yield self.finding(
                span,
                f"srun starts nothing: {names} exclude each other",
                label="one of them",
                related=[Related(place, f"and --{name}") for place, name in others if place is not None],
                help="keep one of them",
                severity=Severity.ERROR if sure else Severity.WARNING,
                confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
            )
