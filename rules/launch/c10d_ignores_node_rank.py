"""SB329 c10d-ignores-node-rank."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Related, Rule, Severity, Span, agents, command_name

_DYNAMIC = ("c10d", "etcd", "etcd-v2")


class C10dIgnoresNodeRank(Rule):
    r"""The launcher is given a node rank that its rendezvous does not look at.

    ## Why
    With `--rdzv_backend=c10d` the launchers are numbered as they come, and `--node_rank` has no effect.  Rank
    0 is then not always on the first node: a script that writes its logs, or listens, on the node of
    `MASTER_ADDR` because rank 0 should be there looks in the wrong place.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID \
        --rdzv_endpoint=$HEAD:24000 --node_rank=$SLURM_NODEID train.py'  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID \
        --rdzv_endpoint=$HEAD:24000 train.py'
    ```

    ## What it can't know
    Whether anything relies on the numbers; the job runs either way.

    ## References
    - torch/distributed/run.py, `--node-rank`: "Only used for static rendezvous"
    """

    code = "SB329"
    name = "c10d-ignores-node-rank"
    severity = Severity.INFO

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for agent in agents(job.plan):
            rank, backend = agent.rank, agent.layer.get("rdzv-backend")
            text = backend.value.text if backend is not None and backend.value is not None else None
            if rank is None or backend is None or text not in _DYNAMIC or not agent.meets:
                continue
            place, other = rank.arg.place, backend.arg.place
            if place is None or place in seen:
                continue
            seen.add(place)
            name = command_name(agent.program, agent.layer)
            yield self.finding(
                place,
                f"{name} does not look at its node rank: {text} gives the ranks out",
                label="without effect",
                related=[Related(other, "by this")] if other is not None and other != place else [],
                help="leave it out, or use a static rendezvous (--master_addr, no --rdzv_backend)",
            )
