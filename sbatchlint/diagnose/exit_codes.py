"""What the exit codes of processes, tasks and steps mean."""

from __future__ import annotations

import signal

from sbatchlint.records import dataclass

_OOM = 125
"""What Slurm reports, with or without 128 added, where it saw the memory run out (srun's SIG_OOM)."""
_NO_LOG = 53
"""What sacct shows as the signal of a job whose log or working folder could not be opened."""
_NOT_STARTED = {2: "there is no such program", 13: "the program may not be executed"}
"""With these error numbers of Linux slurmstepd ends in place of a program that it can't start."""
_CODES = {
    0: "success; a trailing echo or a pipe can hide a failure, so look for the program's own last words too",
    1: "an error of its own: an uncaught Python exception, a launcher, a plugin of Slurm; torchrun always "
    "ends with 1, whatever ended its worker",
    2: "wrong use of a command, as the shell, argparse and srun report it",
    124: "the command timeout ended it",
    125: "Slurm saw the memory run out",
    126: "the program was found, but can't be executed",
    127: "the command was not found",
    253: "Slurm saw the memory of the node run out (128 + 125)",
}
_SIGNALS = {
    2: "interrupted: Ctrl-C or scancel --signal=INT",
    6: "it ended itself: the NCCL watchdog, an exception in C++ or a failed check",
    7: "bus error: shared memory or a disk behind a mapped file is full",
    9: "killed without a chance to say anything: the memory of the node, the end of the grace after the time "
    "limit, or scancel --signal=KILL",
    11: "it crashed in native code",
    15: "told to stop: by the failure of another rank, the time limit, preemption or scancel",
    24: "its CPU time was used up, as srun --time does it",
}


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process or a task ended."""

    code: int
    """The exit code; of a process that a signal ended, the number of the signal."""
    signal: str = ""
    """``SIGKILL``; empty where none ended it."""
    meaning: str = ""

    @property
    def text(self) -> str:
        """The code as people write it."""
        return f"{self.signal} ({128 + self.code}, -{self.code})" if self.signal else str(self.code)


def explain(code: int) -> Exit:
    """Return what *code* means.

    A signal is 128 and its number, as a shell and srun give it, or minus its number, as Python does.
    """
    if code < 0 or (128 < code < 193):
        return explain_signal(-code if code < 0 else code - 128)
    return Exit(code, "", _CODES.get(code, "the program's own"))


def explain_signal(number: int) -> Exit:
    """Return what it means that the signal *number* ended a process."""
    if number == _OOM:
        return Exit(number, "", _CODES[number])
    if number == _NO_LOG:
        return Exit(number, "", "Slurm could not open the job's log, or enter its folder")
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return Exit(number, name, _SIGNALS.get(number, f"ended by {name}"))


def explain_not_started(code: int) -> Exit:
    """Return what the exit *code* of a task means whose program slurmstepd could not start."""
    return Exit(code, "", _NOT_STARTED[code]) if code in _NOT_STARTED else explain(code)
