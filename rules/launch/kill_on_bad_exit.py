"""SB360 kill-on-bad-exit."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Finding,
    Fix,
    Fixable,
    FrameworkName,
    Job,
    LaunchClass,
    Program,
    Rule,
    Severity,
    Span,
    Step,
    add_to_srun,
    recognise,
)

_COSTLY_NODE_HOURS = 64


class KillOnBadExit(Rule):
    """A big step goes on where one of its tasks has failed.

    ## Why
    When one task of a step fails, Slurm lets the others run unless `KillOnBadExit` is set for the cluster or
    the step.  A node whose launcher has died leaves the others in a collective until a timeout ends it, if
    any does: after ten minutes with NCCL's watchdog, at the time limit without.  All GPUs are paid for until
    then.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=8
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    #SBATCH --time=2-00:00:00
    HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    LAUNCH="torchrun --nnodes=8 --nproc_per_node=8 --rdzv_id=$SLURM_JOB_ID --rdzv_backend=c10d"
    srun $LAUNCH --rdzv_endpoint=$HEAD:24444 train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=8
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    #SBATCH --time=2-00:00:00
    HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    LAUNCH="torchrun --nnodes=8 --nproc_per_node=8 --rdzv_id=$SLURM_JOB_ID --rdzv_backend=c10d"
    srun --kill-on-bad-exit=1 $LAUNCH --rdzv_endpoint=$HEAD:24444 train.py
    ```

    ## Fix
    `--kill-on-bad-exit=1` behind srun.

    ## What it can't know
    The cluster's `KillOnBadExit`, unless a cluster profile says it.  Only steps of several nodes that may
    cost 64 node hours or more are told of, and of these only such as start launchers of processes, or the
    scripts of Megatron and NeMo by themselves.

    ## References
    - srun(1), `--kill-on-bad-exit`; slurm.conf(5), `KillOnBadExit`
    - https://github.com/goodfire-ai/spd/pull/537
    """

    code = "SB360"
    name = "kill-on-bad-exit"
    severity = Severity.INFO
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        settings = job.cluster.settings if job.cluster is not None else None
        if settings is not None and settings.kill_on_bad_exit:
            return
        limit = job.request.time_limit
        minutes = limit.minutes if limit is not None else None
        seen: set[Span] = set()
        for step in job.plan.steps:
            nodes = step.geometry.nodes
            if nodes is None or nodes.value < 2 or minutes is None or not _may_hang(step):
                continue
            hours = nodes.value * minutes / 60
            if hours < _COSTLY_NODE_HOURS or step.span in seen:
                continue
            seen.add(step.span)
            yield self.finding(
                step.span,
                f"{nodes.value} nodes may wait for a task that has failed, for up to {hours:.0f} node hours",
                help="srun --kill-on-bad-exit=1",
                fix=_fix(job, step),
                confidence=Confidence.HIGH if settings is not None else Confidence.MEDIUM,
            )


def _may_hang(step: Step) -> bool:
    if step.nested or not step.options_complete or step.effective("kill-on-bad-exit") is not None:
        return False
    return any(program.launcher is not None or _is_rank(program) for program in step.programs)


def _is_rank(program: Program) -> bool:
    """Whether it is one of several processes that srun starts and that wait for each other."""
    framework = recognise(program)
    native = framework.launch in (LaunchClass.NATIVE, LaunchClass.ENV_REQUIRED)
    return native or framework.name is FrameworkName.NEMO


def _fix(job: Job, step: Step) -> Fix | None:
    edit = add_to_srun(job, step, "--kill-on-bad-exit=1")
    return Fix.safe("end the step where a task fails", edit) if edit is not None else None
