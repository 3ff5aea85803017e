"""SB415: where the job's own log is."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

CODE = "SB415"


@pytest.mark.parametrize(
    "name", ["slurm-$SLURM_JOB_ID.out", "slurm-${SLURM_JOB_ID}.out", "slurm-$SLURM_JOBID.out"]
)
@pytest.mark.parametrize("command", ["mv {} logs/", 'cp "{}" logs/', "grep loss {} || true", "tail -n 5 {}"])
def test_after_a_change_of_folder(command: str, name: str) -> None:
    text = job("cd /data/run", "srun python fit.py", command.format(name), ntasks=1)
    assert lines(text, CODE) == [(5, "warning")]


def test_where_the_log_has_another_name() -> None:
    text = job("srun python fit.py", "mv slurm-$SLURM_JOB_ID.out logs/", ntasks=1, output="%x_%j.log")
    assert lines(text, CODE) == [(5, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        ["srun python fit.py", "mv slurm-$SLURM_JOB_ID.out logs/"],
        ["cd $SLURM_SUBMIT_DIR", "srun python fit.py", "mv slurm-$SLURM_JOB_ID.out logs/"],
        ["cd /d", "srun python fit.py", "mv $SLURM_SUBMIT_DIR/slurm-$SLURM_JOB_ID.out logs/"],
        ["cd /d", "srun python fit.py", "cd $SLURM_SUBMIT_DIR", "mv slurm-$SLURM_JOB_ID.out logs/"],
        ["HERE=$(cd /d; pwd)", "srun python fit.py", "mv slurm-$SLURM_JOB_ID.out logs/"],
        ["cd /d", "srun python fit.py", "mv slurm-$OTHER.out logs/"],
        ["cd /d", "srun python fit.py", "echo slurm-$SLURM_JOB_ID.out"],
    ],
)
def test_quiet_where_it_is_there(body: list[str]) -> None:
    assert lines(job(*body, ntasks=1), CODE) == []


def test_quiet_where_output_says_the_default() -> None:
    text = job("srun python fit.py", "mv slurm-$SLURM_JOB_ID.out logs/", ntasks=1, output="slurm-%j.out")
    assert lines(text, CODE) == []
