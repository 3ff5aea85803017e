"""What all shells of one evaluation share: the job, the budget, and the steps found so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace

from sbatchlint.certainty import Certainty
from sbatchlint.launch.code import Code, FileCode, Scripts, guarded
from sbatchlint.launch.layered import Layered
from sbatchlint.launch.plan import Cut, FileUse, Layer, Program, Step, Submission
from sbatchlint.launch.state import Environment
from sbatchlint.launch.values import Early, Text, Unknown, Value
from sbatchlint.launch.variable import Variable
from sbatchlint.records import dataclass
from sbatchlint.slurm.environment import PER_TASK, JobVariable
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Span

_BUDGET = 8_000
_END = 0
"""What is left of the budget when nothing more is followed."""
_UNHURRIED = 2_000
_STEP_OF_TEXT = 50
"""Characters that take as much from the budget to be read as a command to be run."""
TOO_DEEP = "code runs other code too deeply"


class OutOfSteps(Exception):
    """The budget is used up.  It ends the evaluation at once: half a command's words are not known words."""


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
    active: list[object] = field(default_factory=list)
    """The functions and texts that are being followed now, from the outside in."""
    following: list[tuple[Value, bool, tuple[str, ...]]] = field(default_factory=list)
    """The texts that shells are reading now, from the outside in: where, and with which arguments."""
    submissions: list[Submission] = field(default_factory=list)
    submitted: int = 0
    """How many jobs deep this one has been submitted by another."""
    muted: int = 0
    """Above 0 while a loop's body is only tried out: nothing that it starts is noted."""
    cuts: dict[tuple[Span, bool], Cut] = field(default_factory=dict)
    """Where the script was not followed any further."""
    last: tuple[Code, Span] | None = None
    """The statement that was begun last, and the code that it stands in."""
    last_in_file: Span = Span(0, 0)
    """The last one that stands in the script itself."""
    most_muted: int = 3
    beside: Callable[[str], str | None] = field(default=lambda _: None)
    """Gives the text of a file that stands beside the script, by its relative path; None for none."""
    scripts: Scripts = field(default_factory=dict)
    """Syntax trees of nested code, by its text."""
    exported: tuple[Layered[Variable], Environment] = field(
        default_factory=lambda: (Layered(), (Layered(), Layered()))
    )
    """A shell's variables as they were when last looked through, and what was exported of them."""
    by_default: bool = False
    """True once a decision has rested on a default."""
    may_stop: bool = False
    """True once a way was left out on which the script ends early."""

    @property
    def hurried(self) -> bool:
        """True once so much of the budget is used that loops are no longer gone through round by round."""
        return self.budget < _BUDGET - _UNHURRIED

    def proceed(self, cost: int = 1) -> None:
        """Take a command from the budget.  Raises OutOfSteps when it is used up."""
        self.budget -= cost
        if self.budget < _END:
            raise OutOfSteps(f"the script runs more than {_BUDGET} commands")

    def begin(self, code: Code, span: Span) -> None:
        """Go on with the statement of *code* at *span*.  Raises OutOfSteps."""
        self.last = code, span
        if isinstance(code, FileCode):
            self.last_in_file = span
        self.proceed()

    def cut(self, reason: str, span: Span | None = None, *, again: bool = False) -> None:
        """Note that what stands at *span*, or where the last statement began, is not followed, and why.

        *again* says that it is only not followed once more: what it starts has been seen.
        """
        if not self.muted:
            self.cuts.setdefault((span or self._place(), again), Cut(reason, span or self._place(), again))

    def _place(self) -> Span:
        """Where the last statement was written, as far as it was in the script's own text."""
        if self.last is None:
            return Span(0, 0)
        code, span = self.last
        return code.locate(span) or self.last_in_file

    def is_active(self, code: object = None) -> bool:
        """Tell whether *code* is being followed already, or anything is for the second time."""
        return code in self.active or len(set(self.active)) < len(self.active)

    def stop(self, reason: str) -> None:
        """Note that nothing is followed from the last statement on, and why."""
        place = self._place()
        self.cuts = {(place, False): Cut(reason, place, whole=True), **self.cuts}
        self.may_stop = True

    @property
    def incomplete(self) -> str:
        """Why the plan lacks something, empty where it is whole."""
        return next((cut.reason for cut in self.cuts.values()), "")


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
        known = self.session.scripts
        code = Code(guarded(value), in_task=self.in_task, note=self.note_early, read=known)
        if (code.text, Span(0, len(code.text))) not in known:
            self.session.proceed(len(code.text) // _STEP_OF_TEXT)
        return code

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
