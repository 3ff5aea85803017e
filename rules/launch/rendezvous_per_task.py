"""SB327 rendezvous-per-task."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    PORT_OF_JOB,
    Agent,
    Certainty,
    Confidence,
    Finding,
    Job,
    LayerOption,
    Related,
    Rule,
    Severity,
    Span,
    Unknown,
    Value,
    agents,
    dataclass,
    is_deferred,
    regex,
)

_CLOCK = r"\bdate(?:\s+(?:-u\s+)?['\"]?\+[^)`]{0,99}%[sNSTMr][^)`]{0,99})?\s*[)`]"
"""``date`` to the minute or finer: the tasks do not start at the same moment."""
_DRAWN = regex(rf"RANDOM|\bshuf\b|{_CLOCK}|uuid|\bmktemp\b|socket|random|getrandom|/dev/urandom|\$\$")
_OWN_HOST = regex(
    r"^\$\(hostname(?:\s+-[sfiI])?[^|;]*\)$|^`hostname[^|;]*`$|^\$\{?HOSTNAME\}?$|\$\{?SLURMD_NODENAME"
)
_OPTIONS = {
    "rdzv-id": "id",
    "rdzv-endpoint": "address",
    "master-addr": "address",
    "main-process-ip": "address",
    "master-port": "port",
    "main-process-port": "port",
}


@dataclass(frozen=True)
class _Drawn:
    span: Span
    what: str
    agent: Agent


class RendezvousPerTask(Rule):
    r"""Each task draws the port, the id or the address of the rendezvous for itself.

    ## Why
    All launchers of a job have to come to one address, port and `--rdzv_id`.  `$RANDOM`, `shuf`, `date` and
    `$(hostname)` that the shell of each task expands give every node something else, and none of them ever
    meets another: "Timed out ... waiting for clients. 1/2 clients joined", "RendezvousTimeoutError".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d \
        --rdzv_id=$RANDOM \  # finding here
        --rdzv_endpoint=$HEAD:24000 train.py'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d \
        --rdzv_id=$SLURM_JOB_ID \
        --rdzv_endpoint=$HEAD:24000 train.py'
    ```

    ## What it can't know
    The same expansions in the batch shell, before srun, give all tasks the same value and are right.  Only
    what stands between single quotes, behind a backslash or in a here-document with a quoted delimiter is
    looked at.

    ## References
    - torch/distributed/run.py, `--rdzv-id`
    """

    code = "SB327"
    name = "rendezvous-per-task"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for agent in agents(job.plan):
            for drawn in _drawn(job, agent):
                if drawn.span not in seen:
                    seen.add(drawn.span)
                    yield self._report(job, drawn)

    def _report(self, job: Job, drawn: _Drawn) -> Finding:
        agent = drawn.agent
        told = agent.nodes
        sure = told is not None and told.certainty is Certainty.KNOWN and not agent.doubtful
        written = job.source.slice(drawn.span).lstrip("\\")
        right = {"id": "$SLURM_JOB_ID", "port": PORT_OF_JOB}.get(
            drawn.what, "the name of the job's first node"
        )
        return self.finding(
            drawn.span,
            f"each node has another {drawn.what} to meet at: {written} is expanded in every task",
            label="expanded by the shell of each task",
            related=[Related(agent.step.span, "starts the tasks")] if agent.step is not None else [],
            help=f"use {right}, or set it in the batch script and export it",
            severity=Severity.ERROR if sure else Severity.WARNING,
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )


def _drawn(job: Job, agent: Agent) -> Iterator[_Drawn]:
    _, count = agent.counts
    if agent.step is None or not agent.meets or count == 1:
        return
    for name, what in _OPTIONS.items():
        option = agent.layer.get(name)
        if option is not None and option.value is not None:
            yield from _in_value(job, agent, option, option.value, what)


def _in_value(job: Job, agent: Agent, option: LayerOption, value: Value, what: str) -> Iterator[_Drawn]:
    for leaf in value.leaves():
        if not isinstance(leaf, Unknown) or leaf.span is None or not is_deferred(job, leaf.span):
            continue
        written = job.source.slice(leaf.span).lstrip("\\")
        own = what == "address" and _OWN_HOST.search(written) is not None
        if own or _DRAWN.search(written):
            found = "port" if what == "address" and not own else what
            yield _Drawn(leaf.span, found, agent)
