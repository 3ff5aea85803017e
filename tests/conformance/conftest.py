"""A real Slurm of our own on the loopback interface, for the time of the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

# What compares a plan with a run is shared with the tests against bash.
sys.path.insert(0, str(Path(__file__).parents[1] / "launch"))

ORACLE = Path(__file__).with_name("oracle")
PORTS = "18000"
NODES = "4"


@dataclass(frozen=True)
class Slurm:
    """A running Slurm: its environment and its release."""

    folder: Path
    environment: dict[str, str]
    release: str

    def run(self, *command: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
        """Run one of Slurm's commands."""
        return subprocess.run(
            command,
            env=self.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )


def _without(reason: str) -> None:
    """Skip, unless the environment says that a Slurm must be there."""
    if os.environ.get("SBATCHLINT_REQUIRE_SLURM"):
        pytest.fail(reason)
    pytest.skip(reason)


def _environment(root: Path) -> dict[str, str]:
    foreign = ("SLURM_", "SBATCH_", "SRUN_", "SALLOC_", "PYXIS_")
    found = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    for line in (root / "env.sh").read_text("utf-8").splitlines():
        name, _, value = line.removeprefix("export ").partition("=")
        found[name] = value.replace("$PATH", os.environ["PATH"])
    return found


@pytest.fixture(scope="session")
def slurm() -> Iterator[Slurm]:
    """Start Slurm in a folder of its own, and end it afterwards."""
    if os.geteuid() != 0:
        _without("a Slurm of our own needs root")
    # Not pytest's own folder: the path of munge's socket has a limit of some hundred characters.
    root = Path(tempfile.mkdtemp(prefix="sbatchlint-slurm-"))
    root.chmod(0o755)
    try:
        up = subprocess.run(
            ["bash", ORACLE / "slurm-up", "-d", root, "-b", PORTS, "-n", NODES],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        if "apt-get failed" in up.stderr:
            _without("Debian's Slurm packages cannot be installed here")
        assert up.returncode == 0, up.stderr
        environment = _environment(root)
        version = subprocess.run(
            ["sbatch", "--version"], env=environment, capture_output=True, text=True, check=True
        )
        scripts = root / "scripts"
        scripts.mkdir()
        yield Slurm(scripts, environment, version.stdout.split()[1])
    finally:
        subprocess.run(["bash", ORACLE / "slurm-down", "-d", root, "-c"], timeout=300, check=False)
        shutil.rmtree(root, ignore_errors=True)
