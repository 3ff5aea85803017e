"""SB503: a batch script that runs in the image itself, and calls srun."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

CODE = "SB503"


@pytest.mark.parametrize(
    ("options", "body", "confidence"),
    [
        ({"container_image": "/i.sqsh"}, ["srun python t.py"], "high"),
        ({"container_image": "nvcr.io/nvidia/x:1"}, ["S=srun", "$S -n 2 python t.py"], "high"),
        ({"container_name": "train"}, ["run() { srun python t.py; }", "run"], "high"),
        ({"container_image": "/i.sqsh"}, ['if [ -n "$2" ]; then srun python t.py; fi'], "medium"),
    ],
)
def test_reported_at_the_directive(options: dict[str, str], body: list[str], confidence: str) -> None:
    (found,) = findings(job(*body, **options), CODE)
    assert (found.severity.value, found.confidence.value) == ("warning", confidence)
    assert found.span.start >= len("#!/bin/bash\n")


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({"container_image": "/i.sqsh"}, ["python t.py"]),
        ({"container_image": "/images/with-slurm.sqsh"}, ["srun python t.py"]),
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


def test_the_image_moves_to_the_only_srun_on_request() -> None:
    directive = "#SBATCH --container-image=nvcr.io\\#nvidia/pytorch:25.01-py3"
    text = f"#!/bin/bash\n{directive}\nsrun python t.py\n"
    assert fixed(text, code=CODE).converged.source.text == text
    assert fixed(text, code=CODE, unsafe=True).converged.source.text == (
        "#!/bin/bash\nsrun --container-image='nvcr.io#nvidia/pytorch:25.01-py3' python t.py\n"
    )
    twice = text + "srun python u.py\n"
    assert fixed(twice, code=CODE, unsafe=True).converged.source.text == twice
