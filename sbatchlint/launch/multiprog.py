"""``srun --multi-prog FILE``: a file that says which program each task runs (srun(1))."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sbatchlint.launch.combining import slice_value
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.values import Segment, Unknown, Value
from sbatchlint.regex import regex

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

_LINE = regex(r"^[ \t]*[0-9*][-0-9,]*[ \t]+([^\n]*)", re.M)
_WORD = regex(r"[^ \t\n]+")
_PLACE = regex(r"%[to]")
_MORE_THAN_WORDS = regex(r"[\"'\\]")


def command_lines(machine: Machine, file: Arg) -> Iterator[tuple[list[Arg], Span | None]]:
    """Yield the command line of each group of tasks, where the script itself has written the file.

    ``%t`` is a task's rank, ``%o`` its place in its group.  Lines with quotes are passed over.
    """
    from sbatchlint.launch.folders import file_name

    written = machine.state.files.get(file_name(machine.state, file.value))
    text = None if written is None else written.text
    if written is None or text is None:
        return
    for line in _LINE.finditer(text):
        if _MORE_THAN_WORDS.search(line[1]):
            continue
        start = line.start(1)
        words = [
            _word(slice_value(written, start + word.start(), start + word.end()))
            for word in _WORD.finditer(line[1])
        ]
        if words:
            yield words, words[0].value.span


def _word(value: Value) -> Arg:
    text = value.text or ""
    segments: list[Segment] = []
    at = 0
    for place in _PLACE.finditer(text):
        segments += slice_value(value, at, place.start()).segments
        segments.append(Unknown(place[0], slice_value(value, *place.span()).span, per_task=True))
        at = place.end()
    segments += slice_value(value, at, len(text)).segments
    return Arg(Value(tuple(segments)), value.span)


__all__ = ["command_lines"]
