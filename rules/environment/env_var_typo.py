"""SB609 env-var-typo."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Finding,
    Fix,
    Fixable,
    GivenVariable,
    Job,
    Life,
    Meant,
    Related,
    Rule,
    Severity,
    Span,
    given_variables,
    meant_variable,
    renamed,
    variable,
)


class EnvVarTypo(Rule):
    """An environment variable is set that nothing reads: its name is misspelt.

    ## Why
    Nobody complains about a variable that does not exist: `NCCL_SOCKET_IFNANE=bond0` leaves NCCL on the
    interface that it finds first, `CUDA_MAX_CONNECTIONS=1` leaves Megatron-LM with
    "AssertionError: Using tensor model parallelism or context parallelism require setting the environment
    variable CUDA_DEVICE_MAX_CONNECTIONS to 1", and a misspelt `HF_DATASETS_CACHE` fills the home folder.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export NCCL_SOCKET_IFNANE=bond0  # finding here
    export HF_DATASET_CACHE=/lustre/hf/datasets  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export NCCL_SOCKET_IFNAME=bond0
    export HF_DATASETS_CACHE=/lustre/hf/datasets
    srun python train.py
    ```

    ## Fix
    The variable gets the name that was meant, wherever the script sets it or hands it on.  There is no fix
    where the script sets the right one as well.

    ## What it can't know
    Names that a program of your own reads.  So a name is reported only where the script itself never reads
    it, where it is one unmistakable slip away from exactly one variable of NCCL, PyTorch, Transformer Engine,
    CUDA, Hugging Face, uv, W&B, Triton or OpenMP, and where no plugin of NCCL, no other program of this field
    that was looked at, and no older release knows it.

    ## References
    - [Megatron-LM issue 1724](https://github.com/NVIDIA/Megatron-LM/issues/1724)
    - [NCCL: environment variables](https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html)
    """

    code = "SB609"
    name = "env-var-typo"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        given = given_variables(job)
        slips = {one.name: meant for one in given if (meant := meant_variable(one.name)) is not None}
        spans = {one.name: one.span for one in given}
        for name, meant in slips.items():
            edits = renamed(job, name, meant.name)
            if not edits:
                continue  # the script reads it: a name of its own
            other = spans.get(meant.name)
            if other is not None and _is_idle(meant):
                continue
            fix = Fix.safe(f"call it {meant.name}", *edits) if other is None and not _is_idle(meant) else None
            for index, one in enumerate(one for one in given if one.name == name):
                yield self._report(one, meant, fix if index == 0 else None, other)

    def _report(self, one: GivenVariable, meant: Meant, fix: Fix | None, other: Span | None) -> Finding:
        return self.finding(
            one.span,
            f"nothing reads {one.name}; the variable is {meant.name}",
            label="has no effect",
            related=[] if other is None else [Related(other, "the right name is set here")],
            help=f"write {meant.name}" if other is None and not _is_idle(meant) else "remove it",
            fix=fix,
            severity=_severity(one, meant, other),
            confidence=Confidence.HIGH if one.sure else Confidence.MEDIUM,
        )


def _severity(one: GivenVariable, meant: Meant, other: Span | None) -> Severity:
    if _is_idle(meant):
        return Severity.INFO
    return Severity.ERROR if one.sure and other is None else Severity.WARNING


def _is_idle(meant: Meant) -> bool:
    """Whether the variable that was meant does nothing any more, either."""
    known = variable(meant.name)
    return known is not None and known.life in (Life.WITHOUT_EFFECT, Life.REMOVED)
