"""What can be said against a script before it is submitted."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from functools import cached_property

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Stage
from sbatchlint.slurm.option_use import Origin
from sbatchlint.slurm.options import Release
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Span


class Effect(Enum):
    """What Slurm does."""

    REFUSED = "refused"
    """No job comes of it."""
    IGNORED = "ignored"
    """Text or an option has no effect, and nothing says so."""
    DIFFERENT = "taken otherwise"
    """The job gets something else than what is written, and nothing says so."""
    WARNED = "warned"
    """sbatch prints a warning and submits."""


class ComplaintKind(Enum):
    """What the matter is."""

    # The file as a whole.
    EMPTY_FILE = "empty file"
    ONLY_WHITESPACE = "only white space"
    NO_INTERPRETER_LINE = "no #! line"
    NUL_CHARACTER = "NUL character"
    DOS_LINE_ENDS = "DOS line ends"
    # Splitting directives into words.
    UNMATCHED_QUOTE = "unmatched quote"
    FREE_COLON = "free colon"
    OLD_PREFIX = "old prefix"
    OLD_SEPARATOR = "old component separator"
    CUT_WORD = "word cut at #"
    LOST_TEXT = "text after an empty word"
    LOST_AFTER_SEPARATOR = "text after a component separator"
    LATE_DIRECTIVE = "directive after a command"
    # Options.
    UNKNOWN_OPTION = "unknown option"
    AMBIGUOUS_OPTION = "ambiguous option"
    MISSING_ARGUMENT = "missing argument"
    ARGUMENT_NOT_ALLOWED = "argument not allowed"
    WRONG_COMMAND = "option of another command"
    WRONG_RELEASE = "option of another release"
    STRAY_WORD = "stray word"
    ABBREVIATED = "abbreviated option"
    EQUALS_IN_VALUE = "= taken for a part of the value"
    FIRST_PASS_ONLY = "option for the command line only"
    NEVER_SUBMITTED = "nothing is submitted"
    FOREIGN_LINE = "line of another batch system"
    UNREAD_VARIABLE = "variable that sbatch does not read"
    # Values.
    BAD_VALUE = "bad value"
    OVERRIDDEN = "overridden value"
    VALUE_DROPPED = "part of a value without effect"
    TOO_LONG = "too long"
    VALUE_MISTAKEN = "value taken otherwise than it looks"
    TYPE_CALLED_GPU = "GPUs of a type called gpu"
    # Combinations.
    EXCLUSIVE_OPTIONS = "options that exclude each other"
    OPTION_WITHOUT_EFFECT = "option without effect beside another"
    FEWER_TASKS_THAN_NODES = "fewer tasks than nodes"
    MORE_HOSTS_THAN_NODES = "more hosts than nodes"
    NO_HOSTS_FOR_ARBITRARY = "arbitrary distribution without hosts"
    TOO_FEW_TASKS_FOR_PLANE = "too few tasks for the distribution"
    TASKS_BEYOND_LIMIT = "more tasks than ntasks-per-node allows"
    TASKS_BY_GPUS = "tasks counted by GPUs"
    TASKS_PER_CORE = "more tasks than threads on a core"
    GPU_ARITHMETIC = "GPU counts that do not fit together"
    GPUS_NOT_REQUESTED = "GPUs not requested"
    MIXED_GPU_TYPES = "GPUs with and without a type"
    TASK_RESOURCES = "resources of a task"
    TIME_ORDER = "times in the wrong order"
    BATCH_FEATURES = "features of the batch host beyond the constraint"
    ARRAY_OF_COMPONENTS = "array of a heterogeneous job"
    HOSTS_EXCLUDED = "hosts both wanted and excluded"
    SEGMENTS = "segments that do not fit the nodes"
    CONTAINER_OPTIONS = "container options that contradict each other"


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing against the script."""

    kind: ComplaintKind
    effect: Effect
    said: str = ""
    """Slurm's own message, newest release first asked; empty where Slurm says nothing."""
    detail: str = ""
    """What is behind it: lower case, no full stop; empty where ``said`` tells all."""
    options: tuple[str, ...] = ()
    """Long names without dashes; the one that ``span`` shows comes first."""
    stage: Stage = Stage.CLIENT
    span: Span | None = None
    """None for what comes from the command line or the environment."""
    related: tuple[Span, ...] = ()
    line: int | None = None
    component: int = 0
    origin: Origin | None = None
    """Where the option was given; None for what is no option."""
    variable: str | None = None
    """The variable of the environment that is to blame."""
    releases: tuple[Release, ...] = ()
    """The releases, of those asked, for which it holds; oldest first."""

    @property
    def refused(self) -> bool:
        """Whether no job comes of it in the releases that it holds for."""
        return self.effect is Effect.REFUSED

    @property
    def identity(self) -> tuple[object, ...]:
        """What makes the complaints of two releases the same one."""
        place = (self.span, self.related, self.line, self.component)
        return (self.kind, self.effect, self.options, self.origin, self.variable, *place)

    def holding_for(self, releases: tuple[Release, ...]) -> Complaint:
        """Return the complaint for *releases*."""
        return replace(self, releases=releases)


@dataclass(frozen=True)
class Verdict:
    """All that Slurm has against a script, in the order of the file."""

    complaints: tuple[Complaint, ...]
    request: JobRequest
    """The job as asked for; without a release, as any known release reads it."""
    asked: tuple[Release, ...]
    """The releases that were asked, oldest first."""

    @cached_property
    def refusals(self) -> tuple[Complaint, ...]:
        """What makes at least one of the releases asked refuse the job, or never run it."""
        return tuple(complaint for complaint in self.complaints if complaint.refused)

    @property
    def refused(self) -> bool:
        """Whether every release asked refuses to take the job, be it for different reasons."""
        return self._covers(Stage.CLIENT, Stage.CONTROLLER)

    @property
    def never_runs(self) -> bool:
        """Whether every release asked refuses the job, or takes it and can run it on no node."""
        return self._covers(*Stage)

    def _covers(self, *stages: Stage) -> bool:
        refusing = {
            release
            for complaint in self.refusals
            if complaint.stage in stages
            for release in complaint.releases
        }
        return refusing >= set(self.asked)

    def everywhere(self, complaint: Complaint) -> bool:
        """Tell whether *complaint* holds for every release asked."""
        return len(complaint.releases) == len(self.asked)
