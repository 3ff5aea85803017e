"""SB322 rdzv-localhost-multinode."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    FIRST_NODE,
    Certainty,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    FrameworkName,
    Job,
    MeetingPoint,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Text,
    Value,
    asks_mpi_for_ranks,
    meeting_addresses,
    recognise,
    settings_of,
)

_RANKS = ("RANK", "WORLD_SIZE")


class RdzvLocalhostMultinode(Rule):
    r"""The processes of several nodes are told to meet at localhost.

    ## Why
    `localhost` and `127.0.0.1` are another machine on each node.  The first node waits for partners that
    call themselves instead, until "The client socket has timed out ... (127.0.0.1, 29500)" or
    "DistStoreError: Timed out after 901 seconds waiting for clients. 1/2 clients joined".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=localhost  # finding here
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 --node_rank=$SLURM_NODEID \
        --master_addr=$HEAD --master_port=24000 train.py'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 --node_rank=$SLURM_NODEID \
        --master_addr=$HEAD --master_port=24000 train.py'
    ```

    ## Fix
    The first node of the job, where the address is an assignment of its own in the batch script.

    ## What it can't know
    Whether a program reads `MASTER_ADDR`: without a launcher, only programs of Megatron and those that are
    given `RANK` or `WORLD_SIZE` are looked at.  DeepSpeed sets the address anew where one of its variables is
    missing, by mpi4py: nothing is said of a script that names it and does not give all of them.

    ## References
    - torch/distributed/run.py, `--rdzv-endpoint`, `--master-addr`
    - deepspeed/comm/comm.py, `mpi_discovery`
    - https://github.com/pytorch/pytorch/issues/76367
    """

    code = "SB322"
    name = "rdzv-localhost-multinode"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for point in meeting_addresses(job.plan):
            nodes, sure = _nodes(job, point)
            host = _local_host(point.value) if nodes > 1 else None
            place = point.place
            span = host.span if host is not None and host.span is not None else place
            if host is None or span is None or span in seen:
                continue
            seen.add(span)
            certain = sure and host.certainty is Certainty.KNOWN
            yield self.finding(
                span,
                f"{nodes} nodes are told to meet at {host.text.rpartition(':')[0] or host.text}",
                label="another machine on each node",
                related=[Related(place, "used here")] if place is not None and place != span else [],
                help=f"take the job's first node: {FIRST_NODE}",
                fix=_fix(job, host),
                severity=Severity.ERROR if certain else Severity.WARNING,
                confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
            )


def _nodes(job: Job, point: MeetingPoint) -> tuple[int, bool]:
    """How many nodes are told to meet there, and whether that is sure; 0 for none that read it."""
    # What is started on the batch host alone lacks its partners, whatever the address is.
    if point.step is None or not point.certain:
        return 0, False
    if point.agent is not None:
        told = point.agent.nodes
        known = told is not None and told.certainty is Certainty.KNOWN
        return (0 if told is None else told.value), known and not point.doubtful
    nodes = point.step.geometry.nodes
    if nodes is None or not _reads_address(job, point.program):
        return 0, False
    return nodes.value, nodes.certainty is Certainty.KNOWN and not point.doubtful


def _reads_address(job: Job, program: Program) -> bool:
    if asks_mpi_for_ranks(job, program):
        return False
    if recognise(program).name in (FrameworkName.MEGATRON_BRIDGE, FrameworkName.MEGATRON_LM):
        return True
    return program.has_layer("python") and any(name in program.environment for name in _RANKS)


def _local_host(address: Value) -> Text | None:
    """The text that says localhost, if the address begins with it."""
    first = address.segments[0] if address.segments else None
    if not isinstance(first, Text):
        return None
    following = address.segments[1] if len(address.segments) > 1 else None
    tail = following.text if isinstance(following, Text) else ("" if following is None else "?")
    host = first.text.partition(":")[0] if first.text.count(":") < 2 else first.text
    whole = ":" in first.text or tail == "" or tail.startswith(":")
    local = host == "localhost" or host.startswith("127.") or host in ("::1", "[::1]")
    return first if local and whole else None


def _fix(job: Job, host: Text) -> Fix | None:
    """Put the first node in its place, where it is the whole value of an assignment of the batch shell."""
    if host.span is None or ":" in host.text:
        return None
    for setting in settings_of(job):
        value = setting.value
        if value is not None and host.span in value and not setting.conditional:
            return Fix.safe("take the job's first node", Edit(value, FIRST_NODE))
    return None
