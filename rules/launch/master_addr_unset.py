"""SB323 master-addr-unset."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Agent,
    Certainty,
    Confidence,
    Finding,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    agents,
    command_name,
    recognise,
)


class MasterAddrUnset(Rule):
    r"""The launchers of several nodes are not told where to meet.

    ## Why
    torchrun does not read `MASTER_ADDR`: without `--master_addr` or `--rdzv_endpoint` each launcher waits at
    its own 127.0.0.1 and gives up after some minutes ("The client socket has timed out ... (127.0.0.1,
    29500)").  accelerate passes on `--main_process_ip` in the same way.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 \  # finding here
        --node_rank=$SLURM_NODEID train.py'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 \
        --node_rank=$SLURM_NODEID --master_addr=$MASTER_ADDR train.py'
    ```

    ## What it can't know
    Nothing is reported where variables with the prefix `PET_`, which torchrun does read, or a configuration
    file of accelerate may say it.  accelerate also reads a default file in the user's home, so without
    `--config_file` it is no more than a warning.

    ## References
    - torch/distributed/argparse_util.py (`env`: PET_ variables)
    - torch/distributed/run.py (`get_rdzv_endpoint`)
    - accelerate/utils/launch.py (`prepare_multi_gpu_env`)
    """

    code = "SB323"
    name = "master-addr-unset"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for agent in agents(job.plan):
            span, told = agent.span, agent.nodes
            if told is None or span is None or span in seen or not _is_lost(agent):
                continue
            seen.add(span)
            known = told.certainty is Certainty.KNOWN and not agent.doubtful
            name, option = command_name(agent.program, agent.layer), _option(agent)
            sure = known and not agent.is_accelerate
            place = told.option.arg.place
            yield self.finding(
                span,
                f"{name} is told of {told.value} nodes, but not where they meet",
                label=f"no {option}",
                related=[Related(place, f"{told.value} nodes")]
                if place not in (None, span) and place
                else [],
                help=f"give it {option}=<name of the job's first node>",
                notes=_notes(agent),
                severity=Severity.ERROR if sure else Severity.WARNING,
                confidence=Confidence.HIGH if known and not agent.is_accelerate else Confidence.MEDIUM,
            )


def _is_lost(agent: Agent) -> bool:
    if not agent.meets or agent.address is not None or agent.reads_settings or agent.step is None:
        return False
    if not agent.layer.complete or agent.layer.get("standalone", "rdzv-conf") is not None:
        return False
    backend = agent.layer.get("rdzv-backend")
    if backend is not None and (backend.value is None or backend.value.text not in ("static", "c10d")):
        return False
    # SB303 says so of scripts that need no torchrun.
    return not recognise(agent.program).is_native_bridge


def _option(agent: Agent) -> str:
    if agent.is_accelerate:
        return "--main_process_ip"
    return "--rdzv_endpoint" if agent.is_dynamic else "--master_addr"


def _notes(agent: Agent) -> list[str]:
    if agent.is_accelerate or "MASTER_ADDR" not in agent.program.environment:
        return []
    return ["MASTER_ADDR is set, but torchrun reads only its options and variables that begin with PET_"]
