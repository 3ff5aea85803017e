from __future__ import annotations

import gzip
import io
import json
import os
import pty
import sys
from pathlib import Path

import pytest

from sbatchlint.cli import diagnose
from sbatchlint.cli.diagnose_progress import Progress, progress_line
from sbatchlint.cli.main import main
from tests.cli.conftest import Run, Write

OOM = "1: [rank3]: torch.OutOfMemoryError: CUDA out of memory\n"
DIED = "srun: error: n2: task 1: Exited with exit code 1\n"


def test_a_failure_and_none(run: Run, write: Write) -> None:
    write("bad.log", whole=OOM + DIED)
    write("good.log", whole="fine\n")
    assert run("diagnose", "bad.log").status == 1
    found = run("diagnose", "good.log")
    assert (found.status, found.err) == (0, "")
    assert found.out.startswith("no failure found\n")


def test_a_log_that_is_not_there(run: Run, write: Write) -> None:
    write("good.log", whole="fine\n")
    found = run("diagnose", "good.log", "bad.log")
    assert found.status == 2
    assert found.err == "sbatchlint: bad.log: can't be read: no such file or directory\n"
    assert "no failure found" in found.out
    assert run("diagnose", "*.nothing").status == 2
    assert run("diagnose").status == 2


def test_json_and_its_schema(run: Run, write: Write) -> None:
    write("bad.log", whole=OOM + DIED)
    document = json.loads(run("diagnose", "--output-format", "json", "bad.log").out)
    assert document["cause"]["id"] == "cuda-oom"
    assert document["first"] == {"node": "n2", "task": 1, "rank": 3, "local_rank": None, "time": None}
    assert json.loads(run("diagnose", "--schema").out)["title"]


def test_standard_input_folders_patterns_and_gzip(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Stdin:
        buffer = io.BytesIO(gzip.compress((OOM + DIED).encode()))

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert "-:1" in run("diagnose", "-").out
    write("logs/a.log", whole="fine\n")
    write("logs/b.out.gz", whole=gzip.compress((OOM + DIED).encode()))
    for words in (("logs",), ("logs/*",), ("logs/a.log", "logs/b.out.gz")):
        found = run("diagnose", *words)
        assert found.status == 1
        assert "logs/b.out.gz:1" in found.out


def test_a_packed_log_that_breaks_off(run: Run, write: Write) -> None:
    write("a.log.gz", whole=gzip.compress((OOM + DIED).encode() + os.urandom(9999))[:-2000])
    found = run("diagnose", "a.log.gz")
    assert found.status == 1
    assert "breaks off" in found.err
    assert run("diagnose", "--quiet", "a.log.gz").err == ""


def test_accounting(run: Run, write: Write) -> None:
    write("a.log", whole="fine\n")
    write("acct", whole="JobID|State|ExitCode|NodeList\n7|TIMEOUT|0:0|n1\n")
    found = run("diagnose", "a.log", "--sacct", "acct")
    assert found.status == 1
    assert "(time-limit)" in found.out
    write("wrong", whole="nothing\n")
    assert run("diagnose", "a.log", "--sacct", "wrong").status == 2
    assert run("diagnose", "a.log", "--sacct", "missing").status == 2
    assert run("diagnose", "a.log", "--sacct", "acct", "--job", "8").status == 2


@pytest.mark.parametrize("path", ["-", "acct"])
def test_accounting_that_is_too_much(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """What is cut off may say the contrary."""
    accounting = b"JobID|State|ExitCode|NodeList\n7|TIMEOUT|0:0|n1\n"
    monkeypatch.setattr(diagnose, "_LARGEST_SACCT", len(accounting) - 1)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(accounting)))
    write("a.log", whole="fine\n")
    write("acct", whole=accounting)
    found = run("diagnose", "a.log", "--sacct", path)
    assert (found.status, found.err) == (2, f"sbatchlint: {path}: can't be read: more than 0 million bytes\n")


def test_a_live_sacct(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write("a.log", whole="fine\n")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    found = run("diagnose", "a.log", "--job", "7")
    assert found.status == 0
    assert "no sacct on this machine" in found.err
    sacct = write("bin/sacct", whole="#!/bin/sh\necho 'JobID|State|ExitCode'\necho '7|OUT_OF_MEMORY|0:125'\n")
    sacct.chmod(0o755)
    found = run("diagnose", "a.log", "--job", "7")
    assert found.status == 1
    assert "(host-oom)" in found.out


def test_a_script(
    write: Write, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.log", whole="[W304 10:00:31.1 socket.cpp:462] (errno: 98 - Address already in use).\n" + DIED)
    write(
        "job.sh",
        "#SBATCH --ntasks-per-node=8\n#SBATCH --gpus-per-node=8\nsrun torchrun --nproc_per_node=8 train.py\n",
    )
    assert main(["diagnose", "a.log", "--script", "job.sh"]) == 1
    out = capsys.readouterr().out
    assert "in the script" in out
    assert "error[SB301]" in out
    assert main(["diagnose", "a.log", "--script", "job.sh", "--output-format", "json"]) == 1
    findings = json.loads(capsys.readouterr().out)["script"]["findings"]
    assert ("SB301", 3) in [(one["code"], one["line"]) for one in findings]
    assert main(["diagnose", "a.log", "--script", "missing.sh"]) == 2


def test_no_bar_without_a_terminal() -> None:
    stream = io.StringIO()
    progress = Progress(stream, 10)
    progress.read(5)
    progress.close()
    assert stream.getvalue() == ""


def test_a_bar_on_a_terminal_only_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("sbatchlint.cli.diagnose_progress.time.monotonic", lambda: clock[0])
    owner, member = pty.openpty()
    with os.fdopen(member, "w") as stream, os.fdopen(owner, "rb", buffering=0) as seen:
        progress = Progress(stream, 10_000_000)
        progress.read(1_000_000)
        clock[0] = 2.0
        progress.read(4_000_000)
        clock[0] = 2.1
        progress.read(1_000_000)
        progress.close()
        text = ""
        while text.count("\x1b[K") < 2:  # a terminal hands over as much as it has
            text += seen.read(1000).decode()
    assert text == "\r[############            ]  50% of 10 MB, 2 MB/s\x1b[K\r\x1b[K"


def test_the_bar_without_a_size() -> None:
    assert progress_line(3_000_000, None, 1.5) == "read 3 MB, 2 MB/s"
    assert "100%" in progress_line(20, 10, 1)
