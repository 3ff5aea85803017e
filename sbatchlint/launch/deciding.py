"""Commands that decide: ``if``, ``case``, ``[[ ]]`` and ``(( ))``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.branching import Way, after, branch, fill_in, otherwise, weakly
from sbatchlint.launch.computing import compute
from sbatchlint.launch.conditions import Operand, Test, variable_name
from sbatchlint.launch.outcomes import LIKELY, OPEN, SUCCESS, Fact, Outcome
from sbatchlint.launch.redirections import redirected
from sbatchlint.launch.values import Text, text_value
from sbatchlint.launch.wordpatterns import glob_of

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell import syntax
    from sbatchlint.shell.syntax import Body, CaseItem, Word


def _body_in(body: Body) -> Callable[[Machine], Outcome]:
    return lambda trial: trial.run(body)


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
        inside = weakly(machine, outcome.assumed, partial(machine.run, body))
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
            (outcome.if_true, after(machine, SUCCESS, partial(machine.run, body))),
            (outcome.if_false, after(machine, OPEN, lambda: _if_from(machine, command, index + 1))),
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
                branch(machine, [((), partial(machine.run, item.body)), ((), lambda: None)])
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
    result = compute(machine, machine.quoted_value(command.expression))
    if result.fails:
        return Outcome(False, assumed=result.certainty is Certainty.ASSUMED, code=1)
    if result.number is None:
        return OPEN
    return Outcome(result.number != 0, assumed=result.certainty is Certainty.ASSUMED, code=1)
