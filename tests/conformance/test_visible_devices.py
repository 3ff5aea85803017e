"""Whose CUDA_VISIBLE_DEVICES a program gets: what SB335 says of it, asked of a real Slurm."""

from __future__ import annotations

import pytest

from tests.conformance.live_slurm import Slurm

pytestmark = [pytest.mark.slurm, pytest.mark.slow]

WITH_GPUS = (
    "-N1 -n2 --gres=gpu:2",
    "-N1 -n2 --gpus-per-node=2",
    "-N1 -n2 --gpus=2",
    "-N1 -n2 --gpus-per-task=1",
)
OWN = "0,1,2,3"
"""What the script sets; the jobs have two GPUs, so Slurm itself never says this."""
REPLACED = (
    "srun",
    "srun -n1",
    "srun -n1 --export=ALL",
    f"srun -n1 --export=ALL,CUDA_VISIBLE_DEVICES={OWN}",
    "srun -n1 --gres=gpu:1",
    "srun -n1 --overlap",
    "CUDA_VISIBLE_DEVICES=7 srun -n1",
)
KEPT = (
    "",
    f"srun -n1 bash -c 'export CUDA_VISIBLE_DEVICES={OWN}; \"$@\"' x",
    f"srun -n1 env CUDA_VISIBLE_DEVICES={OWN}",
)


@pytest.mark.parametrize("options", WITH_GPUS)
def test_srun_replaces_what_was_set_before_it_and_nothing_else_does(slurm: Slurm, options: str) -> None:
    folder = slurm.folder / f"visible{options.replace(' ', '')}"
    folder.mkdir()
    lines = [
        f"{command} printenv CUDA_VISIBLE_DEVICES > {number}.out"
        for number, command in enumerate((*REPLACED, *KEPT))
    ]
    text = "\n".join(["#!/bin/bash", f"#SBATCH {options}", f"export CUDA_VISIBLE_DEVICES={OWN}", *lines, ""])
    (folder / "job.sh").write_text(text, "utf-8")
    done = slurm.run("sbatch", "-W", "-D", str(folder), "-o", "log", str(folder / "job.sh"), timeout=200)
    assert done.returncode == 0, done.stderr
    seen = [(folder / f"{number}.out").read_text("utf-8").split() for number in range(len(lines))]
    for command, values in zip(REPLACED, seen, strict=False):
        assert values and not {OWN, "7"} & {*values}, command
    for command, values in zip(KEPT, seen[len(REPLACED) :], strict=True):
        assert values == [OWN], command
