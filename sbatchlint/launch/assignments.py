"""``name=value`` in all its forms (bash(1), PARAMETERS and Arrays)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.launch.combining import optional_value
from sbatchlint.launch.computing import compute, subscript
from sbatchlint.launch.conditions import variable_name
from sbatchlint.launch.expansion import expand_list, expand_value
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.values import EMPTY, Value, text_value, unknown
from sbatchlint.launch.variable import Variable
from sbatchlint.records import dataclass
from sbatchlint.shell.syntax import DoubleQuoted, Parameter

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell.syntax import ArrayElement, Assignment, Word
    from sbatchlint.source import Span

_MOST_ELEMENTS = 4096


@dataclass(frozen=True, slots=True)
class Right:
    """The right side of an assignment, expanded."""

    value: Value = EMPTY
    elements: tuple[tuple[list[Arg], bool], ...] = ()
    """For each element of an array its words, and whether they are none by assumption only."""


def right_side(machine: Machine, assignment: Assignment) -> Right:
    """Expand what stands behind ``=``."""
    if assignment.elements is not None:
        return Right(elements=tuple(_element_words(machine, element) for element in assignment.elements))
    if assignment.value is None:
        return Right()
    return Right(expand_value(machine, assignment.value, assigned=True))


def _element_words(machine: Machine, element: ArrayElement) -> tuple[list[Arg], bool]:
    if element.key is None:
        return expand_list(machine, (element.value,))
    return [Arg(machine.value(element.value), machine.code.locate(element.span))], False


def assign_from(
    machine: Machine, assignment: Assignment, *, export: bool = False, right: Right | None = None
) -> None:
    """Carry out one assignment, of *right* where its right side has been expanded before."""
    right = right or right_side(machine, assignment)
    span = machine.code.locate(assignment.span)
    name = machine.real_name(assignment.name)
    if not machine.going:
        machine.forget(name)  # its right side has failed: it is what it was
        return
    if assignment.elements is not None:
        _assign_array(machine, name, assignment, right, span)
        return
    value = right.value
    if assignment.subscript is not None:
        _assign_element(machine, name, assignment, value, span)
        return
    held = machine.state.variables.get(name)
    if assignment.append:
        old, _ = machine.lookup(name, span)
        value = _appended(machine, held, old, value)
    elif held is not None and "i" in held.letters:
        value = _computed(machine, value)
    word = assignment.value
    filled = word is not None and not assignment.append and _is_filled(machine, word)
    machine.assign(name, value, span, export=export)
    held = machine.state.variables.get(name)
    if filled and held is not None and held.value == value:
        machine.note_present(name, filled=True)


def _is_filled(machine: Machine, word: Word) -> bool:
    """Tell whether what is assigned is sure not to be empty: ``$X`` behind a guard, ``${1:?}``."""
    parts = word.parts
    if len(parts) == 1 and isinstance(parts[0], DoubleQuoted):
        parts = parts[0].parts
    if len(parts) != 1 or not isinstance(parts[0], Parameter):
        return False
    return parts[0].operator == ":?" or machine.is_filled(variable_name(word))


def _appended(machine: Machine, held: Variable | None, old: Value | None, value: Value) -> Value:
    if held is None or "i" not in held.letters:
        return (old or EMPTY) + value
    return _computed(machine, (old or EMPTY) + text_value("+(") + value + text_value(")"))


def _computed(machine: Machine, value: Value) -> Value:
    return compute(machine, value).value(value.show(), value.span)


# --- arrays ----------------------------------------------------------------------------------------


def _assign_array(
    machine: Machine, name: str, assignment: Assignment, right: Right, span: Span | None
) -> None:
    """``name=(...)`` and ``name+=(...)``."""
    elements = _Elements(machine, name, append=assignment.append)
    for element, (words, dropped) in zip(assignment.elements or (), right.elements, strict=True):
        elements.add(element, words, dropped)
    if elements.items is None or len(elements.items) > _MOST_ELEMENTS:
        machine.forget(name, opaque=True)
    else:
        machine.set_items(name, elements.items, span, more=elements.more)


class _Elements:
    """The elements of an array while it is given its value."""

    def __init__(self, machine: Machine, name: str, *, append: bool) -> None:
        self._machine = machine
        self._name = name
        self._moved = False
        """True behind assumed text that was split: keys are assumed from there on."""
        before = machine.elements(name, first=True) if append else []
        if before is None and name not in machine.state.variables:
            before = []  # that the environment has a variable of this name is left out of account
        self.items: dict[str, Value] | None = None if before is None else dict(before)
        """None where it is not known any more which keys there are."""
        self.more = machine.more_of(name) if append else None
        """What stands for any number of elements behind ``items``."""
        self._next = 0
        if not machine.is_associative(name):
            self._next = 1 + int(next(reversed(self.items or {}), "-1"))  # they are in order

    def add(self, element: ArrayElement, args: list[Arg], dropped: bool) -> None:
        """Add what one written element gives: one value, or a word for each it expands to."""
        if element.key is not None:
            self._add_by_key(element, args[0].value)
            return
        if self._machine.is_associative(self._name):
            self.items = None
        for arg in args:
            self._add_next(arg)
        if dropped and self.more is None:
            # Nothing by assumption: in truth there may be elements.
            self.more = unknown(self._machine.shown(element.span), self._machine.code.locate(element.span))

    def _add_by_key(self, element: ArrayElement, value: Value) -> None:
        assert element.key is not None
        key, certainty = subscript(self._machine, self._name, element.key)
        value = value.weakened(certainty)
        associative = self._machine.is_associative(self._name)
        if self.items is None or self.more is not None or key is None or not (key.isdigit() or associative):
            self.items = None
            return
        if element.append:
            value = self.items.get(key, EMPTY) + value
        self.items[key] = self._machine.weakened(value)
        if not associative:
            self._next = int(key) + 1

    def _add_next(self, arg: Arg) -> None:
        if self.items is None or self.more is not None:
            return  # it stands behind those that nobody knows
        if arg.open:
            self.more = unknown(arg.value.show(), arg.value.span)
            return
        self._moved = self._moved or arg.splits
        value = self._machine.weakened(arg.value.assumed() if self._moved else arg.value)
        self.items[str(self._next)] = optional_value(value) if arg.optional else value
        self._next += 1


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
        machine.forget(name, opaque=True)
        return
    if assignment.append:
        old, is_set = machine.element(name, key, span)
        value = value if is_set is False or old is None else old + value
    machine.assign_element(name, key, value, span)
