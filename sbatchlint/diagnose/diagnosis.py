"""What is said of a job in the end."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from sbatchlint.diagnose.exit_codes import Exit
from sbatchlint.diagnose.facts import Seen
from sbatchlint.diagnose.stamps import Stamp
from sbatchlint.records import dataclass


class State(Enum):
    """Whether the job failed, as far as the logs tell."""

    FAILED = "failed"
    NO_FAILURE = "no-failure-found"


class Confidence(Enum):
    """How sure the cause is."""

    KNOWN = "known"
    """A signature that names the cause, in a job that ended badly."""
    LIKELY = "likely"
    """An exception that no signature knows, or a line that only says that something failed."""
    CASCADE = "cascade-only"
    """Only what follows from a failure was seen; the place to look at may be known all the same."""


@dataclass(frozen=True, slots=True)
class Where:
    """Who failed first; None where the logs don't tell."""

    node: str | None = None
    task: int | None = None
    rank: int | None = None
    local_rank: int | None = None

    @property
    def known(self) -> bool:
        """Whether anything is."""
        return self != Where()


@dataclass(frozen=True, slots=True)
class Cause:
    """The root cause."""

    id: str
    """A signature's, or ``python-exception``."""
    title: str
    cause: str
    fix: str
    rules: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    seen: Seen | None = None
    """The line that shows it; None where accounting alone tells."""
    alike: int = 0
    """How many more lines show the same."""


@dataclass(frozen=True, slots=True)
class Group:
    """Lines of one kind that are not the cause."""

    id: str
    title: str
    count: int
    seen: Seen | None = None
    """The first of them."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The answer."""

    state: State
    confidence: Confidence | None = None
    cause: Cause | None = None
    where: Where = field(default_factory=Where)
    time: Stamp | None = None
    after: bool = False
    """Whether it happened at some time after :attr:`time`."""
    exit: Exit | None = None
    task_exits: tuple[tuple[Exit, int], ...] = ()
    """How tasks ended, as srun tells, and how many in each way."""
    cascade: tuple[Group, ...] = ()
    """What follows from it."""
    others: tuple[Group, ...] = ()
    """Other errors, later than the cause or at another place."""
    noise: tuple[Group, ...] = ()
    missing: tuple[int, ...] = ()
    """Ranks that did not come to the collective that the others waited in."""
    behind: tuple[int, ...] = ()
    """Ranks whose last collective lies behind that of the others."""
    world: int | None = None
    suspects: tuple[Seen, ...] = ()
    """The first lines that look bad, by process, where no cause is known."""
    notes: tuple[str, ...] = ()
    lines: int = 0
    at_least: frozenset[str] = frozenset()
    """The ids of which there are more lines than were counted."""
