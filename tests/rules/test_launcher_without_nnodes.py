"""SB334: a launcher on each of several nodes that is not told of the others."""

from __future__ import annotations

import pytest

from sbatchlint.lint.finding import Confidence
from tests.rules.checking import findings, job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB334"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (["srun torchrun --nproc_per_node=8 train.py"], 5),
        (["srun torchrun --standalone --nproc_per_node=8 train.py"], 5),
        (["srun python -m torch.distributed.run --nproc-per-node 8 train.py"], 5),
        (["srun python3 -m torch.distributed.launch --nproc_per_node=8 train.py"], 5),
        (["N=8", 'CMD="torchrun --nproc_per_node=$N train.py"', 'srun bash -c "$CMD"'], 6),
        (["A=(torchrun --nproc_per_node=8)", 'srun "${A[@]}" train.py'], 5),
        (["run() { torchrun --nproc_per_node=8 train.py; }", "export -f run", "srun bash -c run"], 5),
        (["srun -N 2 -n 2 torchrun --nproc_per_node=8 train.py"], 5),
        (['srun bash -c "torchrun --nproc_per_node=8 train.py $ARGS"'], 5),
        (["srun accelerate launch --num_processes 8 train.py"], 5),
        (["srun accelerate launch --multi_gpu --num_processes=$SLURM_GPUS_ON_NODE train.py"], 5),
        (["srun --container-image=img.sqsh bash -c 'cd /w && torchrun --nproc_per_node=8 train.py'"], 5),
    ],
)
def test_reported(body: list[str], line: int) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, "warning")]
    assert [found.confidence for found in findings(job(*body, **SIZE), CODE)] == [Confidence.HIGH]


@pytest.mark.parametrize("count", ["", "--num_processes 16", "--num_processes $N"])
def test_a_file_of_accelerate_may_say_it(count: str) -> None:
    found = findings(job(f"srun accelerate launch {count} train.py", **SIZE), CODE)
    assert [one.confidence for one in found] == [Confidence.MEDIUM]


@pytest.mark.parametrize(
    "body",
    [
        ["srun torchrun --nnodes=1 --nproc_per_node=8 train.py"],
        ["srun torchrun --nnodes=1 --standalone --nproc_per_node=8 train.py"],
        ["export PET_NNODES=2", "srun torchrun --nproc_per_node=8 train.py"],
        ["srun torchrun $DISTRIBUTED_ARGS train.py"],
        ["source ./env.sh", 'srun torchrun "${ARGS[@]}" train.py'],
        ["srun -N 1 -n 1 torchrun --nproc_per_node=8 train.py"],
        ["torchrun --nproc_per_node=8 train.py"],
        ["for i in 0 1; do srun -N1 -n1 -r $i torchrun --nproc_per_node=8 train.py & done", "wait"],
        ["srun -w node1,node2 torchrun --nproc_per_node=8 train.py"],
        ["srun bash -c 'torchrun --nproc_per_node=8 train.py --seed $SLURM_NODEID'"],
        ["srun bash -c 'SHARD=$SLURM_PROCID torchrun --nproc_per_node=8 train.py'"],
        ["srun bash -c 'torchrun --nproc_per_node=8 train.py --out out/$(hostname)'"],
        ["srun bash -c 'D=part$SLURM_NODEID; torchrun --nproc_per_node=8 train.py --data $D'"],
        ["srun torchrun --nproc_per_node=8 bench_allreduce.py"],
        ["srun torchrun --standalone --nproc_per_node=8 tools/nccl_test.py"],
        ["srun torchrun --nproc_per_node=8 single_node_check.py"],
        ["srun accelerate launch --config_file=a.yaml --num_processes 8 train.py"],
        ["srun accelerate launch --num_machines 1 --num_processes 8 train.py"],
        ["srun bash -c 'accelerate launch --machine_rank $SLURM_NODEID --main_process_ip $H train.py'"],
        ["srun accelerate launch --rdzv_backend c10d --main_process_ip $H --num_processes 16 train.py"],
        ["srun accelerate launch --deepspeed_hostfile h --num_processes 16 train.py"],
        ["srun accelerate launch $ARGS train.py"],
        ["srun python train.py"],
    ],
)
def test_silent(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []


def test_silent_in_arrays_and_on_one_node() -> None:
    body = "srun torchrun --nproc_per_node=8 train.py"
    assert lines(job(body, array="0-3", **SIZE), CODE) == []
    assert lines(job(body, **{**SIZE, "nodes": 1}), CODE) == []
    assert lines(job(body, job_name="node-health", **SIZE), CODE) == []
    assert lines(job(body, ntasks_per_node=1, gpus_per_node=8), CODE) == []


def test_a_branch_lowers_the_confidence() -> None:
    text = job('if [ "$1" = go ]; then srun torchrun --nproc_per_node=8 train.py; fi', **SIZE)
    assert [found.confidence for found in findings(text, CODE)] == [Confidence.MEDIUM]


def test_an_address_without_nnodes_is_told_once() -> None:
    text = job("srun torchrun --nproc_per_node=8 --rdzv_endpoint=$HEAD:24000 train.py", **SIZE)
    assert lines(text, CODE) == []
    assert lines(text, "SB326") == [(5, "warning")]
