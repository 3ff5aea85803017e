"""SB515: commands of an image that srun looks for on the host."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

CODE = "SB515"
SRUN = "srun --container-image=/i.sqsh --no-container-mount-home"
TEST = "export SLURM_TEST_EXEC=1"


@pytest.mark.parametrize(
    "body",
    [
        f"{TEST}\n{SRUN} /opt/venv/bin/python t.py",
        f"{TEST}\n{SRUN} python t.py",
        f"{TEST}\n{SRUN} torchrun t.py",
        f"{TEST}\n{SRUN} /opt/nccl-tests/build/all_reduce_perf -g 1",
        f'{TEST}\nA=(--container-mounts=/data:/mnt); {SRUN} "${{A[@]}}" /data/run.sh',
        f"X=1\n{SRUN} --bcast=/tmp/x /opt/a.out",
        f"X=1\nSLURM_TEST_EXEC=1 {SRUN} /opt/a.out",
    ],
)
def test_a_command_of_the_image_is_told(body: str) -> None:
    assert lines(job(body, ntasks=1), CODE) == [(4, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        f"{SRUN} /opt/venv/bin/python t.py",
        f"SLURM_TEST_EXEC=1\n{SRUN} /opt/venv/bin/python t.py",
        f"{TEST}\n{SRUN} bash -c '/opt/venv/bin/python t.py'",
        f"{TEST}\n{SRUN} /usr/bin/env python t.py",
        f"{TEST}\n{SRUN} --container-mounts=/data /data/run.sh",
        f"{TEST}\nsrun /opt/venv/bin/python t.py",
        f"{TEST}\nsrun apptainer exec i.sif /opt/venv/bin/python t.py",
        "srun --bcast=/tmp/a.out ./a.out",
    ],
)
def test_what_srun_finds_or_does_not_look_for_is_left_in_peace(body: str) -> None:
    assert lines(job(body, ntasks=1), CODE) == []
