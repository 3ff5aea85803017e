"""``$name`` and ``${...}`` (bash(1), Parameter Expansion) on values that may not be known."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.computing import integer, subscript
from sbatchlint.launch.patterns import Pattern, compile_pattern
from sbatchlint.launch.state import Flow
from sbatchlint.launch.values import EMPTY, Choice, Text, Value, join, slice_value, text_value, unknown
from sbatchlint.shell.syntax import DoubleQuoted, Literal, Parameter, SingleQuoted, Word

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine


def is_list(part: Parameter) -> bool:
    """Tell whether the expansion is one of many words inside double quotes: ``$@``, ``${a[@]}``."""
    if part.prefix == "#":
        return False
    if part.name == "@":
        return True
    return part.subscript is not None and part.subscript.literal == "@"


def expand(machine: Machine, part: Parameter, *, quoted: bool) -> list[Value]:
    """Expand *part*: one value, or for lists one per element."""
    shown = machine.shown(part.span)
    if part.name in ("@", "*") or _subscript_text(part) in ("@", "*"):
        return _expand_list(machine, part, shown)
    value, is_set = _scalar(machine, part)
    if part.prefix == "#":
        return [_length(value, shown)]
    if part.prefix == "!":
        value, is_set = _indirect(machine, part, value, shown)
    return [_operate(machine, part, value, is_set, shown)]


def _subscript_text(part: Parameter) -> str | None:
    return part.subscript.literal if part.subscript is not None else None


def _scalar(machine: Machine, part: Parameter) -> tuple[Value | None, bool | None]:
    """The parameter's own value and whether it is set (None: not known)."""
    span = machine.code.locate(part.span)
    if part.subscript is None:
        return machine.lookup(part.name, span)
    key = subscript(machine, part.name, part.subscript)
    return machine.element(part.name, key, span)


def _indirect(
    machine: Machine, part: Parameter, value: Value | None, shown: str
) -> tuple[Value | None, bool | None]:
    name = value.text if value is not None else None
    if name is None or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        return unknown(shown, machine.code.locate(part.span)), None
    return machine.lookup(name, machine.code.locate(part.span))


# --- lists ---------------------------------------------------------------------------------------


def _expand_list(machine: Machine, part: Parameter, shown: str) -> list[Value]:
    span = machine.code.locate(part.span)
    elements = machine.elements(part.name if part.name not in ("@", "*") else None)
    if elements is None:
        if part.prefix == "#":
            return [unknown(shown, span)]
        if part.operator in (":-", "-") and part.arguments:
            return [machine.value(part.arguments[0]).assumed()]
        return [unknown(shown, span)]
    if part.prefix == "#":
        if any(_may_be_missing(value) for _, value in elements):
            return [unknown(shown, span)]
        return [text_value(str(len(elements)), span)]
    if part.prefix == "!":
        return [text_value(key, span) for key, _ in elements]
    values = [value for _, value in elements]
    if part.operator == ":":
        return _list_slice(machine, part, values, shown)
    if part.operator in (":-", "-") and not values:
        return [machine.value(part.arguments[0])]
    if part.operator in (":+", "+"):
        return [machine.value(part.arguments[0])] if values else []
    if part.operator and part.operator not in (":-", "-", ":=", "=", ":?", "?"):
        return [_operate(machine, part, value, True, shown) for value in values]
    return values


def _may_be_missing(value: Value) -> bool:
    return any(
        isinstance(segment, Choice) and any(not option.segments for option in segment.options)
        for segment in value.segments
    )


def _list_slice(machine: Machine, part: Parameter, values: list[Value], shown: str) -> list[Value]:
    bounds = [integer(machine, argument) for argument in part.arguments]
    if any(bound is None for bound in bounds):
        return [unknown(shown)]
    start = bounds[0] or 0
    if part.name in ("@", "*"):
        start = max(start - 1, 0)
    rest = values[start:]
    return rest[: bounds[1]] if len(bounds) > 1 else rest


# --- operators -----------------------------------------------------------------------------------


def _operate(
    machine: Machine, part: Parameter, value: Value | None, is_set: bool | None, shown: str
) -> Value:
    operator = part.operator
    if operator in (":-", "-", ":=", "=", ":+", "+", ":?", "?"):
        return _conditional(machine, part, value, is_set, shown)
    if value is None:
        return EMPTY
    if not operator:
        return value
    if operator == ":":
        bounds = [integer(machine, argument) for argument in part.arguments]
        return _each(value, lambda known: _substring(known, bounds), shown)
    if operator[0] in "#%":
        pattern = pattern_of(machine, part.arguments[0])
        return _each(value, lambda known: _trim(known, operator, pattern), shown)
    if operator[0] == "/":
        return _replace(machine, part, value, shown)
    if operator[0] in "^,":
        return _each(value, lambda known: _change_case(known, operator), shown)
    if operator == "@Q":
        return _each(value, _shell_quoted, shown)
    return unknown(shown, machine.code.locate(part.span))


def _conditional(
    machine: Machine, part: Parameter, value: Value | None, is_set: bool | None, shown: str
) -> Value:
    colon = part.operator.startswith(":")
    kind = part.operator[-1]
    present = _is_present(value, is_set, colon)
    if kind == "+":
        if present is False:
            return EMPTY
        word = machine.value(part.arguments[0])
        return word if present else join([EMPTY, word], shown)
    if kind == "?":
        return _required(machine, part, value, present, shown)
    if present is True:
        assert value is not None
        return value
    default = machine.value(part.arguments[0])
    if present is None:
        default = _maybe_default(value, is_set, default, shown)
    if kind == "=" and part.subscript is None and not part.prefix:
        machine.assign(part.name, default, machine.code.locate(part.span))
    return default


def _is_present(value: Value | None, is_set: bool | None, colon: bool) -> bool | None:
    """Whether the operators take the parameter as present: set, and with a colon not empty."""
    if value is None or is_set is False:
        return False
    if is_set is None:
        return None
    if not colon:
        return True
    if value.text is not None:
        return value.text != ""
    return True if any(text.text for text in value.segments if isinstance(text, Text)) else None


def _maybe_default(value: Value | None, is_set: bool | None, default: Value, shown: str) -> Value:
    """A default for what may be given elsewhere: assumed; beside the values that the script gives."""
    if value is None or is_set is None:
        return default.assumed()
    options = []
    for option in value.alternatives() or [value]:
        options.append(option if option.segments else default)
    return join(options if len(options) > 1 else [value, default.assumed()], shown)


def _required(
    machine: Machine, part: Parameter, value: Value | None, present: bool | None, shown: str
) -> Value:
    if present is False:
        if value is None:
            machine.state.flow = Flow.EXIT
            return EMPTY
        machine.note_filled(part.name)  # left empty: a form to fill in
        return unknown(f"${part.name}")
    if present is None and part.subscript is None and not part.prefix:
        machine.note_present(part.name)
    return value if value is not None else unknown(shown)


# --- operations on known text ----------------------------------------------------------------------


def _each(value: Value, operation: Callable[[Value], Value | None], shown: str) -> Value:
    """Apply *operation* to every alternative of *value*; unknown where one is not known."""
    options = value.alternatives()
    if options is None:
        return unknown(shown, value.span)
    results: list[Value] = []
    for option in options:
        result = operation(option) if option.text is not None else None
        if result is None:
            return unknown(shown, value.span)
        results.append(result)
    return join(results, shown)


def _length(value: Value | None, shown: str) -> Value:
    if value is None:
        return text_value("0")
    return _each(value, lambda known: text_value(str(len(known.text or "")), None, known.certainty), shown)


def _substring(value: Value, bounds: Sequence[int | None]) -> Value | None:
    text = value.text or ""
    if any(bound is None for bound in bounds):
        return None
    start = bounds[0] or 0
    start = max(len(text) + start, 0) if start < 0 else min(start, len(text))
    end = len(text)
    if len(bounds) > 1:
        length = bounds[1] or 0
        end = len(text) + length if length < 0 else min(start + length, len(text))
    return slice_value(value, start, max(start, end))


def pattern_of(machine: Machine, word: Word) -> Pattern | None:
    """Expand *word* as a pattern, quoted pieces apart; None where it is not known."""
    pieces: list[tuple[str, bool]] = []
    for part in word.parts:
        quoted = isinstance(part, (SingleQuoted, DoubleQuoted)) or (
            isinstance(part, Literal) and part.escaped
        )
        text = machine.value(Word(part.span, (part,))).text
        if text is None:
            return None
        pieces.append((text, quoted))
    return tuple(pieces)


def _trim(value: Value, operator: str, pattern: Pattern | None) -> Value | None:
    """Remove the shortest or longest match of a pattern from the front (``#``) or the back (``%``)."""
    if pattern is None:
        return None
    regex = compile_pattern(pattern)
    if regex is None:
        return None
    text = value.text or ""
    cuts = range(len(text) + 1)
    if operator[0] == "#":
        order = cuts if len(operator) == 1 else reversed(cuts)
        for cut in order:
            if regex.fullmatch(text, 0, cut):
                return slice_value(value, cut, len(text))
        return value
    order = reversed(cuts) if len(operator) == 1 else cuts
    for cut in order:
        if regex.fullmatch(text, cut):
            return slice_value(value, 0, cut)
    return value


def _replace(machine: Machine, part: Parameter, value: Value, shown: str) -> Value:
    operator = part.operator
    pattern = pattern_of(machine, part.arguments[0])
    replacement = machine.value(part.arguments[1]) if len(part.arguments) > 1 else EMPTY
    if pattern is None:
        return unknown(shown, value.span)
    regex = compile_pattern(pattern)
    if regex is None:
        return unknown(shown, value.span)
    return _each(value, lambda known: _substitute(known, operator, regex, replacement), shown)


def _substitute(value: Value, operator: str, regex: re.Pattern[str], replacement: Value) -> Value:
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
    """The leftmost match that is not empty; greedy stars make it the longest one."""
    if operator == "/#":
        found = regex.match(text)
    elif operator == "/%":
        found = next((m for start in range(len(text)) if (m := regex.fullmatch(text, start))), None)
    else:
        found = next((m for m in regex.finditer(text, at) if m.end() > m.start()), None)
    return found.span() if found and found.end() > found.start() else None


def _change_case(value: Value, operator: str) -> Value:
    text = value.text or ""
    change = str.upper if operator[0] == "^" else str.lower
    changed = change(text) if len(operator) == 2 else change(text[:1]) + text[1:]
    return text_value(changed, value.span, value.certainty)


def _shell_quoted(value: Value) -> Value:
    text = value.text or ""
    quoted = "'" + text.replace("'", "'\\''") + "'"
    return text_value(quoted, value.span, max(value.certainty, Certainty.KNOWN))
