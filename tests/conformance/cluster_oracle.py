"""Asking a real Slurm, every node of it up, whether it would take a job."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from tests.conformance.cluster_requests import Options, script
from tests.conformance.live_slurm import Slurm

_JOB = re.compile(r"^(\d+)$", re.MULTILINE)
# What has nothing to do with the cluster: sbatch itself, or arithmetic between options.
_OTHER_REASONS = re.compile(
    r"mutually exclusive|invalid number of nodes|differ from|not multiple|is not multiple|without either"
    r"|required nodes \(|--gpus < -N|Invalid GRES specification|Invalid Trackable|time-min|--gpus-per-task"
    r"|did not request any GPU|can not be specified|Requested (?:cpus|mem)_per_tres|< -N"
)


class Way(Enum):
    """How a request is put to Slurm."""

    TEST_ONLY = ("--test-only",)
    HELD = ("--hold",)
    """Compared with limits, not with nodes."""
    LATER = ("--begin=now+1hour",)
    """Compared with both, and not started."""


@dataclass(frozen=True)
class Answer:
    """What Slurm said."""

    accepted: bool
    said: str

    @property
    def for_other_reasons(self) -> bool:
        """Whether it refuses what every cluster would refuse."""
        return not self.accepted and _OTHER_REASONS.search(self.said) is not None


def ask(cluster: Slurm, options: Options, way: Way) -> Answer:
    """Put a request to Slurm; nothing stays behind."""
    path = cluster.folder / "request.sh"
    path.write_text(script(options), "utf-8")
    done = cluster.run("sbatch", "--parsable", *way.value, str(path))
    job = _JOB.search(done.stdout)
    if job is not None:
        cluster.run("scancel", "-Q", job[1])
    return Answer(done.returncode == 0, done.stderr.strip())
