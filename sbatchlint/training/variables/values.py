"""Whether a variable takes the text that it is set to, and what its reader makes of one that it does not."""

from __future__ import annotations

import re
from collections.abc import Callable

from sbatchlint.digits import signed_number
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.training.variables.table import Form, Values, Variable

_NUMBER = regex(r"[ \t]*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)")
_PYTHON_NUMBER = regex(r"\s*[+-]?[0-9]+(?:_[0-9]+)*\s*")
_OFF = frozenset(("false", "no", "off", "n", "f", "none", "disable", "disabled", "null"))
"""What people write for 0."""
_ON = frozenset(("true", "yes", "on", "y", "t", "enable", "enabled"))
"""What people write for 1."""
_SAYS_OFF = _OFF | {"0", ""}


@dataclass(frozen=True, slots=True)
class Refusal:
    """What is wrong with the text that a variable is set to."""

    consequence: str
    """What its reader does, for a message."""
    legal: str
    """What it takes, for a message."""
    serious: bool
    """True where a program ends, or does the opposite of what is written."""
    harmless: bool = False
    """True where the reader makes of it what is meant, by chance."""
    better: str = ""
    """What to write instead, where that can be one thing only."""


def refusal_of(variable: Variable, text: str) -> Refusal | None:
    """Return what *variable* has against *text*; None where it takes it, or where nobody knows."""
    values = variable.values
    if values is None or not text.strip():
        return None  # an empty variable mostly counts as none
    return _CHECKS[values.form](values, text)


def _word(values: Values, text: str) -> Refusal | None:
    if _is_one_of(values, text) or (values.numbers and text[0].isdigit()):
        return None
    better = next((word for word in values.words if word.lower() == text.lower()), "")
    return Refusal(values.otherwise, _listed(values), values.fails, better=better)


def _list(values: Values, text: str) -> Refusal | None:
    if not re.fullmatch(r"\^?\w+(?:,\w+)*", text):
        return None  # by function, since NCCL 2.24: "allreduce:ring"
    if all(_is_one_of(values, word) for word in text.lstrip("^").split(",")):
        return None
    return Refusal(values.otherwise, _listed(values), values.fails)


def _true_word(values: Values, text: str) -> Refusal | None:
    if _is_one_of(values, text) or text.lower() in _SAYS_OFF:
        return None
    meant_on = text.lower() in _ON or text.isdigit()
    return Refusal(values.otherwise, _listed(values), values.fails, better="1" if meant_on else "")


def _integer(values: Values, text: str) -> Refusal | None:
    legal = "a number" if values.least is None else f"{values.least} to {values.most}"
    if not _PYTHON_NUMBER.fullmatch(text):
        better = "1" if text.lower() in _ON else "0" if text.lower() in _OFF and values.least is None else ""
        return Refusal(values.otherwise, legal, values.fails, better=better)
    number = signed_number(text.strip().replace("_", ""))
    if values.least is None or values.most is None:
        return None
    if number is not None and values.least <= number <= values.most:
        return None
    return Refusal(values.otherwise, legal, values.fails)


def _strtoll(values: Values, text: str) -> Refusal | None:
    match = _NUMBER.match(text)
    if match is not None and match.end() == len(text):
        return None
    read = match.group().strip() if match is not None else "0"
    if text.lower() in _OFF:
        return Refusal("NCCL reads it as 0", "a number", serious=False, harmless=True, better="0")
    return Refusal(
        f"NCCL reads it as {read}", "a number", serious=True, better="1" if text.lower() in _ON else ""
    )


def _is_one_of(values: Values, text: str) -> bool:
    return text in values.words or (
        not values.case and text.lower() in {word.lower() for word in values.words}
    )


def _listed(values: Values) -> str:
    *most, last = values.words
    return f"{', '.join(most)} or {last}"


_CHECKS: dict[Form, Callable[[Values, str], Refusal | None]] = {
    Form.WORD: _word,
    Form.LIST: _list,
    Form.TRUE_WORD: _true_word,
    Form.INTEGER: _integer,
    Form.STRTOLL: _strtoll,
}
