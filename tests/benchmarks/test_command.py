"""The command as it is run by hand, small."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import MEASUREMENTS
from tests.packaging import PROJECT


def benchmarks(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=300, check=False)


def test_it_says_what_can_be_measured() -> None:
    done = benchmarks("--list")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(MEASUREMENTS)


@pytest.mark.slow
def test_a_small_run_prints_every_line_of_what_was_asked_for(tmp_path: Path) -> None:
    saved = tmp_path / "numbers.json"
    done = benchmarks("--only", "version", "many", "--rounds", "1", "--scripts", "12", "--json", str(saved))
    assert done.returncode == 0, done.stderr
    rows = json.loads(saved.read_text("utf-8"))["rows"]
    assert [row["name"] for row in rows] == [
        "--version, beside python -c pass",
        "12 scripts, cold",
        "12 scripts, unchanged",
        "12 scripts, 10 of them changed",
        "12 scripts, cold: memory",
        "12 scripts, unchanged: memory",
    ]
    for row in rows:
        assert row["number"] > 0
        assert row["name"] in done.stdout
    cold, unchanged = rows[1]["number"], rows[2]["number"]
    assert unchanged > 2 * cold


def test_what_takes_too_long_is_told_and_not_waited_for() -> None:
    done = benchmarks("--only", "nesting", "--rounds", "1", "--limit", "0.01")
    assert done.returncode == 0, done.stderr
    assert "over 0 s" in done.stdout


def test_wrong_use_and_a_missing_program_are_told() -> None:
    assert benchmarks("--rounds", "0").returncode == 2
    done = benchmarks("--only", "version", "--program", "/no/such/program")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("benchmarks: /no/such/program: No such file")
