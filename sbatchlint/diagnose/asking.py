"""Asking a live Slurm for the accounting of a job."""

from __future__ import annotations

import os
import subprocess

from sbatchlint.diagnose.accounting import FORMAT
from sbatchlint.files import find_program

SECONDS = 15
"""How long sacct may take."""


class NoAnswerError(Exception):
    """sacct told nothing; the message says why."""


def ask_sacct(job: str) -> str:
    """Return what ``sacct`` prints of *job*.  Raises NoAnswerError."""
    program = find_program("sacct")
    if program is None:
        raise NoAnswerError(
            "no sacct on this machine; save its output where there is one and give --sacct FILE"
        )
    try:
        done = subprocess.run(
            (program, "-P", "-j", job, f"--format={FORMAT}"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            env={**os.environ, "LC_ALL": "C", "SLURM_TIME_FORMAT": "standard"},
        )
    except subprocess.TimeoutExpired:
        raise NoAnswerError(f"sacct gave no answer within {SECONDS} seconds") from None
    except OSError as error:
        raise NoAnswerError(f"sacct can't be run ({(error.strerror or str(error)).lower()})") from error
    if done.returncode:
        said = next(iter(done.stderr.decode("utf-8", "replace").strip().splitlines()), "no word why")
        raise NoAnswerError(f"sacct failed: {said}")
    return done.stdout.decode("utf-8", "replace")
