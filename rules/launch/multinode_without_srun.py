"""SB311 multinode-without-srun."""

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
    FrameworkName,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    agents,
    dataclass,
    option_numbers,
    reaches_other_nodes,
    recognise,
    regex,
)

_NODE_OPTIONS = ("num_nodes", "num-nodes", "nnodes", "trainer.num_nodes")
_STARTS_JOBS = regex(r"(?i)launch|submit|slurm|sbatch|cluster|runner|orchestrat|nemo_?run|dask|ray")
_SUBMITS = regex(r"(?i)--\S{0,200}(submit|slurm|sbatch|launcher)|hydra/launcher")
_TRAINS = regex(r"(?i)(^|[^a-z])(pre)?train|fine_?tune|(^|_)(sft|ddp|fsdp)(_|\.)")


@dataclass(frozen=True)
class _Lonely:
    """A program that the batch shell starts on one node of several."""

    program: Program
    span: Span
    effect: str
    severity: Severity
    confidence: Confidence
    per_node: int | None
    """How many tasks per node srun should start of it, where that is known."""


class MultinodeWithoutSrun(Rule):
    r"""The job has several nodes, and the batch shell starts the training on the first of them alone.

    ## Why
    A batch script runs once, on the first node.  A command that it starts without srun stays there: the
    other nodes are allocated, billed and idle.  A launcher that is told of several nodes waits for partners
    that nobody starts ("Timed out ... waiting for clients. 1/2 clients joined"), and so does a framework
    that counts the tasks of the job.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(hostname)
    torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:24000 \  # finding here
        --rdzv_id=$SLURM_JOB_ID train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(hostname)
    srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:24000 \
        --rdzv_id=$SLURM_JOB_ID train.py
    ```

    ## Fix
    `srun` before the command, where the job's tasks per node are what the command needs: one for torchrun
    and accelerate, one per device for Lightning.

    ## What it can't know
    What a program does: some start their own steps (submitit, NeMo-Run, Snakemake, Dask), and nothing is
    reported of those that are named like one.  Nothing is reported either where the script reaches the other
    nodes in any other way (srun, ssh, pdsh, mpirun, ray, the deepspeed launcher); a step of one node that the
    script waits for is no such way.

    ## References
    - sbatch(1), DESCRIPTION
    - https://github.com/Lightning-AI/pytorch-lightning/issues/8707
    """

    code = "SB311"
    name = "multinode-without-srun"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        nodes = job.request.nodes
        if nodes is None or nodes.value < 2 or job.request.hetjob or job.plan.incomplete:
            return
        if reaches_other_nodes(job.plan):
            return
        sure = nodes.certainty is Certainty.KNOWN
        seen: set[Span] = set()
        for lonely in _lonely(job, nodes.value):
            if lonely.span in seen:
                continue
            seen.add(lonely.span)
            related = [Related(span, f"{nodes.value} nodes") for span in nodes.spans]
            yield self.finding(
                lonely.span,
                f"this starts on one of {nodes.value} nodes: {lonely.effect}",
                label="started by the batch shell, without srun",
                related=related,
                help="start it with srun",
                fix=_fix(job, lonely),
                severity=lonely.severity if sure else Severity.WARNING,
                confidence=lonely.confidence,
            )


def _lonely(job: Job, nodes: int) -> Iterator[_Lonely]:
    launched = set()
    for agent in agents(job.plan):
        if agent.step is None:
            launched.add(id(agent.program))
            found = _of_launcher(agent, nodes)
            if found is not None:
                yield found
    for program in job.plan.host_programs:
        if id(program) not in launched and not program.launchers:
            found = _of_program(job, program, nodes)
            if found is not None:
                yield found


def _of_launcher(agent: Agent, nodes: int) -> _Lonely | None:
    span = _start(agent.program)
    if span is None or (agent.layer.get("standalone") is not None and not agent.layer.complete):
        return None
    doubtful = agent.doubtful or agent.nodes is None
    confidence = Confidence.MEDIUM if doubtful else Confidence.HIGH
    told = agent.nodes
    if told is not None and told.value > 1:
        severity = Severity.WARNING if doubtful else Severity.ERROR
        others = "another" if told.value == 2 else f"{told.value - 1} others"
        return _Lonely(agent.program, span, f"the launcher waits for {others}", severity, confidence, 1)
    if (agent.told_nodes and told is None) or (agent.is_accelerate and told is None):
        return _Lonely(agent.program, span, _idle(nodes), Severity.WARNING, Confidence.MEDIUM, 1)
    confidence = Confidence.MEDIUM if agent.doubtful else Confidence.HIGH
    return _Lonely(agent.program, span, _idle(nodes), Severity.WARNING, confidence, None)


def _of_program(job: Job, program: Program, nodes: int) -> _Lonely | None:
    name, span = program.name or "", _start(program)
    if span is None or not program.has_layer("python"):
        return None
    options = " ".join(argument.value.show() for argument in program.arguments)
    if _STARTS_JOBS.search(program.target.show()) or _SUBMITS.search(options):
        return None
    doubtful = program.doubtful
    framework = recognise(program)
    if framework.is_native_bridge and (job.request.ntasks is None or job.request.ntasks.value < 2):
        return None
    if framework.is_native_bridge:
        severity = Severity.WARNING if doubtful else Severity.ERROR
        waits = "it waits for the job's other ranks"
        return _Lonely(program, span, waits, severity, _confidence(doubtful), _gpus(job))
    told = [number for number in option_numbers(program, _NODE_OPTIONS) if number.value == nodes]
    if told:
        known = told[-1].certainty is Certainty.KNOWN and not doubtful
        severity = Severity.ERROR if known else Severity.WARNING
        devices = option_numbers(program, ("devices", "gpus", "trainer.devices"))
        each = devices[-1].value if devices else None
        waits = f"the program is told of {nodes} and waits for the others"
        return _Lonely(program, span, waits, severity, _confidence(doubtful), each)
    if framework.name is FrameworkName.MEGATRON_LM and framework.by_script:
        return _Lonely(program, span, _idle(nodes), Severity.WARNING, _confidence(doubtful), None)
    if _TRAINS.search(name) and job.request.gpus_per_node is not None:
        return _Lonely(program, span, _idle(nodes), Severity.WARNING, Confidence.MEDIUM, None)
    return None


def _confidence(doubtful: bool) -> Confidence:
    return Confidence.MEDIUM if doubtful else Confidence.HIGH


def _gpus(job: Job) -> int | None:
    gpus = job.request.gpus_per_node
    return gpus.value if gpus is not None else None


def _idle(nodes: int) -> str:
    return "the other stays idle" if nodes == 2 else f"the other {nodes - 1} stay idle"


def _start(program: Program) -> Span | None:
    """Where the command line of *program* begins, its wrappers included."""
    spans = [layer.span for layer in program.layers] + [program.span]
    return min((span for span in spans if span is not None), default=None)


def _fix(job: Job, lonely: _Lonely) -> Fix | None:
    each = job.request.ntasks_per_node
    if each is None or lonely.per_node != each.value or each.certainty is not Certainty.KNOWN:
        return None
    start = lonely.span.start
    before = job.source.text[job.source.line_around(start).start : start]
    if before.strip() or lonely.program.conditional:
        return None
    return Fix.safe("start it with srun", Edit(Span(start, start), "srun "))
