"""SB303 torchrun-around-native."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Finding,
    Job,
    Layer,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    TrainingRun,
    command_name,
    has_torchrun_variables,
    most_tasks_on_a_node,
    number_of,
)

_TORCHRUN = ("torchrun", "torch.distributed.launch")
_ADDRESS = ("master-addr", "rdzv-endpoint", "rdzv-backend", "rdzv-conf")


class TorchrunAroundNative(Rule):
    r"""torchrun is wrapped around a script that srun starts by itself.

    ## Why
    Megatron-Bridge's training, conversion and inference scripts read rank, world size and address from
    Slurm's variables: srun with one task per GPU is all that they need.  torchrun in between adds a second
    set of numbers that must agree with Slurm's, a rendezvous of its own, and hides which node failed:
    whatever killed a rank, torchrun exits with 1.  Its rendezvous does not look at `MASTER_ADDR`: with
    `--nnodes` and `--node_rank` but no `--master_addr` the launchers meet at 127.0.0.1 and time out
    ("The client socket has timed out ... (127.0.0.1, 29500)").

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    RECIPE="scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config"
    srun bash -c "torchrun --nnodes=2 --node_rank=\$SLURM_NODEID --nproc_per_node=8 $RECIPE"  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config
    ```

    ## What it can't know
    Only scripts that are known to read Slurm's variables are reported.  Others, such as
    `hf_to_megatron_generate_text.py`, need torchrun or variables that the script sets.  Where torchrun has
    all that it needs the job runs, and the finding is for information.  A step that starts torchrun several
    times on a node is reported by SB301 alone.

    ## References
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/training/initialize.py, utils/slurm_utils.py
    - torch/distributed/argparse_util.py (`env`: torchrun reads PET_ variables, not MASTER_ADDR)
    - torch/distributed/elastic/multiprocessing/errors (the block that names the root cause)
    """

    code = "SB303"
    name = "torchrun-around-native"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for run in job.runs:
            layer = _wrapper(run)
            span = layer.span or run.program.span if layer is not None else None
            if layer is None or span is None or span in seen:
                continue
            seen.add(span)
            yield self._report(run, layer, span)

    def _report(self, run: TrainingRun, layer: Layer, span: Span) -> Finding:
        name = command_name(run.program, layer)
        script = run.framework.script.rsplit("/", 1)[-1]
        nodes = _lost_nodes(run.program, layer)
        notes = [run.framework.why]
        if nodes:
            notes.append(
                f"without --master-addr the launchers of {nodes} nodes wait at 127.0.0.1 until they time out"
            )
        target = run.program.target_span
        return self.finding(
            span,
            f"{name} is wrapped around a script that srun starts by itself",
            label=f"{script} reads its rank and world size from Slurm",
            related=[Related(target, "the script")] if target is not None and target != span else [],
            help=_help(run.step, name),
            notes=notes,
            severity=Severity.WARNING if nodes else Severity.INFO,
        )


def _wrapper(run: TrainingRun) -> Layer | None:
    """The torchrun around a script that does not need it; None where SB301 has its say."""
    launchers = run.program.launchers
    if not run.framework.is_native_bridge or len(launchers) != 1 or launchers[0].name not in _TORCHRUN:
        return None
    crowd = most_tasks_on_a_node(run.step.geometry) if run.step is not None else None
    return None if crowd is not None and crowd.number > 1 else launchers[0]


def _lost_nodes(program: Program, layer: Layer) -> int:
    """The number of nodes whose launchers will not find each other; 0 where they may."""
    nodes = number_of(layer.get("nnodes"))
    if not layer.complete or nodes is None or nodes.value < 2:
        return 0
    if any(layer.get(name) is not None for name in (*_ADDRESS, "standalone")):
        return 0
    if has_torchrun_variables(program):
        return 0
    return nodes.value if nodes.certainty is Certainty.KNOWN else 0


def _help(step: Step | None, name: str) -> str:
    gpus = step.geometry.gpus_per_node if step is not None else None
    each = gpus.value if gpus is not None else "<GPUs per node>"
    return f"drop {name} with its options and start the script with srun and --ntasks-per-node={each}"
