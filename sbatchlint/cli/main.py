"""Finding the command that is meant, and nothing else: start-up time is paid on every run."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from sbatchlint.cli.status import FAILURE, INTERRUPTED, READER_GONE

COMMANDS = (
    *("check", "rule", "plan", "option", "size", "cluster", "config", "policy", "submit", "convert"),
    "diagnose",
)
"""Each is a module of this package with a function ``run(arguments) -> int``; the first is the default."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out the command line *arguments* (this process's own, if not given); return the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = words.pop(0) if words and words[0] in COMMANDS else COMMANDS[0]
    _open_standard_streams()
    try:
        run = importlib.import_module(f"sbatchlint.cli.{command}").run
        status: int = run(words)
        sys.stdout.flush()
    except SystemExit as stop:  # argparse: help, version, wrong use
        return stop.code if isinstance(stop.code, int) else FAILURE
    except BrokenPipeError:
        _discard_output()
        return READER_GONE
    except OSError as error:  # whoever reads or writes a file of the user's answers for its errors itself
        _discard_output()
        with suppress(OSError):
            sys.stderr.write(f"sbatchlint: output: {error.strerror or error}; nothing more is written\n")
        return FAILURE
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _open_standard_streams() -> None:
    """Give a process that was started without one of them (``>&-``, ``<&-``) an empty one."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the process ends
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _discard_output() -> None:
    """Send what is still unwritten nowhere: the flush at exit must not fail too."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
