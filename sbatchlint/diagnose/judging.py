"""From what was gathered to the answer: what failed first, why, and what only follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sbatchlint.diagnose.accounting import Accounting
from sbatchlint.diagnose.blocks import SUCCESS
from sbatchlint.diagnose.candidates import (
    Candidate,
    Timing,
    best_time,
    candidates,
    clocks_differ,
    ended_by_others,
)
from sbatchlint.diagnose.choosing import choose
from sbatchlint.diagnose.diagnosis import Cause, Confidence, Diagnosis, Group, State, Where
from sbatchlint.diagnose.exit_codes import Exit, explain, explain_not_started
from sbatchlint.diagnose.facts import PYTHON, Facts, Seen, WorkerEnd
from sbatchlint.diagnose.placing import complete, end_of, first_end, place, with_worker
from sbatchlint.diagnose.preparing import that_matter
from sbatchlint.diagnose.signatures import Kind, signatures
from sbatchlint.diagnose.sought import TRACES
from sbatchlint.diagnose.stamps import Clock, Stamp
from sbatchlint.diagnose.victims import Ends, without_victims
from sbatchlint.diagnose.watchdog import ranks_behind, ranks_missing

_NOT_STARTED = "execve"
_REQUEUED = "the job was put back into the queue; what its log had before that does not count"
_CLOCKS = (
    "lines close together tell times far apart: the clocks or time zones of nodes may differ, "
    "and with them the order"
)
_EMPTY = (
    "nothing stands in it: the job may not have begun, or its output went elsewhere; --sacct or --job tells"
)
_BROKEN_OFF = (
    "the end of its traceback is not in the log, so what was raised is not known; "
    "srun drops what it has not read yet when --kill-on-bad-exit ends the step"
)
_NO_END = "a traceback has no end in the logs, so what was raised there is not known"
_WHOLE = "srun --output=%x-%j-%t.log lets each task write a log of its own, with its last lines in it"
_STOPPED = ("step-cancelled", "sigterm-agent")
"""What is seen of a job that is stopped in good order."""


def judge(facts: Facts, accounting: Accounting | None = None) -> Diagnosis:
    """Return what the logs, and what Slurm's accounting, say of the job."""
    clock = Clock(_stamps(facts))
    proof = _proof(facts) or (accounting is not None and accounting.bad)
    found = candidates(facts, clock, proof=proof)
    known = known_to_accounting(accounting, found)
    ends = Ends(facts, clock)
    telling = without_victims(found, facts, ends)
    chosen = choose(that_matter([*telling, *known], facts), clock, facts.ends)
    if chosen is None and not proof and len(telling) == len(found) and not ended_by_others(facts):
        return _healthy(facts, accounting)
    base = Diagnosis(
        State.FAILED,
        noise=tuple(_noise(facts)),
        missing=ranks_missing(facts),
        behind=ranks_behind(facts),
        world=facts.world,
        lines=facts.lines,
        at_least=_at_least(facts),
        task_exits=tuple(_task_exits(facts)),
        notes=tuple(_notes(facts, accounting, chosen, found)),
    )
    if chosen is None:
        base = replace(base, others=tuple(_others(facts, None, found)))
        return _cascade_only(base, facts, accounting, ends)
    where = place(chosen, facts)
    if accounting is not None and not where.known and len(accounting.nodes) == 1:
        where = replace(where, node=accounting.nodes[0])
    return replace(
        base,
        confidence=_confidence(chosen, proof),
        cause=_cause(chosen, facts),
        where=where,
        time=None if chosen.timing is Timing.VAGUE else chosen.stamp,
        after=chosen.timing is Timing.NOT_BEFORE,
        exit=_exit(chosen, where, facts, accounting),
        cascade=tuple(_cascade(facts, chosen, found)),
        others=tuple(_others(facts, chosen, found)),
        suspects=tuple(facts.suspects) if chosen.umbrella else (),
    )


def known_to_accounting(accounting: Accounting | None, found: Sequence[Candidate]) -> list[Candidate]:
    """Return the cause that the state of the job names, where no line of the logs tells it already."""
    name = accounting.signature if accounting is not None else None
    if accounting is None or name is None or any(one.id == name for one in found):
        return []
    one = signatures()[name]
    return [Candidate(one.id, None, one, "", accounting.end, Timing.EXACT, None, one.umbrella, one.authority)]


def _healthy(facts: Facts, accounting: Accounting | None) -> Diagnosis:
    return Diagnosis(
        State.NO_FAILURE,
        exit=explain(0) if _said_success(facts, accounting) else None,
        noise=tuple(_noise(facts)),
        suspects=tuple(facts.suspects),
        world=facts.world,
        notes=tuple(_notes(facts, accounting, None, ())),
        lines=facts.lines,
        at_least=_at_least(facts),
    )


def _at_least(facts: Facts) -> frozenset[str]:
    return facts.at_least & {*signatures()} | ({PYTHON} if TRACES in facts.at_least else frozenset())


def _said_success(facts: Facts, accounting: Accounting | None) -> bool:
    if accounting is not None:
        return accounting.state == "COMPLETED"
    return any(SUCCESS.search(pulse.text) for pulse in facts.pulses)


def _proof(facts: Facts) -> bool:
    """Tell whether something surely ended badly, other than by being stopped for a requeue."""
    known = signatures()
    expected = {"srun-exit", *(_STOPPED if facts.requeued else ())}
    codes = (0, 143, 137) if facts.requeued else (0,)
    said = (name for name, count in facts.counts.items() if count > facts.warned[name])
    return any(known[name].proof and name not in expected for name in said) or any(
        one.code not in codes for one in facts.ends
    )


def _stamps(facts: Facts) -> Iterator[Stamp]:
    for event in facts.events:
        stamp, _ = best_time(event.seen)
        if stamp is not None:
            yield stamp
    yield from (stamp for trace in facts.traces if (stamp := best_time(trace.seen)[0]) is not None)
    yield from (worker.stamp for worker in facts.workers if worker.stamp is not None)


def _confidence(chosen: Candidate, proof: bool) -> Confidence:
    return Confidence.KNOWN if proof and chosen.signature and not chosen.umbrella else Confidence.LIKELY


def _cause(chosen: Candidate, facts: Facts) -> Cause:
    one = chosen.signature
    if one is None:
        name = chosen.exception.partition(":")[0].rpartition(".")[2]
        title = f"an uncaught Python exception: {name}" if name else "an uncaught Python exception"
        alike = sum(trace.exception == chosen.exception and not trace.went_on for trace in facts.traces)
        return Cause(
            PYTHON,
            title,
            "the program raised it and nobody caught it; no signature knows more" if name else _BROKEN_OFF,
            "read the traceback above the line" if name else _WHOLE,
            seen=chosen.seen,
            alike=max(alike - 1, 0),
        )
    alike = facts.counts[one.id] - facts.warned[one.id] - (chosen.seen is not None)
    return Cause(one.id, one.title, one.cause, one.fix, one.rules, one.source, chosen.seen, max(alike, 0))


def _exit(chosen: Candidate, where: Where, facts: Facts, accounting: Accounting | None) -> Exit | None:
    one = chosen.signature
    if one is not None and one.authority and one.exit is not None:
        return explain(one.exit)
    worker = next((w for w in facts.workers if where.rank is not None and w.rank == where.rank), None)
    if worker is not None and worker.code is not None:
        return explain(worker.code)
    end = end_of(where, facts) if where.known else None
    if end is not None and end.code is not None:
        return explain_not_started(end.code) if chosen.id == _NOT_STARTED else explain(end.code)
    if one is not None and one.exit is not None:
        return explain(one.exit)
    if accounting is not None and accounting.exit is not None:
        return accounting.exit
    if one is None:
        return explain(1)
    first = first_end(facts)
    return explain(first.code) if first is not None and first.code is not None else None


def _task_exits(facts: Facts) -> Iterator[tuple[Exit, int]]:
    tasks: dict[int, set[int]] = {}
    for end in facts.ends:
        if end.code is not None:
            tasks.setdefault(end.code, set()).update(end.tasks)
    yield from ((explain(code), len(found)) for code, found in tasks.items())


def _cascade_only(base: Diagnosis, facts: Facts, accounting: Accounting | None, ends: Ends) -> Diagnosis:
    """Say where to look, without a cause."""
    suspects = {signatures()[name].suspect_rank for name in facts.counts} - {None}
    workers = [one for one in facts.workers if one.code not in (None, -15) and not ends.is_victim(one)]
    clock = Clock(_stamps(facts))
    workers.sort(key=lambda one: (clock.seconds(one.stamp) or 0.0, one.seen.place.file, one.seen.place.line))
    stamp: Stamp | None = None
    first: WorkerEnd | None = None
    if len(base.missing) == 1:
        where = Where(rank=base.missing[0])
    elif len(base.behind) == 1:
        where = Where(rank=base.behind[0])
    elif workers:
        first = workers[0]
        where = with_worker(Where(), first, facts)
        stamp = first.stamp
    elif (told := _told_to_stop(facts, clock)) is not None:
        where = Where(told.label.node, told.label.task, told.label.rank, told.label.local)
        stamp = told.stamp
    elif suspects:
        where = Where(rank=min(rank for rank in suspects if rank is not None))
    else:
        where = Where()
    where = complete(where, facts)
    named = (one for one in workers if where.rank is not None and one.rank == where.rank)
    worker = first or next(named, None)
    end = end_of(where, facts) or first_end(facts)
    code = worker.code if worker is not None else end.code if end is not None else None
    ended = explain(code) if code is not None else accounting.exit if accounting is not None else None
    return replace(
        base,
        confidence=Confidence.CASCADE,
        where=where,
        time=stamp,
        exit=ended,
        cascade=tuple(_cascade(facts, None, ())),
        suspects=tuple(facts.suspects),
    )


def _told_to_stop(facts: Facts, clock: Clock) -> Seen | None:
    """Return the line of the first launcher that got a signal from outside, if no task ended by itself."""
    if any(one.code not in (0, 143) for one in facts.ends):
        return None
    lines = [event.seen for event in facts.events if "death signal" in event.seen.text]
    timed = [(seconds, seen) for seen in lines if (seconds := clock.seconds(seen.stamp)) is not None]
    return min(timed, key=lambda one: one[0])[1] if timed else None


def _cascade(facts: Facts, chosen: Candidate | None, found: Sequence[Candidate]) -> Iterator[Group]:
    umbrellas = {one.id for one in found if one.umbrella and one.signature is not None}
    firsts = {event.signature.id: event for event in reversed(facts.events) if not event.warned}
    for name, one in signatures().items():
        count = facts.counts[name] - facts.warned[name]
        follows = one.kind is Kind.CASCADE or name in umbrellas
        if count > 0 and follows and (chosen is None or name != chosen.id):
            event = firsts.get(name)
            yield Group(name, one.title, count, event.seen if event else None)


def _others(facts: Facts, chosen: Candidate | None, found: Sequence[Candidate]) -> Iterator[Group]:
    told: set[str] = set() if chosen is None else {chosen.id}
    exception = "" if chosen is None else chosen.exception
    for one in found:
        if one.id == PYTHON and not one.umbrella and (chosen is None or one.seen is not chosen.seen):
            key = one.exception
            if key != exception and key not in told and len(told) < 8:
                told.add(key)
                yield Group(PYTHON, key, sum(trace.exception == key for trace in facts.traces), one.seen)
        elif one.signature is not None and not one.umbrella and one.id not in told:
            told.add(one.id)
            yield Group(one.id, one.signature.title, facts.counts[one.id] - facts.warned[one.id], one.seen)


def _noise(facts: Facts) -> Iterator[Group]:
    firsts = {event.signature.id: event for event in reversed(facts.events)}
    for name, one in signatures().items():
        quiet = one.kind in (Kind.NOISE, Kind.INFO) and name != "elastic-root"
        count = facts.counts[name] if quiet else facts.warned[name]
        if count:
            yield Group(name, one.title, count, firsts[name].seen if name in firsts else None)


def _notes(
    facts: Facts, accounting: Accounting | None, chosen: Candidate | None, found: Sequence[Candidate]
) -> Iterator[str]:
    if accounting is not None:
        yield from accounting.remarks
    if facts.requeued:
        yield _REQUEUED
    if len(facts.jobs) > 1:
        numbers = ", ".join(sorted(facts.jobs, key=lambda one: (len(one), one))[:4])
        yield f"the logs speak of {len(facts.jobs)} jobs ({numbers}); give the logs of one job together"
    if accounting is None and not facts.lines:
        yield _EMPTY
    if clocks_differ(found):
        yield _CLOCKS
    if facts.counts["cuda-oom"] and chosen is not None and chosen.id == "cuda-oom":
        yield "this is the memory of the GPU; that of the node shows as SIGKILL and an oom_kill line"
    if chosen is None and any(one.code == -9 for one in facts.workers):
        yield "SIGKILL ended a worker: most often the memory of the node; sacct tells OUT_OF_MEMORY then"
    if any(one.id == PYTHON and not one.exception and one is not chosen for one in found):
        yield _NO_END
    later = next((one for one in found if one.authority), None)
    if chosen is not None and later is not None and not chosen.authority and later.signature is not None:
        yield f"later, {later.signature.title}: it follows from the failure, or came on top of it"
