"""``--time-limit``: a file that takes too long is told of, and costs the others nothing."""

from __future__ import annotations

import contextlib
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sbatchlint.api import Finding, Job
from sbatchlint.cli import diagnose_script, lateness
from sbatchlint.launch import evaluate
from tests.cli import fake_rules
from tests.cli.conftest import Run, Write

LIMIT = ("--time-limit", "0.9")


def _spin(job: Job, word: str) -> None:
    """Go on for ever over a text with *word*."""
    while word in job.source.text:
        pass


@pytest.fixture(autouse=True)
def slow_rule(monkeypatch: pytest.MonkeyPatch, run: Run, write: Write) -> None:
    """Let one rule be slow over the word ENDLESS, behind what it finds; load first what checking loads."""
    check = fake_rules.RiskyWord.check

    def slow(self: fake_rules.RiskyWord, job: Job) -> Iterator[Finding]:
        yield from check(self, job)
        _spin(job, "ENDLESS")

    run(str(write("warm.sh", "x=1; srun $x BAD\n")), "--diff")
    monkeypatch.setattr(fake_rules.RiskyWord, "check", slow)


def _told(text: str) -> str:
    return re.sub(r"\d+(\.\d+)? s\b", "N s", text)


def test_the_rule_is_named_and_the_other_findings_stand(run: Run, write: Write) -> None:
    write("a.sh", "echo BAD RISKY ENDLESS\n")
    write("b.sh", "echo BAD RISKY\n")
    done = run("a.sh", "b.sh", *LIMIT, "--output-format", "concise")
    assert done.status == 2
    assert (done.out.count("TST101"), done.out.count("TST102")) == (2, 2)
    assert done.out.splitlines()[0].startswith("a.sh:")
    expected = "a.sh: not checked to the end: rule TST102 takes longer than N s, a third of the time limit"
    assert expected in _told(done.err)
    assert "--time-limit gives more" in done.err
    assert "b.sh" not in done.err
    assert "report it" not in done.err, "it is no fault of the tool"


def test_the_answer_of_workers_is_the_same(run: Run, write: Write) -> None:
    for name in ("a.sh", "b.sh", "c.sh", "d.sh"):
        write(name, "echo BAD ENDLESS\n" if name in "a.sh d.sh" else "echo BAD\n")
    paths = ("a.sh", "b.sh", "c.sh", "d.sh")
    alone, together = (run(*paths, *LIMIT, "--jobs", jobs) for jobs in "12")
    assert alone == together
    assert alone.status == 2
    assert alone.err.count("not checked to the end") == 2


def test_all_that_is_left_is_told_when_the_whole_time_is_over(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(self: object, job: Job) -> Iterator[Finding]:
        yield from ()
        for _ in range(5):
            with contextlib.suppress(BaseException):  # what a careless rule may do
                _spin(job, "ENDLESS")

    monkeypatch.setattr(fake_rules.BadWord, "check", slow)
    write("a.sh", "echo BAD RISKY ENDLESS\n")
    done = run("a.sh", *LIMIT)
    assert done.status == 2
    assert "a.sh: not checked to the end" in done.err
    assert "rules were not asked" in done.err


def test_no_cache_keeps_it(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SBATCHLINT_CACHE_DIR", str(tmp_path / "cache"))
    write("a.sh", "echo RISKY\n: ENDLESS\n")
    late = run("a.sh", *LIMIT)
    assert late.status == 2
    monkeypatch.setattr(fake_rules.RiskyWord, "check", fake_rules.BadWord.check)
    monkeypatch.setattr(fake_rules, "places", lambda job, word: iter(()))
    done = run("a.sh", *LIMIT)
    assert (done.status, "not checked" in done.err) == (0, False)


@pytest.mark.parametrize("option", ["--fix", "--diff"])
def test_it_is_not_fixed(run: Run, write: Write, option: str) -> None:
    late, other = write("a.sh", "echo BAD ENDLESS\n"), write("b.sh", "echo BAD\n")
    before = late.read_bytes()
    done = run("a.sh", "b.sh", option, *LIMIT)
    assert done.status == 2
    assert late.read_bytes() == before
    assert ("FINE" in other.read_text()) is (option == "--fix")
    assert "a.sh: not fixed, since it was not checked to the end" in done.err
    assert "a.sh" not in done.out or option == "--fix"


def test_no_fix_is_promised_that_was_not_tried(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = fake_rules.BadWord.check

    def slow(self: fake_rules.BadWord, job: Job) -> Iterator[Finding]:
        yield from check(self, job)
        _spin(job, "FINE")  # only what is fixed takes for ever

    monkeypatch.setattr(fake_rules.BadWord, "check", slow)
    path = write("a.sh", "echo BAD\n")
    done = run("a.sh", *LIMIT)
    assert done.status == 2
    assert "TST101" in done.out
    assert "[*]" not in done.out
    assert "a.sh: not checked to the end: trying the fixes takes" in done.err
    assert run("a.sh", *LIMIT, "--fix").status == 2
    assert "BAD" in path.read_text()


def test_handlers_and_timers_are_put_back(run: Run, write: Write) -> None:
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        write("a.sh", "echo ENDLESS\n")
        run("a.sh", *LIMIT)
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_IGN
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_no_limit(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(self: object, job: Job) -> Iterator[Finding]:
        yield from ()
        end = time.process_time() + 0.6
        while time.process_time() < end:
            assert signal.getitimer(signal.ITIMER_REAL)[0] == 0

    monkeypatch.setattr(fake_rules.RiskyWord, "check", slow)
    write("a.sh", "true\n")
    assert run("a.sh", "--time-limit", "0").status == 0


@pytest.mark.parametrize("value", ["", "-1", "x", "1e3", "inf", "nan", "١", "1_0", "12345678"])
def test_what_is_no_time(run: Run, write: Write, value: str) -> None:
    write("a.sh")
    done = run("a.sh", f"--time-limit={value}")
    assert done.status == 2
    assert "--time-limit: give seconds, such as 60 or 0.5" in done.err


# --- other commands ----------------------------------------------------------------------------------


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands without the option have the limit of the other tests."""
    monkeypatch.setattr(lateness, "TIME_LIMIT", float(LIMIT[1]))
    monkeypatch.setattr(diagnose_script, "TIME_LIMIT", float(LIMIT[1]))


@pytest.fixture
def endless_plan(monkeypatch: pytest.MonkeyPatch, short: None) -> None:
    """Let no plan of a script with the word ENDLESS come to its end."""
    follow = evaluate.plan_launches

    def slow(script: Any, request: Any, **more: Any) -> Any:
        while "ENDLESS" in request.source.text:
            pass
        return follow(script, request, **more)

    monkeypatch.setattr(evaluate, "plan_launches", slow)


LOG = "srun: error: n1: task 0: Exited with exit code 1\n"
PLAN_TAKES = r"following its commands takes longer than N s(, a third of the time limit)?\n"


def test_no_plan_is_waited_for(run: Run, write: Write, endless_plan: None) -> None:
    write("a.sh", "srun ENDLESS\n")
    write("b.sh", "srun hostname\n")
    done = run("plan", "a.sh", "b.sh")
    assert done.status == 2
    assert re.fullmatch(f"sbatchlint: a.sh: not shown: {PLAN_TAKES}", _told(done.err)), done.err
    assert "command      hostname" in done.out


def test_nothing_is_converted_that_takes_too_long(run: Run, tmp_path: Path, endless_plan: None) -> None:
    done = run("convert", "--output", "made.sbatch", "--", "torchrun", "ENDLESS.py")
    assert (done.status, done.out) == (2, "")
    assert re.search(f"the command: not converted: {PLAN_TAKES}$", _told(done.err)), done.err
    assert not (tmp_path / "made.sbatch").exists()


def test_the_logs_are_diagnosed_without_the_script(run: Run, write: Write, endless_plan: None) -> None:
    write("a.sh", "srun ENDLESS\n")
    write("a.log", whole=LOG)
    alone, done = run("diagnose", "a.log"), run("diagnose", "a.log", "--script", "a.sh")
    assert done.status == 2
    assert done.out.splitlines()[0] == alone.out.splitlines()[0]
    assert re.search(f"a.sh: not checked to the end: {PLAN_TAKES}", _told(done.err)), done.err
    assert "--time-limit" not in done.err, "it has no such option"


def test_a_rule_that_hangs_under_diagnose(run: Run, write: Write, short: None) -> None:
    write("a.sh", "echo BAD ENDLESS\n")
    write("a.log", whole=LOG)
    done = run("diagnose", "a.log", "--script", "a.sh")
    assert done.status == 2
    assert "a.sh: not checked to the end: rule TST102 takes longer" in done.err
    assert "internal error" not in done.err


def test_no_comment_is_written_that_was_not_tried(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = fake_rules.RiskyWord.check

    def slow(self: fake_rules.RiskyWord, job: Job) -> Iterator[Finding]:
        yield from check(self, job)
        _spin(job, "sbatchlint: ignore")

    monkeypatch.setattr(fake_rules.RiskyWord, "check", slow)
    path = write("a.sh", "echo BAD\n")
    before = path.read_text()
    done = run("a.sh", *LIMIT, "--add-ignore", "--output-format", "concise")
    assert (done.status, path.read_text()) == (2, before)
    assert "a.sh: no comment written: " in done.err
    assert "TST101" in done.out, "it stands"
