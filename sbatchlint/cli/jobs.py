"""Doing many pieces of work at a time, each in a process of its own that has all that this one has loaded.

The processes are forked, so nothing is loaded twice; where that can't be done, all work is done here.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import struct
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field
from typing import Any, NoReturn, TypeVar

from sbatchlint.records import dataclass

T = TypeVar("T")
Work = Callable[[int], T]
Done = Callable[[int, T], None]
Lost = Callable[[int, str], None]

ENOUGH = 20
"""Pieces of work from which on a second process pays: what it has to do anew takes as long as four."""
_FOR_EACH = 10
"""Pieces of work that each further process has to have."""
_MOST = 16
"""Processes, where nobody says how many: on a login node others work as well."""
_AHEAD = 2
"""Pieces of work that a process is given before it has answered for them."""
_SIZE = struct.Struct("<Q")
_PATIENCE = 5.0
"""Seconds that a process gets to leave everything in order when the run is interrupted."""


def how_many(pieces: int, wanted: int | None) -> int:
    """Return how many processes to use for so many *pieces* of work; *wanted* is what the user says."""
    if not hasattr(os, "fork") or _has_threads():
        return 1
    if wanted is not None:
        return max(1, min(wanted, pieces))
    if pieces < ENOUGH:
        return 1
    return max(1, min(_processors(), pieces // _FOR_EACH, _MOST))


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _has_threads() -> bool:
    threading = sys.modules.get("threading")
    return threading is not None and threading.active_count() > 1


def side_by_side(pieces: int, work: Work[T], processes: int, done: Done[T], lost: Lost) -> None:
    """Call *work* with each number below *pieces*, in other processes, and *done* with each answer.

    Answers come as they are ready.  *lost* is told of a piece whose process ended over it, and why.  What
    *work* gives has to be picklable.
    """
    crew = _Crew(pieces, work, done, lost)
    try:
        crew.work_through(processes)
    finally:
        crew.dismiss()


@dataclass(eq=False)
class _Worker:
    pid: int
    to: int
    answers: int
    given: deque[int] = field(default_factory=deque)
    heard: bytearray = field(default_factory=bytearray)


class _Crew:
    def __init__(self, pieces: int, work: Work[Any], done: Done[Any], lost: Lost) -> None:
        self._waiting = deque(range(pieces))
        self._work = work
        self._done = done
        self._lost = lost
        self._workers: list[_Worker] = []
        self._ready = selectors.DefaultSelector()

    def work_through(self, processes: int) -> None:
        while self._waiting or any(worker.given for worker in self._workers):
            while self._waiting and len(self._workers) < processes:
                before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
                try:  # whoever interrupts now finds the new process in the list, to be ended with the others
                    hired = self._hire(before)
                finally:
                    signal.pthread_sigmask(signal.SIG_SETMASK, before)
                if not hired:
                    processes = len(self._workers)
            if not self._workers:
                self._do_alone()
                return
            for key, _ in self._ready.select():
                self._hear(key.data)

    def _do_alone(self) -> None:
        while self._waiting:
            number = self._waiting.popleft()
            self._done(number, self._work(number))

    def _hire(self, mask: set[Any]) -> bool:
        """Start a process that heeds all signals but those of *mask*; tell whether there is one."""
        tasks, answers = os.pipe(), os.pipe()
        gc.freeze()  # what is there is not looked through again, so its memory stays shared
        sys.stdout.flush()
        sys.stderr.flush()
        try:
            pid = os.fork()
        except OSError:
            for end in (*tasks, *answers):
                os.close(end)
            return False
        if pid == 0:
            os.close(tasks[1])
            os.close(answers[0])
            for other in self._workers:
                os.close(other.to)
                os.close(other.answers)
            _serve(tasks[0], answers[1], self._work, mask)
        os.close(tasks[0])
        os.close(answers[1])
        worker = _Worker(pid, tasks[1], answers[0])
        self._workers.append(worker)
        self._ready.register(worker.answers, selectors.EVENT_READ, worker)
        for _ in range(_AHEAD):
            self._give(worker)
        return True

    def _give(self, worker: _Worker) -> None:
        if self._waiting:
            number = self._waiting.popleft()
            worker.given.append(number)
            with suppress(BrokenPipeError):  # it has ended, which is noticed when its answers are read
                os.write(worker.to, _SIZE.pack(number))

    def _hear(self, worker: _Worker) -> None:
        piece = os.read(worker.answers, 1 << 20)
        if not piece:
            self._bury(worker)
            return
        worker.heard += piece
        while len(worker.heard) >= _SIZE.size:
            end = _SIZE.size + _SIZE.unpack_from(worker.heard)[0]
            if len(worker.heard) < end:
                return
            answer = _unpacked(bytes(worker.heard[_SIZE.size : end]))  # from a process of our own
            del worker.heard[:end]
            self._give(worker)
            self._done(worker.given.popleft(), answer)

    def _bury(self, worker: _Worker) -> None:
        """Give what *worker* has left over to others, but for what it ended over."""
        self._leave(worker)
        status = os.waitstatus_to_exitcode(os.waitpid(worker.pid, 0)[1])
        if worker.given:
            number = worker.given.popleft()
            self._waiting.extendleft(reversed(worker.given))
            self._lost(number, _why(status))

    def _leave(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        self._ready.unregister(worker.answers)
        os.close(worker.to)
        os.close(worker.answers)

    def dismiss(self) -> None:
        """End all processes: those that are still at work are interrupted, as by Ctrl-C."""
        working = {worker.pid: bool(worker.given) for worker in self._workers}
        for worker in list(self._workers):
            self._leave(worker)
        self._ready.close()
        for pid, busy in working.items():
            if busy:
                _kill(pid, signal.SIGINT)
        end = time.monotonic() + _PATIENCE
        for pid in working:
            while os.waitpid(pid, os.WNOHANG) == (0, 0):
                if time.monotonic() > end:
                    _kill(pid, signal.SIGKILL)
                time.sleep(0.002)


def _kill(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _why(status: int) -> str:
    if status == -signal.SIGKILL:
        return "the process that looked at it was killed, perhaps for want of memory; try --jobs 1"
    if status < 0:
        return f"the process that looked at it was ended by signal {-status}"
    return f"the process that looked at it ended with status {status}"


def _packed(answer: object) -> bytes:
    import pickle  # not needed by a run of one process

    return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)


def _unpacked(data: bytes) -> Any:
    import pickle

    return pickle.loads(data)


def _serve(tasks: int, answers: int, work: Work[Any], mask: set[Any]) -> NoReturn:
    """Answer until there are no more tasks; then end, and leave nothing to the code that was forked."""
    status = 1
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        while True:
            task = os.read(tasks, _SIZE.size)
            if len(task) < _SIZE.size:
                break
            answer = _packed(work(_SIZE.unpack(task)[0]))
            rest = memoryview(_SIZE.pack(len(answer)) + answer)
            while rest:
                rest = rest[os.write(answers, rest) :]
        status = 0
    except BrokenPipeError:
        status = 0
    except KeyboardInterrupt:
        status = 130
    finally:
        os._exit(status)
