"""SB311: training that the batch shell starts on one node of several."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB311"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["torchrun --nnodes=2 --nproc_per_node=8 train.py"], 5, "error"),
        (['CMD="torchrun --nnodes $SLURM_NNODES --nproc_per_node 8"', "$CMD train.py"], 5, "error"),
        (
            ["ARGS=(--nnodes=2 --nproc_per_node=8)", 'python -m torch.distributed.run "${ARGS[@]}" train.py'],
            6,
            "error",
        ),
        (["go() { torchrun --nnodes=2 train.py; }", "go"], 5, "error"),
        (["accelerate launch --num_machines 2 --num_processes 16 train.py"], 5, "error"),
        (["uv run torchrun --nnodes=2 train.py 2>&1 | tee log"], 5, "error"),
        (["torchrun --standalone --nproc_per_node=8 train.py"], 5, "warning"),
        (["python train.py --num_nodes=2 --devices 8"], 5, "error"),
        (["python train.py trainer.num_nodes=2 trainer.devices=8"], 5, "error"),
        (["python pretrain_gpt.py"], 5, "warning"),
        (["python finetune.py"], 5, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun torchrun --nnodes=2 --nproc_per_node=8 train.py"],
        ['S="srun -l"', '$S bash -c "torchrun --nnodes=2 train.py"'],
        [("for n in $(scontrol show hostnames); do ssh $n torchrun --nnodes=2 train.py & done; wait")],
        ["mpirun -np 16 python train.py"],
        ["deepspeed --hostfile hosts train.py --num_nodes 2"],
        ["python launch_jobs.py --num_nodes 2"],
        ["python submit.py --nodes 2"],
        ["python train.py --num_nodes 2 --submit"],
        ["python train.py -m hydra/launcher=submitit_slurm trainer.num_nodes=2"],
        ["$LAUNCHER torchrun --nnodes=2 train.py"],
        ["python tools.py list | xargs -I{} ssh {} torchrun --nnodes=2 train.py"],
        ["srun -N1 -n1 torchrun --nnodes=2 train.py &", "torchrun --nnodes=2 train.py"],
        ["srun hostname", "srun python train.py", "python merge.py"],
        ["ray start --head", "python train.py"],
        ["python evaluate.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
