"""The abstract evaluation of a batch script: a shell that starts nothing.

It walks the syntax tree as bash would, keeps what each variable is known to hold, and hands every
command that would start a program to :mod:`sbatchlint.launch.launching`.  A condition that can't be
decided is followed both ways and the two memories are joined.

Here is the shell process itself.  What it does with each kind of command stands in modules of their
own, as functions that take the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch import commands, launching, simple
from sbatchlint.launch.branching import branch, weakly
from sbatchlint.launch.code import Code
from sbatchlint.launch.expansion import expand_quoted, expand_value
from sbatchlint.launch.failing import after_command
from sbatchlint.launch.memory import Memory
from sbatchlint.launch.outcomes import FAILURE, OPEN, SUCCESS, Outcome
from sbatchlint.launch.plan import LayerKind
from sbatchlint.launch.session import Place, Session
from sbatchlint.launch.state import Flow, State, exported_copy
from sbatchlint.launch.values import OUTPUT, Value, unknown

if TYPE_CHECKING:
    from sbatchlint.launch.plan import Arg, Layer
    from sbatchlint.launch.scopes import OfCall
    from sbatchlint.shell.syntax import Body, Command, Statement, Word
    from sbatchlint.source import Span


_COST_OF_CODE = 3
"""What a text that is read as code takes from the budget besides its commands."""


class Machine(Memory):
    """One shell process: the code it reads, its memory, and where it runs."""

    def __init__(self, code: Code, state: State, place: Place, session: Session) -> None:
        super().__init__(state, place)
        self.code = code
        self.session = session
        self.sink: list[Value] | None = None
        """What the commands print, while that is being collected."""
        self.stdin: Value | None = None
        self.background = False
        self.conditional = 0
        """Above 0 while a command is followed that may not run."""
        self.skipped = 0
        """How many ways have left the loop's round before this point."""
        self.returned = 0
        """How many ways have left the function before this point."""
        self.is_subshell = False
        self.doubted = False
        """True once one way has ended this subshell before this point."""
        self.testing = 0
        """Above 0 while something else looks at how commands end, so that ``set -e`` does not."""
        self.status = SUCCESS
        """How the process ends, once it has."""
        self.substituted: Outcome | None = None
        """How the last command substitution of the command being expanded has ended."""
        self.trapped: set[Value] = set()
        """The codes of ``trap ... ERR`` that have been followed for a command which may have failed."""
        self.trapping = False
        """True while such a code is running, in which a failure starts it not again."""
        self.left: list[State] = []
        """Memories that have ended the process on other ways, with another ``trap ... EXIT`` to run."""
        self.loops: list[list[State]] = []
        self.returns: list[list[State]] = []
        self.calls = 0
        """How many functions are running in this shell."""
        self.of_call: OfCall = {}
        """Of the variables that are set for the function about to be called: ``NAME=value name``."""
        self.kept_options: list[frozenset[str] | None] = []
        """For each function that is running the options that ``local -`` gives back at its end."""

    # --- processes -----------------------------------------------------------------------------------

    def subshell(self) -> Machine:
        """A copy of this shell whose changes to memory are lost."""
        child = Machine(self.code, self.state.copy(), self.place, self.session)
        child.is_subshell = True
        child.state.at_exit = (None,)
        if "errtrace" not in child.state.options:
            child.state.at_error = (None,)
        child.sink, child.stdin, child.background = self.sink, self.stdin, self.background
        child.conditional, child.weak, child.testing = int(self.may_be_passed_over), self.weak, self.testing
        return child

    def nested(self, value: Value, place: Place, arguments: tuple[Value, ...] | None = ()) -> Machine:
        """A new shell process that reads *value* as its script."""
        self.session.proceed(_COST_OF_CODE)
        code = place.code(value)
        child = Machine(code, exported_copy(self.state), place, self.session)
        child.state.arguments, child.state.given = arguments, True
        child.background, child.conditional, child.weak = (
            self.background,
            int(self.may_be_passed_over),
            self.weak,
        )
        child.sink, child.stdin = self.sink, self.stdin
        return child

    @contextmanager
    def within(self, layer: Layer) -> Iterator[None]:
        """Go on one layer further in."""
        outer = self.place
        self.place = outer.within(layer)
        yield
        self.place = outer

    def adopt_files(self, child: Machine) -> None:
        """Take over the files that another process has written."""
        self.state.files = child.state.files

    def finished(self, outcome: Outcome) -> Outcome:
        """End this process, whose last command has ended with *outcome*; give how the process ends.

        What ``trap ... EXIT`` has left to the end is run first.
        """
        end = self.status if self.ended else outcome.unexcused()
        codes, self.state.at_exit = self.state.at_exit, (None,)
        self._end_other_ways()
        if codes == (None,):
            return end
        self.state.flow = Flow.NORMAL
        if len(codes) == 1:
            self._run_trap(codes[0])
        else:
            branch(self, [((), partial(self._run_trap, code)) for code in codes])
        return self.status if self.ended else end

    def _end_other_ways(self) -> None:
        """Run what ``trap ... EXIT`` has left to the ways that have ended the process before."""
        here, self.conditional = self.state, self.conditional + 1
        for state in self.left:
            for code in dict.fromkeys(state.at_exit):
                self.state = state.copy()
                self.state.flow, self.state.at_exit = Flow.NORMAL, (None,)
                self._run_trap(code)
        self.state, self.conditional, self.left = here, self.conditional - 1, []

    def _run_trap(self, code: Value | None) -> None:
        if code is not None:
            self.code = self.place.code(code)
            weakly(self, code.certainty is Certainty.ASSUMED, self.run_code)

    def tested(self, action: Callable[[], Outcome]) -> Outcome:
        """Do *action* where its failure is looked at."""
        self.testing += 1
        try:
            return action()
        finally:
            self.testing -= 1

    # --- commands ------------------------------------------------------------------------------------

    @property
    def may_be_passed_over(self) -> bool:
        """True where one way through the script does not come here, or comes here otherwise."""
        return self.doubted or self.conditional + self.skipped + self.returned > 0

    @property
    def going(self) -> bool:
        """False once ``exit``, ``return``, ``break`` or ``continue`` leaves the list being run."""
        return self.state.flow is Flow.NORMAL

    @property
    def ended(self) -> bool:
        """True once this shell process has come to its end."""
        return self.state.flow is Flow.EXIT

    def run(self, body: Body) -> Outcome:
        """Run a list; give how its last command ends."""
        outcome = SUCCESS
        for statement in body:
            if not self.going:
                break
            self.session.begin(self.code, statement.span)
            outcome = self._statement(statement)
        return outcome

    def run_code(self) -> Outcome:
        """Run the code that the shell reads; where a command is given up, its line is left with it."""
        outcome, resume = SUCCESS, 0
        for statement in self.code.script.body:
            if not self.going:
                break
            self.session.begin(self.code, statement.span)
            if statement.span.start < resume:
                continue
            outcome = self._statement(statement)
            if self.state.flow is Flow.GIVEN_UP:
                self.state.flow, self.state.last = Flow.NORMAL, FAILURE
                outcome = FAILURE
                end = self.code.text.find("\n", statement.span.end)
                resume = len(self.code.text) if end < 0 else end
        return outcome

    def _statement(self, statement: Statement) -> Outcome:
        if not statement.background:
            outcome = self.command(statement.command)
            after_command(self, statement.command, outcome)
            return outcome
        child = self.subshell()
        child.background = True
        child.finished(child.command(statement.command))
        self.adopt_files(child)
        return SUCCESS

    def note_unbound(self, name: str) -> None:
        """A variable that is not set is used: ``set -u`` ends the process if the script leaves it so."""
        if "nounset" not in self.state.options:
            return
        if self.is_given(name) and not self.weak:
            self.fail(OPEN)
        else:
            self.may_stop()  # it may be set otherwise: ``sbatch --array``

    def may_stop(self) -> None:
        """Note that one way ends this process here; what a subshell does from here on may then not happen."""
        self.session.may_stop = True
        self.doubted = self.doubted or self.is_subshell

    def fail(self, outcome: Outcome) -> None:
        """End the process by a failure."""
        self.status = Outcome(False, code=outcome.code)
        self.state.flow = Flow.EXIT

    def give_up(self, certainty: Certainty) -> None:
        """Give up the command being read, since an expansion has failed (``$((1/0))``).

        A subshell ends by it, and so does ``sh``.
        """
        if certainty is not Certainty.KNOWN or self.weak or self.may_be_passed_over:
            self.may_stop()
        elif self.is_subshell or self._reads_as_sh:
            self.fail(FAILURE)
        else:
            self.state.flow = Flow.GIVEN_UP

    @property
    def _reads_as_sh(self) -> bool:
        shells = [layer.name for layer in self.place.layers if layer.kind is LayerKind.SHELL]
        if shells:
            return shells[-1] != "bash"
        first = self.session.request.source.text.partition("\n")[0]
        return not self.place.in_task and first.startswith("#!") and "bash" not in first

    def command(self, command: Command) -> Outcome:
        """Run any command."""
        outcome = commands.run(self, command)
        self.state.last = outcome
        return outcome

    def start(self, args: list[Arg], span: Span) -> Outcome:
        """Run a command line that is already expanded: function, builtin or program."""
        return simple.start(self, args, span)

    def launch(self, args: list[Arg], span: Span) -> Outcome:
        """Start a command line that is neither a function nor a builtin."""
        return launching.launch(self, args, span)

    # --- words and output ----------------------------------------------------------------------------

    def value(self, word: Word) -> Value:
        """Expand *word* without splitting."""
        return expand_value(self, word)

    def quoted_value(self, word: Word) -> Value:
        """Expand *word* as if it stood in double quotes: ``~`` is no home folder in ``$((~A))``."""
        return expand_quoted(self, word)

    def shown(self, span: Span) -> str:
        """The text of *span* as a name for what is not known, shortened."""
        text = " ".join(self.code.text[span.start : span.end].split())
        return text if len(text) <= 60 else text[:57] + "..."

    def print_unknown(self) -> None:
        """Note that a command prints what nobody knows, if somebody collects it."""
        self.print(unknown(OUTPUT))

    def print(self, value: Value) -> None:
        """Note what a command prints, if somebody collects it."""
        if self.sink is not None:
            self.sink.append(value)
