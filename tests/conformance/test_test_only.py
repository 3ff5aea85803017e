"""``sbatchlint --test-only`` beside a real sbatch: its verdict stands among our findings."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conformance.live_slurm import Slurm

pytestmark = [pytest.mark.slurm, pytest.mark.slow]


def lint(slurm: Slurm, text: str) -> subprocess.CompletedProcess[str]:
    path = slurm.folder / "asked.sh"
    path.write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "sbatchlint", "--test-only", "--color=never", path.name],
        cwd=slurm.folder,
        env=slurm.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_accepted(slurm: Slurm) -> None:
    done = lint(slurm, "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --time=5\nsrun hostname\n")
    assert (done.returncode, done.stdout) == (0, "")
    assert "asked.sh: sbatch --test-only: Job " in done.stderr
    assert "to start at" in done.stderr


def test_refused(slurm: Slurm) -> None:
    done = lint(slurm, "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --partition=nosuch\nsrun hostname\n")
    assert done.returncode == 1
    assert "error[SB910] sbatch --test-only refuses the job" in done.stdout
    assert "asked.sh:3:9" in done.stdout
    assert "invalid partition specified: nosuch" in done.stdout


def test_never_fits(slurm: Slurm) -> None:
    done = lint(slurm, "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --gpus-per-node=64\nsrun hostname\n")
    assert done.returncode == 1
    assert "Requested node configuration is not available" in done.stdout
