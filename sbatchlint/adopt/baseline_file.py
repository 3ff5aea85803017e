"""The file that a baseline is kept in: JSON, sorted, one entry a line, so that git can merge and show it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

from sbatchlint.adopt.baseline import Baseline, Counts
from sbatchlint.adopt.marks import Mark
from sbatchlint.files import read_bytes
from sbatchlint.regex import regex

VERSION = 1
"""Raised when what an entry means changes."""
_TEXTS = ("path", "code", "place", "finding", "command")
_MOST = 1_000_000
"""Findings that one entry stands for; no file has so many, and what has been damaged may say anything."""
_LARGEST = 256 << 20
"""Bytes; an entry has some three hundred."""
_ANEW = "write it anew with --write-baseline"
_START = regex(r'"entries"\s*:\s*\[')


class BadBaseline(Exception):
    """A file is no baseline that can be used; the message says where and why."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(message)
        self.place = f"{path}:{line}"


def read_baseline(path: str) -> Baseline:
    """Read the baseline at *path*.  Raises OSError, and BadBaseline for what is none."""
    return parse_baseline(path, read_bytes(path, _LARGEST).decode("utf-8-sig", "surrogateescape"))


def parse_baseline(path: str, text: str) -> Baseline:
    """Read *text*, which stands in *path*.  Raises BadBaseline."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        reason = f"no valid JSON ({error.msg[:1].lower()}{error.msg[1:]})"
        reason += f"; end a merge that stopped here, or delete the file and {_ANEW}"
        raise BadBaseline(path, error.lineno, reason) from None
    except RecursionError:
        raise BadBaseline(path, 1, "no baseline: nested too deep") from None
    except ValueError:  # Python makes no number of thousands of digits
        raise BadBaseline(path, 1, f"no baseline: it has a number that is too long; {_ANEW}") from None
    if not isinstance(document, dict) or "version" not in document or "entries" not in document:
        raise BadBaseline(path, 1, "no baseline of sbatchlint: it has a version and entries")
    if document["version"] != VERSION or isinstance(document["version"], bool):
        line = _line_of(text, text.find('"version"'))
        raise BadBaseline(
            path,
            line,
            f"baseline of version {document['version']!r}, this sbatchlint reads version {VERSION}; "
            f"delete it and {_ANEW}",
        )
    entries = document["entries"]
    if not isinstance(entries, list):
        raise BadBaseline(path, _line_of(text, text.find('"entries"')), "entries: a list is wanted here")
    counts: dict[str, dict[Mark, int]] = {}
    for index, entry in enumerate(entries):
        problem = _problem(entry)
        if problem:
            raise BadBaseline(path, _line_of_entry(text, index), problem)
        mark = Mark(*(entry[key] for key in _TEXTS[1:]))
        of_file = counts.setdefault(entry["path"], {})
        of_file[mark] = max(of_file.get(mark, 0), entry["count"])  # a merge may leave both of two counts
    return Baseline(path, counts)


def baseline_text(counts: Counts) -> str:
    """Return the file's text for *counts*."""
    entries = ",\n".join(f"    {json.dumps(entry)}" for entry in _entries(counts))
    listed = f"[\n{entries}\n  ]" if entries else "[]"
    return f'{{\n  "version": {VERSION},\n  "entries": {listed}\n}}\n'


def _entries(counts: Counts) -> Iterator[dict[str, Any]]:
    for path in sorted(counts):
        for mark, count in sorted(counts[path].items()):
            texts = (path, mark.code, mark.place, mark.finding, mark.command)
            yield {**dict(zip(_TEXTS, texts, strict=True)), "count": count}


def _problem(entry: Any) -> str:
    """Return what is wrong with *entry*; nothing where it is sound."""
    if not isinstance(entry, dict):
        return "an entry is a table: { ... }"
    for key in _TEXTS:
        if not isinstance(entry.get(key), str):
            return f"entry without a text for {key!r}"
    count = entry.get("count")
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= _MOST:
        return f"entry without a count from 1 to {_MOST}"
    return ""


def _line_of_entry(text: str, index: int) -> int:
    """Return the line of the entry number *index* of a text that is valid JSON."""
    start = _START.search(text)
    at = start.end() if start else 0
    decoder = json.JSONDecoder()
    with contextlib.suppress(ValueError):
        for _ in range(index):
            at = decoder.raw_decode(text, _next(text, at))[1]
    return _line_of(text, _next(text, at))


def _next(text: str, at: int) -> int:
    """Pass over blanks and commas."""
    while at < len(text) and text[at] in " \t\r\n,":
        at += 1
    return at


def _line_of(text: str, at: int) -> int:
    return text.count("\n", 0, max(at, 0)) + 1
