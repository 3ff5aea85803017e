"""What may be the cause, put in the order in which it happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum
from itertools import pairwise

from sbatchlint.diagnose.facts import PYTHON, Event, Facts, Seen, Trace, WorkerEnd
from sbatchlint.diagnose.labels import Label
from sbatchlint.diagnose.signatures import Kind, Signature
from sbatchlint.diagnose.stamps import Clock, Stamp
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

_FOLLOWS = regex(
    r"([\w.]*\.)?(Dist\w*Error|BrokenPipeError|ConnectionResetError|ConnectionRefusedError|EOFError"
    r"|CalledProcessError|ProcessRaisedException|ProcessExitedException|RayTaskError\w*|ActorDiedError)\b"
)
"""Exceptions that mostly tell of a failure elsewhere."""
KILLED = 9
"""SIGKILL"""
_STOPPED = regex(r"([\w.]*\.)?(SystemExit|KeyboardInterrupt|SignalException|ChildFailedError)\b")


_CLOSE = 100
"""Lines"""
_FAR_APART = 2700.0
"""Seconds; longer than ranks wait for another one that hangs."""


class Timing(Enum):
    """How a time belongs to a line."""

    EXACT = "at"
    """The line's own, or when torchrun saw its process end."""
    NOT_BEFORE = "after"
    """That of an earlier line of the same process."""
    VAGUE = ""
    """That of an earlier line of another one: good for putting things in order, and for nothing else."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that may be the cause."""

    id: str
    seen: Seen | None
    """None for what accounting tells."""
    signature: Signature | None = None
    exception: str = ""
    stamp: Stamp | None = None
    """The best time that is known for it."""
    timing: Timing = Timing.EXACT
    seconds: float | None = None
    umbrella: bool = False
    authority: bool = False

    @property
    def label(self) -> Label:
        """Who wrote it."""
        return self.seen.label if self.seen else Label()

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands; behind all else without a line."""
        return (self.seen.place.file, self.seen.place.line) if self.seen else (1 << 30, 0)


def candidates(facts: Facts, clock: Clock, *, proof: bool) -> list[Candidate]:
    """Return what may be the cause, the earliest first.

    *proof* says that the job surely failed; without it, whatever work goes on behind is no cause.
    """
    found = [_of_event(event, facts.workers) for event in facts.events if _counts(event, facts.events, proof)]
    told = {trace.exception for trace in facts.traces if trace.seen.stamp is None}
    found += [
        _of_trace(trace, facts.workers)
        for trace in facts.traces
        if _ends(trace) and not (_of_block(trace) and trace.exception in told)
    ]
    if not proof:
        found = [one for one in found if not _work_goes_on(one, facts.pulses)]
    return in_order(found, clock)


def _counts(event: Event, events: Sequence[Event], proof: bool) -> bool:
    if event.signature.kind is not Kind.ROOT or event.warned or (event.signature.needs_proof and not proof):
        return False
    echo_of = event.signature.echo_of
    return not any(other.signature.id in echo_of and _before(other.seen, event.seen) for other in events)


def _before(one: Seen, other: Seen) -> bool:
    """Tell whether *one* stands before *other*, or in another log that bash's words of *other* sum up."""
    if one.place.file == other.place.file:
        return one.place < other.place
    return one.place < other.place or (other.label.empty and other.stamp is None)


def _ends(trace: Trace) -> bool:
    """Tell whether *trace* ended its process, by an exception of its own that no signature speaks of."""
    if trace.known or trace.went_on or not trace.first or not trace.last:
        return False
    return not _STOPPED.match(trace.exception)


def _of_block(trace: Trace) -> bool:
    """Tell whether *trace* is that of torchrun's block, which has the time at which its worker ended."""
    return trace.seen.stamp is not None and trace.seen.text.startswith("  ")


def _of_event(event: Event, workers: Sequence[WorkerEnd]) -> Candidate:
    one = event.signature
    stamp, timing = best_time(event.seen, _worker(event, workers))
    return Candidate(one.id, event.seen, one, "", stamp, timing, None, one.umbrella, one.authority)


def _worker(event: Event, workers: Sequence[WorkerEnd]) -> WorkerEnd | None:
    if event.signature.scope == "rank":
        return worker_of(event.seen, workers, event.signature.exit)
    if event.signature.exit == -KILLED:
        return next((one for one in workers if one.code == -KILLED), None)
    return None


def _of_trace(trace: Trace, workers: Sequence[WorkerEnd]) -> Candidate:
    umbrella = tells_of_another(trace.exception) or not trace.exception
    stamp, timing = best_time(trace.seen, worker_of(trace.seen, workers))
    return Candidate(PYTHON, trace.seen, None, trace.exception, stamp, timing, None, umbrella)


def tells_of_another(exception: str) -> bool:
    """Tell whether *exception* is one that mostly tells of a failure elsewhere."""
    return _FOLLOWS.match(exception) is not None


def best_time(seen: Seen, worker: WorkerEnd | None = None) -> tuple[Stamp | None, Timing]:
    """Return the line's own time, else when torchrun saw its process end, else that of a line before it."""
    if seen.stamp is not None:
        return seen.stamp, Timing.EXACT
    if worker is not None and worker.stamp is not None:
        return worker.stamp, Timing.EXACT
    if seen.near is not None:
        return seen.near, Timing.NOT_BEFORE
    return seen.around, Timing.VAGUE


def worker_of(seen: Seen, workers: Sequence[WorkerEnd], ended: int | None = None) -> WorkerEnd | None:
    """Return torchrun's block about the process that wrote *seen*.

    A line that does not tell its rank is that of the worker which its agent saw fail first, by the
    signal of *ended* where the line speaks of one.
    """
    label = seen.label
    if label.rank is None and label.local is None:
        agents = [
            one
            for one in workers
            if one.seen.place.file == seen.place.file
            and one.seen.label.task == label.task
            and (one.code == ended if ended is not None and ended < 0 else (one.code or 0) > 0)
        ]
        return agents[0] if len(agents) == 1 else None
    for worker in workers:
        if label.rank is not None and worker.rank is not None:
            if label.rank == worker.rank:
                return worker
        elif label.local is not None and label.local == worker.local:
            same_node = label.node is not None and label.node == worker.host
            if same_node or (label.task is not None and label.task == worker.seen.label.task):
                return worker
    return None


def ended_by_others(facts: Facts) -> bool:
    """Tell whether a process ended with an exception that says that something failed elsewhere."""
    followed = {event.seen.place for event in facts.events if event.signature.kind is Kind.CASCADE}
    return any(
        trace.seen.place in followed
        and not trace.went_on
        and not _work_goes_on(_of_trace(trace, facts.workers), facts.pulses)
        for trace in facts.traces
    )


def _work_goes_on(one: Candidate, pulses: Sequence[Seen]) -> bool:
    if one.seen is None or one.authority or (one.signature is not None and one.signature.proof):
        return False
    rank = one.label.rank
    return any(
        pulse.place.file == one.seen.place.file
        and pulse.place.line > one.seen.place.line
        and (rank is None or pulse.label.rank in (None, rank))
        for pulse in pulses
    )


def in_order(found: Iterable[Candidate], clock: Clock) -> list[Candidate]:
    """Return *found* by time; what has none stands where its log has it."""
    timed = [
        replace(one, seconds=clock.seconds(one.stamp)) for one in sorted(found, key=lambda one: one.place)
    ]
    keys: list[tuple[float, tuple[int, int], Candidate]] = []
    last: dict[int, float] = {}
    first_times: dict[int, float] = {}
    for one in timed:
        if one.seconds is not None:
            first_times.setdefault(one.place[0], one.seconds)
    earliest = min(first_times.values(), default=0.0)
    for one in timed:
        file = one.place[0]
        if one.seconds is None:
            keys.append((last.get(file, first_times.get(file, earliest)), one.place, one))
        else:
            last[file] = one.seconds
            keys.append((one.seconds, one.place, one))
    return [one for _, _, one in sorted(keys, key=lambda key: key[:2])]


def clocks_differ(found: Sequence[Candidate]) -> bool:
    """Tell whether lines of different processes, close together in a log, tell times far apart."""
    placed = sorted((one for one in found if one.seconds is not None), key=lambda one: one.place)
    return any(
        one.place[0] == other.place[0]
        and other.place[1] - one.place[1] <= _CLOSE
        and one.label != other.label
        and abs((one.seconds or 0.0) - (other.seconds or 0.0)) > _FAR_APART
        for one, other in pairwise(placed)
    )
