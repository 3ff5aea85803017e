"""SB324 hardcoded-node-rank."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Agent,
    Certainty,
    Confidence,
    Finding,
    Job,
    Rule,
    Severity,
    Span,
    agents,
    command_name,
)


class HardcodedNodeRank(Rule):
    r"""One step starts the launchers of all nodes with the same node rank.

    ## Why
    With a static rendezvous each launcher says itself which of the nodes it is.  srun starts the same
    command everywhere, so `--node_rank=0`, or no `--node_rank`, makes every node the first one: they all
    bind the port, or the real first one waits for numbers that never come ("Timed out ... 1/2 clients
    joined").

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun torchrun --nnodes=2 --nproc_per_node=8 --node_rank=0 --master_addr=$HEAD train.py  # finding here
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
    Nothing is reported with a dynamic rendezvous (`--rdzv_backend=c10d`), which gives out the ranks itself,
    nor where PET_ variables or a configuration file may say the rank; a rank on the command line beside a
    configuration file is reported with less confidence.  A rank that the batch shell reads
    from `SLURM_NODEID` is reported by SB401.

    ## References
    - torch/distributed/run.py, `--node-rank`
    - accelerate launch, `--machine_rank`
    """

    code = "SB324"
    name = "hardcoded-node-rank"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for agent in agents(job.plan):
            place = _place(agent)
            if place is None or place in seen:
                continue
            seen.add(place)
            yield self._report(agent, place)

    def _report(self, agent: Agent, place: Span) -> Finding:
        certainty, count = agent.counts
        told, rank = agent.nodes, agent.rank
        assert told is not None and count is not None
        known = max(certainty, told.certainty) is Certainty.KNOWN and not agent.doubtful
        number = rank.value.text if rank is not None and rank.value is not None else "0"
        option = "--machine_rank" if agent.is_accelerate else "--node_rank"
        written = f"{option}={number}" if rank is not None else f"no {option}, which is 0 then"
        # accelerate's own file may say it, or that a rendezvous gives out the ranks
        doubt = agent.is_accelerate and (rank is None or agent.reads_settings)
        name = command_name(agent.program, agent.layer)
        return self.finding(
            place,
            f"all {count} nodes call themselves node {number}",
            label=f"srun starts {name} {count} times with {written}",
            help=f"let each task say its own: srun bash -c '{name} ... {option}=$SLURM_NODEID ...'",
            severity=Severity.ERROR if known and not doubt else Severity.WARNING,
            confidence=Confidence.MEDIUM if doubt or agent.doubtful else Confidence.HIGH,
        )


def _place(agent: Agent) -> Span | None:
    """Where the rank is written that all launchers of a step have, or the launcher that has none."""
    _, count = agent.counts
    if not agent.meets or count is None or count < 2 or agent.is_dynamic:
        return None
    if agent.reads_settings and (agent.rank is None or not agent.is_accelerate):
        return None
    if agent.layer.get("standalone") is not None or not agent.layer.complete:
        return None
    rank = agent.rank
    if rank is None:
        # Without an address they do not meet at all, which SB323 says.
        return agent.span if agent.address is not None else None
    if rank.value is None or not rank.certain or not (rank.value.text or "").isdecimal():
        return None
    if any(leaf.early is not None for leaf in rank.value.leaves()):
        return None
    return rank.value.span or rank.arg.place
