"""Starting a real Slurm of our own on the loopback interface, and ending it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ORACLE = Path(__file__).with_name("oracle")
FOREIGN = ("SLURM_", "SBATCH_", "SRUN_", "SALLOC_", "PYXIS_")
"""Variables of a Slurm that the tester may be using must not reach ours."""


@dataclass(frozen=True)
class Slurm:
    """A running Slurm."""

    folder: Path
    """Where scripts may be written, and commands are run."""
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


@contextmanager
def running_slurm(*, nodes: int, first_port: int, enforce: str = "ALL") -> Iterator[Slurm]:
    """Start Slurm in a folder of its own, with *enforce* as EnforcePartLimits, and end it afterwards."""
    if os.geteuid() != 0:
        _without("a Slurm of our own needs root")
    # Not pytest's own folder: the path of munge's socket has a limit of some hundred characters.
    root = Path(tempfile.mkdtemp(prefix="sbatchlint-slurm-"))
    root.chmod(0o755)
    try:
        options = ("-d", root, "-b", str(first_port), "-n", str(nodes), "-e", enforce)
        up = subprocess.run(
            ["bash", ORACLE / "slurm-up", *options], capture_output=True, text=True, timeout=600, check=False
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


def _environment(root: Path) -> dict[str, str]:
    found = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    for line in (root / "env.sh").read_text("utf-8").splitlines():
        name, _, value = line.removeprefix("export ").partition("=")
        found[name] = value.replace("$PATH", os.environ["PATH"])
    return found


def _without(reason: str) -> None:
    """Skip what needs a Slurm, but fail where the environment says that one must be there, as in CI."""
    if os.environ.get("SBATCHLINT_REQUIRE_SLURM"):
        pytest.fail(reason)
    pytest.skip(reason)
