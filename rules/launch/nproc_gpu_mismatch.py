"""SB325 nproc-gpu-mismatch."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Agent,
    Certainty,
    Confidence,
    Finding,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    agents,
    command_name,
    dataclass,
    processes_of,
)

_OTHERS_DEVICES = ("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")


@dataclass(frozen=True)
class _Case:
    name: str
    processes: int
    gpus: int
    place: Span
    gpu_spans: tuple[Span, ...]
    known: bool
    launchers: int = 1
    """How many nodes share the GPUs: 1 where it is known how many each of them has."""


class NprocGpuMismatch(Rule):
    r"""More processes are started on a node than the job has GPUs there.

    ## Why
    Each process takes the GPU of its local rank.  With `--nproc_per_node=8` on a node of which the job has 4
    GPUs, ranks 4 to 7 find none ("CUDA error: invalid device ordinal", "torch.cuda.set_device"), and the
    launcher stops the rest.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=4
    srun torchrun --standalone --nproc_per_node=8 train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=4
    srun torchrun --standalone --nproc_per_node=4 train.py
    ```

    ## What it can't know
    Whether the script trains on CPUs: nothing is reported where it says so (`--cpu`, gloo), where it chooses
    the devices itself (`CUDA_VISIBLE_DEVICES`), or where a process shares a GPU by MPS or shards.  Fewer
    processes than GPUs are reported with little confidence, and with a little more where several nodes start
    one process each because no number is given.  Tasks of srun itself are counted by SB230.

    ## References
    - torch/distributed/run.py, `--nproc-per-node`
    """

    code = "SB325"
    name = "nproc-gpu-mismatch"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for case in _of_launchers(job):
            processes = case.processes * case.launchers
            fewer = case.launchers > 1 and processes < case.gpus
            if case.place in seen or processes == case.gpus or fewer:
                continue
            seen.add(case.place)
            more = processes > case.gpus
            where = "a node" if case.launchers == 1 else f"{case.launchers} nodes"
            related = [Related(span, _gpus(case.gpus)) for span in case.gpu_spans]
            yield self.finding(
                case.place,
                f"{_processes(processes)} on {where} of which the job has {_gpus(case.gpus)}",
                label=f"{_processes(case.processes)} per node",
                related=[one for one in related if one.span != case.place],
                help="start one process for each GPU, or ask for more GPUs",
                severity=Severity.ERROR if more and case.known else Severity.WARNING,
                confidence=_confidence(case, more),
            )


def _confidence(case: _Case, more: bool) -> Confidence:
    if more and case.known:
        return Confidence.HIGH
    # Without --nproc_per_node there is one process: a count that was forgotten.
    return Confidence.MEDIUM if case.processes == 1 and case.known else Confidence.LOW


def _processes(number: int) -> str:
    return "1 process" if number == 1 else f"{number} processes"


def _gpus(number: int) -> str:
    return "1 GPU" if number == 1 else f"{number} GPUs"


def _of_launchers(job: Job) -> Iterator[_Case]:
    for agent in agents(job.plan):
        processes = processes_of(agent.layer)
        value = processes.option.value if processes.option is not None else None
        place = (value.span if value is not None else None) or agent.span
        gpus, spans, certainty = _gpus_for(job, agent)
        shared = 1
        if gpus is None:
            gpus, spans, certainty, shared = _gpus_in_all(job, agent)
        if processes.number is None or gpus is None or place is None:
            continue
        if processes.number < 2 and (processes.option is not None or not agent.meets):
            continue  # one process is meant, or the program may start others
        if agent.is_accelerate or _chooses(agent) or _told_twice(job):
            continue  # SB316 counts for accelerate
        known = max(certainty, processes.certainty) is Certainty.KNOWN and not agent.doubtful
        name = command_name(agent.program, agent.layer)
        yield _Case(name, processes.number, gpus, place, spans, known, shared)


def _gpus_for(job: Job, agent: Agent) -> tuple[int | None, tuple[Span, ...], Certainty]:
    """The GPUs on the node of one launcher, where it has them for itself."""
    if agent.step is None:
        count = job.request.gpus_per_node
        if job.request.nodes is None or job.request.hetjob:
            return None, (), Certainty.UNKNOWN
    else:
        count = agent.step.geometry.gpus_per_node
        if agent.counts[1] is None:
            return None, (), Certainty.UNKNOWN
    if count is None or count.value < 1:
        return None, (), Certainty.UNKNOWN
    return count.value, count.spans, count.certainty


def _gpus_in_all(job: Job, agent: Agent) -> tuple[int | None, tuple[Span, ...], Certainty, int]:
    """The GPUs that the launchers of a step share by ``--gpus``, and how many launchers they are."""
    total, (counted, launchers) = job.request.gpus, agent.counts
    own = agent.step is None or any(agent.step.get(name) for name in ("gpus", "gpus-per-task", "gres"))
    if total is None or launchers is None or launchers < 2 or own or job.request.hetjob:
        return None, (), Certainty.UNKNOWN, 1
    return total.value, total.spans, max(total.certainty, counted), launchers


def _told_twice(job: Job) -> bool:
    """Tell whether GPUs are asked for by task and by node as well, which SB210 looks at."""
    by_node = any(job.request.get(name) is not None for name in ("gres", "gpus-per-node", "gpus"))
    return by_node and job.request.get("gpus-per-task") is not None


def _of_neuron(name: str) -> bool:
    return "NEURON" in name


def _chooses(agent: Agent) -> bool:
    """Tell whether the devices are chosen in the script, or are no GPUs."""
    program = agent.program
    if any(name in program.environment for name in _OTHERS_DEVICES):
        return True
    words = " ".join(word.value.show() for word in (*program.words, *program.arguments)).lower()
    return "cpu" in words or "gloo" in words or any(program.environment.names_where(_of_neuron))
