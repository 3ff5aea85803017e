"""``$(...)``: what the commands in it print, as far as that can be known without running them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.launch.folders import file_name
from sbatchlint.launch.nodes import written_at
from sbatchlint.launch.outcomes import OPEN, SUCCESS
from sbatchlint.launch.session import TOO_DEEP
from sbatchlint.launch.values import OUTPUT, Choice, Segment, Text, Value, concatenated, text_value, unknown
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Simple, Statement

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell.syntax import CommandSubstitution

_ESCAPED = regex(r"\\([\\`$])")
_ESCAPED_IN_QUOTES = regex(r"\\([\\`$\"])")
"""Between backquotes a backslash is taken away from these before the text is read (bash(1))."""


def substitute(machine: Machine, part: CommandSubstitution, *, quoted: bool = False) -> Value:
    """The output of the substitution, without the newlines at its end; *quoted*: between double quotes."""
    span = machine.code.locate(part.span)
    name = machine.shown(part.span)
    if machine.session.depth > machine.session.deepest:
        machine.session.cut(TOO_DEEP, span, again=machine.session.is_active())
        machine.substituted = OPEN
        return unknown(name, span)
    child = machine.subshell()
    child.sink, child.state.options = [], child.state.options - {"errexit"}
    machine.session.depth += 1
    body = machine.code.part(part.body).body
    if part.backquoted:
        escaped = _ESCAPED_IN_QUOTES if quoted else _ESCAPED
        text = escaped.sub(r"\1", machine.code.text[part.body.start : part.body.end])
        inner = text_value(text, machine.code.locate(part.body))
        child.code = machine.place.code(inner)
        body = child.code.script.body
    machine.substituted = child.finished(child.run(body))
    machine.state.last = machine.substituted
    machine.session.depth -= 1
    machine.adopt_files(child)
    machine.stdin = child.stdin
    read = _file_read(machine, body)
    if read is not None:
        machine.substituted = SUCCESS
        return _without_last_newlines(read)
    printed = concatenated(child.sink or ())
    if any(segment.name == OUTPUT for segment in printed.unknowns()):
        return unknown(name, span)
    return written_at(_without_last_newlines(printed), span)


def _file_read(machine: Machine, body: tuple[Statement, ...]) -> Value | None:
    """What ``$(< file)`` gives, for a file that the script has written; None for any other body."""
    if len(body) != 1 or not isinstance(body[0].command, Simple):
        return None
    command = body[0].command
    if command.words or command.assignments or len(command.redirects) != 1:
        return None
    redirect = command.redirects[0]
    if redirect.operator != "<":
        return None
    target = machine.value(redirect.target)
    return machine.state.files.get(file_name(machine.state, target)) or unknown(
        f"$(< {target.show()})", target.span
    )


def _without_last_newlines(value: Value) -> Value:
    segments: list[Segment] = list(value.segments)
    while segments:
        last = segments.pop()
        if isinstance(last, Choice):
            options = tuple(_without_last_newlines(option) for option in last.options)
            segments.append(Choice(options))
            if all(option.segments for option in options):
                break
            if len(segments) > 1:
                return unknown(OUTPUT)  # one way leaves newlines of what stands before
            break
        if not isinstance(last, Text):
            segments.append(last)
            break
        text = last.text.rstrip("\n")
        if text:
            segments.append(last.slice(0, len(text)))
            break
        if last.certainty:
            segments.append(Text("", last.span, last.certainty))
            break
    return Value(tuple(segments))
