"""``cut`` and ``awk '{print $2}'``: columns of lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from sbatchlint.digits import whole_number
from sbatchlint.launch import nodes
from sbatchlint.launch.combining import joined_by, slice_value
from sbatchlint.launch.operations import Operation, Parsed, each_line, picks
from sbatchlint.launch.plain_options import plain_options
from sbatchlint.launch.values import EMPTY, Value
from sbatchlint.regex import regex

_RANGE = regex(r"(\d+)(-(\d*))?|-(\d+)", re.A)
_DELIMITER = regex(r"[\t -~]")
_SEPARATOR = regex(r"[ \t:,=/_;@#-]")
"""Characters that every awk takes for themselves."""
_AWK = regex(
    r"\s*(?:NR\s*==\s*(?P<line>[1-9]\d*)\s*)?(?:\{\s*print(?:\s*\$(?P<field>\d+|NF))?\s*(?:;\s*)?\}\s*)?"
)
_AWK_ONCE = regex(r"\s*\{\s*print\s*\$(?P<field>\d+|NF)\s*;\s*exit\s*(?:;\s*)?\}\s*")


def cut(texts: Sequence[str]) -> Parsed | None:
    """``cut -d: -f1`` and ``cut -c1-4``; None where the words are not understood."""
    long = {"--delimiter": "d", "--fields": "f", "--characters": "c", "--bytes": "c"}
    valued = {"-d": "d", "-f": "f", "-c": "c", "-b": "c", **long}
    found = plain_options(texts, valued, {"-s": "s", "--only-delimited": "s"})
    if found is None or ("f" in found[0]) == ("c" in found[0]):
        return None
    options, files = found
    ranges = _ranges(options.get("f", options.get("c", "")))
    delimiter = options.get("d", "\t")
    if ranges is None or not _DELIMITER.fullmatch(delimiter):
        return None
    if "c" in options:
        by_character = each_line(lambda line: _chosen(line, ranges, ""))
        return None if {"d", "s"} & options.keys() else (by_character, files)

    def fields(line: Value) -> Value | None:
        if delimiter not in (line.text or ""):
            return None if "s" in options else line
        return _chosen(line, ranges, delimiter)

    return each_line(fields), files


def _ranges(text: str) -> list[tuple[int, int | None]] | None:
    """Read ``1,3-5,7-``; the last number is None where there is no end.  None where it is no such list."""
    found: list[tuple[int, int | None]] = []
    for piece in text.split(","):
        match = _RANGE.fullmatch(piece)
        if match is None:
            return None
        first = whole_number(match[1] or "1")
        end = match[4] or match[3] or (match[1] if match[2] is None else "")
        last = whole_number(end)
        if not first or (last is None and end) or (last is not None and last < first):
            return None
        found.append((first, last))
    return found


def _chosen(line: Value, ranges: Sequence[tuple[int, int | None]], delimiter: str) -> Value:
    """The pieces of *line* that *ranges* name, in the order that they stand in."""
    text = line.text or ""
    pieces = text.split(delimiter) if delimiter else list(text)
    chosen: list[Value] = []
    at = 0
    for number, piece in enumerate(pieces, 1):
        if any(first <= number and (last is None or number <= last) for first, last in ranges):
            chosen.append(slice_value(line, at, at + len(piece)))
        at += len(piece) + len(delimiter)
    return joined_by(delimiter, chosen)


def awk(texts: Sequence[str]) -> Parsed | None:
    """``awk '{print $2}'``, ``awk 'NR==1'`` and both; None for any other program."""
    found = plain_options(texts, {"-F": "F"}, {})
    if found is None or not found[1]:
        return None
    options, files = found
    program = files.pop(0)
    separator = {"\\t": "\t", " ": " "}.get(options.get("F", " "), options.get("F", " "))
    once = _AWK_ONCE.fullmatch(program)
    match = once or _AWK.fullmatch(program)
    if match is None or not program.strip() or not _SEPARATOR.fullmatch(separator):
        return None
    chosen = match["field"] or "0"
    line = "1" if once else match["line"]
    place: int | Literal["NF"] | None = "NF" if chosen == "NF" else whole_number(chosen)
    if place is None:
        return None
    of_line = _field(None if separator == " " else separator, place)
    if line is None:
        return of_line, files
    number = whole_number(line)
    if number is None:
        return None
    pick = picks(number, number)

    def act(held: Value) -> Value | None:
        one = pick(held)
        return None if one is None else of_line(one)

    return act, files


def _field(separator: str | None, chosen: int | Literal["NF"]) -> Operation:
    """Field *chosen* of every line, as awk counts them; 0 is the line and ``NF`` its last field."""
    mark = re.escape(separator or "")
    pattern = re.compile(r"[^ \t\n]+" if separator is None else f"(?:^|(?<={mark}))[^{mark}]*")

    def of_line(line: Value) -> Value:
        text = line.text or ""
        if chosen == 0:
            return line
        places = [match.span() for match in pattern.finditer(text)] if text else []
        if chosen == "NF" and not places:
            return line  # ``$0``
        index = len(places) if chosen == "NF" else chosen
        return slice_value(line, *places[index - 1]) if 1 <= index <= len(places) else EMPTY

    def act(held: Value) -> Value | None:
        if held.text is None:
            return nodes.field(held, chosen or 1) if separator is None and chosen != "NF" else None
        return each_line(of_line)(held)

    return act
