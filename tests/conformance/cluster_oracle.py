"""A whole cluster of a real Slurm, every node of it up, that answers whether it would take a job."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import pytest

from tests.conformance.cluster_requests import Options, script

ORACLE = Path(__file__).with_name("oracle")
FOREIGN = ("SLURM_", "SBATCH_", "SRUN_", "SALLOC_", "PYXIS_")
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


@dataclass(frozen=True)
class Cluster:
    """A running Slurm."""

    root: Path
    environment: dict[str, str]
    release: str

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run one of Slurm's commands."""
        return subprocess.run(
            command,
            env=self.environment,
            cwd=self.root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def ask(self, options: Options, way: Way) -> Answer:
        """Put a request to Slurm; nothing stays behind."""
        path = self.root / "request.sh"
        path.write_text(script(options), "utf-8")
        done = self.run("sbatch", "--parsable", *way.value, str(path))
        job = _JOB.search(done.stdout)
        if job is not None:
            self.run("scancel", "-Q", job[1])
        return Answer(done.returncode == 0, done.stderr.strip())


@contextmanager
def running_cluster(enforce: str, ports: str = "18560") -> Iterator[Cluster]:
    """Start all 20 nodes with *enforce* as EnforcePartLimits, and end them afterwards."""
    if os.geteuid() != 0:
        _without("a Slurm of our own needs root")
    root = Path(tempfile.mkdtemp(prefix="sbatchlint-cluster-"))
    root.chmod(0o755)
    try:
        up = subprocess.run(
            ["bash", ORACLE / "slurm-up", "-d", root, "-b", ports, "-n", "16", "-e", enforce],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        if "apt-get failed" in up.stderr:
            _without("Debian's Slurm packages cannot be installed here")
        assert up.returncode == 0, up.stderr
        environment = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        for line in (root / "env.sh").read_text("utf-8").splitlines():
            name, _, value = line.removeprefix("export ").partition("=")
            environment[name] = value.replace("$PATH", os.environ["PATH"])
        version = subprocess.run(
            ["sbatch", "--version"], env=environment, capture_output=True, text=True, check=True
        )
        yield Cluster(root, environment, version.stdout.split()[1])
    finally:
        subprocess.run(["bash", ORACLE / "slurm-down", "-d", root, "-c"], timeout=300, check=False)
        shutil.rmtree(root, ignore_errors=True)


def _without(reason: str) -> None:
    """Skip, unless the environment says that a Slurm must be there."""
    if os.environ.get("SBATCHLINT_REQUIRE_SLURM"):
        pytest.fail(reason)
    pytest.skip(reason)
