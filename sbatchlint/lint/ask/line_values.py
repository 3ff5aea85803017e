"""The values that options get on the lines of ``srun``, ``salloc`` and ``sbatch`` in a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sbatchlint.certainty import Certainty
from sbatchlint.launch.options import arg_text, tail
from sbatchlint.launch.plan import Arg
from sbatchlint.lint.ask.line_options import is_form, sure_words
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.ask.placeholders import placeholders
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.slurm.getopt import Use, holds_unknown, parse
from sbatchlint.slurm.option_values import readings
from sbatchlint.source import Span


@dataclass(frozen=True, slots=True)
class LineValue:
    """A value that an option gets on the line of a command, and that the command can read."""

    command: str
    """``srun``, ``salloc`` or ``sbatch``."""
    long: str
    """The option's long name without dashes."""
    value: str
    span: Span
    """Where the value is written, or its first piece."""
    line: Span
    known: bool
    """False where the value, or whether the command is run, rests on a default or a condition."""
    line_options: Mapping[str, str]
    """The last value of each option of the line, by long name; empty for one without a value."""


@asked_once
def line_values(job: Job) -> list[LineValue]:
    """Return the values that count on the lines of srun, salloc and sbatch, each place once.

    The last one of an option counts.  Left out is what the script does not tell, what is still to be filled
    in, and what no release can read.
    """
    lines: list[tuple[str, Sequence[Arg], Span, bool]] = [
        ("srun", step.words, step.line_span, step.doubtful) for step in job.plan.steps
    ]
    lines += [(one.command, one.words, one.span, one.doubtful) for one in job.plan.submissions]
    blanks = [place.span for place in placeholders(job)]
    found: dict[Span, LineValue] = {}
    for command, line, span, doubtful in lines:
        if is_form(job, span):
            continue
        for one in _of_line(command, line, span, doubtful, job.request.release):
            if not any(one.span.overlaps(blank) for blank in blanks):
                found.setdefault(one.span, one)
    return list(found.values())


def _of_line(
    command: str, line: Sequence[Arg], span: Span, doubtful: bool, release: str | None
) -> Iterator[LineValue]:
    words = sure_words(line)
    uses: dict[str, Use] = {
        use.spec.long: use for use in parse([arg_text(word) for word in words], command, release).uses
    }
    options = {long: use.value or "" for long, use in uses.items()}
    for long, use in uses.items():
        if not use.value or use.value_word is None or use.spec.plugin is not None or holds_unknown(use.value):
            continue
        word = words[use.value_word]
        place = tail(word.value, use.value_start).span or word.place
        if place is not None and readings(long, use.value):
            known = not doubtful and word.value.certainty is Certainty.KNOWN
            yield LineValue(command, long, use.value, place, span, known, options)
