"""What counts as a failure, which of many errors is the cause, and what is said where none is known."""

from __future__ import annotations

import pytest

from sbatchlint.diagnose.accounting import Accounting, Row
from sbatchlint.diagnose.diagnosis import Confidence, State
from sbatchlint.diagnose.labels import Label
from tests.diagnose.scenes import diagnose

TRACE = """\
{0}Traceback (most recent call last):
{0}  File "train.py", line 3, in <module>
{0}    main()
{0}    ^^^^^^
{0}{1}
"""
DIED = "srun: error: n2: task 1: Exited with exit code 1\n"
GOES_ON = "0: [rank0]: iteration 5/10 | loss: 2.5\n1: [rank1]: iteration 5/10 | loss: 2.5\n"
OOM = "1: [rank1]: torch.OutOfMemoryError: CUDA out of memory\n"


def cause(text: str) -> str | None:
    found = diagnose(text).cause
    return found.id if found is not None else None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "all is well\n",
        "val error_rate: 0.5\n0 errors\n",
        "WARNING: 429 Client Error: Too Many Requests for url: x; retrying in 5 s\n" + GOES_ON,
        "requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: x\n" + GOES_ON,
        TRACE.format("0: [rank0]: ", "ValueError: bad sample") + GOES_ON,
        TRACE.format("", "ValueError: bad sample") + "Training finished\n",
        "UserWarning: No module named 'apex', falling back to torch\n"
        "ModuleNotFoundError: No module named 'apex' (optional)\n",
        "[rank0]:[W304 10:00:11.402 Utils.hpp:112] Connection reset by peer, reconnecting\n" + GOES_ON,
        "gpu-b01:1:2 [0] NCCL INFO Bootstrap : Using eth0:10.1.0.11<0>\n",
        "2026-03-04 10:00:00 INFO No space left on device is not what this says\n",
        "srun: error: n1: task 0: Exited with exit code 0\n",
        "0: [rank0]: Environment: CUDA_DEVICE_MAX_CONNECTIONS=1\n",
        "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-03-04T10:00:00 DUE TO JOB REQUEUE ***\n"
        "srun: error: n1: task 0: Terminated\n" + GOES_ON,
        OOM
        + DIED
        + "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-03-04T10:00:00 DUE TO JOB REQUEUE ***\n"
        "starting again\n",
    ],
)
def test_no_failure(text: str) -> None:
    found = diagnose(text)
    assert found.state is State.NO_FAILURE
    assert found.cause is None


@pytest.mark.parametrize(
    ("text", "root", "confidence"),
    [
        (TRACE.format("", "ValueError: bad"), "python-exception", Confidence.LIKELY),
        (TRACE.format("1: ", "mylib.Odd"), "python-exception", Confidence.LIKELY),
        (TRACE.format("(Worker pid=7) ", "ValueError: bad"), "python-exception", Confidence.LIKELY),
        (TRACE.format("", "ModuleNotFoundError: No module named 'x'"), "module-not-found", Confidence.LIKELY),
        (OOM + DIED, "cuda-oom", Confidence.KNOWN),
        ("train.sh: line 3: uv: command not found\n", "cmd-not-found", Confidence.LIKELY),
        (
            "srun: error: Unable to create step for job 7: More processors requested than permitted\n",
            "step-layout",
            Confidence.LIKELY,
        ),
        ("sbatch: error: Batch job submission failed: Invalid qos\n", "submit-refused", Confidence.LIKELY),
        (
            TRACE.format("1: ", "subprocess.CalledProcessError: Command 'x' returned 1")
            + TRACE.format("0: ", "OSError: [Errno 28] No space left on device")
            + DIED,
            "no-space",
            Confidence.KNOWN,
        ),
    ],
)
def test_failures(text: str, root: str, confidence: Confidence) -> None:
    found = diagnose(text)
    assert found.cause is not None
    assert (found.cause.id, found.confidence) == (root, confidence)


def test_a_warning_is_no_cause_even_where_the_job_failed() -> None:
    warned = "0: WARNING: ModuleNotFoundError: No module named 'apex', falling back\n"
    found = diagnose(warned + DIED)
    assert found.cause is None
    assert found.confidence is Confidence.CASCADE
    assert [group.id for group in found.noise] == ["module-not-found"]


def test_a_traceback_whose_rank_goes_on_is_no_cause_even_where_the_job_failed() -> None:
    handled = TRACE.format("0: [rank0]: ", "ValueError: bad sample") + GOES_ON
    assert cause(handled + OOM + DIED) == "cuda-oom"
    assert cause(handled + DIED) is None


def test_of_chained_exceptions_the_one_that_ends_the_rank_counts() -> None:
    chain = TRACE.format("0: ", "KeyError: 'x'")
    chain += "0: \n0: During handling of the above exception, another exception occurred:\n0: \n"
    found = diagnose(chain + TRACE.format("0: ", "mylib.Broken: no x"))
    assert found.cause is not None and found.cause.seen is not None
    assert found.cause.seen.text == "0: mylib.Broken: no x"


def test_of_an_exception_and_its_cause_the_cause_counts() -> None:
    chain = TRACE.format("0: ", "mylib.Broken: no x")
    chain += "0: \n0: The above exception was the direct cause of the following exception:\n0: \n"
    found = diagnose(chain + TRACE.format("0: ", "RuntimeError: giving up"))
    assert found.cause is not None and found.cause.seen is not None
    assert found.cause.seen.text == "0: mylib.Broken: no x"


def test_lines_of_others_inside_a_traceback() -> None:
    lines = TRACE.format("3: ", "ValueError: bad").splitlines()
    mixed = "\n".join(f"{line}\n1: Traceback is a word\n2: iteration 4" for line in lines)
    found = diagnose(mixed + "\n" + "srun: error: n3: task 3: Exited with exit code 1\n")
    assert found.cause is not None and found.cause.seen is not None
    assert found.cause.seen.text == "3: ValueError: bad"
    assert (found.where.task, found.where.node) == (3, "n3")


def test_what_slurm_says_goes_before_what_python_says() -> None:
    oom = "slurmstepd: error: Detected 1 oom_kill event in StepId=7.0.\n"
    found = diagnose(TRACE.format("1: ", "RuntimeError: DataLoader worker exited unexpectedly") + DIED + oom)
    assert found.cause is not None
    assert found.cause.id == "host-oom"
    assert found.exit is not None
    assert found.exit.signal == "SIGKILL"


LIMIT = "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-03-04T{} DUE TO TIME LIMIT ***\n"


@pytest.mark.parametrize(
    ("clock", "root"), [("10:01:00", "time-limit"), ("10:30:00", "cuda-oom"), ("09:59:00", "time-limit")]
)
def test_an_error_long_before_the_time_limit_is_the_cause(clock: str, root: str) -> None:
    text = f"1: [rank1]: 2026-03-04 10:00:00 ERROR out\n{OOM}" + LIMIT.format(clock)
    found = diagnose(text)
    assert found.cause is not None
    assert found.cause.id == root
    assert any("time limit" in note for note in found.notes) is (root == "cuda-oom")


def test_a_job_is_cancelled_by_nobody_where_it_failed_before() -> None:
    cancel = "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-03-04T10:13:21 ***\n"
    assert cause(cancel) == "cancelled"
    assert cause(OOM + DIED + cancel) == "cuda-oom"


def test_the_number_of_a_task_is_no_rank_where_a_launcher_runs() -> None:
    death = "3: [rank25]: torch.OutOfMemoryError: CUDA out of memory\n"
    other = "1: [rank8]: torch.distributed.DistBackendError: NCCL error: Connection closed by remote peer\n"
    assert diagnose(death + other + DIED).where.rank == 25
    native = "1: TypeError: 'NoneType' object is not an iterator\n"
    same = other.replace("1: [rank8]", "0: [rank0]")
    assert diagnose(native + same + DIED).where.rank == 1
    assert diagnose(native + other + DIED).where.rank is None


def watchdog(rank: int, number: int) -> str:
    return (
        f"[rank{rank}]:[E304 10:16:00.204 ProcessGroupNCCL.cpp:632] [Rank {rank}] Watchdog caught collective "
        f"operation timeout: WorkNCCL(SeqNum={number}, OpType=ALLREDUCE)\n"
        f"[rank{rank}]:[E304 10:16:00.205 ProcessGroupNCCL.cpp:1785] [PG ID 0 Rank {rank}] Exception (either "
        f"an error or timeout) detected by watchdog at work: {number}, last enqueued NCCL work: {number}, "
        "last completed NCCL work: 7.\n"
    )


def test_the_rank_that_lags() -> None:
    found = diagnose("".join(watchdog(rank, 9 if rank == 2 else 12) for rank in range(4)))
    assert found.confidence is Confidence.CASCADE
    assert found.behind == (2,)
    assert found.where.rank == 2


def test_the_rank_that_is_missing_at_the_end_needs_the_world_size() -> None:
    text = "".join(watchdog(rank, 12) for rank in range(3))
    assert diagnose(text).missing == ()
    found = diagnose("0: world_size: 4\n" + text)
    assert (found.missing, found.world) == ((3,), 4)


def test_many_missing_ranks_are_no_hint() -> None:
    assert diagnose("world_size=64\n" + watchdog(0, 1) + watchdog(5, 1)).missing == ()


def test_where_nothing_is_known_the_first_bad_lines_of_each_process_are_shown() -> None:
    text = "".join(f"{task}: ERROR odd thing number {n}\n" for n in range(9) for task in (0, 1)) + DIED
    found = diagnose(text)
    assert found.cause is None
    assert found.confidence is Confidence.CASCADE
    assert [(seen.label.task, seen.place.line) for seen in found.suspects] == [
        (0, 1), (1, 2), (0, 3), (1, 4), (0, 5), (1, 6),
    ]  # fmt: skip


def test_a_killed_worker_without_a_word_from_slurm() -> None:
    block = (
        "Root Cause (first observed failure):\n[0]:\n  time      : 2026-03-04_10:13:20\n  host      : n2\n"
        "  rank      : 18 (local_rank: 2)\n  exitcode  : -9 (pid: 40018)\n"
    )
    found = diagnose(block)
    assert found.cause is None
    assert (found.where.node, found.where.rank, found.where.local_rank) == ("n2", 18, 2)
    assert found.exit is not None
    assert found.exit.signal == "SIGKILL"
    assert any("memory of the node" in note for note in found.notes)


def test_the_names_of_files_tell_who_wrote() -> None:
    found = diagnose(
        OOM.removeprefix("1: [rank1]: "), "fine\n", labels=[Label(rank=4, node="n4"), Label(rank=5)]
    )
    assert (found.where.rank, found.where.node) == (4, "n4")


@pytest.mark.parametrize(
    ("state", "root"),
    [
        ("OUT_OF_MEMORY", "host-oom"),
        ("TIMEOUT", "time-limit"),
        ("NODE_FAIL", "node-fail"),
        ("PREEMPTED", "preempted"),
        ("CANCELLED", "cancelled"),
        ("FAILED", None),
    ],
)
def test_accounting_knows_more_than_an_empty_log(state: str, root: str | None) -> None:
    found = diagnose("", accounting=Accounting(Row("7", state)))
    assert found.state is State.FAILED
    assert (found.cause.id if found.cause else None) == root


def test_accounting_that_is_content() -> None:
    found = diagnose("", accounting=Accounting(Row("7", "COMPLETED")))
    assert found.state is State.NO_FAILURE
    assert found.exit is not None
    assert found.exit.code == 0


def test_the_state_of_a_job_can_lie() -> None:
    lying = Accounting(Row("7", "COMPLETED"), (Row("7.0", "FAILED", code=1),))
    found = diagnose(OOM, accounting=lying)
    assert found.cause is not None
    assert found.cause.id == "cuda-oom"
    assert any("hides the failure" in note for note in found.notes)


def test_later_errors_are_told_beside_the_cause() -> None:
    later = (
        "0: [rank0]: 2026-03-04 10:09:00 ERROR x\n0: [rank0]: OSError: [Errno 28] No space left on device\n"
    )
    found = diagnose(f"1: [rank1]: 2026-03-04 10:00:00 ERROR out\n{OOM}{later}{DIED}")
    assert found.cause is not None
    assert found.cause.id == "cuda-oom"
    assert [group.id for group in found.others] == ["no-space"]


@pytest.mark.parametrize(("second", "root"), [("10:00:30", "no-space"), ("10:30:00", "rdzv-connect")])
def test_what_only_tells_that_it_failed_counts_if_it_was_much_earlier(second: str, root: str) -> None:
    first = "0: [rank0]: 2026-03-04 10:00:00 ERROR RendezvousConnectionError\n"
    other = f"1: [rank1]: 2026-03-04 {second} ERROR No space left on device\n"
    assert cause(first + other + DIED) == cause(other + first + DIED) == root


def test_of_equal_lines_of_unknown_processes_the_earliest_is_shown() -> None:
    text = "".join(f"2026-03-04 10:0{n}:00 ERROR No space left on device\n" for n in (5, 1, 3))
    found = diagnose(text + DIED)
    assert found.cause is not None and found.cause.seen is not None
    assert found.cause.seen.place.line == 2
    assert found.cause.alike == 2


@pytest.mark.parametrize("shown", range(1, 5))
def test_end_of_a_traceback_that_srun_dropped_is_not_known(shown: int) -> None:
    lines = TRACE.format("1: ", "ValueError: bad sample").splitlines(keepends=True)
    found = diagnose("".join(lines[:shown]) + DIED)
    assert found.cause is not None
    assert found.cause.id == "python-exception"
    assert found.confidence is Confidence.LIKELY
    assert "not in the log" in found.cause.cause
    assert "--output=%x-%j-%t.log" in found.cause.fix


def test_whole_traceback_is_said_to_be_read() -> None:
    found = diagnose(TRACE.format("1: ", "ValueError: bad sample") + DIED)
    assert found.cause is not None
    assert "not in the log" not in found.cause.cause
