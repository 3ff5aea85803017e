"""SB322: launchers of several nodes that are told to meet at localhost."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB322"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (
            [("srun bash -c 'torchrun --nnodes=2 --node_rank=$SLURM_NODEID --master_addr=127.0.0.1 t.py'")],
            5,
            "error",
        ),
        (
            ["H=localhost", "srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=$H:29500 t.py"],
            5,
            "error",
        ),
        (["srun torchrun --nnodes=2 --rdzv-backend c10d --rdzv-endpoint localhost:29500 t.py"], 5, "error"),
        (
            [
                "A=(--nnodes=2 --rdzv_endpoint=localhost:1234 --rdzv_backend=c10d)",
                'srun torchrun "${A[@]}" t.py',
            ],
            5,
            "error",
        ),
        (
            [
                (
                    "srun bash -c 'accelerate launch --num_machines 2 --main_process_ip 127.0.0.1 "
                    "--machine_rank $SLURM_NODEID t.py'"
                )
            ],
            5,
            "error",
        ),
        (
            [
                "export MASTER_ADDR=localhost",
                "srun -n16 --ntasks-per-node=8 bash -c 'RANK=$SLURM_PROCID python t.py'",
            ],
            5,
            "error",
        ),
        (
            [("srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=${H:-localhost}:29500 t.py")],
            5,
            "warning",
        ),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun torchrun --nnodes=1 --rdzv_endpoint=localhost:0 --rdzv_backend=c10d t.py"],
        ["srun torchrun --standalone --nproc_per_node=8 t.py"],
        ["export MASTER_ADDR=localhost", "srun -N1 -n1 python t.py"],
        ["export MASTER_ADDR=localhost", "srun python serve.py"],
        ["srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=localhost-1:29500 t.py"],
        ["HEAD=$(hostname)", "srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 t.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []


@pytest.mark.parametrize(
    "line",
    [
        "srun python pretrain_gpt.py --deepspeed --deepspeed_config ds.json",
        "cd ~/Megatron-DeepSpeed; srun python3 pretrain_gpt.py ${ARGS}",
        "srun bash -c 'RANK=$SLURM_PROCID python t.py --deepspeed ds.json'",  # no LOCAL_RANK
    ],
)
def test_deepspeed_sets_the_address_anew_where_it_asks_mpi(line: str) -> None:
    setting = "export MASTER_ADDR=127.0.0.1 MASTER_PORT=5432 WORLD_SIZE=$SLURM_NTASKS"
    assert lines(job(setting, line, **{**SIZE, "ntasks_per_node": 8}), CODE) == []


def test_deepspeed_takes_the_address_where_all_its_variables_are_given() -> None:
    text = job(
        "export MASTER_ADDR=127.0.0.1 MASTER_PORT=5432 WORLD_SIZE=$SLURM_NTASKS",
        "srun bash -c 'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID python t.py --deepspeed ds.json'",
        **{**SIZE, "ntasks_per_node": 8},
    )
    assert lines(text, CODE) == [(5, "error")]
