"""How the deepspeed launcher comes by its nodes.

Source: deepspeed/launcher/runner.py of deepspeedai/DeepSpeed@2d991ba3 (``main``, ``fetch_hostfile``).
"""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Job,
    Layer,
    Number,
    Program,
    Severity,
    Span,
    Step,
    dataclass,
    number_of,
    reaches_other_nodes,
)

_CHOOSING = ("include", "i", "exclude", "e", "elastic-training", "autotuning", "force-multi")
"""Options with which something else decides on what it starts."""
_USUAL_FILES = ("/job/hostfile", "DLTS_HOSTFILE")
"""The host file that is read where none is named."""


@dataclass(frozen=True)
class DeepspeedLauncher:
    """One deepspeed launcher, in a step or (``step`` None) on the batch host."""

    step: Step | None
    program: Program
    layer: Layer

    @property
    def tasks(self) -> int:
        """How often it is started."""
        tasks = self.step.geometry.tasks if self.step is not None else None
        return tasks.value if tasks is not None else 1

    @property
    def by_hand(self) -> bool:
        """Whether each node's launcher is told its place, so that it starts nothing elsewhere."""
        return self.layer.get("no-ssh", "node-rank", "no_ssh") is not None

    @property
    def has_hosts(self) -> bool:
        """Whether a host file is named."""
        return self.layer.get("hostfile", "H") is not None

    @property
    def doubtful(self) -> bool:
        """Whether it may not be started, or with other options."""
        step = self.step is not None and self.step.doubtful
        return step or self.program.doubtful or not self.layer.complete


@dataclass(frozen=True)
class Trouble:
    """What is wrong with the nodes of one launcher, and where."""

    span: Span
    text: str
    label: str
    help: str
    severity: Severity
    confidence: Confidence


def deepspeed_launchers(job: Job) -> Iterator[tuple[DeepspeedLauncher, Span]]:
    """Yield each deepspeed launcher of *job*, and where it is written."""
    for step, program in job.plan.programs():
        for layer in program.launchers:
            span = layer.span or program.span
            if layer.name == "deepspeed" and span is not None:
                yield DeepspeedLauncher(step, program, layer), span


def trouble_with_nodes(job: Job, launcher: DeepspeedLauncher, span: Span) -> Trouble | None:
    """Return what is wrong with the nodes that *launcher* (at *span*) is told of; None for nothing."""
    if any(launcher.layer.get(name) is not None for name in _CHOOSING):
        return None
    if launcher.step is not None:
        return _same_rank(launcher) if launcher.by_hand and launcher.tasks > 1 else None
    nodes = job.request.nodes
    if nodes is None or nodes.value < 2 or job.request.hetjob or job.plan.incomplete or launcher.by_hand:
        return None
    if reaches_other_nodes(job.plan, besides="deepspeed"):
        return None
    known = nodes.certainty is Certainty.KNOWN and not launcher.doubtful
    confidence = Confidence.HIGH if known else Confidence.MEDIUM
    option = launcher.layer.get("num-nodes")
    told = number_of(option)
    if option is not None and told is None:
        return None
    if not launcher.has_hosts:
        return _without_hosts(job, launcher, span, nodes.value, told, confidence)
    place = option.arg.place if option is not None else None
    if told is None or place is None or not 1 <= told.value < nodes.value:
        return None
    return Trouble(
        place,
        f"deepspeed is told of {_nodes(told.value)}, and the job has {nodes.value}",
        f"the first {told.value} of the host file" if told.value > 1 else "the first of the host file",
        f"set --num_nodes={nodes.value}, or leave it out: then all nodes of the host file are taken",
        Severity.WARNING,
        confidence if told.certainty is Certainty.KNOWN else Confidence.MEDIUM,
    )


def _without_hosts(
    job: Job, launcher: DeepspeedLauncher, span: Span, nodes: int, told: Number | None, confidence: Confidence
) -> Trouble | None:
    if not launcher.layer.complete or any(name in job.source.text for name in _USUAL_FILES):
        return None
    idle = "the other stays idle" if nodes == 2 else f"the other {nodes - 1} stay idle"
    text = f"the deepspeed launcher starts on one of {nodes} nodes: {idle}"
    if told is not None and told.value > 1:
        text = f"deepspeed is told of {_nodes(told.value)} and has no host file: it stops at once"
    help = "write the job's nodes to a host file and name it with --hostfile, or start torchrun with srun"
    label = "without a host file it knows its own node only"
    return Trouble(span, text, label, help, Severity.WARNING, confidence)


def _same_rank(launcher: DeepspeedLauncher) -> Trouble | None:
    """All launchers of a step with one place: only the one whose place it is can start."""
    option = launcher.layer.get("node-rank")
    value = option.value if option is not None and option.certain else None
    if option is None or value is None or not (value.text or "").isdecimal():
        return None
    place = value.span or option.arg.place
    if place is None or any(leaf.early is not None for leaf in value.leaves()):
        return None
    tasks = launcher.step.geometry.tasks if launcher.step is not None else None
    known = tasks is not None and tasks.certainty is Certainty.KNOWN and not launcher.doubtful
    return Trouble(
        place,
        f"all {launcher.tasks} launchers call themselves node {value.text}",
        f"srun starts deepspeed {launcher.tasks} times with --node_rank={value.text}",
        "let each task say its own: srun bash -c 'deepspeed --no_ssh --node_rank=$SLURM_NODEID ...'",
        Severity.ERROR if known else Severity.WARNING,
        Confidence.HIGH if known else Confidence.MEDIUM,
    )


def _nodes(number: int) -> str:
    return "1 node" if number == 1 else f"{number} nodes"
