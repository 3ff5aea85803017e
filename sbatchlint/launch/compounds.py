"""Compound commands but loops: lists, ``if``, ``case``, groups, subshells, pipelines and tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.branching import Way, branch, fill_in, weakly
from sbatchlint.launch.computing import compute
from sbatchlint.launch.conditions import (
    LIKELY,
    OPEN,
    SUCCESS,
    Fact,
    Operand,
    Outcome,
    Test,
    variable_name,
)
from sbatchlint.launch.parameters import pattern_of
from sbatchlint.launch.patterns import compile_pattern
from sbatchlint.launch.redirections import redirected
from sbatchlint.launch.values import concatenated, text_value

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell import syntax
    from sbatchlint.shell.syntax import Body, Command, Word


# --- lists -----------------------------------------------------------------------------------------


def run_and_or(machine: Machine, command: syntax.AndOr) -> Outcome:
    """``a && b || c``."""
    outcome = machine.command(command.commands[0])
    for operator, following in zip(command.operators, command.commands[1:], strict=True):
        if not machine.going:
            break
        wanted = operator == "&&"
        if outcome.holds is not None and outcome.holds is not wanted:
            continue
        if outcome.holds is wanted or (wanted and outcome.likely):
            start, blanks = machine.state.copy(), outcome.blanks
            outcome = weakly(machine, outcome.assumed, _running(machine, following))
            if machine.ended and blanks:
                fill_in(machine, start, blanks)
        else:
            outcome = _maybe(machine, outcome if wanted else outcome.negated(), following)
    return outcome


def _running(machine: Machine, command: Command) -> Callable[[], Outcome]:
    return lambda: machine.command(command)


def _listing(machine: Machine, body: Body) -> Callable[[], Outcome]:
    return lambda: machine.run(body)


def _maybe(machine: Machine, outcome: Outcome, command: Command) -> Outcome:
    """Run *command* only if *outcome* turns out true; afterwards either may have happened."""
    found: list[Outcome] = []
    branch(
        machine,
        [
            (outcome.if_true, lambda: found.append(machine.command(command))),
            (outcome.if_false, lambda: None),
        ],
    )
    return LIKELY if outcome.likely or (found and found[0].likely) else OPEN


def run_group(machine: Machine, command: syntax.Group) -> Outcome:
    """``{ ...; }``."""
    return redirected(machine, command.redirects, _listing(machine, command.body))


def run_subshell(machine: Machine, command: syntax.Subshell) -> Outcome:
    """``( ... )``."""
    child = machine.subshell()
    return redirected(child, command.redirects, _listing(child, command.body))


def run_pipeline(machine: Machine, command: syntax.Pipeline) -> Outcome:
    """``a | b``; each member is a process of its own."""
    if len(command.commands) == 1:
        outcome = machine.command(command.commands[0])
        return outcome.negated() if command.negated else outcome
    printed = None
    last = len(command.commands) - 1
    for index, member in enumerate(command.commands):
        child = machine.subshell()
        child.stdin = printed
        child.sink = [] if index < last else machine.sink
        child.command(member)
        printed = concatenated(child.sink) if index < last and child.sink is not None else None
    return OPEN if command.negated else LIKELY


def define_function(machine: Machine, command: syntax.Function) -> Outcome:
    """``name() { ...; }``."""
    machine.state.functions[command.name] = (command, machine.code)
    return SUCCESS


# --- decisions -------------------------------------------------------------------------------------


def run_if(machine: Machine, command: syntax.If) -> Outcome:
    """``if``."""
    return _if_from(machine, command, 0)


def _if_from(machine: Machine, command: syntax.If, index: int) -> Outcome:
    if index == len(command.branches):
        return machine.run(command.otherwise)
    condition, body = command.branches[index]
    outcome = machine.run(condition)
    if not machine.going:
        return outcome
    if outcome.holds is True:
        start = machine.state.copy()
        inside = weakly(machine, outcome.assumed, _listing(machine, body))
        if not machine.ended or not outcome.blanks:
            return inside
        fill_in(machine, start, outcome.blanks)
        return _if_from(machine, command, index + 1)
    if outcome.holds is False:
        return weakly(machine, outcome.assumed, lambda: _if_from(machine, command, index + 1))
    branch(
        machine,
        [
            (outcome.if_true, _listing(machine, body)),
            (outcome.if_false, lambda: _if_from(machine, command, index + 1)),
        ],
    )
    return LIKELY


def run_case(machine: Machine, command: syntax.Case) -> Outcome:
    """``case``: the items that may match the subject, or any of its alternatives."""
    subject = machine.value(command.subject)
    options = subject.alternatives()
    left: list[str | None] = [option.text for option in options] if options else [None]
    several = len(left) > 1 or left[0] is None
    name = variable_name(command.subject)
    ways: list[Way] = []
    for item in command.items:
        verdicts = [_matches(machine, item.patterns, text) for text in left]
        if any(verdict is not False for verdict in verdicts):
            facts = _case_facts(machine, name, item.patterns) if several else ()
            ways.append((facts, _listing(machine, item.body)))
        left = [text for text, verdict in zip(left, verdicts, strict=True) if verdict is not True]
        if not left:
            break
    if left:
        ways.append(((), lambda: None))
    if len(ways) == 1:
        machine.weak += subject.certainty is Certainty.ASSUMED
        ways[0][1]()
        machine.weak -= subject.certainty is Certainty.ASSUMED
        return LIKELY
    branch(machine, ways)
    return LIKELY


def _matches(machine: Machine, patterns: Iterable[Word], text: str | None) -> bool | None:
    verdict: bool | None = False
    for word in patterns:
        pattern = pattern_of(machine, word)
        if pattern == (("*", False),):
            return True
        regex = compile_pattern(pattern) if pattern is not None else None
        if text is None or regex is None:
            verdict = None
        elif regex.fullmatch(text):
            return True
    return verdict


def _case_facts(machine: Machine, name: str, patterns: Sequence[Word]) -> tuple[Fact, ...]:
    if not name or len(patterns) != 1:
        return ()
    text = patterns[0].literal
    if text is None or set(text) & set("*?[\\"):
        return ()
    return (Fact(name, text_value(text, machine.code.locate(patterns[0].span))),)


# --- tests -----------------------------------------------------------------------------------------


def run_test(machine: Machine, command: syntax.Test) -> Outcome:
    """``[[ ... ]]``."""
    operands = [Operand(machine.value(word), variable_name(word), word) for word in command.words]
    return Test(machine, operands, double=True).decide()


def run_arithmetic(machine: Machine, command: syntax.ArithmeticCommand) -> Outcome:
    """``(( ... ))``."""
    result = compute(machine, machine.value(command.expression))
    if result.number is None:
        return OPEN
    return Outcome(result.number != 0, assumed=result.certainty is Certainty.ASSUMED)
