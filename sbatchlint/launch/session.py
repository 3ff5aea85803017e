"""What all shells of one evaluation share: the job, the budget, and the steps found so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace

from sbatchlint.certainty import Certainty
from sbatchlint.launch.code import Code, Scripts, guarded
from sbatchlint.launch.plan import FileUse, Layer, Program, Step, Submission
from sbatchlint.launch.state import Environment, Variable
from sbatchlint.launch.values import Early, Text, Unknown, Value
from sbatchlint.records import dataclass
from sbatchlint.slurm.environment import PER_TASK, JobVariable
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Span

_BUDGET = 8_000
_UNHURRIED = 2_000


@dataclass
class Session:
    """The evaluation of one script."""

    request: JobRequest
    variables: Mapping[str, JobVariable]
    steps: list[Step] = field(default_factory=list)
    host_programs: list[Program] = field(default_factory=list)
    file_uses: list[FileUse] = field(default_factory=list)
    written: set[str] = field(default_factory=set)
    """Files that the script has written, also those that it has removed again."""
    budget: int = _BUDGET
    depth: int = 0
    deepest: int = 12
    following: list[tuple[Value, bool, tuple[str, ...]]] = field(default_factory=list)
    """The texts that shells are reading now, from the outside in: where, and with which arguments."""
    submissions: list[Submission] = field(default_factory=list)
    submitted: int = 0
    """How many jobs deep this one has been submitted by another."""
    muted: int = 0
    """Above 0 while a loop's body is only tried out: nothing that it starts is noted."""
    incomplete: str = ""
    most_muted: int = 3
    beside: Callable[[str], str | None] = field(default=lambda _: None)
    """Gives the text of a file that stands beside the script, by its relative path; None for none."""
    scripts: Scripts = field(default_factory=dict)
    """Syntax trees of nested code, by its text."""
    exported: tuple[Mapping[str, Variable], Environment] = ({}, ({}, {}))
    """A shell's variables as they were when last looked through, and what was exported of them."""
    by_default: bool = False
    """True once a decision has rested on a default."""
    may_stop: bool = False
    """True once a way was left out on which the script ends early."""

    @property
    def hurried(self) -> bool:
        """True once so much of the budget is used that loops are no longer gone through round by round."""
        return self.budget < _BUDGET - _UNHURRIED

    def proceed(self, cost: int = 1) -> bool:
        """Take a command from the budget; False when it is used up."""
        self.budget -= cost
        if self.budget < 0:
            self.incomplete = f"the script runs more than {_BUDGET} commands"
            return False
        return True


@dataclass(frozen=True)
class Place:
    """Where a command runs: on the batch host, once, or in a step, once per task."""

    session: Session
    geometry: Geometry | None = None
    """The step's size; None on the batch host."""
    variables: Mapping[str, JobVariable] = field(default_factory=dict)
    """What Slurm sets for a step's tasks otherwise than for the batch shell."""
    programs: list[Program] | None = None
    """Collects what the step starts."""
    layers: tuple[Layer, ...] = ()
    codes: list[Value] = field(default_factory=list)
    """The texts that shells in this place have read as code."""
    early: dict[Span, set[Early]] = field(default_factory=dict)
    """What those shells made of per-task variables that had been expanded before."""

    @property
    def in_task(self) -> bool:
        """True inside a step."""
        return self.geometry is not None

    def within(self, layer: Layer) -> Place:
        """The same place, one layer further in."""
        return replace(self, layers=(*self.layers, layer))

    def code(self, value: Value) -> Code:
        """Text that a shell here reads as code; a text that was read before is not read again."""
        return Code(guarded(value), in_task=self.in_task, note=self.note_early, read=self.session.scripts)

    def note_early(self, span: Span, early: Early) -> None:
        """Note that a shell here has read as code what a per-task variable was expanded to."""
        self.early.setdefault(span, set()).add(early)

    def lookup(self, name: str, span: Span | None) -> tuple[Value | None, bool | None] | None:
        """A variable that Slurm sets here, and whether it is set; None for one that Slurm does not know."""
        if name in PER_TASK:
            return self._per_task(name, span), True
        variable = self.variables.get(name) or self.session.variables.get(name)
        if variable is None:
            return None
        if variable.set is False:
            return (None, False) if variable.certainty is Certainty.KNOWN else (_unknown(name, span), None)
        if variable.value is None:
            return _unknown(name, span), variable.set
        return Value((Text(variable.value, span, variable.certainty),)), variable.set

    def _per_task(self, name: str, span: Span | None) -> Value:
        """A variable that differs by task: in a step not known, on the batch host one value for all."""
        if self.in_task:
            return Value((Unknown(f"${name}", span, per_task=True),))
        early, text = Early(name), PER_TASK[name]
        if text is None:
            return Value((Unknown(f"${name}", span, early=early),))
        return Value((Text(text, span, early=early),))


def _unknown(name: str, span: Span | None) -> Value:
    return Value((Unknown(f"${name}", span),))
