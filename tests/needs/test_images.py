"""Images of containers."""

from __future__ import annotations

import pytest

from tests.needs.needing import needs


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("srun --container-image=/images/a.sqsh hostname", "file"),
        ("srun --container-image=./a.sqsh hostname", "file"),
        ("srun --container-image=$HOME/a.sqsh hostname", "file"),
        ("srun --container-image=a.sqsh hostname", "registry"),
        ("srun --container-image=nvcr.io#nvidia/nemo:1 hostname", "registry"),
        ("srun --container-image=$IMAGE hostname", "unknown"),
        ("apptainer exec a.sif hostname", "file"),
        ("singularity exec sandbox hostname", "file"),
        ("apptainer exec docker://alpine hostname", "registry"),
        ("apptainer exec instance://mine hostname", "local"),
        ("podman run localhost/mine hostname", "unknown"),
        ("podman run registry.example.org/a/b hostname", "registry"),
        ("shifter --image=mine:1 hostname", "local"),
    ],
)
def test_where_an_image_comes_from(line: str, kind: str) -> None:
    (image,) = needs(line).images
    assert image.kind.value == kind


def test_an_image_of_two() -> None:
    lines = 'if [ "$A" = 1 ]; then I=/a.sqsh; else I=nvcr.io/b; fi', "srun --container-image=$I hostname"
    assert [(one.kind.value, one.name) for one in needs(*lines).images] == [
        ("file", "/a.sqsh"),
        ("registry", "nvcr.io/b"),
    ]


def test_a_container_that_runs_already_has_no_image() -> None:
    assert needs("srun --container-name=mine hostname").images == ()
    assert needs("docker exec mine hostname").images == ()


def test_one_image_of_several_steps_is_told_once() -> None:
    line = "srun --container-image=/a.sqsh hostname"
    assert len(needs("I=/a.sqsh", *["srun --container-image=$I hostname"] * 2).images) == 1
    assert [one.name for one in needs(line).images] == ["/a.sqsh"]
