"""Arithmetic over a shell's variables: ``$((...))``, ``((...))``, subscripts and bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch import arithmetic
from sbatchlint.launch.values import Text, Unknown, Value, text_value, unknown

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell.syntax import Arithmetic, Word


@dataclass(frozen=True, slots=True)
class Computed:
    """What an expression gives; ``number`` is None where that is not known."""

    number: int | None
    certainty: Certainty


def compute(machine: Machine, expression: Value) -> Computed:
    """Compute *expression*, carrying out the assignments in it."""
    text = expression.text
    if text is None:
        return Computed(None, Certainty.UNKNOWN)
    computation = _Computation(machine, expression.certainty)
    return Computed(computation.run(text), computation.certainty)


def compute_text(machine: Machine, text: str) -> int | None:
    """Compute an expression that is known text."""
    return _Computation(machine, Certainty.KNOWN).run(text)


def integer(machine: Machine, word: Word) -> int | None:
    """Compute *word* as an arithmetic expression."""
    return compute(machine, machine.value(word)).number


def subscript(machine: Machine, name: str, word: Word) -> str | None:
    """The key that a subscript means; None where it is not known."""
    text = machine.value(word).text
    variable = machine.state.variables.get(name)
    if text is None or (variable is not None and variable.associative):
        return text
    number = compute_text(machine, text)
    return None if number is None else str(number)


def arithmetic_value(machine: Machine, part: Arithmetic) -> Value:
    """The value of ``$((...))``."""
    span = machine.code.locate(part.span)
    result = compute(machine, machine.value(part.expression))
    if result.number is None:
        return Value((Unknown(machine.shown(part.span), span),))
    return Value((Text(str(result.number), span, result.certainty),))


class _Computation:
    """One expression; keeps the worst certainty of the variables it has read."""

    def __init__(self, machine: Machine, certainty: Certainty) -> None:
        self._machine = machine
        self.certainty = certainty

    def run(self, text: str) -> int | None:
        return arithmetic.evaluate(text, self._number_of, self._set_number)

    def _number_of(self, name: str) -> int | None:
        base, bracket, rest = name.partition("[")
        if bracket:
            inner = self.run(rest[:-1])
            value, _ = self._machine.element(base, None if inner is None else str(inner), None)
        else:
            value, _ = self._machine.lookup(base, None)
        if value is None:
            return 0
        text = value.text
        if text is None:
            return None
        self.certainty = max(self.certainty, value.certainty)
        text = text.strip()
        if not text:
            return 0
        if text.isidentifier():
            return self._number_of(text) if text != base else None
        return arithmetic.evaluate(text, lambda _: None)

    def _set_number(self, name: str, number: int | None) -> None:
        if name.isidentifier():
            value = unknown(f"${name}") if number is None else text_value(str(number))
            self._machine.assign(name, value.weakened(self.certainty), None)
