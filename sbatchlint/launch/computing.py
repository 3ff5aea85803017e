"""Arithmetic over a shell's variables: ``$((...))``, ``((...))``, subscripts and bounds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch import arithmetic
from sbatchlint.launch.combining import join
from sbatchlint.launch.values import Early, Text, Value, text_value, unknown
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

_ASSIGNS = regex(r"(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--")
_NAMES = regex(r"[A-Za-z_][A-Za-z0-9_]*")
_PLAIN_KEY = regex(r"[A-Za-z0-9_.-]+")
_DEEPEST = 8
MOST_CHOICES = 16

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell.syntax import Arithmetic, Word
    from sbatchlint.source import Span


@dataclass(frozen=True, slots=True)
class Computed:
    """What an expression gives; ``number`` is None where that is not known."""

    number: int | None
    certainty: Certainty
    early: Early | None = None
    """Set where the number is the 0 that a per-task variable has on the batch host, or made of it."""
    fails: bool = False
    """True where the expression divides by zero."""

    def value(self, shown: str, span: Span | None) -> Value:
        """The number as text, or what is *shown* for one that is not known."""
        if self.number is None:
            return unknown(shown, span)
        return Value((Text(str(self.number), span, self.certainty, self.early),))


def compute(machine: Machine, expression: Value) -> Computed:
    """Compute *expression*, carrying out the assignments in it."""
    text = expression.text
    if text is None:
        known = " ".join(leaf.text for leaf in expression.leaves() if isinstance(leaf, Text))
        _forget_assigned(machine, known)
        return Computed(None, Certainty.UNKNOWN)
    computation = _Computation(machine, expression.certainty, span=expression.span)
    computation.note_early(expression)
    return computation.result(computation.run(text))


def compute_text(machine: Machine, text: str) -> int | None:
    """Compute an expression that is known text."""
    return _Computation(machine, Certainty.KNOWN).run(text)


def integer(machine: Machine, word: Word) -> int | None:
    """Compute *word* as an arithmetic expression."""
    return compute(machine, machine.value(word)).number


def subscript(machine: Machine, name: str, word: Word) -> tuple[str | None, Certainty]:
    """The key that a subscript means, None where it is not known; and how sure it is."""
    value = machine.value(word)
    if value.text is None:
        return None, Certainty.UNKNOWN
    if machine.is_associative(name):
        return value.text, value.certainty
    result = compute(machine, value)
    return (None if result.number is None else str(result.number)), result.certainty


def arithmetic_value(machine: Machine, part: Arithmetic) -> Value:
    """The value of ``$((...))``."""
    span = machine.code.locate(part.span)
    expression = machine.quoted_value(part.expression)
    result = compute(machine, expression)
    if result.fails:
        machine.give_up(result.certainty)
    shown = machine.shown(part.span)
    choices = _of_choices(machine, expression, shown) if result.number is None else None
    return choices or result.value(shown, span)


def _of_choices(machine: Machine, expression: Value, shown: str) -> Value | None:
    """What an expression may give whose operands are each one of several; None where one is not known."""
    numbers = several_numbers(machine, expression)
    if numbers is None:
        return None
    values = [text_value(str(number), expression.span, certainty) for number, certainty in numbers]
    return join(values, shown, MOST_CHOICES)


def several_numbers(
    machine: Machine, expression: Value, refine: Callable[[Value], Value] = lambda held: held
) -> list[tuple[int, Certainty]] | None:
    """The numbers that an expression of operands with several values may give; None where not known.

    *refine* may tell more of a variable's value than that it is unknown.
    """
    results: list[tuple[int, Certainty]] = []
    for text, variables, certainty in _ways(machine, expression, refine):
        computation = _Computation(machine, certainty, given=variables)
        number = computation.run(text)
        if number is None:
            return None
        results.append((number, computation.certainty))
    return results or None


def _ways(
    machine: Machine, expression: Value, refine: Callable[[Value], Value]
) -> Iterator[tuple[str, dict[str, Value], Certainty]]:
    """The texts that the expression may be, with each set of values of its variables; none if many."""
    texts = expression.alternatives(MOST_CHOICES) or []
    known = [(text.text, text.certainty) for text in texts if text.text is not None]
    if len(known) < len(texts) or any(_ASSIGNS.search(text) for text, _ in known):
        return
    names = dict.fromkeys(name for text, _ in known for name in _NAMES.findall(text))
    held = {name: machine.lookup(name, None)[0] for name in names}
    options = {
        name: refine(value).alternatives(MOST_CHOICES) or [value]
        for name, value in held.items()
        if value is not None and value.text is None
    }
    if len(known) * math.prod(map(len, options.values())) > MOST_CHOICES:
        return
    for text, certainty in known:
        for values in itertools.product(*options.values()):
            yield text, dict(zip(options, values, strict=True)), certainty


def _forget_assigned(machine: Machine, text: str) -> None:
    """Forget what an expression that is not understood may assign."""
    if _ASSIGNS.search(text):
        for name in _NAMES.findall(text):
            machine.forget(name)


class _Computation:
    """One expression; keeps the worst certainty of the variables it has read."""

    def __init__(
        self,
        machine: Machine,
        certainty: Certainty,
        depth: int = 0,
        given: Mapping[str, Value] | None = None,
        span: Span | None = None,
    ) -> None:
        self._machine = machine
        self._given = given or {}
        """Variables taken to have one of the values that they may have."""
        self._depth = depth
        self._span = span
        self._early: Early | None = None
        self.certainty = certainty
        self.fails = False

    def note_early(self, value: Value) -> None:
        """Note that *value* is used, which a per-task variable may have been expanded to.

        It is no longer the variable alone, so that no backslash before it would mend it.
        """
        if self._early is None:
            found = (leaf.early for leaf in value.leaves() if leaf.early is not None)
            self._early = next((replace(early, frozen=True) for early in found), None)

    def result(self, number: int | None) -> Computed:
        """What the expression gives, *number* being what has been computed of it.

        Where that is no 0, as with ``29500 + SLURM_PROCID``, one number for all tasks may well be meant.
        """
        return Computed(number, self.certainty, self._early if number == 0 else None, self.fails)

    def run(self, text: str) -> int | None:
        """Compute *text*; where it is not understood, what it may assign is not known any more."""
        try:
            return arithmetic.evaluate(text, self._number_of, self._set_number)
        except ZeroDivisionError:
            self.fails = True
            return None
        except arithmetic.NotArithmetic:
            _forget_assigned(self._machine, text)
            return None

    def _number_of(self, name: str) -> int | None:
        base, bracket, rest = name.partition("[")
        if bracket:
            value, _ = self._machine.element(base, self._key(base, rest[:-1]), None)
        else:
            value = self._given.get(base) or self._machine.lookup(base, None)[0]
        if value is None:
            self._machine.note_unbound(base)
            return 0
        text = value.text
        if text is None:
            return None
        self.certainty = max(self.certainty, value.certainty)
        self.note_early(value)
        return self._number_in(text.strip())

    def _number_in(self, text: str) -> int | None:
        """A variable's text is an expression again."""
        if not text:
            return 0
        if self._depth > _DEEPEST:
            return None
        inner = _Computation(self._machine, self.certainty, self._depth + 1, self._given)
        number = inner.run(text)
        self.certainty = inner.certainty
        self._early = self._early or inner._early
        self.fails = self.fails or inner.fails
        return number

    def _key(self, base: str, text: str) -> str | None:
        if self._machine.is_associative(base):
            return text if _PLAIN_KEY.fullmatch(text) else None
        number = self.run(text)
        return None if number is None else str(number)

    def _set_number(self, name: str, number: int | None) -> None:
        base, bracket, rest = name.partition("[")
        value = self.result(number).value(f"${base}", self._span)
        if not bracket:
            self._machine.assign(name, value, None)
            return
        key = self._key(base, rest[:-1])
        if key is None:
            self._machine.forget(base, opaque=True)
        else:
            self._machine.assign_element(base, key, value, None)
