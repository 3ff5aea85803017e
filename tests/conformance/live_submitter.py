"""Submitting many scripts to a live Slurm, held, and seeing what it made of them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.random_scripts import Submission
from tests.slurm.shown_job import shown_fields

_AT_ONCE = 2
_PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What Slurm said; ``components`` is empty where it refused."""

    submission: Submission
    said: str
    components: tuple[dict[str, str], ...]

    @property
    def accepted(self) -> bool:
        """Whether there is a job."""
        return bool(self.components)


class LiveSubmitter:
    """Submits in batches: one sbatch for each script, one scontrol and one scancel for all."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder = folder
        self._environment = environment

    def ask(self, submissions: Sequence[Submission]) -> list[Answer]:
        """Submit all and return the answers in the same order."""
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            first = list(pool.map(self._submit, range(len(submissions)), submissions))
        numbers = [number for number, _ in first if number]
        shown = self._show(numbers)
        self._cancel(numbers)
        return [
            Answer(submission, said, tuple(shown.get(number, ())))
            for submission, (number, said) in zip(submissions, first, strict=True)
        ]

    def _submit(self, index: int, submission: Submission) -> tuple[str, str]:
        path = self._folder / f"random-{index}.sh"
        path.write_text(submission.text, "utf-8", newline="")
        done = subprocess.run(
            ["sbatch", "-H", "--parsable", *submission.arguments, str(path)],
            env=self._environment | dict(submission.environment),
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
        number = re.match(rb"[0-9]+", done.stdout.splitlines()[-1] if done.stdout.strip() else b"")
        return number[0].decode() if number else "", done.stderr.decode("utf-8", "replace").strip()

    def _show(self, numbers: Iterable[str]) -> dict[str, list[dict[str, str]]]:
        commands = "".join(f"show job {number}\n" for number in numbers)
        done = self._run(["scontrol"], commands)
        found: dict[str, list[dict[str, str]]] = {}
        for block in re.split(r"\n\s*\n", done):
            start = block.find("JobId=")
            if start < 0:
                continue
            fields = shown_fields(block[start:])
            number = fields.get("HetJobId") or fields.get("ArrayJobId") or fields["JobId"].partition("_")[0]
            found.setdefault(number, []).append(fields)
        return found

    def _cancel(self, numbers: Sequence[str]) -> None:
        for start in range(0, len(numbers), 200):
            self._run(["scancel", "-Q", *numbers[start : start + 200]], "")

    def _run(self, command: Sequence[str], typed: str) -> str:
        done = subprocess.run(
            command,
            env=self._environment,
            cwd=self._folder,
            input=typed,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=600,
            check=False,
        )
        return done.stdout
