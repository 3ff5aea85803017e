"""SB211 gpu-type-named-gpu."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, Rule, Severity, Span

_OPTIONS = ("gpus", "gpus-per-node", "gpus-per-socket", "gpus-per-task")
_NAMED = re.compile(r"gpus?:(?=\d+$)")


class GpuTypeNamedGpu(Rule):
    """`--gpus=gpu:8` asks for GPUs of a type that is called "gpu".

    ## Why
    `gpu:8` belongs to `--gres`.  `--gpus`, `--gpus-per-node` and their like count GPUs already, and what
    stands before the colon is a *type*.  No node has a type of that name: the request is read without
    complaint and never fits ("Requested node configuration is not available").

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gpus-per-node=gpu:8  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gpus-per-node=8
    srun hostname
    ```

    ## Fix
    The `gpu:` goes.

    ## What it can't know
    Whether a site really calls a type of GPU "gpu".

    ## References
    - sbatch(1), `--gpus`
    """

    code = "SB211"
    name = "gpu-type-named-gpu"
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS

    def check(self, job: Job) -> Iterator[Finding]:
        for request in job.request.components:
            for use in (request.get(name) for name in _OPTIONS):
                match = None if use is None else _NAMED.match(use.value or "")
                if use is None or use.value_span is None or match is None:
                    continue
                start = use.value_span.start
                number = (use.value or "")[match.end() :]
                yield self.finding(
                    use.value_span,
                    f"no node has GPUs of a type that is called {match.group()[:-1]!r}: the job never starts",
                    label="a type and a count",
                    help=f"write --{use.spec.long}={number}, or --gres=gpu:{number}",
                    fix=Fix.safe(f"write {number}", Edit(Span(start, start + match.end()), "")),
                )
