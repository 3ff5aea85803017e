"""Where a script reads the variables that Slurm sets, and what it does about one that may be missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from sbatchlint.lint.ask.code_text import found_in_code
from sbatchlint.lint.ask.nodes import Place, places
from sbatchlint.lint.ask.once import asked_once, kept
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import (
    Arithmetic,
    ArithmeticCommand,
    ArithmeticFor,
    CommandSubstitution,
    DoubleQuoted,
    HereDocument,
    Parameter,
    ProcessSubstitution,
    Simple,
    SingleQuoted,
    Test,
)
from sbatchlint.slurm.environment import JobVariable, job_variables
from sbatchlint.source import Span

_NAME = r"SLURMD?_[A-Z][A-Z0-9_]*"
_WHOLE = regex(_NAME)
_BARE = regex(rf"(?<![\w$\{{]){_NAME}\b")
_WRITTEN = regex(rf"\$(?:{_NAME}\b|\{{(?P<name>{_NAME})(?![A-Z0-9_])(?P<rest>[^{{}}]*)\}})")
_ESCAPED = regex(rf"\\{_WRITTEN.pattern}")
_READING = (
    Parameter,
    Arithmetic,
    ArithmeticCommand,
    ArithmeticFor,
    SingleQuoted,
    HereDocument,
    DoubleQuoted,
)
"""Nodes in which a variable is read, or text that a later shell reads."""
_PRINTING = frozenset(("echo", "printf", "logger", "date"))
_TESTING = frozenset(("[", "test"))
_DEFAULTS = (":-", "-", ":=", "=", ":+", "+", ":?", "?")
"""Operators of ``${...}`` that say what is taken where a variable is missing, or there."""


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


@asked_once
def slurm_mentions(job: Job) -> Iterator[Mention]:
    """Every place outside comments where the script reads a ``SLURM_`` variable, in order."""
    text = job.source.text
    reading = (place for place in places(job) if isinstance(place.node, _READING))
    found = {mention.span: mention for place in reading for mention in _mentions(text, place)}
    return (found[span] for span in sorted(found))


@kept
def variables_of(job: Job) -> Mapping[str, JobVariable]:
    """The variables of the batch shell that Slurm decides: see :func:`job_variables`."""
    return job_variables(job.request)


def sets_variable(job: Job, name: str) -> bool:
    """Whether the script, a directive or the assumed environment gives *name* a value somewhere.

    Asked of the text: an assignment, ``read``, ``for``, ``printf -v`` or an option's ``NAME=``.
    """
    if any(name == given for given, _ in job.options.environment):
        return True
    assigned = re.compile(
        rf"(?<![\w$\{{]){name}(?:\[[^\]]{{0,200}}\])?\+?=(?!=)|\$\{{{name}:?=|"
        rf"\b(?:read|for|mapfile|readarray|export|declare|printf -v)\b[^\n;|&]{{0,500}}\s{name}(?=[\s;=]|$)"
    )
    return next(found_in_code(job, assigned), None) is not None


def expects_missing(job: Job, name: str) -> bool:
    """Whether the script looks somewhere if *name* has a value, or says what to take if not."""
    return any(
        mention.name == name and (mention.tested or mention.defaulted) for mention in slurm_mentions(job)
    )


def _mentions(text: str, place: Place) -> Iterator[Mention]:
    """The mentions in the node itself, those in nodes inside it left out."""
    node = place.node
    if isinstance(node, Parameter):
        if node.name.startswith("SLURM") and _WHOLE.fullmatch(node.name):
            plain = not node.operator and not node.prefix and node.subscript is None
            default = node.operator in _DEFAULTS
            yield replace(_around(place), name=node.name, span=node.span, plain=plain, defaulted=default)
    elif isinstance(node, (Arithmetic, ArithmeticCommand, ArithmeticFor)):
        word = node.header if isinstance(node, ArithmeticFor) else node.expression
        for match in _BARE.finditer(text, word.span.start, word.span.end):
            inside = replace(_around(place), arithmetic=True, printed=False)
            yield replace(inside, name=match.group(), span=Span(*match.span()), bare=True)
    elif isinstance(node, SingleQuoted):
        yield from _deferred(text, node.span, _WRITTEN, place)
    elif isinstance(node, HereDocument) and node.quoted:
        yield from _deferred(text, node.body.span, _WRITTEN, place)
    elif isinstance(node, DoubleQuoted):
        for mention in _deferred(text, node.span, _ESCAPED, place):
            yield replace(mention, quoted=True)


def _deferred(text: str, span: Span, pattern: re.Pattern[str], place: Place) -> Iterator[Mention]:
    for match in pattern.finditer(text, span.start, span.end):
        rest = match["rest"] or ""
        yield replace(
            _around(place),
            name=match["name"] or match.group().lstrip("\\$"),
            span=Span(*match.span()),
            plain=not rest,
            defaulted=rest.startswith(_DEFAULTS),
            deferred=True,
            printed=False,
        )


def _around(place: Place) -> Mention:
    """What is known of a mention by all that it stands in."""
    known = Mention("", Span(0, 0))
    for node in place.around:
        if isinstance(node, (CommandSubstitution, ProcessSubstitution)):
            known = replace(known, printed=False, arithmetic=False, tested=False)
        elif isinstance(node, Test):
            known = replace(known, tested=True)
        elif isinstance(node, Simple):
            printed = node.name in _PRINTING and not node.redirects
            known = replace(known, printed=printed, tested=node.name in _TESTING)
        elif isinstance(node, DoubleQuoted):
            known = replace(known, quoted=True)
        elif isinstance(node, (Arithmetic, ArithmeticCommand)):
            known = replace(known, arithmetic=True, printed=False)
        elif isinstance(node, ArithmeticFor):
            known = replace(known, arithmetic=node.header in place.around, printed=False)
    return known
