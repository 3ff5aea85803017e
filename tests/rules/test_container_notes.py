"""SB511 and SB512: what is only told on request."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

SRUN = "srun --container-image=/i.sqsh"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (f"{SRUN} python t.py", True),
        (f"{SRUN} bash -c 'python t.py'", True),
        (f"{SRUN} --no-container-mount-home python t.py", False),
        (f"{SRUN} --container-mount-home python t.py", False),
        (f"{SRUN} --container-mounts=$HOME/code python t.py", False),
        (f"PYTHONNOUSERSITE=1 {SRUN} python t.py", False),
        (f"{SRUN} nvidia-smi", False),
        (f"{SRUN} $MORE python t.py", False),
        ("srun python t.py", False),
    ],
)
def test_the_home_folder_is_the_sites_choice(body: str, found: bool) -> None:
    assert lines(job(body, nodes=1), "SB511") == ([(3, "info")] if found else [])


@pytest.mark.parametrize(
    ("image", "found"),
    [
        ("nvcr.io/nvidia/nemo:25.07", True),
        ("nvcr.io#nvidia/nemo:25.07", True),
        ("docker://me/train:1", True),
        ("ubuntu:22.04", True),
        ("/lustre/images/nemo.sqsh", False),
        ("./nemo.sqsh", False),
        ("$IMAGE", False),
        ("${DIR}/nemo:1", False),
    ],
)
@pytest.mark.parametrize("nodes", [1, 4])
def test_each_node_imports_an_image_of_a_registry(image: str, found: bool, nodes: int) -> None:
    text = job(f"srun --container-image={image} python t.py", nodes=nodes)
    assert lines(text, "SB512") == ([(3, "info")] if found and nodes > 1 else [])


@pytest.mark.parametrize(
    ("image", "address"),
    [
        ("nvcr.io/nvidia/nemo:25.07", "docker://nvcr.io#nvidia/nemo:25.07"),
        ("'nvcr.io#nvidia/nemo:25.07'", "docker://nvcr.io#nvidia/nemo:25.07"),
        ("docker://nvcr.io/nvidia/nemo:25.07", "docker://nvcr.io#nvidia/nemo:25.07"),
        ("nvidia/cuda:12.4", "docker://nvidia/cuda:12.4"),
        ("ubuntu:24.04", "docker://ubuntu:24.04"),
    ],
)
def test_the_address_is_as_enroot_takes_it(image: str, address: str) -> None:
    (found,) = findings(job(f"srun --container-image={image} python t.py", nodes=2), "SB512")
    assert found.help.endswith(f"-o image.sqsh {address}")
