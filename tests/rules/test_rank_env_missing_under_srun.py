"""SB331: programs that get no rank."""

from __future__ import annotations

import pytest

from sbatchlint.lint.finding import Confidence
from tests.rules.checking import findings, job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 8, "gpus_per_node": 8}
CODE = "SB331"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["export MASTER_ADDR=h", "srun python pretrain_gpt.py"], 6, "warning"),
        (["export MASTER_ADDR=h WORLD_SIZE=16", 'S="srun -l"', "$S python t.py"], 6, "warning"),
        (["export MASTER_ADDR=h WORLD_SIZE=16", 'srun bash -c "python t.py"'], 6, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun python pretrain_gpt.py"],
        ["export MASTER_ADDR=h WORLD_SIZE=16", "srun bash -c 'RANK=$SLURM_PROCID python t.py'"],
        ["export MASTER_ADDR=h WORLD_SIZE=16", "srun --container-image=i.sqsh python t.py"],
        ["export MASTER_ADDR=h", "srun python t.py"],
        ["export MASTER_ADDR=h WORLD_SIZE=16", "srun python lightning_train.py"],
        ["srun python scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config"],
        ["export MASTER_ADDR=h WORLD_SIZE=16", "srun -N1 -n1 python t.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []


def test_a_program_that_nobody_knows_may_take_slurms_variables() -> None:
    (found,) = findings(job("export MASTER_ADDR=h WORLD_SIZE=16", "srun python own.py", **SIZE), CODE)
    assert found.confidence is Confidence.LOW
    assert "may take Slurm's variables itself" in found.message
    (known,) = findings(job("export MASTER_ADDR=h", "srun python pretrain_gpt.py", **SIZE), CODE)
    assert known.confidence is Confidence.HIGH
    assert "may" not in known.message


DEEPSPEED = [
    "srun python pretrain_gpt.py --deepspeed --deepspeed_config ds.json",
    "ARGS='--deepspeed_mpi'; srun python pretrain_gpt.py $ARGS",
    "srun python3 Megatron-DeepSpeed/pretrain_gpt.py",
    "cd ~/Megatron-DeepSpeed; source args.sh; srun python3 pretrain_gpt.py ${gpt_args}",
    "python3 -m pip install deepspeed; srun python3 pretrain_gpt.py ${gpt_args}",
]


@pytest.mark.parametrize("line", DEEPSPEED)
def test_deepspeed_learns_its_ranks_by_mpi(line: str) -> None:
    assert lines(job("export MASTER_ADDR=h WORLD_SIZE=16", line, **SIZE), CODE) == []


def test_a_comment_on_deepspeed_is_none_of_it() -> None:
    text = job("# was: --deepspeed", "export MASTER_ADDR=h", "srun python pretrain_gpt.py", **SIZE)
    assert lines(text, CODE) == [(7, "warning")]


def test_one_is_it_and_two_are_them() -> None:
    (two,) = findings(job("export MASTER_ADDR=h", "srun python pretrain_gpt.py", **SIZE), CODE)
    (one,) = findings(job("export MASTER_ADDR=h WORLD_SIZE=16", "srun python pretrain_gpt.py", **SIZE), CODE)
    assert two.message == "pretrain_gpt.py gets no RANK and WORLD_SIZE: srun does not set them"
    assert one.message == "pretrain_gpt.py gets no RANK: srun does not set it"
    assert [found.related[0].message for found in (two, one)] == ["needs them", "needs it"]
