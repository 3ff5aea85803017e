"""Redirections: what a command reads, and the files that a script writes (bash(1), REDIRECTION)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch.conditions import Outcome
from sbatchlint.launch.values import EMPTY, Segment, Text, Value, concatenated, text_value

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell.syntax import Redirect


def redirected(machine: Machine, redirects: Sequence[Redirect], action: Callable[[], Outcome]) -> Outcome:
    """Do *action* with its input and output redirected."""
    if not redirects:
        return action()
    stdin, sink = machine.stdin, machine.sink
    target: Value | None = None
    append = False
    for redirect in redirects:
        if redirect.operator in ("<<", "<<-", "<<<", "<"):
            machine.stdin = _input(machine, redirect)
        elif redirect.operator in (">", ">>", ">|", "&>", "&>>") and redirect.descriptor in ("", "1"):
            target, append = machine.value(redirect.target), redirect.operator.endswith(">>")
        elif redirect.operator == ">&" and redirect.descriptor in ("", "1") and machine.sink is not None:
            machine.sink = []  # what goes to stderr is not collected
    if target is not None:
        machine.sink = []
    outcome = action()
    if target is not None:
        _write(machine, target, concatenated(machine.sink or []), append)
    machine.stdin, machine.sink = stdin, sink
    return outcome


def _input(machine: Machine, redirect: Redirect) -> Value | None:
    if redirect.document is not None:
        text = machine.value(redirect.document.body)
        return _without_leading_tabs(text) if redirect.document.strip_tabs else text
    if redirect.operator == "<<<":
        return machine.value(redirect.target) + text_value("\n")
    if redirect.operator == "<":
        return machine.state.files.get(machine.value(redirect.target).show())
    return None


def _write(machine: Machine, target: Value, text: Value, append: bool) -> None:
    path = target.show()
    if path == "/dev/null" or not path:
        return
    before = machine.state.files.get(path, EMPTY) if append else EMPTY
    machine.state.files[path] = before + text


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
