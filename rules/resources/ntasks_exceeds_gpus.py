"""SB230 ntasks-exceeds-gpus."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sbatchlint.api import (
    Certainty,
    Crowd,
    Finding,
    FrameworkName,
    Job,
    LaunchClass,
    LayerKind,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    mentions,
    most_tasks_on_a_node,
    recognise,
    regex,
)

_DEVICES = regex(r"(?:--|\+{0,2}trainer\.|--trainer\.)(?:devices|gpus)")
_LOCAL_RANK = regex(r"\$\{?SLURM_LOCALID\}?")
_SHARES = ("CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "nvidia-cuda-mps-control", "mps")


class NtasksExceedsGpus(Rule):
    """A program that takes one GPU per task is started more often on a node than that has GPUs.

    ## Why
    Each task takes the GPU of its number on the node.  The tasks without one end with "CUDA error: invalid
    device ordinal" or "You requested gpu: [0, 1] But your machine only has: [0]", or two share one and NCCL
    ends with "Duplicate GPU detected"; the others wait for them.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=2  # finding here
    #SBATCH --gres=gpu:a40:1
    srun python fit.py --accelerator gpu --devices 2
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=2
    #SBATCH --gres=gpu:a40:2
    srun python fit.py --accelerator gpu --devices 2
    ```

    ## What it can't know
    How a program of your own takes its GPU.  Only three kinds are reported: scripts of Megatron-Bridge that
    read their rank from srun, those of Megatron-LM with `LOCAL_RANK=$SLURM_LOCALID`, and programs that are
    told a number of devices which is the number of tasks per node.  A script that speaks of MPS shares its
    GPUs on purpose.

    ## References
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/training/initialize.py
    - https://github.com/Lightning-AI/pytorch-lightning/issues/6169
    """

    code = "SB230"
    name = "ntasks-exceeds-gpus"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        if mentions(job, *_SHARES):
            return
        seen: set[Span] = set()
        for step in job.plan.steps:
            crowd, gpus = most_tasks_on_a_node(step.geometry), step.geometry.gpus_per_node
            if crowd is None or step.span in seen:
                continue
            if gpus is None:
                found = self._too_many_in_all(job, step, crowd)
                if found is not None:
                    seen.add(step.span)
                    yield found
                continue
            if not 0 < gpus.value < crowd.number:
                continue
            why = next(filter(None, (_takes_one_each(one, step, crowd) for one in step.programs)), None)
            if why is not None:
                seen.add(step.span)
                yield self._report(step, crowd, gpus.value, gpus.spans, why, gpus.certainty)

    def _too_many_in_all(self, job: Job, step: Step, crowd: Crowd) -> Finding | None:
        """Compare with ``--gpus``, which does not say how many of them a node has."""
        tasks, total = step.geometry.tasks, job.request.gpus
        own = any(step.get(name) is not None for name in ("gpus", "gpus-per-task", "gres"))
        if tasks is None or total is None or own or job.request.hetjob or not 0 < total.value < tasks.value:
            return None
        why = next(filter(None, (_takes_one_each(one, step, crowd) for one in step.programs)), None)
        if why is None:
            return None
        sure = max(tasks.certainty, total.certainty) is Certainty.KNOWN
        sure = sure and not step.doubtful
        place = tasks.spans[0] if tasks.spans else step.span
        return self.finding(
            place,
            f"{tasks.value} tasks take one GPU each, and the job has {total.value} in all",
            label=f"{tasks.value} tasks",
            related=[Related(span, f"{total.value} GPUs for all nodes") for span in total.spans[:1]],
            help="ask for the GPUs of each node: --gpus-per-node",
            notes=[why],
            severity=Severity.ERROR if sure else Severity.WARNING,
        )

    def _report(
        self,
        step: Step,
        crowd: Crowd,
        gpus: int,
        spans: tuple[Span, ...],
        why: str,
        certainty: Certainty,
    ) -> Finding:
        sure = max(certainty, crowd.certainty) is Certainty.KNOWN and not step.doubtful
        place = crowd.spans[0] if crowd.spans else step.span
        have = "GPU" if gpus == 1 else "GPUs"
        return self.finding(
            place,
            f"{crowd.number} tasks on a node take one GPU each, and it has {gpus}",
            label=f"{crowd.number} tasks per node",
            related=[
                *(Related(span, f"{gpus} {have} per node") for span in spans[:1]),
                *([Related(step.span, why)] if step.span != place else []),
            ],
            help="ask for as many GPUs as tasks on each node, or start fewer tasks",
            notes=[why] if step.span == place else [],
            severity=Severity.ERROR if sure else Severity.WARNING,
        )


def _takes_one_each(program: Program, step: Step, crowd: Crowd) -> str | None:
    """Why each task is sure to want a GPU of its own."""
    if program.launchers or program.code_incomplete or (program.conditional and not step.conditional):
        return None
    if any(layer.kind is LayerKind.CONTAINER for layer in program.layers):
        return None
    if "CUDA_VISIBLE_DEVICES" in program.environment:
        return None
    framework = recognise(program)
    if framework.is_native_bridge and framework.launch is LaunchClass.NATIVE:
        return framework.why
    local = program.environment.get("LOCAL_RANK")
    megatron = framework.name is FrameworkName.MEGATRON_LM and framework.by_script
    if megatron and local is not None and _LOCAL_RANK.fullmatch(local.show()):
        return f"{framework.why}, and takes the GPU of LOCAL_RANK"
    words = [argument.value.text or "" for argument in program.arguments]
    for name, value in (*(word.partition("=")[::2] for word in words), *pairwise(words)):
        several = name.endswith("gpus") and not _is_one_node(step)  # it may count those of all nodes
        if _DEVICES.fullmatch(name) and not several and value == str(crowd.number):
            return f"the program is told {name}={value}"
    return None


def _is_one_node(step: Step) -> bool:
    return step.geometry.nodes is not None and step.geometry.nodes.value == 1
