"""SB334 launcher-without-nnodes."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Agent,
    Certainty,
    Confidence,
    Finding,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Unknown,
    Value,
    agents,
    command_name,
    number_of,
    regex,
)

_OWN = regex(r"SLURM_(?:NODEID|PROCID|LOCALID|ARRAY_)|SLURMD_NODENAME|PMIX?_RANK|HOSTNAME|\bhostname\b")
"""What differs from node to node, or from one job of an array to the next."""
_FOR_ONE_NODE = regex(
    r"(?i)(?:^|[^a-z])(?:bench|test|check|health|stress|burn|diag|probe|smoke|profil|stream|nccl|verify|worker"
    r"|serve)|intra.?node|single.?node|one.?node"
)

_OTHERWISE = (
    "machine-rank",
    "rdzv-backend",
    "deepspeed-hostfile",
    "deepspeed-multinode-launcher",
    "tpu",
    "cpu",
)
"""Options of accelerate that stand for several nodes, whose number a file then says, or for no GPUs."""
_HELP = (
    "--nnodes=$SLURM_NNODES with --rdzv_backend=c10d, --rdzv_id=$SLURM_JOB_ID and "
    "--rdzv_endpoint=<first node>:<port>; --nnodes=1 if each node is meant to work alone"
)
_HELP_OF_ACCELERATE = (
    "--num_machines=$SLURM_NNODES with --num_processes=<of all nodes>, --machine_rank=$SLURM_NODEID, read in "
    "the task, --main_process_ip=<first node> and --main_process_port; --num_machines=1 if each node is "
    "meant to work alone"
)


class LauncherWithoutNnodes(Rule):
    r"""torchrun or accelerate is started on each of several nodes and is not told of the others.

    ## Why
    Without `--nnodes` torchrun takes itself for the only one, as does `accelerate launch` without
    `--num_machines`.  srun starts it on every node, and each forms a world of its own: two nodes with eight
    GPUs train the same model twice, with eight ranks each, on the same data, and write over each other's
    checkpoints.  Nothing fails; the job is no faster than on one node, and its log shows every line as often
    as there are nodes.  `--standalone` says the same in so many words.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    srun torchrun --nproc_per_node=8 train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 \
        --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID --rdzv_endpoint=$HEAD:24000 train.py
    ```

    ## What it can't know
    What the program does with its node.  Nothing is said where the command line or the environment of the
    program mentions a rank of Slurm, the host's name or the index of an array, where the step chooses its
    nodes, and where the program's name says that it tests or measures a node.  Which ranks the program reads
    itself is not seen: one that divides its work by `SLURM_NODEID` inside is in order, and `--nnodes=1`,
    written out, says so.  An address to meet at without `--nnodes` is SB326's.  accelerate has a file of
    defaults, but no file says each node's own rank: what is started without `--machine_rank` is reported.

    ## References
    - torch/distributed/run.py, `--nnodes` (default `1:1`), `--standalone`; tried with torch 2.14.1
    """

    code = "SB334"
    name = "launcher-without-nnodes"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for agent in agents(job.plan):
            span = agent.span
            if span is not None and span not in seen and _is_alone(agent) and not _differs(job, agent):
                seen.add(span)
                yield self._report(agent, span)

    def _report(self, agent: Agent, span: Span) -> Finding:
        certainty, started = agent.counts
        name = command_name(agent.program, agent.layer)
        standalone = agent.layer.get("standalone")
        assert agent.step is not None
        related = [Related(agent.step.span, f"starts it {started} times")]
        related += [Related(place, f"{started} nodes") for place in _node_places(agent)]
        if standalone is not None and standalone.arg.place is not None:
            related.append(Related(standalone.arg.place, "each meets nobody but itself"))
        sure = certainty is Certainty.KNOWN and not agent.doubtful and not _may_hold_more(agent)
        sure = sure and (not agent.is_accelerate or _counts_one_node(agent))
        return self.finding(
            span,
            f"{name} on each of {started} nodes trains by itself: {started} trainings of the same model",
            label=f"1 node without {'--num_machines' if agent.is_accelerate else '--nnodes'}",
            related=[one for one in related if one.span != span],
            help=_HELP_OF_ACCELERATE if agent.is_accelerate else _HELP,
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )


def _counts_one_node(agent: Agent) -> bool:
    """Tell whether accelerate is given the processes of one node, so that no file can say of more nodes."""
    total = number_of(agent.layer.get("num-processes"))
    gpus = agent.step.geometry.gpus_per_node if agent.step is not None else None
    return total is not None and gpus is not None and total.value <= gpus.value


def _may_hold_more(agent: Agent) -> bool:
    """Tell whether the unknown value of an option may, in code that a shell reads, end with --nnodes."""
    values = [option.value for option in agent.layer.options if option.value is not None]
    return agent.program.code_incomplete and any(value.text is None for value in values)


def _node_places(agent: Agent) -> tuple[Span, ...]:
    nodes = agent.step.geometry.nodes if agent.step is not None else None
    return tuple(nodes.spans) if nodes is not None else ()


def _is_alone(agent: Agent) -> bool:
    """Tell whether several are started, a node each, and none is told of the others."""
    _, started = agent.counts
    if agent.step is None or started is None or started < 2:
        return False
    if agent.is_accelerate and any(agent.layer.get(name) is not None for name in _OTHERWISE):
        return False
    told = agent.told_nodes or agent.reads_settings or agent.address is not None
    chosen = any(agent.step.get(name) is not None for name in ("nodelist", "relative", "nodefile"))
    return agent.layer.complete and not told and not chosen


def _differs(job: Job, agent: Agent) -> bool:
    """Tell whether the script shows that each node does something of its own."""
    program = agent.program
    title = job.request.get("job-name")
    names = (_name(program), (title.value or "") if title is not None else "")
    if job.request.get("array") is not None or any(_FOR_ONE_NODE.search(name) for name in names):
        return True
    values = [word.value for word in program.words] + list(program.environment.values())
    return any(_mentions_own(job, value) for value in values)


def _name(program: Program) -> str:
    return program.target.show().rpartition("/")[2]


def _mentions_own(job: Job, value: Value) -> bool:
    for leaf in value.leaves():
        written = job.source.slice(leaf.span) if leaf.span is not None else ""
        name = leaf.name if isinstance(leaf, Unknown) else ""
        if _OWN.search(written) or _OWN.search(name) or (isinstance(leaf, Unknown) and leaf.per_task):
            return True
    return False
