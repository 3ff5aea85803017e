"""Commands put together: lists, groups, subshells, pipelines and functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from sbatchlint.launch.branching import after, branch, fill_in, otherwise, settle, weakly
from sbatchlint.launch.outcomes import LIKELY, OPEN, SUCCESS, Outcome
from sbatchlint.launch.redirections import redirected
from sbatchlint.launch.values import Value, concatenated

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell import syntax
    from sbatchlint.shell.syntax import Command


# --- lists -----------------------------------------------------------------------------------------


def run_and_or(machine: Machine, command: syntax.AndOr) -> Outcome:
    """``a && b || c``; under ``set -e`` only the last command's failure counts."""
    last = len(command.operators)
    outcome = machine.tested(lambda: machine.command(command.commands[0]))
    tested = True
    for index, operator in enumerate(command.operators, 1):
        if not machine.going:
            break
        following = command.commands[index]
        wanted = operator == "&&"
        if outcome.holds is not None and outcome.holds is not wanted:
            if outcome.assumed:
                otherwise(machine, _command_in(following))
            continue
        tested = index < last
        run = _running(machine, following, tested=tested)
        if wanted and outcome.holds is None:
            run = after(machine, SUCCESS, run)
        if outcome.holds is wanted:
            start, blanks = machine.state.copy(), outcome.blanks
            outcome = weakly(machine, outcome.assumed, run)
            if machine.ended and blanks:
                fill_in(machine, start, blanks)
        elif wanted and outcome.likely:
            outcome = _trusting(machine, run)
        else:
            outcome = _maybe(machine, outcome if wanted else outcome.negated(), run)
    return outcome.excused() if tested else outcome


def _running(machine: Machine, command: Command, *, tested: bool) -> Callable[[], Outcome]:
    if tested:
        return lambda: machine.tested(lambda: machine.command(command))
    return lambda: machine.command(command)


def _command_in(command: Command) -> Callable[[Machine], Outcome]:
    return lambda trial: trial.command(command)


def _trusting(machine: Machine, run: Callable[[], Outcome]) -> Outcome:
    """Run what follows a command that is counted on; if it leaves, the command may have failed after all."""
    start = machine.state.copy()
    outcome = run()
    if machine.going:
        return outcome
    settle(machine, [machine.state, start])
    return LIKELY


def _maybe(machine: Machine, outcome: Outcome, run: Callable[[], Outcome]) -> Outcome:
    """Run a command only if *outcome* turns out true; afterwards either may have happened."""
    found: list[Outcome] = []
    branch(machine, [(outcome.if_true, lambda: found.append(run())), (outcome.if_false, lambda: None)])
    return LIKELY if outcome.likely or (found and found[0].likely) else OPEN


def run_group(machine: Machine, command: syntax.Group) -> Outcome:
    """``{ ...; }``."""
    return redirected(machine, command.redirects, partial(machine.run, command.body))


def run_subshell(machine: Machine, command: syntax.Subshell) -> Outcome:
    """``( ... )``."""
    child = machine.subshell()
    outcome = redirected(child, command.redirects, lambda: child.finished(child.run(command.body)))
    machine.adopt_files(child)
    machine.stdin = child.stdin
    return outcome


def run_pipeline(machine: Machine, command: syntax.Pipeline) -> Outcome:
    """``a | b``; each member is a process of its own."""
    if len(command.commands) == 1:
        if not command.negated:
            return machine.command(command.commands[0])
        return machine.tested(lambda: machine.command(command.commands[0])).negated().excused()
    printed = machine.stdin
    outcomes: list[Outcome] = []
    for index, member in enumerate(command.commands[:-1]):
        child = machine.subshell()
        child.stdin, child.sink = printed, []
        outcomes.append(child.finished(child.command(member)))
        machine.adopt_files(child)
        if not index:
            machine.stdin = child.stdin
        printed = concatenated(child.sink)
    outcome = _last_of_pipeline(machine, command.commands[-1], printed)
    if "pipefail" in machine.state.options and outcome.holds is not False:
        # One that is known to succeed may still be killed because nobody reads what it prints.
        # Which of several fails last, and with which status, is not told then.
        failed = any(other.holds is False and not other.assumed for other in outcomes)
        outcome = Outcome(False) if failed else LIKELY
    return outcome.negated().excused() if command.negated else outcome


def _last_of_pipeline(machine: Machine, command: Command, printed: Value | None) -> Outcome:
    """The last member, which with ``shopt -s lastpipe`` is no process of its own."""
    if "lastpipe" in machine.state.options:
        stdin, machine.stdin = machine.stdin, printed
        outcome = machine.command(command)
        machine.stdin = stdin
        return outcome
    child = machine.subshell()
    child.stdin = printed
    outcome = child.finished(child.command(command))
    machine.adopt_files(child)
    return outcome


def define_function(machine: Machine, command: syntax.Function) -> Outcome:
    """``name() { ...; }``."""
    machine.state.functions[command.name] = ((command, machine.code),)
    return SUCCESS
