"""The world size is what the launcher and Slurm make of it, or it is not told."""

from __future__ import annotations

import pytest

from sbatchlint.certainty import Certainty
from tests.training.building import run, runs

NATIVE = "python scripts/training/run_recipe.py --recipe a_config"
MEGATRON = "pretrain_gpt.py --tensor-model-parallel-size 2"
EIGHT = {"nodes": 2, "ntasks_per_node": 8, "gpus_per_node": 8}
ONE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}


def world(line: str, *before: str, **options: object) -> tuple[int, Certainty] | None:
    found = run(*before, line, **options).world
    return None if found is None else (found.ranks, found.certainty)


@pytest.mark.parametrize(
    ("line", "options", "ranks"),
    [
        (f"srun {NATIVE}", EIGHT, 16),
        (f"srun -N1 --ntasks=4 {NATIVE}", EIGHT, 4),
        (f"srun python {MEGATRON}", EIGHT, 16),
        (f"srun torchrun --nnodes=2 --nproc-per-node 8 {MEGATRON}", ONE, 16),
        (f"srun torchrun --nnodes 1:1 --nproc_per_node=4 {MEGATRON}", ONE, 4),
        (f"srun torchrun --nproc_per_node=4 {MEGATRON}", ONE, 4),
        (f"srun torchrun --standalone --nnodes=2 --nproc_per_node=4 {MEGATRON}", ONE, 4),
        (f"srun torchrun {MEGATRON}", ONE, 1),
        (f"PET_NNODES=2 srun torchrun --nproc_per_node=8 {MEGATRON}", ONE, 16),
        (f"PET_STANDALONE=1 PET_NPROC_PER_NODE=4 srun torchrun --nnodes=2 {MEGATRON}", ONE, 4),
        (f"PET_NPROC_PER_NODE=4 srun torchrun --nproc_per_node=8 {MEGATRON}", ONE, 8),
        (f"srun python -m torch.distributed.run --nnodes=2 --nproc_per_node=4 {MEGATRON}", ONE, 8),
        (f"srun accelerate launch --num_machines 2 --num_processes 16 {MEGATRON}", ONE, 16),
        (f"torchrun --nproc_per_node=4 {MEGATRON}", ONE, 4),
        (f"python {MEGATRON}", ONE, 1),
        (f"WORLD_SIZE=4 srun python {MEGATRON}", EIGHT, 4),
        (f"WORLD_SIZE=$SLURM_NTASKS srun python {MEGATRON}", EIGHT, 16),
    ],
)
def test_known(line: str, options: dict[str, object], ranks: int) -> None:
    assert world(line, **options) == (ranks, Certainty.KNOWN)


@pytest.mark.parametrize(
    ("line", "options", "ranks"),
    [
        (f"srun torchrun --nnodes=2 --nproc_per_node=gpu {MEGATRON}", ONE, 16),
        (f"srun torchrun --nnodes=2 --nproc_per_node=${{N:-8}} {MEGATRON}", ONE, 16),
        (f"srun torchrun --nnodes=2 --nproc_per_node=8 $TORCHRUN_ARGS {MEGATRON}", ONE, 16),
        (f"srun {NATIVE}", {"nodes": 2, "gpus_per_node": 8}, 2),
        (f"srun {NATIVE}", {"ntasks_per_node": 8}, 8),
        (f'if [ -n "$A" ]; then srun {NATIVE}; fi', EIGHT, 16),
        ("srun torchrun --nproc_per_node=8 x.py --tensor_model_parallel_size 8", ONE, 8),
        (f"deepspeed --num_gpus 8 {MEGATRON}", ONE, 8),
        (f"deepspeed --num_nodes 2 --num_gpus=8 {MEGATRON}", ONE, 16),
        (f"deepspeed --hostfile h --num_nodes=2 --num_accelerators 4 {MEGATRON}", ONE, 8),
        (f"srun -N1 -n1 deepspeed --hostfile=h --num_nodes 2 --num_gpus 8 {MEGATRON}", ONE, 16),
        (
            "srun deepspeed --hostfile h --num_nodes 2 --num_gpus 8 --no_ssh --node_rank $R "
            f"--master_addr $A {MEGATRON}",
            ONE,
            16,
        ),
        ("python gpt.py trainer.num_nodes=1 trainer.devices=8", ONE, 8),
        (
            "srun -N $N --ntasks-per-node=8 python gpt.py trainer.num_nodes=4 trainer.devices=8",
            {"ntasks_per_node": 8},
            32,
        ),
    ],
)
def test_assumed(line: str, options: dict[str, object], ranks: int) -> None:
    assert world(line, **options) == (ranks, Certainty.ASSUMED)


@pytest.mark.parametrize(
    ("line", "options"),
    [
        (f"srun torchrun --nnodes=1:4 --nproc_per_node=8 {MEGATRON}", ONE),
        (f"srun torchrun --nnodes=$N --nproc_per_node=8 {MEGATRON}", ONE),
        (f"srun torchrun --nnodes=2 --nproc_per_node=8 {MEGATRON}", EIGHT),
        (f"srun torchrun --nnodes=4 --nproc_per_node=8 {MEGATRON}", ONE),
        (f"torchrun --nnodes=2 --nproc_per_node=8 {MEGATRON}", ONE),
        (f"PET_NNODES=$N srun torchrun --nproc_per_node=8 {MEGATRON}", ONE),
        (f"srun torchrun $TORCHRUN_ARGS {MEGATRON}", ONE),
        (f"CUDA_VISIBLE_DEVICES=0,1 srun torchrun --nproc_per_node=gpu {MEGATRON}", ONE),
        (f"srun accelerate launch --config_file c.yaml {MEGATRON}", ONE),
        (f"srun accelerate launch --config_file c.yaml --num_processes 16 {MEGATRON}", ONE),
        (f"srun deepspeed --num_gpus 8 {MEGATRON}", ONE),
        (f"srun deepspeed --hostfile h --num_nodes 2 --num_gpus 8 {MEGATRON}", ONE),
        (f"srun -n3 deepspeed --hostfile h --num_nodes 2 --num_gpus 8 --no_ssh {MEGATRON}", ONE),
        (f"deepspeed --hostfile h --num_gpus 8 {MEGATRON}", ONE),
        (f"deepspeed -H h --num_gpus 8 {MEGATRON}", ONE),
        (f"deepspeed --include localhost:0,1 {MEGATRON}", ONE),
        (f"deepspeed --num_gpus 8 --elastic_training {MEGATRON}", ONE),
        (f"deepspeed --num_nodes $N --num_gpus 8 {MEGATRON}", ONE),
        (f"deepspeed --num_gpus 8 $DS_ARGS {MEGATRON}", ONE),
        (f"deepspeed {MEGATRON}", ONE),
        (f"mpirun -np 8 python {MEGATRON}", ONE),
        (f"srun mpirun -np 8 torchrun {MEGATRON}", ONE),
        (f"srun docker run image python {MEGATRON}", EIGHT),
        (f"WORLD_SIZE=$N srun python {MEGATRON}", EIGHT),
        (f"srun bash -c 'if [ $SLURM_PROCID = 0 ]; then python {MEGATRON}; fi'", EIGHT),
        ("srun python tool.py --tensor-model-parallel-size 2", ONE),
        ("python tool.py --tensor-model-parallel-size 2", ONE),
        (NATIVE, EIGHT),
        (f"srun {NATIVE} --dry-run", EIGHT),
        (f"srun {NATIVE}", {"nodes": "2-4", "ntasks_per_node": 8}),
        ("srun python gpt.py trainer.num_nodes=4 trainer.devices=8", EIGHT),
        ("srun python gpt.py trainer.num_nodes=$N trainer.devices=4", EIGHT),
        ("srun python gpt.py trainer.num_nodes=2", EIGHT),
        ("srun python gpt.py trainer.num_nodes=2 trainer.devices=8", ONE),
        ("python gpt.py trainer.num_nodes=2 trainer.devices=8", ONE),
        ("python gpt.py trainer.devices=8", ONE),
        ("srun torchrun --nnodes=$N --nproc_per_node=8 gpt.py trainer.num_nodes=2 trainer.devices=8", ONE),
        ("srun -N $N python gpt.py trainer.devices=8", ONE),
        (
            "srun -N $N bash -c 'if [ $SLURM_PROCID = 0 ]; then "
            "python gpt.py trainer.num_nodes=2 trainer.devices=8; fi'",
            ONE,
        ),
    ],
)
def test_not_told(line: str, options: dict[str, object]) -> None:
    assert world(line, **options) is None


@pytest.mark.parametrize("words", ["trainer.num_nodes=2 trainer.devices=8", "trainer.devices=8"])
def test_nemos_own_numbers_must_agree_with_the_tasks(words: str) -> None:
    assert world(f"srun python gpt.py {words}", **EIGHT) == (16, Certainty.KNOWN)


def test_the_sum_names_its_factors_and_their_places() -> None:
    found = run(f"srun {NATIVE}", **EIGHT).world
    assert found is not None
    assert found.sum == "2 nodes x 8 tasks per node = 16 ranks"
    assert [term.message for term in found.terms] == ["2 nodes", "8 tasks per node"]
    assert found.per_node == 8


@pytest.mark.parametrize(
    ("options", "srun", "told"),
    [
        ({"nodes": 2, "ntasks_per_node": 8}, "-N $SLURM_NNODES --ntasks-per-node=8",
         {"2 nodes", "8 tasks per node"}),
        ({"nodes": 2, "ntasks_per_node": 8}, "--nodes=2 --ntasks-per-node=8",
         {"2 nodes", "8 tasks per node"}),
        ({"nodes": 2, "ntasks": 16}, "", {"2 nodes", "8 tasks per node", "16 tasks"}),
        ({"ntasks": 16}, "", {"16 tasks"}),
    ],
)  # fmt: skip
def test_no_number_of_nodes_is_called_one_of_tasks(
    options: dict[str, int], srun: str, told: set[str]
) -> None:
    found = run(f"srun {srun} python pretrain_gpt.py", **options).world
    assert found is not None
    assert {term.message for term in found.terms} <= told


def test_the_numbers_of_the_trainer_tell_the_sum_and_its_places() -> None:
    found = run("srun -N $N python gpt.py trainer.num_nodes=4 trainer.devices=8").world
    assert found is not None
    assert found.sum == "trainer.num_nodes 4 x trainer.devices 8 = 32 ranks"
    assert [term.message for term in found.terms] == ["trainer.num_nodes 4", "trainer.devices 8"]
    assert found.per_node == 8


def test_a_launcher_without_nnodes_is_alone() -> None:
    found = run(f"srun torchrun --nproc_per_node=8 {MEGATRON}", **ONE).world
    assert found is not None
    assert found.alone
    assert found.sum == "torchrun alone on its node: 8 ranks"


def test_the_program_of_an_inner_step_is_not_counted_twice() -> None:
    found = runs(f"srun -N2 -n2 bash -c 'srun --overlap -n4 {NATIVE}'", **EIGHT)
    assert [r.world.ranks if r.world else None for r in found] == [4]


def test_a_world_size_of_all_tasks_is_told_by_the_tasks() -> None:
    found = run(f"srun bash -c 'export WORLD_SIZE=$SLURM_NTASKS; python {MEGATRON}'", **EIGHT).world
    assert found is not None
    assert found.sum == "2 nodes x 8 tasks per node = 16 ranks"
    assert found.per_node == 8
