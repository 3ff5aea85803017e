"""Running a command and measuring it: by the clock, by the processor, and its memory."""

from __future__ import annotations

import math
import os
import resource
import signal
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Measure:
    """What one run of a command took."""

    wall: float
    """Seconds by the clock."""
    cpu: float
    """Seconds of processor, of the command and all that it started and waited for, in the kernel too."""
    memory: int
    """Bytes that the largest of these processes had in memory at most."""
    ended: bool = True
    """False if it was stopped because it took too long; then the numbers are lower bounds."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that can be run again and again."""

    words: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    before: Callable[[int], None] | None = None
    """Called before each run with the number of the round; not measured."""
    statuses: frozenset[int] = frozenset({0, 1})
    """How it may end; anything else is a fault of the benchmark."""


PATIENCE = 10
"""How many times as long as the processor's seconds a run may take by the clock, on a busy machine."""


class BenchmarkError(Exception):
    """A command can't be measured."""


def run(command: Command, *, limit: float, core: int | None = None) -> Measure:
    """Run *command* once, on *core* alone if one is named, and stop it after *limit* seconds of processor.

    It is stopped after :data:`PATIENCE` times as many by the clock, too, since it may do nothing at all.
    Raises BenchmarkError if it can't be started or ends as it must not.
    """
    begun = time.perf_counter()
    try:
        process = subprocess.Popen(
            command.words,
            cwd=command.folder,
            env=dict(command.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: _confine(limit, core),
        )
    except OSError as error:
        raise BenchmarkError(f"{command.words[0]}: {error.strerror or error}") from error
    late = threading.Event()
    timer = threading.Timer(limit * PATIENCE, _stop, (process.pid, late))
    timer.start()
    try:
        _, waited, used = os.wait4(process.pid, 0)
    finally:
        timer.cancel()
    wall = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(waited)  # nobody else waits for it
    ended = not late.is_set() and process.returncode != -signal.SIGXCPU
    if ended and process.returncode not in command.statuses:
        raise BenchmarkError(f"{' '.join(command.words[:4])} ended with status {process.returncode}")
    return Measure(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, ended)


def _confine(limit: float, core: int | None) -> None:
    """Give this process, which is about to become the command, its core and its seconds of processor."""
    if core is not None:
        os.sched_setaffinity(0, {core})
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 5))


def _stop(process: int, late: threading.Event) -> None:
    late.set()
    os.killpg(process, signal.SIGKILL)


def interleaved(
    commands: Mapping[str, Command], rounds: int, *, limit: float, core: int | None = None
) -> dict[str, Measure]:
    """Return the median of each command's measures over *rounds*, in each of which all are run in turn.

    Every other round goes the other way round, so that what disturbs the machine disturbs all alike.  A
    command that was stopped once is not run again.
    """
    found: dict[str, list[Measure]] = {name: [] for name in commands}
    for at in range(rounds):
        for name in list(commands)[:: 1 if at % 2 == 0 else -1]:
            if any(not measure.ended for measure in found[name]):
                continue
            prepare = commands[name].before
            if prepare is not None:
                prepare(at)
            found[name].append(run(commands[name], limit=limit, core=core))
    return {name: median(measures) for name, measures in found.items()}


def median(measures: Sequence[Measure]) -> Measure:
    """Return the median of *measures*, each number for itself; memory is the largest."""
    return Measure(
        statistics.median(measure.wall for measure in measures),
        statistics.median(measure.cpu for measure in measures),
        max(measure.memory for measure in measures),
        all(measure.ended for measure in measures),
    )
