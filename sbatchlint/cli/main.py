"""Finding the command that is meant, and nothing else: start-up time is paid on every run."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from sbatchlint.cli.status import FAILURE, INTERRUPTED, READER_GONE

COMMANDS = ("check", "rule", "plan")
"""Each is a module of this package with a function ``run(arguments) -> int``; the first is the default."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out the command line *arguments* (this process's own, if not given); return the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = words.pop(0) if words and words[0] in COMMANDS else COMMANDS[0]
    try:
        run = importlib.import_module(f"sbatchlint.cli.{command}").run
        status: int = run(words)
        sys.stdout.flush()
    except SystemExit as stop:  # argparse: help, version, wrong use
        return stop.code if isinstance(stop.code, int) else FAILURE
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the flush at exit must not fail too
        return READER_GONE
    except KeyboardInterrupt:
        return INTERRUPTED
    return status
