"""Shapes in which logs tell of a failure, beyond those of the collected and the made logs."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.cli.diagnose import run
from sbatchlint.diagnose.diagnosis import Confidence, Diagnosis, State
from sbatchlint.diagnose.judging import judge
from sbatchlint.diagnose.labels import Label, read_head
from sbatchlint.diagnose.running import gather
from tests.diagnose.scenes import diagnose

MADE = Path(__file__).with_name("made")
PROGRESS = "iteration 7 | loss: 2.5\n"


def of_files(folder: Path, logs: dict[str, str]) -> Diagnosis:
    for name, text in logs.items():
        (folder / name).write_text(text, "utf-8")
    facts, _ = gather([str(folder / name) for name in logs], BytesIO(), print, print)
    return judge(facts)


@given(st.integers(0, 999), st.integers(0, 9))
def test_labels_behind_a_time(rank: int, local: int) -> None:
    head = read_head(f"2026-03-04 10:16:00 [default{local}]:[rank{rank}]: lost")
    assert head.label == Label(local=local, rank=rank)
    assert head.rest == "lost"


@given(st.integers(0, 99), st.sampled_from([1, 7, -6, -9]))
def test_a_launcher_without_a_summary(local: int, code: int) -> None:
    found = diagnose(
        f"{PROGRESS}E0304 10:06:02.551000 39990 torch/api.py:882] failed (exitcode: {code}) "
        f"local_rank: {local} (pid: 7) of binary: /usr/bin/python\n"
    )
    assert (found.state, found.confidence, found.where.local_rank) == (
        State.FAILED,
        Confidence.CASCADE,
        local,
    )
    assert found.exit is not None
    assert found.exit.code == abs(code)
    assert bool(found.exit.signal) == (code < 0)


@pytest.mark.parametrize(
    "line", ["Killed", "3: Killed", "/var/job1/slurm_script: line 9:  812 Killed         python train.py"]
)
def test_the_shell_tells_of_a_kill(line: str) -> None:
    found = diagnose(f"{PROGRESS}{line}\n")
    assert found.cause is not None
    assert found.cause.id == "killed"
    assert found.exit is not None
    assert found.exit.signal == "SIGKILL"


def test_killing_a_watcher_is_no_failure() -> None:
    line = "/var/job1/slurm_script: line 9:  812 Killed            nvidia-smi dmon >gpu.txt\n"
    assert diagnose(f"{PROGRESS}{line}").state is State.NO_FAILURE


def test_the_watchdog_brings_the_abort_about() -> None:
    abort = "terminate called after throwing an instance of 'c10::DistBackendError'\n"
    network = "NET/IB : Got completion from peer 10.0.0.2<40213> with error 12, opcode 0\n"
    watchdog = "[E a.cpp:9] To avoid data inconsistency, we are taking the entire process down.\n"
    after, before = diagnose(watchdog + abort + network), diagnose(abort + network)
    assert after.cause is not None
    assert after.cause.id == "nccl-network"
    assert before.cause is not None
    assert before.cause.id == "native-abort"


def test_a_traceback_that_breaks_off_behind_others_is_no_cause() -> None:
    gone = "[rank3]: torch.distributed.DistBackendError: Connection closed by remote peer\n"
    log = f"[rank3]: Traceback (most recent call last):\n{gone}[rank2]: Traceback (most recent call last):\n"
    found = diagnose(log)
    assert (found.state, found.confidence, found.cause) == (State.FAILED, Confidence.CASCADE, None)


def test_an_error_that_is_caught_is_none() -> None:
    log = f"Traceback (most recent call last):\nRuntimeError: Connection reset by peer\n{PROGRESS * 3}"
    assert diagnose(log).state is State.NO_FAILURE


@pytest.mark.parametrize("name", ["nemo-4711.out", "gpu-4711.out", "node-4711.log", "n4711.txt"])
def test_the_name_of_a_job_is_no_node(name: str, tmp_path: Path) -> None:
    oom = "slurmstepd: error: Detected 1 oom_kill event in StepId=4711.0.\n"
    found = of_files(tmp_path, {name: f"{oom}srun: error: b12: task 3: Out Of Memory\n"})
    assert (found.where.node, found.where.task) == ("b12", 3)


def test_names_that_differ_are_nodes(tmp_path: Path) -> None:
    found = of_files(tmp_path, {"log_node01.out": PROGRESS, "log_node02.out": "OSError: Stale file handle\n"})
    assert found.where.node == "node02"


def test_ranks_that_gave_up_waiting_name_the_one_that_did_not() -> None:
    line = "[rank{}]: RuntimeError: [gloo/a.cc:78] Timed out waiting 9ms for recv operation to complete\n"
    trace = "[rank{}]: Traceback (most recent call last):\n"
    found = diagnose("".join((trace + line).format(rank, rank) for rank in (0, 1, 3)))
    assert found.missing == (2,)
    assert found.where.rank == 2


def test_a_job_without_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    saved = str(MADE / "missing-output-folder.sacct")
    assert run(["--sacct", saved]) == 1
    assert "output-open" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        run([])
