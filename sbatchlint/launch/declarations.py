"""``export``, ``declare``, ``local``, ``readonly``, ``typeset`` and ``unset`` (bash(1))."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sbatchlint.launch import scopes
from sbatchlint.launch.assignments import assign_from, right_side
from sbatchlint.launch.combining import slice_value
from sbatchlint.launch.expansion import expand_words
from sbatchlint.launch.outcomes import SUCCESS, Outcome
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.variable import UNSET, Variable
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Simple, Word
from sbatchlint.shell.words import read_assignment

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.launch.values import Value
    from sbatchlint.source import Span

DECLARATIONS = frozenset(("export", "declare", "typeset", "local", "readonly"))
_OPTIONS = regex(r"[-+][A-Za-z]+|--")
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
    def fixes(self) -> bool:
        """True where names can't be given another value from here on."""
        return self.command == "readonly" or "r" in self.on

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
    # All words are expanded before the first is declared: ``local x=$x`` copies the variable that it hides.
    for act in [_declaring(machine, declaration, word) for word in rest]:
        act()
    # The substitution in ``local x=$(...)`` has no say: the declaration itself succeeds.
    machine.substituted = None
    return SUCCESS


def _declaring(machine: Machine, declaration: _Declaration, word: Word) -> Callable[[], None]:
    """Expand *word* and give what is left to do; an array is declared at once, as bash does."""
    assignment = read_assignment(machine.code.text, word.span)
    if assignment is None:
        args = expand_words(machine, (word,))
        return lambda: _declare_expanded(machine, declaration, args)
    right = right_side(machine, assignment)

    def declare_it() -> None:
        _prepare(machine, declaration, assignment.name, assigns=True)
        if "n" in declaration.on and declaration.command != "export":
            machine.refer(assignment.name, right.value)
            return
        assign_from(machine, assignment, right=right)
        _finish(machine, declaration, assignment.name)

    def act() -> None:
        _where_meant(machine, declaration, assignment.name, declare_it)

    if assignment.elements is None:
        return act
    act()
    return lambda: None


def _export_functions(machine: Machine, declaration: _Declaration, names: list[str]) -> None:
    if declaration.exports is True:
        machine.state.exported_functions |= set(names)
    elif declaration.exports is False:
        machine.state.exported_functions -= set(names)


def _declare_expanded(machine: Machine, declaration: _Declaration, args: list[Arg]) -> None:
    """Names, or ``NAME=value`` that an expansion gave (``export "$k=$v"``)."""
    for arg in args:
        text = arg.text or ""
        name, equals, _ = text.partition("=")
        if text == "-" and declaration.is_local and machine.kept_options[-1:] == [None]:
            machine.kept_options[-1] = machine.state.options
        if name.isidentifier():
            value = slice_value(arg.value, len(name) + 1, len(text)) if equals else None
            act = partial(_declare_name, machine, declaration, name, arg, value)
            _where_meant(machine, declaration, name, act)


def _declare_name(
    machine: Machine, declaration: _Declaration, name: str, arg: Arg, value: Value | None
) -> None:
    _prepare(machine, declaration, name, assigns=value is not None)
    if "n" in declaration.on and declaration.command != "export" and machine.reference(name) is None:
        # A reference to nothing yet: the first value that it is given says to what.
        machine.state.variables[name] = Variable(None, reference=name)
    if value is not None:
        machine.assign(name, value.weakened(arg.value.certainty), arg.span)
    _finish(machine, declaration, name)


def _where_meant(machine: Machine, declaration: _Declaration, name: str, act: Callable[[], None]) -> None:
    """Do *act* with the variable *name* of the running function, or with that outside of all (``-g``)."""
    if "g" in declaration.on and declaration.command in ("declare", "typeset"):
        scopes.globally(machine.state, name, act)
        return
    if declaration.exports:
        scopes.export(machine.state, name)
    act()


def _prepare(machine: Machine, declaration: _Declaration, name: str, *, assigns: bool) -> None:
    """Make the variable that the declaration means, with its attributes, before it is given a value."""
    held = machine.state.variables.get(name)
    if machine.calls and declaration.is_local:
        scopes.hide(machine.state, name)
        held = machine.state.variables.get(name)
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


def _finish(machine: Machine, declaration: _Declaration, name: str) -> None:
    """Export the variable, or stop exporting it; keep it as it is from here on if it is readonly."""
    if declaration.exports is None and not declaration.fixes:
        return
    name = machine.real_name(name)
    held = machine.state.variables.get(name)
    if held is None:
        value, is_set = machine.lookup(name, None)
        held = Variable(value, maybe_unset=is_set is None)
    exported = held.exported if declaration.exports is None else declaration.exports
    machine.state.variables[name] = replace(held, exported=exported, fixed=held.fixed or declaration.fixes)


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
            if letters == "" and not _is_set(machine, text):
                machine.state.functions.pop(text, None)
            real = text if letters == "-n" else machine.real_name(text)
            held = machine.state.variables.get(real)
            if held is None or not held.fixed:
                scopes.unset(machine.state, real)
    return SUCCESS


def _is_set(machine: Machine, name: str) -> bool:
    """Tell whether *name* is a variable, set or declared, so that ``unset`` takes it before a function."""
    held = machine.state.variables.get(name)
    return held is not None and held != UNSET


def _unset_element(machine: Machine, name: str, key: str) -> None:
    elements = machine.elements(name)
    if elements is None or not (machine.is_associative(name) or re.fullmatch(r"\d+", key)):
        machine.forget(name, opaque=True)
        return
    machine.set_items(name, {held: value for held, value in elements if held != key}, None)
