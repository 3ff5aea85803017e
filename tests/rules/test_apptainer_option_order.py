"""SB505: options behind the image."""

from __future__ import annotations

import pytest

from tests.rules.checking import fixed, job, lines

CODE = "SB505"


@pytest.mark.parametrize(
    ("body", "mended"),
    [
        ("apptainer exec a.sif --nv python t.py", "apptainer exec --nv a.sif python t.py"),
        ("singularity exec a.sif -B /d:/d python t.py", "singularity exec -B /d:/d a.sif python t.py"),
        (
            "apptainer exec a.sif --nv --bind=/d python t.py",
            "apptainer exec --nv --bind=/d a.sif python t.py",
        ),
        ('apptainer exec "$IMG" --nv python t.py', 'apptainer exec --nv "$IMG" python t.py'),
        (
            "srun -n 1 apptainer exec a.sif --rocm python t.py",
            "srun -n 1 apptainer exec --rocm a.sif python t.py",
        ),
    ],
)
def test_options_go_in_front_of_the_image(body: str, mended: str) -> None:
    text = job(body, ntasks=1, gpus=1)
    assert lines(text, CODE) == [(4, "error")]
    assert mended in fixed(text).converged.source.text


def test_in_a_variable() -> None:
    text = job('C="apptainer exec a.sif --nv"', "srun $C python t.py", ntasks=1, gpus=1)
    assert lines(text, CODE) == [(4, "error")]


def test_a_start_script_may_have_options_of_its_own() -> None:
    assert lines(job("apptainer run a.sif --nv t.py", ntasks=1, gpus=1), CODE) == [(4, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        "apptainer exec --nv a.sif python t.py --bind x",
        "apptainer exec --nv a.sif python --nv",
        "apptainer run --nv a.sif --help",
        "apptainer exec --nv -B /d a.sif bash -c 'x --nv'",
        "docker run --gpus all image --nv",
        "apptainer exec $FLAGS --nv a.sif python t.py",
        "apptainer exec ${FLAGS[@]} --bind /d a.sif python t.py",
        'apptainer exec "${FLAGS[@]}" --nv a.sif python t.py',
        "singularity exec $CONTAINER_PATH /bin/bash -c 'python t.py'",
        "singularity exec --nv $SIF bash -e t.sh",
        "singularity exec $OPTS $SIF bash -c 'python t.py'",
        "apptainer exec $MOUNTS --nv $1 python -B t.py",
        "I=; apptainer exec --nv $I bash -c 'python t.py'",
    ],
)
def test_quiet_on_options_of_the_program(body: str) -> None:
    assert lines(job(body, ntasks=1, gpus=1), CODE) == []
