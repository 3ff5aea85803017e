"""No room, no leave, and each step of the system's that fails: a reason, a remedy and the old file."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sbatchlint.writing.replace import make_file, overwrite_file, replace_file
from sbatchlint.writing.trouble import NotWritten, reason_and_remedy
from tests.writing.conftest import NEW, OLD, become_nobody, in_child, names

LONG = NEW * 4096


def test_full_disk(tiny_disk: Path) -> None:
    script = tiny_disk / "job.sh"
    script.write_bytes(OLD)
    with pytest.raises(NotWritten, match="the disk is full") as caught:
        replace_file(str(script), LONG, expected=OLD)
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(script))
    assert caught.value.remedy == "make room and run it again"
    assert (script.read_bytes(), names(tiny_disk)) == (OLD, ["job.sh"])
    replace_file(str(script), NEW, expected=OLD)
    assert script.read_bytes() == NEW


def test_full_disk_and_reports(tiny_disk: Path) -> None:
    with pytest.raises(NotWritten, match="the disk is full"):
        make_file(str(tiny_disk / "new.json"), LONG)
    assert names(tiny_disk) == []
    report = tiny_disk / "report.json"
    report.write_bytes(OLD)
    with pytest.raises(NotWritten, match="the disk is full"):
        overwrite_file(str(report), LONG)
    assert (report.read_bytes(), names(tiny_disk)) == (OLD, ["report.json"])


def test_limit_of_a_files_size(script: Path) -> None:
    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
        with pytest.raises(NotWritten, match="larger than this process may write"):
            replace_file(str(script), LONG, expected=OLD)

    assert in_child(work) == 0
    assert (script.read_bytes(), names(script.parent)) == (OLD, ["job.sh"])


@pytest.mark.parametrize(
    ("folder_mode", "file_mode", "reason"),
    [(0o555, 0o666, "its folder may not be written to"), (0o777, 0o444, "you may not write to it")],
)
def test_read_only_folder_or_file(public_folder: Path, folder_mode: int, file_mode: int, reason: str) -> None:
    script = public_folder / "job.sh"
    script.write_bytes(OLD)
    script.chmod(file_mode)
    public_folder.chmod(folder_mode)

    def work() -> None:
        become_nobody()
        with pytest.raises(NotWritten, match=reason) as caught:
            replace_file(str(script), NEW, expected=OLD)
        assert "fix a copy" in caught.value.remedy
        with pytest.raises(NotWritten, match=reason):
            overwrite_file(str(script), NEW)

    assert in_child(work) == 0
    assert (script.read_bytes(), names(public_folder)) == (OLD, ["job.sh"])


def test_new_file_in_a_read_only_folder(public_folder: Path) -> None:
    public_folder.chmod(0o555)

    def work() -> None:
        become_nobody()
        with pytest.raises(NotWritten, match="its folder may not be written to"):
            make_file(str(public_folder / "new"), NEW)

    assert in_child(work) == 0
    assert names(public_folder) == []


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM])
@pytest.mark.parametrize("may", [True, False])
def test_which_of_the_two_may_not_be_written_to(
    script: Path, monkeypatch: pytest.MonkeyPatch, number: int, may: bool
) -> None:
    """Where the system refuses a new file it is the folder's fault, unless the folder is fine."""
    asked = []

    def refuse(path: str, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    def access(path: str, rights: int, *, effective_ids: bool) -> bool:
        asked.append((path, rights, effective_ids))
        return may or path != str(script.parent)

    monkeypatch.setattr("sbatchlint.writing.half.os.replace", refuse)
    monkeypatch.setattr(os, "access", access)
    with pytest.raises(NotWritten) as caught:
        replace_file(str(script), NEW, expected=OLD)
    assert asked == [(str(script), os.W_OK, False), (str(script.parent), os.W_OK | os.X_OK, False)]
    error = caught.value
    assert error.filename == str(script)
    assert (error.errno, error.strerror, error.remedy) == (
        (number, os.strerror(number).lower(), "see to its folder and run it again")
        if may
        else (
            errno.EACCES,
            "its folder may not be written to, where the new file is made",
            "get leave to write there, or fix a copy",
        )
    )


@pytest.mark.parametrize("only_read", [True, False])
def test_file_that_may_not_be_written_to(
    script: Path, monkeypatch: pytest.MonkeyPatch, only_read: bool
) -> None:
    class Disk:
        f_flag = os.ST_NOATIME | (os.ST_RDONLY if only_read else 0)

    monkeypatch.setattr(os, "access", lambda path, rights, **_: False)
    monkeypatch.setattr(os, "statvfs", lambda path: Disk)
    with pytest.raises(NotWritten) as caught:
        replace_file(str(script), NEW, expected=OLD)
    error = caught.value
    assert (error.errno, error.filename, error.strerror, error.remedy) == (
        (errno.EROFS, str(script), "it is on a file system that can only be read", "fix a copy")
        if only_read
        else (errno.EACCES, str(script), "you may not write to it", "chmod u+w it, or fix a copy")
    )


def test_someone_elses_file_in_a_sticky_folder(public_folder: Path) -> None:
    """As in /tmp: everybody may make files there, and replace none but their own."""
    if os.geteuid() != 0:
        pytest.skip("only root may give files away")
    public_folder.chmod(0o1777)
    script = public_folder / "job.sh"
    script.write_bytes(OLD)
    script.chmod(0o666)

    def work() -> None:
        become_nobody()
        with pytest.raises(NotWritten, match="owner or group could not be kept"):
            replace_file(str(script), NEW, expected=OLD)

    assert in_child(work) == 0
    assert (script.read_bytes(), names(public_folder)) == (OLD, ["job.sh"])


def test_file_that_may_not_be_changed_at_all(script: Path) -> None:
    try:
        made = subprocess.run(["chattr", "+i", str(script)], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        made = False
    if not made:
        pytest.skip("no chattr, or it is root's, or the file system has no such thing")
    try:
        with pytest.raises(NotWritten) as caught:
            replace_file(str(script), NEW, expected=OLD)
        assert caught.value.errno in (errno.EPERM, errno.EACCES)
        assert (script.read_bytes(), names(script.parent)) == (OLD, ["job.sh"])
    finally:
        subprocess.run(["chattr", "-i", str(script)], check=True)


STEPS = ["open", "write", "fstat", "fchmod", "fsync", "close", "lstat", "replace"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EPERM, errno.ESTALE])
@pytest.mark.parametrize("step", STEPS)
def test_nothing_is_lost_when_a_step_fails(
    script: Path, monkeypatch: pytest.MonkeyPatch, step: str, number: int
) -> None:
    script.chmod(0o751)
    real = getattr(os, step)

    def fails(*arguments: object, **options: object) -> object:
        if step == "close":
            real(*arguments)
        if step == "open" and not int(str(arguments[1])) & os.O_CREAT:
            return real(*arguments, **options)
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, step, fails)
    with pytest.raises(NotWritten) as caught:
        replace_file(str(script), NEW, expected=OLD)
    monkeypatch.undo()
    assert (caught.value.errno, caught.value.filename) == (number, str(script))
    assert caught.value.strerror and caught.value.remedy
    assert (script.read_bytes(), names(script.parent)) == (OLD, ["job.sh"])


def test_what_cannot_be_made_sure_of_the_folder_is_no_failure(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new file has its name by then."""
    fsync = os.fsync

    def files_alone(descriptor: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):
            raise OSError(errno.EINVAL, "not for folders")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", files_alone)
    replace_file(str(script), NEW, expected=OLD)
    assert script.read_bytes() == NEW


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_interruption(
    script: Path, monkeypatch: pytest.MonkeyPatch, step: str, interruption: type[BaseException]
) -> None:
    def fails(*_: object, **__: object) -> object:
        raise interruption

    monkeypatch.setattr(os, step, fails)
    with pytest.raises(interruption):
        replace_file(str(script), NEW, expected=OLD)
    monkeypatch.undo()
    assert (script.read_bytes(), names(script.parent)) == (OLD, ["job.sh"])


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (OSError(errno.ENOSPC, "No space"), "(the disk is full); make room and run it again"),
        (OSError(errno.EDQUOT, "Quota"), "(the quota is used up); make room and run it again"),
        (OSError(errno.EROFS, "R"), "(it is on a file system that can only be read); fix a copy"),
        (
            OSError(errno.EIO, "Input/output error"),
            "(input/output error); see to its folder and run it again",
        ),
        (OSError("no number"), "(input/output error); see to its folder and run it again"),
        (NotWritten(1, "f", "this reason", "do that"), "(this reason); do that"),
    ],
)
def test_words(error: OSError, text: str) -> None:
    assert reason_and_remedy(error) == text


def test_an_open_file_is_closed_again(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it ends."""
    before = sorted(os.listdir("/proc/self/fd"))
    replace: list[Callable[[], None]] = [
        lambda: replace_file(str(script), NEW, expected=OLD),
        lambda: replace_file(str(script), OLD, expected=b"other"),
        lambda: overwrite_file(str(script), OLD),
    ]
    for each in replace:
        with contextlib.suppress(NotWritten):
            each()
        assert sorted(os.listdir("/proc/self/fd")) == before
