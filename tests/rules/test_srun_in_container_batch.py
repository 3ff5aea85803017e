"""SB503: a batch script that runs in the image itself, and calls srun."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

CODE = "SB503"


@pytest.mark.parametrize(
    ("options", "body", "severity"),
    [
        ({"container_image": "/i.sqsh"}, ["srun python t.py"], "error"),
        ({"container_image": "nvcr.io/nvidia/x:1"}, ["S=srun", "$S -n 2 python t.py"], "error"),
        ({"container_name": "train"}, ["run() { srun python t.py; }", "run"], "error"),
        ({"container_image": "/i.sqsh"}, ['if [ -n "$2" ]; then srun python t.py; fi'], "warning"),
    ],
)
def test_reported_at_the_directive(options: dict[str, str], body: list[str], severity: str) -> None:
    assert lines(job(*body, **options), CODE) == [(2, severity)]


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({"container_image": "/i.sqsh"}, ["python t.py"]),
        ({"container_image": "/i.sqsh", "container_mounts": "/opt/slurm:/opt/slurm"}, ["srun python t.py"]),
        (
            {"container_image": "/i.sqsh", "container_mounts": "/run/munge,/usr/bin/srun"},
            ["srun python t.py"],
        ),
        ({"container_mounts": "/data:/data"}, ["srun --container-image=/i.sqsh python t.py"]),
        ({"nodes": 2}, ["srun --container-image=/i.sqsh python t.py"]),
    ],
)
def test_quiet_where_srun_is_there(options: dict[str, str], body: list[str]) -> None:
    assert lines(job(*body, **options), CODE) == []
