"""The abstract evaluation of a batch script: a shell that starts nothing.

It walks the syntax tree as bash would, keeps what each variable is known to hold, and hands every
command that would start a program to :mod:`sbatchlint.launch.launching`.  A condition that can't be
decided is followed both ways and the two memories are joined.

Here is the shell process itself.  What it does with each kind of command stands in modules of their
own, as functions that take the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch import compounds, loops, simple
from sbatchlint.launch.branching import branch, weakly
from sbatchlint.launch.code import Code
from sbatchlint.launch.conditions import OPEN, SUCCESS, Outcome
from sbatchlint.launch.expansion import expand_value
from sbatchlint.launch.memory import Memory
from sbatchlint.launch.session import Place, Session
from sbatchlint.launch.state import Flow, State, Variable, exported_copy
from sbatchlint.launch.values import OUTPUT, Value, unknown
from sbatchlint.shell import syntax

if TYPE_CHECKING:
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
        self.testing = 0
        """Above 0 while something else looks at how commands end, so that ``set -e`` does not."""
        self.status = SUCCESS
        """How the process ends, once it has."""
        self.substituted: Outcome | None = None
        """How the last command substitution of the command being expanded has ended."""
        self.loops: list[list[State]] = []
        self.returns: list[list[State]] = []
        self.locals: list[dict[str, Variable | None]] = []

    # --- processes -----------------------------------------------------------------------------------

    def subshell(self) -> Machine:
        """A copy of this shell whose changes to memory are lost."""
        child = Machine(self.code, self.state.copy(), self.place, self.session)
        child.state.at_exit = (None,)
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

    def adopt_files(self, child: Machine) -> None:
        """Take over the files that another process has written."""
        self.state.files = child.state.files

    def finished(self, outcome: Outcome) -> Outcome:
        """End this process, whose last command has ended with *outcome*; give how the process ends.

        What ``trap ... EXIT`` has left to the end is run first.
        """
        end = self.status if self.ended else outcome.unexcused()
        codes, self.state.at_exit = self.state.at_exit, (None,)
        if codes == (None,):
            return end
        self.state.flow = Flow.NORMAL
        if len(codes) == 1:
            self._run_trap(codes[0])
        else:
            branch(self, [((), partial(self._run_trap, code)) for code in codes])
        return self.status if self.ended else end

    def _run_trap(self, code: Value | None) -> None:
        if code is not None:
            self.code = self.place.code(code)
            weakly(self, code.certainty is Certainty.ASSUMED, lambda: self.run(self.code.script.body))

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
        return self.conditional + self.skipped + self.returned > 0

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
            if not self.going or not self.session.proceed():
                break
            outcome = self._statement(statement)
        return outcome

    def _statement(self, statement: Statement) -> Outcome:
        if not statement.background:
            outcome = self.command(statement.command)
            self._exit_on_error(outcome)
            return outcome
        child = self.subshell()
        child.background = True
        child.finished(child.command(statement.command))
        self.adopt_files(child)
        return SUCCESS

    def _exit_on_error(self, outcome: Outcome) -> None:
        """End the process where ``set -e`` does."""
        if outcome.holds is not False or outcome.excuse or self.testing or not self.going:
            return
        if "errexit" not in self.state.options:
            return
        if outcome.assumed or self.weak:
            self.session.may_stop = True
            return
        self.fail(outcome)

    def note_unbound(self, name: str) -> None:
        """A variable that is not set is used: ``set -u`` ends the process if the script leaves it so."""
        if "nounset" not in self.state.options:
            return
        if self.is_given(name) and not self.weak:
            self.fail(OPEN)
        else:
            self.session.may_stop = True  # it may be set otherwise: ``sbatch --array``

    def fail(self, outcome: Outcome) -> None:
        """End the process by a failure."""
        self.status = Outcome(False, code=outcome.code)
        self.state.flow = Flow.EXIT

    def command(self, command: Command) -> Outcome:
        """Run any command."""
        outcome = self._any(command)
        self.state.last = outcome
        return outcome

    def _any(self, command: Command) -> Outcome:
        match command:
            case syntax.Simple():
                return simple.run_simple(self, command)
            case syntax.AndOr():
                return compounds.run_and_or(self, command)
            case syntax.Pipeline():
                return compounds.run_pipeline(self, command)
            case syntax.If():
                return compounds.run_if(self, command)
            case syntax.Case():
                return compounds.run_case(self, command)
            case syntax.For():
                return loops.run_for(self, command)
            case syntax.ArithmeticFor():
                return loops.run_arithmetic_for(self, command)
            case syntax.While():
                return loops.run_while(self, command)
            case syntax.Group():
                return compounds.run_group(self, command)
            case syntax.Subshell():
                return compounds.run_subshell(self, command)
            case syntax.Function():
                return compounds.define_function(self, command)
            case syntax.Test():
                return compounds.run_test(self, command)
            case syntax.ArithmeticCommand():
                return compounds.run_arithmetic(self, command)
            case syntax.Unparsed():
                return OPEN

    # --- words and output ----------------------------------------------------------------------------

    def value(self, word: Word) -> Value:
        """Expand *word* without splitting."""
        return expand_value(self, word)

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
