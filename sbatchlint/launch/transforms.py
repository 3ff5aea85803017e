"""What ``${name...}`` makes of a value: substrings, trims, replacements, letter case, quoting."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch import partial
from sbatchlint.launch.combining import join, slice_value
from sbatchlint.launch.computing import compute
from sbatchlint.launch.patterns import Glob
from sbatchlint.launch.values import EMPTY, Text, Value, text_value, unknown
from sbatchlint.launch.wordpatterns import glob_of
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Parameter, Word

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine

_Operation = Callable[[Value], "Value | None"]
_NEEDS_BACKSLASH = regex(r"[ !\"$&'()*,;<>?\[\\\]^`{|}]|^#|(?:^|(?<=[:=]))~")
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
    return _each(value, _length, shown)


def _length(value: Value) -> Value | None:
    text = value.text
    return None if text is None else text_value(str(len(text)), None, value.certainty)


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
        shown = machine.shown(part.span)
        return (lambda value: _change_case(value, _CASES[operator], None, shown)), Certainty.KNOWN
    if operator[0] not in "#%/^,":
        return None, Certainty.UNKNOWN
    empty = Word(part.span, ())
    word = part.arguments[0] if part.arguments else empty
    glob, certainty = glob_of(machine, word, folds=operator[0] == "/")
    if glob is None:
        return None, Certainty.UNKNOWN
    if operator[0] in "#%":
        return _within(glob.most, lambda value: _trim(value, operator, glob)), certainty
    if operator[0] in "^,":
        chars = glob if part.arguments and word.parts else None
        return (lambda value: _change_case(value, operator, chars, machine.shown(part.span))), certainty
    replacement = machine.value(part.arguments[1]) if len(part.arguments) > 1 else EMPTY
    text = replacement.text
    if text is not None and set(text) & set("&\\"):
        return None, Certainty.UNKNOWN  # "&" is the matched text since bash 5.2, and itself before
    shown = machine.shown(part.span)
    return _within(glob.most, lambda value: _replace(value, operator, glob, replacement, shown)), certainty


def _within(longest: int, operation: _Operation) -> _Operation:
    """The operation on texts up to a length."""

    def act(value: Value) -> Value | None:
        size = sum(len(segment.text) for segment in value.segments if isinstance(segment, Text))
        return operation(value) if size <= longest else None

    return act


def _each(value: Value, operation: _Operation, shown: str) -> Value:
    """Apply *operation* to every alternative of *value*; unknown where it can't be told for one.

    The result is as sure as the whole value is: a cut may fall elsewhere if any part of it differs.
    """
    options = value.alternatives()
    if options is None:
        return unknown(shown, value.span)
    results: list[Value] = []
    for option in options:
        result = operation(option)
        if result is None:
            return unknown(shown, value.span)
        grades = (segment.certainty for segment in option.segments if isinstance(segment, Text))
        results.append(result.weakened(max(grades, default=Certainty.KNOWN)))
    return join(results, shown)


# --- cutting ---------------------------------------------------------------------------------------


def _substring(value: Value, bounds: Sequence[int]) -> Value | None:
    text = value.text
    if text is None:
        return partial.substring(value, bounds)
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


def _trim(value: Value, operator: str, glob: Glob) -> Value | None:
    """Remove the shortest or longest match of a pattern from the front (``#``) or the back (``%``)."""
    text = value.text
    if text is None:
        return partial.trim(value, operator, glob)
    cuts = range(len(text) + 1)
    if operator[0] == "#":
        for cut in cuts if len(operator) == 1 else reversed(cuts):
            if glob.full(text, 0, cut):
                return slice_value(value, cut, len(text))
        return value
    for cut in reversed(cuts) if len(operator) == 1 else cuts:
        if glob.full(text, cut):
            return slice_value(value, 0, cut)
    return value


# --- replacing -------------------------------------------------------------------------------------


def _replace(value: Value, operator: str, glob: Glob, replacement: Value, shown: str) -> Value | None:
    text = value.text
    if text is None and operator in ("/#", "/%"):
        return partial.replaced_at_end(value, operator, glob, replacement)
    if text is None and operator == "//" and glob.widths is not None and tuple(glob.widths) == (1,):
        return partial.known_texts(
            value, lambda known: _replace(known, operator, glob, replacement, shown), shown
        )
    if text is None:
        return None
    pieces = EMPTY
    at = 0
    while at <= len(text):
        found = _match(glob, text, at, operator)
        if found is None:
            break
        start, end = found
        pieces += slice_value(value, at, start) + replacement
        at = end
        if operator != "//":
            break
    return pieces + slice_value(value, at, len(text))


def _match(glob: Glob, text: str, at: int, operator: str) -> tuple[int, int] | None:
    """The leftmost match, the longest one that begins there.  Only an anchored one may be empty."""
    if operator == "/#":
        end = glob.front(text)
        return None if end is None else (0, end)
    if operator == "/%":
        start = next((start for start in range(len(text) + 1) if glob.full(text, start)), None)
        return None if start is None else (start, len(text))
    for start in range(at, len(text)):
        end = glob.front(text, start)
        if end is not None and end > start:
            return start, end
    return None


# --- letters and quotes ------------------------------------------------------------------------------


def _change_case(value: Value, operator: str, chars: Glob | None, shown: str) -> Value | None:
    text = value.text
    if text is None:
        return _case_of_known(value, operator, chars, shown)
    change = _upper if operator[0] == "^" else _lower
    last = len(text) if len(operator) == 2 else 1
    changed = "".join(
        change(char) if index < last and (chars is None or chars.full(char)) else char
        for index, char in enumerate(text)
    )
    return text_value(changed, value.span, value.certainty)


def _case_of_known(value: Value, operator: str, chars: Glob | None, shown: str) -> Value | None:
    """The same of a value with unknown pieces, where these have no say in which letters are changed."""
    if len(operator) == 2:
        return partial.known_texts(value, lambda known: _change_case(known, operator, chars, shown), shown)
    first = value.segments[0]
    if not isinstance(first, Text) or not first.text:
        return None
    changed = _change_case(Value((first,)), operator, chars, shown)
    return None if changed is None else changed + Value(value.segments[1:])


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
    text = value.text
    if text is None or any(char < " " or char == "\x7f" for char in text):
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


_CASES: dict[str, str] = {"@U": "^^", "@L": ",,", "@u": "^"}
