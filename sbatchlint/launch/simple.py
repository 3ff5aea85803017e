"""Simple commands: assignments, builtins, functions of the script, and everything that is launched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch import builtins, declarations
from sbatchlint.launch.aliases import aliased
from sbatchlint.launch.assignments import assign_from
from sbatchlint.launch.branching import weakly
from sbatchlint.launch.code_here import run_as_code
from sbatchlint.launch.conditions import Operand, Test, variable_name
from sbatchlint.launch.expansion import expand_words
from sbatchlint.launch.functions import call
from sbatchlint.launch.outcomes import OPEN, SUCCESS, Outcome
from sbatchlint.launch.redirections import redirected
from sbatchlint.launch.scopes import put_back
from sbatchlint.source import Span

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.launch.plan import Arg
    from sbatchlint.shell.syntax import Assignment, Simple, Word


def run_simple(machine: Machine, command: Simple) -> Outcome:
    """Run a simple command."""
    machine.substituted = None
    if not command.words:
        return redirected(machine, command.redirects, lambda: _assign(machine, command.assignments))
    code = aliased(machine, command) if machine.state.aliases else None
    if code is not None:
        return run_as_code(machine, code)
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
    """Run a command with variables that it alone sees; a function that it calls puts them back itself."""
    names = [machine.real_name(assignment.name) for assignment in command.assignments]
    before = {name: machine.state.variables.get(name) for name in names}
    for assignment in command.assignments:
        assign_from(machine, assignment, export=True)
    calls = command.words[0].literal in machine.state.functions
    machine.of_call = before if calls else {}
    outcome = redirected(machine, command.redirects, run)
    if not calls or machine.of_call:
        machine.of_call = {}
        put_back(machine.state, before)
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


_STEP_OF_WORDS = 50
"""Words of a command line that take as much from the budget as a command."""


def start(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """Run a command line that is already expanded: function, builtin or program."""
    if not args:
        return machine.substituted or SUCCESS
    machine.session.proceed(len(args) // _STEP_OF_WORDS)
    name = args[0].text
    if name is not None:
        if name in machine.state.functions:
            assumed = args[0].value.certainty is Certainty.ASSUMED  # ``run_${MODE:-train}``
            machine.session.by_default |= assumed
            return weakly(machine, assumed, lambda: call(machine, name, args, span))
        builtin = builtins.BUILTINS.get(name)
        if builtin is not None:
            return builtin(machine, args, span)
    return machine.launch(args, span)
