"""SB323: launchers of several nodes that are not told where to meet."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB323"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["srun bash -c 'torchrun --nnodes=2 --node_rank=$SLURM_NODEID t.py'"], 5, "error"),
        (['C="torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8"', "srun $C t.py"], 5, "error"),
        (["srun python -m torch.distributed.run --nnodes 2 --rdzv_backend c10d t.py"], 5, "error"),
        (["O=(--nnodes 2)", 'srun torchrun "${O[@]}" t.py'], 6, "error"),
        (["srun accelerate launch --num_machines 2 --num_processes 16 t.py"], 5, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        [("srun bash -c 'torchrun --nnodes=2 --node_rank=$SLURM_NODEID --master_addr=$HEAD t.py'")],
        ["srun torchrun --nproc_per_node=8 t.py"],
        ["export PET_MASTER_ADDR=$(hostname)", "srun torchrun --nnodes=2 t.py"],
        ["srun torchrun --nnodes=2 --rdzv_backend=etcd t.py"],
        ["srun torchrun --nnodes=2 $EXTRA t.py"],
        ["srun accelerate launch --config_file acc.yaml --num_machines 2 t.py"],
        ["srun torchrun --standalone --nnodes=2 t.py"],
        ["O=(--nnodes 2 --rdzv_id $SLURM_JOB_ID --rdzv_endpoint $H:29500)", 'srun torchrun "${O[@]}" t.py'],
        ["O=(--nnodes 2 --rdzv_id $RANDOM --rdzv_endpoint $HEAD:29500)", 'srun torchrun "${O[@]}" t.py'],
        ["O=(--nnodes 2 --rdzv_id $RUN --rdzv_endpoint $HEAD:29500)", 'srun torchrun "${O[@]}" t.py'],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
