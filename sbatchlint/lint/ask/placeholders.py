"""Places in directives that are still to be filled in, by a person or by a program."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.lint.ask.once import asked_once, kept
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Span

_TEMPLATE = regex(
    r"\{\{.{0,300}?\}\}|\{%.{0,300}?%\}|<%.{0,300}?%>|\[\[\s*[A-Za-z_]\w*\s*\]\]|@@\w+(?:@@)?|(?<![\w@])@[A-Z][A-Z0-9_]+@"
    r"|(?<=[=\s])[A-Z]+(?:_[A-Z]+)*_TAG(?=\s|$)"
)
"""What Jinja, ERB, brew, autoconf and their like fill in, and debuggers in queue templates (``_TAG``)."""
_BLANK = regex(
    r"<[^<>\nA-Za-z]*[A-Za-z][^<>\n]*>"
    r"|(?<=[=\s])\{\s*[A-Za-z][\w -]*[^\S ]*\}(?=\s|$)"
    r"|(?<=[=\s])\[[A-Za-z][\w ]*[A-Za-z]\](?=\s|$)"
    r"|(?<![A-Za-z0-9])(?:YOUR|MY)_[A-Z][A-Z_]*(?![A-Za-z0-9])"
    r"|(?<!--job-name[= ])(?<!-J )(?<!\w)[Yy]our[-_]"
    r"(?:account|partition|project|queue|name|email|group|qos|reservation)\w*"
    r"|(?<![A-Za-z0-9])(?:CHANGE[-_]?ME|REPLACE[-_]?ME|FILL[-_]?ME|FIXME|TODO|XXX+)(?![A-Za-z0-9])",
)
"""What people fill in; a job's name may well be made of such a word, and does no harm."""
_JUBE = regex(r"#[A-Za-z]\w*#(?!\w)")
"""What JUBE fills in: where it stands sbatch sees a comment."""
_CUT_BLANK = regex(r"<#[^<>\nA-Za-z]*[A-Za-z][^<>\n]*>")
"""``<#nodes>``, of which sbatch sees the ``<`` alone."""
_FIELD = regex(r"(?<![$\w{])\{[a-z_][a-z0-9_]*\}(?!\})")
_DOUBLED = regex(r"\{\{(?!\s*\.)")
"""A brace of the text itself in what ``str.format`` fills in; Go's ``{{.Name}}`` is another thing."""
_CALLED_TEMPLATE = regex(
    r"\b(?:this|the) (?:\w+ )?(?:file|script) is (?:only |just )?an? (?:[\w-]+ ){0,2}template\b"
    r"|\btemplate (?:is |to be |that is )?(?:filled in|rendered|instantiated|processed) by\b",
    re.IGNORECASE,
)
"""What a file says of itself that is a script only once a program has made a copy of it."""
_NAMED_TEMPLATE = regex(r"template", re.IGNORECASE)
_FORM = regex(r"<[A-Z][A-Z0-9_]*>")
_TEMPLATE_FILE = regex(r"\.(?:j2|jinja2?|tmpl|tpl|template|mustache|erb|in|em|qtf)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One such place."""

    span: Span
    line: int
    template: bool
    """Whether a program fills it in: the file is then no script yet."""


@asked_once
def placeholders(job: Job) -> Iterator[Placeholder]:
    """Yield the placeholders in the directives that sbatch reads, comments left out."""
    kinds = ((_TEMPLATE, True), *(((_FIELD, True),) if _is_format_string(job) else ()), (_BLANK, False))
    for line in job.request.directives.lines:
        if any(token.value.startswith("--comment") for token in line.tokens):
            continue
        start, end = line.span.start + len(line.prefix), line.span.end
        found: list[Span] = []
        if line.comment is not None:
            cut = _CUT_BLANK.match(job.source.text, line.comment.start - 1, end)
            if cut is not None:
                found.append(Span(*cut.span()))
                yield Placeholder(found[0], line.number, False)
            filled = _JUBE.match(job.source.text, line.comment.start, end)
            if filled is not None and not job.source.text[filled.start() - 1].isspace():
                found.append(Span(*filled.span()))
                yield Placeholder(found[0], line.number, True)
            end = line.comment.start
        for pattern, template in kinds:
            for match in pattern.finditer(job.source.text, start, end):
                span = Span(*match.span())
                if not any(span.overlaps(other) for other in found):
                    found.append(span)
                    yield Placeholder(span, line.number, template)


def _is_format_string(job: Job) -> bool:
    """Tell whether Python's ``str.format`` fills the file in.

    It has ``{name}`` in several values, or in one and doubled braces too; one ``{name}`` alone may be for a
    person to fill in.
    """
    names: set[str] = set()
    for line in job.request.directives.lines:
        end = line.span.end if line.comment is None else line.comment.start
        names.update(_FIELD.findall(job.source.text, line.span.start, end))
    return len(names) > 1 or (bool(names) and _DOUBLED.search(job.source.text) is not None)


@kept
def is_template(job: Job) -> bool:
    """Tell whether the file, by name, head or directives, is a script only once it has been filled in."""
    if _TEMPLATE_FILE.search(job.source.path) or _says_template(job) or _is_form(job):
        return True
    return any(place.template for place in placeholders(job))


def _says_template(job: Job) -> bool:
    """Tell whether a comment above the first command calls the file itself a template."""
    stop = job.request.directives.stop
    end = job.source.line_span(stop).start if stop is not None else len(job.source.text)
    head = (job.source.slice(one.span) for one in job.script.comments if one.span.start < end)
    return any(_CALLED_TEMPLATE.search(comment) is not None for comment in head)


def _is_form(job: Job) -> bool:
    """Tell whether a file that is named a template has several ``<NAMES>``, or one and no ``#!``.

    A program that knows the names fills those in.
    """
    name = re.split(r"[/\\]", job.source.path)[-1]
    if _NAMED_TEMPLATE.search(name) is None:
        return False
    lines = (job.source.slice(line.span) for line in job.request.directives.lines)
    names = {found for line in lines for found in _FORM.findall(line)}
    return len(names) > 1 or (bool(names) and not job.source.text.startswith("#!"))
