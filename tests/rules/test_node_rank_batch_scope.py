"""SB310: ranks that the batch shell hands to every task."""

from __future__ import annotations

import pytest

from sbatchlint.lint.finding import Confidence
from tests.rules.checking import findings, job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 4, "gpus_per_node": 4}
CODE = "SB310"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (["export RANK=$SLURM_PROCID", "srun python pretrain_gpt.py"], [(5, "error")]),
        (['R="${SLURM_PROCID}"', "export RANK=$R", "srun python pretrain_gpt.py"], [(5, "error")]),
        (["export LOCAL_RANK=${SLURM_LOCALID:-0}", "srun python pretrain_gpt.py"], [(5, "error")]),
        (["RANK=$SLURM_PROCID srun python pretrain_gpt.py"], [(5, "error")]),
        (["set -a", "RANK=$SLURM_PROCID", "srun python pretrain_gpt.py"], [(6, "error")]),
        (["go() { export RANK=$SLURM_PROCID; }", "go", "srun python pretrain_gpt.py"], [(5, "error")]),
        (["export RANK=$SLURM_PROCID", 'L="srun -l"', "$L bash -c 'python pretrain_gpt.py'"], [(5, "error")]),
        (["export RANK=$((SLURM_PROCID))", "srun python pretrain_gpt.py"], [(5, "error")]),
        (["export RANK", "((RANK = SLURM_PROCID % 4))", "srun python pretrain_gpt.py"], [(6, "error")]),
        (["export NODE_RANK=$((SLURM_PROCID / 4))", "srun bash train.sh"], [(5, "warning")]),
        (["export RANK=$SLURM_PROCID", "srun python own.py"], [(5, "warning")]),
        (["export NODE_RANK=$SLURM_NODEID", "srun bash train.sh"], [(5, "warning")]),
        (["export PET_NODE_RANK=$SLURM_NODEID", "srun -n2 torchrun --nnodes=2 own.py"], [(5, "error")]),
    ],
)
def test_reported_where_the_variable_is_read(body: list[str], found: list[tuple[int, str]]) -> None:
    assert lines(job(*body, **SIZE), CODE) == found


@pytest.mark.parametrize(
    "body",
    [
        ["srun bash -c 'export RANK=$SLURM_PROCID; python pretrain_gpt.py'"],
        ["export RANK=$SLURM_PROCID", "srun -N1 -n1 python pretrain_gpt.py"],
        ["RANK=$SLURM_PROCID", "srun python pretrain_gpt.py"],
        ["export RANK=$SLURM_PROCID", "[ $RANK = 0 ] && mkdir -p out", "unset RANK", "srun python own.py"],
        ["export RANK=$SLURM_PROCID", "srun -n2 torchrun --nnodes=2 --nproc_per_node=4 own.py"],
        ["export RANK=$SLURM_PROCID", "srun bash -c 'RANK=$SLURM_PROCID python pretrain_gpt.py'"],
        ["export LOG=run_$SLURM_PROCID", "srun python own.py"],
        ["export WORLD_SIZE=$SLURM_NTASKS", "srun python pretrain_gpt.py"],
        ["export RANK=$SLURM_PROCID", "python own.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []


def test_a_rank_on_the_command_line_is_left_to_early_expansion() -> None:
    text = job("export R=$SLURM_PROCID", "srun bash -c 'python own.py --rank $R'", **SIZE)
    assert [found.code for found in findings(text) if found.severity.value == "error"] == ["SB401"]


@pytest.mark.parametrize(
    ("program", "confidence"), [('"$1"', Confidence.MEDIUM), ("own.py", Confidence.HIGH)]
)
def test_a_program_that_the_script_does_not_name_may_read_another(
    program: str, confidence: Confidence
) -> None:
    (found,) = findings(job("export RANK=$SLURM_PROCID", f"srun python {program}", **SIZE), CODE)
    assert found.confidence is confidence
