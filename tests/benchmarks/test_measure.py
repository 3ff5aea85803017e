"""Running and measuring commands."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from benchmarks.measure import BenchmarkError, Command, interleaved, run

BUSY = "import time; end = time.process_time() + {}\nwhile time.process_time() < end: pass"

STARTING = "import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {!r}], check=True)"


def python(code: str, folder: Path) -> Command:
    return Command([sys.executable, "-S", "-c", code], folder, dict(os.environ))


def test_the_processor_is_counted_of_all_that_a_command_starts(tmp_path: Path) -> None:
    found = run(python(STARTING.format(BUSY.format(0.3)), tmp_path), limit=60)
    assert found.cpu >= 0.3
    assert found.wall >= 0.3
    assert found.ended


def test_memory_is_that_of_the_largest_process(tmp_path: Path) -> None:
    code = STARTING.format("x = b'x' * 200_000_000")
    assert 200_000_000 <= run(python(code, tmp_path), limit=60).memory <= 300_000_000


def test_one_core_is_one_core(tmp_path: Path) -> None:
    core = max(os.sched_getaffinity(0))
    code = f"import os, sys; sys.exit(os.sched_getaffinity(0) != {{{core}}})"
    command = Command([sys.executable, "-c", code], tmp_path, dict(os.environ), statuses=frozenset({0}))
    assert run(command, limit=60, core=core).ended


def _lives(process: Path) -> bool:
    try:
        return "State:\tZ" not in (process / "status").read_text("utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_what_takes_too_long_is_stopped_with_all_that_it_started(tmp_path: Path) -> None:
    code = (
        "import subprocess; child = subprocess.Popen(['sleep', '600']);"
        "open('child', 'w').write(str(child.pid)); child.wait()"
    )
    found = run(python(code, tmp_path), limit=0.15)
    assert not found.ended
    assert 1.5 <= found.wall < 60
    child = Path("/proc") / (tmp_path / "child").read_text("utf-8")
    until = time.monotonic() + 30
    while _lives(child):  # a killed process takes its time to die
        assert time.monotonic() < until
        time.sleep(0.01)


def test_what_works_too_long_is_stopped(tmp_path: Path) -> None:
    found = run(python("while True: pass", tmp_path), limit=1)
    assert not found.ended
    assert 0.9 <= found.cpu <= 6


def test_a_command_that_ends_as_it_must_not_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="status 7"):
        run(python("raise SystemExit(7)", tmp_path), limit=60)
    with pytest.raises(BenchmarkError, match="No such file"):
        run(Command(["./nothing"], tmp_path, {}), limit=60)


def test_rounds_are_interleaved_and_each_other_one_goes_backwards(tmp_path: Path) -> None:
    ran: list[tuple[str, int]] = []

    def command(name: str) -> Command:
        return Command(["true"], tmp_path, dict(os.environ), lambda number: ran.append((name, number)))

    found = interleaved({"a": command("a"), "b": command("b")}, 3, limit=60)
    assert ran == [("a", 0), ("b", 0), ("b", 1), ("a", 1), ("a", 2), ("b", 2)]
    assert set(found) == {"a", "b"}


def test_what_was_stopped_once_is_not_run_again(tmp_path: Path) -> None:
    ran: list[int] = []
    slow = Command(["sleep", "60"], tmp_path, dict(os.environ), ran.append)
    found = interleaved({"slow": slow}, 3, limit=0.02)
    assert ran == [0]
    assert not found["slow"].ended
