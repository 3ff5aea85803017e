"""``$(...)``: what the commands in it print, as far as that can be known without running them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.launch.code import Code
from sbatchlint.launch.launching import OUTPUT
from sbatchlint.launch.values import Segment, Text, Value, concatenated, text_value, unknown

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell.syntax import CommandSubstitution


def substitute(machine: Machine, part: CommandSubstitution) -> Value:
    """The output of the substitution, without the newlines at its end."""
    span = machine.code.locate(part.span)
    name = machine.shown(part.span)
    if machine.session.depth > machine.session.deepest:
        return unknown(name, span)
    child = machine.subshell()
    child.sink, child.stdin = [], None
    machine.session.depth += 1
    if part.backquoted:
        text = machine.code.text[part.body.start : part.body.end].replace("\\`", "`").replace("\\$", "$")
        child.code = Code(text_value(text, machine.code.locate(part.body)), in_task=machine.place.in_task)
        child.run(child.code.script.body)
    else:
        child.run(machine.code.part(part.body).body)
    machine.session.depth -= 1
    printed = concatenated(child.sink or [])
    if any(segment.name == OUTPUT for segment in printed.unknowns()):
        return unknown(name, span)
    return _without_last_newlines(printed)


def _without_last_newlines(value: Value) -> Value:
    segments: list[Segment] = list(value.segments)
    while segments:
        last = segments[-1]
        if not isinstance(last, Text):
            break
        segments.pop()
        text = last.text.rstrip("\n")
        if text:
            segments.append(last.slice(0, len(text)))
            break
    return Value(tuple(segments))
