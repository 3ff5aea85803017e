"""SB236: tasks of an array that overwrite one file."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

CODE = "SB236"


@pytest.mark.parametrize(
    "body",
    [
        "srun python train.py > train.log",
        "srun python train.py &> 'train.log'",
        "srun python train.py >| train.log 2>&1",
        "python train.py 2> train.err",
        "srun python train.py 2>&1 | tee logs/train.log",
        'LOG=logs/$SLURM_JOB_NAME.log; srun python train.py > "$LOG"',
        'D=$HOME/runs; LOG="$D/train.log"; srun python train.py > ${LOG}',
        "cd $SLURM_SUBMIT_DIR; srun python train.py > train.log",
        "cd fold$SLURM_ARRAY_TASK_ID; srun python train.py > /scratch/train.log",
        "srun python train.py > log.$SLURM_ARRAY_JOB_ID",
        "srun python train.py > train.log &\nwait",
    ],
)
def test_one_file_of_all_tasks_is_told(body: str) -> None:
    assert lines(job(body, array="0-3"), CODE) == [(3, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        "srun python train.py > train.$SLURM_ARRAY_TASK_ID.log",
        "srun python train.py > train.$SLURM_JOB_ID.log",
        "srun python train.py >> train.log",
        "srun python train.py | tee -a train.log",
        "srun python train.py > /dev/null",
        "srun python train.py 2>&1",
        "srun python train.py > /tmp/train.log",
        "srun python train.py > $TMPDIR/train.log",
        "srun python train.py > $LOG",
        "LOG=a.$SLURM_ARRAY_TASK_ID; srun python train.py > $LOG",
        "LOG=$(mktemp); srun python train.py > $LOG",
        "LOG=a; LOG=b; srun python train.py > $LOG",
        "cd fold$SLURM_ARRAY_TASK_ID; srun python train.py > train.log",
        "cd $(mktemp -d) || exit 1; srun python train.py > train.log",
        "if [ $SLURM_ARRAY_TASK_ID = 0 ]; then srun python train.py > train.log; fi",
        "[ $SLURM_ARRAY_TASK_ID = 0 ] && srun python train.py > train.log",
        "run() { srun python train.py > train.log; }",
        "echo start > started",
        "cat > conf.json <<E\n{}\nE",
        "srun python train.py 2>&1 | grep -v noise",
        "srun python train.py conf/<YOUR_CONFIG_HERE>.yaml",
    ],
)
def test_other_files_are_left_in_peace(body: str) -> None:
    assert lines(job(body, array="0-3"), CODE) == []


@pytest.mark.parametrize("array", ["0-3%1", "7", "0-0"])
def test_tasks_that_never_meet_are_left_in_peace(array: str) -> None:
    assert lines(job("srun python train.py > train.log", array=array), CODE) == []


def test_a_job_that_is_no_array_is_left_in_peace() -> None:
    assert lines(job("srun python train.py > train.log"), CODE) == []
