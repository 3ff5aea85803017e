"""Simple commands: assignments, builtins, functions of the script, and everything that is launched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch import builtins, declarations, launching
from sbatchlint.launch.assignments import assign_from
from sbatchlint.launch.branching import branch, weakly
from sbatchlint.launch.conditions import LIKELY, OPEN, SUCCESS, Operand, Outcome, Test, variable_name
from sbatchlint.launch.expansion import expand_words
from sbatchlint.launch.fields import settled
from sbatchlint.launch.redirections import redirected
from sbatchlint.launch.state import Flow, State, Variable, merge
from sbatchlint.source import Span

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.launch.plan import Arg
    from sbatchlint.launch.state import Definition
    from sbatchlint.shell.syntax import Assignment, Simple, Word

_FUNCTION_DEPTH = 16


def run_simple(machine: Machine, command: Simple) -> Outcome:
    """Run a simple command."""
    machine.substituted = None
    if not command.words:
        return redirected(machine, command.redirects, lambda: _assign(machine, command.assignments))
    name = command.words[0].literal
    if name in declarations.DECLARATIONS and name not in machine.state.functions:
        return redirected(machine, command.redirects, lambda: declarations.declare(machine, command))
    if name in ("[", "test") and not command.assignments and name not in machine.state.functions:
        return redirected(machine, command.redirects, lambda: _single_test(machine, command.words))
    args = expand_words(machine, command.words)
    span = machine.code.locate(command.span) or Span(0, 0)

    def run() -> Outcome:
        if not machine.going:
            return OPEN  # an expansion has ended the shell: ``${X:?}``
        return start(machine, args, span)

    if command.assignments:
        return _with_assignments(machine, command, run)
    return redirected(machine, command.redirects, run)


def _assign(machine: Machine, assignments: Sequence[Assignment]) -> Outcome:
    for assignment in assignments:
        assign_from(machine, assignment)
    return machine.substituted or SUCCESS


def _with_assignments(machine: Machine, command: Simple, run: Callable[[], Outcome]) -> Outcome:
    """Run a command with variables that it alone sees."""
    names = [machine.real_name(assignment.name) for assignment in command.assignments]
    before = {name: machine.state.variables.get(name) for name in names}
    for assignment in command.assignments:
        assign_from(machine, assignment, export=True)
    outcome = redirected(machine, command.redirects, run)
    for name, variable in before.items():
        if variable is None:
            machine.state.variables.pop(name, None)
        else:
            machine.state.variables[name] = variable
    return outcome


def _single_test(machine: Machine, words: Sequence[Word]) -> Outcome:
    """``[ ... ]``: words are kept, so that a test of a variable can teach something of it."""
    inner = words[1:]
    if words[0].literal == "[":
        if not inner or inner[-1].literal != "]":
            return OPEN
        inner = inner[:-1]
    operands: list[Operand] = []
    for word in inner:
        args = expand_words(machine, (word,))
        if any(arg.optional for arg in args):
            return OPEN
        name = variable_name(word) if len(args) == 1 else ""
        operands.extend(Operand(arg.value, name, word) for arg in args)
    return Test(machine, operands, double=False).decide()


def start(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """Run a command line that is already expanded: function, builtin or program."""
    if not args:
        return machine.substituted or SUCCESS
    name = args[0].text
    if name is not None:
        if name in machine.state.functions:
            assumed = args[0].value.certainty is Certainty.ASSUMED  # ``run_${MODE:-train}``
            machine.session.by_default |= assumed
            return weakly(machine, assumed, lambda: call(machine, name, args, span))
        builtin = builtins.BUILTINS.get(name)
        if builtin is not None:
            return builtin(machine, args, span)
    return launching.launch(machine, args, span)


# --- functions -------------------------------------------------------------------------------------


def call(machine: Machine, name: str, args: list[Arg], span: Span) -> Outcome:
    """Call a function of the script, or each of those that the name may stand for."""
    definitions = machine.state.functions[name]
    if len(definitions) == 1 and definitions[0] is not None:
        return _call(machine, definitions[0], args)

    def one(definition: Definition | None) -> Callable[[], object]:
        if definition is None:
            return lambda: launching.launch(machine, args, span)
        return lambda: _call(machine, definition, args)

    branch(machine, [((), one(definition)) for definition in definitions])
    return OPEN


def _call(machine: Machine, definition: Definition, args: Sequence[Arg]) -> Outcome:
    if len(machine.returns) >= _FUNCTION_DEPTH or not machine.session.proceed(2):
        machine.session.incomplete = machine.session.incomplete or "functions call each other too deeply"
        return OPEN
    function, code = definition
    saved_arguments, saved_given, saved_code = machine.state.arguments, machine.state.given, machine.code
    machine.state.arguments, machine.state.given = settled(args[1:], args[0]), True
    machine.code = code
    machine.returns.append([])
    machine.locals.append({})
    saved_loops, machine.loops = machine.loops, []
    saved_returned = machine.returned
    outcome = machine.command(function.body)
    machine.loops, machine.returned = saved_loops, saved_returned
    outcome = restore(machine, outcome, machine.returns.pop(), machine.locals.pop())
    machine.state.arguments, machine.state.given, machine.code = saved_arguments, saved_given, saved_code
    return outcome.unexcused()


def restore(
    machine: Machine, outcome: Outcome, returned: list[State], local: dict[str, Variable | None]
) -> Outcome:
    """Join the ways out of a function and put back what its locals hid."""
    returning = machine.state.flow is Flow.RETURN
    ends = [machine.state, *returned]
    for end in ends:
        if end.flow is Flow.RETURN:
            end.flow = Flow.NORMAL
    if returned and machine.ended:
        machine.session.may_stop = True
    machine.state = merge(ends) or machine.state
    for name, variable in local.items():
        if variable is None:
            machine.state.variables.pop(name, None)
        else:
            machine.state.variables[name] = variable
    if returned:
        return OPEN if outcome.holds is False else LIKELY
    return machine.status if returning else outcome
