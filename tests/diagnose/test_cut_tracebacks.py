"""Tracebacks whose ends got lost: a process was killed while it wrote, or srun dropped what it had not read.

Whatever is cut off, the answer may become poorer, never another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.diagnose.scenes import diagnose
from tests.diagnose.test_made_logs import EXPECTED, logs_of

HEAD = re.compile(r"(?P<label>(?:\d+: )?(?:\[rank\d+\]: )?(?<=: ))Traceback \(most recent call last\):")
PEER_IS_GONE = (
    "torch.distributed.DistNetworkError: Broken pipe",
    "torch.distributed.DistNetworkError: Connection reset by peer",
    "torch.distributed.DistNetworkError: Failed to recv, got 0 bytes. Connection was likely closed.",
)
"""What a client of torch's TCPStore raised when its server was killed, seconds or no time before the call."""


def texts_of(name: str) -> list[str]:
    return [path.read_text("utf-8", "surrogateescape") for path in logs_of(name)]


def tracebacks(text: str) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of the lines of each traceback that has a label; others may stand between them."""
    lines = text.splitlines()
    for first, line in enumerate(lines):
        head = HEAD.fullmatch(line)
        if head is None:
            continue
        own = [first]
        for number, other in enumerate(lines[first + 1 :], first + 1):
            if other.startswith(head["label"]):
                own.append(number)
                if other[len(head["label"])] != " ":
                    break
        yield tuple(own)


def without(text: str, gone: Sequence[int]) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(line for number, line in enumerate(lines) if number not in gone)


def cases() -> list[Any]:
    """Every traceback with a label of every log: the job, the number of the log, the lines."""
    return [
        pytest.param(name, number, own, id=f"{name}-{number}-{own[0]}")
        for name in EXPECTED
        for number, text in enumerate(texts_of(name))
        for own in tracebacks(text)
    ]


@pytest.mark.parametrize(("name", "number", "own"), cases())
def test_what_is_cut_off_makes_no_other_answer(name: str, number: int, own: tuple[int, ...]) -> None:
    texts = texts_of(name)
    whole = diagnose(*texts)
    seen = whole.cause.seen if whole.cause is not None else None
    its_own = seen is not None and seen.place.file == number and seen.place.line - 1 in own
    for shown in range(1, len(own)):
        texts[number] = without(texts_of(name)[number], own[shown:])
        found = diagnose(*texts)
        assert found.state is whole.state
        if found.cause is None:
            assert found.where.rank in (None, whole.where.rank)
        elif its_own and whole.cause is not None:
            assert found.cause.title == whole.cause.title or "not in the log" in found.cause.cause
        else:
            assert whole.cause is not None
            assert (found.cause.id, found.where) == (whole.cause.id, whole.where)


def test_there_are_tracebacks_to_cut() -> None:
    assert len(cases()) >= 20


@pytest.mark.parametrize("said", PEER_IS_GONE)
def test_agent_that_lost_its_store_is_no_cause(said: str) -> None:
    texts = [
        re.sub(r"(?m)^torch\.distributed\.DistNetworkError: Failed.*", said, text)
        for text in texts_of("agents-store-gone")
    ]
    assert said in texts[0]
    found = diagnose(*texts)
    assert found.cause is None
    assert found.where.rank == 3
    assert found.exit is not None
    assert found.exit.signal == "SIGKILL"


BLOCK = """\
Root Cause (first observed failure):
[0]:
  time      : 2026-03-04_{}
  host      : n2
  rank      : 3 (local_rank: 1)
  exitcode  : {} (pid: 4001{})
  error_file: <N/A>
"""
BROKEN = '[rank{0}]: Traceback (most recent call last):\n[rank{0}]:   File "train.py", line 3, in <module>\n'
"""A traceback without its end."""


def said(rank: int, exception: str) -> str:
    return BROKEN.format(rank) + f"[rank{rank}]: {exception}\n"


@pytest.mark.parametrize("code", [-9, -11, -7, 1, 3])
@pytest.mark.parametrize(
    "victim",
    [BROKEN.format(0), said(0, "EOFError"), said(0, "RuntimeError: Broken pipe"), said(0, "x.DistError: y")],
)
def test_what_says_nothing_is_no_cause_beside_a_worker_that_ended(victim: str, code: int) -> None:
    for text in (victim + BLOCK.format("10:00:00", code, 8), BLOCK.format("10:00:00", code, 8) + victim):
        found = diagnose(text)
        assert (found.cause.id if found.cause else None) == {-11: "segfault", -7: "sigbus"}.get(code)
        assert found.where.rank == 3
        assert any("has no end" in note for note in found.notes) is (victim == BROKEN.format(0))


@pytest.mark.parametrize("code", [-15, -6])
def test_worker_that_was_told_to_stop_or_aborted_leaves_the_question_open(code: int) -> None:
    found = diagnose(said(0, "EOFError") + BLOCK.format("10:00:00", code, 8))
    assert found.cause is not None
    assert found.where.rank == 0


@pytest.mark.parametrize(("time", "rank"), [("09:30:00", 0), ("09:59:50", 3), ("10:30:00", 3)])
def test_what_came_long_before_a_worker_ended_is_the_cause(time: str, rank: int) -> None:
    timed = said(0, "EOFError").replace("Traceback", f"2026-03-04 {time},000 ERROR Traceback")
    found = diagnose(timed + BLOCK.format("10:00:00", -9, 8))
    assert found.where.rank == rank
    assert (found.cause is None) is (rank == 3)


def test_broken_traceback_of_the_worker_that_ended_is_the_cause() -> None:
    found = diagnose(BROKEN.format(3) + said(0, "RuntimeError: Broken pipe") + BLOCK.format("10:00:00", 1, 8))
    assert found.cause is not None
    assert "not in the log" in found.cause.cause
    assert found.where.rank == 3


def test_worker_whose_own_words_are_of_another_is_not_the_first() -> None:
    lost = said(3, "RuntimeError: [gloo/pair.cc:5] Connection closed by peer [10.0.0.1]:77")
    found = diagnose(lost + said(0, "EOFError") + BLOCK.format("10:00:00", 1, 8))
    assert found.cause is not None
    assert found.where.rank == 0


@pytest.mark.parametrize("ended", ["0", "1"])
def test_of_broken_tracebacks_that_of_the_task_which_srun_names_first_counts(ended: str) -> None:
    traces = "".join(f"{task}: Traceback (most recent call last):\n" for task in (0, 1))
    words = "0: RuntimeError: Connection closed by peer\n1: RuntimeError: Connection closed by peer\n"
    found = diagnose(f"{traces}{words}srun: error: n{ended}: task {ended}: Exited with exit code 1\n")
    assert found.where.task == int(ended)
