"""SB604: caches under /tmp that all users name alike."""

from __future__ import annotations

import pytest

from tests.rules.checking import fixed, job, lines

CODE = "SB604"


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("export UV_CACHE_DIR=/tmp/uv_cache", "export UV_CACHE_DIR=/tmp/uv_cache_$USER"),
        ('export TRITON_CACHE_DIR="/tmp/triton"', 'export TRITON_CACHE_DIR="/tmp/triton_$USER"'),
        ("HF_HOME=/var/tmp/hf", "HF_HOME=/var/tmp/hf_$USER"),
        ("export A=1 RAY_TMPDIR=/dev/shm/ray B=2", "export A=1 RAY_TMPDIR=/dev/shm/ray_$USER B=2"),
        ("export XDG_CACHE_HOME='/tmp/cache'", "export XDG_CACHE_HOME='/tmp/cache'"),
    ],
)
def test_the_users_name_is_added(line: str, mended: str) -> None:
    text = job(line, "srun python t.py", ntasks=1)
    assert lines(text, CODE) == [(3, "warning")]
    assert fixed(text).converged.source.text == job(mended, "srun python t.py", ntasks=1)


@pytest.mark.parametrize(
    "line",
    [
        "export UV_CACHE_DIR=/tmp/uv_$USER",
        "export UV_CACHE_DIR=/tmp/$SLURM_JOB_ID/uv",
        "export UV_CACHE_DIR=/lustre/uv",
        "export LOG=/tmp/log",
        "export UV_CACHE_DIR=/tmp",
        "# export UV_CACHE_DIR=/tmp/uv",
        "export UV_CACHE_DIR=$(mktemp -d)",
    ],
)
def test_quiet_on_names_of_ones_own(line: str) -> None:
    assert lines(job(line, "srun python t.py", ntasks=1), CODE) == []


def test_on_several_nodes_it_should_be_elsewhere_altogether() -> None:
    text = job("export HF_HOME=/tmp/hf TRITON_CACHE_DIR=/tmp/triton", "srun python t.py", nodes=2, ntasks=2)
    assert len(lines(text, CODE)) == 1
    assert len(lines(text, "SB601")) == 1
