"""SB513: folders of enroot's that Pyxis does not hand on."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job

CODE = "SB513"
SRUN = "srun --container-image=/i.sqsh --no-container-mount-home python t.py"


@pytest.mark.parametrize(
    "body",
    [
        f"export ENROOT_DATA_PATH=/scratch/e\n{SRUN}",
        f"ENROOT_CACHE_PATH=/scratch/e {SRUN}",
        f"export ENROOT_TEMP_PATH=$SCRATCH/tmp\n{SRUN}",
        f'declare -x ENROOT_RUNTIME_PATH=/run/e\nR=({SRUN})\n"${{R[@]}}"',
        f"set -a\nENROOT_DATA_PATH=/scratch/e\n{SRUN}\n{SRUN}",
    ],
)
def test_a_folder_that_counts_for_nothing_is_told_once(body: str) -> None:
    (found,) = findings(job(body, ntasks=1), CODE)
    assert found.severity.value == "warning"


@pytest.mark.parametrize(
    "body",
    [
        f"export XDG_DATA_HOME=/scratch/e\n{SRUN}",
        f"export ENROOT_CONFIG_PATH=/scratch/e\n{SRUN}",
        f"export ENROOT_MOUNT_HOME=n\n{SRUN}",
        f"export ENROOT_DATA_PATH=/scratch/e\nenroot import -o i.sqsh docker://a\n{SRUN}",
        f"export ENROOT_CACHE_PATH=/scratch/e\nsrun -n1 enroot import -o i.sqsh docker://a\n{SRUN}",
        f"export ENROOT_DATA_PATH=/scratch/e\nif true; then enroot create i; fi\n{SRUN}",
        "export ENROOT_DATA_PATH=/scratch/e\nsrun enroot start i python t.py",
        "export ENROOT_DATA_PATH=/scratch/e\nsrun python t.py",
        f"ENROOT_DATA_PATH=/scratch/e\n{SRUN}",
    ],
)
def test_what_is_read_or_not_exported_is_left_in_peace(body: str) -> None:
    assert findings(job(body, ntasks=1), CODE) == []
