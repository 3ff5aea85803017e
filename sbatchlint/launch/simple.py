"""Simple commands: assignments, builtins, functions of the script, and everything that is launched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch import builtins, launching
from sbatchlint.launch.assignments import assign_from
from sbatchlint.launch.conditions import LIKELY, OPEN, SUCCESS, Operand, Outcome, Test, variable_name
from sbatchlint.launch.expansion import expand_words
from sbatchlint.launch.redirections import redirected
from sbatchlint.launch.state import Flow, State, Variable, merge
from sbatchlint.source import Span

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.launch.plan import Arg
    from sbatchlint.shell.syntax import Simple, Word

_FUNCTION_DEPTH = 16


def run_simple(machine: Machine, command: Simple) -> Outcome:
    """Run a simple command."""
    if not command.words:
        for assignment in command.assignments:
            assign_from(machine, assignment)
        redirected(machine, command.redirects, lambda: SUCCESS)
        return LIKELY if command.assignments else SUCCESS
    name = command.words[0].literal
    if name in builtins.DECLARATIONS:
        return builtins.declare(machine, command)
    if name in ("[", "test") and not command.assignments:
        return redirected(machine, command.redirects, lambda: _single_test(machine, command.words))
    args = expand_words(machine, command.words)
    span = machine.code.locate(command.span) or Span(0, 0)
    if not command.assignments:
        return redirected(machine, command.redirects, lambda: start(machine, args, span))
    child = machine.subshell()
    for assignment in command.assignments:
        assign_from(child, assignment, export=True)
    return redirected(child, command.redirects, lambda: start(child, args, span))


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
        return LIKELY
    name = args[0].text
    if name is not None:
        if name in machine.state.functions:
            return call(machine, name, args[1:])
        builtin = builtins.BUILTINS.get(name)
        if builtin is not None:
            return builtin(machine, args, span)
    return launching.launch(machine, args, span)


def call(machine: Machine, name: str, args: Sequence[Arg]) -> Outcome:
    """Call a function of the script."""
    if len(machine.returns) >= _FUNCTION_DEPTH:
        return OPEN
    function, code = machine.state.functions[name]
    saved_arguments, saved_code = machine.state.arguments, machine.code
    known = not any(arg.open or arg.optional for arg in args)
    machine.state.arguments = tuple(arg.value for arg in args) if known else None
    machine.code = code
    machine.returns.append([])
    machine.locals.append({})
    saved_loops, machine.loops = machine.loops, []
    outcome = machine.command(function.body)
    machine.loops = saved_loops
    _restore(machine, machine.returns.pop(), machine.locals.pop())
    machine.state.arguments, machine.code = saved_arguments, saved_code
    return outcome


def _restore(machine: Machine, returned: list[State], local: dict[str, Variable | None]) -> None:
    """Join the ways out of a function and put back what its locals hid."""
    ends = [machine.state, *returned]
    for end in ends:
        if end.flow is Flow.RETURN:
            end.flow = Flow.NORMAL
    machine.state = merge(ends) or machine.state
    for name, variable in local.items():
        if variable is None:
            machine.state.variables.pop(name, None)
        else:
            machine.state.variables[name] = variable
