"""``export``, ``declare``, ``local``, ``readonly``, ``typeset`` and ``unset`` (bash(1))."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sbatchlint.launch.assignments import assign_from
from sbatchlint.launch.conditions import SUCCESS, Outcome
from sbatchlint.launch.expansion import expand_words
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.state import UNSET, Variable
from sbatchlint.launch.values import Value, slice_value, unknown
from sbatchlint.shell.syntax import Simple
from sbatchlint.shell.words import read_assignment

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

DECLARATIONS = frozenset(("export", "declare", "typeset", "local", "readonly"))
_OPTIONS = re.compile(r"[-+][A-Za-z]+|--")
_CHANGING = "ilu"


@dataclass(frozen=True, slots=True)
class _Declaration:
    """One command with its options."""

    command: str
    on: str
    off: str

    @property
    def is_local(self) -> bool:
        """True where names declared inside a function are the function's own."""
        return self.command == "local" or (self.command in ("declare", "typeset") and "g" not in self.on)

    @property
    def exports(self) -> bool | None:
        """Whether names are exported from here on, None where that does not change."""
        if "x" in self.off or (self.command == "export" and "n" in self.on):
            return False
        return True if self.command == "export" or "x" in self.on else None


def declare(machine: Machine, command: Simple) -> Outcome:
    """Carry out a declaration: its arguments are assignments or names."""
    on = off = ""
    rest = list(command.words[1:])
    while rest:
        text = rest[0].literal
        if text is None or not _OPTIONS.fullmatch(text):
            break
        rest.pop(0)
        if text == "--":
            break
        on, off = (on + text[1:], off) if text[0] == "-" else (on, off + text[1:])
    declaration = _Declaration(command.words[0].literal or "", on, off)
    if "f" in on or "F" in on:
        _export_functions(machine, declaration, [word.literal or "" for word in rest])
        return SUCCESS
    if "p" in on:
        machine.print_unknown()
        return SUCCESS
    for word in rest:
        assignment = read_assignment(machine.code.text, word.span)
        if assignment is not None:
            _prepare(machine, declaration, assignment.name, assigns=True)
            if "n" in on and declaration.command != "export":
                target = machine.value(assignment.value) if assignment.value is not None else None
                _refer(machine, assignment.name, target)
                continue
            assign_from(machine, assignment)
            _finish(machine, declaration, assignment.name)
            continue
        for arg in expand_words(machine, (word,)):
            _declare_expanded(machine, declaration, arg)
    # The substitution in ``local x=$(...)`` has no say: the declaration itself succeeds.
    machine.substituted = None
    return SUCCESS


def _export_functions(machine: Machine, declaration: _Declaration, names: list[str]) -> None:
    if declaration.exports is True:
        machine.state.exported_functions |= set(names)
    elif declaration.exports is False:
        machine.state.exported_functions -= set(names)


def _declare_expanded(machine: Machine, declaration: _Declaration, arg: Arg) -> None:
    """A name, or ``NAME=value`` that an expansion gave (``export "$k=$v"``)."""
    text = arg.text
    if text is None:
        return
    name, equals, _ = text.partition("=")
    if not name.isidentifier():
        return
    _prepare(machine, declaration, name, assigns=bool(equals))
    if equals:
        machine.assign(name, slice_value(arg.value, len(name) + 1, len(text)), arg.span)
    _finish(machine, declaration, name)


def _prepare(machine: Machine, declaration: _Declaration, name: str, *, assigns: bool) -> None:
    """Make the variable that the declaration means, with its attributes, before it is given a value."""
    held = machine.state.variables.get(name)
    if machine.locals and declaration.is_local and name not in machine.locals[-1]:
        machine.locals[-1][name] = held
        held = Variable(None, exported=held is not None and held.exported)
        machine.state.variables[name] = held
    letters = "".join(letter for letter in _CHANGING if letter in declaration.on)
    if held is not None and not declaration.off:
        letters = letters or held.letters
    if "A" in declaration.on or "a" in declaration.on:
        associative = "A" in declaration.on
        if held is None or held.items is None:
            items = (("0", held.value),) if held is not None and held.value is not None else ()
            held = Variable(None, items, held is not None and held.exported, associative, letters=letters)
        machine.state.variables[name] = replace(held, associative=associative or held.associative)
    elif letters or (held is not None and held.letters):
        if held is None:
            value, _ = machine.lookup(name, None)
            held = Variable(None if assigns else value, maybe_unset=True)
        machine.state.variables[name] = replace(held, letters=letters)


def _refer(machine: Machine, name: str, target: Value | None) -> None:
    """``declare -n name=target``."""
    text = None if target is None else target.text
    if text is not None and re.fullmatch(r"[A-Za-z_]\w*", text) and machine.real_name(text) != name:
        machine.state.variables[name] = Variable(None, reference=text)
    else:
        machine.state.variables[name] = Variable(unknown(f"${name}"), opaque=True)


def _finish(machine: Machine, declaration: _Declaration, name: str) -> None:
    """Export the variable, or stop exporting it."""
    if declaration.exports is None:
        return
    name = machine.real_name(name)
    held = machine.state.variables.get(name)
    if held is None:
        value, is_set = machine.lookup(name, None)
        held = Variable(value, maybe_unset=is_set is None)
    machine.state.variables[name] = replace(held, exported=declaration.exports)


def unset(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``unset`` of variables, elements and functions."""
    letters = ""
    for arg in args[1:]:
        text = arg.text
        if text is None:
            continue
        if text in ("-v", "-f", "-n"):
            letters = text
            continue
        name, bracket, rest = text.partition("[")
        if letters == "-f":
            machine.state.functions.pop(text, None)
        elif bracket:
            _unset_element(machine, name, rest[:-1])
        elif text.isidentifier():
            if letters != "-v" and text not in machine.state.variables:
                machine.state.functions.pop(text, None)
            real = text if letters == "-n" else machine.real_name(text)
            machine.state.variables[real] = UNSET
    return SUCCESS


def _unset_element(machine: Machine, name: str, key: str) -> None:
    elements = machine.elements(name)
    if elements is None or not (machine.is_associative(name) or re.fullmatch(r"\d+", key)):
        machine.forget(name, opaque=True)
        return
    machine.set_items(name, {held: value for held, value in elements if held != key}, None)
