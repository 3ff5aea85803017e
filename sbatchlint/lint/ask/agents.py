"""Launchers of PyTorch that run on each node and have to find each other: torchrun, accelerate launch."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.certainty import Certainty
from sbatchlint.launch.counts import machines_option
from sbatchlint.launch.plan import LaunchPlan, Layer, LayerOption, Program, Step
from sbatchlint.lint.ask.launchers import PER_NODE_LAUNCHERS
from sbatchlint.lint.ask.numbers import Number, number_of
from sbatchlint.records import dataclass
from sbatchlint.source import Span

_ADDRESS = ("rdzv-endpoint", "master-addr", "main-process-ip")
_STATIC = (None, "", "static")


def has_torchrun_variables(program: Program) -> bool:
    """Whether the script sets variables for *program* that torchrun reads as options (``PET_NNODES``)."""
    return any(program.environment.names_where(_of_torchrun))


def _of_torchrun(name: str) -> bool:
    return name.startswith("PET_")


@dataclass(frozen=True, slots=True)
class Agent:
    """One such launcher, in a step or (``step`` None) on the batch host."""

    step: Step | None
    program: Program
    layer: Layer

    @property
    def span(self) -> Span | None:
        """Where the launcher is written."""
        return self.layer.span or self.program.span

    @property
    def doubtful(self) -> bool:
        """Whether a condition or a default decides if it is started, or with which options."""
        step = self.step is not None and self.step.doubtful
        return step or self.program.doubtful or not self.layer.complete

    @property
    def is_accelerate(self) -> bool:
        """Whether it is ``accelerate launch``, which also reads a file of its own."""
        return self.layer.name == "accelerate"

    @property
    def nodes(self) -> Number | None:
        """How many launchers it is told of; None where not told in a plain number."""
        return number_of(machines_option(self.layer))

    @property
    def told_nodes(self) -> bool:
        """Whether anything says how many launchers there are."""
        environment = "PET_NNODES" in self.program.environment
        return machines_option(self.layer) is not None or environment

    @property
    def rank(self) -> LayerOption | None:
        """The option with its own number among the launchers."""
        return self.layer.get("node-rank", "machine-rank")

    @property
    def address(self) -> LayerOption | None:
        """The option that says where they meet."""
        return self.layer.get(*_ADDRESS)

    @property
    def meets(self) -> bool:
        """Whether it is told of others: then all of them have to come to one address."""
        told = self.nodes
        return told is not None and told.value > 1

    @property
    def reads_settings(self) -> bool:
        """Whether a file or variables may say what its command line does not."""
        if self.is_accelerate:
            return self.layer.get("config-file") is not None
        return has_torchrun_variables(self.program)

    @property
    def is_dynamic(self) -> bool:
        """Whether a rendezvous gives out the ranks (``--rdzv-backend=c10d``), or may."""
        option = self.layer.get("rdzv-backend")
        if option is None:
            return "PET_RDZV_BACKEND" in self.program.environment
        return option.value is None or option.value.text not in _STATIC

    @property
    def counts(self) -> tuple[Certainty, int | None]:
        """How many of it the step starts, one on each node; None where not known or several share a node."""
        if self.step is None:
            return Certainty.KNOWN, 1
        tasks, each = self.step.geometry.tasks, self.step.geometry.tasks_per_node
        if tasks is None or each is None or each.value != 1:
            return Certainty.UNKNOWN, None
        return max(tasks.certainty, each.certainty), tasks.value


def agents(plan: LaunchPlan) -> Iterator[Agent]:
    """Yield the launchers of *plan* that no other launcher starts; that of a nested srun belongs to it."""
    inner = {id(program) for step in plan.steps if step.nested for program in step.programs}
    for step, program in plan.programs():
        if id(program) in inner and step is not None and not step.nested:
            continue
        launchers = program.launchers
        if len(launchers) == 1 and launchers[0].name in PER_NODE_LAUNCHERS:
            yield Agent(step, program, launchers[0])
