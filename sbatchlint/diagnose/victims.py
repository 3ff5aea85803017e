"""What does not say why, held against what is known of the ends of processes.

An exception that tells of a failure elsewhere, and a traceback whose end the log lacks, may be of the
process that failed first or of one that only lost its peer.  Where another process is known to have ended
by itself, they are taken for the latter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property, lru_cache

from sbatchlint.diagnose.candidates import Candidate, Timing, tells_of_another, worker_of
from sbatchlint.diagnose.facts import PYTHON, Facts, Place, Seen, WorkerEnd
from sbatchlint.diagnose.placing import TOLD_TO_STOP, first_end
from sbatchlint.diagnose.signatures import Kind, classifier
from sbatchlint.diagnose.stamps import Clock

_TERM, _ABRT = -15, -6
_OF_PYTHON = 1
"""The exit code of a program that an exception ended."""
_LOST_A_PEER = frozenset(
    ("nccl-watchdog", "nccl-watchdog-heartbeat", "nccl-remote-closed", "nccl-aborted", "collective-timeout")
)
"""What only ranks say that another one left, or kept waiting."""
_OF_PEERS = frozenset((PYTHON, "rdzv-connect", "rdzv-clients-timeout", "gloo-connect", "nccl-network"))
"""What may be of one that only lost its peer, if it says no more than that something failed."""
_NOT_READ = "json.decoder.JSONDecodeError"
"""What an agent of torchrun fails of where it stopped a worker that was writing the file of its error."""
_EARLIER = 60.0
"""Seconds by which what does not say why goes before the end of another process."""


class Ends:
    """How workers ended, and which of them only because another one did."""

    def __init__(self, facts: Facts, clock: Clock) -> None:
        self._facts = facts
        self._clock = clock
        self._said_by_rank: dict[int, list[str]] = defaultdict(list)
        for trace in facts.traces:
            if trace.seen.label.rank is not None and trace.exception and trace.first and trace.last:
                self._said_by_rank[trace.seen.label.rank].append(trace.exception)

    def is_victim(self, worker: WorkerEnd) -> bool:
        """Tell whether the words of *worker* are that another one went away or kept it waiting."""
        if worker.rank is None and worker.code == _OF_PYTHON:
            said = self._said_in_attempts.get(worker.seen.place, ())
            return bool(said) and all(_lost_another(text) for text in said)
        of_block = () if worker.exception is None else (worker.exception.text.strip(),)
        by_rank = self._said_by_rank.get(worker.rank, ()) if worker.rank is not None else ()
        return any(_lost_another(text) for text in (*of_block, *by_rank))

    @cached_property
    def _said_in_attempts(self) -> dict[Place, list[str]]:
        """The exceptions between a line in which an agent says that a worker failed and the one before it."""
        logs: dict[tuple[int, int | None], list[tuple[int, str | None]]] = defaultdict(list)
        for worker in self._facts.workers:
            logs[_log_of(worker.seen)].append((worker.seen.place.line, None))
        for trace in self._facts.traces:
            if trace.exception:
                logs[_log_of(trace.seen)].append((trace.seen.place.line, trace.exception))
        found: dict[Place, list[str]] = {}
        for (file, _), lines in logs.items():
            said: list[str] = []
            for line, exception in sorted(lines, key=lambda one: one[0]):
                if exception is None:
                    found[Place(file, line)], said = said, []
                else:
                    said.append(exception)
        return found

    @cached_property
    def by_themselves(self) -> Sequence[WorkerEnd]:
        """The workers that ended of themselves; SIGABRT is mostly NCCL's, for what another one did."""
        stopped = (None, 0, _TERM, _ABRT)
        return [one for one in self._facts.workers if one.code not in stopped and not self.is_victim(one)]

    @cached_property
    def first(self) -> float | None:
        """When the first of them ended, in seconds; None where that is not known of all."""
        times = [self._clock.seconds(one.stamp) for one in self.by_themselves]
        known = [one for one in times if one is not None]
        return min(known) if known and len(known) == len(times) else None


def without_victims(found: Sequence[Candidate], facts: Facts, ends: Ends) -> list[Candidate]:
    """Return *found* without what says nothing beside the *ends* of workers that are known."""
    not_read = {event.seen.place.file for event in facts.events if event.signature.id == "elastic-reply"}
    lost_a_peer = any(event.signature.id in _LOST_A_PEER for event in facts.events)
    cascade = [event.seen.place for event in facts.events if event.signature.kind is Kind.CASCADE]
    first = min(cascade, key=lambda place: (place.file, place.line), default=None)

    def is_of_victim(one: Candidate) -> bool:
        if one.seen is None:
            return False
        if one.exception.startswith(_NOT_READ) and one.seen.place.file in not_read:
            return True
        if not one.umbrella or one.id not in _OF_PEERS:
            return False
        cut = one.id == PYTHON and not one.exception
        worker = worker_of(one.seen, facts.workers)
        if cut and worker is not None and worker.exception is not None:
            return True  # torchrun's block has the exception that the log lacks
        if any(worker is end for end in ends.by_themselves) or _ended_first(one.seen, facts):
            return False
        if ends.by_themselves:
            return not _was_long_before(one, ends.first)
        return cut and (lost_a_peer or (first is not None and first < one.seen.place))

    return [one for one in found if not is_of_victim(one)]


def _log_of(seen: Seen) -> tuple[int, int | None]:
    return seen.place.file, seen.label.task


@lru_cache(maxsize=4096)
def _lost_another(exception: str) -> bool:
    if tells_of_another(exception):
        return True
    found = classifier().classify(exception.encode("utf-8", "surrogateescape"))
    return any(one.kind is Kind.CASCADE or one.id in _OF_PEERS for one in found)


def _ended_first(seen: Seen, facts: Facts) -> bool:
    """Tell whether srun told of the end of the task that wrote *seen* before that of any other."""
    if facts.torchrun or seen.label.task is None:
        return False
    first = first_end(facts)
    return first is not None and first.code != TOLD_TO_STOP and seen.label.task in first.tasks


def _was_long_before(one: Candidate, end: float | None) -> bool:
    if one.timing is not Timing.EXACT or one.seconds is None or end is None:
        return False
    return one.seconds + _EARLIER < end
