"""``$name`` and ``${...}`` (bash(1), Parameter Expansion) on values that may not be known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch import lists
from sbatchlint.launch.branching import perhaps, weakly
from sbatchlint.launch.combining import join
from sbatchlint.launch.computing import subscript
from sbatchlint.launch.indices import one_of_elements
from sbatchlint.launch.lists import Expanded
from sbatchlint.launch.outcomes import OPEN
from sbatchlint.launch.transforms import length, transform
from sbatchlint.launch.values import EMPTY, Text, Value, unknown
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Parameter, Word
from sbatchlint.source import Span

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.launch.memory import Found

_CHOOSING = (":-", "-", ":+", "+")
_TARGET = regex(r"([A-Za-z_]\w*|[0-9]+)(?:\[(\w+)\])?", re.A)
_WHOLE_ARRAY = regex(r"([A-Za-z_]\w*)\[([@*])\]", re.A)
_CONDITIONAL = (*_CHOOSING, ":=", "=", ":?", "?")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What stands in place of a parameter with a default or an alternative.

    Both ``word`` and ``own`` are given where either may stand.
    """

    word: Word | None
    """The word behind the operator; None where it does not stand."""
    own: Expanded | None
    """The parameter's own value; nothing where no alternative applies; None where the word stands."""
    certainty: Certainty = Certainty.KNOWN
    """How sure it is that the word stands."""


def is_list(machine: Machine, part: Parameter) -> bool:
    """Tell whether the expansion is one of many words inside double quotes: ``$@``, ``${a[@]}``."""
    if part.prefix == "#":
        return False
    if part.prefix == "!" and not _is_many(part) and not part.operator:
        target = _WHOLE_ARRAY.fullmatch(_target(machine, part) or "")
        return target is not None and target[2] == "@"
    if part.prefix == "!" and part.operator == "@" and part.subscript is None:
        return True
    return part.name == "@" or (part.subscript is not None and part.subscript.literal == "@")


def _is_many(part: Parameter) -> bool:
    """Tell whether the expansion is one of a list, starred or not."""
    if part.prefix == "!" and part.operator in ("@", "*") and part.subscript is None:
        return True
    if part.name in ("@", "*"):
        return True
    return part.subscript is not None and part.subscript.literal in ("@", "*")


def expand(machine: Machine, part: Parameter) -> Expanded:
    """Expand *part*: one value, or for lists one per element."""
    shown = machine.shown(part.span)
    if _is_many(part):
        return lists.expand_list(machine, part, shown)
    value, is_set = _scalar(machine, part)
    if part.prefix == "#":
        if value is None:
            machine.note_unbound(part.name)
        return Expanded((length(value, shown),))
    if part.prefix == "!":
        whole = _WHOLE_ARRAY.fullmatch(_target(machine, part) or "")
        if whole is not None:
            return _indirect_list(machine, part, whole[1], shown)
        value, is_set = _indirect(machine, part, value, shown)
    return Expanded((_operate(machine, part, value, is_set, shown),))


def expand_joined(machine: Machine, part: Parameter) -> Value:
    """Expand *part* to one value: lists are joined as an assignment or double quotes join them."""
    shown = machine.shown(part.span)
    chosen = choose(machine, part)
    if chosen is None:
        return lists.joined(machine, part, expand(machine, part), shown)
    own = lists.joined(machine, part, chosen.own, shown) if chosen.own is not None else None
    if chosen.word is None:
        assert own is not None
        return own
    word = chosen.word
    if own is None:
        assumed = chosen.certainty is Certainty.ASSUMED
        return weakly(machine, assumed, lambda: machine.value(word)).weakened(chosen.certainty)
    return join([own, perhaps(machine, lambda: machine.value(word))], shown)


def _scalar(machine: Machine, part: Parameter) -> Found:
    """The parameter's own value and whether it is set (None: not known)."""
    span = machine.code.locate(part.span)
    if part.subscript is None:
        value, is_set = machine.lookup(part.name, span)
        return (None if value is None else value.weakened(_certainty_of_name(machine, part))), is_set
    key, certainty = subscript(machine, part.name, part.subscript)
    if key is None:
        found = one_of_elements(machine, part.name, part.subscript, machine.shown(part.span))
        if found is not None:
            return found
    value, is_set = machine.element(part.name, key, span)
    return (None if value is None else value.weakened(certainty)), is_set


def _certainty_of_name(machine: Machine, part: Parameter) -> Certainty:
    """How sure it is that the parameter is called so: in code for ``eval`` a default may be in its name."""
    end = min(part.span.end, part.span.start + len("${!") + len(part.name))
    return machine.code.certainty(Span(part.span.start, end))


def _target(machine: Machine, part: Parameter) -> str | None:
    """The name that ``${!name}`` follows, as far as it is known."""
    if machine.reference(part.name) is not None:
        return None
    value, _ = _scalar(machine, part)
    return None if value is None else value.text


def _indirect_list(machine: Machine, part: Parameter, name: str, shown: str) -> Expanded:
    """``${!name}`` where *name* holds ``array[@]``."""
    elements = machine.elements(name)
    if elements is None or part.operator or (len(elements) > 1 and machine.is_associative(name)):
        return Expanded((unknown(shown, machine.code.locate(part.span)),), open=True)
    return Expanded(tuple(value for _, value in elements))


def _indirect(machine: Machine, part: Parameter, value: Value | None, shown: str) -> Found:
    name = value.text if value is not None else None
    span = machine.code.locate(part.span)
    if machine.reference(part.name) is not None or name is None or value is None:
        return unknown(shown, span), None
    found = _TARGET.fullmatch(name)
    if found is None or (found[2] and not found[2].isdigit() and not machine.is_associative(found[1])):
        return unknown(shown, span), None
    target, is_set = machine.element(found[1], found[2], span) if found[2] else machine.lookup(name, span)
    return (None if target is None else target.weakened(value.certainty)), is_set


# --- defaults and alternatives ---------------------------------------------------------------------


def choose(machine: Machine, part: Parameter) -> Chosen | None:
    """Decide what stands for a parameter with ``:-``, ``-``, ``:+`` or ``+``; None for any other."""
    if part.operator not in _CHOOSING or part.prefix == "#":
        return None
    colon = part.operator.startswith(":")
    word = part.arguments[0] if part.arguments else Word(part.span, ())
    own, present, certainty = _presence(machine, part, colon)
    if part.operator[-1] == "+":
        if present is None:
            return Chosen(word, Expanded(()))
        if present:
            return Chosen(word, None, certainty)
        # Nothing because of a default leaves its mark: in truth the word may stand.
        return Chosen(None, Expanded((EMPTY.assumed(),) if certainty is Certainty.ASSUMED else ()))
    if present:
        return Chosen(None, own)
    if present is False:
        return Chosen(word, None, certainty)
    if own is None:
        return Chosen(word, None, Certainty.ASSUMED)
    return Chosen(word, own)


def _presence(
    machine: Machine, part: Parameter, colon: bool
) -> tuple[Expanded | None, bool | None, Certainty]:
    """The parameter's own value, if the script gives one; whether it counts as present; how sure that is."""
    shown = machine.shown(part.span)
    if _is_many(part):
        elements = lists.elements_of(machine, part)
        if elements is None:
            given = machine.is_given(part.name)
            return (Expanded((unknown(shown),), open=True) if given else None), None, Certainty.KNOWN
        values = lists.in_order(machine, part, elements, shown)
        certainty = max((value.certainty for value in values.values), default=Certainty.KNOWN)
        if certainty is Certainty.UNKNOWN:
            return values, None, Certainty.KNOWN
        full = [value for value in values.values if value.text or not colon]
        return values, bool(full) or len(values.values) > 1, certainty
    value, is_set = _scalar(machine, part)
    if part.prefix == "!":
        value, is_set = _indirect(machine, part, value, shown)
    present = _is_present(machine, part, value, is_set, colon)
    if present is None and (value is None or (is_set is None and not machine.is_given(part.name))):
        return None, None, Certainty.KNOWN
    certainty = Certainty.KNOWN
    if value is not None and value.certainty is Certainty.ASSUMED:
        certainty = Certainty.ASSUMED
    return Expanded(() if value is None else (value,)), present, certainty


def _is_present(
    machine: Machine, part: Parameter, value: Value | None, is_set: bool | None, colon: bool
) -> bool | None:
    """Whether the operators take the parameter as present: set, and with a colon not empty."""
    present = _by_value(value, is_set, colon)
    plain = part.subscript is None and not part.prefix
    return True if present is None and plain and machine.is_filled(part.name) else present


def _by_value(value: Value | None, is_set: bool | None, colon: bool) -> bool | None:
    if value is None or is_set is False:
        return False
    if is_set is None:
        return None
    if not colon:
        return True
    if value.text is not None:
        return value.text != ""
    if value.may_be_missing:
        return None
    return True if any(segment.text for segment in value.segments if isinstance(segment, Text)) else None


# --- operators -----------------------------------------------------------------------------------


def _operate(
    machine: Machine, part: Parameter, value: Value | None, is_set: bool | None, shown: str
) -> Value:
    if part.operator in _CONDITIONAL:
        return _conditional(machine, part, value, is_set, shown)
    if value is None:
        machine.note_unbound(part.name)
        return EMPTY
    if is_set is None and "nounset" in machine.state.options and part.subscript is None:
        machine.session.may_stop = True  # a script counts on it, be it in a subshell
    return transform(machine, part, value, shown) if part.operator else value


def _conditional(
    machine: Machine, part: Parameter, value: Value | None, is_set: bool | None, shown: str
) -> Value:
    """``:=`` and ``:?``, which do more than to stand for a value."""
    present = _is_present(machine, part, value, is_set, part.operator.startswith(":"))
    if part.operator[-1] == "?":
        return _required(machine, part, value, present, shown)
    if present is True:
        assert value is not None
        return value
    default = EMPTY
    if part.arguments:
        default = weakly(machine, present is None, lambda: machine.value(part.arguments[0]))
    if present is None:
        given = is_set is not None or machine.is_given(part.name)
        default = _maybe_default(value if given else None, default, shown)
    elif value is not None and value.certainty is Certainty.ASSUMED:
        default = default.assumed()
    if part.subscript is None and not part.prefix:
        machine.assign(part.name, default, machine.code.locate(part.span))
    return default


def _maybe_default(value: Value | None, default: Value, shown: str) -> Value:
    """A default for what may be given elsewhere: assumed; beside the values that the script gives."""
    if value is None:
        return default.assumed()
    options: Sequence[Value] = value.alternatives() or [value]
    given = [default if option.text == "" else option for option in options]
    return join(given if len(given) > 1 else [value, default.assumed()], shown)


def _required(
    machine: Machine, part: Parameter, value: Value | None, present: bool | None, shown: str
) -> Value:
    if present is False:
        if value is None and not machine.weak:
            machine.fail(OPEN)
            return EMPTY
        machine.may_stop()
        machine.note_filled(part.name)  # left empty: a form to fill in
        return unknown(f"${part.name}")
    if present is None and part.subscript is None and not part.prefix:
        machine.may_stop()
        machine.note_present(part.name, filled=part.operator == ":?")
        value, _ = _scalar(machine, part)
    return value if value is not None else unknown(shown)


__all__ = ["Chosen", "Expanded", "choose", "expand", "expand_joined", "is_list"]
