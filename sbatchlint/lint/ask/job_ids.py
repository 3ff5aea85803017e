"""Where a script takes the id of a job that it submits out of what sbatch prints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Command, CommandSubstitution, Pipeline, Simple
from sbatchlint.source import Span

_FILTERS = frozenset(("cut", "awk", "gawk", "grep", "egrep", "sed", "tr", "rev", "perl"))
_TAKES_ID = {
    "cut": regex(r"-d\s*-f4|-f4-d\s*"),
    "awk": regex(r"\{print(?:\$4|\$NF|\(\$4\)|\(\$NF\));?\}"),
    "gawk": regex(r"\{print(?:\$4|\$NF);?\}"),
    "grep": regex(r"(?:-o|-oE|-Eo|-oP|-Po|-o-E|-E-o|-o-P)(?:\[0-9\]|\\d|\[\[:digit:\]\])\\?[*+]"),
    "sed": regex(r"s/Submittedbatchjob//|s/\[\^0-9\]\*//g|s/\.\*job//"),
    "tr": regex(r"-(?:dc|cd)(?:0-9|\[0-9\]|\[:digit:\])"),
}
_UNFIT = regex(r"-M.*|--clusters?(?:=.*)?|--test-only|--verbose|-v+|-Q|--quiet")


@dataclass(frozen=True, slots=True)
class IdFilter:
    """``sbatch ... | filter``."""

    sbatch: Span
    """The word ``sbatch``."""
    command_end: int
    filters: Span
    """From the first filter to the end of the pipeline."""
    replaceable: bool
    """True where the filter does what ``--parsable`` does."""


def job_id_filters(job: Job) -> Iterator[IdFilter]:
    """Yield the pipelines from sbatch through filters whose output the script keeps."""
    for node, place in nodes_of(job, Pipeline):
        first = node.commands[0]
        if not isinstance(first, Simple) or not place.inside(CommandSubstitution) or not first.words:
            continue
        words = [word.literal for word in first.words]
        if words[0] != "sbatch" or any((word or "").startswith("--pars") for word in words):
            continue
        names = [_name(command) for command in node.commands[1:]]
        if not names or not any(name in _FILTERS for name in names):
            continue
        filters = Span(node.commands[1].span.start, node.span.end)
        yield IdFilter(
            first.words[0].span, first.span.end, filters, _is_replaceable(first, words, node.commands[1:])
        )


def _name(command: Command) -> str | None:
    return command.name if isinstance(command, Simple) else None


def _is_replaceable(first: Simple, words: list[str | None], filters: tuple[Command, ...]) -> bool:
    if first.redirects or len(filters) != 1 or any(_UNFIT.fullmatch(word or "") for word in words[1:]):
        return False
    only = filters[0]
    pattern = _TAKES_ID.get(_name(only) or "")
    if pattern is None or not isinstance(only, Simple) or only.redirects or only.assignments:
        return False
    given = [word.literal for word in only.words[1:]]
    if any(word is None for word in given):
        return False
    text = "".join(word or "" for word in given)
    return pattern.fullmatch(re.sub(r"\s", "", text)) is not None
