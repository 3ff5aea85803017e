"""What ``${name...}`` makes of a value: substrings, trims, replacements, letter case, quoting."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.computing import compute
from sbatchlint.launch.patterns import compile_pattern, has_star
from sbatchlint.launch.values import EMPTY, Value, join, slice_value, text_value, unknown
from sbatchlint.launch.wordpatterns import pattern_of
from sbatchlint.shell.syntax import Parameter, Word

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine

_Operation = Callable[[Value], "Value | None"]
_LONGEST = 50_000
_LONGEST_STARRED = 4_000
_NEEDS_BACKSLASH = re.compile(r"[ !\"$&'()*,;<>?\[\\\]^`{|}]|^#|(?:^|(?<=[:=]))~")
"""What bash puts a backslash before (``sh_backslash_quote`` in its ``lib/sh/shquote.c``)."""


def transform(machine: Machine, part: Parameter, value: Value, shown: str) -> Value:
    """Apply the operator of *part* to *value*; unknown where it, or an argument, is not known."""
    operation, certainty = _operation(machine, part)
    if operation is None:
        return unknown(shown, machine.code.locate(part.span))
    return _each(value, operation, shown).weakened(certainty)


def length(value: Value | None, shown: str) -> Value:
    """``${#name}``."""
    if value is None:
        return text_value("0")
    return _each(value, lambda known: text_value(str(len(known.text or "")), None, known.certainty), shown)


def _operation(machine: Machine, part: Parameter) -> tuple[_Operation | None, Certainty]:
    """What the operator does to a known value, and how sure its arguments are."""
    operator = part.operator
    if operator == ":":
        bounds = [compute(machine, machine.value(argument)) for argument in part.arguments]
        if any(bound.number is None for bound in bounds):
            return None, Certainty.UNKNOWN
        numbers = [bound.number or 0 for bound in bounds]
        worst = max((bound.certainty for bound in bounds), default=Certainty.KNOWN)
        return (lambda known: _substring(known, numbers)), worst
    if operator == "@Q":
        return _shell_quoted, Certainty.KNOWN
    if operator in _CASES:
        return _CASES[operator], Certainty.KNOWN
    if operator[0] not in "#%/^,":
        return None, Certainty.UNKNOWN
    empty = Word(part.span, ())
    word = part.arguments[0] if part.arguments else empty
    pattern, certainty = pattern_of(machine, word)
    regex = compile_pattern(pattern) if pattern is not None else None
    if regex is None:
        return None, Certainty.UNKNOWN
    longest = _LONGEST_STARRED if has_star(regex) else _LONGEST
    if operator[0] in "#%":
        return _within(longest, lambda known: _trim(known, operator, regex)), certainty
    if operator[0] in "^,":
        chars = regex if part.arguments and word.parts else None
        return (lambda known: _change_case(known, operator, chars)), certainty
    replacement = machine.value(part.arguments[1]) if len(part.arguments) > 1 else EMPTY
    text = replacement.text
    if text is not None and set(text) & set("&\\"):
        return None, Certainty.UNKNOWN  # "&" is the matched text since bash 5.2, and itself before
    return _within(longest, lambda known: _replace(known, operator, regex, replacement)), certainty


def _within(longest: int, operation: _Operation) -> _Operation:
    """The operation on texts up to a length; looking for a star's match takes the square of it."""
    return lambda known: operation(known) if len(known.text or "") <= longest else None


def _each(value: Value, operation: _Operation, shown: str) -> Value:
    """Apply *operation* to every alternative of *value*; unknown where one is not known.

    The result is as sure as the whole value is: a cut may fall elsewhere if any part of it differs.
    """
    options = value.alternatives()
    if options is None:
        return unknown(shown, value.span)
    results: list[Value] = []
    for option in options:
        result = operation(option) if option.text is not None else None
        if result is None:
            return unknown(shown, value.span)
        results.append(result.weakened(option.certainty))
    return join(results, shown)


# --- cutting ---------------------------------------------------------------------------------------


def _substring(value: Value, bounds: Sequence[int]) -> Value | None:
    text = value.text or ""
    start = bounds[0]
    if start < 0:
        start += len(text)
        if start < 0:
            return EMPTY
    if start > len(text):
        return EMPTY
    end = len(text)
    if len(bounds) > 1:
        end = len(text) + bounds[1] if bounds[1] < 0 else min(start + bounds[1], len(text))
        if end < start:
            return None
    return slice_value(value, start, end)


def _trim(value: Value, operator: str, regex: re.Pattern[str]) -> Value:
    """Remove the shortest or longest match of a pattern from the front (``#``) or the back (``%``)."""
    text = value.text or ""
    cuts = range(len(text) + 1)
    if operator[0] == "#":
        for cut in cuts if len(operator) == 1 else reversed(cuts):
            if regex.fullmatch(text, 0, cut):
                return slice_value(value, cut, len(text))
        return value
    for cut in reversed(cuts) if len(operator) == 1 else cuts:
        if regex.fullmatch(text, cut):
            return slice_value(value, 0, cut)
    return value


# --- replacing -------------------------------------------------------------------------------------


def _replace(value: Value, operator: str, regex: re.Pattern[str], replacement: Value) -> Value:
    text = value.text or ""
    pieces = EMPTY
    at = 0
    while at <= len(text):
        found = _match(regex, text, at, operator)
        if found is None:
            break
        start, end = found
        pieces += slice_value(value, at, start) + replacement
        at = end
        if operator != "//":
            break
    return pieces + slice_value(value, at, len(text))


def _match(regex: re.Pattern[str], text: str, at: int, operator: str) -> tuple[int, int] | None:
    """The leftmost match; greedy stars make it the longest one.  Only an anchored one may be empty."""
    if operator == "/#":
        found = regex.match(text)
        return found.span() if found else None
    if operator == "/%":
        found = next((m for start in range(len(text) + 1) if (m := regex.fullmatch(text, start))), None)
        return found.span() if found else None
    found = next((m for m in regex.finditer(text, at) if m.end() > m.start()), None)
    return found.span() if found else None


# --- letters and quotes ------------------------------------------------------------------------------


def _change_case(value: Value, operator: str, chars: re.Pattern[str] | None) -> Value:
    text = value.text or ""
    change = _upper if operator[0] == "^" else _lower
    last = len(text) if len(operator) == 2 else 1
    changed = "".join(
        change(char) if index < last and (chars is None or chars.fullmatch(char)) else char
        for index, char in enumerate(text)
    )
    return text_value(changed, value.span, value.certainty)


def _upper(text: str) -> str:
    """Upper case as the C library has it: one character for each, so that the German sharp s stays."""
    return "".join(char.upper() if len(char.upper()) == 1 else char for char in text)


def _lower(text: str) -> str:
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def in_letters(value: Value, letters: str) -> Value:
    """A value as a variable declared with ``-l``, ``-u`` or ``-i`` takes it."""
    text = value.text
    if text is None or ("i" in letters and not re.fullmatch(r"-?(0|[1-9]\d*)", text)):
        return unknown(value.show(), value.span)
    if "l" in letters or "u" in letters:
        changed = _lower(text) if "l" in letters else _upper(text)
        return text_value(changed, value.span, value.certainty)
    return value


def _shell_quoted(value: Value) -> Value | None:
    """``${name@Q}``; None where the text needs more than single quotes."""
    text = value.text or ""
    if any(char < " " or char == "\x7f" for char in text):
        return None
    quoted = "'" + text.replace("'", "'\\''") + "'"
    return text_value(quoted, value.span, value.certainty)


def quoted_if_needed(value: Value) -> Value | None:
    """``printf %q``: None where the text needs more than backslashes."""
    text = value.text
    if text is None or not text.isprintable():
        return None
    if not text:
        return text_value("''", None, value.certainty)
    return text_value(_NEEDS_BACKSLASH.sub(r"\\\g<0>", text), value.span, value.certainty)


_CASES: dict[str, _Operation] = {
    "@U": lambda value: text_value(_upper(value.text or ""), value.span, value.certainty),
    "@L": lambda value: text_value(_lower(value.text or ""), value.span, value.certainty),
    "@u": lambda value: text_value(
        _upper((value.text or "")[:1]) + (value.text or "")[1:], value.span, value.certainty
    ),
}
