"""SB211 gpu-type-named-gpu."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Complaint,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Rule,
    Severity,
    Span,
    bad_values,
    dataclass,
    line_values,
    regex,
    said,
    severity_of,
)

_OPTIONS = ("gpus", "gpus-per-node", "gpus-per-socket", "gpus-per-task")
_NAMED = regex(r"gpus?:(?=\d+$|[A-Za-z][\w.-]*:\d+$)")


@dataclass(frozen=True)
class _Given:
    long: str
    value: str
    span: Span
    prefix: str
    """The type with its colon."""
    known: bool = True


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

    The lines of srun, salloc and sbatch are read in the same way:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gpus-per-node=8
    srun --nodes=1 --ntasks=8 --gpus=gpu:8 hostname  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --gpus-per-node=8
    srun --nodes=1 --ntasks=8 --gpus=8 hostname
    ```

    ## Fix
    The `gpu:` goes, where it is written as it is read.

    ## What it can't know
    Whether a site really calls a type of GPU "gpu".

    ## References
    - sbatch(1), `--gpus`
    """

    code = "SB211"
    name = "gpu-type-named-gpu"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        refused = {use.span: complaint for complaint, use in bad_values(job, "gpu_count", "gpus_per_task")}
        for request in job.request.components:
            for use in (request.get(name) for name in _OPTIONS):
                match = None if use is None else _NAMED.match(use.value or "")
                if use is not None and use.value_span is not None and match is not None:
                    given = _Given(use.spec.long, use.value or "", use.value_span, match.group())
                    yield self._report(job, given, refused.get(use.span))
        for one in line_values(job):
            match = _NAMED.match(one.value) if one.long in _OPTIONS else None
            if match is not None:
                given = _Given(one.long, one.value, one.span, match.group(), one.known)
                yield self._report(job, given, None)

    def _report(self, job: Job, given: _Given, complaint: Complaint | None) -> Finding:
        value, prefix = given.span, given.prefix
        wanted = given.value[len(prefix) :]
        option = f"--{given.long}"
        start = Span(value.start, value.start + len(prefix))
        fix = Fix.safe(f"write {wanted}", Edit(start, "")) if job.source.slice(start) == prefix else None
        message = f"no node has GPUs of a type that is called {prefix[:-1]!r}: the job never starts"
        if ":" in wanted:
            message = f"{option} counts GPUs already: {prefix[:-1]!r} is taken for their type"
        return self.finding(
            value,
            message,
            label="a type and a count",
            help=f"write {option}={wanted}, or --gres=gpu:{wanted}",
            notes=() if complaint is None else said(complaint),
            fix=fix,
            confidence=Confidence.HIGH if given.known else Confidence.MEDIUM,
            severity=None if complaint is None else severity_of(job, complaint),
        )
