"""SB302 native-single-task."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    IdleGpus,
    Job,
    OptionUse,
    Related,
    Rule,
    Severity,
    Span,
    TrainingRun,
    add_directive,
    idle_gpus,
    reads_task_count,
    starts_by_slots,
)

_LABEL = "one task per node"
_BY_TASK = ("ntasks", "cpus-per-task", "mem-per-cpu", "gpus-per-task", "ntasks-per-gpu", "tres-per-task")


class NativeSingleTask(Rule):
    r"""A script that takes one GPU per task is started once on each node, and the other GPUs stay idle.

    ## Why
    Megatron-Bridge's training scripts are started by plain srun: each task reads its rank from
    `SLURM_PROCID` and takes one GPU.  With one task per node the world is as large as the number of nodes.
    Seven of eight GPUs on each node are paid for and never used, and most layouts do not fit: "world size
    (2) is not divisible by total_model_size".  One task per node is right for torchrun alone, which is often
    where the line comes from.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1  # finding here
    #SBATCH --gpus-per-node=8
    srun python scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config
    ```

    Slurm's default is one task per node too.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gres=gpu:4
    srun python scripts/training/run_recipe.py \  # finding here
        --recipe llama32_1b_pretrain_config model.tensor_model_parallel_size=4
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gres=gpu:4
    #SBATCH --ntasks-per-node=4
    srun python scripts/training/run_recipe.py \
        --recipe llama32_1b_pretrain_config model.tensor_model_parallel_size=4
    ```

    ## Fix
    As many tasks per node as GPUs, where the job has no other step, the script does not use the number of
    tasks otherwise, and no CPUs or memory are asked for by task.  Where the script does not ask for a number
    of tasks at all, sbatch's command line may: adding the directive is an unsafe fix.

    ## What it can't know
    Only scripts that are known to read Slurm's variables are looked at, by their path in Megatron-Bridge or
    by the recipe that they are given.  A step that asks for one GPU itself (`srun --gpus-per-node=1`), that
    has RANK, WORLD_SIZE or CUDA_VISIBLE_DEVICES set, or that converts or generates with one rank on one node
    is taken to mean it.  One training rank on one node is a warning: it may be a trial.

    ## References
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/training/initialize.py (torch_dist_init)
    - NVIDIA/Megatron-LM@d98e8a64: megatron/core/_rank_utils.py (SLURM_PROCID, SLURM_NTASKS)
    - srun(1), `--ntasks-per-node`
    """

    code = "SB302"
    name = "native-single-task"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for run in job.runs:
            idle = idle_gpus(run)
            if idle is None or idle.step.span in seen:
                continue
            seen.add(idle.step.span)
            yield self._report(job, run, idle)

    def _report(self, job: Job, run: TrainingRun, idle: IdleGpus) -> Finding:
        directive = _directive(idle)
        step, geometry = idle.step, idle.step.geometry
        written = directive.span if directive is not None else None
        alone = all(other.span == step.span for other in job.plan.steps)
        span = written if written is not None and alone else step.span
        action = "set" if alone else "start this step with"
        script = run.framework.script.rsplit("/", 1)[-1]
        related = [Related(step.span, f"starts {script} once on each node: one rank, one GPU")]
        if written is not None:
            related.append(Related(written, _LABEL))
        if geometry.gpus_per_node is not None:
            related += [Related(gpus, f"{idle.gpus} GPUs per node") for gpus in geometry.gpus_per_node.spans]
        sure = idle.certainty is Certainty.KNOWN and not step.conditional
        return self.finding(
            span,
            _message(idle),
            label=_LABEL if span != step.span else related[0].message,
            related=[other for other in related if other.span != span],
            help=f"{action} --ntasks-per-node={idle.gpus}, a task for each GPU",
            notes=_notes(run, idle),
            fix=_fix(job, idle, directive),
            severity=Severity.ERROR if sure else Severity.WARNING,
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )


def _message(idle: IdleGpus) -> str:
    unused = idle.gpus - 1
    stay = "GPU stays" if unused == 1 else "GPUs stay"
    if idle.nodes == 1:
        return f"{unused} {stay} idle: the script runs as one rank"
    return f"{unused} {stay} idle on each of {idle.nodes} nodes: the script runs as {idle.nodes} ranks"


def _notes(run: TrainingRun, idle: IdleGpus) -> list[str]:
    notes = [run.framework.why]
    if idle.nodes % idle.needed:
        notes.append(f"its layout needs a multiple of {idle.needed} ranks: it stops at the start")
    return notes


def _directive(idle: IdleGpus) -> OptionUse | None:
    """The directive that asks for one task per node."""
    decided = idle.step.geometry.tasks_per_node_from
    return decided if isinstance(decided, OptionUse) else None


def _fix(job: Job, idle: IdleGpus, directive: OptionUse | None) -> Fix | None:
    """Ask for a task per GPU, where one task per node serves nothing else."""
    title = "start one task for each GPU"
    if job.plan.incomplete or job.request.hetjob or reads_task_count(job) or starts_by_slots(job):
        return None
    if any(job.request.get(name) is not None for name in _BY_TASK):
        return None
    if any(step.span != idle.step.span for step in job.plan.steps):
        return None
    if idle.step.geometry.tasks_per_node_from is None:
        edit = add_directive(job, f"--ntasks-per-node={idle.gpus}")
        return Fix.unsafe(title, edit) if edit is not None else None
    if directive is None or directive.spec.long != "ntasks-per-node" or directive.value_span is None:
        return None
    edit = Edit(directive.value_span, str(idle.gpus))
    return Fix.safe(title, edit) if idle.certainty is Certainty.KNOWN else Fix.unsafe(title, edit)
