"""The fuzzer itself: a few seconds of each target under atheris, and what it does with a failure."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.failures import Failures
from tests.fuzz.limits import TooLong, limited
from tests.fuzz.table import NAMES

ROOT = Path(__file__).parents[2]


def fuzz(folder: Path, name: str, *options: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "tests.fuzz", name, "--failures", str(folder / "failures"), *options]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=600)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_led_by_coverage(name: str, tmp_path: Path) -> None:
    pytest.importorskip(
        "atheris", reason="atheris has wheels for Linux on x86-64 alone (pip install .[fuzz])"
    )
    run = fuzz(tmp_path, name, "--seconds", "5", "--seeds", "60", "--corpus", str(tmp_path / "corpus"))
    assert run.returncode == 0, run.stdout + run.stderr[-2000:]
    assert f"{name}: 0 inputs" not in run.stdout and ", 0 failures" in run.stdout


def test_blind(tmp_path: Path) -> None:
    run = fuzz(tmp_path, "sacct", "--blind", "--seconds", "0.5")
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.startswith("sacct: ") and ", 0 failures" in run.stdout


def test_the_shortest_input_of_a_failure_is_kept(tmp_path: Path) -> None:
    def breaks(data: bytes) -> None:
        if b"x" in data:
            raise ValueError(f"no {data!r}")

    failures = Failures("tried", tmp_path / "kept")
    run = failures.watching(breaks)
    for data in (b"a", b"axxx", b"ax", b"axx"):
        run(data)
    assert (failures.inputs, failures.status) == (4, 1)
    (kept,) = (tmp_path / "kept").glob("*.input")
    assert kept.read_bytes() == b"ax"
    assert "ValueError" in kept.with_suffix(".txt").read_text("utf-8")
    assert "tried: 4 inputs, 1 failures" in failures.summary()


def test_what_never_ends_is_stopped_whoever_catches_exceptions() -> None:
    def never() -> None:
        while True:
            try:
                sum(range(1000))
            except Exception:  # as an engine would that goes on after whatever a rule raises
                continue

    with pytest.raises(TooLong), limited(0.2):
        never()
