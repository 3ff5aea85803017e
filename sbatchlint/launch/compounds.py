"""Compound commands but loops: lists, ``if``, ``case``, groups, subshells, pipelines and tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.branching import Way, branch, fill_in, otherwise, settle, weakly
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
from sbatchlint.launch.redirections import redirected
from sbatchlint.launch.values import Text, Value, concatenated, text_value
from sbatchlint.launch.wordpatterns import glob_of

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell import syntax
    from sbatchlint.shell.syntax import Body, CaseItem, Command, Word


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
            run = _after(machine, SUCCESS, run)
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


def _listing(machine: Machine, body: Body) -> Callable[[], Outcome]:
    return lambda: machine.run(body)


def _after(machine: Machine, last: Outcome, run: Callable[[], Outcome]) -> Callable[[], Outcome]:
    """Do *run* where the command before is known to have ended as *last*."""

    def go() -> Outcome:
        machine.state.last = last
        return run()

    return go


def _command_in(command: Command) -> Callable[[Machine], Outcome]:
    return lambda trial: trial.command(command)


def _body_in(body: Body) -> Callable[[Machine], Outcome]:
    return lambda trial: trial.run(body)


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
    return redirected(machine, command.redirects, _listing(machine, command.body))


def run_subshell(machine: Machine, command: syntax.Subshell) -> Outcome:
    """``( ... )``."""
    child = machine.subshell()
    outcome = redirected(child, command.redirects, lambda: child.finished(_listing(child, command.body)()))
    machine.adopt_files(child)
    return outcome


def run_pipeline(machine: Machine, command: syntax.Pipeline) -> Outcome:
    """``a | b``; each member is a process of its own."""
    if len(command.commands) == 1:
        if not command.negated:
            return machine.command(command.commands[0])
        return machine.tested(lambda: machine.command(command.commands[0])).negated().excused()
    printed = machine.stdin
    outcomes: list[Outcome] = []
    for member in command.commands[:-1]:
        child = machine.subshell()
        child.stdin, child.sink = printed, []
        outcomes.append(child.finished(child.command(member)))
        machine.adopt_files(child)
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


# --- decisions -------------------------------------------------------------------------------------


def run_if(machine: Machine, command: syntax.If) -> Outcome:
    """``if``."""
    return redirected(machine, command.redirects, lambda: _if_from(machine, command, 0))


def _if_from(machine: Machine, command: syntax.If, index: int) -> Outcome:
    if index == len(command.branches):
        return machine.run(command.otherwise)
    condition, body = command.branches[index]
    outcome = machine.tested(lambda: machine.run(condition))
    if not machine.going:
        return outcome
    if outcome.holds is True:
        if outcome.assumed:
            otherwise(machine, lambda trial: _if_from(trial, command, index + 1))
        start = machine.state.copy()
        inside = weakly(machine, outcome.assumed, _listing(machine, body))
        if not machine.ended or not outcome.blanks:
            return inside
        fill_in(machine, start, outcome.blanks)
        return _if_from(machine, command, index + 1)
    if outcome.holds is False:
        if outcome.assumed:
            otherwise(machine, _body_in(body))
        return weakly(machine, outcome.assumed, lambda: _if_from(machine, command, index + 1))
    branch(
        machine,
        [
            (outcome.if_true, _after(machine, SUCCESS, _listing(machine, body))),
            (outcome.if_false, _after(machine, OPEN, lambda: _if_from(machine, command, index + 1))),
        ],
    )
    return LIKELY


def run_case(machine: Machine, command: syntax.Case) -> Outcome:
    """``case``: the items that may match the subject, or any of its alternatives."""
    return redirected(machine, command.redirects, lambda: _case(machine, command))


def _case(machine: Machine, command: syntax.Case) -> Outcome:
    subject = machine.value(command.subject)
    if not machine.going:
        return OPEN
    options = subject.alternatives()
    left: list[str | None] = [option.text for option in options] if options else [None]
    several = len(left) > 1 or left[0] is None
    name = variable_name(command.subject)
    certainty = subject.certainty
    ways: list[Way] = []
    for index, item in enumerate(command.items):
        verdicts = []
        for text in left:
            verdict, sure = _matches(machine, item.patterns, text)
            certainty = max(certainty, sure)
            verdicts.append(verdict)
        if any(verdict is not False for verdict in verdicts):
            facts = _case_facts(machine, name, item.patterns) if several else ()
            ways.append((facts, _item(machine, command.items, index, left)))
        left = [text for text, verdict in zip(left, verdicts, strict=True) if verdict is not True]
        if not left:
            break
    if left:
        ways.append(((), lambda: SUCCESS))
    leaves = (leaf for leaf in subject.leaves() if isinstance(leaf, Text))
    if len(ways) > 1 or (several and any(leaf.certainty is Certainty.ASSUMED for leaf in leaves)):
        branch(machine, ways)
        return LIKELY
    assumed = certainty is Certainty.ASSUMED
    if assumed:
        for item in command.items:
            otherwise(machine, _body_in(item.body))
    weakly(machine, assumed, ways[0][1])
    return LIKELY


def _item(
    machine: Machine, items: Sequence[CaseItem], index: int, texts: Sequence[str | None]
) -> Callable[[], None]:
    """What happens from the item at *index* on, as its terminators lead through those that follow."""

    def run() -> None:
        searching = False
        for item in items[index:]:
            verdicts = {_matches(machine, item.patterns, text)[0] for text in texts} if searching else {True}
            if verdicts == {False}:
                continue
            if verdicts != {True}:
                branch(machine, [((), _listing(machine, item.body)), ((), lambda: None)])
                continue
            machine.run(item.body)
            if item.terminator not in (";&", ";;&") or not machine.going:
                return
            searching = item.terminator == ";;&"

    return run


def _matches(machine: Machine, patterns: Iterable[Word], text: str | None) -> tuple[bool | None, Certainty]:
    """Whether *text* matches one of *patterns*, and how sure these are."""
    verdict: bool | None = False
    worst = Certainty.KNOWN
    for word in patterns:
        glob, certainty = glob_of(machine, word)
        if certainty is Certainty.ASSUMED:
            worst = certainty
        if glob is not None and glob.widths == (0, 0):
            return True, worst
        if text is None or glob is None or len(text) > glob.most:
            verdict = None
        elif glob.full(text):
            return True, worst
    return verdict, worst


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
    return Outcome(result.number != 0, assumed=result.certainty is Certainty.ASSUMED, code=1)
