"""Asking the cluster's own sbatch whether it would take a job.  Nothing is submitted, nothing is run."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Source

_TIMEOUT = 30.0
_NOBODY_THERE = regex(
    r"configuration source|[Cc]ontact(?:ing)? (?:the )?slurm controller|Connection (?:refused|timed out)"
    r"|Socket timed out|Unable to connect|[Pp]rotocol authentication|slurm\.conf"
)
"""What sbatch says where it has no cluster to ask: that tells nothing of the script."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What ``sbatch --test-only`` says."""

    accepted: bool
    said: str
    """Its words on standard error: why it refuses, or when and where the job would start."""


class SbatchAsker:
    """Puts scripts to ``sbatch --test-only``; what was asked once is remembered."""

    def __init__(self, sbatch_args: Sequence[str] = (), command: str = "sbatch") -> None:
        """*sbatch_args* are the options that sbatch will be given besides."""
        self._command = [command, "--test-only", *sbatch_args]
        self._answers: dict[bytes, Answer] = {}

    def __call__(self, source: Source) -> Answer:
        """Return what sbatch says of *source*.

        Raises OSError where sbatch can't be started, reaches no cluster, or takes more than 30 seconds.
        """
        script = source.to_bytes()
        if script not in self._answers:
            self._answers[script] = self._ask(script)
        return self._answers[script]

    def _ask(self, script: bytes) -> Answer:
        try:
            done = subprocess.run(
                self._command, input=script, capture_output=True, timeout=_TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise TimeoutError(f"no answer within {_TIMEOUT:.0f} seconds") from error
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        if done.returncode and _NOBODY_THERE.search(said):
            raise ConnectionError(said.splitlines()[-1].removeprefix("sbatch: error: "))
        return Answer(done.returncode == 0, said)
