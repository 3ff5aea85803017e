"""``--diff``: on a terminal nothing is obeyed, through a pipe it is the patch that ``--fix`` stands for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.hostile.payloads import ALL, ESCAPES, EVERYTHING, RAW, RETURN, sent
from tests.hostile.places import put
from tests.hostile.running import run

_TEXTS = {**ESCAPES, **RAW, "return": RETURN, "all": ALL, "everything": EVERYTHING}
_JOB = "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --ntasks-per-node=8\n#SBATCH --gpus-per-node=8\n# {0}\n"


def _fill(folder: Path, text: str, ending: str = "\n") -> None:
    script = f"{_JOB}X='{{0}}' srun torchrun --nproc-per-node=8 train.py {{0}}\n# {{0}}\n"
    put(folder / "job.sh", script.format(text).replace("\n", ending))


@pytest.mark.parametrize("name", _TEXTS)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_patch_is_exact(folder: Path, name: str, ending: str) -> None:
    if shutil.which("patch") is None:
        pytest.skip("there is no program called patch")
    _fill(folder, _TEXTS[name], ending)
    patch = run(folder, "check", "--diff", "job.sh").out
    assert patch.startswith(b"--- job.sh\n")
    run(folder, "check", "--fix", "job.sh")
    fixed = (folder / "job.sh").read_bytes()
    _fill(folder, _TEXTS[name], ending)
    command = ["patch", "-p0", "--binary", "--silent"]
    subprocess.run(command, cwd=folder, input=patch, check=True, capture_output=True)
    assert (folder / "job.sh").read_bytes() == fixed


@pytest.mark.parametrize("name", _TEXTS)
def test_a_terminal_obeys_nothing_of_it(folder: Path, name: str) -> None:
    _fill(folder, _TEXTS[name])
    for more, terminal in (((), True), (("--color", "always"), False)):
        done = run(folder, "check", "--diff", *more, "job.sh", terminal=terminal)
        assert b"ntasks-per-node=1" in done.out
        assert sent(done.both, colour=True) == []


def test_a_name_is_one_line(folder: Path) -> None:
    """Else it could hold a patch of another file."""
    name = "job\n+++ other.sh\n@@ -1 +1 @@\n-a\n+b\n.sh"
    _fill(folder, "x")
    (folder / "job.sh").rename(folder / name)
    patch = run(folder, "check", "--diff", name).out.decode().splitlines()
    assert [line.startswith(("---", "+++")) for line in patch[:3]] == [True, True, False]
    assert sum(line.startswith("+++ ") for line in patch) == 1
