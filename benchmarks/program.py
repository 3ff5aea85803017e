"""The commands that are compared, and the surroundings that they are run in."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import BenchmarkError

PROJECT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Programs:
    """How the two are called."""

    ours: tuple[str, ...]
    shellcheck: str
    environment: dict[str, str]

    def check(self, *words: str) -> list[str]:
        """Return the command line of a check with *words* as its further words."""
        return [*self.ours, "check", *words]


def find_programs(ours: str | None, work: Path) -> Programs:
    """Return the programs.

    *ours* is a command line that starts sbatchlint, where it is not the installed one; *work* is a folder
    that they may write to.  Raises BenchmarkError if one is missing.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SBATCHLINT_", "PYTHONDONT"))
    }
    environment |= {
        "SBATCHLINT_SITE_CONFIG": "",
        "SBATCHLINT_CACHE_DIR": str(work / "cache"),
        "HOME": str(work),
    }
    return Programs(tuple(shlex.split(ours)) if ours else _installed(), _beside("shellcheck"), environment)


def _installed() -> tuple[str, ...]:
    return (_beside("sbatchlint"),)


def _beside(name: str) -> str:
    """Return the program *name* of this Python's environment, or else of PATH."""
    place = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if place is None:
        raise BenchmarkError(f"{name} is not installed; pip install -e '.[test]' brings it")
    return place


def versions(programs: Programs) -> dict[str, str]:
    """Return what was measured, by name."""
    said = _said([*programs.ours, "--version"], programs.environment)
    other = _said([programs.shellcheck, "--version"], programs.environment)
    numbers = [line.split()[-1] for line in other.splitlines() if line.startswith("version:")]
    return {
        "sbatchlint": (said.split() or ["unknown"])[-1],
        "shellcheck": (numbers or ["unknown"])[0],
        "python": sys.version.split()[0],
        "cores": str(len(os.sched_getaffinity(0))),
    }


def _said(words: list[str], environment: dict[str, str]) -> str:
    """Return what a command prints.  Raises BenchmarkError if it can't be started."""
    try:
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=False).stdout
    except OSError as error:
        raise BenchmarkError(f"{words[0]}: {error.strerror or error}") from error
