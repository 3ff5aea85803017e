"""SB514: the shared memory of a container of Docker's or Podman's."""

from __future__ import annotations

import pytest

from tests.rules.checking import fixed, job, lines

CODE = "SB514"
GPUS = {"nodes": 1, "gpus_per_node": 4}


@pytest.mark.parametrize(
    "body",
    [
        "docker run --gpus all --rm img:1 python train.py --num_workers=4",
        "podman run --device nvidia.com/gpu=all img:1 torchrun --nproc_per_node=4 train.py",
        "srun docker container run --gpus=all img:1 accelerate launch --num_processes 4 train.py",
        'RUN="docker run --gpus all -v /data:/data"; $RUN img:1 python train.py --dataloader_num_workers 2',
        "docker run --gpus all img:1 bash -c 'torchrun --nproc_per_node=4 train.py'",
        "nvidia-docker run img:1 torchrun --nproc_per_node=4 train.py",
    ],
)
def test_the_default_is_told(body: str) -> None:
    assert lines(job(body, **GPUS), CODE) == [(4, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        "docker run --gpus all --ipc=host img:1 torchrun --nproc_per_node=2 t.py",
        "docker run --gpus all --ipc host img:1 torchrun --nproc_per_node=2 t.py",
        "docker run --gpus all --shm-size=16g img:1 torchrun --nproc_per_node=2 t.py",
        "docker run --gpus all -v /dev/shm:/dev/shm img:1 torchrun --nproc_per_node=2 t.py",
        "docker run --gpus all --mount type=tmpfs,target=/dev/shm img:1 torchrun --nproc_per_node=2 t.py",
        "docker run --gpus all --tmpfs /dev/shm:size=8g img:1 torchrun --nproc_per_node=2 t.py",
        "A='--gpus all --ipc=host'; docker run $A img:1 torchrun --nproc_per_node=2 t.py",
        "docker run --gpus all $ARGS img:1 torchrun --nproc_per_node=2 t.py",
        "docker run --gpus all img:1 nvidia-smi",
        "docker run --gpus all img:1 python train.py",
        "docker run --gpus all img:1 torchrun --nproc_per_node=1 train.py",
        "docker run --gpus all img:1 python train.py --num_workers 0",
        "docker exec -it name torchrun --nproc_per_node=2 t.py",
        "docker run img:1 python prepare.py",
        "podman-hpc run --gpu img:1 torchrun --nproc_per_node=2 t.py",
        "apptainer exec --nv img.sif torchrun --nproc_per_node=2 t.py",
        "srun --container-image=/i.sqsh torchrun --nproc_per_node=2 t.py",
        "enroot start i torchrun --nproc_per_node=2 t.py",
    ],
)
def test_more_memory_and_other_runtimes_are_left_in_peace(body: str) -> None:
    assert lines(job(body, **GPUS), CODE) == []


def test_the_fix_is_the_readers_choice() -> None:
    text = job("docker run --gpus all img:1 torchrun --nproc_per_node=2 t.py", **GPUS)
    assert fixed(text, code=CODE).converged.source.text == text
    mended = fixed(text, unsafe=True, code=CODE).converged.source.text
    assert mended == job("docker run --ipc=host --gpus all img:1 torchrun --nproc_per_node=2 t.py", **GPUS)
