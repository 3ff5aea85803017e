"""Text in directives that a shell would expand: sbatch takes it as it is written."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.ask.placeholders import is_template
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.option_use import OptionUse
from sbatchlint.source import Span

_EXPANSION = regex(r"\$\{[^{}]*\}|\$\([^()]*\)|\$(?:[A-Za-z_]\w*|[1-9])|`[^`]*`")
_HOME = regex(r"~(?=/|$)")
_PROSE = frozenset(("comment", "extra", "admin-comment"))


@dataclass(frozen=True, slots=True)
class Expansion:
    """One such place."""

    use: OptionUse
    span: Span
    text: str


def expansions(job: Job, *, of_templates: bool = False) -> Iterator[Expansion]:
    """Yield what a shell would expand in the values of directives.

    In a file that a program fills in first that may be its business too: such text is left out, unless it is
    asked for.
    """
    if not of_templates and is_template(job):
        return
    for use in job.request.all_uses:
        if use.value_span is not None and not use.spec.first_pass_only and use.spec.long not in _PROSE:
            yield from _in_value(job, use, use.value_span)


def _in_value(job: Job, use: OptionUse, value: Span) -> Iterator[Expansion]:
    text = job.source.slice(value)
    home = _HOME.match(text)
    if home:
        yield Expansion(use, Span(value.start, value.start + 1), "~")
    for match in _EXPANSION.finditer(text):
        start = value.start + match.start()
        yield Expansion(use, Span(start, start + len(match.group())), match.group())
