"""SB358 bare-srun-fanout."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    does_work,
    number_of,
    parse_release,
)

_DEAF = ((22, 5), (23, 2))
"""Releases whose srun does not read SLURM_CPUS_PER_TASK."""
_SMALL_NODE = 32
"""Hardly a node with GPUs has fewer CPUs."""
_BIGGEST_NODE = 1024


class BareSrunFanout(Rule):
    """srun starts as many copies of the program as fit on the node.

    ## Why
    Where nothing says how many tasks there are but each is given CPUs, srun starts so many that the CPUs of
    the allocation are used up.  With `--exclusive` that is the whole node: on one with 128 CPUs,
    `--cpus-per-task=8` makes 16 copies of the same training, which fight for the GPUs and overwrite each
    other's checkpoints.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --exclusive
    #SBATCH --cpus-per-task=8  # finding here
    #SBATCH --gpus-per-node=1
    srun python experiment.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --exclusive
    #SBATCH --cpus-per-task=8
    #SBATCH --ntasks=1
    #SBATCH --gpus-per-node=1
    srun python experiment.py
    ```

    ## Fix
    `--ntasks=1` beside it, for a job of one node.

    ## What it can't know
    How many CPUs the node has, unless a cluster profile says it: without one, tasks of more than 16 CPUs may
    each fill a node, and are told of with medium confidence.  srun of Slurm 22.05 and 23.02 does not take
    `--cpus-per-task` from the job: there only an srun with `-c` of its own does this.

    ## References
    - srun(1), `--cpus-per-task`: "as many tasks will be allocated per node as possible"
    - tried with Slurm 22.05.8: `srun -c8` started 16 tasks on a node of 128 CPUs
    - https://github.com/TUM-DAML/seml/issues/177
    """

    code = "SB358"
    name = "bare-srun-fanout"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        request = job.request
        if request.tasks_are_set is not False or not request.exclusive or request.hetjob:
            return
        release = parse_release(job.release)
        steps = [step for step in job.plan.steps if _fans_out(job, step, release)]
        if not steps:
            return
        use, own = request.get("cpus-per-task"), steps[0].get("cpus-per-task")
        place = use.span if use is not None else None
        if place is None and own is not None:
            place = own.arg.place
        each = _cpus_of_task(job, steps[0])
        if place is None or (each is not None and each * 2 > _most_cpus(job)):
            return
        yield self.finding(
            place,
            "srun starts as many copies of the program as there is room for on the node",
            label="no option says how many tasks there are",
            related=[Related(steps[0].span, "this srun")],
            help="add --ntasks=1, or --ntasks-per-node=1 for several nodes",
            fix=_fix(job, place),
            confidence=Confidence.HIGH
            if each is not None and each * 2 <= _least_cpus(job)
            else Confidence.MEDIUM,
        )


def _fans_out(job: Job, step: Step, release: tuple[int, int] | None) -> bool:
    if step.nested or not step.options_complete or not does_work(step):
        return False
    sized = ("ntasks", "ntasks-per-node", "ntasks-per-gpu", "gpus-per-task", "nodelist", "multi-prog")
    if any(step.effective(name) is not None for name in sized):
        return False
    if "SLURM_NTASKS=" in job.source.text or "SLURM_NPROCS=" in job.source.text:
        return False
    if step.get("cpus-per-task") is not None:
        return True
    cpus = job.request.cpus_per_task
    return release not in _DEAF and cpus is not None and cpus.value > 1


def _cpus_of_task(job: Job, step: Step) -> int | None:
    """CPUs of each task: srun's own number before the job's; None where it is not known."""
    own = step.get("cpus-per-task")
    if own is None:
        cpus = job.request.cpus_per_task
        return None if cpus is None else cpus.value
    told = number_of(own)
    return told.value if told is not None else None


def _cpus_of_nodes(job: Job) -> list[int]:
    types = (job.cluster.node_types or ()) if job.cluster is not None else ()
    return [kind.cpus for kind in types if kind.cpus is not None]


def _least_cpus(job: Job) -> int:
    return min(_cpus_of_nodes(job), default=_SMALL_NODE)


def _most_cpus(job: Job) -> int:
    return max(_cpus_of_nodes(job), default=_BIGGEST_NODE)


def _fix(job: Job, place: Span) -> Fix | None:
    nodes = job.request.nodes
    lines = [line for line in job.request.directives.lines if place in line.span]
    if nodes is None or nodes.value != 1 or not lines:
        return None
    end = lines[0].span.end
    return Fix.safe("start one task", Edit(Span(end, end), "\n#SBATCH --ntasks=1"))
