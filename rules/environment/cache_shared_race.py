"""SB603 cache-shared-race."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    SHARED_ROOTS,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Program,
    Rule,
    Severity,
    Span,
    Step,
    Value,
    locality_of,
    on_shared_storage,
    regex,
)

_CACHES = {
    "TRITON_CACHE_DIR": "triton",
    "TRITON_HOME": "triton",
    "TORCHINDUCTOR_CACHE_DIR": "inductor",
    "TORCH_EXTENSIONS_DIR": "torch_extensions",
}
_SHARED = regex(
    rf"(?:\$HOME|\$\{{HOME\}}|~|\$SCRATCH|\$WORK|\$PROJECT)(?=/|$)|/(?:home|work)/|{SHARED_ROOTS.pattern}"
)
_OWN = regex(r"PROCID|LOCALID|NODEID|NODENAME|hostname|HOSTNAME|RANK|SLURM_TASK_PID|\$\$|RANDOM|mktemp")


class CacheSharedRace(Rule):
    """All tasks compile into one cache folder on a shared file system.

    ## Why
    Triton, TorchInductor and PyTorch's C++ extensions write compiled kernels into a folder and load them from
    it.  They count on a local disk: on NFS or Lustre one rank renames or removes a file that another has open
    (`OSError: [Errno 116] Stale file handle`, `Device or resource busy`, a truncated `.so`), or waits for a
    lock that a killed job has left behind.  One rank dies, the others hang until the NCCL time-out.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export TRITON_CACHE_DIR=$HOME/.triton/cache  # finding here
    srun python train.py --compile
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export TRITON_CACHE_DIR=/tmp/triton_${USER}_${SLURM_JOB_ID}
    srun python train.py --compile
    ```

    ## Fix
    The cache is put under `/tmp` of each node, named after user and job, where it stands under the home
    folder.

    ## What it can't know
    Whether a folder is really shared: home folders and `/lustre`, `/gpfs`, `/scratch` and the like are taken
    to be, unless the cluster's profile says otherwise.  A cache that was filled beforehand and is only read
    does no harm.  One node is less sure.

    ## References
    - [triton issue 11512](https://github.com/triton-lang/triton/issues/11512)
    - [PyTorch issue 173679](https://github.com/pytorch/pytorch/issues/173679)
    """

    code = "SB603"
    name = "cache-shared-race"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            for program in step.programs:
                for name in _CACHES:
                    value, span = program.environment.get(name), program.environment_spans.get(name)
                    if value is None or span is None or span in seen:
                        continue
                    if name == "TRITON_HOME" and program.environment.get("TRITON_CACHE_DIR"):
                        continue  # the cache is elsewhere
                    number = _processes(step, program)
                    if number < 2 or not _is_shared(job, value, step):
                        continue
                    seen.add(span)
                    yield self._report(job, step, name, value, span)

    def _report(self, job: Job, step: Step, name: str, value: Value, span: Span) -> Finding:
        nodes = step.geometry.nodes
        several = nodes is not None and nodes.value > 1
        where = f"/tmp/{_CACHES[name]}_${{USER}}_${{SLURM_JOB_ID}}"
        return self.finding(
            span,
            f"all ranks will write compiled kernels into one folder: {name}={value.show()}",
            label="on a shared file system",
            help=f"use a folder of the node: {where}",
            fix=_fix(job, name, span, where),
            confidence=Confidence.HIGH if several else Confidence.MEDIUM,
        )


def _processes(step: Step, program: Program) -> int:
    """How many processes use the cache at least."""
    tasks, nodes = step.geometry.tasks, step.geometry.nodes
    if tasks is not None and tasks.value > 1:
        return tasks.value
    if nodes is not None and nodes.value > 1:
        return nodes.value
    return 2 if program.launcher is not None else 1


def _is_shared(job: Job, value: Value, step: Step) -> bool:
    shown = value.show()
    told = on_shared_storage(job, shown)
    if (
        not (_SHARED.match(shown) if told is None else told)
        or _OWN.search(shown)
        or any(leaf.per_task for leaf in value.unknowns())
    ):
        return False
    return locality_of(value, step.container) is None


def _fix(job: Job, name: str, span: Span, where: str) -> Fix | None:
    """Replace the value where it is written as ``NAME=$HOME/...`` on one line."""
    text = job.source.text
    line = job.source.line_around(span.start)
    written = re.compile(
        rf"(?:export[ \t]+)?{name}=(\"?)(?:\$HOME|\$\{{HOME\}}|~)(?:/[\w./-]*)?\1(?=[ \t]*(?:$|#|;))"
    )
    match = written.search(text, line.start, line.end)
    if match is None or "'" in text[line.start : match.start()]:
        return None
    value = match.start() + match.group().index("=") + 1
    return Fix.safe("put the cache on the node's own disk", Edit(Span(value, match.end()), where))
