"""The lists that the tasks of a job array pick from by their index: bash arrays and lines of files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.lint.ask.code_text import found_in_code
from sbatchlint.lint.ask.nodes import nodes_of, places
from sbatchlint.lint.ask.slurm_variables import slurm_mentions
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import (
    Assignment,
    Case,
    DoubleQuoted,
    For,
    Function,
    If,
    Literal,
    Parameter,
    SingleQuoted,
    While,
    Word,
)
from sbatchlint.source import Span

_INDEX = "SLURM_ARRAY_TASK_ID"
_READ = regex(r"\$?\{?(\w+)\}?")
_FILLS = (
    r"(?:mapfile|readarray|read|declare|unset|local)\b[^\n;]{{0,500}}\s{name}\b"
    r"|\b{name}(?:\[[^\]\n]{{0,200}}\])?\+?="
)
_OPENS = regex(r"[*?\[{$`~]")
_FROM_ONE = (
    (
        regex(r"\bsed\b[^|;&\n]{0,99}\s(?:-n\s*|-ne\s*|-n\s+-e\s*)[\"']?$"),
        regex(r"\}?[\"']?p\b"),
        "sed",
    ),
    (regex(r"\bsed\s+[\"']?$"), regex(r"q;d"), "sed"),
    (regex(r"\bawk\s[^|;&\n]{0,99}\bNR\s*==\s*[\"']?$"), regex(r"[^-+*/%\w]"), "awk"),
    (regex(r"\bhead\s+(?:-n\s*|-)\"?$"), regex(r"\"?[^|;\n]*\|\s*tail\s+(?:-n\s*)?-?1\b"), "head"),
)


@dataclass(frozen=True, slots=True)
class Pick:
    """One place where a task's index chooses."""

    span: Span
    what: str
    """The array's name, or the command that counts lines."""
    length: int | None
    """How many elements a bash array has; None for the lines of a file, which are counted from 1."""
    defined: Span | None = None


def picks(job: Job) -> Iterator[Pick]:
    """Yield where the bare index is used on a list of known length, or on lines."""
    aliases = {_INDEX, *_aliases(job)}
    for node, _ in nodes_of(job, Parameter):
        if node.subscript is None or node.prefix or node.operator:
            continue
        index = _READ.fullmatch(job.source.slice(node.subscript.span))
        if index is not None and index[1] in aliases:
            written = _array(job, node.name)
            if written is not None and written.elements is not None:
                yield Pick(node.span, node.name, len(written.elements), written.span)
    for mention in slurm_mentions(job):
        if mention.name == _INDEX and mention.plain and not mention.deferred:
            yield from _lines(job, mention.span)


def _lines(job: Job, span: Span) -> Iterator[Pick]:
    text = job.source.text
    line = job.source.line_around(span.start).start
    for before, behind, command in _FROM_ONE:
        if before.search(text, line, span.start) and behind.match(text, span.end):
            yield Pick(span, command, None)


def _aliases(job: Job) -> Iterator[str]:
    """Variables that are set once, to the index and nothing else."""
    for node, _ in nodes_of(job, Assignment):
        if node.value is None or node.append or node.subscript is not None:
            continue
        index = _READ.fullmatch(job.source.slice(node.value.span).strip('"'))
        if index is not None and index[1] == _INDEX and _is_set_once(job, node.name):
            yield node.name


def _array(job: Job, name: str) -> Assignment | None:
    """The only assignment of the array *name*, where its elements can be counted."""
    found = [place for place in places(job) if getattr(place.node, "elements", None) is not None]
    written = [place for place in found if isinstance(place.node, Assignment) and place.node.name == name]
    if len(written) != 1 or written[0].inside(If, Case, For, While, Function) or not _is_set_once(job, name):
        return None
    array = written[0].node
    assert isinstance(array, Assignment)
    counted = all(one.key is None and _is_one_word(one.value) for one in array.elements or ())
    return array if counted and not array.append and array.elements else None


def _is_set_once(job: Job, name: str) -> bool:
    filled = re.compile(_FILLS.format(name=re.escape(name)))
    return len(list(found_in_code(job, filled))) == 1


def _is_one_word(word: Word) -> bool:
    """Tell whether the word is one element whatever its variables hold: no pattern, braces or bare ``$``."""
    for part in word.parts:
        if isinstance(part, DoubleQuoted):
            if any(isinstance(piece, Parameter) and piece.name in ("@", "*") for piece in part.parts):
                return False
            if any(isinstance(piece, Parameter) and piece.subscript is not None for piece in part.parts):
                return False
        elif isinstance(part, Literal):
            if not part.escaped and _OPENS.search(part.text):
                return False
        elif not isinstance(part, SingleQuoted):
            return False
    return True
