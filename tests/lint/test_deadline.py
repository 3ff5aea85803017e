"""The clock of a file."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import tree_sitter

from sbatchlint.api import Source
from sbatchlint.launch import evaluate
from sbatchlint.lint import deadline
from sbatchlint.lint.deadline import OutOfTime, clock, in_time, limited
from sbatchlint.lint.engine import LEFT_OUT, in_full, lint_source
from sbatchlint.lint.registry import Registry
from sbatchlint.shell import reader
from sbatchlint.shell.treesitter_reader import top_level

TEXT = "#!/bin/bash\n#SBATCH --tyme=1\nsrun --tyme=1 a\n"


def _spin(*_: object, **__: object) -> None:
    while True:
        pass


def _wait() -> None:
    time.sleep(60)


@pytest.mark.parametrize("work", [_spin, _wait], ids=["works", "waits"])
def test_it_rings(work: Callable[[], None]) -> None:
    with pytest.raises(OutOfTime), limited(0.05):
        work()
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert not clock().over


def test_it_rings_again_for_whoever_did_not_hear() -> None:
    rung = 0
    with limited(0.1):
        while rung < 5:
            try:
                _spin()
            except OutOfTime:
                rung += 1
    assert rung == 5


def test_each_part_has_a_third_of_the_time() -> None:
    with limited(0.3) as running:
        for _ in range(2):
            running.begin()
            with pytest.raises(OutOfTime, match="a third of the time limit"):
                _spin()
        assert not running.over
        running.begin()
        with pytest.raises(OutOfTime, match=r"longer than 0\.[13] s"):
            _spin()


SLOW_TO_PARSE = (")" * 60_000, "(a) " * 20_000, "a=(" * 20_000, "<<<" * 30_000)
"""What tree-sitter takes tens of seconds for."""


@pytest.mark.skipif(
    hasattr(tree_sitter.Parser, "timeout_micros"), reason="this tree-sitter can't be interrupted"
)
@pytest.mark.parametrize("text", SLOW_TO_PARSE, ids=[text[:4] for text in SLOW_TO_PARSE])
def test_it_rings_while_tree_sitter_works(text: str) -> None:
    begin = time.monotonic()
    with pytest.raises(OutOfTime), limited(0.3):
        top_level(f"{text}\nsrun x\n")
    assert time.monotonic() - begin < 8
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert top_level("srun x\n")[0].type == "command"


@pytest.mark.skipif(
    hasattr(tree_sitter.Parser, "timeout_micros"), reason="this tree-sitter can't be interrupted"
)
def test_a_signal_that_another_thread_takes_ends_the_parsing_too() -> None:
    with pytest.raises(KeyboardInterrupt):
        timer = threading.Timer(0.5, signal.raise_signal, (signal.SIGINT,))
        timer.start()
        top_level(SLOW_TO_PARSE[0])
    timer.join()
    assert top_level("srun x\n")[0].type == "command"


def test_it_is_quiet_once_stopped() -> None:
    with limited(0.05) as running:
        running.stop()
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        assert running.over


def test_nobody_elses_alarm_is_touched() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with limited(0.05) as running:
            end = time.process_time() + 0.1
            while time.process_time() < end:
                pass
            assert not running.over
            while not rung:
                time.sleep(0.01)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_clock_in_a_clock_is_the_outer_one() -> None:
    with limited(5) as outer, limited(0.01) as inner:
        assert inner is outer


def test_a_thread_has_none() -> None:
    found: list[deadline.Clock] = []

    def work() -> None:
        with limited(0.01) as running:
            found.append(running)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert type(found[0]) is deadline.Clock


def test_what_was_late_is_not_tried_again() -> None:
    late: dict[object, OutOfTime] = {}
    tried: list[int] = []

    def work() -> None:
        tried.append(1)
        raise OutOfTime("long")

    for _ in range(3):
        with pytest.raises(OutOfTime, match="reading takes long"):
            in_time(late, "key", work, "reading")
    assert tried == [1]


@pytest.fixture
def slow_plan(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    lint_source(Source.from_text(TEXT, "warm.sbatch"), Registry.load().select())
    monkeypatch.setattr(evaluate, "plan_launches", _spin)
    yield


@pytest.mark.usefixtures("slow_plan")
def test_a_plan_that_takes_too_long_leaves_the_rules_of_directives() -> None:
    with limited(3):
        result = lint_source(Source.from_text(TEXT, "job.sbatch"), Registry.load().select())
    assert "SB108" in {finding.code for finding in result.findings}
    messages = {error.message for error in result.internal_errors}
    assert messages == {"following its commands takes longer than 1 s, a third of the time limit"}
    assert all(error.late for error in result.internal_errors)
    assert LEFT_OUT not in messages
    with pytest.raises(OutOfTime):
        in_full(result)


def test_nothing_is_told_whose_suppression_could_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Registry.load().select()
    text = TEXT.replace("=1\n", "=1\n# sbatchlint: ignore-file[SB108] known\n", 1)
    lint_source(Source.from_text(text, "warm.sbatch"), rules)
    monkeypatch.setattr(reader, "read_script", _spin)
    with limited(3):
        result = lint_source(Source.from_text(text, "job.sbatch"), rules)
    assert result.findings == ()
    assert any(error.message.startswith("reading its shell text") for error in result.internal_errors)
