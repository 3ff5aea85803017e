"""SB506: containers that are started without the driver."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

CODE = "SB506"
GPUS = {"nodes": 1, "ntasks_per_node": 1, "gpus_per_node": 4}
TORCHRUN = "torchrun --standalone --nproc_per_node=4 t.py"


@pytest.mark.parametrize(
    "body",
    [
        [f"srun apptainer exec a.sif {TORCHRUN}"],
        [f"srun singularity exec -B /data a.sif bash -c '{TORCHRUN}'"],
        ["srun apptainer exec a.sif nvidia-smi"],
        ['run() { srun apptainer exec a.sif "$@"; }', f"run {TORCHRUN}"],
        [f"apptainer exec a.sif {TORCHRUN}"],
    ],
)
def test_reported(body: list[str]) -> None:
    assert [severity for _, severity in lines(job(*body, **GPUS), CODE)] == ["warning"]


def test_the_flag_follows_the_command() -> None:
    text = job(f"srun apptainer exec -B /d a.sif {TORCHRUN}", **GPUS)
    assert "apptainer exec --nv -B /d a.sif" in fixed(text, unsafe=True).converged.source.text


def test_sure_only_of_nvidias_gpus() -> None:
    typed = {**GPUS, "gpus_per_node": "h100:4"}
    for options, sure in ((GPUS, "low"), (typed, "high")):
        found = findings(job(f"srun apptainer exec a.sif {TORCHRUN}", **options), CODE)
        assert [one.confidence.value for one in found] == [sure]


@pytest.mark.parametrize(
    "body",
    [
        [f"srun apptainer exec --nv a.sif {TORCHRUN}"],
        ["module load rocm", f"srun apptainer exec a.sif {TORCHRUN}"],
        [f"srun apptainer exec --rocm a.sif {TORCHRUN}"],
        [f"srun apptainer exec --nvccli a.sif {TORCHRUN}"],
        ["export APPTAINER_NV=1", f"srun apptainer exec a.sif {TORCHRUN}"],
        ["export SINGULARITY_NV=1", f"srun singularity exec a.sif {TORCHRUN}"],
        ["srun apptainer exec a.sif python preprocess.py"],
        [f"srun apptainer exec $OPTIONS a.sif {TORCHRUN}"],
        [f"srun apptainer exec -B /usr/lib/nvidia:/usr/lib/nvidia a.sif {TORCHRUN}"],
    ],
)
def test_quiet_where_the_driver_comes_along_or_is_not_needed(body: list[str]) -> None:
    assert findings(job(*body, **GPUS), CODE) == []
