"""SB603: folders for compiled kernels that all ranks share."""

from __future__ import annotations

import pytest

from tests.rules.checking import fixed, job, lines

CODE = "SB603"
TWO = {"nodes": 2, "ntasks_per_node": 8}


@pytest.mark.parametrize(
    "body",
    [
        ["export TRITON_CACHE_DIR=$HOME/.triton", "srun python t.py"],
        ['export TORCHINDUCTOR_CACHE_DIR="${HOME}/inductor"', "srun python t.py"],
        ["export TORCH_EXTENSIONS_DIR=/lustre/me/ext", "srun python t.py"],
        ["TRITON_CACHE_DIR=~/x srun python t.py"],
        ["BASE=/scratch/me", "export TRITON_CACHE_DIR=$BASE/triton_$SLURM_JOB_ID", "srun python t.py"],
        ["srun bash -c 'export TRITON_CACHE_DIR=/gpfs/me/triton; python t.py'"],
    ],
)
def test_reported(body: list[str]) -> None:
    assert [severity for _, severity in lines(job(*body, **TWO), CODE)] == ["warning"]


@pytest.mark.parametrize(
    "body",
    [
        ["export TRITON_CACHE_DIR=/tmp/triton_${USER}_${SLURM_JOB_ID}", "srun python t.py"],
        ["srun bash -c 'export TRITON_CACHE_DIR=$HOME/.triton/$SLURM_PROCID; python t.py'"],
        ["export TRITON_CACHE_DIR=$SLURM_TMPDIR/triton", "srun python t.py"],
        ["export HF_HOME=/lustre/hf", "srun python t.py"],
        ["export TRITON_CACHE_DIR=$HOME/.triton", "python prepare.py"],
        ["export TRITON_CACHE_DIR=$CACHE", "srun python t.py"],
        ["# export TRITON_CACHE_DIR=$HOME/.triton", "srun python t.py"],
    ],
)
def test_quiet_on_folders_of_the_node_or_of_the_task(body: list[str]) -> None:
    assert lines(job(*body, **TWO), CODE) == []


def test_a_single_task_has_it_to_itself() -> None:
    text = job("export TRITON_CACHE_DIR=$HOME/.triton", "srun python t.py", nodes=1, ntasks=1)
    assert lines(text, CODE) == []


def test_a_shared_project_folder_is_left_to_its_owner() -> None:
    text = job("export TRITON_CACHE_DIR=/lustre/me/x", "srun python t.py", **TWO)
    assert fixed(text).converged.source.text == text
