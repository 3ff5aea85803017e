"""Places in directives that are still to be filled in, by a person or by a program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sbatchlint.lint.job import Job
from sbatchlint.source import Span

_TEMPLATE = re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|<%.*?%>|\[\[\s*[A-Za-z_]\w*\s*\]\]|@@\w+(?:@@)?|(?<![\w@])@[A-Z][A-Z0-9_]+@"
    r"|(?<=[=\s])[A-Z]+(?:_[A-Z]+)*_TAG(?=\s|$)"
)
"""What Jinja, ERB, brew, autoconf and their like fill in, and debuggers in queue templates (``_TAG``)."""
_BLANK = re.compile(
    r"<[^<>\n]*[A-Za-z][^<>\n]*>"
    r"|(?<=[=\s])\{\s*[A-Za-z][\w -]*\s*\}(?=\s|$)"
    r"|(?<=[=\s])\[[A-Za-z][\w ]*[A-Za-z]\](?=\s|$)"
    r"|(?<![A-Za-z0-9])(?:YOUR|MY)_[A-Z][A-Z_]*(?![A-Za-z0-9])"
    r"|(?<!--job-name[= ])(?<!-J )(?<!\w)[Yy]our[-_]"
    r"(?:account|partition|project|queue|name|email|group|qos|reservation)\w*"
    r"|(?<![A-Za-z0-9])(?:CHANGE[-_]?ME|REPLACE[-_]?ME|FILL[-_]?ME|FIXME|TODO|XXX+)(?![A-Za-z0-9])",
)
"""What people fill in; a job's name may well be made of such a word, and does no harm."""
_TEMPLATE_FILE = re.compile(r"\.(?:j2|jinja2?|tmpl|tpl|template|mustache|erb|in|em|qtf)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One such place."""

    span: Span
    line: int
    template: bool
    """Whether a program fills it in: the file is then no script yet."""


def placeholders(job: Job) -> Iterator[Placeholder]:
    """Yield the placeholders in the directives that sbatch reads, comments left out."""
    for line in job.request.directives.lines:
        if any(token.value.startswith("--comment") for token in line.tokens):
            continue
        end = line.span.end if line.comment is None else line.comment.start
        text = job.source.text
        found: list[Span] = []
        for pattern, template in ((_TEMPLATE, True), (_BLANK, False)):
            for match in pattern.finditer(text, line.span.start + len(line.prefix), end):
                span = Span(*match.span())
                if not any(span.overlaps(other) for other in found):
                    found.append(span)
                    yield Placeholder(span, line.number, template)


def is_template(job: Job) -> bool:
    """Tell whether the file, by its name or directives, is a script only once a program has filled it in."""
    if _TEMPLATE_FILE.search(job.source.path):
        return True
    return any(place.template for place in placeholders(job))
