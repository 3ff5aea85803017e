"""SB333 mpi-type-missing."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Confidence, Finding, Fix, Fixable, Job, Program, Rule, Severity, add_to_srun, regex

_NEEDS_MPI = regex(r"trtllm-llmapi-launch|trtllm-bench|mpi4py|_mpi\b|\bmpi_|all_reduce_perf|alltoall_perf")
_NOTHING = ("", "none", "openmpi")
"""What `MpiDefault` may say without giving a program its ranks."""


class MpiTypeMissing(Rule):
    r"""An MPI program in a container is started by srun without `--mpi`.

    ## Why
    srun hands an MPI program its ranks by a plugin, and which one is the site's default: often `none`.  Open
    MPI then stops with "The application appears to have been direct launched using srun, but OMPI was not
    built with SLURM's PMI support", or every task is rank 0 of 1.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    #SBATCH --gpus-per-node=4
    srun --container-image=/images/trtllm.sqsh --no-container-mount-home \  # finding here
        trtllm-llmapi-launch python -m serve
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    #SBATCH --gpus-per-node=4
    srun --mpi=pmix --container-image=/images/trtllm.sqsh --no-container-mount-home \
        trtllm-llmapi-launch python -m serve
    ```

    ## Fix
    `--mpi=pmix`, which the MPI of the common images needs; unsafe, as `srun --mpi=list` must have it.

    ## What it can't know
    The site's default: with a cluster profile that names one (`mpi_default`) nothing is reported.  Only
    programs that are known to need MPI are looked at.

    ## References
    - srun(1), `--mpi`
    - https://github.com/ai-dynamo/dynamo/pull/5948
    """

    code = "SB333"
    name = "mpi-type-missing"
    severity = Severity.INFO
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        if job.cluster is not None and (job.cluster.settings.mpi_default or "") not in _NOTHING:
            return
        for step in job.plan.steps:
            tasks = step.geometry.tasks
            if step.container is None or step.effective("mpi") is not None or not step.options_complete:
                continue
            program = next((one for one in step.programs if _needs_mpi(one)), None)
            if program is None or (tasks is not None and tasks.value < 2):
                continue
            edit = add_to_srun(job, step, "--mpi=pmix")
            yield self.finding(
                step.span,
                "an MPI program is started without --mpi: the site's default may give it no ranks",
                label="without --mpi",
                help="name the plugin (srun --mpi=list tells which there are): --mpi=pmix",
                fix=Fix.unsafe("name the plugin", edit) if edit is not None else None,
                confidence=Confidence.MEDIUM,
            )


def _needs_mpi(program: Program) -> bool:
    wrappers = " ".join(layer.name for layer in program.layers)
    words = " ".join((wrappers, *(word.value.show() for word in program.words)))
    return not program.launchers and bool(_NEEDS_MPI.search(words))
