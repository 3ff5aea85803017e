"""SB611 env-var-value."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    GivenVariable,
    Job,
    Refusal,
    Rule,
    Severity,
    Span,
    given_variables,
    is_template,
    refusal_of,
    variable,
)


class EnvVarValue(Rule):
    """An environment variable is set to a value that its reader does not take.

    ## Why
    NCCL reads its switches as numbers and takes any word for 0: `NCCL_P2P_DISABLE=true` disables nothing and
    `NCCL_NVLS_ENABLE=true` switches NVLS off.  `NCCL_DEBUG=verbose` prints nothing at all.  PyTorch stops:
    "Invalid value for environment variable: TORCH_NCCL_BLOCKING_WAIT", and so does Python's `int()` for the
    variables of Transformer Engine: "ValueError: invalid literal for int() with base 10: 'true'".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export NCCL_P2P_DISABLE=true  # finding here
    export NVTE_FLASH_ATTN=false  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export NCCL_P2P_DISABLE=1
    export NVTE_FLASH_ATTN=0
    srun python train.py
    ```

    A word that there is none of:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export NCCL_DEBUG=verbose  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export NCCL_DEBUG=INFO
    srun python train.py
    ```

    ## Fix
    `true` and the like become 1, `false` and the like 0, and a word in the wrong case the right one.

    ## What it can't know
    What a plugin of NCCL makes of a value.  Only variables whose reader says exactly what it takes are looked
    at, and only values that the script tells in full; nothing in a template, whose values a program fills in.

    ## References
    - NVIDIA/nccl@5067397c: src/misc/param.cc (`ncclLoadParam`), src/debug.cc, src/graph/paths.cc
      (`ncclGetLevel`)
    - torch 2.14.1: torch/csrc/distributed/c10d/Utils.hpp (`getCvarBool`, `getCvarInt`)
    - [Transformer Engine: environment variables](https://docs.nvidia.com/deeplearning/transformer-engine/user-guide/envvars.html)
    """

    code = "SB611"
    name = "env-var-value"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for one in () if is_template(job) else given_variables(job):
            known, text = variable(one.name), None if one.value is None else one.value.text
            refusal = refusal_of(known, text) if known is not None and text is not None else None
            if refusal is not None and text is not None:
                yield self._report(job, one, text, refusal)

    def _report(self, job: Job, one: GivenVariable, text: str, refusal: Refusal) -> Finding:
        known = one.value is not None and one.value.certainty is Certainty.KNOWN
        sure = known and one.sure
        severity = Severity.ERROR if refusal.serious and sure else Severity.WARNING
        return self.finding(
            one.span,
            f"{one.name}={text}: {refusal.consequence}",
            label=f"it takes {refusal.legal}",
            help=f"write {one.name}={refusal.better}" if refusal.better else f"write {refusal.legal}",
            fix=_fix(job, one, text, refusal),
            severity=Severity.INFO if refusal.harmless else severity,
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )


def _fix(job: Job, one: GivenVariable, text: str, refusal: Refusal) -> Fix | None:
    """Replace the value where it stands behind the name as it is."""
    written = job.source.slice(one.span)
    start = one.span.start + len(one.name) + 1
    if not refusal.better or written != f"{one.name}={text}":
        return None
    return Fix.safe(f"write {refusal.better}", Edit(Span(start, one.span.end), refusal.better))
