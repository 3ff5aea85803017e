"""SB325: more processes on a node than GPUs."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 1, "ntasks_per_node": 1, "gpus_per_node": 4}
CODE = "SB325"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["srun torchrun --nproc_per_node=8 t.py"], 5, "error"),
        (["torchrun --standalone --nproc-per-node 8 t.py"], 5, "error"),
        (["G=8", 'C="torchrun --nproc_per_node=$G"', 'srun bash -c "$C t.py"'], 5, "error"),
        (["A=(--nproc_per_node=6)", 'srun python -m torch.distributed.run "${A[@]}" t.py'], 5, "error"),
        (["srun torchrun --nproc_per_node=${G:-8} t.py"], 5, "warning"),
        (["srun torchrun --nproc_per_node=2 t.py"], 5, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun torchrun --nproc_per_node=4 t.py"],
        ["srun torchrun --nproc_per_node=gpu t.py"],
        ["srun torchrun --nproc_per_node=8 preprocess.py --device cpu"],
        ["srun torchrun --nproc_per_node=8 t.py --backend gloo"],
        ["CUDA_VISIBLE_DEVICES= torchrun --nproc_per_node=8 t.py"],
        ["srun -n 2 torchrun --nproc_per_node=8 t.py"],
        ["torchrun t.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
