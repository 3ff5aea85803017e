"""An option as a job uses it, and a number that a job's options tell."""

from __future__ import annotations

from enum import Enum

from sbatchlint.certainty import Certainty
from sbatchlint.records import dataclass
from sbatchlint.slurm.options import OptionSpec
from sbatchlint.source import Span


class Origin(Enum):
    """Where an option was given."""

    DIRECTIVE = "directive"
    FOREIGN = "line of another batch system"
    """A ``#PBS`` or ``#BSUB`` line, which sbatch translates after the directives."""
    ENVIRONMENT = "environment"
    """A variable of the submitting shell, such as ``SBATCH_TIMELIMIT``."""
    COMMAND_LINE = "command line"


@dataclass(frozen=True, slots=True)
class OptionUse:
    """One option of the job.

    Spans and line are None for one that came from the command line or the environment.  For one of
    another batch system's lines they tell where that line says it, in its own words.
    """

    spec: OptionSpec
    value: str | None
    span: Span | None
    """The whole option, name and value."""
    value_span: Span | None
    """The value alone, without quotes around it; None where there is none."""
    line: int | None
    origin: Origin = Origin.DIRECTIVE
    variable: str | None = None
    """Name of the variable of the environment that gave it."""

    @property
    def spans(self) -> tuple[Span, ...]:
        """``span`` as a tuple, empty for an option that is not written in the script."""
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
