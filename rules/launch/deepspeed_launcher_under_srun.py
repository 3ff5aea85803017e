"""SB313 deepspeed-launcher-under-srun."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sbatchlint.api import (
    Certainty,
    Confidence,
    Finding,
    Job,
    Layer,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    number_of,
)


@dataclass(frozen=True)
class _Use:
    step: Step | None
    program: Program
    layer: Layer

    @property
    def tasks(self) -> int:
        tasks = self.step.geometry.tasks if self.step is not None else None
        return tasks.value if tasks is not None else 1

    @property
    def by_hand(self) -> bool:
        """Whether each node's launcher is told its place, so that it starts nothing elsewhere."""
        return self.layer.get("no-ssh", "node-rank", "no_ssh") is not None

    @property
    def doubtful(self) -> bool:
        step = self.step is not None and self.step.doubtful
        return step or self.program.doubtful or not self.layer.complete


class DeepspeedLauncherUnderSrun(Rule):
    r"""The deepspeed launcher, which reaches the other nodes by ssh itself, is started by srun on each.

    ## Why
    `deepspeed` starts the processes of all nodes in its host file from one place.  Under srun with a task on
    each node every launcher does so: the training runs as often as there are nodes, on the same GPUs and
    ports ("EADDRINUSE", "CUDA out of memory").  Without a host file each launcher sees its own node only,
    and every node trains alone.  `--num_gpus` counts the GPUs of one node, not all.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    srun deepspeed --num_nodes 2 --num_gpus 8 --hostfile hostfile train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 --node_rank=$SLURM_NODEID \
        --master_addr=$HEAD train.py'
    ```

    ## What it can't know
    Nothing is reported with `--no_ssh` and `--node_rank`, which make of it a launcher for one node like
    torchrun, nor for one task.

    ## References
    - deepspeed/launcher/runner.py (`fetch_hostfile`, `MULTI_NODE`)
    - https://github.com/deepspeedai/DeepSpeedExamples/issues/893
    """

    code = "SB313"
    name = "deepspeed-launcher-under-srun"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step, program in job.plan.programs():
            for layer in program.launchers:
                use = _Use(step, program, layer)
                span = layer.span or program.span
                finding = self._of(job, use, span) if layer.name == "deepspeed" and span is not None else None
                if finding is not None and finding.span not in seen:
                    seen.add(finding.span)
                    yield finding

    def _of(self, job: Job, use: _Use, span: Span) -> Finding | None:
        if use.step is not None and use.tasks > 1 and not use.by_hand:
            return self._many(use, use.step, span)
        return self._too_many_gpus(job, use)

    def _many(self, use: _Use, step: Step, span: Span) -> Finding:
        told = number_of(use.layer.get("num-nodes"))
        reaches = use.layer.get("hostfile", "H") is not None or (told is not None and told.value > 1)
        tasks = step.geometry.tasks
        known = tasks is not None and tasks.certainty is Certainty.KNOWN and not use.doubtful
        effect = (
            "each of them starts the processes of all nodes"
            if reaches
            else "each of them knows its own node only, and trains alone"
        )
        return self.finding(
            span,
            f"the deepspeed launcher is started {use.tasks} times: {effect}",
            label="reaches the other nodes itself, by ssh" if reaches else "without a host file",
            related=[Related(step.span, f"starts {use.tasks} tasks")],
            help="start torchrun with srun instead, or deepspeed once without srun and with a host file",
            severity=Severity.ERROR if known and reaches else Severity.WARNING,
            confidence=Confidence.MEDIUM if use.doubtful or not use.layer.complete else Confidence.HIGH,
        )

    def _too_many_gpus(self, job: Job, use: _Use) -> Finding | None:
        number = number_of(use.layer.get("num-gpus", "num-accelerators"))
        gpus = use.step.geometry.gpus_per_node if use.step is not None else job.request.gpus_per_node
        if number is None or gpus is None or gpus.value < 1 or number.value <= gpus.value:
            return None
        place = number.option.arg.place
        if place is None:
            return None
        known = max(number.certainty, gpus.certainty) is Certainty.KNOWN and not use.doubtful
        return self.finding(
            place,
            f"--num_gpus counts the GPUs of one node, and the job has {gpus.value} there",
            label=f"{number.value} GPUs on each node",
            related=[Related(span, f"{gpus.value} GPUs per node") for span in gpus.spans],
            help=f"set --num_gpus={gpus.value}",
            severity=Severity.ERROR if known else Severity.WARNING,
            confidence=Confidence.HIGH if known else Confidence.MEDIUM,
        )
