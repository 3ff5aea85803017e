"""Decides ``[ ... ]``, ``test``, ``[[ ... ]]`` and ``(( ... ))`` as far as their operands are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.digits import signed_number
from sbatchlint.launch.computing import compute, compute_text
from sbatchlint.launch.outcomes import FAILURE, OPEN, Fact, Outcome, both, either
from sbatchlint.launch.regexes import LONGEST_TEXT
from sbatchlint.launch.values import EMPTY, Text, Value
from sbatchlint.launch.wordpatterns import glob_of, regex_in
from sbatchlint.records import dataclass
from sbatchlint.shell.syntax import DoubleQuoted, Parameter, Word

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine


_INTEGER: dict[str, Callable[[int, int], bool]] = {
    "-eq": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "-lt": lambda a, b: a < b,
    "-le": lambda a, b: a <= b,
    "-gt": lambda a, b: a > b,
    "-ge": lambda a, b: a >= b,
}


@dataclass(frozen=True, slots=True)
class Operand:
    """One word of a test: its value, the variable it is nothing but, and the word for patterns."""

    value: Value
    name: str = ""
    word: Word | None = None

    @property
    def operator(self) -> str:
        """The text, for telling operators."""
        return self.value.text or ""


def variable_name(word: Word) -> str:
    """The name, where *word* is nothing but ``$name``, ``"${name:-}"`` and the like."""
    parts = word.parts
    if len(parts) == 1 and isinstance(parts[0], DoubleQuoted):
        parts = parts[0].parts
    if len(parts) != 1 or not isinstance(parts[0], Parameter):
        return ""
    part = parts[0]
    plain = not part.operator or (
        part.operator in (":-", "-") and all(argument.literal == "" for argument in part.arguments)
    )
    return (
        part.name if plain and not part.prefix and part.subscript is None and part.name.isidentifier() else ""
    )


class Test:
    """Decides one list of operands; *double* for ``[[ ]]``."""

    def __init__(self, machine: Machine, operands: Sequence[Operand], *, double: bool) -> None:
        self._machine = machine
        self._operands = operands
        self._double = double
        self._at = 0

    def decide(self) -> Outcome:
        """Decide the whole test; OPEN where its grammar is not understood."""
        if not self._operands:
            return FAILURE
        try:
            outcome = self._either()
        except IndexError:
            return OPEN
        if self._at < len(self._operands):
            return OPEN
        return replace(outcome, code=1) if outcome.holds is False else outcome

    def _peek(self) -> str:
        return self._operands[self._at].operator if self._at < len(self._operands) else ""

    def _either(self) -> Outcome:
        outcome = self._both()
        while self._peek() in ("||", "-o"):
            self._at += 1
            other = self._both()
            outcome = either(outcome, other)
        return outcome

    def _both(self) -> Outcome:
        outcome = self._term()
        while self._peek() in ("&&", "-a"):
            self._at += 1
            other = self._term()
            outcome = both(outcome, other)
        return outcome

    def _term(self) -> Outcome:
        operands, at = self._operands, self._at
        left = operands[at]
        following = operands[at + 1].operator if at + 2 < len(operands) else ""
        if following in ("=", "==", "!=", "=~", "<", ">", *_INTEGER, "-nt", "-ot", "-ef"):
            self._at += 3
            return self._binary(left, following, operands[at + 2])
        if left.operator == "!" and at + 1 < len(operands):
            self._at += 1
            return self._term().negated()
        if left.operator == "(" and at + 1 < len(operands):
            self._at += 1
            outcome = self._either()
            self._at += 1
            return outcome
        if left.operator.startswith("-") and len(left.operator) == 2 and at + 1 < len(operands):
            self._at += 2
            return self._unary(left.operator, operands[at + 1])
        self._at += 1
        return self._filled(left)

    # --- one operand -------------------------------------------------------------------------

    def _unary(self, operator: str, operand: Operand) -> Outcome:
        if operator == "-n":
            return self._filled(operand)
        if operator == "-z":
            return self._filled(operand).negated()
        if operator == "-v" and operand.value.text:
            name, bracket, key = operand.value.text.partition("[")
            is_set = self._has(name, key[:-1]) if bracket else self._machine.lookup(name, None)[1]
            facts = (Fact(name, None, filled=False),) if is_set is None and not bracket else ()
            assumed = operand.value.certainty is Certainty.ASSUMED
            return Outcome(is_set, assumed=assumed, if_true=facts)
        return OPEN

    def _has(self, name: str, key: str) -> bool | None:
        """Tell whether an array has the element; None where that is not known."""
        if key in ("@", "*") or set(key) & set("$`\\'\""):
            return None
        if self._machine.is_associative(name):
            return self._machine.element(name, key, None)[1]
        number = compute_text(self._machine, key)
        return None if number is None else self._machine.element(name, str(number), None)[1]

    def _filled(self, operand: Operand) -> Outcome:
        value = operand.value
        text = value.text
        if text is not None:
            own = operand.name and self._machine.place.lookup(operand.name, None) is None  # none of Slurm's
            blanks = (operand.name,) if not text and own else ()
            return Outcome(text != "", assumed=value.certainty is Certainty.ASSUMED, blanks=blanks)
        filled = [segment for segment in value.segments if isinstance(segment, Text) and segment.text]
        if filled and not value.may_be_missing:
            return Outcome(True, assumed=all(segment.certainty is Certainty.ASSUMED for segment in filled))
        if operand.name and self._machine.is_filled(operand.name):
            return Outcome(True)
        options = value.alternatives() or [value]
        if all(option.text for option in options):
            return Outcome(True, assumed=self._rests_on_defaults(value))
        if operand.name:
            return Outcome(None, if_true=(Fact(operand.name, None),), if_false=(Fact(operand.name, EMPTY),))
        return OPEN

    # --- two operands ------------------------------------------------------------------------

    def _binary(self, left: Operand, operator: str, right: Operand) -> Outcome:
        agreed = self._agreed(left, operator, right)
        if agreed is not None:
            return agreed
        if operator in _INTEGER:
            return self._integers(left, operator, right)
        if operator in ("=", "==", "!="):
            outcome = self._equal(left, right)
            return outcome.negated() if operator == "!=" else outcome
        return self._found(left, right) if operator == "=~" else OPEN

    def _found(self, left: Operand, right: Operand) -> Outcome:
        text = left.value.text
        if text is None or right.word is None or not self._double or len(text) > LONGEST_TEXT:
            return OPEN
        regex, certainty = regex_in(self._machine, right.word)
        if regex is None or not (text + regex.pattern).isascii():
            return OPEN
        assumed = max(left.value.certainty, certainty) is Certainty.ASSUMED
        return Outcome(regex.search(text) is not None, assumed=assumed)

    def _agreed(self, left: Operand, operator: str, right: Operand) -> Outcome | None:
        """What all values say that an operand may have; None where they differ, or are not known."""
        several, other = (left, right) if left.value.text is None else (right, left)
        options = several.value.alternatives() if several.value.text is None else None
        if options is None or any(option.text is None for option in options) or other.value.text is None:
            return None
        outcomes: list[Outcome] = []
        for option in options:
            one = Operand(option)
            pair = (one, right) if several is left else (left, one)
            outcomes.append(self._binary(pair[0], operator, pair[1]))
        holds = {outcome.holds for outcome in outcomes}
        if len(holds) != 1 or None in holds:
            return None
        return Outcome(holds.pop(), assumed=any(outcome.assumed for outcome in outcomes))

    def _integers(self, left: Operand, operator: str, right: Operand) -> Outcome:
        (first, sure), (second, other) = self._integer(left), self._integer(right)
        if first is None or second is None:
            return OPEN
        return Outcome(_INTEGER[operator](first, second), assumed=max(sure, other) is Certainty.ASSUMED)

    def _integer(self, operand: Operand) -> tuple[int | None, Certainty]:
        text = operand.value.text
        if text is None:
            return None, Certainty.UNKNOWN
        if self._double:
            result = compute(self._machine, operand.value)
            return result.number, result.certainty
        return signed_number(text.strip(" \t\n\v\f\r")), operand.value.certainty

    def _equal(self, left: Operand, right: Operand) -> Outcome:
        text, other = left.value.text, right.value.text
        if text is not None and self._double and right.word is not None:
            glob, certainty = glob_of(self._machine, right.word, extended=True)
            if glob is None or len(text) > glob.most:
                return OPEN
            assumed = max(left.value.certainty, certainty) is Certainty.ASSUMED
            return Outcome(glob.full(text), assumed=assumed)
        assumed = max(left.value.certainty, right.value.certainty) is Certainty.ASSUMED
        if text is not None and other is not None:
            return Outcome(text == other, assumed=assumed)
        if other is not None and self._impossible(left.value, other):
            return Outcome(False, assumed=self._rests_on_defaults(left.value, right.value))
        if left.name and other is not None and not (self._double and set(other) & set("*?[\\")):
            return Outcome(None, if_true=(Fact(left.name, right.value),))
        return OPEN

    @staticmethod
    def _rests_on_defaults(*values: Value) -> bool:
        leaves = (leaf for value in values for leaf in value.leaves())
        return any(isinstance(leaf, Text) and leaf.certainty is Certainty.ASSUMED for leaf in leaves)

    def _impossible(self, value: Value, text: str) -> bool:
        """Tell whether none of *value*'s alternatives can be *text*."""
        if self._double and set(text) & set("*?["):
            return False
        options = value.alternatives()
        return options is not None and all(option.text not in (None, text) for option in options)
