"""How a program of DeepSpeed finds its ranks where no launcher tells it."""

from __future__ import annotations

from sbatchlint.launch.plan import Program
from sbatchlint.lint.ask.code_text import found_in_code
from sbatchlint.lint.job import Job
from sbatchlint.regex import regex

_NAME = regex(r"(?i)deepspeed")
_REQUIRED = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "LOCAL_RANK")


def asks_mpi_for_ranks(job: Job, program: Program) -> bool:
    """Tell whether *program*, which no launcher starts, may learn its rank and the meeting point by mpi4py.

    DeepSpeed does so where one of its five variables is missing, and sets all of them anew, MASTER_ADDR to
    the host of rank 0 (deepspeed/comm/comm.py: init_distributed, mpi_discovery).  That DeepSpeed is used is
    seen from its name anywhere in the script: an option, a file of settings, a folder, a package.
    """
    if program.launchers or all(name in program.environment for name in _REQUIRED):
        return False
    shown = [program.folder, *(word.value.show() for word in (*program.words, *program.arguments))]
    return any(map(_NAME.search, shown)) or next(found_in_code(job, _NAME), None) is not None


__all__ = ["asks_mpi_for_ranks"]
