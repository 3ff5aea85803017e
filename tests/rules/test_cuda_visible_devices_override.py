"""SB335: CUDA_VISIBLE_DEVICES set by hand.

What srun gives its tasks was asked of Slurm 22.05: a step of a job with GPUs has the variable set anew,
whatever srun's own environment or ``--export`` says; the batch shell and a shell of the task may change it.
"""

from __future__ import annotations

import pytest

from tests.rules.checking import fixed, job, lines

SIZE = {"nodes": 1, "ntasks_per_node": 2, "gpus_per_node": 2}
CODE = "SB335"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (["export CUDA_VISIBLE_DEVICES=0,1,2,3", "python t.py"], 5),
        (["D=0,1,2", "export CUDA_VISIBLE_DEVICES=$D", "torchrun --nproc_per_node=2 t.py"], 6),
        (["export CUDA_VISIBLE_DEVICES=3", "python t.py"], 5),
        (["declare -x CUDA_VISIBLE_DEVICES=0,1", "python t.py"], 5),
        (["export CUDA_VISIBLE_DEVICES=0,1,2", "srun python a.py", "python t.py"], 5),
    ],
)
def test_what_the_batch_shell_starts_gets_it(body: list[str], line: int) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, "warning")]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (["srun bash -c 'export CUDA_VISIBLE_DEVICES=0,1,2; python t.py'"], 5),
        (["srun env CUDA_VISIBLE_DEVICES=0,1,2 python t.py"], 5),
        (["srun bash -c 'CUDA_VISIBLE_DEVICES=0 python t.py'"], 5),
        (["C='export CUDA_VISIBLE_DEVICES=0,1,2; python t.py'", 'srun bash -c "$C"'], 5),
        (["f() { export CUDA_VISIBLE_DEVICES=0,1,2; python t.py; }", "export -f f", "srun bash -c f"], 5),
    ],
)
def test_what_is_set_in_the_task_counts(body: list[str], line: int) -> None:
    text = job(*body, **SIZE)
    assert lines(text, CODE) == [(line, "warning")]
    assert fixed(text, code=CODE).converged.source.text == text


@pytest.mark.parametrize("size", [SIZE, {**SIZE, "exclusive": True}, {"nodes": 1, "gres": "gpu:2"}])
@pytest.mark.parametrize(
    "body",
    [
        ["export CUDA_VISIBLE_DEVICES=0,1,2,3", "srun python t.py"],
        ["export CUDA_VISIBLE_DEVICES=0,1", "srun torchrun --nproc_per_node=2 t.py"],
        ["export CUDA_VISIBLE_DEVICES=0", "srun -n1 python t.py"],
        ["export CUDA_VISIBLE_DEVICES=1,0", "srun bash -c 'python t.py'"],
        ["CUDA_VISIBLE_DEVICES=0 srun python t.py"],
        ["srun --export=ALL,CUDA_VISIBLE_DEVICES=1 python t.py"],
        ["export CUDA_VISIBLE_DEVICES=0,1,2", "date", "H=$(scontrol show hostnames | head -1)", "srun ./t"],
    ],
)
def test_srun_sets_it_anew(body: list[str], size: dict[str, object]) -> None:
    assert [severity for _, severity in lines(job(*body, **size), CODE)] == ["info"]


def test_a_line_that_something_reads_is_left() -> None:
    body = ["export CUDA_VISIBLE_DEVICES=0,1,2", "echo $CUDA_VISIBLE_DEVICES", "srun python t.py"]
    text = job(*body, **SIZE)
    assert fixed(text, code=CODE).converged.source.text == text
    alone = job(body[0], body[2], **SIZE)
    assert "# export CUDA_VISIBLE_DEVICES=0,1,2\n" in fixed(alone, code=CODE).converged.source.text


@pytest.mark.parametrize(
    "body",
    [
        ["srun bash -c 'CUDA_VISIBLE_DEVICES=$SLURM_LOCALID python t.py'"],
        ["CUDA_VISIBLE_DEVICES=0 python a.py &", "CUDA_VISIBLE_DEVICES=1 python b.py &", "wait"],
        ['export CUDA_VISIBLE_DEVICES=""', "srun python t.py"],
        ["#SBATCH --exclusive", "export CUDA_VISIBLE_DEVICES=0,1", "python t.py"],
        ["export CUDA_VISIBLE_DEVICES=0", "python t.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []


def test_without_gpus_nothing_is_known() -> None:
    assert lines(job("export CUDA_VISIBLE_DEVICES=0,1", "srun python t.py", nodes=1), CODE) == []
