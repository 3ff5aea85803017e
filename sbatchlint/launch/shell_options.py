"""``set``, ``shopt`` and ``shift``: the shell's options and its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.digits import whole_number
from sbatchlint.launch.combining import without_absent
from sbatchlint.launch.fields import settled
from sbatchlint.launch.modes import MODES
from sbatchlint.launch.outcomes import FAILURE, LIKELY, SUCCESS, Outcome
from sbatchlint.launch.plan import Arg

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span


def set_(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``set``: options, then the shell's own arguments."""
    rest = args[1:]
    options = set(machine.state.options)
    index = 0
    while index < len(rest):
        text = rest[index].text
        if text is None:
            break
        if text == "--" or (text in ("-", "+") and index + 1 < len(rest)):
            _set_arguments(machine, rest[index + 1 :], rest[index])
            break
        if text in ("-", "+"):
            break
        if text[:1] not in ("-", "+") or len(text) < 2:
            _set_arguments(machine, rest[index:])
            break
        names = [MODES[letter] for letter in text[1:] if letter in MODES]
        if "o" in text[1:] and index + 1 < len(rest):
            index += 1
            names.append(rest[index].text or "")
        options = options | set(names) if text[0] == "-" else options - set(names)
        index += 1
    machine.state.options = frozenset(options)
    return SUCCESS


def shopt(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``shopt -s name``: kept among the options of ``set``, whose names are others."""
    letters = "".join((arg.text or "")[1:] for arg in args[1:] if (arg.text or "").startswith("-"))
    names = {arg.text for arg in args[1:] if arg.text and not arg.text.startswith("-")}
    if "s" in letters:
        machine.state.options |= names
    elif "u" in letters:
        machine.state.options -= names
    else:
        machine.print_unknown()
    return LIKELY


def _set_arguments(machine: Machine, args: Sequence[Arg], before: Arg | None = None) -> None:
    machine.state.arguments, machine.state.given = settled(args, before), True


def shift(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``shift``."""
    arguments = machine.state.arguments
    count = whole_number(args[1].text or "") if len(args) > 1 else 1
    if arguments is None or count is None or any(without_absent(value)[1] for value in arguments[:count]):
        machine.state.arguments, machine.state.given = None, True
        return LIKELY
    if len(args) > 1 and args[1].value.certainty is Certainty.ASSUMED:
        arguments = tuple(value.assumed() for value in arguments)
    if count > len(arguments):
        return FAILURE
    machine.state.arguments = arguments[count:]
    return SUCCESS
