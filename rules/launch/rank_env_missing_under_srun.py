"""SB331 rank-env-missing-under-srun."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Finding,
    FrameworkName,
    Job,
    LaunchClass,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    asks_mpi_for_ranks,
    recognise,
    regex,
)

_KNOWS_SLURM = regex(
    r"(?i)lightning|submitit|jax|flax|slurm|deepspeed|horovod|mpi|nemo|fairseq|timm|composer"
)
_BASH = "srun bash -c 'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID"
_NEEDED = ("RANK", "WORLD_SIZE")


class RankEnvMissingUnderSrun(Rule):
    r"""srun starts a program that needs RANK and WORLD_SIZE, and nothing sets them.

    ## Why
    srun gives each task `SLURM_PROCID`, `SLURM_NTASKS` and `SLURM_LOCALID`.  PyTorch's `env://` reads `RANK`,
    `WORLD_SIZE` and `LOCAL_RANK`, which torchrun sets and srun does not: "environment variable RANK expected,
    but not set".  Megatron-LM takes itself for the only rank instead, and every task trains alone on the
    first GPU.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
    export WORLD_SIZE=$SLURM_NTASKS
    srun python allreduce_env.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
    export WORLD_SIZE=$SLURM_NTASKS
    srun bash -c 'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID exec python allreduce_env.py'
    ```

    ## What it can't know
    Whether the program reads Slurm's variables itself, and whether a hook of the container runtime sets the
    others: Pyxis sets RANK and LOCAL_RANK in images that have `PYTORCH_VERSION`, so nothing is said of a step
    in a container.  DeepSpeed learns its ranks by mpi4py where they are missing: nothing is said of a script
    that names it.  Only where the script sets `MASTER_ADDR` is `env://` taken to be meant, and for a program
    that is not known, where it sets `WORLD_SIZE` too, the finding has little confidence.

    ## References
    - torch/distributed/rendezvous.py (`_env_rendezvous_handler`)
    - deepspeed/comm/comm.py, `init_distributed`, `mpi_discovery`
    - NVIDIA/Megatron-LM@d98e8a64: megatron/training/arguments.py (RANK, WORLD_SIZE)
    - https://github.com/ai-dynamo/aiconfigurator/pull/1554
    """

    code = "SB331"
    name = "rank-env-missing-under-srun"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            for program in step.programs:
                span = step.span
                if span in seen or not _is_bare(step, program):
                    continue
                confidence = _confidence(step, program)
                if confidence is None or asks_mpi_for_ranks(job, program):
                    continue
                seen.add(span)
                missing = [name for name in _NEEDED if name not in program.environment]
                them = "them" if len(missing) > 1 else "it"
                place = program.target_span
                known = confidence is not Confidence.LOW
                itself = "" if known else ", and it may take Slurm's variables itself"
                yield self.finding(
                    span,
                    f"{program.name} gets no {' and '.join(missing)}: srun does not set {them}{itself}",
                    label="sets SLURM_PROCID, SLURM_NTASKS and SLURM_LOCALID only",
                    related=[Related(place, f"needs {them}" if known else f"may need {them}")]
                    if place is not None and place != span
                    else [],
                    help=f"{_BASH} exec python {program.name} ...'",
                    confidence=confidence,
                )


def _is_bare(step: Step, program: Program) -> bool:
    """Tell whether *program* is one of several tasks that no launcher starts, without a rank."""
    tasks = step.geometry.tasks
    if tasks is None or tasks.value < 2 or step.container is not None or program.launchers:
        return False
    if (
        (program.conditional and not step.conditional)
        or "RANK" in program.environment
        or program.name is None
    ):
        return False
    return program.has_layer("python")


def _confidence(step: Step, program: Program) -> Confidence | None:
    framework = recognise(program)
    tasks = step.geometry.tasks
    sure = tasks is not None and tasks.certainty is Certainty.KNOWN and not program.assumed
    if "MASTER_ADDR" not in program.environment:
        return None
    if framework.name is FrameworkName.MEGATRON_LM and framework.by_script:
        return Confidence.HIGH if sure else Confidence.MEDIUM
    if framework.launch in (LaunchClass.ENV_REQUIRED, LaunchClass.TORCHRUN_ONLY):
        return Confidence.HIGH if sure else Confidence.MEDIUM
    if framework.name is not FrameworkName.UNKNOWN:
        return None
    words = " ".join(word.value.show() for word in (*program.words, *program.arguments))
    if _KNOWS_SLURM.search(words) or "LOCAL_RANK" in program.environment:
        return None
    return Confidence.LOW if "WORLD_SIZE" in program.environment else None
