"""``--fix`` where a file cannot be written: a message, status 2, the old file, and the others are fixed."""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sbatchlint.lint.fixing import fix_source
from sbatchlint.writing.half import is_half
from tests.cli.conftest import HEAD, Outcome, Run, Write
from tests.rights import as_anybody

BAD, GOOD = HEAD + "echo BAD\n", HEAD + "echo FINE\n"
Spoil = Callable[[Path, pytest.MonkeyPatch], None]


def as_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may do that")


def full_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be no room for what is written to the folder of *path*."""
    write, full = os.write, os.path.realpath(path.parent)

    def refuse(descriptor: int, data: bytes) -> int:
        if os.path.dirname(os.readlink(f"/proc/self/fd/{descriptor}")) == full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", refuse)


def hard_link(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.link(path, path.parents[2] / f"{path.parents[1].name}-second-name")


def unchangeable(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["mount", "--bind", str(path), str(path)]
    as_root()
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no mounts here")


def changed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let somebody add a line while the file is checked."""
    _while_checking(monkeypatch, lambda: path.write_text(BAD + "echo more\n"))


def gone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _while_checking(monkeypatch, path.unlink)


def turned_into_a_link(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def turn() -> None:
        other = path.with_name("other")
        other.write_text(BAD)
        path.unlink()
        path.symlink_to(other)

    _while_checking(monkeypatch, turn)


def turned_into_a_pipe(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def turn() -> None:
        path.unlink()
        os.mkfifo(path)

    _while_checking(monkeypatch, turn)


def _while_checking(monkeypatch: pytest.MonkeyPatch, change: Callable[[], object]) -> None:
    def meanwhile(source: object, *arguments: object, **options: object) -> object:
        result = fix_source(source, *arguments, **options)  # type: ignore[arg-type]
        if source.path == "./b/job.sh":  # type: ignore[attr-defined]
            change()
        return result

    monkeypatch.setattr("sbatchlint.cli.checking.fix_source", meanwhile)


CASES: list[tuple[Spoil, str]] = [
    (full_disk, "(the disk is full); make room and run it again"),
    (
        hard_link,
        "(it has 2 names (hard links), and the others would keep the old content); make it a file of",
    ),
    (unchangeable, "(another use of it forbids replacing it, as a mount does); fix it where it comes from"),
    (changed, "(it changed while it was being checked); run it again"),
    (gone, "(it is no longer there); run it again"),
    (turned_into_a_link, "(it changed while it was being checked); run it again"),
    (turned_into_a_pipe, "(it is not a regular file); name a file"),
]


def everything(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        path.name: (path.lstat().st_ino, path.read_bytes() if path.is_file() else b"")
        for path in folder.iterdir()
    }


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("spoil", "told"), CASES, ids=[spoil.__name__ for spoil, _ in CASES])
def test_one_file_that_cannot_be_written(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, spoil: Spoil, told: str, jobs: str
) -> None:
    others = [write(f"{name}/job.sh", whole=BAD) for name in "acde"]
    path = write("b/job.sh", whole=BAD)
    spoil(path, monkeypatch)
    before = everything(path.parent)
    try:
        done = run("--fix", "--jobs", jobs, "--output-format", "concise", ".")
        assert f"sbatchlint: ./b/job.sh: not fixed {told}" in done.err
        assert done.status == 2
        assert done.out == "./b/job.sh:3:6: TST101 [*] a bad word is used\n"
        assert [other.read_text() for other in others] == [GOOD] * 4
        if spoil in (full_disk, hard_link, unchangeable):
            assert everything(path.parent) == before
        assert not [name for name in os.listdir(path.parent) if name.endswith(".tmp")]
    finally:
        if spoil is unchangeable:
            subprocess.run(["umount", str(path)], check=True)
    if spoil is changed:
        assert path.read_text() == BAD + "echo more\n"
    if spoil is turned_into_a_link:
        assert path.with_name("other").read_text() == BAD


@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_may_not_be_written(run: Run, tmp_path: Path, what: str) -> None:
    path, other = tmp_path / "b" / "job.sh", tmp_path / "c" / "job.sh"
    for each in (path, other):
        each.parent.mkdir()
        each.write_text(BAD)
    path.chmod(0o444 if what == "file" else 0o644)
    path.parent.chmod(0o555 if what == "folder" else 0o755)
    with as_anybody():
        done = run("--fix", "--output-format", "concise", ".")
    reason = {
        "file": "(you may not write to it); chmod u+w it, or fix a copy",
        "folder": "(its folder may not be written to, where the new file is made); get leave to write there",
    }
    assert f"sbatchlint: ./b/job.sh: not fixed {reason[what]}" in done.err
    assert (done.status, done.out) == (2, "./b/job.sh:3:6: TST101 [*] a bad word is used\n")
    assert (path.read_text(), other.read_text()) == (BAD, GOOD)
    path.parent.chmod(0o755)


def test_a_limit_of_what_may_be_written(run: Run, write: Write) -> None:
    path = write("big.sh", "echo BAD\n" + "# more\n" * 2000)
    other = write("job.sh", whole=BAD)
    before = path.read_text()
    done = _in_child(
        run, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, resource.RLIM_INFINITY)), "--fix", "."
    )
    assert "big.sh: not fixed (it would be larger than this process may write); raise the limit" in done.err
    assert (done.status, path.read_text(), other.read_text()) == (2, before, GOOD)


def _in_child(run: Run, prepare: Callable[[], None], *words: str) -> Outcome:
    """Run in a process of its own, after *prepare*."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            prepare()
            os.write(writing, json.dumps(run(*words)).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        told = answer.read()
    os.waitpid(child, 0)
    return Outcome(*json.loads(told))


@pytest.mark.slow
def test_runs_that_are_killed(tmp_path: Path) -> None:
    """Each file is the old one or the new one, and the next run finishes the work."""
    old = "#!/bin/bash\n#SBATCH –-time=1:00:00\n" + "srun hostname\n" * 20
    new = old.replace("–-", "--")
    paths = [tmp_path / f"{number}.sh" for number in range(15)]
    for path in paths:
        path.write_text(old)
    command = [sys.executable, "-m", "sbatchlint", "--fix", "--quiet", "--jobs", "2", str(tmp_path)]
    moments, kills = random.Random(9), 0
    for _ in range(20):
        for path in paths:
            path.write_text(old)
        started = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
        done = False
        while not done:
            done = started.poll() is not None
            begun = any(path.read_text() == new for path in paths)
            if begun and moments.random() < 0.2:
                os.killpg(started.pid, signal.SIGKILL)
                done, kills = True, kills + 1
        assert started.communicate()[1] == b""
        assert {path.read_text() for path in paths} <= {old, new}
    assert kills > 10
    left = [path for path in tmp_path.iterdir() if path not in paths]
    assert all(is_half(path.name) for path in left)
    for path in left:
        os.utime(path, (0, 0))
    assert subprocess.run(command, check=False).returncode == 0
    assert {path.read_text() for path in paths} == {new}
    for path in paths:
        path.write_text(old)
    subprocess.run(command, check=False)
    assert sorted(tmp_path.iterdir()) == sorted(paths)


# --- links -----------------------------------------------------------------------------------------


def test_link_that_leads_out_of_the_folder(run: Run, write: Write) -> None:
    target, other = write("elsewhere/real.sh", whole=BAD), write("jobs/other.sh", whole=BAD)
    link = other.with_name("link.sh")
    link.symlink_to("../elsewhere/real.sh")
    done = run("--fix", "--output-format", "concise", "jobs")
    assert (done.status, done.out) == (2, "jobs/link.sh:3:6: TST101 [*] a bad word is used\n")
    reason = f"(it is a symbolic link, to {target.resolve()})"
    remedy = "name that file if it is to be changed"
    assert f"sbatchlint: jobs/link.sh: not fixed {reason}; {remedy}\n" in done.err
    assert (target.read_text(), other.read_text()) == (BAD, GOOD)
    assert link.is_symlink()


@pytest.mark.parametrize("paths", ["jobs/link.sh", "jobs/link.sh jobs", "jobs"])
def test_link_whose_file_was_not_named(run: Run, write: Write, paths: str) -> None:
    target = write("elsewhere/real.sh", whole=BAD)
    link = target.parent.with_name("jobs") / "link.sh"
    link.parent.mkdir()
    link.symlink_to("../elsewhere/real.sh")
    done = run("--fix", *paths.split())
    assert (done.status, target.read_text()) == (2, BAD)
    assert "jobs/link.sh: not fixed" in done.err and link.is_symlink()


@pytest.mark.parametrize("paths", ["elsewhere/real.sh jobs", "jobs elsewhere", "."])
def test_link_whose_file_was_named(run: Run, write: Write, paths: str) -> None:
    target = write("elsewhere/real.sh", whole=BAD)
    link = target.parent.with_name("jobs") / "link.sh"
    link.parent.mkdir()
    link.symlink_to("../elsewhere/real.sh")
    done = run("--fix", *paths.split())
    assert (done.status, target.read_text()) == (0, GOOD), done.err
    assert link.is_symlink()


def test_folders_reached_by_links(run: Run, write: Write) -> None:
    path = write("real/jobs/job.sh", whole=BAD)
    (path.parent.parent.parent / "short").symlink_to("real/jobs")
    assert run("--fix", "short").status == 0
    assert path.read_text() == GOOD


def test_links_that_lead_nowhere_or_in_a_circle(run: Run, write: Write) -> None:
    other = write("jobs/other.sh", whole=BAD)
    for name, target in (("nowhere.sh", "none"), ("circle.sh", "circle.sh")):
        other.with_name(name).symlink_to(target)
    assert run("--fix", "jobs").status == 0
    assert other.read_text() == GOOD
    done = run("--fix", "jobs/nowhere.sh", "jobs/circle.sh", "jobs/other.sh")
    assert done.status == 2
    assert "jobs/nowhere.sh: no such file or folder; check the path" in done.err
    assert "jobs/circle.sh: cannot be read (too many levels of symbolic links)" in done.err


def test_two_names_of_one_file_at_once(run: Run, write: Write) -> None:
    """Not fixed twice, and not by half."""
    path = write("a.sh", whole=BAD)
    os.link(path, path.with_name("b.sh"))
    done = run("--fix", ".")
    assert done.status == 2
    assert done.err.count("it has 2 names (hard links)") == 2
    assert path.read_text() == path.with_name("b.sh").read_text() == BAD
    assert path.samefile(path.with_name("b.sh"))


@pytest.mark.parametrize(
    "name", ["a" * 252 + ".sh", os.fsdecode(b"\xff\xfe.sh"), "世 界\x1b[31m.sh", "-x.sh"]
)
def test_names(run: Run, write: Write, name: str) -> None:
    path = write(name, whole=BAD)
    done = run("--fix", "--", name)
    assert (done.status, path.read_text()) == (0, GOOD)
    assert "\x1b" not in done.out + done.err


def test_comments_that_cannot_be_written(run: Run, write: Write) -> None:
    path = write("job.sh", "echo RISKY\n")
    os.link(path, path.with_name("second-name"))
    before = path.read_text()
    done = run("--add-ignore", "job.sh")
    assert "job.sh: no comment written (it has 2 names (hard links)" in done.err
    assert (done.status, path.read_text()) == (2, before)
