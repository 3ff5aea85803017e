"""Places that are still to be filled in, in what the job starts: containers, and paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbatchlint.certainty import Certainty
from sbatchlint.launch.layered import Met
from sbatchlint.launch.plan import Program
from sbatchlint.launch.values import Text, Value
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Span

_MARK = regex(
    r"(?<![A-Za-z0-9])(?:CHANGE[-_]?ME|REPLACE[-_]?ME|FILL[-_]?ME)(?![A-Za-z0-9])"
    r"|(?<![^/=:,])(?:FIXME|TODO)(?![^/:,])"
    r"|(?<![A-Za-z0-9])YOUR_[A-Z][A-Z_]*(?![A-Za-z0-9])"
)
"""What nobody names a file: fewer marks than in directives, where a value is one of few kinds."""
_FORM = regex(r"<[A-Za-z][^<>\n/|]*>")
"""``<path to the image>``, which no image or mount is called; a program's word may well be ``<s>``."""
_OPTIONS = ("container-image", "container-mounts", "container-workdir")
_PATH = "a path"


@dataclass(frozen=True, slots=True)
class Unfilled:
    """One such place."""

    span: Span
    used: str
    """What it becomes a part of: ``--container-image``, ``a path``."""


@asked_once
def unfilled(job: Job) -> Iterator[Unfilled]:
    """Yield the marks in container options of steps and in paths of the plan, each once, as they are written.

    A path has a slash.  A mark that a variable brings is where the variable gets it.  What rests on a
    default (``${IMAGE:-CHANGE_ME}``) or stands on one of several ways is passed over: it may never count.
    """
    seen: set[Span] = set()
    values = list(_values(job))
    if not _may_hold_marks(value for value, _ in values):
        return
    for value, used in values:
        if used == _PATH and "/" not in value.show():
            continue
        for span in _marks(value, form=used != _PATH):
            if span not in seen:
                seen.add(span)
                yield Unfilled(span, used)


def _values(job: Job) -> Iterator[tuple[Value, str]]:
    """Yield what may hold a mark: the values of options, and each word, which counts if it is a path."""
    for step in job.plan.steps:
        for option in step.options:
            if option.name in _OPTIONS and option.value is not None:
                yield option.value, f"--{option.name}"
    for value in _words(job):
        yield value, _PATH


def _may_hold_marks(values: Iterable[Value]) -> bool:
    """Tell whether there is a mark in the texts of *values*, all looked through at once."""
    texts = (one.text for value in values for one in value.segments if isinstance(one, Text))
    text = "/".join(texts)  # which ends a mark as the end of a text does
    return _MARK.search(text) is not None or _FORM.search(text) is not None


def _words(job: Job) -> Iterator[Value]:
    uses = [*job.plan.file_uses, *(use for step in job.plan.steps for use in step.file_uses)]
    yield from (use.path for use in uses)
    met: Met = {}
    for _, program in job.plan.programs():
        yield from _of_program(program, met)


def _of_program(program: Program, met: Met) -> Iterator[Value]:
    """Yield its words, and those of its variables that it does not share with a program *met* before."""
    yield from (word.value for word in program.words)
    for layer in program.layers:
        yield from (option.value for option in layer.options if option.value is not None)
        yield from (word.value for word in layer.operands)
    yield from (program.environment[name] for name in program.environment.new_names(met))


def _marks(value: Value, *, form: bool) -> Iterator[Span]:
    for one in value.segments:
        if not isinstance(one, Text) or one.span is None or one.certainty is not Certainty.KNOWN:
            continue
        if len(one.span) != len(one.text):
            continue
        for pattern in (_MARK, _FORM) if form else (_MARK,):
            for match in pattern.finditer(one.text):
                yield Span(one.span.start + match.start(), one.span.start + match.end())
