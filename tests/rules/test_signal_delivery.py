"""SB355: whom --signal reaches."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

CODE = "SB355"
STEPS = {"ntasks": 1, "signal": "USR1@90"}
SHELL = {"ntasks": 1, "signal": "B:USR1@90"}


@pytest.mark.parametrize(
    "body",
    [
        "python fit.py",
        "torchrun --nproc_per_node=8 fit.py",
        "uv run python fit.py",
        "CUDA_VISIBLE_DEVICES=0 python fit.py &\nwait",
    ],
)
def test_no_step_gets_it(body: str) -> None:
    assert lines(job(body, **STEPS), CODE) == [(3, "error")]


@pytest.mark.parametrize("value", ["SIGUSR1", "usr1@90", "10@90", "R:TERM@60"])
def test_each_way_of_writing_the_signal(value: str) -> None:
    assert lines(job("python fit.py", ntasks=1, signal=value), CODE) == [(3, "error")]


@pytest.mark.parametrize(
    "body",
    [
        "srun python fit.py",
        "RUN=srun; $RUN python fit.py",
        "./run.sh",
        "bash run.sh",
        "mpirun -np 4 python fit.py",
        "source launch.sh",
        "srun_wrapper python fit.py; srun hostname",
        "trap 'echo bye' TERM; srun python fit.py",
        "trap '' USR1; srun python fit.py",
        'trap "echo bye" EXIT; srun python fit.py',
    ],
)
def test_quiet_where_a_step_gets_it_or_may(body: str) -> None:
    assert lines(job(body, **STEPS), CODE) == []


@pytest.mark.parametrize("trap", ["trap 'touch stop' USR1", "trap stop SIGUSR1 TERM", "trap -- stop 10"])
def test_a_trap_of_the_script_that_never_runs(trap: str) -> None:
    assert lines(job(trap, "srun python fit.py &", "wait", **STEPS), CODE) == [(3, "warning")]


def test_the_shell_gets_term_at_the_limit_in_any_case() -> None:
    body = ["trap stop TERM", "srun python fit.py &", "wait"]
    assert lines(job(*body, ntasks=1, signal="TERM@60"), CODE) == []


def test_without_a_trap_the_shell_dies() -> None:
    assert lines(job("srun python fit.py", **SHELL), CODE) == [(3, "error")]
    assert lines(job("srun python fit.py", ntasks=1, signal="B:TERM@60"), CODE) == [(3, "error")]


@pytest.mark.parametrize("value", ["B:KILL@60", "B:CONT@60", "B:URG@60"])
def test_quiet_for_signals_that_no_trap_is_for(value: str) -> None:
    assert lines(job("srun python fit.py", ntasks=1, signal=value), CODE) == []


@pytest.mark.parametrize("body", ["source common.sh\nsrun python fit.py", "exec python fit.py"])
def test_less_sure_where_a_trap_may_be_elsewhere(body: str) -> None:
    (found,) = findings(job(body, **SHELL), CODE)
    assert (found.severity.value, found.prominent) == ("warning", False)


def test_a_trap_behind_a_program_in_the_foreground() -> None:
    body = ["handler() { touch stop; }", "trap handler USR1", "srun python fit.py"]
    assert lines(job(*body, **SHELL), CODE) == [(3, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        ["trap stop USR1", "srun python fit.py &", "wait"],
        ["trap stop USR1", "srun python fit.py & pid=$!", "wait $pid"],
        ["trap '' USR1", "srun python fit.py"],
        ["srun bash -c 'trap stop USR1; python fit.py'", "trap stop USR1", "echo done", "wait"],
    ],
)
def test_quiet_where_the_trap_can_run(body: list[str]) -> None:
    assert lines(job(*body, **SHELL), CODE) == []


def test_quiet_for_a_script_in_another_language() -> None:
    text = "#!/usr/bin/env python3\n#SBATCH --ntasks=1\n#SBATCH --signal=B:USR1@60\nimport signal\n"
    assert lines(text, CODE) == []
