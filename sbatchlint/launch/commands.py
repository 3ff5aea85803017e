"""Every kind of command, and who runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.launch import compounds, deciding, loops, simple
from sbatchlint.launch.outcomes import OPEN, Outcome
from sbatchlint.shell import syntax

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell.syntax import Command


def run(machine: Machine, command: Command) -> Outcome:
    """Run any command."""
    match command:
        case syntax.Simple():
            return simple.run_simple(machine, command)
        case syntax.AndOr():
            return compounds.run_and_or(machine, command)
        case syntax.Pipeline():
            return compounds.run_pipeline(machine, command)
        case syntax.If():
            return deciding.run_if(machine, command)
        case syntax.Case():
            return deciding.run_case(machine, command)
        case syntax.For():
            return loops.run_for(machine, command)
        case syntax.ArithmeticFor():
            return loops.run_arithmetic_for(machine, command)
        case syntax.While():
            return loops.run_while(machine, command)
        case syntax.Group():
            return compounds.run_group(machine, command)
        case syntax.Subshell():
            return compounds.run_subshell(machine, command)
        case syntax.Function():
            return compounds.define_function(machine, command)
        case syntax.Test():
            return deciding.run_test(machine, command)
        case syntax.ArithmeticCommand():
            return deciding.run_arithmetic(machine, command)
        case syntax.Unparsed():
            return OPEN
