"""Aliases, where it is certain that the shell expands them (bash(1), ALIASES).

A shell that is not interactive expands none unless ``shopt -s expand_aliases`` has been run, and it does so
while it reads a command, compound ones as a whole.  Followed are therefore the aliases of the script
itself, for commands that begin on a line below the one by which they are defined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.launch.code import FileCode
from sbatchlint.launch.outcomes import OPEN, Outcome
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.state import Alias
from sbatchlint.launch.values import Text, Value
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Literal, Simple, Statement

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

_NAME = regex(r"([A-Za-z0-9_.,:@%+-]+)=")


def alias(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """``alias name=text``."""
    for arg in args[1:]:
        found, whole = _definition(arg.value), _defined_by(machine, span)
        if found is None or whole is None:
            _forget(machine, arg)
            continue
        name, text = found
        below = machine.code.text.find("\n", whole.span.end)
        defined = Alias(text, below if below >= 0 else len(machine.code.text))
        machine.state.aliases = {**machine.state.aliases, name: defined}
    return OPEN if len(args) == 1 else Outcome(True)


def unalias(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``unalias name``, or ``-a`` for all."""
    for arg in args[1:]:
        _forget(machine, arg)
    return OPEN


def _definition(value: Value) -> tuple[str, Value] | None:
    """The name and the text that an operand of ``alias`` gives it; None for one that is not followed.

    Behind a text that ends in a blank the next word is an alias too.
    """
    if not value.segments:
        return None
    first, last = value.segments[0], value.segments[-1]
    if not isinstance(first, Text) or not isinstance(last, Text) or not last.text or last.text[-1].isspace():
        return None
    match = _NAME.match(first.text)
    if match is None:
        return None
    return match[1], Value((first.slice(match.end(), len(first.text)), *value.segments[1:]))


def _forget(machine: Machine, arg: Arg) -> None:
    """What *arg* names is an alias no longer, or one that nobody knows."""
    first = arg.value.segments[0] if arg.value.segments else None
    text = first.text if isinstance(first, Text) else "-a"
    match = None if text.startswith("-") else _NAME.match(text + "=")
    gone = set(machine.state.aliases) if match is None else {match[1]}
    kept = {name: held for name, held in machine.state.aliases.items() if name not in gone}
    machine.state.aliases = kept


def _defined_by(machine: Machine, span: Span) -> Statement | None:
    """The command of the script by which the shell comes to know what is defined at *span*."""
    code = machine.code
    if not isinstance(code, FileCode) or machine.returns or "expand_aliases" not in machine.state.options:
        return None
    return _whole_command(code, span.start)


def _whole_command(code: FileCode, offset: int) -> Statement | None:
    """The command that is read as one and has *offset* in it."""
    return next((whole for whole in code.script.body if whole.span.start <= offset < whole.span.end), None)


def aliased(machine: Machine, command: Simple) -> Value | None:
    """The code that stands for *command*, whose first word is an alias; None where it is none."""
    first = command.words[0]
    if not isinstance(machine.code, FileCode) or len(first.parts) != 1:
        return None
    part = first.parts[0]
    if not isinstance(part, Literal) or part.escaped or "expand_aliases" not in machine.state.options:
        return None
    found = machine.state.aliases.get(part.text)
    documents = any(redirect.document is not None for redirect in command.redirects)
    whole = _whole_command(machine.code, first.span.start)
    if found is None or whole is None or whole.span.start <= found.below or documents:
        return None
    before = Value(machine.code.segments(command.span.start, first.span.start))
    return before + found.text + Value(machine.code.segments(first.span.end, command.span.end))


__all__ = ["alias", "aliased", "unalias"]
