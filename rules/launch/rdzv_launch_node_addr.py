"""SB328 rdzv-launch-node-addr."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    FIRST_NODE,
    Confidence,
    Finding,
    Job,
    Rule,
    Severity,
    Span,
    Unknown,
    meeting_addresses,
)

_NAME = "$SLURM_LAUNCH_NODE_IPADDR"


class RdzvLaunchNodeAddr(Rule):
    r"""The nodes are to meet at the machine on which srun was called.

    ## Why
    `SLURM_LAUNCH_NODE_IPADDR` is the address of the machine that srun was called on.  In a batch job that is
    the first node, by the address of whatever network Slurm uses.  Under salloc it is the login node, and in
    a step that leaves out the first node it is none of the step's: the processes wait for a listener that is
    not there ("The client socket has timed out").

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    srun bash -c 'torchrun --nnodes=2 --nproc-per-node=8 --rdzv-backend=c10d --rdzv-id=$SLURM_JOB_ID \
      --rdzv-endpoint=$SLURM_LAUNCH_NODE_IPADDR:24000 train.py'  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'torchrun --nnodes=2 --nproc-per-node=8 --rdzv-backend=c10d --rdzv-id=$SLURM_JOB_ID \
      --rdzv-endpoint=$HEAD:24000 train.py'
    ```

    ## What it can't know
    Whether the script's lines are ever run under salloc: in a batch job they mostly work, so the finding has
    little confidence.  It has more for a step on nodes that it names itself (`-w`, `-x`, `-r`).

    ## References
    - srun(1), OUTPUT ENVIRONMENT VARIABLES
    - https://github.com/mlc-ai/pith-train/pull/47
    """

    code = "SB328"
    name = "rdzv-launch-node-addr"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for point in meeting_addresses(job.plan):
            step = point.step
            if step is None:
                continue
            chosen = any(step.get(name) for name in ("nodelist", "exclude", "relative"))
            for leaf in point.value.leaves():
                span = leaf.span
                if not isinstance(leaf, Unknown) or leaf.name != _NAME or span is None or span in seen:
                    continue
                seen.add(span)
                yield self.finding(
                    span,
                    "the nodes meet at the machine that srun was called on, which need not be one of them",
                    label="the login node under salloc",
                    help=f"take the first node: {FIRST_NODE}",
                    confidence=Confidence.HIGH if chosen else Confidence.LOW,
                )
