"""What is gathered from the logs of a job before anything is judged."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from sbatchlint.diagnose.labels import Label
from sbatchlint.diagnose.signatures import Signature
from sbatchlint.diagnose.stamps import Stamp
from sbatchlint.records import dataclass

PYTHON = "python-exception"
"""What stands for an uncaught exception that no signature knows."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line stands; places compare by the order of the logs."""

    file: int
    """The number of the log among those that were given."""
    line: int

    def __lt__(self, other: Place) -> bool:
        return (self.file, self.line) < (other.file, other.line)


@dataclass(frozen=True, slots=True)
class Seen:
    """A line that tells something."""

    place: Place
    text: str
    """As it stands there, without escapes of a terminal."""
    label: Label
    stamp: Stamp | None = None
    """The line's own time."""
    near: Stamp | None = None
    """The time of the closest line before it that the same process wrote."""
    around: Stamp | None = None
    """The time of the closest line before it, whoever wrote it."""


@dataclass(frozen=True, slots=True)
class Event:
    """A line with a signature."""

    signature: Signature
    seen: Seen
    warned: bool = False
    """Whether the line is a warning, or says that things go on."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A Python traceback."""

    seen: Seen
    """The line of the exception; the first line of the traceback where that is lost."""
    exception: str
    """``ValueError: no such split``; empty where the log breaks off."""
    known: bool
    """Whether a signature matches a line of the exception."""
    went_on: bool
    """Whether its process goes on with its work behind it."""
    first: bool = True
    """False where it was raised because of the one before it."""
    last: bool = True
    """False where another exception came up while it was handled."""


@dataclass(frozen=True, slots=True)
class TaskEnd:
    """``srun: error: NODE: task K: ...``."""

    seen: Seen
    nodes: tuple[str, ...]
    tasks: tuple[int, ...]
    code: int | None
    """As srun gives it, 128 and the signal included; 253 where the memory ran out."""


@dataclass(frozen=True, slots=True)
class WorkerEnd:
    """What torchrun tells of a worker that failed: in its block, or in the line of an attempt without one."""

    seen: Seen
    rank: int | None = None
    local: int | None = None
    host: str = ""
    code: int | None = None
    """Negative for a signal."""
    pid: int | None = None
    stamp: Stamp | None = None
    exception: Seen | None = None
    """The last line of the worker's traceback, where the block holds one."""


@dataclass(slots=True)
class Facts:
    """Everything that was gathered; each list is bounded."""

    events: list[Event] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    """How many lines carry each signature; only so many in a log, see :attr:`at_least`."""
    warned: Counter[str] = field(default_factory=Counter)
    """How many of them are warnings."""
    traces: list[Trace] = field(default_factory=list)
    ends: list[TaskEnd] = field(default_factory=list)
    workers: list[WorkerEnd] = field(default_factory=list)
    enqueued: dict[int, int] = field(default_factory=dict)
    """The last collective that each rank had begun, as its watchdog tells."""
    timed_out: set[int] = field(default_factory=set)
    """The ranks whose watchdog reported a timeout."""
    world: int | None = None
    """How many ranks there are, where the logs tell."""
    torchrun: bool = False
    """Whether there are signs of an elastic agent, so that tasks are not ranks."""
    pairs: set[tuple[int, int]] = field(default_factory=set)
    """Tasks and ranks that were seen together in one label."""
    suspects: list[Seen] = field(default_factory=list)
    """The first lines of each process that look bad and carry no signature."""
    pulses: list[Seen] = field(default_factory=list)
    """Lines near the ends of the logs that show work going on or done."""
    jobs: set[str] = field(default_factory=set)
    """The numbers of jobs that the lines of Slurm and the names of the logs tell."""
    requeued: bool = False
    """Whether the job was started again; what its logs had before is forgotten then."""
    lines: int = 0
    at_least: frozenset[str] = frozenset()
    """The signatures of which there are more lines than were counted."""

    def add(self, other: Facts) -> None:
        """Take in what another log of the same job tells."""
        self.events += other.events
        self.counts += other.counts
        self.warned += other.warned
        self.traces += other.traces
        self.ends += other.ends
        self.workers += other.workers
        self.enqueued = {**other.enqueued, **self.enqueued}
        self.timed_out |= other.timed_out
        self.world = max(self.world or 0, other.world or 0) or None
        self.torchrun |= other.torchrun
        self.pairs |= other.pairs
        self.suspects += other.suspects
        self.pulses += other.pulses
        self.jobs |= other.jobs
        self.requeued |= other.requeued
        self.lines += other.lines
        self.at_least |= other.at_least
