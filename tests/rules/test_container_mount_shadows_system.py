"""SB510: mounts over the image's own programs."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

CODE = "SB510"
SRUN = "srun --container-image=/i.sqsh"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ([f"{SRUN} --container-mounts=/opt:/opt,/d:/d python t.py"], 3),
        ([f"{SRUN} --container-mounts=/d:/usr/local/ python t.py"], 3),
        (['M="/d:/d,/:/"', f'{SRUN} --container-mounts="$M" python t.py'], 3),
        (["O=(--container-mounts=/etc)", f'{SRUN} "${{O[@]}}" python t.py'], 3),
    ],
)
def test_reported(body: list[str], line: int) -> None:
    assert lines(job(*body, nodes=1), CODE) == [(line, "warning")]


@pytest.mark.parametrize(
    "mounts",
    [
        "/code:/opt/Megatron-Bridge",
        "/usr/share/fonts",
        "tmpfs:/opt",
        "/etc/hosts:/etc/hosts",
        "/:/host",
        "/opt/slurm:/opt/slurm",
        "$M",
        "/data,/lustre:/lustre",
    ],
)
def test_quiet_on_folders_below(mounts: str) -> None:
    assert lines(job(f"{SRUN} --container-mounts={mounts} python t.py", nodes=1), CODE) == []
