"""SB310 node-rank-batch-scope."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Finding,
    FrameworkName,
    Job,
    LayerKind,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    dataclass,
    differing_values,
    recognise,
)

_RANKS = ("RANK", "LOCAL_RANK", "NODE_RANK", "GROUP_RANK", "MACHINE_RANK", "PET_NODE_RANK")
_READ_BY_PROGRAMS = ("RANK", "LOCAL_RANK")
"""What PyTorch, Megatron and their like read themselves; the others are for scripts that read them."""
_SETS_OWN = ("RANK", "LOCAL_RANK", "GROUP_RANK")
"""What every launcher sets anew for the processes that it starts."""
_MEGATRON = (FrameworkName.MEGATRON_LM, FrameworkName.MEGATRON_BRIDGE)
"""What looks at RANK before anything of Slurm's."""
_DOCKER = ("docker", "podman", "podman-hpc")


@dataclass(frozen=True)
class _Frozen:
    """A rank variable that comes to a program with the batch shell's value."""

    name: str
    variable: str
    span: Span
    step: Step
    program: Program
    number: int | None
    certain: bool


class NodeRankBatchScope(Rule):
    r"""A rank is read in the batch shell, where it is 0, and handed to every task by the environment.

    ## Why
    `SLURM_PROCID`, `SLURM_NODEID` and `SLURM_LOCALID` have a value for each task inside a step.  In the
    batch shell they are those of its one task: 0.  `export RANK=$SLURM_PROCID` there sets the rank to 0 for
    the whole job, and srun hands it to all tasks: they all claim to be rank 0.  The process group never
    forms ("Timed out ... waiting for clients. 1/16 clients joined"), or rank 0's port is bound twice
    ("EADDRINUSE").

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
    export WORLD_SIZE=$SLURM_NTASKS
    export RANK=$SLURM_PROCID  # finding here
    srun python pretrain_gpt.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
    export WORLD_SIZE=$SLURM_NTASKS
    srun bash -c 'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID exec python pretrain_gpt.py'
    ```

    ## What it can't know
    Whether the program reads the variable.  `RANK` and `LOCAL_RANK` are read by PyTorch's `env://`; a program
    can also read Slurm's variables itself and pass them on.  It is an error for Megatron, which looks at
    `RANK` first, and a warning otherwise.  A rank that reaches
    an option of the command line is reported by SB401.

    ## References
    - srun(1), OUTPUT ENVIRONMENT VARIABLES
    - https://github.com/huggingface/accelerate/issues/1837
    - torch/distributed/rendezvous.py (`_env_rendezvous_handler`)
    """

    code = "SB310"
    name = "node-rank-batch-scope"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        found: dict[Span, list[_Frozen]] = {}
        for step in job.plan.steps:
            told = {early.span for early in step.early}
            for program in step.programs:
                for frozen in _frozen_ranks(step, program):
                    if frozen.span not in told:
                        found.setdefault(frozen.span, []).append(frozen)
        for span, uses in sorted(found.items()):
            yield self._report(job, span, uses)

    def _report(self, job: Job, span: Span, uses: list[_Frozen]) -> Finding:
        worst = next((use for use in uses if _is_read(use) and use.certain), uses[0])
        python = worst.program.has_layer("python")
        program = ("python " if python else "") + (worst.program.name or "...")
        surely = _is_read(worst) and worst.certain and _reads_ranks(worst.program)
        severity = Severity.ERROR if surely else Severity.WARNING
        named = worst.program.name is not None  # one that nobody can name may read SLURM_PROCID itself
        sure = worst.certain and named and (_is_read(worst) or _is_for_a_script(worst))
        related = [Related(worst.step.span, f"hands {worst.name}=0 to every task")]
        return self.finding(
            span,
            f"{worst.name} is 0 in every task: {worst.variable} is read in the batch shell",
            label=f"{worst.variable} is 0 here, once for {_many(worst)}",
            related=[one for one in related if one.span != span],
            help=f"set it in the task: srun bash -c '{worst.name}=${worst.variable} exec {program}'",
            severity=severity,
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )


def _frozen_ranks(step: Step, program: Program) -> Iterator[_Frozen]:
    launched = bool(program.launchers)
    if any(layer.kind is LayerKind.CONTAINER and layer.name in _DOCKER for layer in program.layers):
        return
    for name in _RANKS:
        value = program.environment.get(name)
        if value is None or len(value.segments) != 1 or (launched and name in _SETS_OWN):
            continue
        for leaf in value.leaves():
            if leaf.early is None or leaf.span is None:
                continue
            differs = differing_values(step, leaf.early.variable)
            if differs is None or (launched and name != "PET_NODE_RANK"):
                continue
            number = differs.value if differs.value > 0 else None
            certain = differs.certainty is Certainty.KNOWN and len(list(value.leaves())) == 1
            certain = certain and not (program.doubtful or step.assumed)
            yield _Frozen(name, leaf.early.variable, leaf.span, step, program, number, certain)
            break


def _is_read(use: _Frozen) -> bool:
    """Tell whether the program is one that reads the variable."""
    if use.name == "PET_NODE_RANK":
        return bool(use.program.launchers)
    return use.name in _READ_BY_PROGRAMS and use.program.has_layer("python")


def _reads_ranks(program: Program) -> bool:
    """Tell whether the program is known to read the variable before anything of Slurm's."""
    return bool(program.launchers) or recognise(program).name in _MEGATRON


def _many(use: _Frozen) -> str:
    if use.number is None:
        return "all tasks"
    what = {"SLURM_NODEID": "nodes", "SLURM_LOCALID": "tasks of each node"}.get(use.variable, "tasks")
    return f"{use.number} {what}"


def _is_for_a_script(use: _Frozen) -> bool:
    """Tell whether the program is a shell script, which may well pass the variable on."""
    return (use.program.name or "").endswith((".sh", ".bash"))
