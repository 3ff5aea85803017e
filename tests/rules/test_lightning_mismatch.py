"""SB312: Lightning's devices and nodes against srun's tasks."""

from __future__ import annotations

import pytest

from sbatchlint.api import Confidence
from tests.rules.checking import findings, job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB312"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["srun python t.py trainer.devices=8 trainer.num_nodes=2"], 5, "error"),
        (["srun python t.py --trainer.devices=1 --trainer.num_nodes=4"], 5, "error"),
        (['A="trainer.devices=8"', 'srun bash -c "python t.py $A"'], 5, "error"),
        (["srun python t.py --devices 8 --num_nodes 2"], 5, "warning"),
        (["srun python t.py --devices=1 --num_nodes=1"], 5, "warning"),
        (["O=(fit --devices 8)", 'srun python lightning_main.py "${O[@]}"'], 5, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun python t.py trainer.devices=1 trainer.num_nodes=2"],
        ["srun --ntasks-per-node=8 -n16 python t.py trainer.devices=8 trainer.num_nodes=2"],
        ["srun python t.py trainer.devices=-1 trainer.num_nodes=$SLURM_NNODES"],
        ["srun python t.py trainer.devices=auto"],
        [
            (
                "srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d "
                "--rdzv_endpoint=h:1 t.py trainer.devices=8"
            )
        ],
        ["srun python t.py --devices 8"],
        ["srun python t.py --gpus 8"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []


NATIVE = {"nodes": 2, "ntasks_per_node": 8, "gpus_per_node": 8}


@pytest.mark.parametrize(
    "body",
    [
        "srun python t.py trainer.devices=8",
        "srun python t.py fit --trainer.devices 8",
        "A=(--devices=8); srun python lightning_main.py ${A[@]}",
    ],
)
def test_devices_without_nodes_are_told_with_little_confidence(body: str) -> None:
    (found,) = findings(job(body, **NATIVE), CODE)
    assert (found.severity.value, found.confidence) == ("warning", Confidence.LOW)


@pytest.mark.parametrize(
    "body",
    [
        "srun python t.py trainer.devices=8 trainer.num_nodes=$SLURM_NNODES",
        "srun python t.py trainer.devices=8 trainer.num_nodes=2",
        "srun python t.py --config-name=big trainer.devices=8",
        "srun python t.py fit -c big.yaml --trainer.devices 8",
        "srun python t.py trainer.devices=8 $MORE",
        "srun python t.py trainer.devices=8 num_nodes=2",
        "srun -N1 -n8 python t.py trainer.devices=8",
    ],
)
def test_nodes_that_may_be_told_elsewhere_are_left_in_peace(body: str) -> None:
    assert lines(job(body, **NATIVE), CODE) == []
