"""``name=value`` in all its forms (bash(1), PARAMETERS and Arrays)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.launch.computing import subscript
from sbatchlint.launch.expansion import expand_words
from sbatchlint.launch.state import Variable
from sbatchlint.launch.values import EMPTY, Value, optional_value

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell.syntax import Assignment
    from sbatchlint.source import Span


def assign_from(machine: Machine, assignment: Assignment, *, export: bool = False) -> None:
    """Carry out one assignment."""
    span = machine.code.locate(assignment.span)
    before = machine.state.variables.get(assignment.name)
    if assignment.elements is not None:
        _assign_array(machine, assignment, before, span)
        return
    value = machine.value(assignment.value) if assignment.value is not None else EMPTY
    if assignment.subscript is not None:
        _assign_element(machine, assignment, before, value, span)
        return
    if assignment.append:
        if before is not None and before.items is not None:
            items = before.items or (("0", EMPTY),)
            first = (items[0][0], items[0][1] + value)
            machine.state.variables[assignment.name] = replace(before, items=(first, *items[1:]))
            return
        old, _ = machine.lookup(assignment.name, span)
        value = (old or EMPTY) + value
    machine.assign(assignment.name, value, span, export=export)


def _assign_array(
    machine: Machine, assignment: Assignment, before: Variable | None, span: Span | None
) -> None:
    associative = before is not None and before.associative
    items = dict(before.items or ()) if before is not None and assignment.append else {}
    index = 1 + max((int(key) for key in items if key.isdigit()), default=-1)
    for element in assignment.elements or ():
        if element.key is not None:
            key = subscript(machine, assignment.name, element.key)
            items[key if key is not None else "?"] = machine.weakened(machine.value(element.value))
            index = int(key) + 1 if key is not None and key.isdigit() else index
            continue
        for arg in expand_words(machine, (element.value,)):
            value = machine.weakened(arg.value)
            items[str(index)] = optional_value(value) if arg.optional else value
            index += 1
    exported = before is not None and before.exported
    machine.state.variables[assignment.name] = Variable(
        items=tuple(items.items()), exported=exported, associative=associative, written=span
    )


def _assign_element(
    machine: Machine, assignment: Assignment, before: Variable | None, value: Value, span: Span | None
) -> None:
    assert assignment.subscript is not None
    key = subscript(machine, assignment.name, assignment.subscript)
    items = dict(machine.elements(assignment.name) or ())
    key = key if key is not None else "?"
    if assignment.append:
        value = items.get(key, EMPTY) + value
    items[key] = machine.weakened(value)
    associative = before is not None and before.associative
    exported = before is not None and before.exported
    machine.state.variables[assignment.name] = Variable(
        items=tuple(items.items()), exported=exported, associative=associative, written=span
    )
