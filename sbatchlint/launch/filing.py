"""Programs that remove, copy or edit files: what becomes of the texts that the script has written."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch.folders import file_name
from sbatchlint.launch.redirections import write_file
from sbatchlint.launch.values import Value, text_value

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.launch.plan import Arg

_CHANGING = frozenset(("patch", "rm", "shred", "truncate", "unlink"))
_COPYING = frozenset(("cp", "install", "ln", "mv"))


def file_changes(machine: Machine, name: str, args: Sequence[Arg]) -> None:
    """Forget what *name* changes of the files that are known, and follow those that it copies."""
    if not machine.state.files:
        return
    options = [arg.text or "" for arg in args[1:] if (arg.text or "").startswith("-")]
    operands = [arg.value for arg in args[1:] if not (arg.text or "").startswith("-")]
    in_place = any(option.startswith(("-i", "--in-place", "-pi")) for option in options)
    if name in _CHANGING or (name in ("sed", "perl") and in_place):
        for operand in operands:
            _forget(machine, file_name(machine.state, operand))
    elif name in _COPYING and len(operands) > 1:
        _copy(machine, operands[:-1], operands[-1], keeps=name != "mv")


def _forget(machine: Machine, path: str) -> None:
    inside = path.rstrip("/") + "/"
    for held in [held for held in machine.state.files if held == path or held.startswith(inside)]:
        del machine.state.files[held]


def _copy(machine: Machine, sources: Sequence[Value], target: Value, *, keeps: bool) -> None:
    """Copy to *target*, which may be a folder."""
    for source in sources:
        path = file_name(machine.state, source)
        text = machine.state.files.get(path)
        if not keeps:
            _forget(machine, path)
        inside = target + text_value("/" + posixpath.basename(path))
        for place in (target, inside):
            if text is None:
                _forget(machine, file_name(machine.state, place))
            else:
                write_file(machine, place, text, append=False)
