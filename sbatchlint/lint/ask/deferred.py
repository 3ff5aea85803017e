"""Text that the batch shell does not expand, so that the shells of the tasks do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.lint.ask.code_text import words_in_code
from sbatchlint.lint.ask.nodes import nodes_of, walk
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.ask.settings import DECLARING, settings_of
from sbatchlint.lint.ask.shell_modes import may_switch_on
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.shell.reader import read_text
from sbatchlint.shell.syntax import Assignment, For, HereDocument, Parameter, Simple, SingleQuoted, Word
from sbatchlint.source import Span

_SETTING = DECLARING | frozenset("read mapfile readarray printf".split())


@asked_once
def _deferred_texts(job: Job) -> Iterator[Span]:
    """What stands between single quotes, and in here-documents with a quoted delimiter."""
    for quoted, _ in nodes_of(job, SingleQuoted):
        if not quoted.ansi_c:
            yield Span(quoted.span.start + 1, quoted.span.end - 1)
    for document, _ in nodes_of(job, HereDocument):
        if document.quoted:
            yield document.body.span


def is_deferred(job: Job, span: Span) -> bool:
    """Whether the expansion written at *span* is none for the batch shell."""
    if "\\" in job.source.text[max(span.start - 1, 0) : span.start + 1]:
        return True
    return any(span in quoted for quoted in _deferred_texts(job))


@dataclass(frozen=True, slots=True)
class TaskCode:
    """Text between single quotes, or of a here-document, that the shells of a step's tasks read as code."""

    span: Span
    reads: tuple[Parameter, ...]
    """The variables that it expands, outside of strings that it hands on unexpanded."""
    sets: frozenset[str]
    """The variables that it may give a value itself."""
    sources: bool
    """Whether it reads another file, which may set anything."""


@asked_once
def task_codes(job: Job) -> Iterator[TaskCode]:
    """The deferred texts in which a step starts a program."""
    programs = (program for step in job.plan.steps for program in step.programs)
    starts = [program.span for program in programs if program.span is not None]
    for span in _deferred_texts(job):
        if any(start in span for start in starts):
            code = read_text(job.source.text, span.start, span.end)
            nodes = [place.node for place in walk(code.body)]
            reads = tuple(node for node in nodes if isinstance(node, Parameter))
            yield TaskCode(span, reads, frozenset(_set_by(nodes)), any(map(_is_source, nodes)))


def may_be_exported(job: Job, name: str) -> bool:
    """Whether a command of the batch script may put *name* into what it starts."""
    mentioned = re.compile(rf"\b{name}\b")
    for node, _ in nodes_of(job, Simple):
        if not node.words:
            continue
        if any(assignment.name == name for assignment in node.assignments):
            return True
        written = job.source.slice(Span(node.words[0].span.start, node.words[-1].span.end))
        exports = node.name in DECLARING or "--export" in written
        if exports and mentioned.search(written):
            return True
        if "env" in written and re.search(rf"\b{name}=", written):
            return True
    return False


def is_kept_back(job: Job, name: str) -> bool:
    """Whether the script sets *name* without exporting it, and does nothing else with it.

    What it starts gets the value only if the submitting shell has exported the name already.
    """
    if may_be_exported(job, name) or may_switch_on(job, "allexport"):
        return False
    settings = [setting for setting in settings_of(job) if setting.name == name]
    return 0 < len(settings) == len(words_in_code(job, name))


def _is_source(node: object) -> bool:
    return isinstance(node, Simple) and node.name in ("source", ".")


def _set_by(nodes: list[object]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, (Assignment, For)):
            yield node.name
        if isinstance(node, Parameter) and node.operator in ("=", ":="):
            yield node.name
        if isinstance(node, Simple) and node.name in _SETTING:
            for word in node.words[1:]:
                yield _name(word)


def _name(word: Word) -> str:
    text = word.literal or ""
    first = word.parts[0] if word.parts else None
    return (text or getattr(first, "text", "")).partition("=")[0]
