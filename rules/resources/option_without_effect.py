"""SB215 option-without-effect."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Complaint,
    ComplaintKind,
    Finding,
    Job,
    Related,
    Rule,
    Severity,
    complaints,
    release_range,
)

_KINDS = (
    ComplaintKind.OPTION_WITHOUT_EFFECT,
    ComplaintKind.VALUE_DROPPED,
    ComplaintKind.TASKS_BY_GPUS,
)


class OptionWithoutEffect(Rule):
    """An option, or a part of its value, has no effect.

    ## Why
    Slurm passes over some things without a word: `--hint` beside `--threads-per-core`, a limit of tasks that
    run at once in an array that is no number (`--array=1-5%x`), a task count beside `--ntasks-per-gpu`, which
    counts the tasks itself.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --requeue  # finding here
    #SBATCH --no-requeue
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --no-requeue
    srun hostname
    ```

    ## References
    - Slurm's src/common/slurm_opt.c and src/slurmctld/job_mgr.c
    """

    code = "SB215"
    name = "option-without-effect"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, *_KINDS):
            assert complaint.span is not None
            name = f"--{complaint.options[0]}"
            if "container-" in name:
                continue  # SB101 has its say
            part = "a part of the value of " if complaint.kind is ComplaintKind.VALUE_DROPPED else ""
            yield self.finding(
                complaint.span,
                f"{part}{name} has no effect{_when(job, complaint)}",
                label=complaint.detail,
                related=[Related(span, "because of this") for span in complaint.related],
                help="take it out, or say what is meant",
            )


def _when(job: Job, complaint: Complaint) -> str:
    if job.verdict.everywhere(complaint):
        return ""
    return f" in Slurm {release_range(complaint.releases, job.verdict.asked)}"
