"""What does not say why, held against what is known of the ends of processes.

An exception that tells of a failure elsewhere, and a traceback whose end the log lacks, may be of the
process that failed first or of one that only lost its peer.  Where another process is known to have ended
by itself, they are taken for the latter.
"""

from __future__ import annotations

from collections.abc import Sequence

from sbatchlint.diagnose.candidates import FOLLOWS, Candidate, Timing, worker_of
from sbatchlint.diagnose.facts import PYTHON, Facts, Seen, WorkerEnd
from sbatchlint.diagnose.placing import TOLD_TO_STOP, first_end
from sbatchlint.diagnose.signatures import Kind, classifier
from sbatchlint.diagnose.stamps import Clock

_TERM, _ABRT = -15, -6
_LOST_A_PEER = frozenset(
    ("nccl-watchdog", "nccl-watchdog-heartbeat", "nccl-remote-closed", "nccl-aborted", "collective-timeout")
)
"""What only ranks say that another one left, or kept waiting."""
_EARLIER = 60.0
"""Seconds by which what does not say why goes before the end of another process."""


def without_victims(found: Sequence[Candidate], facts: Facts, clock: Clock) -> list[Candidate]:
    """Return *found* without the tracebacks that say nothing beside what else is known."""
    ends = [one for one in facts.workers if _by_itself(one, facts)]
    return [one for one in found if not _is_of_victim(one, ends, facts, clock)]


def is_victim(worker: WorkerEnd, facts: Facts) -> bool:
    """Tell whether the words of *worker* are that another one went away or kept it waiting."""
    said = [] if worker.exception is None else [worker.exception.text.strip()]
    said += [
        trace.exception
        for trace in facts.traces
        if trace.exception and trace.first and trace.last and worker_of(trace.seen, [worker]) is worker
    ]
    return any(_tells_of_another(text) for text in said)


def _tells_of_another(exception: str) -> bool:
    if FOLLOWS.match(exception):
        return True
    found = classifier().classify(exception.encode("utf-8", "surrogateescape"))
    return any(one.kind is Kind.CASCADE for one in found)


def _by_itself(worker: WorkerEnd, facts: Facts) -> bool:
    """Tell whether *worker* ended of itself; SIGABRT is mostly NCCL's, for what another one did."""
    return worker.code not in (None, 0, _TERM, _ABRT) and not is_victim(worker, facts)


def _is_of_victim(one: Candidate, ends: Sequence[WorkerEnd], facts: Facts, clock: Clock) -> bool:
    if one.id != PYTHON or not one.umbrella or one.seen is None:
        return False
    worker = worker_of(one.seen, facts.workers)
    if worker is not None and not one.exception and worker.exception is not None:
        return True  # torchrun's block has the exception that the log lacks
    if worker in ends or _ended_first(one.seen, facts):
        return False
    if any(not _was_before(one, end, clock) for end in ends):
        return True
    return not one.exception and _lost_a_peer(one.seen, facts)


def _ended_first(seen: Seen, facts: Facts) -> bool:
    """Tell whether srun told of the end of the task that wrote *seen* before that of any other."""
    if facts.torchrun or seen.label.task is None:
        return False
    first = first_end(facts)
    return first is not None and first.code != TOLD_TO_STOP and seen.label.task in first.tasks


def _was_before(one: Candidate, end: WorkerEnd, clock: Clock) -> bool:
    seconds = clock.seconds(end.stamp)
    if one.timing is not Timing.EXACT or one.seconds is None or seconds is None:
        return False
    return one.seconds + _EARLIER < seconds


def _lost_a_peer(seen: Seen, facts: Facts) -> bool:
    """Tell whether any rank says that it lost another, or anything above *seen* that it was told to end."""
    return any(
        event.signature.id in _LOST_A_PEER
        or (event.signature.kind is Kind.CASCADE and event.seen.place < seen.place)
        for event in facts.events
    )
