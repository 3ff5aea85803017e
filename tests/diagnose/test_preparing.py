"""Trouble while the script sets its stage, behind which the program may have run all the same."""

from __future__ import annotations

import pytest

from sbatchlint.diagnose.signatures import Kind, signatures
from tests.diagnose.scenes import diagnose

LMOD = 'Lmod has detected the following error: These module(s) exist but cannot be loaded: "cuda"\n'
CONDA = "CommandNotFoundError: Your shell has not been properly configured to use 'conda activate'.\n"
STAGE = {"module-load": LMOD, "conda-init": CONDA}
TRACE = 'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n{}\n'
DIED = "srun: error: n1: task 0: Exited with exit code 1\n"
CANCELLED = "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-03-04T10:00:00 ***\n"


@pytest.mark.parametrize("name", STAGE)
@pytest.mark.parametrize(
    "behind",
    [
        DIED,
        "slurm_script: line 9: torchrun: command not found\n" + DIED,
        TRACE.format("ModuleNotFoundError: No module named 'torch'") + DIED,
        TRACE.format("ImportError: libcudart.so.12: cannot open shared object file") + DIED,
        TRACE.format("OSError: CUDA_HOME environment variable is not set") + DIED,
    ],
)
def test_it_is_the_cause_of_a_program_that_misses_something(name: str, behind: str) -> None:
    found = diagnose(STAGE[name] + behind)
    assert found.cause is not None
    assert found.cause.id == name


@pytest.mark.parametrize("name", STAGE)
@pytest.mark.parametrize(
    ("behind", "cause"),
    [
        (TRACE.format("ValueError: bad sample") + DIED, "python-exception"),
        (TRACE.format("torch.OutOfMemoryError: CUDA out of memory") + DIED, "cuda-oom"),
        (" 10%|#  | 5/50 [47:33<7:09:50, 573.12s/it]\n" + CANCELLED, "cancelled"),
        ("[rank1]: ncclRemoteError: Connection closed by remote peer n1<45074>\n" + DIED, None),
        ("step 5 loss: 2.5\n" + DIED, None),
    ],
)
def test_it_is_not_the_cause_of_what_a_program_meets_that_ran(
    name: str, behind: str, cause: str | None
) -> None:
    found = diagnose(STAGE[name] + behind)
    assert (found.cause.id if found.cause else None) == cause
    assert name in [group.id for group in found.others]


def test_logs_of_their_own_for_output_and_errors() -> None:
    found = diagnose(LMOD + DIED, TRACE.format("ValueError: bad sample"))
    assert found.cause is not None
    assert found.cause.title.endswith("ValueError")


def test_what_it_may_bring_about_is_a_cause() -> None:
    known = signatures()
    named = {name for one in known.values() for name in one.brings}
    assert named
    assert all(known[name].kind is Kind.ROOT and not known[name].brings for name in named)


def test_bash_sums_up_an_abort_that_another_log_tells_of() -> None:
    errors = 'run.sh: line 197: 2985003 Aborted                 (core dumped) "${CMD[@]}"\n' + DIED
    output = "[rank1]:[E ProcessGroupNCCL.cpp:583] To avoid data inconsistency, "
    output += "we are taking the entire process down.\n"
    assert diagnose(errors, output).cause is None
    alone = diagnose(errors).cause
    assert alone is not None
    assert alone.id == "native-abort"


def test_deepspeed_tells_how_a_worker_ended() -> None:
    line = (
        "[2024-01-19 10:14:05,903] [ERROR] [launch.py:321:sigkill_handler] "
        "['python', '-u', 'main.py', '--local_rank=3', '--deepspeed'] exits with return code = -9\n"
    )
    found = diagnose(line)
    assert found.cause is None
    assert found.where.local_rank == 3
    assert found.exit is not None
    assert found.exit.signal == "SIGKILL"
    assert any("memory of the node" in note for note in found.notes)


def test_an_empty_log_is_told() -> None:
    assert any("nothing stands in it" in note for note in diagnose("").notes)
    assert not diagnose("all is well\n").notes
