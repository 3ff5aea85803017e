"""SB316 accelerate-counts."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Agent,
    Certainty,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Number,
    Related,
    Rule,
    Severity,
    Span,
    agents,
    dataclass,
    number_of,
)


@dataclass(frozen=True)
class _Case:
    agent: Agent
    total: Number
    machines: Number
    gpus: int
    gpu_spans: tuple[Span, ...]
    known: bool

    @property
    def all_gpus(self) -> int:
        return self.machines.value * self.gpus


class AccelerateCounts(Rule):
    r"""`accelerate launch --num_processes` is given the processes of one node instead of all.

    ## Why
    `--num_processes` is the number in all; accelerate divides it by `--num_machines`.  With 8 for two nodes
    of 8 GPUs each it starts 4 on each node, and half of the GPUs stay idle.  A number that the machines do
    not divide leaves ranks out, and the others wait for them.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'accelerate launch --num_machines 2 --num_processes 8 \  # finding here
        --machine_rank $SLURM_NODEID --main_process_ip $HEAD --main_process_port 24000 train.py'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'accelerate launch --num_machines 2 --num_processes 16 \
        --machine_rank $SLURM_NODEID --main_process_ip $HEAD --main_process_port 24000 train.py'
    ```

    ## Fix
    The product of machines and GPUs per node, where the number is that of one node's GPUs and written out.

    ## What it can't know
    Fewer processes than GPUs can be meant: other numbers than the GPUs of one node are reported with less
    confidence.

    ## References
    - accelerate/utils/launch.py (`prepare_multi_gpu_env`: `num_processes // num_machines`)
    - https://github.com/huggingface/accelerate/issues/1837
    """

    code = "SB316"
    name = "accelerate-counts"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for agent in agents(job.plan):
            case = _case(agent)
            if case is None or case.total.value == case.all_gpus:
                continue
            value = case.total.option.value
            place = (value.span if value is not None else None) or case.total.option.arg.place
            if place is None or place in seen:
                continue
            seen.add(place)
            yield self._report(job, case, place)

    def _report(self, job: Job, case: _Case, place: Span) -> Finding:
        total, machines, gpus = case.total.value, case.machines.value, case.gpus
        per_node = total == gpus
        if total % machines:
            message = f"{total} processes can't be shared out evenly among {machines} machines"
        else:
            message = f"accelerate starts {total // machines} processes on each node, which has {gpus} GPUs"
        related = [Related(span, f"{gpus} GPUs per node") for span in case.gpu_spans]
        sure = case.known and (per_node or bool(total % machines) or total > case.all_gpus)
        return self.finding(
            place,
            message,
            label=f"{total} in all, on {machines} nodes together",
            related=[one for one in related if one.span != place],
            help=f"set --num_processes to {machines} x {gpus} = {case.all_gpus}",
            fix=_fix(job, case, place) if per_node else None,
            severity=Severity.WARNING,
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )


def _case(agent: Agent) -> _Case | None:
    if not agent.is_accelerate or agent.step is None:
        return None
    total, machines = number_of(agent.layer.get("num-processes")), agent.nodes
    gpus = agent.step.geometry.gpus_per_node
    _, count = agent.counts
    if total is None or machines is None or machines.value < 2 or gpus is None or gpus.value < 1:
        return None
    if count is not None and count != machines.value:
        return None  # SB326 says so
    grades = (total.certainty, machines.certainty, gpus.certainty)
    known = max(grades) is Certainty.KNOWN and not agent.doubtful
    return _Case(agent, total, machines, gpus.value, gpus.spans, known)


def _fix(job: Job, case: _Case, place: Span) -> Fix | None:
    if job.source.slice(place) != str(case.total.value) or not case.known:
        return None
    word = case.total.option.value_arg or case.total.option.arg
    if word.place is None or place not in word.place:
        return None
    return Fix.safe("count the processes of all machines", Edit(place, str(case.all_gpus)))
