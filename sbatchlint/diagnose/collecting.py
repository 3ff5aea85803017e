"""Going through the logs of a job and keeping what may tell why it failed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sbatchlint.diagnose.blocks import (
    PULSE,
    TRACEBACK,
    is_bare_exception,
    read_other_failures,
    read_traceback,
    read_worker_end,
    read_worker_failed,
)
from sbatchlint.diagnose.facts import Event, Facts, Place, Seen, Trace, WorkerEnd
from sbatchlint.diagnose.labels import Head, Label, read_head
from sbatchlint.diagnose.signatures import Kind, Signature, classifier
from sbatchlint.diagnose.sought import LOOKS_BAD, SUSPICIOUS, TRACES, WORLDS, Sought
from sbatchlint.diagnose.stamps import Stamp, find_stamp
from sbatchlint.diagnose.task_ends import read_task_end
from sbatchlint.diagnose.windows import Line, Tail, Window, search
from sbatchlint.regex import regex

_WORLD_SIZE = regex(r"(?:WORLD_SIZE|world[_ ]size)[ \"']{0,2}[:=] ?(\d{1,7})|\d/(\d{1,7}) clients joined")
_GOES_ON = regex(
    r"\b[Rr]etry(ing)?\b|[Ff]alling back|will not be registered|\b[Oo]ptional(ly)?\b|\b[Ss]kipping\b"
    r"|\b[Ii]gnor(ed|ing)\b|\battempt \d|[Rr]econnect|[Nn]on-fatal|\bdeprecated\b"
)
_ENQUEUED = regex(r"last enqueued (?:NCCL )?work: (-?\d{1,18})\b")
_JOB = regex(r"(?:\bJOB |\bSTEP |StepId=|JobId=)(\d{1,10})\b")
_CLOCK = regex(rb"\d\d:\d\d:\d\d")
_RANK_INSIDE = regex(r"\[?\bRank (\d{1,6})\]")
_AUTHORITIES = ("slurmstepd", "srun: ", "sbatch: ")
_REQUEUED = "requeued"
_OF_LAUNCHERS = ("childfailed", "elastic-root", "sigterm-agent", "elastic-failed", "deepspeed-exit")
"""Lines that only a launcher writes, so that tasks are not ranks."""
_ENOUGH = 1000
_MORE_THAN_BAD = (b"Traceback", b"orld", b"WORLD", b"clients joined")
"""What makes a line without a signature tell more than that it looks bad."""
_TOLD_TO_STOP = -15
_PER_SIGNATURE = 2048
_SUSPECTS_EACH = 3
_SUSPECTS = 60
_LOOK_BACK = 120
_THOROUGH = 8
"""So many tracebacks of a process are followed far; a log of nothing else has to be read in time, too."""
_FAR, _NEAR = 4000, 20
"""How many lines behind a traceback its process is followed, to see whether it goes on."""
_MOST = 4096


class Collector:
    """Fills :class:`Facts`, one log after the other."""

    def __init__(self) -> None:
        self._all = Facts()
        self.facts = Facts()
        """What the log at hand tells."""
        self._classifier = classifier()
        self._sought = Sought()
        self._suspicious = re.compile(SUSPICIOUS)
        self._file = 0
        self._of_file = Label()
        self._events: dict[tuple[str, object], Event] = {}
        self._kept: dict[str, int] = {}
        self._in_traces: dict[int, bool] = {}
        """The lines of exceptions, and whether their process goes on behind them."""
        self._suspects_of: dict[object, int] = {}
        self._traces_of: dict[object, int] = {}
        self._failed: list[WorkerEnd] = []
        """Workers that failed; what an agent says later in its summary goes before it."""
        self._in_blocks: set[int | None] = set()
        """The process numbers of the workers in summaries; None where one does not tell."""

    def read(self, file: int, pieces: Iterable[bytes], label: Label | None = None) -> None:
        """Read the log number *file*, which *pieces* make up; *label* is what its name tells."""
        self._file, self._of_file = file, label or Label()
        self._sought = Sought()
        self._start_over()
        tail = search(pieces, self._sought, self._look)
        self._look_at_tail(tail)
        self._add_failed()
        self.facts.lines = tail.lines
        self.facts.at_least |= self._sought.given_up
        self.facts.events = list(self._events.values())
        self._all.add(self.facts)

    def finish(self) -> Facts:
        """Return everything that was found."""
        self._all.events.sort(key=lambda event: _order(event.seen))
        del self._all.suspects[_SUSPECTS:]
        return self._all

    def _start_over(self) -> None:
        """Forget what was found in the log at hand."""
        self.facts = Facts()
        self._events.clear()
        self._kept.clear()
        self._in_traces.clear()
        self._suspects_of.clear()
        self._traces_of.clear()
        self._failed.clear()
        self._in_blocks.clear()

    def _look(self, window: Window, line: Line, start: int, end: int) -> None:
        found = self._classifier.classify(line.data)
        for signature in found:
            self._sought.note(signature.id)
        if all(signature.id in self._sought.given_up for signature in found):
            self._sought.note(LOOKS_BAD)
        if self._is_more_of_the_same(found, line):
            return
        text = line.text
        head = read_head(text)
        if not self._of_file.empty:
            head = replace(head, label=head.label.filled(self._of_file))
        self._note_label(head.label)
        if any(signature.id == _REQUEUED for signature in found):
            self._start_over()
            self.facts.requeued = True
        if _begins_traceback(text):
            self._sought.note(TRACES)
            self._trace(window, line, head, start, end)
        for signature in found:
            self._signature(signature, window, line, text, head, start, end)
        self._world(text)
        if not found and is_bare_exception(head.body, window.before(start)):
            self._bare(window, line, text, head, start)
        elif not found and TRACEBACK not in text and line.number not in self._in_traces:
            self._suspect(window, line, text, head, start)

    def _add_failed(self) -> None:
        """Take in the workers of which no block tells: those of earlier attempts of an agent, too."""
        summed_up = {worker.seen.label.task for worker in self.facts.workers}
        of_others = (one for one in self._failed if one.seen.label.task not in summed_up)
        earlier = [
            one
            for one in self._failed
            if one.seen.label.task in summed_up and not {None, one.pid} & self._in_blocks
        ]
        self.facts.workers = [*earlier, *self.facts.workers, *of_others]

    def _is_more_of_the_same(self, found: Sequence[Signature], line: Line) -> bool:
        """Count *line* and tell so, if nothing is left to be learnt from its like."""
        if found:
            if any(one.kind is not Kind.NOISE or self.facts.counts[one.id] < _ENOUGH for one in found):
                return False
            self.facts.counts.update(one.id for one in found)
            return True
        full = len(self.facts.suspects) >= _SUSPECTS
        return full and not any(word in line.data for word in _MORE_THAN_BAD)

    def _signature(
        self, signature: Signature, window: Window, line: Line, text: str, head: Head, start: int, end: int
    ) -> None:
        facts = self.facts
        facts.counts[signature.id] += 1
        warned = self._is_warning(signature, line, text, head)
        facts.warned[signature.id] += warned
        if head.body.startswith(_AUTHORITIES) and len(facts.jobs) < 64:
            facts.jobs.update(_JOB.findall(text))
        head = self._with_rank_inside(signature, text, head)
        self._special(signature, text, head)
        if signature.id in ("srun-exit", "srun-oom") and len(facts.ends) < _MOST:
            ended = read_task_end(self._seen(window, line, text, head, start))
            if ended is not None:
                facts.ends.append(ended)
        if signature.id in ("elastic-failed", "deepspeed-exit") and len(self._failed) < _MOST:
            self._failed.append(read_worker_failed(self._seen(window, line, text, head, start)))
        if signature.id == "elastic-root" and len(facts.workers) < _MOST:
            seen = self._seen(window, line, text, head, start)
            worker = read_worker_end(seen, window.after(end))
            others = read_other_failures(seen, window.before(start))
            self._in_blocks |= {one.pid for one in (worker, *others)}
            if worker.code == _TOLD_TO_STOP:
                worker = next((one for one in others if one.code not in (None, _TOLD_TO_STOP)), worker)
            facts.workers.append(worker)
            self._trace_of_worker(worker)
        identity = head.label if not head.label.empty else self._file
        old = self._events.get((signature.id, (identity, warned)))
        if old is not None and not _earlier(head.stamp, old.seen.stamp):
            return
        if old is None:
            if self._kept.get(signature.id, 0) >= _PER_SIGNATURE:
                return
            self._kept[signature.id] = self._kept.get(signature.id, 0) + 1
        seen = self._seen(window, line, text, head, start)
        self._events[signature.id, (identity, warned)] = Event(signature, seen, warned)

    def _is_warning(self, signature: Signature, line: Line, text: str, head: Head) -> bool:
        if line.number in self._in_traces:
            return self._in_traces[line.number]
        if signature.kind is not Kind.ROOT:
            return False
        if head.body.startswith(_AUTHORITIES):
            return False
        if head.level in ("I", "W") and not (signature.in_warnings and head.level == "W"):
            return True
        return _GOES_ON.search(text) is not None and not signature.in_warnings

    def _with_rank_inside(self, signature: Signature, text: str, head: Head) -> Head:
        """Where no label tells the rank, take that inside a line of NCCL's watchdog, or the signature's."""
        if head.label.rank is not None:
            return head
        rank = signature.rank
        match = _RANK_INSIDE.search(text) if signature.id.startswith("nccl-watchdog") else None
        if match is not None:
            rank = int(match[1])
        return head if rank is None else replace(head, label=replace(head.label, rank=rank))

    def _special(self, signature: Signature, text: str, head: Head) -> None:
        facts, rank = self.facts, head.label.rank
        if signature.id in _OF_LAUNCHERS:
            facts.torchrun = True
        if rank is None or len(facts.timed_out) >= 1 << 20:
            return
        if signature.id in ("nccl-watchdog", "collective-timeout"):
            facts.timed_out.add(rank)
        match = _ENQUEUED.search(text) if signature.id == "nccl-watchdog-state" else None
        if match is not None:
            facts.enqueued.setdefault(rank, int(match[1]))

    def _trace(self, window: Window, line: Line, head: Head, start: int, end: int) -> None:
        facts = self.facts
        before = " ".join(
            previous.decode("utf-8", "surrogateescape")
            for _, previous in zip(range(3), window.before(start), strict=False)
        )
        identity = head.label if not head.label.empty else self._file
        count = self._traces_of.get(identity, 0)
        self._traces_of[identity] = count + 1
        follow = _FAR if count < _THOROUGH else _NEAR
        read = read_traceback(line.text, before, window.after(end), follow)
        shown = read.exception or line
        known = False
        if read.exception is not None:
            self._in_traces[read.exception.number] = read.went_on
            known = bool(self._classifier.classify(read.exception.data))
        if len(facts.traces) < _MOST:
            seen = self._seen(window, shown, shown.text, head, start)
            facts.traces.append(Trace(seen, read.text, known, read.went_on, read.first, read.last))

    def _bare(self, window: Window, line: Line, text: str, head: Head, start: int) -> None:
        """Take note of an exception without a traceback of the usual form."""
        if len(self.facts.traces) < _MOST and line.number not in self._in_traces:
            seen = self._seen(window, line, text, head, start)
            self.facts.traces.append(Trace(seen, head.body.strip(), known=False, went_on=False))

    def _trace_of_worker(self, worker: WorkerEnd) -> None:
        """Take the exception in the block for a traceback: the worker's own may have gone elsewhere."""
        seen = worker.exception
        if seen is not None and len(self.facts.traces) < _MOST:
            known = bool(self._classifier.classify(seen.text.encode("utf-8", "surrogateescape")))
            trace = Trace(seen, seen.text.strip(), known, went_on=False)
            self.facts.traces.append(trace)

    def _suspect(self, window: Window, line: Line, text: str, head: Head, start: int) -> None:
        if head.level in ("I", "W") or not self._suspicious.search(text) or _GOES_ON.search(text):
            return
        identity = head.label if not head.label.empty else self._file
        count = self._suspects_of.get(identity, 0)
        if count < _SUSPECTS_EACH and len(self.facts.suspects) < _SUSPECTS:
            self._suspects_of[identity] = count + 1
            self.facts.suspects.append(self._seen(window, line, text, head, start))

    def _seen(self, window: Window, line: Line, text: str, head: Head, start: int) -> Seen:
        stamp = head.stamp
        if stamp is None and head.body.startswith(_AUTHORITIES):
            stamp = find_stamp(text[:300])
        near, around = (None, None) if stamp is not None else self._look_back(window, head.label, start)
        return Seen(Place(self._file, line.number), text, head.label, stamp, near, around)

    def _look_back(self, window: Window, label: Label, start: int) -> tuple[Stamp | None, Stamp | None]:
        """Return the time of the closest line above of the same process, and of any."""
        around: Stamp | None = None
        for _, data in zip(range(_LOOK_BACK), window.before(start), strict=False):
            if not _CLOCK.search(data, 0, 300):
                continue
            head = read_head(data[:300].decode("utf-8", "surrogateescape"))
            if head.stamp is None:
                continue
            around = around or head.stamp
            if head.label.filled(self._of_file) == label:
                return head.stamp, around
        return None, around

    def _note_label(self, label: Label) -> None:
        if label.local is not None:
            self.facts.torchrun = True
        if label.task is not None and label.rank is not None and len(self.facts.pairs) < 1 << 16:
            self.facts.pairs.add((label.task, label.rank))

    def _world(self, text: str) -> None:
        match = _WORLD_SIZE.search(text)
        if match is not None:
            self._sought.note(WORLDS)
            size = int(match[1] or match[2])
            self.facts.world = max(size, self.facts.world or 0)

    def _look_at_tail(self, tail: Tail) -> None:
        for line in tail.read():
            text = line.text
            if len(text) < 2000 and PULSE.search(text):
                label = read_head(text).label.filled(self._of_file)
                self.facts.pulses.append(Seen(Place(self._file, line.number), text, label))


def _begins_traceback(text: str) -> bool:
    """Tell whether a traceback begins here that is not the one inside torchrun's block."""
    prefix, found, _ = text.partition(TRACEBACK)
    return bool(found) and "traceback :" not in prefix


def _earlier(one: Stamp | None, other: Stamp | None) -> bool:
    return one is not None and other is not None and one.moment < other.moment and one.zoned is other.zoned


def _order(seen: Seen) -> tuple[int, int]:
    return seen.place.file, seen.place.line
