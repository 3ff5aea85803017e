"""Where a finding stands in the launch plan or in the request, in words that outlive a shift of lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sbatchlint.lint.ask.nodes import places
from sbatchlint.records import dataclass
from sbatchlint.shell import syntax
from sbatchlint.shell.syntax import Function, Simple
from sbatchlint.slurm.directives import read_directives
from sbatchlint.source import Span

if TYPE_CHECKING:
    from sbatchlint.launch.plan import Program
    from sbatchlint.lint.job import Job

_DECLARING = frozenset(("declare", "export", "local", "readonly", "typeset"))
_COMPOUNDS = (
    Function,
    syntax.Group,
    syntax.Subshell,
    syntax.If,
    syntax.While,
    syntax.For,
    syntax.ArithmeticFor,
    syntax.Case,
)
_COMMANDS = (Simple, syntax.Unparsed, syntax.Test, syntax.ArithmeticCommand, *_COMPOUNDS)


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a script."""

    name: str
    """Such as ``directive --nodes``, ``step torchrun train.py`` or ``function run / command rm``."""
    span: Span
    """The directive line or the command around it."""
    telling: bool
    """Whether the name says which one is meant.  It does not where any command may bear it."""
    readable: bool = True
    """Whether bash's grammar is known to go on behind its first line; else nobody knows where it ends."""


class Places:
    """The places of one script; worked out once, asked for each finding."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._directives = tuple(_directives(job))
        self._commands = tuple(_commands(job))
        self._started = tuple(_started(job)) if self._commands else ()

    def of(self, span: Span) -> Place:
        """Return the place of a finding at *span*."""
        line = self._job.source.line_around(span.start)
        for one in self._directives:
            if one.span.start <= span.start <= one.span.end:
                return self._directive(one, span)
        if self._job.script.is_comment(Span(span.start, min(span.start + 1, span.end))):
            first = self._job.source.position(span.start).line == 1
            return Place("first line" if first else "comment", line, telling=True)
        around = [one for one in self._commands if one.start <= span.start < max(one.end, one.start + 1)]
        if not around:
            return Place("script", line, telling=False)
        command = min(around, key=lambda one: (one.end - one.start, -one.depth))
        return self._command(command, span)

    def _directive(self, line: _Directive, span: Span) -> Place:
        names = [
            name
            for name, place in line.options
            if place.start <= span.start < place.end or place.overlaps(span)
        ]
        return Place(" ".join((line.kind, *names[:1])), line.said, telling=bool(names))

    def _command(self, command: _Command, span: Span) -> Place:
        compound = isinstance(command.node, _COMPOUNDS)
        readable = not isinstance(command.node, syntax.Unparsed)
        starts = [
            name
            for name, place in self._started
            if not compound and command.span.start <= place.start < command.span.end
        ]
        own = starts[0] if starts else command.name(span)
        return Place(
            " / ".join((*(f"function {name}" for name in command.functions), own)),
            self._job.source.line_around(span.start) if compound or not readable else command.span,
            telling=bool(starts) or own.startswith("variable "),
            readable=readable,
        )


@dataclass(frozen=True, slots=True)
class _Directive:
    kind: str
    span: Span
    said: Span
    """The line without the comment on it."""
    options: tuple[tuple[str, Span], ...]


@dataclass(frozen=True, slots=True)
class _Command:
    node: object
    span: Span
    start: int
    end: int
    """The part of the text that it claims: itself, or one of its here-documents."""
    functions: tuple[str, ...]
    depth: int

    def name(self, span: Span) -> str:
        """Name the command; *span* says which of its assignments is meant."""
        if not isinstance(self.node, Simple):
            return type(self.node).__name__.lower()
        if not self.node.words:
            inside = [one for one in self.node.assignments if one.span.start <= span.start < one.span.end]
            return f"variable {(*inside, *self.node.assignments)[0].name}" if self.node.assignments else ""
        name = self.node.name or "?"
        if name in _DECLARING:
            words = [word for word in self.node.words[1:] if word.span.start <= span.start < word.span.end]
            for word in words:
                variable = _variable(word.parts)
                if variable:
                    return f"variable {variable}"
        return f"command {name}"


def _variable(parts: tuple[object, ...]) -> str:
    """Return the name before the ``=`` of a declared word."""
    name, equals, _ = str(getattr(parts[0], "text", "")).partition("=") if parts else ("", "", "")
    return name.removesuffix("+") if equals else ""


def _directives(job: Job) -> Iterator[_Directive]:
    read = read_directives(job.source, job.release)
    late = {line.number for line in read.late}
    for line in (*read.lines, *read.late, *read.foreign):
        kind = "late directive" if line.number in late else "directive"
        if line.component:
            kind = f"component {line.component}, {kind}"
        uses = [
            (f"--{use.spec.long}", use.span)
            for use in job.request.all_uses
            if use.span is not None and use.span in line.span
        ]
        tokens = [(_option_of(job.source.slice(token.span)), token.span) for token in line.tokens]
        named = [(name, span) for name, span in tokens if name]
        end = line.span.end if line.comment is None else line.comment.start
        yield _Directive(kind, line.span, Span(line.span.start, end), (*uses, *named))


def _option_of(text: str) -> str:
    """Return the option that a word of a directive names; nothing where it is a value."""
    return text.partition("=")[0] if text.startswith("--") else text[:2] if text.startswith("-") else ""


def _commands(job: Job) -> Iterator[_Command]:
    for place in places(job):
        node = place.node
        if not isinstance(node, _COMMANDS):
            continue
        span = node.span
        functions = tuple(each.name for each in place.around if isinstance(each, Function))
        yield _Command(node, span, span.start, span.end, functions, len(place.around))
        for redirect in getattr(node, "redirects", ()):
            if redirect.document is not None:
                body = redirect.document.span
                yield _Command(node, span, body.start, body.end, functions, len(place.around))


def _started(job: Job) -> Iterator[tuple[str, Span]]:
    """Yield what the plan starts, with the place where that is written."""
    for step in job.plan.steps:
        names = dict.fromkeys(_name(program) for program in step.programs)
        yield f"step {', '.join(names) or '?'}", step.span
    for around, program in job.plan.programs():
        if program.span is not None:
            yield f"{'program' if around is None else 'step'} {_name(program)}", program.span


def _name(program: Program) -> str:
    launcher = program.launcher
    name = program.name or "?"
    return name if launcher is None or launcher.name == name else f"{launcher.name} {name}"
