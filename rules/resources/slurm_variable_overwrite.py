"""SB226 slurm-variable-overwrite."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Finding,
    Job,
    Rule,
    Severity,
    Span,
    VariableSetting,
    is_template,
    regex,
    settings_of,
)

_OUTPUTS = frozenset(
    f"SLURM_{name}"
    for name in (
        "NODELIST JOB_NODELIST NNODES TASKS_PER_NODE JOB_CPUS_PER_NODE CPUS_ON_NODE GPUS_ON_NODE JOB_GPUS "
        "STEP_NODELIST STEP_NUM_NODES STEP_NUM_TASKS JOB_PARTITION JOB_ACCOUNT JOB_USER CLUSTER_NAME"
    ).split()
)
_OF_ARRAYS = frozenset(("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_COUNT"))
_COPY = regex(r"\"?\$\{?SLURM_\w+[^}\"]*\}?\"?")


class SlurmVariableOverwrite(Rule):
    """A variable in which Slurm describes the job is given another value.

    ## Why
    srun reads none of these, and sets them anew for the tasks of its step: nothing becomes larger, smaller
    or elsewhere.  What is changed is what the rest of the batch script reads, so that its launcher may expect
    nodes or tasks that the job does not have.  An array whose tasks all set `SLURM_ARRAY_TASK_ID` to the same
    number, often a line left from a trial, does the same work many times.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --gpus-per-node=8
    export SLURM_NNODES=2  # finding here
    srun python train.py --num-nodes $SLURM_NNODES
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gpus-per-node=8
    srun python train.py --num-nodes $SLURM_NNODES
    ```

    ## What it can't know
    Whether a program wants such a variable changed.  Only a plain assignment that every way through the
    script reaches is reported: not one in a branch, a function or a loop, one in front of a single
    command, a default (`${SLURM_NNODES:=1}`), or a copy of another of Slurm's variables.  Variables that
    srun reads as options (`SLURM_NTASKS`, `SLURM_JOB_NUM_NODES`, `SLURM_CPU_BIND`, `SLURM_EXPORT_ENV` and
    more) are meant to be set, and those that differ by task are left alone.

    ## References
    - srun(1), INPUT ENVIRONMENT VARIABLES and OUTPUT ENVIRONMENT VARIABLES
    - Slurm's src/srun/opt.c (`env_vars`)
    """

    code = "SB226"
    name = "slurm-variable-overwrite"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        if is_template(job) or not job.request.uses:
            return
        for setting in settings_of(job):
            if setting.conditional or setting.value is None:
                continue
            of_array = setting.name in _OF_ARRAYS and job.request.get("array") is not None
            if (setting.name in _OUTPUTS or of_array) and not _is_copy(job, setting.value):
                yield self._report(setting, of_array)

    def _report(self, setting: VariableSetting, of_array: bool) -> Finding:
        name = setting.name
        return self.finding(
            setting.span,
            f"every task of the array takes the same {name}"
            if of_array
            else f"srun does not read {name}: setting it changes nothing but this script",
            label="Slurm's own value is lost here",
            help="take the line out"
            if of_array
            else "use a name of your own, or change what the job asks for",
        )


def _is_copy(job: Job, value: Span) -> bool:
    return _COPY.fullmatch(job.source.slice(value)) is not None
