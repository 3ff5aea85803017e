from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.diagnose.accounting import AccountingError, read_accounting
from sbatchlint.diagnose.exit_codes import explain, explain_signal

PARSABLE = """\
JobID|JobName|State|ExitCode|NodeList|End
7|train|CANCELLED by 1000|0:15|n[1-2]|2026-03-04T10:00:00
7.batch|batch|CANCELLED|0:15|n1|2026-03-04T10:00:00
7.0|train.sh|FAILED|1:0|n[1-2]|2026-03-04T10:00:00
"""
TABLE = """\
JobID           JobName  Partition    Account  AllocCPUS      State ExitCode
------------ ---------- ---------- ---------- ---------- ---------- --------
7                 train        gpu      group         16 CANCELLED+     0:15
7.0            train.sh                 group         16     FAILED      1:0
"""
JSON = {
    "jobs": [
        {
            "job_id": 7,
            "state": {"current": ["CANCELLED"], "reason": "None"},
            "exit_code": {
                "return_code": {"set": True, "number": 0},
                "signal": {"id": {"set": True, "number": 15}},
            },
            "nodes": "n[1-2]",
            "kill_request_user": "ann",
            "steps": [
                {
                    "step": {"id": "7.0", "name": "train.sh"},
                    "state": ["FAILED"],
                    "exit_code": {"return_code": {"number": 1}, "signal": {"id": {"number": 0}}},
                    "nodes": {"count": 2, "range": "n[1-2]"},
                }
            ],
        }
    ]
}


@pytest.mark.parametrize("text", [PARSABLE, TABLE, json.dumps(JSON)], ids=["parsable", "table", "json"])
def test_each_form(text: str) -> None:
    read = read_accounting(text)
    assert (read.state, read.signature) == ("CANCELLED", "cancelled")
    assert read.exit is not None
    assert read.exit.signal == "SIGTERM"
    assert [(step.id, step.state, step.code) for step in read.steps if step.id == "7.0"] == [
        ("7.0", "FAILED", 1)
    ]
    assert read.bad


def test_who_cancelled_it_and_where() -> None:
    read = read_accounting(PARSABLE)
    assert read.job.by == "1000"
    assert read.nodes == ("n1", "n2")
    assert "by the user number 1000" in read.remarks[0]


def test_a_step_that_ran_out_of_memory() -> None:
    text = "JobID|State|ExitCode\n7|FAILED|1:0\n7.0|OUT_OF_MEMORY|0:125\n"
    assert read_accounting(text).signature == "host-oom"


def test_of_several_jobs_one_has_to_be_named() -> None:
    text = "JobID|State|ExitCode\n7|FAILED|1:0\n8|COMPLETED|0:0\n8.0|COMPLETED|0:0\n"
    with pytest.raises(AccountingError, match="--job"):
        read_accounting(text)
    assert read_accounting(text, "8").state == "COMPLETED"
    with pytest.raises(AccountingError, match="no job 9"):
        read_accounting(text, "9")


def test_of_the_starts_of_a_requeued_job_the_last_counts() -> None:
    text = "JobID|State|ExitCode\n7|NODE_FAIL|0:0\n7|COMPLETED|0:0\n"
    assert read_accounting(text).state == "COMPLETED"


@pytest.mark.parametrize(
    "text", ["", "hello", "{}", "{", '{"jobs": 3}', "JobID State\n7 FAILED\n", "JobID|State\n"]
)
def test_what_is_no_accounting(text: str) -> None:
    with pytest.raises(AccountingError):
        read_accounting(text)


@given(st.text(max_size=300) | st.text('|{}"JobID7.State:0-\n ', max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_accounting(text)
    except AccountingError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("code", "name", "word"),
    [
        (0, "", "success"), (1, "", "torchrun always"), (2, "", "wrong use"), (-9, "SIGKILL", "memory"),
        (137, "SIGKILL", "memory"), (143, "SIGTERM", "told to stop"), (-15, "SIGTERM", "told to stop"),
        (134, "SIGABRT", "watchdog"), (-6, "SIGABRT", "watchdog"), (135, "SIGBUS", "shared memory"),
        (139, "SIGSEGV", "crashed"), (126, "", "can't be executed"), (127, "", "not found"),
        (124, "", "timeout"),
        (152, "SIGXCPU", "CPU time"), (253, "", "memory"), (77, "", "own"), (190, "SIGRTMAX-2", "ended"),
    ],
)  # fmt: skip
def test_exit_codes(code: int, name: str, word: str) -> None:
    found = explain(code)
    assert found.signal == name or name.startswith("SIGRT")
    assert word in found.meaning


@given(st.integers(1, 64))
def test_the_three_ways_to_tell_of_a_signal_are_one(number: int) -> None:
    assert explain(-number) == explain(128 + number) == explain_signal(number)
