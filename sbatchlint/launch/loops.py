"""Loops: unrolled where their list is known, else gone through once for what every round shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.branching import otherwise
from sbatchlint.launch.combining import slice_value, without_absent
from sbatchlint.launch.computing import compute
from sbatchlint.launch.expansion import expand_list
from sbatchlint.launch.outcomes import LIKELY, OPEN, Outcome
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.redirections import redirected
from sbatchlint.launch.rounds import MOST_ROUNDS, Rounds
from sbatchlint.launch.state import Flow
from sbatchlint.launch.values import Value, text_value, unknown
from sbatchlint.launch.widening import Action, unknown_rounds

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell.syntax import ArithmeticFor, Body, For, While
    from sbatchlint.source import Span


def run_for(machine: Machine, command: For) -> Outcome:
    """``for name in words``."""
    return redirected(machine, command.redirects, lambda: _for(machine, command))


def _for(machine: Machine, command: For) -> Outcome:
    def any_round(shell: Machine) -> None:
        _give(shell, command.name, unknown(f"${command.name}"), None)
        shell.run(command.body)

    args, dropped = _items(machine, command)
    if not machine.going:
        return OPEN
    if dropped:
        otherwise(machine, any_round)
    if args is None or len(args) > MOST_ROUNDS or any(arg.open for arg in args) or command.select:
        unknown_rounds(machine, any_round)
        return LIKELY
    loop = Rounds(machine)
    for arg in args:
        if loop.tired:
            unknown_rounds(machine, any_round)
            break
        loop.certain = not arg.optional
        if not loop.go(_round_with(machine, command, arg), assumed=arg.splits):
            break
    loop.end()
    return LIKELY


def _round_with(machine: Machine, command: For, arg: Arg) -> Callable[[], None]:
    def one() -> None:
        _give(machine, command.name, arg.value, arg.place)
        machine.run(command.body)

    return one


def _give(machine: Machine, name: str, value: Value, span: Span | None) -> None:
    """Give the loop's variable its next value; one that stands for another is made to stand for the next."""
    if machine.reference(name) is None:
        machine.assign(name, value, span)
    else:
        machine.refer(name, value)


def _items(machine: Machine, command: For) -> tuple[list[Arg] | None, bool]:
    """The words to go through, and whether there are none by assumption only."""
    if command.words is not None:
        return expand_list(machine, command.words)
    arguments = machine.state.arguments
    if arguments is None:
        return None, False
    found = map(without_absent, arguments)
    return [Arg(value, optional=maybe_missing) for value, maybe_missing in found], False


def run_arithmetic_for(machine: Machine, command: ArithmeticFor) -> Outcome:
    """``for ((init; condition; step))``."""
    return redirected(machine, command.redirects, lambda: _arithmetic_for(machine, command))


def _arithmetic_for(machine: Machine, command: ArithmeticFor) -> Outcome:
    header = machine.value(command.header)
    parts = _split_header(header)

    def one() -> None:
        machine.run(command.body)

    def step() -> None:
        compute(machine, parts[2])

    def body_and_step(shell: Machine) -> None:
        shell.run(command.body)
        if len(parts) == 3:
            compute(shell, parts[2])
            compute(shell, parts[1])

    if len(parts) != 3:
        unknown_rounds(machine, body_and_step)
        return LIKELY
    compute(machine, parts[0])
    loop = Rounds(machine)
    while not loop.tired:
        again = compute(machine, parts[1]) if (parts[1].text or "").strip() else None
        if again is not None and again.number == 0:
            break
        if again is None or again.number is None:
            if again is not None:
                unknown_rounds(machine, body_and_step)
                break
            if not loop.go(one, assumed=False, after=step):
                break
            continue
        if not loop.go(one, assumed=again.certainty is Certainty.ASSUMED, after=step):
            break
    else:
        unknown_rounds(machine, body_and_step)
    loop.end()
    return LIKELY


def _split_header(header: Value) -> list[Value]:
    text = header.text
    if text is None:
        return []
    parts: list[Value] = []
    at = 0
    for piece in text.split(";"):
        parts.append(slice_value(header, at, at + len(piece)) or text_value(" "))
        at += len(piece) + 1
    return parts


def run_while(machine: Machine, command: While) -> Outcome:
    """``while`` and ``until``."""
    return redirected(machine, command.redirects, lambda: _while(machine, command))


def _while(machine: Machine, command: While) -> Outcome:
    loop = Rounds(machine)

    def one() -> None:
        machine.run(command.body)

    def body_and_condition(shell: Machine) -> None:
        shell.run(command.body)
        if shell.state.flow in (Flow.NORMAL, Flow.CONTINUE):
            shell.state.flow = Flow.NORMAL
            shell.tested(lambda: shell.run(command.condition))

    while not loop.tired:
        outcome = machine.tested(lambda: machine.run(command.condition))
        if not machine.going:
            break
        holds = outcome.holds if not command.until or outcome.holds is None else not outcome.holds
        if holds is False:
            if outcome.assumed:
                otherwise(machine, _running(command.body))
            break
        if holds is None:
            unknown_rounds(machine, body_and_condition)
            break
        if not loop.go(one, assumed=outcome.assumed):
            break
    else:
        unknown_rounds(machine, body_and_condition)
    loop.end()
    return LIKELY


def _running(body: Body) -> Action:
    return lambda shell: shell.run(body)
