"""The folder that a shell is in, and the names of files as seen from where the script began."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from sbatchlint.launch.noting import note_use
from sbatchlint.launch.outcomes import LIKELY, Outcome
from sbatchlint.launch.plan import FileUseKind
from sbatchlint.launch.state import NOBODY_KNOWS, State
from sbatchlint.launch.values import Value

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.launch.plan import Arg
    from sbatchlint.source import Span

_START = ("$SLURM_SUBMIT_DIR", "${SLURM_SUBMIT_DIR}")
"""Where sbatch starts the script (sbatch(1), --chdir)."""


def file_name(state: State, value: Value) -> str:
    """The name that a file is kept under: ``./run.sh`` is ``run.sh``, in a folder ``lib/run.sh``."""
    return _from(state.folders[-1], value)


def beside(machine: Machine, value: Value) -> str | None:
    """The text of a file that stands beside the script; None where there is none."""
    if value.text is None:
        return None
    return machine.session.beside(file_name(machine.state, value))


def cd(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """``cd`` and ``pushd``."""
    state = machine.state
    operands = [arg for arg in args[1:] if arg.text not in ("-L", "-P", "-e", "--", "-n")]
    before = state.folders if args[0].text == "pushd" else state.folders[:-1]
    if not operands:
        folder = "$HOME"
    elif operands[0].text == "-":
        folder = state.came_from
    elif len(operands) > 1 or operands[0].open or operands[0].optional or operands[0].text == "+1":
        folder = NOBODY_KNOWS
    else:
        note_use(machine, FileUseKind.ENTERED, operands[0].value, span)
        folder = _from(state.folders[-1], operands[0].value)
    state.came_from = state.folders[-1]
    state.folders = (*before, folder)
    if args[0].text == "pushd":
        machine.print_unknown()
    return LIKELY


def popd(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``popd``: back to where the ``pushd`` before it was."""
    state = machine.state
    state.folders = state.folders[:-1] if len(args) == 1 and len(state.folders) > 1 else (NOBODY_KNOWS,)
    machine.print_unknown()
    return LIKELY


def _from(folder: str, value: Value) -> str:
    name = value.show()
    if name in _START:
        return ""
    for start in _START:
        name = name.removeprefix(start + "/")
    if value.segments and (name.startswith(("/", "$")) or not name):
        return name
    path = posixpath.normpath(posixpath.join(folder, name))
    return "" if path == "." else path
