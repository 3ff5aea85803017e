"""SB210 gpu-arithmetic."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint_rules.resources._refused import refused

from sbatchlint.api import ComplaintKind, Finding, Job, Rule, Severity, complaints

_KINDS = (
    ComplaintKind.GPU_ARITHMETIC,
    ComplaintKind.MIXED_GPU_TYPES,
    ComplaintKind.TASK_RESOURCES,
)


class GpuArithmetic(Rule):
    """The numbers of GPUs, nodes and tasks do not fit together.

    ## Why
    `--gpus` counts the GPUs of the whole job, `--gpus-per-node` those of each node and `--gpus-per-task`
    those of each task.  Where several are given, Slurm divides one by the other, and refuses the job where
    that leaves a rest, or another number of nodes or tasks than was asked for: "Failed to validate job spec,
    --gpus is not multiple of --gres=gpu/--gpus-per-node".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gpus=8  # finding here
    #SBATCH --gpus-per-node=3
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gpus-per-node=4
    srun hostname
    ```

    ## References
    - Slurm's src/interfaces/gres.c (`gres_job_state_validate`)
    """

    code = "SB210"
    name = "gpu-arithmetic"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, *_KINDS):
            names = " and ".join(f"--{name}" for name in complaint.options)
            yield refused(
                self,
                job,
                complaint,
                f"{names} do not fit together",
                label=complaint.detail,
                other="with this one",
                help="say the number of GPUs in one way: --gpus-per-node where nodes are whole",
            )
