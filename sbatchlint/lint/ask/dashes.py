"""Options with too few dashes, too many, a ``=`` behind a letter, or blanks around one behind a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.directive_words import Token
from sbatchlint.slurm.options import Argument, OptionSpec, option_table, parse_release
from sbatchlint.source import Span

_ONE_DASH = regex(r"-(?P<name>[A-Za-z][A-Za-z-]+)(?:=|$)")
_LETTER = regex(r"-(?P<letter>[A-Za-z])=")
_TWO_DASHES = regex(r"--(?P<letter>[A-Za-z])(?P<equals>=|$)")


class DashSlip(Enum):
    """What was written."""

    ONE_DASH = "a long name behind one dash"
    LETTER_EQUALS = "a letter with ="
    TWO_DASHES = "a letter behind two dashes"
    BLANK_EQUALS = "blanks around ="


@dataclass(frozen=True, slots=True)
class Dashes:
    """One such word."""

    kind: DashSlip
    spec: OptionSpec
    """The option that was meant."""
    token: Token
    span: Span
    """What is to be replaced."""
    replacement: str
    whole: Span
    """All words that take part."""

    @property
    def written(self) -> str:
        """The word, quotes removed."""
        return self.token.value


@asked_once
def dash_slips(job: Job) -> Iterator[Dashes]:
    """Yield the words of the directives whose dashes do not fit the name behind them."""
    for line in job.request.directives.lines:
        for index, token in enumerate(line.tokens):
            found = _slip(job, token) or _parted(job, line.tokens[index : index + 3])
            if found is not None:
                yield found


def _slip(job: Job, token: Token) -> Dashes | None:
    table, release = option_table(), parse_release(job.request.release)
    value = token.value
    if (match := _ONE_DASH.match(value)) and match["name"] in table.names("sbatch", release):
        spec = table.get(match["name"])
        return Dashes(DashSlip.ONE_DASH, spec, token, token.span_of(0, 1), "--", token.span)
    if match := _LETTER.match(value):
        spec_or_none = table.find_short(match["letter"], "sbatch", release)
        if spec_or_none is not None and spec_or_none.argument("sbatch", release) is Argument.REQUIRED:
            span = token.span_of(2, 3)
            return Dashes(DashSlip.LETTER_EQUALS, spec_or_none, token, span, " ", token.span)
    if match := _TWO_DASHES.match(value):
        spec_or_none = table.find_short(match["letter"], "sbatch", release)
        if spec_or_none is not None:
            replacement = f"-{match['letter']}" + (" " if match["equals"] else "")
            span = token.span_of(0, match.end())
            return Dashes(DashSlip.TWO_DASHES, spec_or_none, token, span, replacement, token.span)
    return None


def _parted(job: Job, words: Sequence[Token]) -> Dashes | None:
    """``--nodes = 2`` and ``--nodes= 2``: blanks where none may be, around a value that the option takes."""
    table, release = option_table(), parse_release(job.request.release)
    values = [word.value for word in words]
    name, equals, glued = values[0].partition("=")
    if glued or not name.startswith("--") or name[2:] not in table.names("sbatch", release):
        return None
    if not equals:
        if len(values) < 2 or not values[1].startswith("="):
            return None
        value, count = (values[1][1:], 2) if len(values[1]) > 1 else ("".join(values[2:]), 3)
    else:
        value, count = "".join(values[1:2]), 2
    spec = table.get(name[2:])
    if not value or value.startswith("-") or len(values) < count or not job.takes(spec, value):
        return None
    last = words[count - 1]
    start = last.span.start + job.source.slice(last.span).startswith("=")
    whole, gap = Span(words[0].span.start, last.span.end), Span(words[0].span_of(0, len(name)).end, start)
    return Dashes(DashSlip.BLANK_EQUALS, spec, words[0], gap, "=", whole)
