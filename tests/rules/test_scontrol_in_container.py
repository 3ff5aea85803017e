"""SB502: where Slurm's commands are called inside a container, and where that may be meant to work."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

CODE = "SB502"
TWO = {"nodes": 2, "ntasks_per_node": 1}
IN_IMAGE = "srun --container-image=/i.sqsh --container-mounts=/data:/data"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ([IN_IMAGE + " bash -c 'H=$(scontrol show hostnames | head -n 1); python t.py $H'"], 4),
        ([IN_IMAGE + ' bash -c "H=\\$(scontrol show hostnames | head -n 1); python t.py"'], 4),
        (["CMD='squeue -u me; python t.py'", IN_IMAGE + ' bash -c "$CMD"'], 4),
        (['C="--container-image=/i.sqsh"', "srun $C sinfo"], 5),
        (["C=(--container-image=/i.sqsh)", "run() { srun \"${C[@]}\" bash -c 'sacct -j 1'; }", "run"], 5),
        (["srun apptainer exec --nv a.sif scontrol show job"], 4),
        (["docker run --gpus all image bash -c 'scontrol show hostnames; python t.py'"], 4),
        ([IN_IMAGE + " bash -c 'srun hostname'"], 4),
        ([IN_IMAGE + " bash <<'EOF'", "scontrol show hostnames", "EOF"], 5),
    ],
)
def test_reported_where_it_is_called(body: list[str], line: int) -> None:
    assert lines(job(*body, **TWO), CODE) == [(line, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        ["H=$(scontrol show hostnames | head -n 1)", "export H", IN_IMAGE + " bash -c 'python t.py $H'"],
        [IN_IMAGE + ' bash -c "python t.py $(scontrol show hostnames | head -n 1)"'],
        [IN_IMAGE + ",/opt/slurm:/opt/slurm bash -c 'scontrol show hostnames'"],
        [IN_IMAGE + ",/run/munge:/run/munge,/usr/bin/scontrol:/usr/bin/scontrol scontrol show job"],
        [IN_IMAGE + " bash -c 'if command -v scontrol; then scontrol show hostnames; fi; python t.py'"],
        [IN_IMAGE + " bash -c 'H=$(scontrol show hostnames || hostname); python t.py'"],
        ["srun bash -c 'scontrol show hostnames'"],
    ],
)
def test_quiet_where_it_works(body: list[str]) -> None:
    assert lines(job(*body, **TWO), CODE) == []


def test_less_sure_where_a_mount_is_not_known() -> None:
    text = job('srun --container-image=/i.sqsh --container-mounts="$MOUNTS" scontrol show job', **TWO)
    assert [found.confidence.value for found in findings(text, CODE)] == ["medium"]
