"""SB507: image files without a path."""

from __future__ import annotations

import pytest

from tests.rules.checking import fixed, job, lines

CODE = "SB507"


@pytest.mark.parametrize(
    ("body", "mended"),
    [
        (["srun --container-image=a.sqsh python t.py"], "--container-image=./a.sqsh"),
        (["srun --container-image a.sqsh python t.py"], "--container-image ./a.sqsh"),
        (
            ['IMG="images/nemo-25.07.sqsh"', 'srun --container-image="$IMG" python t.py'],
            '"./images/nemo-25.07.sqsh"',
        ),
        (
            ["O=(--container-image=a.squashfs)", 'srun "${O[@]}" python t.py'],
            "(--container-image=./a.squashfs)",
        ),
    ],
)
def test_the_folder_is_named(body: list[str], mended: str) -> None:
    text = job(*body, ntasks=1)
    assert [severity for _, severity in lines(text, CODE)] == ["error"]
    assert mended in fixed(text).converged.source.text


def test_a_directive_too() -> None:
    assert lines(job("python t.py", container_image="a.sqsh"), CODE) == [(2, "error")]


@pytest.mark.parametrize(
    "image",
    [
        "/images/a.sqsh",
        "./a.sqsh",
        "../a.sqsh",
        "$HOME/a.sqsh",
        "nvcr.io/nvidia/pytorch:25.01-py3",
        "ubuntu",
        "docker://me/x.sqsh",
        "nvcr.io#nvidia/a.sqsh",
        "$IMAGE",
        "${DIR}a.sqsh",
    ],
)
def test_quiet_on_paths_and_names(image: str) -> None:
    assert lines(job(f"srun --container-image={image} python t.py", ntasks=1), CODE) == []
