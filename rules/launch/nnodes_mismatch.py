"""SB326 nnodes-mismatch."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Agent,
    Certainty,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    Unknown,
    agents,
    command_name,
    dataclass,
    regex,
)

_LOCAL = regex(r"localhost|127\.|\[?::1")


@dataclass(frozen=True)
class _Differing:
    """A launcher that is told of more or fewer of its kind than srun starts."""

    agent: Agent
    told: int
    started: int
    known: bool


class NnodesMismatch(Rule):
    r"""The launcher is told of another number of nodes than srun starts it on.

    ## Why
    With too large a number the launchers wait for partners that nobody starts ("Timed out ... waiting for
    clients. 2/4 clients joined").  With too small a one the first that come form the group and train without
    the others, which wait until it ends and then fail: "RendezvousConnectionError".  It happens when
    `--nodes` is changed in the directives alone.

    Without `--nnodes` there is one node.  With `--rdzv_backend=c10d` and an address, or with `--node_rank`,
    the first then trains alone.  With `--master_addr`, or an address and no backend, all nodes give their
    processes the same ranks at that address: they mix, and end with "Connection reset by peer" or a time-out.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun torchrun --nnodes=2 --nproc_per_node=8 \  # finding here
        --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID --rdzv_endpoint=$HEAD:24000 train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 \
        --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID --rdzv_endpoint=$HEAD:24000 train.py
    ```

    ## Fix
    `$SLURM_NNODES` in place of the number, where the step runs on all nodes of the job and the number stands
    on the launcher's own line.  It is unsafe: the number may be the one that was meant.

    ## What it can't know
    A range (`--nnodes=2:4`) is elastic and never reported.  One launcher per node with `--nnodes=1` and no
    address to meet at, or with `localhost`, forms a world of its own on each node, which can be meant: that
    is reported with little confidence.  A step that starts several launchers on a node is SB301's.

    ## References
    - torch/distributed/run.py, `--nnodes` (tried with torch 2.14.1: two agents, a network each)
    - accelerate launch, `--num_machines`
    """

    code = "SB326"
    name = "nnodes-mismatch"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for agent in agents(job.plan):
            found = _differing(job, agent)
            place = _place(agent)
            if found is None or place is None or place in seen:
                continue
            seen.add(place)
            yield self._report(job, found, place)

    def _report(self, job: Job, found: _Differing, place: Span) -> Finding:
        agent, told, started = found.agent, found.told, found.started
        name = command_name(agent.program, agent.layer)
        alone = told == 1
        sure = found.known and not alone
        doubtful = agent.doubtful or (alone and _meets_nobody(agent))
        message = f"{name} is told of {told} nodes and started on {started}"
        if alone:
            message = _message_of_one(agent, name, started)
        assert agent.step is not None
        related = [Related(agent.step.span, f"starts it {started} times")]
        nodes = agent.step.geometry.nodes
        if nodes is not None:
            related += [Related(span, f"{nodes.value} nodes") for span in nodes.spans]
        return self.finding(
            place,
            message,
            label=f"{told} here, {started} started" if agent.told_nodes else "1 without --nnodes",
            related=[one for one in related if one.span != place],
            help="give it the number of nodes that Slurm says: $SLURM_NNODES",
            fix=_fix(job, found),
            severity=Severity.ERROR if sure else Severity.WARNING,
            confidence=Confidence.MEDIUM if doubtful else Confidence.HIGH,
        )


def _message_of_one(agent: Agent, name: str, started: int) -> str:
    """What becomes of launchers that each take themselves for the only one (tried with torch 2.14)."""
    if agent.layer.get("standalone") is not None or _meets_nobody(agent):
        return f"{name} on each of {started} nodes forms a world of its own"
    head = f"{name} is told of 1 node and started on {started}"
    rank = agent.rank.value if agent.rank is not None else None
    if agent.is_dynamic or (rank is not None and rank.text != "0"):
        return f"{head}: the first trains alone, the others wait and fail"
    return f"{head}: each gives its processes the same ranks at one address"


def _meets_nobody(agent: Agent) -> bool:
    """Tell whether there is no address, or another one on each node."""
    address = agent.address.value if agent.address is not None else None
    if address is None or _LOCAL.match(address.show()):
        return True
    return any(isinstance(leaf, Unknown) and leaf.per_task for leaf in address.leaves())


def _differing(job: Job, agent: Agent) -> _Differing | None:
    certainty, started = agent.counts
    if agent.step is None or started is None:
        return None
    if agent.layer.get("standalone") is not None:
        # It meets at its own localhost, whatever it is told of others.
        several = agent.meets and started > 1
        return _Differing(agent, 1, started, False) if several else None
    if agent.program.conditional and not agent.step.conditional:
        return None
    told = agent.nodes
    if told is None:
        if agent.told_nodes or agent.reads_settings or agent.is_accelerate or not agent.layer.complete:
            return None
        # With no number there is one; only an address shows that more were meant.
        if started < 2 or agent.address is None:
            return None
        return _Differing(agent, 1, started, False)
    if told.value == started or (started == 1 and told.value > 1 and _runs_beside(job, agent)):
        return None
    if told.value == 1 and agent.is_accelerate:
        return None
    known = max(certainty, told.certainty) is Certainty.KNOWN and not agent.doubtful
    return _Differing(agent, told.value, started, known)


def _runs_beside(job: Job, agent: Agent) -> bool:
    """Tell whether the step may be one of several that are started side by side, a node each."""
    assert agent.step is not None
    chosen = any(agent.step.get(name) is not None for name in ("nodelist", "relative", "exclude"))
    own = any(agent.step.get(name) is not None for name in ("nodes", "ntasks"))
    others = any(step.background or step.conditional for step in job.plan.steps)
    return agent.step.background or chosen or (own and (others or job.plan.incomplete != ""))


def _place(agent: Agent) -> Span | None:
    told = agent.nodes
    if told is None:
        return agent.span
    value = told.option.value
    return (value.span if value is not None else None) or told.option.arg.place


def _fix(job: Job, found: _Differing) -> Fix | None:
    told = found.agent.nodes
    step = found.agent.step
    if told is None or told.option.value is None or step is None or found.told == 1:
        return None
    span, word = told.option.value.span, told.option.value_arg or told.option.arg
    nodes = job.request.nodes
    if span is None or word.span is None or span not in word.span or nodes is None:
        return None
    quoted = "'" in job.source.slice(word.span) or nodes.value != found.started
    if quoted or job.source.slice(span) != str(told.value):
        return None
    return Fix.unsafe("take the number of nodes from Slurm", Edit(span, "$SLURM_NNODES"))
