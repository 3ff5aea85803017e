"""Tracebacks, files and jobs that are not as one would wish."""

from __future__ import annotations

import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.diagnose.accounting import AccountingError, read_accounting
from sbatchlint.diagnose.diagnosis import State
from sbatchlint.diagnose.logs import PackedError, read_pieces
from tests.diagnose.scenes import diagnose

ENDED = "srun: error: n1: task 0: Exited with exit code 1\n"
PREFIXES = st.sampled_from(
    [
        "ERROR 03-27 22:19:{:02} [core.py:367] ",
        "[2024-09-15 20:18:{:02}] [INFO] [rank0]: ",
        "(Engine pid=7) ERROR 03-27 22:19:{:02} [core.py:367] ",
        "2026-03-04 10:00:{:02},123 - train - ERROR - ",
        "    ",
    ]
)


@given(PREFIXES, st.lists(st.integers(0, 59), min_size=4, max_size=4), st.sampled_from(["", "it broke: "]))
def test_a_traceback_whose_prefix_has_a_clock(prefix: str, seconds: list[int], says: str) -> None:
    body = [
        f"{says}Traceback (most recent call last):",
        '  File "a.py", line 3, in f',
        "    g()",
        "KeyError: 'lr'",
    ]
    text = "".join(f"{prefix.format(second)}{line}\n" for second, line in zip(seconds, body, strict=True))
    found = diagnose(f"step 1\n{text}{ENDED}")
    assert found.cause is not None
    assert found.cause.seen is not None
    assert found.cause.seen.text.endswith("KeyError: 'lr'")


@pytest.mark.parametrize(
    ("above", "seen"),
    [
        ("\u2502 \u2771 12 g()  \u2502\n\u2570\u2500\u2500\u2500\u256f\n", True),
        ('  File "a.py", line 12\n    print "x"\n          ^\n', False),
        ("all is well\n", False),
    ],
)
def test_an_exception_below_a_frame(above: str, seen: bool) -> None:
    found = diagnose(f"{above}RuntimeError: expected Half\n{ENDED}")
    assert (found.cause is not None) is seen


def test_a_file_that_python_cannot_parse() -> None:
    found = diagnose(f'  File "a.py", line 12\n    print "x"\n          ^\nSyntaxError: bad\n{ENDED}')
    assert found.cause is not None
    assert found.cause.title.endswith("SyntaxError")


@given(st.integers(1, 3))
def test_packed_several_times(times: int) -> None:
    data = b"a line\n"
    for _ in range(times):
        data = gzip.compress(data)
    assert b"".join(read_pieces(io.BytesIO(data), "x", lambda path, text: None)) == b"a line\n"


@pytest.mark.parametrize(
    "data", [b"\xfd7zXZ\0x", b"\x28\xb5\x2f\xfdx", b"BZh91AY&SYx", b"PK\3\4" + b"x" * 30]
)
def test_what_is_packed_in_another_way_is_no_healthy_log(data: bytes) -> None:
    with pytest.raises(PackedError, match="packed"):
        list(read_pieces(io.BytesIO(data), "x", lambda path, text: None))


def test_logs_of_several_jobs() -> None:
    line = "slurmstepd: error: *** JOB {} ON n1 CANCELLED AT 2026-03-04T10:00:00 DUE TO TIME LIMIT ***\n"
    assert any("2 jobs (11, 12)" in note for note in diagnose(line.format(11), line.format(12)).notes)
    assert not any("jobs" in note for note in diagnose(line.format(11), line.format(11)).notes)


@pytest.mark.parametrize(("hour", "told"), [("10", False), ("15", True)])
def test_clocks_that_differ(hour: str, told: bool) -> None:
    found = diagnose(
        "0: 2026-03-04 10:05:00 ERROR OSError: [Errno 116] Stale file handle\n"
        f"1: 2026-03-04 {hour}:06:00 ERROR torch.OutOfMemoryError: CUDA out of memory\n{ENDED}"
    )
    assert any("clocks" in note for note in found.notes) is told


@pytest.mark.parametrize(
    "line",
    [
        "Lmod has detected the following error: The following module(s) are unknown: x",
        "/var/spool/slurmd/job7/slurm_script: line 12: venv/bin/activate: No such file or directory",
        "OSError: [Errno 5] Input/output error: 'x'",
    ],
)
def test_what_jobs_mostly_survive_needs_a_proof(line: str) -> None:
    assert diagnose(f"{line}\nall done\n").state is State.NO_FAILURE
    found = diagnose(f"{line}\n{ENDED}")
    assert found.cause is not None
    assert found.cause.seen is not None
    assert found.cause.seen.text == line


class TestSacct:
    def test_a_byte_order_mark(self) -> None:
        assert read_accounting("\ufeffJobID|State|ExitCode\r\n7|TIMEOUT|0:0\r\n").state == "TIMEOUT"

    def test_raw_numbers(self) -> None:
        assert read_accounting("JobIDRaw|State\n7|TIMEOUT\n7.0|CANCELLED\n").job.id == "7"

    def test_the_bad_component_of_a_heterogeneous_job(self) -> None:
        text = "JobID|State\n7+0|COMPLETED\n7+0.0|COMPLETED\n7+1|NODE_FAIL\n7+1.0|CANCELLED\n"
        for job in (None, "7", "7+1"):
            found = read_accounting(text, job)
            assert (found.job.id, len(found.steps)) == ("7+1", 1)
        assert read_accounting(text, "7+0").job.state == "COMPLETED"

    def test_tasks_of_an_array_are_named(self) -> None:
        with pytest.raises(AccountingError, match=r"2 jobs.*\(7_2\)"):
            read_accounting("JobID|State\n7_1|COMPLETED\n7_2|FAILED\n", "7")

    def test_steps_of_older_json(self) -> None:
        step = '{"step":{"id":{"job_id":7,"step_id":"batch"}},"state":"CANCELLED","exit_code":{}}'
        found = read_accounting(
            f'{{"jobs":[{{"job_id":7,"state":{{"current":"TIMEOUT"}},"steps":[{step}]}}]}}'
        )
        assert found.steps[0].id == "7.batch"
