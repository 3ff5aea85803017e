"""SB318 ray-step-layout."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Layer,
    Program,
    Rule,
    Severity,
    Span,
    Step,
    dataclass,
    number_of,
)

_SYMMETRIC = "ray symmetric-run"


@dataclass(frozen=True)
class _Case:
    """A step that starts Ray where it can't form the cluster that is meant."""

    step: Step
    what: str
    message: str
    help: str
    known: bool
    too_few: bool = False


class RayStepLayout(Rule):
    r"""Ray is started by a step that does not put one Ray node on each node.

    ## Why
    `ray start` and `ray symmetric-run` make one Ray node of the machine that they run on.  Started several
    times on a machine they fight for its ports and GPUs ("Unable to connect to GCS", "ports already in
    use"); `ray symmetric-run` that is started on fewer nodes than it is told to wait for never goes on; and
    `ray start --head` on several nodes gives as many clusters of one.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=3
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun --nodes=1 --ntasks=1 ray symmetric-run --address "$HEAD:6379" \  # finding here
        --min-nodes 3 -- python drive.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=3
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun --nodes=$SLURM_NNODES --ntasks=$SLURM_NNODES ray symmetric-run --address "$HEAD:6379" \
        --min-nodes 3 -- python drive.py
    ```

    ## Fix
    The job's number of nodes for `--nodes` and `--ntasks` on the srun line, where `ray symmetric-run` waits
    for just so many.

    ## What it can't know
    What a script in another file starts.  The steps of a cluster that is put together by hand (a head on one
    node, workers on the others) are only looked at one by one.

    ## References
    - Ray documentation, "Deploying on Slurm" and `ray symmetric-run`
    - https://github.com/ray-project/ray/issues/58875
    """

    code = "SB318"
    name = "ray-step-layout"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            if step.span in seen:
                continue
            for program in step.programs:
                case = _case(step, program)
                if case is not None:
                    seen.add(step.span)
                    yield self._report(job, case)
                    break

    def _report(self, job: Job, case: _Case) -> Finding:
        return self.finding(
            case.step.span,
            case.message,
            label=f"starts {case.what}",
            help=case.help,
            fix=_fix(job, case),
            severity=Severity.ERROR if case.known else Severity.WARNING,
            confidence=Confidence.HIGH if case.known else Confidence.MEDIUM,
        )


def _case(step: Step, program: Program) -> _Case | None:
    layer = next((one for one in program.layers if one.name == "ray"), None)
    sure = not (step.doubtful or program.doubtful)
    if layer is not None and layer.get("min-nodes") is not None:
        return _symmetric(step, layer, sure)
    first = program.arguments[0].text if program.arguments else None
    if program.name == "ray" and first == "start":
        return _start(step, program, sure)
    return None


def _symmetric(step: Step, layer: Layer, sure: bool) -> _Case | None:
    crowd = _crowd(step, _SYMMETRIC, sure)
    if crowd is not None:
        return crowd
    least, tasks = number_of(layer.get("min-nodes")), step.geometry.tasks
    if least is None or tasks is None or tasks.value >= least.value:
        return None
    known = max(least.certainty, tasks.certainty) is Certainty.KNOWN and sure
    message = f"{_SYMMETRIC} waits for {least.value} nodes and is started on {tasks.value}"
    return _Case(step, _SYMMETRIC, message, "start it once on each node of the job", known, True)


def _start(step: Step, program: Program, sure: bool) -> _Case | None:
    crowd = _crowd(step, "ray start", sure)
    if crowd is not None:
        return crowd
    nodes = step.geometry.nodes
    head = any(argument.text == "--head" for argument in program.arguments)
    if not head or nodes is None or nodes.value < 2 or (program.conditional and not step.conditional):
        return None
    message = f"ray start --head is started on {nodes.value} nodes: each is the head of a cluster of its own"
    known = nodes.certainty is Certainty.KNOWN and sure
    return _Case(step, "ray start --head", message, "start the head on one node: srun -N1 -n1 -w", known)


def _crowd(step: Step, what: str, sure: bool) -> _Case | None:
    each = step.geometry.tasks_per_node
    if each is None or each.value < 2:
        return None
    message = f"{what} is started {each.value} times on each node"
    known = each.certainty is Certainty.KNOWN and sure
    return _Case(step, what, message, "start this step with --ntasks-per-node=1", known)


def _fix(job: Job, case: _Case) -> Fix | None:
    """Start it on all nodes of the job, where the line gives plain numbers."""
    nodes = job.request.nodes
    if not case.too_few or nodes is None or not case.known:
        return None
    edits = []
    for name in ("nodes", "ntasks"):
        option = case.step.get(name)
        if option is None:
            continue
        span = option.value.span if option.value is not None else None
        word = option.value_arg or option.arg
        if span is None or word.span is None or span not in word.span or not job.source.slice(span).isdigit():
            return None
        edits.append(Edit(span, "$SLURM_NNODES"))
    each = job.request.ntasks_per_node
    if not edits or (case.step.get("ntasks") is None and (each is None or each.value != 1)):
        return None
    return Fix.safe("start it on all nodes of the job", *edits)
