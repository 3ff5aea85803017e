"""Redirections: what a command reads, and the files that a script writes (bash(1), REDIRECTION)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch.combining import bounded
from sbatchlint.launch.folders import file_name
from sbatchlint.launch.noting import note_use
from sbatchlint.launch.outcomes import Outcome
from sbatchlint.launch.plan import FileUseKind
from sbatchlint.launch.values import EMPTY, OUTPUT, Segment, Text, Value, concatenated, text_value, unknown
from sbatchlint.shell.syntax import ProcessSubstitution, Redirect

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine

_WRITING = (">", ">>", ">|", "&>", "&>>", ">&", "<>")


def redirected(machine: Machine, redirects: Sequence[Redirect], action: Callable[[], Outcome]) -> Outcome:
    """Do *action* with its input and output redirected."""
    if not redirects:
        return action()
    stdin, sink = machine.stdin, machine.sink
    target: Value | None = None
    append = False
    for redirect in redirects:
        if redirect.operator in ("<<", "<<-", "<<<", "<") and redirect.descriptor in ("", "0"):
            machine.stdin = _input(machine, redirect)
        elif redirect.operator in _WRITING and redirect.descriptor in ("", "1"):
            found = machine.value(redirect.target)
            if redirect.operator == ">&" and _is_descriptor(found.text):
                target = None
                machine.sink = None if sink is None else []  # what goes to stderr is not collected
            else:
                target, append = found, redirect.operator.endswith(">>")
    if target is not None:
        machine.sink = []
    outcome = action()
    if target is not None:
        _write(machine, target, concatenated(machine.sink or []), append)
    machine.stdin, machine.sink = stdin, sink
    return outcome


def _is_descriptor(text: str | None) -> bool:
    return text is None or text.isdigit() or text == "-"


def _input(machine: Machine, redirect: Redirect) -> Value | None:
    if redirect.document is not None:
        body = redirect.document.body
        if redirect.document.quoted:  # nothing in it is expanded, not even what an escape would hand on
            text = Value(machine.code.segments(body.span.start, body.span.end, frozen=True))
        else:
            text = machine.value(body)
        return _without_leading_tabs(text) if redirect.document.strip_tabs else text
    if redirect.operator == "<<<":
        return machine.value(redirect.target) + text_value("\n")
    first = redirect.target.parts[0] if len(redirect.target.parts) == 1 else None
    if isinstance(first, ProcessSubstitution) and first.direction == "<":
        return _printed_by(machine, first)
    name = machine.value(redirect.target)
    if name.text == "/dev/null":
        return EMPTY
    note_use(machine, FileUseKind.INPUT, name, machine.code.locate(redirect.span))
    return machine.state.files.get(file_name(machine.state, name), unknown(OUTPUT))


def _printed_by(machine: Machine, part: ProcessSubstitution) -> Value:
    child = machine.subshell()
    child.sink = []
    child.run(machine.code.part(part.body).body)
    machine.adopt_files(child)
    return concatenated(child.sink)


def _write(machine: Machine, target: Value, text: Value, append: bool) -> None:
    if target.text in ("/dev/null", "/dev/stderr", "/dev/stdout", ""):
        return
    write_file(machine, target, text, append=append)


def write_file(machine: Machine, target: Value, text: Value, *, append: bool) -> None:
    """Note what is written to a file; appending to one that the script has not made leaves it unknown."""
    path = file_name(machine.state, target)
    files = machine.state.files
    machine.session.written.add(path)
    if append:
        text = files.get(path, EMPTY) + text
    text = bounded(text, path)
    files[path] = text if not machine.weak else text.assumed()


def _without_leading_tabs(value: Value) -> Value:
    """Drop the tabs at the beginning of each line, as ``<<-`` does."""
    segments: list[Segment] = []
    at_line_start = True
    for segment in value.segments:
        if not isinstance(segment, Text):
            segments.append(segment)
            at_line_start = False
            continue
        at = 0
        for line in segment.text.splitlines(keepends=True):
            skip = len(line) - len(line.lstrip("\t")) if at_line_start else 0
            segments.append(segment.slice(at + skip, at + len(line)))
            at += len(line)
            at_line_start = line.endswith("\n")
    return Value(tuple(segments))
