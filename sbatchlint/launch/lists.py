"""``$@``, ``${a[@]}`` and their like: expansions that are several words (bash(1), Arrays)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.combining import joined_by, without_absent
from sbatchlint.launch.computing import compute
from sbatchlint.launch.transforms import transform
from sbatchlint.launch.values import EMPTY, Value, text_value, unknown
from sbatchlint.records import dataclass
from sbatchlint.shell.syntax import Parameter

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine

Elements = list[tuple[str, Value]]


@dataclass(frozen=True, slots=True)
class Expanded:
    """The values that an expansion gives, one per word."""

    values: tuple[Value, ...]
    open: bool = False
    """True where there may be more words, or fewer."""
    more: Value | None = None
    """What stands for any number of words behind those of ``values``."""


def elements_of(machine: Machine, part: Parameter) -> Elements | None:
    """The elements that *part* names; None where they are not known."""
    return machine.elements(None if part.name in ("@", "*") else part.name)


def expand_list(machine: Machine, part: Parameter, shown: str) -> Expanded:
    """Expand a list without the operators that choose a word in its place."""
    if part.prefix == "!" and part.operator in ("@", "*"):
        return _unknown(machine, part, shown)  # names of variables by prefix
    more = machine.more_of(part.name)
    if not part.prefix and not part.operator and more is not None:
        first = machine.elements(part.name, first=True) or []
        return Expanded(tuple(value for _, value in first), more=more)
    elements = elements_of(machine, part)
    if elements is None:
        if part.prefix == "#":
            return Expanded((unknown(shown, machine.code.locate(part.span)),))
        return _unknown(machine, part, shown)
    if part.prefix == "#":
        return Expanded((_count(machine, part, elements, shown),))
    if part.prefix == "!":
        return _keys(machine, part, elements, shown)
    if part.operator == ":":
        return _slice(machine, part, elements, shown)
    found = in_order(machine, part, elements, shown)
    if not part.operator or found.open or part.operator in (":=", "=", ":?", "?"):
        return found
    missing = any(without_absent(value)[1] for value in found.values)
    if missing or part.operator in ("@A", "@K", "@k"):  # these show the whole list
        return _unknown(machine, part, shown)
    return Expanded(tuple(transform(machine, part, value, shown) for value in found.values))


def joined(machine: Machine, part: Parameter, found: Expanded, shown: str) -> Value:
    """The values as one: joined by the first separator where the list is starred, else by blanks."""
    if found.more is not None:
        found = Expanded((*found.values, found.more))
    if len(found.values) == 1 and not without_absent(found.values[0])[1]:
        return found.values[0]
    separator: str | None = " "
    if part.name == "*" or (part.subscript is not None and part.subscript.literal == "*"):
        separators = machine.separators()
        separator = None if separators is None else separators[:1]
    if separator is None or any(without_absent(value)[1] for value in found.values):
        return unknown(shown, machine.code.locate(part.span)) if found.values else EMPTY
    return joined_by(separator, found.values)


def in_order(machine: Machine, part: Parameter, elements: Elements, shown: str) -> Expanded:
    """The elements' values; several of an associative array come in an order of bash's own."""
    if len(elements) > 1 and machine.is_associative(part.name):
        return _unknown(machine, part, shown)
    return Expanded(tuple(value for _, value in elements))


def _unknown(machine: Machine, part: Parameter, shown: str) -> Expanded:
    return Expanded((unknown(shown, machine.code.locate(part.span)),), open=True)


def _count(machine: Machine, part: Parameter, elements: Elements, shown: str) -> Value:
    span = machine.code.locate(part.span)
    if any(without_absent(value)[1] for _, value in elements):
        return unknown(shown, span)
    return text_value(str(len(elements)), span, _of_count(elements))


def _of_count(elements: Elements) -> Certainty:
    """How sure the number of elements is: the last one knows, since what is assumed moves all behind it."""
    last = elements[-1][1].certainty if elements else Certainty.KNOWN
    return Certainty.ASSUMED if last is Certainty.ASSUMED else Certainty.KNOWN


def _keys(machine: Machine, part: Parameter, elements: Elements, shown: str) -> Expanded:
    missing = any(without_absent(value)[1] for _, value in elements)
    if missing or (len(elements) > 1 and machine.is_associative(part.name)):
        return _unknown(machine, part, shown)
    span = machine.code.locate(part.span)
    return Expanded(tuple(text_value(key, span, _of_count(elements)) for key, _ in elements))


def _slice(machine: Machine, part: Parameter, elements: Elements, shown: str) -> Expanded:
    """``${a[@]:start:length}``: the start is a key, the length a number of elements."""
    bounds = [compute(machine, machine.value(argument)) for argument in part.arguments]
    certainty = max((bound.certainty for bound in bounds), default=Certainty.KNOWN)
    numbers = [bound.number for bound in bounds]
    missing = any(without_absent(value)[1] for _, value in elements)
    if machine.is_associative(part.name) or missing or None in numbers:
        return _unknown(machine, part, shown)
    start = numbers[0] or 0
    positional = part.name in ("@", "*")
    if positional and start == 0:
        return _unknown(machine, part, shown)  # begins with $0
    if start < 0:
        start += 1 + max((int(key) for key, _ in elements), default=0 if positional else -1)
        if start < (1 if positional else 0):
            return Expanded(())
    found = [value for key, value in elements if int(key) >= start]
    if len(numbers) > 1:
        size = numbers[1] or 0
        if size < 0:
            return _unknown(machine, part, shown)
        found = found[:size]
    return Expanded(tuple(value.weakened(certainty) for value in found))
