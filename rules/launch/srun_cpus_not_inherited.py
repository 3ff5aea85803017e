"""SB350 srun-cpus-not-inherited."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Step,
    add_to_srun,
    does_work,
    parse_release,
)

_DEAF = ((22, 5), (23, 2))
"""Releases whose srun does not read SLURM_CPUS_PER_TASK."""
_OWN = ("cpus-per-task", "cpus-per-gpu", "overcommit", "multi-prog", "het-group")
_SIZES = ("ntasks", "ntasks-per-node", "nodes")


class SrunCpusNotInherited(Rule):
    """srun does not take over the job's `--cpus-per-task` in this release of Slurm.

    ## Why
    In Slurm 22.05 and 23.02 srun no longer reads `SLURM_CPUS_PER_TASK`.  A step whose line has no `-c` of its
    own asks for one CPU a task: where tasks are bound to their CPUs, the threads and data loaders of a task
    share one core, and training is several times slower without any message.  Releases before and after pass
    it on.

    ## Example
    ```toml cluster
    release = "23.02"
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    #SBATCH --cpus-per-task=10
    export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
    srun ./analysis.x  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    #SBATCH --cpus-per-task=10
    export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
    srun --cpus-per-task=$SLURM_CPUS_PER_TASK ./analysis.x
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=2
    #SBATCH -c 8
    srun -n2 --label python preprocess.py  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=2
    #SBATCH -c 8
    export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
    srun -n2 --label python preprocess.py
    srun python train.py
    ```

    ## Fix
    `--cpus-per-task=$SLURM_CPUS_PER_TASK` behind srun, which is harmless in every other release.  It is
    unsafe where the line changes the number of tasks: so many CPUs may then not be there.

    ## What it can't know
    Without a release (`--slurm-version` or a cluster profile) nothing is reported.  Where the site does not
    bind tasks, a step with the node to itself has all CPUs anyway.

    ## References
    - Slurm 22.05, RELEASE_NOTES: "srun will no longer read in SLURM_CPUS_PER_TASK"
    - Slurm 23.11, RELEASE_NOTES: it does again
    - https://github.com/NOAA-EMC/global-workflow/issues/2044
    """

    code = "SB350"
    name = "srun-cpus-not-inherited"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        cpus = job.request.cpus_per_task
        use = job.request.get("cpus-per-task")
        if parse_release(job.release) not in _DEAF or cpus is None or cpus.value < 2 or use is None:
            return
        if "SRUN_CPUS_PER_TASK" in job.source.text:
            return
        steps = {step.span: step for step in job.plan.steps if _is_deaf(step)}
        if not steps:
            return
        first, *others = sorted(steps)
        related = [Related(span, "nor does this one") for span in others]
        if use.span is not None:
            related.append(Related(use.span, "asked for here"))
        yield self.finding(
            first,
            f"srun does not take over --cpus-per-task={cpus.value}: in Slurm {job.release} a task gets 1 CPU",
            related=related,
            help="give srun --cpus-per-task=$SLURM_CPUS_PER_TASK, or export SRUN_CPUS_PER_TASK",
            fix=_fix(job, list(steps.values())),
        )


def _is_deaf(step: Step) -> bool:
    """Whether the step has neither CPUs of its own nor a binding that lets it use them all."""
    if step.nested or not step.options_complete or not does_work(step):
        return False
    if any(step.effective(name) is not None for name in _OWN):
        return False
    bind = step.effective("cpu-bind")
    text = bind.value.text if bind is not None and bind.value is not None else ""
    return bind is None or (text is not None and not {"no", "none"} & set(text.split(",")))


def _fix(job: Job, steps: list[Step]) -> Fix | None:
    """Name the CPUs on each line, where each srun is written as a plain command."""
    edits = []
    for step in steps:
        edit = add_to_srun(job, step, "--cpus-per-task=$SLURM_CPUS_PER_TASK")
        if edit is None or step.span not in step.line_span:
            return None
        edits.append(edit)
    resized = any(step.get(name) is not None for step in steps for name in _SIZES)
    make = Fix.unsafe if resized else Fix.safe
    return make("hand the job's --cpus-per-task on to srun", *edits)
