"""Commands that start another one for each of many inputs: ``xargs`` and GNU ``parallel``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.launch.combining import joined_by
from sbatchlint.launch.command_table import CommandTable
from sbatchlint.launch.options import Read
from sbatchlint.launch.outcomes import LIKELY, Outcome
from sbatchlint.launch.plan import Arg, Layer
from sbatchlint.launch.shells import run_code
from sbatchlint.launch.values import Segment, Text, Unknown, Value, text_value

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

_INPUT = "input"
_SOURCES = frozenset((":::", "::::", ":::+", "::::+"))
"""Words behind which parallel's inputs stand."""
_PLACES = ("{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}", "{3}", "{#}", "{%}")
Start = Callable[[list[Arg]], Outcome]


def repeat(
    machine: Machine, table: CommandTable, layer: Layer, read: Read, rest: list[Arg], start: Start, span: Span
) -> Outcome:
    """Start the command *rest* once, with what is not known in the places of its inputs.

    It may run any number of times, or never.
    """
    words = _command(rest)
    machine.conditional += 1
    if table.joins:
        code = _filled(joined_by(" ", (word.value for word in words)), _PLACES, always=True)
        run_code(machine, code, layer, words[:1], span)
    else:
        start(_given(words, _place_of(read)))
    machine.conditional -= 1
    return LIKELY


def _command(rest: Sequence[Arg]) -> list[Arg]:
    for index, arg in enumerate(rest):
        if arg.text in _SOURCES:
            return list(rest[:index])
    return list(rest)


def _place_of(read: Read) -> str:
    """Return the text that xargs replaces by its input; empty where it adds words at the end."""
    for option in reversed(read.options):
        if option.name == "I" and option.value is not None:
            return option.value.text or ""
        if option.name in ("i", "replace"):
            return (option.value.text if option.value is not None else None) or "{}"
    return ""


def _given(words: Sequence[Arg], place: str) -> list[Arg]:
    if not place:
        return [*words, Arg(Value((Unknown(_INPUT),)), open=True)]
    return [replace(word, value=_filled(word.value, (place,), always=False)) for word in words]


def _filled(value: Value, places: Sequence[str], *, always: bool) -> Value:
    """Put unknown text for every one of *places*; *always*: behind the value where it has none."""
    segments: list[Segment] = []
    for segment in value.segments:
        segments += _pieces(segment, places) if isinstance(segment, Text) else [segment]
    if always and tuple(segments) == value.segments:
        return value + text_value(" ") + Value((Unknown(_INPUT),))
    return Value(tuple(segments))


def _pieces(text: Text, places: Sequence[str]) -> list[Segment]:
    found: list[Segment] = []
    at = 0
    while at < len(text.text):
        next_one = min(
            ((text.text.index(place, at), place) for place in places if place in text.text[at:]),
            default=None,
        )
        if next_one is None:
            break
        start, place = next_one
        if start > at:
            found.append(text.slice(at, start))
        end = start + len(place)
        found.append(Unknown(place, text.slice(start, end).span))
        at = end
    if at < len(text.text):
        found.append(text.slice(at, len(text.text)))
    return found


__all__ = ["repeat"]
