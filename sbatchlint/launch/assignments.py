"""``name=value`` in all its forms (bash(1), PARAMETERS and Arrays)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.launch.computing import compute, subscript
from sbatchlint.launch.expansion import expand_value, expand_words
from sbatchlint.launch.state import Variable
from sbatchlint.launch.values import EMPTY, Value, optional_value, text_value, unknown

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell.syntax import ArrayElement, Assignment
    from sbatchlint.source import Span


def assign_from(machine: Machine, assignment: Assignment, *, export: bool = False) -> None:
    """Carry out one assignment."""
    span = machine.code.locate(assignment.span)
    name = machine.real_name(assignment.name)
    if assignment.elements is not None:
        _assign_array(machine, name, assignment, span)
        return
    value = EMPTY
    if assignment.value is not None:
        value = expand_value(machine, assignment.value, assigned=True)
    if assignment.subscript is not None:
        _assign_element(machine, name, assignment, value, span)
        return
    held = machine.state.variables.get(name)
    if assignment.append:
        old, _ = machine.lookup(name, span)
        value = _appended(machine, held, old, value)
    elif held is not None and "i" in held.letters:
        value = _computed(machine, value)
    machine.assign(name, value, span, export=export)


def _appended(machine: Machine, held: Variable | None, old: Value | None, value: Value) -> Value:
    if held is None or "i" not in held.letters:
        return (old or EMPTY) + value
    return _computed(machine, (old or EMPTY) + text_value("+(") + value + text_value(")"))


def _computed(machine: Machine, value: Value) -> Value:
    result = compute(machine, value)
    if result.number is None:
        return unknown(value.show(), value.span)
    return text_value(str(result.number), value.span, result.certainty)


# --- arrays ----------------------------------------------------------------------------------------


def _assign_array(machine: Machine, name: str, assignment: Assignment, span: Span | None) -> None:
    """``name=(...)`` and ``name+=(...)``."""
    before = machine.elements(name) if assignment.append else []
    if before is None and name not in machine.state.variables:
        before = []  # that the environment has a variable of this name is left out of account
    items: dict[str, Value] | None = None if before is None else dict(before)
    for element in assignment.elements or ():
        items = _with_element(machine, name, items, element)
    if items is None:
        machine.forget(name)
    else:
        machine.set_items(name, items, span)


def _with_element(
    machine: Machine, name: str, items: dict[str, Value] | None, element: ArrayElement
) -> dict[str, Value] | None:
    """Add what one element gives; None where it is not known which keys there are any more."""
    if element.key is not None:
        key, certainty = subscript(machine, name, element.key)
        value = machine.value(element.value).weakened(certainty)
        if items is None or key is None or not (key.isdigit() or machine.is_associative(name)):
            return None
        value = items.get(key, EMPTY) + value if element.append else value
        return {**items, key: machine.weakened(value)}
    args = expand_words(machine, (element.value,))
    if items is None or machine.is_associative(name):
        return None
    index = 1 + max((int(key) for key in items), default=-1)
    moved = False
    for arg in args:
        moved = moved or arg.splits
        value = machine.weakened(arg.value.assumed() if moved else arg.value)
        if arg.open:
            return None
        items = {**items, str(index): optional_value(value) if arg.optional else value}
        index += 1
    return items


def _assign_element(
    machine: Machine, name: str, assignment: Assignment, value: Value, span: Span | None
) -> None:
    """``name[key]=value``."""
    assert assignment.subscript is not None
    key, certainty = subscript(machine, name, assignment.subscript)
    value = value.weakened(certainty)
    if key is not None and key.startswith("-") and not machine.is_associative(name):
        elements = machine.elements(name) or []
        last = max((int(held) for held, _ in elements), default=-1)
        key = str(last + 1 + int(key)) if elements else None
    if key is None:
        machine.forget(name)
        return
    if assignment.append:
        old, is_set = machine.element(name, key, span)
        value = value if is_set is False or old is None else old + value
    machine.assign_element(name, key, value, span)
