"""SB336 nodelist-as-address."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    FIRST_NODE,
    Certainty,
    Confidence,
    Count,
    Finding,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    Unknown,
    meeting_addresses,
    regex,
)

_LIST = regex(r"\$\{?SLURM_(?:JOB_|STEP_)?NODELIST\}?")


class NodelistAsAddress(Rule):
    r"""The list of the job's nodes is taken for the address to meet at.

    ## Why
    `SLURM_JOB_NODELIST` is short for all nodes: `node[01-04]`.  No machine has that name, and the processes
    end with "The IPv4 network addresses of (node[01-04], 29400) cannot be retrieved" or "Name or service not
    known".  With one node it works, until the job gets a second one.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$SLURM_JOB_NODELIST  # finding here
    srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID \
        --rdzv_endpoint=$HEAD:24000 train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID \
        --rdzv_endpoint=$HEAD:24000 train.py
    ```

    ## What it can't know
    Nothing is reported for steps of one node, where the list is a name.

    ## References
    - sbatch(1), `SLURM_JOB_NODELIST`; scontrol(1), `show hostnames`
    """

    code = "SB336"
    name = "nodelist-as-address"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for point in meeting_addresses(job.plan):
            step, value = point.step, point.value
            nodes = step.geometry.nodes if step is not None else None
            first = value.segments[0] if value.segments else None
            if step is None or nodes is None or nodes.value < 2 or not isinstance(first, Unknown):
                continue
            if not _LIST.fullmatch(first.name) or first.span is None or first.span in seen:
                continue
            seen.add(first.span)
            yield self._report(step, point.program, first.span, nodes)

    def _report(self, step: Step, program: Program, span: Span, nodes: Count) -> Finding:
        doubtful = step.doubtful or program.doubtful
        sure = nodes.certainty is Certainty.KNOWN and not doubtful
        return self.finding(
            span,
            f"no machine is called like a list of {nodes.value} nodes: the processes can't meet there",
            label="such as node[01-04]",
            related=[Related(place, f"{nodes.value} nodes") for place in nodes.spans],
            help=f"take the first node: {FIRST_NODE}",
            severity=Severity.ERROR if sure else Severity.WARNING,
            confidence=Confidence.MEDIUM if doubtful else Confidence.HIGH,
        )
