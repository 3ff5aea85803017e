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
    in_releases,
)

_KINDS = (
    ComplaintKind.OPTION_WITHOUT_EFFECT,
    ComplaintKind.VALUE_DROPPED,
    ComplaintKind.VALUE_MISTAKEN,
    ComplaintKind.TASKS_BY_GPUS,
)


class OptionWithoutEffect(Rule):
    """An option, or a part of its value, has no effect.

    ## Why
    Slurm passes over some things without a word: `--hint` beside `--threads-per-core`, a limit of tasks that
    run at once in an array that is no number (`--array=1-5%x`), a task count beside `--ntasks-per-gpu`, which
    counts the tasks itself.  Others are taken otherwise than they look: `--nice=high` is `--nice=0`.

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
            if complaint.kind is ComplaintKind.VALUE_MISTAKEN:
                yield self._mistaken(job, complaint)
                continue
            dropped = complaint.kind is ComplaintKind.VALUE_DROPPED
            yield self.finding(
                complaint.span,
                f"a part of {_title(job, complaint)}" if dropped else _title(job, complaint),
                label="dropped" if dropped else "without effect",
                related=[Related(span, "because of this") for span in complaint.related],
                help="take out the one of the two that is not meant"
                if complaint.related and not dropped
                else "take it out, or say what is meant",
            )

    def _mistaken(self, job: Job, complaint: Complaint) -> Finding:
        assert complaint.span is not None
        written = job.source.slice(complaint.span)
        null = "/dev/null" in complaint.detail
        return self.finding(
            complaint.span,
            f"{written} does not do what it says{in_releases(job, complaint)}: {complaint.detail}",
            label="taken otherwise",
            help="write /dev/null if that is meant" if null else "write what is meant",
            severity=Severity.INFO if _may_be_meant(complaint) else None,
        )


def _may_be_meant(complaint: Complaint) -> bool:
    """Whether somebody who knows Slurm may want it so."""
    return complaint.options[0] in ("output", "error", "time") and "fails" not in complaint.detail


def _title(job: Job, complaint: Complaint) -> str:
    """``--hint has no effect beside --threads-per-core``, with the releases where not all do so."""
    nothing = f"--{complaint.options[0]} has no effect"
    why = complaint.detail.removeprefix(f"{nothing} ")
    parted = ": " if why == complaint.detail else " "
    return f"{nothing}{in_releases(job, complaint)}" + (f"{parted}{why}" if why else "")
