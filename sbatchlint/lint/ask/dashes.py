"""Options with too few dashes, too many, or a ``=`` behind a letter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from sbatchlint.lint.job import Job
from sbatchlint.slurm.directive_words import Token
from sbatchlint.slurm.options import Argument, OptionSpec, option_table, parse_release
from sbatchlint.source import Span

_ONE_DASH = re.compile(r"-(?P<name>[A-Za-z][A-Za-z-]+)(?:=|$)")
_LETTER = re.compile(r"-(?P<letter>[A-Za-z])=")
_TWO_DASHES = re.compile(r"--(?P<letter>[A-Za-z])(?P<equals>=|$)")


class DashSlip(Enum):
    """What was written."""

    ONE_DASH = "a long name behind one dash"
    LETTER_EQUALS = "a letter with ="
    TWO_DASHES = "a letter behind two dashes"


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

    @property
    def written(self) -> str:
        """The word, quotes removed."""
        return self.token.value


def dash_slips(job: Job) -> Iterator[Dashes]:
    """Yield the words of the directives whose dashes do not fit the name behind them."""
    for line in job.request.directives.lines:
        for token in line.tokens:
            found = _slip(job, token)
            if found is not None:
                yield found


def _slip(job: Job, token: Token) -> Dashes | None:
    table, release = option_table(), parse_release(job.request.release)
    value = token.value
    if (match := _ONE_DASH.match(value)) and match["name"] in table.names("sbatch", release):
        spec = table.get(match["name"])
        return Dashes(DashSlip.ONE_DASH, spec, token, token.span_of(0, 1), "--")
    if match := _LETTER.match(value):
        spec_or_none = table.find_short(match["letter"], "sbatch", release)
        if spec_or_none is not None and spec_or_none.argument("sbatch", release) is Argument.REQUIRED:
            return Dashes(DashSlip.LETTER_EQUALS, spec_or_none, token, token.span_of(2, 3), " ")
    if match := _TWO_DASHES.match(value):
        spec_or_none = table.find_short(match["letter"], "sbatch", release)
        if spec_or_none is not None:
            replacement = f"-{match['letter']}" + (" " if match["equals"] else "")
            return Dashes(
                DashSlip.TWO_DASHES, spec_or_none, token, token.span_of(0, match.end()), replacement
            )
    return None
