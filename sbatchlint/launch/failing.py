"""What a shell does about a command that fails: ``trap ... ERR`` and ``set -e`` (bash(1))."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.branching import branch, weakly
from sbatchlint.launch.outcomes import Outcome
from sbatchlint.launch.values import Value
from sbatchlint.shell import syntax

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell.syntax import Command

_COMPOUND = (syntax.Group, syntax.If, syntax.Case, syntax.For, syntax.ArithmeticFor, syntax.While)
"""Commands whose failure is that of one inside them, which the trap has seen already."""


def after_command(machine: Machine, command: Command, outcome: Outcome) -> None:
    """Run what is to be run where *command* has failed, and end the process where ``set -e`` does."""
    if outcome.holds is True or outcome.excuse or machine.testing or not machine.going:
        return
    if machine.state.at_error != (None,) and not isinstance(command, _COMPOUND):
        _trap(machine, outcome)
    if outcome.holds is None or not machine.going or "errexit" not in machine.state.options:
        return
    if outcome.assumed or machine.weak:
        machine.may_stop()
        return
    machine.fail(outcome)


def _trap(machine: Machine, outcome: Outcome) -> None:
    """Run the code of ``trap ... ERR``; for commands that may have failed once, as what may happen."""
    if machine.trapping or (machine.calls and "errtrace" not in machine.state.options):
        return
    codes = machine.state.at_error
    if outcome.holds is False and not outcome.assumed and not machine.weak and len(codes) == 1:
        _run(machine, codes[0])
        return
    new = [code for code in codes if code is not None and code not in machine.trapped]
    if new and not machine.session.muted:
        machine.trapped.update(new)
        branch(machine, [((), partial(_run, machine, code)) for code in (None, *new)])


def _run(machine: Machine, code: Value | None) -> None:
    if code is None:
        return
    before, last = machine.code, machine.state.last
    machine.code, machine.trapping = machine.place.code(code), True
    weakly(machine, code.certainty is Certainty.ASSUMED, machine.run_code)
    machine.code, machine.trapping = before, False
    machine.state.last = last
