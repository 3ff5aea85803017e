"""An option as a job uses it, and a number that a job's options tell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sbatchlint.certainty import Certainty
from sbatchlint.slurm.options import OptionSpec
from sbatchlint.source import Span


class Origin(Enum):
    """Where an option was given."""

    DIRECTIVE = "directive"
    COMMAND_LINE = "command line"


@dataclass(frozen=True, slots=True)
class OptionUse:
    """One option of the job.  Spans and line are None for one that came from the command line."""

    spec: OptionSpec
    value: str | None
    span: Span | None
    """The whole option, name and value."""
    value_span: Span | None
    """The value alone, without quotes around it; None where there is none."""
    line: int | None
    origin: Origin = Origin.DIRECTIVE

    @property
    def spans(self) -> tuple[Span, ...]:
        """``span`` as a tuple, empty for an option of the command line."""
        return () if self.span is None else (self.span,)


@dataclass(frozen=True, slots=True)
class Count:
    """A number, how sure it is, and the options that it rests on."""

    value: int
    certainty: Certainty = Certainty.KNOWN
    spans: tuple[Span, ...] = ()

    def with_value(self, value: int, *others: Count, certainty: Certainty = Certainty.KNOWN) -> Count:
        """Return *value* as computed from this count and *others*: their worst certainty, all spans."""
        counts = (self, *others)
        spans = dict.fromkeys(span for count in counts for span in count.spans)
        worst = max(certainty, *(count.certainty for count in counts))
        return Count(value, worst, tuple(spans))
