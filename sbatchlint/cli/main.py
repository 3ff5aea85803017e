"""Finding the command that is meant, and nothing else: start-up time is paid on every run."""

from __future__ import annotations

import importlib
import os
import sys

from sbatchlint.cli.status import FAILURE, INTERRUPTED, READER_GONE

TYPE_CHECKING = False  # that of typing, which takes longer to load than all this
if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (
    *("check", "rule", "plan", "option", "size", "cluster", "config", "policy", "submit", "convert"),
    "diagnose",
)
"""Each is a module of this package with a function ``run(arguments) -> int``; the first is the default."""
_FRAMES = 8
"""How many calls are told of where the tool itself breaks."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out the command line *arguments* (this process's own, if not given); return the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = words.pop(0) if words and words[0] in COMMANDS else COMMANDS[0]
    _open_standard_streams()
    try:
        try:
            if command == "check" and arguments is None:
                from sbatchlint.cli.warm import run_or_recall

                status = run_or_recall(words, lambda words: _run(command, words))
            else:
                status = _run(command, words)
        except SystemExit as stop:  # argparse: help, version, wrong use
            status = stop.code if isinstance(stop.code, int) else FAILURE
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        return READER_GONE
    except OSError as error:  # whoever reads or writes a file of the user's answers for its errors itself
        _discard_output()
        what = f"output: {error.strerror or error}; nothing more is written"
        if not _is_somewhere():
            what = "the current folder is gone or closed to you; go to another one (cd) and try again"
        try:  # noqa: SIM105 - contextlib is not needed for anything else
            sys.stderr.write(f"sbatchlint: {what}\n")
        except OSError:
            pass
        return FAILURE
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # its message may quote anything, a secret too: it is never shown
        _tell_fault(error)
        return FAILURE
    return status


def _run(command: str, words: Sequence[str]) -> int:
    status: int = importlib.import_module(f"sbatchlint.cli.{command}").run(words)
    return status


def _tell_fault(error: Exception) -> None:
    """Say in lines that quote nothing, so that they may be passed on, where a fault of ours is."""
    import traceback

    from sbatchlint.report.cells import shown

    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = [
        f"  {'/'.join(frame.filename.split('/')[-2:])}:{frame.lineno} in {frame.name}" for frame in frames
    ]
    kind = type(error).__name__
    lines = [f"sbatchlint: internal error: {kind}; please report it with the lines below", *places]
    sys.stderr.write("".join(f"{shown(line)}\n" for line in lines))


def _is_somewhere() -> bool:
    """Tell whether there is a current folder: it may have been deleted since somebody went there."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


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
