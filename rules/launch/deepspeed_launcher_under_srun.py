"""SB313 deepspeed-launcher-under-srun."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Finding,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    number_of,
)

from ._deepspeed import DeepspeedLauncher, Trouble, deepspeed_launchers, trouble_with_nodes


class DeepspeedLauncherUnderSrun(Rule):
    r"""The deepspeed launcher, which reaches the other nodes by ssh itself, is started by srun on each.

    ## Why
    `deepspeed` starts the processes of all nodes in its host file from one place.  Under srun with a task on
    each node every launcher does so: the training runs as often as there are nodes, on the same GPUs and
    ports ("EADDRINUSE", "CUDA out of memory").  Without a host file each launcher sees its own node only,
    and every node trains alone.  `--num_gpus` counts the GPUs of one node, not all.

    Started once, without srun, it needs the host file all the more: without it deepspeed takes the GPUs of
    its own node, says nothing, and the other nodes stay idle.  With `--no_ssh` there is a launcher on each
    node, and each has to say its own `--node_rank`.

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

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    deepspeed --num_gpus 8 train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    scontrol show hostnames "$SLURM_JOB_NODELIST" | sed 's/$/ slots=8/' > hostfile
    deepspeed --hostfile hostfile train.py
    ```

    ## What it can't know
    With `--no_ssh` and `--node_rank` it is a launcher for one node like torchrun, and all is well if each
    has its own rank.  What the host file holds is not read, nor is `/job/hostfile`, which is taken where none
    is named: a script that mentions it is left in peace.

    ## References
    - deepspeed/launcher/runner.py (`fetch_hostfile`, `MULTI_NODE`)
    - https://github.com/deepspeedai/DeepSpeedExamples/issues/893
    """

    code = "SB313"
    name = "deepspeed-launcher-under-srun"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for launcher, span in deepspeed_launchers(job):
            finding = self._of(job, launcher, span)
            if finding is not None and finding.span not in seen:
                seen.add(finding.span)
                yield finding

    def _of(self, job: Job, launcher: DeepspeedLauncher, span: Span) -> Finding | None:
        if launcher.step is not None and launcher.tasks > 1 and not launcher.by_hand:
            return self._many(launcher, launcher.step, span)
        trouble = trouble_with_nodes(job, launcher, span)
        return self._too_many_gpus(job, launcher) if trouble is None else self._with_nodes(job, trouble)

    def _with_nodes(self, job: Job, trouble: Trouble) -> Finding:
        nodes = job.request.nodes
        return self.finding(
            trouble.span,
            trouble.text,
            label=trouble.label,
            related=[Related(span, f"{nodes.value} nodes") for span in nodes.spans] if nodes else [],
            help=trouble.help,
            severity=trouble.severity,
            confidence=trouble.confidence,
        )

    def _many(self, launcher: DeepspeedLauncher, step: Step, span: Span) -> Finding:
        told = number_of(launcher.layer.get("num-nodes"))
        reaches = launcher.has_hosts or (told is not None and told.value > 1)
        tasks = step.geometry.tasks
        known = tasks is not None and tasks.certainty is Certainty.KNOWN and not launcher.doubtful
        effect = (
            "each of them starts the processes of all nodes"
            if reaches
            else "each of them knows its own node only, and trains alone"
        )
        return self.finding(
            span,
            f"the deepspeed launcher is started {launcher.tasks} times: {effect}",
            label="reaches the other nodes itself, by ssh" if reaches else "without a host file",
            related=[Related(step.span, f"starts {launcher.tasks} tasks")],
            help="start torchrun with srun instead, or deepspeed once without srun and with a host file",
            severity=Severity.ERROR if known and reaches else Severity.WARNING,
            confidence=Confidence.MEDIUM if launcher.doubtful else Confidence.HIGH,
        )

    def _too_many_gpus(self, job: Job, launcher: DeepspeedLauncher) -> Finding | None:
        number = number_of(launcher.layer.get("num-gpus", "num-accelerators"))
        step = launcher.step
        gpus = step.geometry.gpus_per_node if step is not None else job.request.gpus_per_node
        if number is None or gpus is None or gpus.value < 1 or number.value <= gpus.value:
            return None
        place = number.option.arg.place
        if place is None:
            return None
        known = max(number.certainty, gpus.certainty) is Certainty.KNOWN and not launcher.doubtful
        return self.finding(
            place,
            f"--num_gpus counts the GPUs of one node, and the job has {gpus.value} there",
            label=f"{number.value} GPUs on each node",
            related=[Related(span, f"{gpus.value} GPUs per node") for span in gpus.spans],
            help=f"set --num_gpus={gpus.value}",
            severity=Severity.ERROR if known else Severity.WARNING,
            confidence=Confidence.HIGH if known else Confidence.MEDIUM,
        )
