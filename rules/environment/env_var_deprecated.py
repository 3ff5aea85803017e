"""SB610 env-var-deprecated."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Finding,
    Fix,
    Fixable,
    GivenVariable,
    Job,
    Life,
    Rule,
    Severity,
    Variable,
    given_variables,
    regex,
    renamed,
    variable,
)

_RENAMED_BY_TORCH = "PyTorch 2.2"
_NEW_ENOUGH = regex(
    r"TORCH_(?:NCCL|FR)_\w+|torch(?:==|/|-)(?:2\.(?:[2-9]|\d\d)|[3-9]\.)|pytorch[:_-](?:2[4-9]|[3-9]\d)\.\d\d"
)
"""What only a PyTorch since 2.2 goes with: its variables, its version, the tag of NVIDIA's image."""


class EnvVarDeprecated(Rule):
    """An environment variable has another name by now, or does nothing any more.

    ## Why
    PyTorch 2.2 gave its own variables the prefix `TORCH_`: "[W Utils.hpp] Warning: Environment variable
    NCCL_ASYNC_ERROR_HANDLING is deprecated; use TORCH_NCCL_ASYNC_ERROR_HANDLING instead".  Others are still
    set by habit and no longer read: transformers 5 passes over `TRANSFORMERS_CACHE`, so that models go to the
    home folder again, and `TORCH_NCCL_AVOID_RECORD_STREAMS` has become the default.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export TORCH_NCCL_ENABLE_MONITORING=1
    export NCCL_ASYNC_ERROR_HANDLING=1  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export TORCH_NCCL_ENABLE_MONITORING=1
    export TORCH_NCCL_ASYNC_ERROR_HANDLING=1
    srun python train.py
    ```

    ## Fix
    The new name, where it takes the same values.  PyTorch before 2.2 knows the old ones alone, so the fix is
    safe only where the script shows a newer one: a variable, a version or an image tag of its.

    ## What it can't know
    Which release runs.  A script for an older one is right to use the older name, so this is an info.
    `PYTORCH_CUDA_ALLOC_CONF` is never renamed: PyTorch 2.9.1 reads `expandable_segments` under it alone.

    ## References
    - [PyTorch pull request 114077](https://github.com/pytorch/pytorch/pull/114077)
    - [PyTorch issue 183387](https://github.com/pytorch/pytorch/issues/183387)
    - [NCCL: environment variables](https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html)
    """

    code = "SB610"
    name = "env-var-deprecated"
    severity = Severity.INFO
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        names = {one.name for one in given_variables(job)}
        fixed: set[str] = set()
        for one in given_variables(job):
            known = variable(one.name)
            if known is None or known.life is Life.CURRENT or known.replacement in names:
                continue
            yield self._report(job, one, known, one.name not in fixed)
            fixed.add(one.name)

    def _report(self, job: Job, one: GivenVariable, known: Variable, first: bool) -> Finding:
        return self.finding(
            one.span,
            _message(known),
            label="a name of the past" if known.replacement else "not needed any more",
            help=f"use {known.replacement}" if known.replacement else "remove it",
            notes=(known.life_note,) if known.life_note else (),
            fix=_fix(job, known) if first else None,
        )


def _message(known: Variable) -> str:
    since = f" since {known.life_since}" if known.life_since else ""
    if known.life is Life.WITHOUT_EFFECT:
        return f"{known.name} has no effect any more{since}"
    if known.life is Life.REMOVED:
        return f"{known.name} is not read any more{since}"
    if known.replacement:
        return (
            f"{known.name} is called {known.replacement}{since}"
            if known.renamed
            else _in_favour(known, since)
        )
    return f"{known.name} is deprecated{since}"


def _in_favour(known: Variable, since: str) -> str:
    return f"{known.name} is deprecated{since} in favour of {known.replacement}"


def _fix(job: Job, known: Variable) -> Fix | None:
    edits = renamed(job, known.name, known.replacement) if known.renamed else ()
    if not edits:
        return None
    title = f"call it {known.replacement}"
    sure = known.life_since == _RENAMED_BY_TORCH and _NEW_ENOUGH.search(job.source.text) is not None
    return Fix.safe(title, *edits) if sure else Fix.unsafe(title, *edits)
