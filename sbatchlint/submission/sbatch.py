"""The sbatch that takes the job: finding it, asking its release, becoming it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from sbatchlint.regex import regex
from sbatchlint.submission.wrappers import Wrappers, marks_for

NAME = "sbatch"
OVERRIDE = "SBATCHLINT_SBATCH"
"""Variable that names the sbatch to use, where the one on PATH is not it."""
_VERSION = regex(r"slurm\S*\s+(\d+\.\d+)")
_PATIENCE = 5.0
"""Seconds for ``sbatch --version``, which asks nobody and takes milliseconds."""


def find_sbatch(path: Iterable[str], override: str = "") -> str | None:
    """Return the path of the sbatch to use: *override*, else the first in *path* that is not ourselves.

    A wrapper that calls ``sbatchlint submit`` under the name of sbatch would call itself for ever.
    """
    candidates = [override] if override else [os.path.join(folder, NAME) for folder in path]
    wrappers = Wrappers()
    return next((one for one in candidates if _is_program(one) and one not in wrappers), None)


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def release_of(sbatch: str) -> str | None:
    """Return the series that *sbatch* says it is of, such as ``24.05``; None where it does not."""
    marks = marks_for(sbatch)
    try:
        done = subprocess.run(
            [sbatch, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            pass_fds=marks,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    finally:
        for mark in marks:
            os.close(mark)
    match = _VERSION.match(done.stdout.decode("utf-8", "replace"))
    return match[1] if match else None


def become_sbatch(sbatch: str, words: Sequence[str]) -> NoReturn:
    """Replace this process by *sbatch* with *words* behind its name.

    Signals, open files, the environment and the exit status are sbatch's own from then on.  Raises OSError
    where it can't be started.
    """
    _as_before_python()
    marks_for(sbatch)
    os.execv(sbatch, [NAME, *words])


def _as_before_python() -> None:
    """Take back what the start of Python changed and a child would inherit."""
    for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores them
        number = getattr(signal, name, None)
        if number is not None:
            signal.signal(number, signal.SIG_DFL)
    given = _given_locale()
    if given is None:
        os.environ.pop("LC_CTYPE", None)
    elif given:
        os.environb[b"LC_CTYPE"] = given


def _given_locale() -> bytes | None:
    """Return LC_CTYPE as this process was started with, None where it was not set, empty where nobody knows.

    In the C locale Python sets it for itself and its children (PEP 538).
    """
    try:
        block = Path("/proc/self/environ").read_bytes()
    except OSError:
        return b""
    found = (entry.partition(b"=")[2] for entry in block.split(b"\0") if entry.startswith(b"LC_CTYPE="))
    return next(found, None)
