"""Where a script reads the variables that Slurm sets, and what it does about one that may be missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache

from sbatchlint.lint.job import Job
from sbatchlint.shell.reader import read_text
from sbatchlint.shell.syntax import (
    Arithmetic,
    ArithmeticCommand,
    ArithmeticFor,
    CommandSubstitution,
    HereDocument,
    Parameter,
    ProcessSubstitution,
    Simple,
    SingleQuoted,
    Test,
)
from sbatchlint.source import Span

_NAME = r"SLURMD?_[A-Z][A-Z0-9_]*"
_BARE = re.compile(rf"(?<![\w$\{{]){_NAME}\b")
_WRITTEN = re.compile(rf"\$(?:{_NAME}\b|\{{(?P<name>{_NAME})(?P<rest>[^{{}}]*)\}})")
_ESCAPED = re.compile(rf"\\{_WRITTEN.pattern}")
_PRINTING = frozenset(("echo", "printf", "logger", "date"))
_TESTING = frozenset(("[", "test"))


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where the value of a variable is read."""

    name: str
    span: Span
    """``$NAME``, ``${NAME}``, or the bare name of an arithmetic expression."""
    plain: bool = True
    """True for the whole value and nothing else: no default, no part, no length."""
    defaulted: bool = False
    """True where the script says what happens if the variable is missing (``${NAME:-1}``, ``${NAME:?}``)."""
    bare: bool = False
    """True where it is written without a ``$``."""
    arithmetic: bool = False
    """True inside ``$((...))``, ``((...))`` and the like."""
    tested: bool = False
    """True in ``[ ... ]`` and ``[[ ... ]]``."""
    printed: bool = False
    """True where a command prints it and nothing else is done with it."""
    deferred: bool = False
    """True in text that the batch shell does not expand: between single quotes, behind a backslash."""
    quoted: bool = False
    """True inside double quotes."""


@lru_cache(maxsize=2)
def slurm_mentions(job: Job) -> tuple[Mention, ...]:
    """Every place outside comments where the script reads a ``SLURM_`` variable, in order."""
    walk = _Walk(job.source.text).of(job.script, Mention("", Span(0, 0)))
    found = {mention.span: mention for mention in walk}
    return tuple(found[span] for span in sorted(found))


def sets_variable(job: Job, name: str) -> bool:
    """Whether the script, a directive or the assumed environment gives *name* a value somewhere.

    Asked of the text: an assignment, ``read``, ``for``, ``printf -v`` or an option's ``NAME=``.
    """
    if any(name == given for given, _ in job.options.environment):
        return True
    assigned = re.compile(
        rf"(?<![\w$\{{]){name}(?:\[[^\]]*\])?\+?=(?!=)|\$\{{{name}:?=|"
        rf"\b(?:read|for|mapfile|readarray|export|declare|printf -v)\b[^\n;|&]*\s{name}(?=[\s;=]|$)"
    )
    comments = [comment.span for comment in job.script.comments]
    places = (Span(m.start(), m.end()) for m in assigned.finditer(job.source.text))
    return any(not any(place in comment for comment in comments) for place in places)


def expects_missing(job: Job, name: str) -> bool:
    """Whether the script looks somewhere if *name* has a value, or says what to take if not."""
    return any(
        mention.name == name and (mention.tested or mention.defaulted) for mention in slurm_mentions(job)
    )


class _Walk:
    def __init__(self, text: str) -> None:
        self._text = text

    def of(self, node: object, around: Mention) -> Iterator[Mention]:
        """Yield the mentions in *node*; *around* carries what is known of the place so far."""
        if isinstance(node, tuple):
            for item in node:
                yield from self.of(item, around)
        elif isinstance(node, Parameter):
            yield from self._parameter(node, around)
        elif isinstance(node, (CommandSubstitution, ProcessSubstitution)):
            inner = replace(around, printed=False, arithmetic=False, tested=False)
            body = read_text(self._text, node.body.start, node.body.end)
            yield from self.of(body.body, inner)
        elif isinstance(node, (Arithmetic, ArithmeticCommand, ArithmeticFor)):
            yield from self._arithmetic(node, around)
        elif isinstance(node, SingleQuoted):
            yield from self._deferred(node.span, _WRITTEN, around)
        elif isinstance(node, HereDocument) and node.quoted:
            yield from self._deferred(node.body.span, _WRITTEN, around)
        elif is_dataclass(node) and not isinstance(node, Span):
            yield from self._inside(node, around)

    def _inside(self, node: object, around: Mention) -> Iterator[Mention]:
        if isinstance(node, Test):
            around = replace(around, tested=True)
        elif isinstance(node, Simple):
            name = node.words[0].literal if node.words else None
            around = replace(
                around,
                printed=name in _PRINTING and not node.redirects,
                tested=name in _TESTING,
            )
        elif type(node).__name__ == "DoubleQuoted":
            span: Span = node.span  # type: ignore[attr-defined]
            around = replace(around, quoted=True)
            yield from self._deferred(span, _ESCAPED, around)
        for field in fields(node):  # type: ignore[arg-type]
            yield from self.of(getattr(node, field.name), around)

    def _parameter(self, node: Parameter, around: Mention) -> Iterator[Mention]:
        if re.fullmatch(_NAME, node.name):
            default = node.operator in (":-", "-", ":=", "=", ":+", "+", ":?", "?")
            plain = not node.operator and not node.prefix and node.subscript is None
            yield replace(around, name=node.name, span=node.span, plain=plain, defaulted=default)
        for argument in (node.subscript, *node.arguments):
            yield from self.of(argument, around)

    def _arithmetic(
        self, node: Arithmetic | ArithmeticCommand | ArithmeticFor, around: Mention
    ) -> Iterator[Mention]:
        around = replace(around, arithmetic=True, printed=False)
        word = node.header if isinstance(node, ArithmeticFor) else node.expression
        for match in _BARE.finditer(self._text, word.span.start, word.span.end):
            yield replace(around, name=match.group(), span=Span(*match.span()), bare=True)
        yield from self.of(word, around)
        if isinstance(node, ArithmeticFor):
            yield from self.of(node.body, replace(around, arithmetic=False))

    def _deferred(self, span: Span, pattern: re.Pattern[str], around: Mention) -> Iterator[Mention]:
        for match in pattern.finditer(self._text, span.start, span.end):
            rest = match["rest"] or ""
            yield replace(
                around,
                name=match["name"] or match.group().lstrip("\\$"),
                span=Span(*match.span()),
                plain=not rest,
                defaulted=rest.startswith((":-", "-", ":=", "=", ":+", "+", ":?", "?")),
                deferred=True,
                printed=False,
            )
