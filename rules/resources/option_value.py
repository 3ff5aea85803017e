"""SB209 option-value."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint_rules.resources._refused import refused_value

from sbatchlint.api import (
    Complaint,
    ComplaintKind,
    Finding,
    Job,
    OptionUse,
    Rule,
    Severity,
    Stage,
    complaints,
    is_given_when_submitted,
    use_of,
)

_OF_OTHER_RULES = frozenset(
    "duration duration_min memory array gres gpu_count gpus_per_task tres tres_bind licenses".split()
)


class OptionValue(Rule):
    """A value that Slurm refuses.

    ## Why
    sbatch reads the value of every option before it submits, that of one that is overridden further down too,
    and the first that it can't read ends it: "sbatch: error: "abc" is not a valid node count", "Invalid
    --mail-type specification".  `sbatchlint option NAME` shows what an option takes.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=two  # finding here
    #SBATCH --mail-type=END|FAIL  # finding here
    #SBATCH --exclusive=yes  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --mail-type=END,FAIL
    #SBATCH --exclusive
    srun hostname
    ```

    ## What it can't know
    Names that only the cluster knows, of partitions, accounts, nodes or features: a cluster profile tells.  A
    0 that the controller alone refuses (`--nodes=0`) may stand for a number that comes on sbatch's command
    line: that is a warning, unless `--sbatch-args` tells the command line.

    ## References
    - sbatch(1); Slurm's src/common/proc_args.c and slurm_opt.c
    """

    code = "SB209"
    name = "option-value"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, ComplaintKind.BAD_VALUE, ComplaintKind.TOO_LONG):
            use = use_of(job, complaint)
            if use is None or use.spec.value in _OF_OTHER_RULES or use.spec.plugin == "pyxis":
                continue
            yield refused_value(
                self,
                job,
                complaint,
                use,
                help=f"`sbatchlint option --{use.spec.long}` shows what it takes",
                severity=_lowered(job, complaint, use),
            )


def _lowered(job: Job, complaint: Complaint, use: OptionUse) -> Severity | None:
    """None where the complaint's own severity stands."""
    if not _is_stand_in(job, complaint, use):
        return None
    return Severity.INFO if is_given_when_submitted(job, use) else Severity.WARNING


def _is_stand_in(job: Job, complaint: Complaint, use: OptionUse) -> bool:
    """Tell whether a value only holds the place of one that the command line gives, as sbatch allows."""
    return complaint.stage is Stage.CONTROLLER and use.value == "0" and not job.options.sbatch_args
