"""Follows a command line inwards: wrappers, shells, containers, launchers, down to the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch import outputs
from sbatchlint.launch.branching import branch
from sbatchlint.launch.by_table import by_table
from sbatchlint.launch.filing import file_changes
from sbatchlint.launch.modes import first_line_modes
from sbatchlint.launch.noting import note
from sbatchlint.launch.outcomes import LIKELY, OPEN, Outcome
from sbatchlint.launch.plan import Arg, Layer, LayerKind
from sbatchlint.launch.shells import may_follow, run_code, run_shell, written_script
from sbatchlint.launch.steps import start_step
from sbatchlint.launch.submitting import submit
from sbatchlint.launch.tables import SHELLS, table_for
from sbatchlint.launch.values import OUTPUT, last_part, unknown
from sbatchlint.launch.ways import lines, table_of

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

_UNDECIDED = frozenset(("grep", "diff", "cmp", "pgrep", "squeue", "scontrol", "which", "ping", "nc"))


def launch(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """Start a command line that is neither a function nor a builtin."""
    found = lines(args)
    if len(found) > 1:
        return _each(machine, found, span)
    args = _without_leading_optional(found[0])
    if not args:
        return LIKELY
    name = last_part(args[0].value)
    if name == "srun":
        return start_step(machine, args, span)
    if name in ("sbatch", "salloc"):
        return submit(machine, args, span)
    if name in SHELLS:
        return run_shell(machine, name or "", args, span)
    if name == "command" and len(args) > 1 and args[1].text in ("-v", "-V"):
        machine.print_unknown()
        return OPEN
    written = written_script(machine, args[0].value)
    if written is not None and may_follow(machine, written, args[1:]):
        layer = Layer("bash", LayerKind.SHELL, args[0].place, (), True)
        given = first_line_modes(written.text or "")
        return run_code(machine, written, layer, args, span, file=args[0].value, given=given)
    table = table_for(name) if name is not None else table_of(args[0])
    if table is not None:
        return by_table(machine, table, args, span)
    file_changes(machine, name or "", args)
    printed = outputs.printed_by(machine, name or "", args)
    machine.print(printed if printed is not None else unknown(OUTPUT))
    note(machine, args, args[0].value, args[0], False, args[1:], span)
    if name == "expr" and printed is not None and printed.text == "0\n":
        return Outcome(False, assumed=printed.certainty is Certainty.ASSUMED, code=1)
    return OPEN if name in _UNDECIDED else LIKELY


def _each(machine: Machine, found: Sequence[list[Arg]], span: Span) -> Outcome:
    """Start each of several command lines, of which one is the real one."""

    def one(line: list[Arg]) -> Callable[[], object]:
        return lambda: machine.start(line, span)

    branch(machine, [((), one(line)) for line in found])
    return OPEN


def _without_leading_optional(args: list[Arg]) -> list[Arg]:
    """Pass over words at the front that may be missing: what is sure to come is what is started."""
    index = 0
    while index + 1 < len(args) and args[index].optional and args[index].value.text is None:
        index += 1
    return args[index:]
