"""The cache and the processes of a run, seen from the command line."""

from __future__ import annotations

import contextlib
import os
import pty
import random
import re
import signal
import string
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sbatchlint.cache.doors import Doorway
from sbatchlint.cli import check
from sbatchlint.cli.jobs import how_many, side_by_side
from sbatchlint.cli.main import main
from sbatchlint.cli.progress import Progress
from sbatchlint.lint import engine
from tests.cache.conftest import without_the_tests_own_zones  # noqa: F401 - used by pytest
from tests.cache.process import Outcome, run

HEAD = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n"
BAD = HEAD + "srun torchrun --nnodes=2 --nproc-per-node=8 train.py\n"
FIXABLE = "#!/bin/bash\r\n#SBATCH --nodes=2\r\nsrun hostname\r\n"
TOKEN = "hf_" + "".join(random.Random(7).choices(string.ascii_letters, k=34))
COMMAND = (sys.executable, "-m", "sbatchlint")
FORBIDDEN = {
    *(
        "bashlex",
        "tree_sitter",
        "pydantic",
        "rich",
        "sbatchlint_rules",
        "sbatchlint.lint",
        "sbatchlint.report",
    ),
    *("argparse", "dataclasses", "json", "hashlib", "re", "typing"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "streams").mkdir()
    work = tmp_path / "work"
    work.mkdir()
    for number in range(6):
        (work / f"s{number}.sh").write_text(f"{BAD}# {number}\n")
    return work


def cached(folder: Path, *words: str) -> Outcome:
    return run(list(words), folder, folder.parent / "cache", folder.parent / "streams")


def plain(folder: Path, *words: str) -> Outcome:
    return run(list(words), folder, None, folder.parent / "streams")


def kept(folder: Path) -> list[Path]:
    return [path for path in (folder.parent / "cache").rglob("*") if path.name.startswith(("run-", "files-"))]


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "SBATCHLINT_CACHE_DIR": str(folder.parent / "cache"), "SBATCHLINT_SITE_CONFIG": ""}


def test_an_unchanged_folder_is_not_checked_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = cached(folder, ".")
    monkeypatch.setattr(check, "run", lambda words: pytest.fail("checked again"))
    assert cached(folder, ".") == first


def test_only_what_changed_is_checked_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached(folder, ".")
    (folder / "s3.sh").write_text(BAD + "# changed\n")
    looked: list[str] = []
    real = engine.lint_source

    def lint_source(source, *more):  # type: ignore[no-untyped-def]
        looked.append(source.path)
        return real(source, *more)

    from sbatchlint.cli import checking

    monkeypatch.setattr(checking, "lint_source", lint_source)
    assert cached(folder, "--output-format", "json", ".").status == 1
    assert looked == ["./s3.sh"]


def test_other_settings_are_other_answers(folder: Path) -> None:
    for words in (["."], ["--pedantic", "."], ["--ignore", "SB301", "."], ["--slurm-version", "23.02", "."]):
        assert cached(folder, *words) == plain(folder, *words)
    assert cached(folder, ".") != cached(folder, "--ignore", "SB301", ".")


@pytest.mark.parametrize("configuration", ["", "pedantic = true\n"])
def test_what_a_warm_run_loads(folder: Path, configuration: str) -> None:
    if configuration:
        (folder / "sbatchlint.toml").write_text(configuration)
    command = "import sys; from sbatchlint.cli.main import main; main(); print('\\n'.join(sys.modules))"

    def loaded() -> set[str]:
        done = subprocess.run(
            [sys.executable, "-I", "-c", command, "."],
            cwd=folder,
            env=environment(folder),
            capture_output=True,
            text=True,
            check=True,
        )
        return set(done.stdout.split())

    bare = [sys.executable, "-I", "-c", "import sys; print(*sys.modules)"]
    always = set(subprocess.run(bare, capture_output=True, text=True, check=True).stdout.split())
    assert {"bashlex", "sbatchlint_rules"} <= loaded()
    assert not (loaded() - always) & FORBIDDEN


@pytest.mark.parametrize(("name", "words"), [("KEY", ("--env", f"KEY={TOKEN}")), ("1", ("--arg", TOKEN))])
def test_no_secret_of_the_command_line_is_kept(name: str, words: tuple[str, str], folder: Path) -> None:
    (folder / "s0.sh").write_text(f"{HEAD}srun --mem=${name} hostname\n")
    first = cached(folder, "s0.sh", *words)
    assert b"--mem=***" in first.out
    assert cached(folder, "s0.sh", *words) == first
    assert kept(folder)
    assert not any(TOKEN.encode() in path.read_bytes() for path in kept(folder))


def test_no_secret_is_kept(folder: Path) -> None:
    (folder / "s0.sh").write_text(f"{BAD}export HF_TOKEN={TOKEN}\nsource ./env.sh\n")
    (folder / "env.sh").write_text(f"export HUGGING_FACE_HUB_TOKEN={TOKEN}\nNODES=2\n")
    (folder / "s1.sh").write_text(f"{BAD}source ./env.sh\nsrun echo $HUGGING_FACE_HUB_TOKEN\n")
    for words in (["."], ["--output-format", "json", "."], ["--diff", "--unsafe-fixes", "."]):
        assert cached(folder, *words) == plain(folder, *words)
    assert kept(folder)
    for path in kept(folder):
        assert TOKEN.encode() not in path.read_bytes()


def test_damage_of_any_kind_changes_nothing(folder: Path) -> None:
    expected = cached(folder, ".")
    for damage in (b"", b"\0" * 100, b"sbatchlint 1 " + b"0" * 32 + b"\n{}"):
        for path in kept(folder):
            path.write_bytes(damage)
        assert cached(folder, ".") == expected


def test_a_cache_that_can_not_be_used(folder: Path) -> None:
    expected = plain(folder, ".")
    (folder.parent / "cache").write_text("a file")
    assert cached(folder, ".") == expected
    assert b"nothing is kept" in cached(folder, "--verbose", ".").err


def test_no_cache_keeps_nothing(folder: Path) -> None:
    cached(folder, "--no-cache", ".")
    assert not (folder.parent / "cache").exists()


def test_standard_input_is_read_each_time(folder: Path) -> None:
    for text in (BAD, HEAD):
        done = subprocess.run(
            [*COMMAND, "-"], input=text, cwd=folder, env=environment(folder), capture_output=True, text=True
        )
        assert done.returncode == (1 if text is BAD else 0), done


def test_a_reader_that_is_gone(folder: Path) -> None:
    for number in range(60):
        (folder / f"more{number}.sh").write_text(BAD)
    for _ in range(3):
        process = subprocess.Popen(
            [*COMMAND, "."],
            cwd=folder,
            env=environment(folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
        process.stderr.close()
        assert process.wait() == 141
        assert b"Traceback" not in said
        assert b"Exception" not in said


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--fix"], []], ids=["fix", "check"])
def test_sixteen_at_once(folder: Path, words: list[str]) -> None:
    for number in range(6, 12):
        (folder / f"s{number}.sh").write_text(f"{FIXABLE}# {number}\r\n", newline="")
    single = folder.parent / "single"
    single.mkdir()
    for path in folder.iterdir():
        (single / path.name).write_bytes(path.read_bytes())
    alone = plain(single, *words, ".")
    started = [
        subprocess.Popen(
            [*COMMAND, "--jobs", "1", *words, "."],
            cwd=folder,
            env=environment(folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(16)
    ]
    outcomes = [Outcome(process.wait(), b"", b"") for process in started if process.communicate()]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        path.name: path.read_bytes() for path in single.iterdir()
    }
    if not words:
        assert {outcome.status for outcome in outcomes} == {alone.status}
    assert {outcome.status for outcome in outcomes} <= {alone.status, 2}
    assert cached(folder, ".") == plain(folder, ".")
    assert cached(folder, ".") == plain(folder, ".")


def test_several_processes_give_the_same(folder: Path) -> None:
    for number in range(30):
        (folder / f"m{number:02}.sh").write_bytes(
            (BAD + f"# {number} é\n").encode("latin-1" if number % 3 else "utf-8")
        )
    for words in (["."], ["--output-format", "json", "."], ["--pedantic", "--diff", "."]):
        outcomes = [
            subprocess.run(
                [*COMMAND, "--jobs", jobs, *words], cwd=folder, env=environment(folder), capture_output=True
            )
            for jobs in ("1", "4")
        ]
        one, four = ((done.returncode, done.stdout, done.stderr) for done in outcomes)
        assert one == four


def test_several_processes_fix_the_same(folder: Path) -> None:
    trees: list[list[object]] = []
    said = b""
    for jobs in ("1", "4"):
        work = folder.parent / f"jobs{jobs}"
        work.mkdir()
        for number in range(24):
            (work / f"f{number:02}.sh").write_text(f"{FIXABLE}# {number}\r\n", newline="")
        done = subprocess.run(
            [*COMMAND, "--no-cache", "--fix", "--jobs", jobs, "."], cwd=work, capture_output=True, check=False
        )
        said = done.stderr
        trees.append(
            [done.returncode, done.stdout, said, *(path.read_bytes() for path in sorted(work.iterdir()))]
        )
    assert trees[0] == trees[1]
    assert b"Fixed 24" in said


def test_nobody_watches_where_nothing_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To watch takes as long as to check a short script, and was done in each of many processes."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(Doorway, "open", lambda self: pytest.fail("somebody watches"))
    assert main(["check", "--no-cache", "--jobs", "2", "--output-format", "concise", "."]) == 1
    assert capsys.readouterr().out.count("SB301") == 6


def square(number: int) -> int:
    return number * number


def test_all_answers_come_back() -> None:
    answers: dict[int, int] = {}
    side_by_side(500, square, 3, answers.__setitem__, lambda number, why: pytest.fail(why))
    assert answers == {number: number * number for number in range(500)}


def test_a_process_that_ends_loses_one_answer_alone() -> None:
    answers: dict[int, int] = {}
    lost: dict[int, str] = {}

    def work(number: int) -> int:
        if number % 10 == 3:
            os.kill(os.getpid(), signal.SIGKILL if number < 20 else signal.SIGTERM)
        return number

    side_by_side(50, work, 3, answers.__setitem__, lost.__setitem__)
    assert sorted(answers) == [number for number in range(50) if number % 10 != 3]
    assert sorted(lost) == [3, 13, 23, 33, 43]
    assert "killed" in lost[3]
    assert "signal 15" in lost[23]


def test_an_error_in_between_leaves_no_process_behind() -> None:
    def done(number: int, answer: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        side_by_side(50, square, 3, done, lambda number, why: None)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def alive(group: int) -> list[str]:
    """The processes of *group* that have not ended, as the system describes them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            text = path.read_text(errors="replace")
            state, _, of_group, *_ = text.rpartition(")")[2].split()
            if int(of_group) == group and state != "Z":
                found.append(text)
    return found


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no /proc to look at")
def test_interrupting_a_run(folder: Path) -> None:
    for number in range(200):
        (folder / f"m{number:03}.sh").write_text(BAD * 30 + f"# {number}\n")
    process = subprocess.Popen(
        [*COMMAND, "--no-cache", "--jobs", "3", "."],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(1.5)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert (out, err) == (b"", b"")
    end = time.monotonic() + 5
    while alive(process.pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert not alive(process.pid)


def test_how_many_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    from sbatchlint.cli import jobs

    monkeypatch.setattr(jobs, "_has_threads", lambda: False)
    monkeypatch.setattr(jobs, "_processors", lambda: 4)
    assert [how_many(pieces, None) for pieces in (0, 1, 19, 20, 30, 1000)] == [1, 1, 1, 2, 3, 4]
    assert [how_many(pieces, 8) for pieces in (0, 1, 5, 1000)] == [1, 1, 5, 8]
    monkeypatch.setattr(jobs, "_processors", lambda: 256)
    assert how_many(100_000, None) == 16


@pytest.mark.parametrize("number", ["0", "-1", "x", "1000", "²"])
def test_a_number_that_makes_no_sense(folder: Path, number: str) -> None:
    done = plain(folder, f"--jobs={number}", ".")
    assert done.status == 2
    assert b"give a number from 1 to 999" in done.err


def test_a_bar_on_a_terminal_for_long_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    main, terminal = pty.openpty()
    clock = [0.0]
    with open(terminal, "w") as stream:
        bar = Progress(stream, 4, wanted=True, now=lambda: clock[0])
        for seconds in (0.5, 1.0, 1.05, 2.0):
            clock[0] = seconds
            bar.advance()
        bar.wipe()
        said = ""
        while not said.endswith("\r\x1b[K"):  # the system hands it on piece by piece
            said += os.read(main, 1000).decode()
    os.close(main)
    assert re.findall(r"\d of \d", said) == ["2 of 4", "4 of 4"]


@pytest.mark.parametrize("wanted", [True, False])
def test_no_bar_where_nobody_looks(tmp_path: Path, wanted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    main, terminal = pty.openpty()
    monkeypatch.setenv("CI", "true")
    with open(terminal, "w") as stream, open(tmp_path / "file", "w+") as file:
        for each in (stream, file):
            bar = Progress(each, 2, wanted=wanted, now=lambda: 100.0)
            bar.advance()
            assert not bar.shown
    os.close(main)
