"""SB357 sleep-as-barrier."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Confidence, Finding, Job, Related, Rule, Severity, sleeping_barriers


class SleepAsBarrier(Rule):
    r"""A fixed sleep stands where the script should wait until something is done.

    ## Why
    While one task runs `uv sync`, the others sleep ten seconds and go on.  On a day when the file system or
    the package index is slow they start on half an environment: "ModuleNotFoundError", "No such file or
    directory", or two installations that write the same folder.  srun itself is a barrier: it returns when
    all tasks are done.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    CMD="if [ \$SLURM_LOCALID -eq 0 ]; then pip install -e .; else sleep 10; fi;"  # finding here
    CMD="$CMD python fit.py"
    srun bash -c "$CMD"
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --nodes=2 --ntasks=2 --ntasks-per-node=1 pip install -e .
    srun python fit.py
    ```

    ## What it can't know
    How long the work takes.  A sleep between a step in the background and the next one, as between the head
    and the workers of a Ray cluster, is told of with medium confidence; loops that look until a file is there
    or a port answers are what to write instead, and are left alone.

    ## References
    - https://github.com/NVIDIA-NeMo/Megatron-Bridge/pull/3288
    """

    code = "SB357"
    name = "sleep-as-barrier"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        for barrier in sleeping_barriers(job):
            who = "other tasks go on" if barrier.in_task else "the next step is started"
            yield self.finding(
                barrier.span,
                f"{who} after {barrier.seconds} seconds, whether `{barrier.name}` is done or not",
                related=[Related(barrier.awaited, "this should be done first")],
                help="do it in a step of its own, with one task on each node, before the others start"
                if barrier.in_task
                else "look in a loop whether it is ready",
                confidence=Confidence.HIGH if barrier.in_task else Confidence.MEDIUM,
            )
