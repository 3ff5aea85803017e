"""SB201 gpu-request-missing."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Finding,
    Fix,
    Fixable,
    GpuNeed,
    Job,
    Related,
    Rule,
    Severity,
    add_directive,
    allocates_without_gpus,
    asks_for_gpus,
    gpu_need,
    is_probe,
    meant_for_cpus,
    unasked_gpus,
)

_SIZES = ("nodes", "ntasks", "ntasks-per-node", "cpus-per-task", "mem", "mem-per-cpu")


class GpuRequestMissing(Rule):
    """A program needs GPUs and the job asks for none.

    ## Why
    On a cluster that counts its GPUs, a job gets those that it asks for and sees no others, not even on a
    node that is full of them.  Without `--gpus-per-node`, `--gres=gpu:...` or the like torchrun's processes
    end with "No CUDA GPUs are available" or "invalid device ordinal", after the wait in the queue.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --cpus-per-task=64
    #SBATCH --time=04:00:00
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    CMD="torchrun --nnodes=2 --nproc_per_node=8"  # finding here
    srun bash -c "$CMD --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29400 --rdzv_id=$SLURM_JOB_ID train.py"
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --cpus-per-task=64
    #SBATCH --time=04:00:00
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    CMD="torchrun --nnodes=2 --nproc_per_node=8"
    srun bash -c "$CMD --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29400 --rdzv_id=$SLURM_JOB_ID train.py"
    ```

    A program that is told to use one:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks=1
    #SBATCH --mem=32G
    srun python train.py --device cuda  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks=1
    #SBATCH --mem=32G
    #SBATCH --gres=gpu:1
    srun python train.py --device cuda
    ```

    ## Fix
    An unsafe one, where the number is told: `--gpus-per-node` with as many GPUs as the launcher starts
    processes or as there are tasks on each node.  It changes what the job is given and what it costs.

    ## What it can't know
    Options on sbatch's command line or in `SBATCH_*` variables, so it is never more than a warning.  Some
    clusters do not count GPUs: whoever has the node has them all.  Nothing is reported for jobs that take
    whole nodes (`--exclusive`, `--mem=0`) or that give no size at all, and only a remark where a partition,
    feature or account is named after GPUs.  Programs told to use CPUs (`--cpu`, gloo,
    `CUDA_VISIBLE_DEVICES=""`, a partition called cpu, `--gpus-per-node=0`) are passed over.

    ## References
    - sbatch(1): `--gpus-per-node`, `--gres`; https://slurm.schedmd.com/gres.html
    - torch/distributed/run.py (`determine_local_world_size`)
    - https://apptainer.org/docs/user/main/gpu.html
    """

    code = "SB201"
    name = "gpu-request-missing"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        if job.interactive:
            yield from self._typed_lines(job)
        if self._may_ask_elsewhere(job):
            return
        needs = list(_needs(job))
        plausible = list(unasked_gpus(job))
        if not needs or any(hint in ("--exclusive", "--mem=0") for hint in plausible):
            return
        first, *others = needs
        weak = plausible[0] if plausible else ""
        each = first.each_node
        request = f"--gpus-per-node={each}" if each else "--gpus-per-node=<number>"
        edit = add_directive(job, request) if each and not job.interactive else None
        yield self.finding(
            first.span,
            f"no GPU is asked for: {first.what} may find none",
            label="needs GPUs",
            related=[Related(other.span, f"so does {other.what}") for other in others[:3]],
            help=f"give salloc {request}"
            if job.interactive
            else f"add #SBATCH {request} (or --gres=gpu:...)",
            notes=(f"unless {weak} brings GPUs without being asked",) if weak else (),
            fix=Fix.unsafe(f"add #SBATCH {request}", edit) if edit else None,
            severity=Severity.INFO if weak else Severity.WARNING,
            confidence=Confidence.LOW if weak else Confidence.MEDIUM,
        )

    def _typed_lines(self, job: Job) -> Iterator[Finding]:
        """Lines of srun that ask for jobs of their own; none where a salloc may have got one before."""
        if any(submission.command == "salloc" for submission in job.plan.submissions):
            return
        for step in job.plan.steps:
            needs = (gpu_need(program, step) for program in step.programs if not program.conditional)
            need = next(filter(None, needs), None)
            if need is None or step.doubtful or not allocates_without_gpus(step) or is_probe(job, need):
                continue
            yield self.finding(
                need.span,
                f"no GPU is asked for: {need.what} may find none",
                label="needs GPUs",
                related=[]
                if step.span.overlaps(need.span)
                else [Related(step.span, "asks for a job of its own")],
                help=f"give srun --gpus-per-node={need.each_node or '<number>'}",
                confidence=Confidence.MEDIUM,
            )

    @staticmethod
    def _may_ask_elsewhere(job: Job) -> bool:
        """Whether GPUs are asked for, or whether the script leaves its size to the command line."""
        components = job.request.components
        if any(component.asks_for_gpus for component in components) or meant_for_cpus(job):
            return True
        if all(component.get(name) is None for component in components for name in _SIZES):
            return True
        return any(asks_for_gpus(step) for step in job.plan.steps)


def _needs(job: Job) -> Iterator[GpuNeed]:
    """What is sure to be started and needs GPUs, each place once."""
    seen = set()
    for step, program in job.plan.programs():
        if program.conditional or (step is not None and step.conditional):
            continue
        need = gpu_need(program, step)
        if need is not None and need.span not in seen and not is_probe(job, need):
            seen.add(need.span)
            yield need
